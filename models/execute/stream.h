// Moving one channel's stream between its strided place in a partition and a packed buffer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dve/isa/isa.h"

namespace dve::execute {

// Part of a stream: elements [first, first + count) in stream order, dimension 0 fastest (isa.md 2.2).
struct ElementRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

// Copies elements of `element_bytes` each from `partition` (its byte 0) at byte `offset` into `packed`, in stream
// order. The caller has checked that the pattern stays inside the partition.
void gather(const std::uint8_t* partition, std::uint32_t offset, const isa::AccessPattern& pattern,
            std::uint32_t element_bytes, ElementRange range, std::uint8_t* packed);

// The reverse. Elements that fall on the same place are written in stream order: the last one stays.
void scatter(const std::uint8_t* packed, std::uint32_t offset, const isa::AccessPattern& pattern,
             std::uint32_t element_bytes, ElementRange range, std::uint8_t* partition);

// Whether every byte that the pattern touches lies in [0, size) of its partition.
bool inside_partition(std::uint32_t offset, const isa::AccessPattern& pattern, std::uint32_t element_bytes,
                      isa::Bytes size);

}  // namespace dve::execute
