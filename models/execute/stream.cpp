#include "stream.h"

#include <cstring>

namespace dve::execute {
namespace {

// Walks a pattern in stream order and hands out byte offsets relative to the pattern's start. Rows of dimension 0 are
// the unit of work, so that the caller's inner loop is a plain strided copy.
class RowWalk {
 public:
  RowWalk(const isa::AccessPattern& pattern, std::uint64_t first) : pattern_(pattern) {
    for (std::size_t d = 0; d < 4; ++d) {
      index_[d] = first % pattern.num_elem[d];
      first /= pattern.num_elem[d];
    }
  }
  std::uint64_t left_in_row() const { return pattern_.num_elem[0] - index_[0]; }
  std::int64_t element() const {
    std::int64_t e = 0;
    for (std::size_t d = 0; d < 4; ++d) e += static_cast<std::int64_t>(index_[d]) * pattern_.step_elem[d];
    return e;
  }
  void advance(std::uint64_t count) {
    index_[0] += count;
    for (std::size_t d = 0; d + 1 < 4 && index_[d] == pattern_.num_elem[d]; ++d) {
      index_[d] = 0;
      ++index_[d + 1];
    }
  }

 private:
  const isa::AccessPattern& pattern_;
  std::array<std::uint64_t, 4> index_{};
};

// Calls row(byte offset in the partition, elements) for each run along dimension 0 of the range.
template <class Row>
void for_each_row(std::uint32_t offset, const isa::AccessPattern& pattern, std::uint32_t element_bytes,
                  ElementRange range, Row row) {
  if (range.count == 0) return;  // a zero count somewhere in the pattern: nothing to divide by
  RowWalk walk(pattern, range.first);
  while (range.count > 0) {
    const std::uint64_t run = walk.left_in_row() < range.count ? walk.left_in_row() : range.count;
    row(static_cast<std::int64_t>(offset) + walk.element() * std::int64_t{element_bytes}, run);
    walk.advance(run);
    range.count -= run;
  }
}

template <std::size_t Bytes>
void copy_row(const std::uint8_t* from, std::int64_t from_step, std::uint8_t* to, std::int64_t to_step,
              std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    std::memcpy(to + static_cast<std::int64_t>(i) * to_step, from + static_cast<std::int64_t>(i) * from_step, Bytes);
}

// Steps in bytes. Equal steps of one element are a block copy.
void copy_elements(const std::uint8_t* from, std::int64_t from_step, std::uint8_t* to, std::int64_t to_step,
                   std::uint32_t element_bytes, std::uint64_t count) {
  const std::int64_t unit = element_bytes;
  if (count == 1 || (from_step == unit && to_step == unit)) {
    std::memcpy(to, from, count * element_bytes);
    return;
  }
  switch (element_bytes) {
    case 1:
      return copy_row<1>(from, from_step, to, to_step, count);
    case 2:
      return copy_row<2>(from, from_step, to, to_step, count);
    case 4:
      return copy_row<4>(from, from_step, to, to_step, count);
    default:
      return copy_row<8>(from, from_step, to, to_step, count);
  }
}

}  // namespace

void gather(const std::uint8_t* partition, std::uint32_t offset, const isa::AccessPattern& pattern,
            std::uint32_t element_bytes, ElementRange range, std::uint8_t* packed) {
  const std::int64_t step = std::int64_t{pattern.step_elem[0]} * element_bytes;
  for_each_row(offset, pattern, element_bytes, range, [&](std::int64_t at, std::uint64_t count) {
    copy_elements(partition + at, step, packed, element_bytes, element_bytes, count);
    packed += count * element_bytes;
  });
}

void scatter(const std::uint8_t* packed, std::uint32_t offset, const isa::AccessPattern& pattern,
             std::uint32_t element_bytes, ElementRange range, std::uint8_t* partition) {
  const std::int64_t step = std::int64_t{pattern.step_elem[0]} * element_bytes;
  for_each_row(offset, pattern, element_bytes, range, [&](std::int64_t at, std::uint64_t count) {
    copy_elements(packed, element_bytes, partition + at, step, element_bytes, count);
    packed += count * element_bytes;
  });
}

bool inside_partition(std::uint32_t offset, const isa::AccessPattern& pattern, std::uint32_t element_bytes,
                      isa::Bytes size) {
  const isa::AccessPattern::Extent extent = pattern.extent();
  const std::int64_t first = std::int64_t{offset} + extent.lowest * std::int64_t{element_bytes};
  const std::int64_t end = std::int64_t{offset} + (extent.highest + 1) * std::int64_t{element_bytes};
  return first >= 0 && end <= static_cast<std::int64_t>(size.value);
}

}  // namespace dve::execute
