// Tensor descriptors TENSOR1D..TENSOR4D (isa.md 2.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "address.h"
#include "quantities.h"
#include "word.h"

namespace dve::isa {

// Shape and strides of one partition's stream, dimension 0 fastest. Steps count elements of the operand's dtype, may be
// negative or 0; counts are at least 1 in a legal word. Always four dimensions: unused ones have step 1, count 1.
struct AccessPattern {
  std::array<std::int16_t, 4> step_elem{1, 1, 1, 1};
  std::array<std::uint16_t, 4> num_elem{1, 1, 1, 1};

  // Product of the counts. Fits 64 bits: four 16-bit factors.
  constexpr Elements count() const {
    return Elements(std::uint64_t{num_elem[0]} * num_elem[1] * num_elem[2] * num_elem[3]);
  }
  // Smallest and largest element index that the pattern touches, relative to its start; {0, 0} for one element.
  struct Extent {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
  };
  Extent extent() const;
  // Steps are the running products of the counts: the stream lies contiguously in memory, in stream order.
  bool contiguous() const;
  friend bool operator==(const AccessPattern& a, const AccessPattern& b) {
    return a.step_elem == b.step_elem && a.num_elem == b.num_elem;
  }
};

// A descriptor of N dimensions as it stands in the word: ADDR4, N strides, N counts; 4 + 4N bytes.
template <std::size_t N>
struct Tensor {
  static constexpr std::size_t kBytes = 4 + 4 * N;
  Addr4 start_addr{};
  std::array<std::int16_t, N> step_elem{};
  std::array<std::uint16_t, N> num_elem{};

  AccessPattern pattern() const {
    AccessPattern p;
    for (std::size_t d = 0; d < N; ++d) {
      p.step_elem[d] = step_elem[d];
      p.num_elem[d] = num_elem[d];
    }
    return p;
  }
  Elements count() const { return pattern().count(); }

  static Tensor read(const Word& word, std::size_t offset) {
    Tensor t;
    t.start_addr.raw = word.get<std::uint32_t>(offset);
    for (std::size_t d = 0; d < N; ++d) {
      t.step_elem[d] = word.get<std::int16_t>(offset + 4 + 2 * d);
      t.num_elem[d] = word.get<std::uint16_t>(offset + 4 + 2 * N + 2 * d);
    }
    return t;
  }
  void write(Word& word, std::size_t offset) const {
    word.put(offset, start_addr.raw);
    for (std::size_t d = 0; d < N; ++d) {
      word.put(offset + 4 + 2 * d, step_elem[d]);
      word.put(offset + 4 + 2 * N + 2 * d, num_elem[d]);
    }
  }
  friend bool operator==(const Tensor& a, const Tensor& b) {
    return a.start_addr == b.start_addr && a.step_elem == b.step_elem && a.num_elem == b.num_elem;
  }
};

using Tensor1D = Tensor<1>;
using Tensor2D = Tensor<2>;
using Tensor3D = Tensor<3>;
using Tensor4D = Tensor<4>;

// A contiguous N-dimensional descriptor of `n` elements at `place`. n must be a product of at most N factors
// of 1..65535 with steps that fit int16; for n <= 65535 dimension 0 takes it all.
template <std::size_t N>
Tensor<N> contiguous_tensor(Addr4 start, std::uint16_t n) {
  Tensor<N> t;
  t.start_addr = start;
  t.step_elem.fill(1);
  t.num_elem.fill(1);
  t.num_elem[0] = n;
  return t;
}

}  // namespace dve::isa
