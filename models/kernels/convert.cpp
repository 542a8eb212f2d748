// Conversions between stored elements and binary32, and the search for special values.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vector.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dve/kernels/convert.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dve::kernels::HWY_NAMESPACE {

using isa::Dtype;
using numerics::NarrowOverflow;
using numerics::Switches;

template <class T>
using Elements = hn::Rebind<T, Tag>;

template <class T>
HWY_INLINE hn::Vec<Elements<T>> elements_at(const std::uint8_t* bytes) {
  return hn::LoadU(Elements<T>(), reinterpret_cast<const T*>(bytes));
}

template <class T>
HWY_INLINE void put_elements(hn::Vec<Elements<T>> v, std::uint8_t* bytes) {
  hn::StoreU(v, Elements<T>(), reinterpret_cast<T*>(bytes));
}

// ---- To binary32 ----

struct FromFp32 {
  static constexpr std::size_t kBytes = 4;
  HWY_INLINE Vector operator()(const std::uint8_t* from) const { return canonical(elements_at<float>(from)); }
};
struct FromBf16 {
  static constexpr std::size_t kBytes = 2;
  HWY_INLINE Vector operator()(const std::uint8_t* from) const {
    const auto words = hn::PromoteTo(BitsTag(), elements_at<std::uint16_t>(from));
    return canonical(hn::BitCast(Tag(), hn::ShiftLeft<16>(words)));
  }
};
struct FromFp16 {
  static constexpr std::size_t kBytes = 2;
  HWY_INLINE Vector operator()(const std::uint8_t* from) const {
    return canonical(widened_fp16(hn::PromoteTo(BitsTag(), elements_at<std::uint16_t>(from))));
  }
};
template <class T>
struct FromInt {
  static constexpr std::size_t kBytes = sizeof(T);
  HWY_INLINE Vector operator()(const std::uint8_t* from) const {
    return hn::ConvertTo(Tag(), hn::PromoteTo(SignedTag(), elements_at<T>(from)));
  }
};
struct FromInt32 {
  static constexpr std::size_t kBytes = 4;
  HWY_INLINE Vector operator()(const std::uint8_t* from) const {
    return hn::ConvertTo(Tag(), elements_at<std::int32_t>(from));
  }
};

// The elements past the last whole vector are the specification's.
template <class Load>
void widen_all(Load load_elements, const std::uint8_t* source, Dtype dtype, std::size_t count, float* destination,
               const Switches& switches) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) store(load_elements(source + i * Load::kBytes), destination + i);
  numerics::to_fp32(source + i * Load::kBytes, dtype, count - i, destination + i, switches);
}

void ToFp32(const std::uint8_t* source, Dtype dtype, std::size_t count, float* destination, const Switches& switches) {
  switch (dtype) {
    case Dtype::fp32:
    case Dtype::fp32r:
      return widen_all(FromFp32(), source, dtype, count, destination, switches);
    case Dtype::bf16:
      return widen_all(FromBf16(), source, dtype, count, destination, switches);
    case Dtype::fp16:
      return widen_all(FromFp16(), source, dtype, count, destination, switches);
    case Dtype::int8:
      return widen_all(FromInt<std::int8_t>(), source, dtype, count, destination, switches);
    case Dtype::uint8:
      return widen_all(FromInt<std::uint8_t>(), source, dtype, count, destination, switches);
    case Dtype::int16:
      return widen_all(FromInt<std::int16_t>(), source, dtype, count, destination, switches);
    case Dtype::uint16:
      return widen_all(FromInt<std::uint16_t>(), source, dtype, count, destination, switches);
    case Dtype::int32:
      return widen_all(FromInt32(), source, dtype, count, destination, switches);
    default:
      return numerics::to_fp32(source, dtype, count, destination, switches);
  }
}

// ---- From binary32 ----

// Words whose low `bits` are rounded away: to nearest, ties to even. Infinities stay, the largest values carry into
// them, and the canonical NaN has nothing there to round.
HWY_INLINE hn::Vec<BitsTag> rounded(Vector v, int bits) {
  const BitsTag tag;
  const auto words = hn::BitCast(tag, canonical(v));
  const auto odd = hn::And(hn::ShiftRightSame(words, bits), hn::Set(tag, 1U));
  return hn::Add(words, hn::Add(odd, hn::Set(tag, (1U << (bits - 1)) - 1U)));
}

struct ToFp32Bits {
  static constexpr std::size_t kBytes = 4;
  HWY_INLINE void operator()(Vector v, std::uint8_t* to) const { put_elements<float>(canonical(v), to); }
};
struct ToFp32r {
  static constexpr std::size_t kBytes = 4;
  int dropped;  // mantissa bits, at least 1
  HWY_INLINE void operator()(Vector v, std::uint8_t* to) const {
    const auto mask = hn::Set(BitsTag(), ~((1U << dropped) - 1U));
    put_elements<std::uint32_t>(hn::And(rounded(v, dropped), mask), to);
  }
};
struct ToBf16 {
  static constexpr std::size_t kBytes = 2;
  HWY_INLINE void operator()(Vector v, std::uint8_t* to) const {
    put_elements<std::uint16_t>(hn::TruncateTo(Elements<std::uint16_t>(), hn::ShiftRight<16>(rounded(v, 16))), to);
  }
};
#if HWY_TARGET <= HWY_AVX2
struct ToFp16 {  // the processor's own conversion rounds to nearest even and keeps subnormals
  static constexpr std::size_t kBytes = 2;
  HWY_INLINE void operator()(Vector v, std::uint8_t* to) const {
    const auto halves = hn::DemoteTo(Elements<hwy::float16_t>(), canonical(v));
    put_elements<std::uint16_t>(hn::BitCast(Elements<std::uint16_t>(), halves), to);
  }
};
#endif
// Truncated and held inside [lowest, highest], which binary32 can hold; NaN is 0.
HWY_INLINE hn::Vec<SignedTag> clamped(Vector v, float lowest, float highest) {
  const Vector number = hn::IfThenZeroElse(hn::IsNaN(v), v);
  return hn::ConvertTo(SignedTag(), hn::Min(hn::Max(number, broadcast(lowest)), broadcast(highest)));
}
template <class T>
struct ToInt {
  static constexpr std::size_t kBytes = sizeof(T);
  HWY_INLINE void operator()(Vector v, std::uint8_t* to) const {
    const auto low = static_cast<float>(hwy::LimitsMin<T>()), high = static_cast<float>(hwy::LimitsMax<T>());
    put_elements<T>(hn::DemoteTo(Elements<T>(), clamped(v, low, high)), to);
  }
};
struct ToInt32 {
  static constexpr std::size_t kBytes = 4;
  HWY_INLINE void operator()(Vector v, std::uint8_t* to) const {
    const Vector past = broadcast(2147483648.0F);
    const auto over = hn::RebindMask(SignedTag(), hn::Ge(v, past));
    const auto largest = hn::Set(SignedTag(), hwy::LimitsMax<std::int32_t>());
    const auto inside = clamped(hn::IfThenZeroElse(hn::Ge(v, past), v), -2147483648.0F, 2147483520.0F);
    put_elements<std::int32_t>(hn::IfThenElse(over, largest, inside), to);
  }
};

template <class Store>
void narrow_all(Store put, const float* source, Dtype dtype, std::size_t count, std::uint8_t* destination,
                const Switches& switches) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) put(load(source + i), destination + i * Store::kBytes);
  numerics::from_fp32(source + i, dtype, count - i, destination + i * Store::kBytes, switches);
}

void NarrowFp32(const float* source, Dtype dtype, std::size_t count, std::uint8_t* destination,
                const Switches& switches) {
  const bool to_infinity = switches.narrow_overflow == NarrowOverflow::inf;
  switch (dtype) {
    case Dtype::fp32:
      return narrow_all(ToFp32Bits(), source, dtype, count, destination, switches);
    case Dtype::int8:
      return narrow_all(ToInt<std::int8_t>(), source, dtype, count, destination, switches);
    case Dtype::uint8:
      return narrow_all(ToInt<std::uint8_t>(), source, dtype, count, destination, switches);
    case Dtype::int16:
      return narrow_all(ToInt<std::int16_t>(), source, dtype, count, destination, switches);
    case Dtype::uint16:
      return narrow_all(ToInt<std::uint16_t>(), source, dtype, count, destination, switches);
    case Dtype::int32:
      return narrow_all(ToInt32(), source, dtype, count, destination, switches);
    case Dtype::fp32r:
      if (!to_infinity || switches.fp32r_mantissa > 22) break;
      return narrow_all(ToFp32r{static_cast<int>(23U - switches.fp32r_mantissa)}, source, dtype, count, destination,
                        switches);
    case Dtype::bf16:
      if (!to_infinity) break;
      return narrow_all(ToBf16(), source, dtype, count, destination, switches);
#if HWY_TARGET <= HWY_AVX2
    case Dtype::fp16:
      if (!to_infinity) break;
      return narrow_all(ToFp16(), source, dtype, count, destination, switches);
#endif
    default:
      break;
  }
  numerics::from_fp32(source, dtype, count, destination, switches);
}

// ---- Special values ----

// The largest magnitude decides: infinity and the NaNs come after every number.
template <class Signed>
bool any_at_least(const std::uint8_t* source, std::size_t count, Signed infinity) {
  const hn::CappedTag<Signed, 64 / sizeof(Signed)> tag;
  const auto magnitude = hn::Set(tag, hwy::LimitsMax<Signed>());
  const std::size_t lanes = hn::Lanes(tag);
  auto largest = hn::Zero(tag);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::LoadU(tag, reinterpret_cast<const Signed*>(source + i * sizeof(Signed)));
    largest = hn::Max(largest, hn::And(bits, magnitude));
  }
  if (!hn::AllFalse(tag, hn::Gt(largest, hn::Set(tag, static_cast<Signed>(infinity - 1))))) return true;
  for (; i < count; ++i) {
    Signed bits;
    std::memcpy(&bits, source + i * sizeof(Signed), sizeof bits);
    if ((bits & hwy::LimitsMax<Signed>()) >= infinity) return true;
  }
  return false;
}

bool any_non_finite_in(const std::uint8_t* source, Dtype dtype, std::size_t count, const Switches& switches) {
  switch (dtype) {
    case Dtype::fp32:
    case Dtype::fp32r:
      return any_at_least<std::int32_t>(source, count, 0x7F800000);
    case Dtype::bf16:
      return any_at_least<std::int16_t>(source, count, 0x7F80);
    case Dtype::fp16:
      return any_at_least<std::int16_t>(source, count, 0x7C00);
    default:
      break;
  }
  constexpr std::size_t kChunk = 64;
  float values[kChunk];
  const std::size_t size = isa::storage_size(dtype).value;
  for (std::size_t i = 0; i < count; i += kChunk) {
    const std::size_t n = std::min(kChunk, count - i);
    numerics::to_fp32(source + i * size, dtype, n, values, switches);
    if (any_at_least<std::int32_t>(reinterpret_cast<const std::uint8_t*>(values), n, 0x7F800000)) return true;
  }
  return false;
}

bool AnyNonFinite(const Rows& rows, std::uint32_t channels, std::size_t n, const Switches& switches) {
  for (std::uint32_t c = 0; c < channels; ++c) {
    if (any_non_finite_in(rows.channel(c), rows.dtype, n, switches)) return true;
  }
  return false;
}

}  // namespace dve::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dve::kernels {

HWY_EXPORT(ToFp32);
HWY_EXPORT(NarrowFp32);
HWY_EXPORT(AnyNonFinite);

void to_fp32(const std::uint8_t* source, isa::Dtype dtype, std::size_t count, float* destination,
             const numerics::Switches& switches) {
  HWY_DYNAMIC_DISPATCH(ToFp32)(source, dtype, count, destination, switches);
}

void from_fp32(const float* source, isa::Dtype dtype, std::size_t count, std::uint8_t* destination,
               const numerics::Switches& switches) {
  HWY_DYNAMIC_DISPATCH(NarrowFp32)(source, dtype, count, destination, switches);
}

bool any_non_finite(const Rows& rows, std::uint32_t channels, std::size_t n, const numerics::Switches& switches) {
  return HWY_DYNAMIC_DISPATCH(AnyNonFinite)(rows, channels, n, switches);
}

}  // namespace dve::kernels
#endif
