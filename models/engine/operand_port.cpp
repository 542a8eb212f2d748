#include "operand_port.h"

#include <algorithm>

namespace dve {
namespace {

std::uint32_t element_bytes(const execute::Access& access) {
  return static_cast<std::uint32_t>(isa::storage_size(access.dtype).value);
}

execute::ElementRange whole(const execute::Access& access) { return {0, access.elements.value}; }

// A partition has at most 64 of them.
std::uint64_t page_bytes(const isa::SpaceGeometry& geometry) {
  constexpr std::uint64_t kPages = 64, kSmallest = 4096;
  const std::uint64_t bytes = (geometry.active_per_partition.value + kPages - 1) / kPages;
  return (bytes + kSmallest - 1) / kSmallest * kSmallest;
}

// The pages of each partition that the operand's elements lie in, or between.
std::uint64_t pages_of(const execute::Access& access, std::uint64_t page_size) {
  if (access.elements.value == 0) return 0;
  const isa::AccessPattern::Extent extent = access.pattern.extent();
  const std::int64_t size = element_bytes(access), start = access.start.offset;
  const std::uint64_t first = static_cast<std::uint64_t>(start + extent.lowest * size) / page_size;
  const std::uint64_t last = static_cast<std::uint64_t>(start + (extent.highest + 1) * size - 1) / page_size;
  return ~std::uint64_t{0} >> (63 - last) & ~std::uint64_t{0} << first;
}

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
  const isa::SpaceGeometry& geometry = isa::geometry(generation_, access.start.space);
  const std::uint32_t first = isa::number(access.start.partition);
  const std::uint64_t pages = pages_of(access, page_bytes(geometry));
  std::uint64_t everywhere = pages;
  for (std::uint32_t p = first; p < first + access.channels; ++p) everywhere &= all.pages[p];
  if (everywhere == pages) return all.pointers.data() + first;
  for (std::uint32_t p = first; p < first + access.channels; ++p) {
    if (!grant_pages(all, p, pages & ~all.pages[p], geometry, write)) return nullptr;
  }
  return all.pointers.data() + first;
}

bool OperandPort::grant_pages(Partitions& all, std::uint32_t partition, std::uint64_t pages,
                              const isa::SpaceGeometry& geometry, bool write) {
  const std::uint64_t page_size = page_bytes(geometry), active = geometry.active_per_partition.value;
  for (; pages != 0; pages &= pages - 1) {
    const auto page = static_cast<std::uint64_t>(__builtin_ctzll(pages));
    const std::uint64_t offset = page * page_size, bytes = std::min(page_size, active - offset);
    std::uint8_t* const bytes_there =
        granted(geometry.base + partition * geometry.partition_stride.value + offset, bytes, write);
    if (bytes_there == nullptr) return false;
    // All of a partition's bytes are neighbours in host memory.
    all.pointers[partition] = bytes_there - offset;
    all.pages[partition] |= std::uint64_t{1} << page;
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

void OperandPort::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
  dmi_.invalidate(first, last);
  partitions_ = {};  // found again in the grants that remain
}

}  // namespace dve
