#include "operand_port.h"

namespace dve {
namespace {

std::uint32_t element_bytes(const execute::Access& access) {
  return static_cast<std::uint32_t>(isa::storage_size(access.dtype).value);
}

execute::ElementRange whole(const execute::Access& access) { return {0, access.elements.value}; }

}  // namespace

OperandPort::OperandPort(sc_core::sc_module_name name, isa::Generation generation, bool use_dmi)
    : sc_module(name), socket("socket"), generation_(generation), use_dmi_(use_dmi) {
  socket.register_invalidate_direct_mem_ptr(this, &OperandPort::invalidate);
}

tlm::tlm_response_status OperandPort::read(const execute::Access& access, std::vector<std::uint8_t>& packed) {
  packed.resize(access.packed_bytes().value);
  if (packed.empty()) return tlm::TLM_OK_RESPONSE;
  if (!in_place(access, false, partitions_)) return transport(access, false, packed.data());
  std::uint8_t* channel = packed.data();
  for (const std::uint8_t* partition : partitions_) {
    execute::gather(partition, access.start.offset, access.pattern, element_bytes(access), whole(access), channel);
    channel += packed.size() / access.channels;
  }
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status OperandPort::write(const execute::Access& access, std::vector<std::uint8_t>& packed) {
  if (packed.empty()) return tlm::TLM_OK_RESPONSE;
  if (!in_place(access, true, partitions_)) return transport(access, true, packed.data());
  const std::uint8_t* channel = packed.data();
  for (std::uint8_t* partition : partitions_) {
    execute::scatter(channel, access.start.offset, access.pattern, element_bytes(access), whole(access), partition);
    channel += packed.size() / access.channels;
  }
  return tlm::TLM_OK_RESPONSE;
}

bool OperandPort::in_place(const execute::Access& access, bool write, std::vector<std::uint8_t*>& partitions) {
  if (!use_dmi_) return false;
  const isa::SpaceGeometry& geometry = isa::geometry(generation_, access.start.space);
  partitions.clear();
  for (std::uint32_t c = 0; c < access.channels; ++c) {
    const std::uint64_t partition = isa::number(access.start.partition) + c;
    const std::uint64_t address = geometry.base + partition * geometry.partition_stride.value;
    std::uint8_t* pointer = granted(address, geometry.active_per_partition.value, write);
    if (pointer == nullptr) return false;
    partitions.push_back(pointer);
  }
  return true;
}

std::uint8_t* OperandPort::granted(std::uint64_t address, std::uint64_t bytes, bool write) {
  if (std::uint8_t* pointer = dmi_.find(address, bytes, write)) return pointer;
  tlm::tlm_dmi grant;
  payload_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload_.set_address(address);
  if (!socket->get_direct_mem_ptr(payload_, grant)) return nullptr;
  dmi_.insert(grant);
  return dmi_.find(address, bytes, write);
}

tlm::tlm_response_status OperandPort::transport(const execute::Access& access, bool write, std::uint8_t* packed) {
  tensor_.pattern = access.pattern;
  tensor_.element_bytes = element_bytes(access);
  tensor_.channels = access.channels;
  tensor_.first_element = 0;
  tensor_.element_count = access.elements.value;

  prepare(payload_, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
          isa::address_of(access.start, generation_).partition_offset(), packed, access.packed_bytes().value);
  payload_.set_extension(&tensor_);
  sc_core::sc_time delay;
  socket->b_transport(payload_, delay);
  payload_.clear_extension(&tensor_);
  return payload_.get_response_status();
}

void OperandPort::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { dmi_.invalidate(first, last); }

}  // namespace dve
