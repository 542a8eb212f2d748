// The two partitioned memories as plain bytes, and the streams that tensors describe in them (isa.md 2.2, 3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats.h"

namespace golden {

inline constexpr std::size_t kPartitions = 128;

enum class Space : std::uint8_t { sbuf, psum };

// Bytes of both memories, partition after partition without gaps: only the active bytes of each partition exist.
struct Memory {
  // Sizes in bytes per partition; contents zero.
  Memory(std::size_t sbuf_bytes, std::size_t psum_bytes);

  // The byte at `offset` of a partition. Throws std::out_of_range outside the active bytes or the 128 partitions.
  std::uint8_t& at(Space space, std::size_t partition, std::int64_t offset);

  std::vector<std::uint8_t> sbuf;
  std::vector<std::uint8_t> psum;
  std::size_t sbuf_partition_bytes;
  std::size_t psum_partition_bytes;
};

// A tensor operand: first partition, byte offset in every partition, and per dimension a count and a step in elements
// (negative and zero allowed). Dimension 0 is the fastest of the stream.
struct Tensor {
  Space space = Space::sbuf;
  std::size_t partition = 0;
  std::int64_t offset = 0;
  Dtype dtype = Dtype::fp32;
  std::array<std::int64_t, 4> counts{1, 1, 1, 1};
  std::array<std::int64_t, 4> steps{1, 1, 1, 1};

  std::int64_t elements() const { return counts[0] * counts[1] * counts[2] * counts[3]; }
  // Byte offset of stream element i in its partition.
  std::int64_t offset_of(std::int64_t i) const;
};

// One value per partition (isa.md 5.1).
struct Pointer {
  Space space = Space::sbuf;
  std::size_t partition = 0;
  std::int64_t offset = 0;
  Dtype dtype = Dtype::fp32;
};

// The stream of lane `lane`, that is of partition tensor.partition + lane, converted to binary32.
std::vector<float> read_stream(Memory& memory, const Tensor& tensor, std::size_t lane, const Options& options);
float read_pointer(Memory& memory, const Pointer& pointer, std::size_t lane, const Options& options);
// Writes min(values, elements) values in stream order: where elements overlap, the last one stays.
void write_stream(Memory& memory, const Tensor& tensor, std::size_t lane, const std::vector<float>& values,
                  const Options& options);

}  // namespace golden
