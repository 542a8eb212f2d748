// Random tensors and memory contents, the same for a seed on every host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "support/words.h"

namespace dve::testing_support {

using Rng = std::mt19937_64;

std::uint32_t below(Rng& random, std::uint64_t n);
template <class Values>
auto pick(Rng& random, const Values& values) {
  return *(std::begin(values) + below(random, std::size(values)));
}

// Bytes in which every dtype finds ordinary numbers, and zeros, infinities, NaN with payloads, subnormals and limits
// of integers beside them.
std::vector<std::uint8_t> mixed_bytes(std::size_t count, Rng& random);

// Counts of up to `dimensions` dimensions whose product is 1 to `limit`.
std::vector<std::uint16_t> random_counts(Rng& random, std::uint32_t limit, std::size_t dimensions);

// A partition in which that many channels may start (isa.md 7.1).
std::uint32_t random_partition(Rng& random, std::uint32_t channels);

// Bytes of each partition from `begin` on that an operand may take.
struct Room {
  isa::Place begin;
  std::uint32_t bytes = 0;
};
// A source: running, padded, broadcast, reversed or scattered steps. The elements fit the room side by side.
TensorSpec random_source(Rng& random, const std::vector<std::uint16_t>& counts, isa::Dtype dtype, const Room& room);
// A destination: running, padded or reversed steps, no two elements in one place.
TensorSpec random_destination(Rng& random, const std::vector<std::uint16_t>& counts, isa::Dtype dtype,
                              const Room& room);

}  // namespace dve::testing_support
