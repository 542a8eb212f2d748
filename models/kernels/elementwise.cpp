// BackProp and TensorTensor: one result an element.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "vector.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dve/kernels/elementwise.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dve::kernels::HWY_NAMESPACE {

using isa::AluOp;
using isa::Dtype;
using numerics::Switches;

// Elements that pass through the first-level cache on their way to or from another dtype.
constexpr std::size_t kChunk = 512;

bool is_fp32(Dtype dtype) { return dtype == Dtype::fp32 || dtype == Dtype::fp32r; }

const float* floats(const std::uint8_t* bytes) { return reinterpret_cast<const float*>(bytes); }

// An operand chunk by chunk as binary32: where it stands, or converted.
class Source {
 public:
  Source(const std::uint8_t* from, Dtype dtype, const Switches& switches)
      : from_(from), dtype_(dtype), size_(isa::storage_size(dtype).value), switches_(switches) {}
  const float* chunk(std::size_t first, std::size_t count) {
    if (is_fp32(dtype_)) return floats(from_ + first * size_);
    kernels::to_fp32(from_ + first * size_, dtype_, count, values_, switches_);
    return values_;
  }

 private:
  const std::uint8_t* from_;
  Dtype dtype_;
  std::size_t size_;
  const Switches& switches_;
  float values_[kChunk];
};

// ---- BackProp ----

struct BackProp {
  Vector n, mean, a, b, c;
  explicit BackProp(const numerics::LaneParameters& p)
      : n(broadcast(p.element_count)),
        mean(broadcast(p.mean)),
        a(broadcast(p.a)),
        b(broadcast(p.b)),
        c(broadcast(p.c)) {}
  HWY_INLINE Vector operator()(Vector x, Vector dy) const {
    const Vector correction = hn::Add(hn::Mul(hn::Sub(x, mean), c), b);
    return hn::Mul(hn::Sub(hn::Mul(dy, n), correction), a);
  }
};

HWY_INLINE hn::Vec<SignedTag> magnitude(Vector v) {
  return hn::And(hn::BitCast(SignedTag(), v), hn::Set(SignedTag(), 0x7FFFFFFF));
}
HWY_INLINE bool has_non_finite(hn::Vec<SignedTag> magnitudes) {
  return !hn::AllFalse(SignedTag(), hn::Gt(magnitudes, hn::Set(SignedTag(), 0x7F7FFFFF)));
}
HWY_INLINE bool has_nan(Vector v) { return !hn::AllFalse(Tag(), hn::IsNaN(v)); }
HWY_INLINE bool has_infinite(Vector v) {
  return !hn::AllFalse(SignedTag(), hn::Eq(magnitude(v), hn::Set(SignedTag(), 0x7F800000)));
}

HWY_INLINE void note(Vector x, Vector dy, Vector result, Exceptions& found) {
  found.operand_nan = found.operand_nan || has_nan(x) || has_nan(dy);
  found.operand_infinite = found.operand_infinite || has_infinite(x) || has_infinite(dy);
  found.result_nan = found.result_nan || has_nan(result);
  found.result_infinite = found.result_infinite || has_infinite(result);
}

// At most kLanes elements, special values among them or not.
HWY_NOINLINE void back_prop_few(const BackProp& back_prop, const float* x, const float* dy, std::size_t count,
                                float* out, Exceptions& found) {
  float xs[kLanes] = {}, dys[kLanes] = {}, results[kLanes];
  std::memcpy(xs, x, count * sizeof(float));
  std::memcpy(dys, dy, count * sizeof(float));
  for (std::size_t k = count; k < kLanes; ++k) {  // once more what is there: a zero might make an infinity
    xs[k] = xs[0];
    dys[k] = dys[0];
  }
  const Vector vx = load(xs), vdy = load(dys), dx = back_prop(vx, vdy);
  if (has_non_finite(magnitude(dx))) note(vx, vdy, dx, found);
  store(canonical(dx), results);
  std::memcpy(out, results, count * sizeof(float));
}

// `out` may be a source: a vector is read before it is written. Results that are not finite are rare, and only they
// need a second look.
void back_prop_chunk(const BackProp& given, const float* x, const float* dy, std::size_t count, float* out,
                     Exceptions& found) {
  const BackProp back_prop = given;  // in registers
  constexpr std::size_t kBlock = 4 * kLanes;
  std::size_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    const Vector dx0 = back_prop(load(x + i), load(dy + i));
    const Vector dx1 = back_prop(load(x + i + kLanes), load(dy + i + kLanes));
    const Vector dx2 = back_prop(load(x + i + 2 * kLanes), load(dy + i + 2 * kLanes));
    const Vector dx3 = back_prop(load(x + i + 3 * kLanes), load(dy + i + 3 * kLanes));
    if (HWY_UNLIKELY(has_non_finite(
            hn::Max(hn::Max(magnitude(dx0), magnitude(dx1)), hn::Max(magnitude(dx2), magnitude(dx3)))))) {
      for (std::size_t k = i; k < i + kBlock; k += kLanes) back_prop_few(given, x + k, dy + k, kLanes, out + k, found);
      continue;
    }
    store(dx0, out + i);
    store(dx1, out + i + kLanes);
    store(dx2, out + i + 2 * kLanes);
    store(dx3, out + i + 3 * kLanes);
  }
  for (; i < count; i += kLanes) back_prop_few(given, x + i, dy + i, std::min(kLanes, count - i), out + i, found);
}

// What conversion made of a chunk's results, and its operands.
HWY_NOINLINE void note_stored(const float* x, const float* dy, const std::uint8_t* dx, Dtype dx_dtype,
                              std::size_t count, const Switches& switches, Exceptions& found) {
  float stored[kChunk];
  kernels::to_fp32(dx, dx_dtype, count, stored, switches);
  for (std::size_t i = 0; i < count; ++i) {
    float one_x, one_dy;
    std::memcpy(&one_x, x + i, sizeof one_x);
    std::memcpy(&one_dy, dy + i, sizeof one_dy);
    note(broadcast(one_x), broadcast(one_dy), broadcast(stored[i]), found);
  }
}

// One channel with a conversion on the way in or out.
HWY_NOINLINE void back_prop_converted(const BackProp& back_prop, Source&& x, Source&& dy, std::size_t n,
                                      const Switches& switches, std::uint8_t* dx, Dtype dx_dtype, Exceptions& found) {
  const std::size_t size = isa::storage_size(dx_dtype).value;
  float results[kChunk];
  for (std::size_t first = 0; first < n; first += kChunk) {
    const std::size_t count = std::min(kChunk, n - first);
    const float *x_chunk = x.chunk(first, count), *dy_chunk = dy.chunk(first, count);
    std::uint8_t* const to = dx + first * size;
    if (dx_dtype == Dtype::fp32) {
      back_prop_chunk(back_prop, x_chunk, dy_chunk, count, reinterpret_cast<float*>(to), found);
      continue;
    }
    Exceptions unrounded;
    back_prop_chunk(back_prop, x_chunk, dy_chunk, count, results, unrounded);
    kernels::from_fp32(results, dx_dtype, count, to, switches);
    const std::uint8_t* const written = to;
    if (HWY_UNLIKELY(kernels::any_non_finite({&written, 0, dx_dtype}, 1, count, switches)))
      note_stored(x_chunk, dy_chunk, to, dx_dtype, count, switches, found);
  }
}

void BackPropagate(const Rows& src0, const Rows& dy, std::uint32_t channels, std::size_t n,
                   const numerics::LaneParameters* parameters, const Switches& switches, const ResultRows& dx,
                   Exceptions* exceptions) {
  const bool in_place = is_fp32(src0.dtype) && is_fp32(dy.dtype) && dx.dtype == Dtype::fp32;
  for (std::uint32_t c = 0; c < channels; ++c) {
    exceptions[c] = {};
    const BackProp back_prop(parameters[c]);
    if (in_place) {
      back_prop_chunk(back_prop, floats(src0.channel(c)), floats(dy.channel(c)), n,
                      reinterpret_cast<float*>(dx.channel(c)), exceptions[c]);
    } else {
      back_prop_converted(back_prop, Source(src0.channel(c), src0.dtype, switches),
                          Source(dy.channel(c), dy.dtype, switches), n, switches, dx.channel(c), dx.dtype,
                          exceptions[c]);
    }
  }
}

// ---- TensorTensor ----

HWY_INLINE Vector flag(hn::Mask<Tag> mask) { return hn::IfThenElseZero(mask, broadcast(1.0F)); }

// clang-format off
struct AddOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return hn::Add(a, b); } };
struct SubtractOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return hn::Sub(a, b); } };
struct MultOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return hn::Mul(a, b); } };
struct DivideOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return hn::Div(a, b); } };
struct DifferenceOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return hn::Abs(hn::Sub(a, b)); } };
// A NaN gives way to the other operand; of equal operands the first stays.
struct MaxOp { HWY_INLINE Vector operator()(Vector a, Vector b) const {
  return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::Gt(b, a)), b, a); } };
struct MinOp { HWY_INLINE Vector operator()(Vector a, Vector b) const {
  return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::Lt(b, a)), b, a); } };
struct EqualOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return flag(hn::Eq(a, b)); } };
struct NotEqualOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return hn::IfThenElse(hn::Eq(a, b), hn::Zero(Tag()), broadcast(1.0F)); } };
struct GreaterOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return flag(hn::Gt(a, b)); } };
struct GreaterEqualOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return flag(hn::Ge(a, b)); } };
struct LessEqualOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return flag(hn::Le(a, b)); } };
struct LessOp { HWY_INLINE Vector operator()(Vector a, Vector b) const { return flag(hn::Lt(a, b)); } };
// clang-format on

struct Operands {
  const Rows &a, &b;
  std::uint32_t channels;
  std::size_t n;
  const ResultRows& out;
};

// The elements past the last whole vector are the specification's. Whether a result is not finite.
template <class Op>
bool operate(Op op, AluOp code, const float* a, const float* b, std::size_t count, float* out) {
  auto largest = hn::Zero(SignedTag());
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vector result = canonical(op(load(a + i), load(b + i)));
    largest = hn::Max(largest, magnitude(result));
    store(result, out + i);
  }
  bool found = has_non_finite(largest);
  for (; i < count; ++i) {
    float one_a, one_b;
    std::memcpy(&one_a, a + i, sizeof one_a);
    std::memcpy(&one_b, b + i, sizeof one_b);
    const float result = numerics::alu_fp32(code, one_a, one_b);
    found = found || !std::isfinite(result);
    std::memcpy(out + i, &result, sizeof result);
  }
  return found;
}

template <class Op>
HWY_NOINLINE bool operate_converted(Op op, AluOp code, Source&& a, Source&& b, std::size_t n, const Switches& switches,
                                    std::uint8_t* out, Dtype out_dtype) {
  const std::size_t size = isa::storage_size(out_dtype).value;
  float results[kChunk];
  bool found = false;
  for (std::size_t first = 0; first < n; first += kChunk) {
    const std::size_t count = std::min(kChunk, n - first);
    found = operate(op, code, a.chunk(first, count), b.chunk(first, count), count, results) || found;
    kernels::from_fp32(results, out_dtype, count, out + first * size, switches);
  }
  return found;
}

template <class Op>
bool each(Op op, AluOp code, const Operands& operands, const Switches& switches) {
  const auto& [a, b, channels, n, out] = operands;
  const bool in_place = is_fp32(a.dtype) && is_fp32(b.dtype) && out.dtype == Dtype::fp32;
  bool found = false;
  for (std::uint32_t c = 0; c < channels; ++c) {
    const bool here =
        in_place
            ? operate(op, code, floats(a.channel(c)), floats(b.channel(c)), n, reinterpret_cast<float*>(out.channel(c)))
            : operate_converted(op, code, Source(a.channel(c), a.dtype, switches),
                                Source(b.channel(c), b.dtype, switches), n, switches, out.channel(c), out.dtype);
    found = found || here;
  }
  return found;
}

bool TensorTensor(AluOp op, const Rows& a, const Rows& b, std::uint32_t channels, std::size_t n,
                  const Switches& switches, const ResultRows& out) {
  const Operands operands{a, b, channels, n, out};
  switch (op) {
    case AluOp::add:
      return each(AddOp(), op, operands, switches);
    case AluOp::subtract:
      return each(SubtractOp(), op, operands, switches);
    case AluOp::mult:
      return each(MultOp(), op, operands, switches);
    case AluOp::divide:
      return each(DivideOp(), op, operands, switches);
    case AluOp::max:
      return each(MaxOp(), op, operands, switches);
    case AluOp::min:
      return each(MinOp(), op, operands, switches);
    case AluOp::absolute_diff:
      return each(DifferenceOp(), op, operands, switches);
    case AluOp::is_eq:
      return each(EqualOp(), op, operands, switches);
    case AluOp::is_ne:
      return each(NotEqualOp(), op, operands, switches);
    case AluOp::is_gt:
      return each(GreaterOp(), op, operands, switches);
    case AluOp::is_ge:
      return each(GreaterEqualOp(), op, operands, switches);
    case AluOp::is_le:
      return each(LessEqualOp(), op, operands, switches);
    default:
      return each(LessOp(), op, operands, switches);
  }
}

}  // namespace dve::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <stdexcept>
#include <string>

namespace dve::kernels {

HWY_EXPORT(BackPropagate);
HWY_EXPORT(TensorTensor);

bool has_tensor_tensor(isa::AluOp op) {
  using isa::AluOp;
  switch (op) {
    case AluOp::add:
    case AluOp::subtract:
    case AluOp::mult:
    case AluOp::divide:
    case AluOp::max:
    case AluOp::min:
    case AluOp::absolute_diff:
    case AluOp::is_eq:
    case AluOp::is_ne:
    case AluOp::is_gt:
    case AluOp::is_ge:
    case AluOp::is_le:
    case AluOp::is_lt:
      return true;
    default:
      return false;
  }
}

void back_propagate(const Rows& src0, const Rows& dy, std::uint32_t channels, std::size_t n,
                    const numerics::LaneParameters* parameters, const numerics::Switches& switches,
                    const ResultRows& dx, Exceptions* exceptions) {
  HWY_DYNAMIC_DISPATCH(BackPropagate)(src0, dy, channels, n, parameters, switches, dx, exceptions);
}

bool tensor_tensor(isa::AluOp op, const Rows& a, const Rows& b, std::uint32_t channels, std::size_t n,
                   const numerics::Switches& switches, const ResultRows& out) {
  if (!has_tensor_tensor(op))
    throw std::invalid_argument("tensor_tensor: ALU operation " + std::string(isa::name(op)) +
                                ", expected one with a kernel");
  return HWY_DYNAMIC_DISPATCH(TensorTensor)(op, a, b, channels, n, switches, out);
}

}  // namespace dve::kernels
#endif
