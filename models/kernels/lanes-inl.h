// Inside the kernels block, compiled once a target: vectors of binary32, and columns of rows turned into vectors.
#if defined(DVE_KERNELS_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DVE_KERNELS_LANES_INL_H
#undef DVE_KERNELS_LANES_INL_H
#else
#define DVE_KERNELS_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace dve::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;
using BitsTag = hn::RebindToUnsigned<Tag>;
using SignedTag = hn::RebindToSigned<Tag>;

constexpr std::size_t kLanes = hn::MaxLanes(Tag());

HWY_INLINE Vector broadcast(float value) { return hn::Set(Tag(), value); }
HWY_INLINE Vector load(const float* from) { return hn::LoadU(Tag(), from); }
HWY_INLINE void store(Vector v, float* to) { hn::StoreU(v, Tag(), to); }

HWY_INLINE Vector canonical(Vector v) {
  return hn::IfThenElse(hn::IsNaN(v), hn::BitCast(Tag(), hn::Set(BitsTag(), 0x7FC00000U)), v);
}

// The low 16 bits of each word, a binary16 number, as binary32.
HWY_INLINE Vector widened_fp16(hn::Vec<BitsTag> words) {
#if HWY_TARGET <= HWY_AVX2
  const hn::Rebind<std::uint16_t, Tag> halves;
  const hn::Rebind<hwy::float16_t, Tag> fp16;
  return hn::PromoteTo(Tag(), hn::BitCast(fp16, hn::TruncateTo(halves, words)));
#else
  const BitsTag bits;
  const auto magnitude = hn::And(words, hn::Set(bits, 0x7FFFU));
  const auto scaled =  // exact, subnormals included: 2^112 moves the exponent from one bias to the other
      hn::BitCast(bits, hn::Mul(hn::BitCast(Tag(), hn::ShiftLeft<13>(magnitude)),
                                broadcast(5192296858534827628530496329220096.0F)));
  const auto special = hn::Gt(hn::BitCast(SignedTag(), magnitude), hn::Set(SignedTag(), 0x7BFF));
  const auto exponent = hn::IfThenElseZero(hn::RebindMask(bits, special), hn::Set(bits, 0x7F800000U));
  const auto sign = hn::ShiftLeft<16>(hn::And(words, hn::Set(bits, 0x8000U)));
  return hn::BitCast(Tag(), hn::Or(hn::Or(scaled, exponent), sign));
#endif
}

// ---- Columns ----
// kLanes rows of 32-bit words become vectors whose lanes are the rows.

// Columns that one step makes.
constexpr std::size_t kColumns = kLanes == 16 ? 8 : kLanes == 1 ? 1 : 4;

template <class AnyTag>
HWY_INLINE hn::Vec<AnyTag> words_at(AnyTag tag, const std::uint8_t* bytes) {
  return hn::LoadU(tag, reinterpret_cast<const float*>(bytes));
}

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void load_columns(const std::uint8_t* const* rows, std::size_t byte, Vector* columns) {
  columns[0] = words_at(Tag(), rows[0] + byte);
}
#else
// Rows i, i + 4, i + 8, .. of a quad lie in the blocks of vector i, four words each: four columns.
HWY_INLINE void finish_quad(Vector q0, Vector q1, Vector q2, Vector q3, Vector* columns) {
  const Tag tag;
  const hn::Repartition<std::uint64_t, Tag> pairs;
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(tag, q0, q1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(tag, q2, q3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(tag, q0, q1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(tag, q2, q3));
  columns[0] = hn::BitCast(tag, hn::InterleaveLower(pairs, low01, low23));
  columns[1] = hn::BitCast(tag, hn::InterleaveUpper(pairs, low01, low23));
  columns[2] = hn::BitCast(tag, hn::InterleaveLower(pairs, high01, high23));
  columns[3] = hn::BitCast(tag, hn::InterleaveUpper(pairs, high01, high23));
}

#if HWY_TARGET <= HWY_AVX2
// The same bytes of two rows, side by side: the upper half is inserted from memory.
HWY_INLINE Vector halves(const std::uint8_t* lower, const std::uint8_t* upper) {
  const hn::Half<Tag> half;
  return hn::Combine(Tag(), words_at(half, upper), words_at(half, lower));
}
#endif

HWY_INLINE void load_columns(const std::uint8_t* const* rows, std::size_t byte, Vector* columns) {
#if HWY_TARGET <= HWY_AVX3
  Vector lower[4], upper[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector even = halves(rows[i] + byte, rows[i + 8] + byte);      // blocks of row i: 0, 1; of row i + 8
    const Vector odd = halves(rows[i + 4] + byte, rows[i + 12] + byte);  // of row i + 4, i + 12
    lower[i] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even);
    upper[i] = hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even));
  }
  finish_quad(lower[0], lower[1], lower[2], lower[3], columns);
  finish_quad(upper[0], upper[1], upper[2], upper[3], columns + 4);
#elif HWY_TARGET <= HWY_AVX2
  finish_quad(halves(rows[0] + byte, rows[4] + byte), halves(rows[1] + byte, rows[5] + byte),
              halves(rows[2] + byte, rows[6] + byte), halves(rows[3] + byte, rows[7] + byte), columns);
#else
  finish_quad(words_at(Tag(), rows[0] + byte), words_at(Tag(), rows[1] + byte), words_at(Tag(), rows[2] + byte),
              words_at(Tag(), rows[3] + byte), columns);
#endif
}
#endif

// What a word of a column holds: one element, or two of 16 bits.
struct Fp32Words {
  static constexpr std::size_t kElements = 1;
  static HWY_INLINE Vector low(Vector word) { return word; }
  static HWY_INLINE Vector high(Vector word) { return word; }
};
struct Bf16Words {
  static constexpr std::size_t kElements = 2;
  static HWY_INLINE Vector low(Vector word) {
    return hn::BitCast(Tag(), hn::ShiftLeft<16>(hn::BitCast(BitsTag(), word)));
  }
  static HWY_INLINE Vector high(Vector word) {
    return hn::BitCast(Tag(), hn::And(hn::BitCast(BitsTag(), word), hn::Set(BitsTag(), 0xFFFF0000U)));
  }
};
struct Fp16Words {
  static constexpr std::size_t kElements = 2;
  static HWY_INLINE Vector low(Vector word) {
    return widened_fp16(hn::And(hn::BitCast(BitsTag(), word), hn::Set(BitsTag(), 0xFFFFU)));
  }
  static HWY_INLINE Vector high(Vector word) { return widened_fp16(hn::ShiftRight<16>(hn::BitCast(BitsTag(), word))); }
};

// The last elements of some rows, copied to where a whole step may be read.
class RowEnds {
 public:
  RowEnds(const std::uint8_t* const* rows, std::size_t byte, std::size_t bytes) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      std::memcpy(words_[i], rows[i] + byte, bytes);
      rows_[i] = words_[i];
    }
  }
  const std::uint8_t* const* rows() const { return rows_; }

 private:
  std::uint8_t words_[kLanes][4 * kColumns] = {};
  const std::uint8_t* rows_[kLanes];
};

// Calls step(column) for each of the n elements of kLanes rows, in order.
template <class Words, class Step>
HWY_INLINE void for_each_column(const std::uint8_t* const* rows, std::size_t n, Step& step) {
  constexpr std::size_t kBlock = kColumns * Words::kElements;
  Vector columns[kColumns];
  std::size_t i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    load_columns(rows, i * 4 / Words::kElements, columns);
    for (std::size_t k = 0; k < kColumns; ++k) {
      step(Words::low(columns[k]));
      if constexpr (Words::kElements == 2) step(Words::high(columns[k]));
    }
  }
  if (i == n) return;
  const RowEnds ends(rows, i * 4 / Words::kElements, (n - i) * 4 / Words::kElements);
  load_columns(ends.rows(), 0, columns);
  for (std::size_t k = 0; k < n - i; ++k) {
    const Vector word = columns[k / Words::kElements];
    step(k % Words::kElements == 0 ? Words::low(word) : Words::high(word));
  }
}

// Calls step(column of a, column of b) for each of the n elements of kLanes rows each, in order.
template <class Words, class Step>
HWY_INLINE void for_each_column_pair(const std::uint8_t* const* a, const std::uint8_t* const* b, std::size_t n,
                                     Step& step) {
  constexpr std::size_t kBlock = kColumns * Words::kElements;
  Vector from_a[kColumns], from_b[kColumns];
  std::size_t i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    load_columns(a, i * 4 / Words::kElements, from_a);
    load_columns(b, i * 4 / Words::kElements, from_b);
    for (std::size_t k = 0; k < kColumns; ++k) {
      step(Words::low(from_a[k]), Words::low(from_b[k]));
      if constexpr (Words::kElements == 2) step(Words::high(from_a[k]), Words::high(from_b[k]));
    }
  }
  if (i == n) return;
  const std::size_t byte = i * 4 / Words::kElements, bytes = (n - i) * 4 / Words::kElements;
  const RowEnds ends_a(a, byte, bytes), ends_b(b, byte, bytes);
  load_columns(ends_a.rows(), 0, from_a);
  load_columns(ends_b.rows(), 0, from_b);
  for (std::size_t k = 0; k < n - i; ++k) {
    const Vector word_a = from_a[k / Words::kElements], word_b = from_b[k / Words::kElements];
    k % Words::kElements == 0 ? step(Words::low(word_a), Words::low(word_b))
                              : step(Words::high(word_a), Words::high(word_b));
  }
}

}  // namespace dve::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
