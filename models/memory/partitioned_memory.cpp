#include "partitioned_memory.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "dve/execute/execute.h"

namespace dve {
namespace {

constexpr std::uint64_t kRowPadding = 192;  // three cache lines
// Of a DMI grant: what is granted must be laid down, and a run that uses little of the memory should not pay for all.
constexpr std::uint64_t kDmiBytes = 16384;

TargetCapabilities capabilities(const isa::SpaceGeometry& geometry) {
  TargetCapabilities c;
  c.size = geometry.region.value;
  c.tensors = true;
  return c;
}

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

PartitionedMemory::PartitionedMemory(sc_core::sc_module_name module_name, const isa::SpaceGeometry& geometry,
                                     std::uint64_t poison_seed, bool dmi)
    : sc_module(module_name),
      in("in", *this, capabilities(geometry)),
      geometry_(checked(geometry, name())),
      dmi_allowed_(dmi),
      host_stride_(geometry.active_per_partition.value + kRowPadding),
      bytes_(name(), host_stride_ * isa::kPartitions, poison_seed) {}

void PartitionedMemory::allow_dmi(bool allowed) {
  dmi_allowed_ = allowed;
  if (!allowed) in.invalidate_dmi(DmiRange::of(0, geometry_.region.value));
}

std::uint8_t* PartitionedMemory::touch(std::uint64_t partition, std::uint64_t offset, std::uint64_t length) {
  return bytes_.touch(partition * host_stride_ + offset, length);
}

bool PartitionedMemory::contains(std::uint64_t address, std::uint64_t length) const {
  const std::uint64_t active = geometry_.active_per_partition.value;
  const std::uint64_t offset = address % geometry_.partition_stride.value;
  return address / geometry_.partition_stride.value < isa::kPartitions && length <= active && offset <= active - length;
}

tlm::tlm_response_status PartitionedMemory::access(const PlainAccess& access, sc_core::sc_time&) {
  if (!access.debug) count(access.write, access.length);
  const std::uint64_t stride = geometry_.partition_stride.value;
  std::uint8_t* bytes = touch(access.address / stride, access.address % stride, access.length);
  std::memcpy(access.write ? bytes : access.data, access.write ? access.data : bytes, access.length);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status PartitionedMemory::tensor_access(bool write, std::uint64_t address,
                                                          const TensorExtension& tensor, std::uint8_t* data,
                                                          sc_core::sc_time&) {
  const std::uint64_t stride = geometry_.partition_stride.value;
  const std::uint64_t partition = address / stride;
  const auto offset = static_cast<std::uint32_t>(address % stride);
  if (partition >= isa::kPartitions || tensor.channels > isa::kPartitions - partition ||
      !execute::inside_partition(offset, tensor.pattern, tensor.element_bytes, geometry_.active_per_partition)) {
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  count(write, tensor.channels * tensor.element_count * tensor.element_bytes);
  const isa::AccessPattern::Extent extent = tensor.pattern.extent();
  const std::int64_t lowest = offset + extent.lowest * tensor.element_bytes;
  const std::uint64_t touched = static_cast<std::uint64_t>(extent.highest - extent.lowest + 1) * tensor.element_bytes;
  const execute::ElementRange range{tensor.first_element, tensor.element_count};
  for (std::uint32_t c = 0; c < tensor.channels; ++c) {
    touch(partition + c, static_cast<std::uint64_t>(lowest), touched);
    std::uint8_t* row = touch(partition + c, 0, 0);
    std::uint8_t* packed = data + c * tensor.element_count * tensor.element_bytes;
    if (write) {
      execute::scatter(packed, offset, tensor.pattern, tensor.element_bytes, range, row);
    } else {
      execute::gather(row, offset, tensor.pattern, tensor.element_bytes, range, packed);
    }
  }
  return tlm::TLM_OK_RESPONSE;
}

void PartitionedMemory::count(bool write, std::uint64_t bytes) {
  (write ? counters_.write_bytes : counters_.read_bytes) += bytes;
  ++counters_.accesses;
}

bool PartitionedMemory::dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer) {
  if (!contains(address, 1)) return false;
  const std::uint64_t partition = address / geometry_.partition_stride.value;
  const std::uint64_t offset = address % geometry_.partition_stride.value / kDmiBytes * kDmiBytes;
  const std::uint64_t length = std::min(kDmiBytes, geometry_.active_per_partition.value - offset);
  range = DmiRange::of(partition * geometry_.partition_stride.value + offset, length);
  pointer = touch(partition, offset, length);
  return true;
}

}  // namespace dve
