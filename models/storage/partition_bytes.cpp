#include "partition_bytes.h"

#include <stdexcept>

namespace dve {
namespace {

constexpr std::uint64_t kRowPadding = 192;  // three cache lines

isa::SpaceGeometry checked(const isa::SpaceGeometry& geometry, const std::string& owner) {
  if (!geometry.exists())
    throw std::invalid_argument(owner + ": the region has 0 bytes: this generation has no such memory");
  if (geometry.active_per_partition.value == 0 || geometry.active_per_partition > geometry.partition_stride) {
    throw std::invalid_argument(owner + ": " + std::to_string(geometry.active_per_partition.value) +
                                " active bytes a partition, expected 1 to the stride of " +
                                std::to_string(geometry.partition_stride.value));
  }
  if (geometry.region < geometry.partition_stride * isa::kPartitions) {
    throw std::invalid_argument(owner + ": region of " + std::to_string(geometry.region.value) + " bytes, expected " +
                                std::to_string(geometry.partition_stride.value * isa::kPartitions) +
                                " for 128 partitions");
  }
  return geometry;
}

}  // namespace

PartitionBytes::PartitionBytes(const std::string& owner, const isa::SpaceGeometry& geometry, std::uint64_t poison_seed)
    : geometry_(checked(geometry, owner)),
      host_stride_(geometry.active_per_partition.value + kRowPadding),
      bytes_(owner.c_str(), host_stride_ * isa::kPartitions, poison_seed) {}

bool PartitionBytes::contains(std::uint64_t address, std::uint64_t length) const {
  const std::uint64_t active = geometry_.active_per_partition.value;
  const std::uint64_t offset = address % geometry_.partition_stride.value;
  return address / geometry_.partition_stride.value < isa::kPartitions && length <= active && offset <= active - length;
}

std::uint8_t* PartitionBytes::touch(std::uint64_t partition, std::uint64_t offset, std::uint64_t length) {
  return bytes_.touch(partition * host_stride_ + offset, length);
}

std::uint8_t* PartitionBytes::touch(std::uint64_t address, std::uint64_t length) {
  const std::uint64_t stride = geometry_.partition_stride.value;
  return touch(address / stride, address % stride, length);
}

template <class Visit>
bool PartitionBytes::for_each_row(const TensorPart& part, Visit&& visit) {
  if (part.partition >= isa::kPartitions || part.channels > isa::kPartitions - part.partition ||
      !execute::inside_partition(part.offset, part.pattern, part.element_bytes, geometry_.active_per_partition))
    return false;
  const isa::AccessPattern::Extent extent = part.pattern.extent();
  const std::int64_t lowest = part.offset + extent.lowest * part.element_bytes;
  const std::uint64_t touched = static_cast<std::uint64_t>(extent.highest - extent.lowest + 1) * part.element_bytes;
  for (std::uint32_t c = 0; c < part.channels; ++c) {
    touch(part.partition + c, static_cast<std::uint64_t>(lowest), touched);
    visit(touch(part.partition + c, 0, 0), c);
  }
  return true;
}

bool PartitionBytes::read(const TensorPart& part, std::uint8_t* packed) {
  return for_each_row(part, [&](const std::uint8_t* row, std::uint32_t c) {
    execute::gather(row, part.offset, part.pattern, part.element_bytes, part.range, packed + c * part.channel_bytes());
  });
}

bool PartitionBytes::write(const TensorPart& part, const std::uint8_t* packed) {
  return for_each_row(part, [&](std::uint8_t* row, std::uint32_t c) {
    execute::scatter(packed + c * part.channel_bytes(), part.offset, part.pattern, part.element_bytes, part.range, row);
  });
}

bool PartitionBytes::rows(const TensorPart& part, std::uint8_t** rows) {
  return for_each_row(part, [rows](std::uint8_t* row, std::uint32_t c) { rows[c] = row; });
}

}  // namespace dve
