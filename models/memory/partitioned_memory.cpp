#include "partitioned_memory.h"

#include <algorithm>
#include <cstring>

namespace dve {
namespace {

// Of a DMI grant: what is granted must be laid down, and a run that uses little of the memory should not pay for all.
constexpr std::uint64_t kDmiBytes = 16384;

TargetCapabilities capabilities(const isa::SpaceGeometry& geometry) {
  TargetCapabilities c;
  c.size = geometry.region.value;
  c.tensors = true;
  return c;
}

}  // namespace

PartitionedMemory::PartitionedMemory(sc_core::sc_module_name module_name, const isa::SpaceGeometry& geometry,
                                     std::uint64_t poison_seed, bool dmi)
    : sc_module(module_name),
      in("in", *this, capabilities(geometry)),
      dmi_allowed_(dmi),
      bytes_(name(), geometry, poison_seed) {}

void PartitionedMemory::allow_dmi(bool allowed) {
  dmi_allowed_ = allowed;
  if (!allowed) in.invalidate_dmi(DmiRange::of(0, bytes_.geometry().region.value));
}

tlm::tlm_response_status PartitionedMemory::access(const PlainAccess& access, sc_core::sc_time&) {
  if (!access.debug) count(access.write, access.length);
  std::uint8_t* bytes = bytes_.touch(access.address, access.length);
  std::memcpy(access.write ? bytes : access.data, access.write ? access.data : bytes, access.length);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status PartitionedMemory::tensor_access(bool write, std::uint64_t address,
                                                          const TensorExtension& tensor, std::uint8_t* data,
                                                          sc_core::sc_time&) {
  const std::uint64_t stride = bytes_.geometry().partition_stride.value;
  const TensorPart part{address / stride, static_cast<std::uint32_t>(address % stride),
                        tensor.pattern,   tensor.element_bytes,
                        tensor.channels,  {tensor.first_element, tensor.element_count}};
  if (!(write ? bytes_.write(part, data) : bytes_.read(part, data))) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  count(write, tensor.channels * part.channel_bytes());
  return tlm::TLM_OK_RESPONSE;
}

void PartitionedMemory::count(bool write, std::uint64_t bytes) {
  (write ? counters_.write_bytes : counters_.read_bytes) += bytes;
  ++counters_.accesses;
}

bool PartitionedMemory::dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer) {
  if (!bytes_.contains(address, 1)) return false;
  const isa::SpaceGeometry& geometry = bytes_.geometry();
  const std::uint64_t stride = geometry.partition_stride.value;
  const std::uint64_t offset = address % stride / kDmiBytes * kDmiBytes;
  const std::uint64_t length = std::min(kDmiBytes, geometry.active_per_partition.value - offset);
  const std::uint64_t first = address / stride * stride + offset;
  range = DmiRange::of(first, length);
  pointer = bytes_.touch(first, length);
  return true;
}

}  // namespace dve
