#include "operand_port.h"

namespace dve {
namespace {

std::uint32_t element_bytes(const execute::Access& access) {
  return static_cast<std::uint32_t>(isa::storage_size(access.dtype).value);
}

execute::ElementRange whole(const execute::Access& access) { return {0, access.elements.value}; }

// Room for the operand in `copy`.
void pack(const execute::Access& access, PackedOperand& copy) {
  copy.bytes.resize(access.packed_bytes().value);
  const std::size_t channel = copy.bytes.size() / access.channels;
  for (std::uint32_t c = 0; c < access.channels; ++c) copy.channels[c] = copy.bytes.data() + c * channel;
}

}  // namespace

OperandPort::OperandPort(sc_core::sc_module_name name, isa::Generation generation, bool use_dmi)
    : sc_module(name), socket("socket"), generation_(generation), use_dmi_(use_dmi) {
  socket.register_invalidate_direct_mem_ptr(this, &OperandPort::invalidate);
}

tlm::tlm_response_status OperandPort::read(const execute::Access& access, PackedOperand& copy, kernels::Rows& rows) {
  std::uint8_t* const* const memory = partitions(access, false);
  if (memory != nullptr && access.pattern.contiguous()) {
    rows = {memory, access.start.offset, access.dtype};
    return tlm::TLM_OK_RESPONSE;
  }
  pack(access, copy);
  rows = {copy.channels.data(), 0, access.dtype};
  if (copy.bytes.empty()) return tlm::TLM_OK_RESPONSE;
  if (memory == nullptr) return transport(access, false, copy.bytes.data());
  for (std::uint32_t c = 0; c < access.channels; ++c)
    execute::gather(memory[c], access.start.offset, access.pattern, element_bytes(access), whole(access),
                    copy.channels[c]);
  return tlm::TLM_OK_RESPONSE;
}

kernels::ResultRows OperandPort::destination(const execute::Access& access, bool in_place, PackedOperand& copy) {
  if (in_place) {
    if (std::uint8_t* const* memory = partitions(access, true)) return {memory, access.start.offset, access.dtype};
  }
  pack(access, copy);
  return {copy.channels.data(), 0, access.dtype};
}

tlm::tlm_response_status OperandPort::write(const execute::Access& access, const kernels::ResultRows& rows,
                                            PackedOperand& copy) {
  if (rows.partitions != copy.channels.data() || copy.bytes.empty()) return tlm::TLM_OK_RESPONSE;
  std::uint8_t* const* const memory = partitions(access, true);
  if (memory == nullptr) return transport(access, true, copy.bytes.data());
  for (std::uint32_t c = 0; c < access.channels; ++c)
    execute::scatter(copy.channels[c], access.start.offset, access.pattern, element_bytes(access), whole(access),
                     memory[c]);
  return tlm::TLM_OK_RESPONSE;
}

std::uint8_t* const* OperandPort::partitions(const execute::Access& access, bool write) {
  if (!use_dmi_) return nullptr;
  Partitions& all = partitions_[static_cast<std::size_t>(access.start.space)][write ? 1 : 0];
  const std::uint32_t first = isa::number(access.start.partition);
  if (all.granted == all.pointers.size()) return all.pointers.data() + first;
  const isa::SpaceGeometry& geometry = isa::geometry(generation_, access.start.space);
  for (std::uint32_t p = first; p < first + access.channels; ++p) {
    if (all.pointers[p] != nullptr) continue;
    all.pointers[p] =
        granted(geometry.base + p * geometry.partition_stride.value, geometry.active_per_partition.value, write);
    if (all.pointers[p] == nullptr) return nullptr;
    ++all.granted;
  }
  return all.pointers.data() + first;
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

void OperandPort::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
  dmi_.invalidate(first, last);
  partitions_ = {};  // found again in the grants that remain
}

}  // namespace dve
