#include "memory.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace golden {
namespace {

std::array<std::uint8_t, 8> read_bytes(Memory& memory, Space space, std::size_t partition, std::int64_t offset,
                                       int count) {
  std::array<std::uint8_t, 8> bytes{};
  for (int i = 0; i < count; ++i) bytes[static_cast<std::size_t>(i)] = memory.at(space, partition, offset + i);
  return bytes;
}

}  // namespace

Memory::Memory(std::size_t sbuf_bytes, std::size_t psum_bytes)
    : sbuf(kPartitions * sbuf_bytes),
      psum(kPartitions * psum_bytes),
      sbuf_partition_bytes(sbuf_bytes),
      psum_partition_bytes(psum_bytes) {}

std::uint8_t& Memory::at(Space space, std::size_t partition, std::int64_t offset) {
  const std::size_t size = space == Space::sbuf ? sbuf_partition_bytes : psum_partition_bytes;
  if (partition >= kPartitions || offset < 0 || offset >= static_cast<std::int64_t>(size)) {
    throw std::out_of_range("golden::Memory: partition " + std::to_string(partition) + ", offset " +
                            std::to_string(offset) + " is outside the " + std::to_string(size) +
                            " bytes of each of 128 partitions");
  }
  std::vector<std::uint8_t>& bytes = space == Space::sbuf ? sbuf : psum;
  return bytes[partition * size + static_cast<std::size_t>(offset)];
}

std::int64_t Tensor::offset_of(std::int64_t i) const {
  std::int64_t element = 0;
  for (std::size_t d = 0; d < counts.size(); ++d) {
    element += (i % counts[d]) * steps[d];
    i /= counts[d];
  }
  return offset + element * bytes_of(dtype);
}

std::vector<float> read_stream(Memory& memory, const Tensor& tensor, std::size_t lane, const Options& options) {
  std::vector<float> values;
  const std::int64_t n = tensor.elements();
  values.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto bytes =
        read_bytes(memory, tensor.space, tensor.partition + lane, tensor.offset_of(i), bytes_of(tensor.dtype));
    values.push_back(load_element(bytes.data(), tensor.dtype, options));
  }
  return values;
}

float read_pointer(Memory& memory, const Pointer& pointer, std::size_t lane, const Options& options) {
  const auto bytes =
      read_bytes(memory, pointer.space, pointer.partition + lane, pointer.offset, bytes_of(pointer.dtype));
  return load_element(bytes.data(), pointer.dtype, options);
}

void write_stream(Memory& memory, const Tensor& tensor, std::size_t lane, const std::vector<float>& values,
                  const Options& options) {
  const std::int64_t n = std::min(tensor.elements(), static_cast<std::int64_t>(values.size()));
  for (std::int64_t i = 0; i < n; ++i) {
    std::array<std::uint8_t, 8> bytes{};
    store_element(values[static_cast<std::size_t>(i)], bytes.data(), tensor.dtype, options);
    for (int b = 0; b < bytes_of(tensor.dtype); ++b) {
      memory.at(tensor.space, tensor.partition + lane, tensor.offset_of(i) + b) = bytes[static_cast<std::size_t>(b)];
    }
  }
}

}  // namespace golden
