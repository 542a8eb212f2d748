// Predicates of the control words (isa.md 13.1).
#include "neuron_address.h"
#include "predicates.h"
#include "predicates_bytes.h"

namespace dve::isa {
namespace {

constexpr std::uint8_t kRangeMode = 0, kBitmaskMode = 1;
constexpr std::uint8_t kFromRegisters = 0, kFromImmediates = 1;
constexpr std::uint8_t kProgramCounterLow = 128, kProgramCounterHigh = 129;  // isa.md 5.3
constexpr std::uint32_t kMoves = 8;
constexpr std::uint8_t kLargestCount = 32;
constexpr std::uint32_t kDataBytes = 32;
constexpr std::int64_t kRegion = 16 << 20;

// Smallest and largest element that the two dimensions reach, relative to the first.
AccessPattern::Extent extent_of(const Mem2D& i) {
  AccessPattern::Extent extent;
  for (std::size_t d = 0; d < i.num_elem.size(); ++d) {
    const std::int64_t reach = std::int64_t{i.step_elem[d]} * (i.num_elem[d] - 1);
    (reach < 0 ? extent.lowest : extent.highest) += reach;
  }
  return extent;
}

bool both_counts_valid(const Mem2D& i) { return mem_2d_num_elem(i.num_elem[0]) && mem_2d_num_elem(i.num_elem[1]); }

}  // namespace

// EventSemaphore and the words without fields of their own

bool ctrl_es_wait_register(const CtrlEs& i) {
  return !wait_uses_register(i.wait_mode1) || i.sem_wait_value < kRegisters;
}
bool ctrl_es_update_register(const CtrlEs& i) {
  return !update_uses_register(i.update_mode1) || i.sem_update_value < kRegisters;
}
bool reserved_zero(const CtrlEs& i) { return all_zero(i.reserved0) && all_zero(i.reserved1); }
bool reserved_zero(const CtrlEmpty& i) { return all_zero(i.reserved0); }
bool reserved_zero(const CtrlDrain& i) { return all_zero(i.reserved0) && all_zero(i.reserved1); }

// SemaphoreRangeClear

bool ctrl_sr_mode(const CtrlSr& i) { return i.mode == kRangeMode || i.mode == kBitmaskMode; }
bool ctrl_sr_range(const CtrlSr& i) { return i.mode != kRangeMode || i.first <= i.last; }

bool ctrl_sr_unused_zero(const CtrlSr& i) {
  if (i.mode == kRangeMode) return all_zero(i.bitmask);
  return i.mode != kBitmaskMode || (i.first == 0 && i.last == 0);
}

bool reserved_zero(const CtrlSr& i) { return all_zero(i.reserved0); }

// Move

bool ctrl_mv_num_mov(const CtrlMv& i) { return i.num_mov >= 1 && i.num_mov <= kMoves; }
bool ctrl_mv_dtype(const CtrlMv& i) {
  return i.dtype == Dtype::uint32 || i.dtype == Dtype::int32 || i.dtype == Dtype::fp32;
}
bool ctrl_mv_source(const CtrlMv& i) { return i.source == kFromRegisters || i.source == kFromImmediates; }

bool ctrl_mv_register(std::uint8_t number) {
  return number < kRegisters || number == kProgramCounterLow || number == kProgramCounterHigh;
}

bool ctrl_mv_uses_slot(const CtrlMv& i, std::uint32_t k) {
  return ctrl_mv_num_mov(i) && ctrl_mv_source(i) && k < i.num_mov;
}
bool ctrl_mv_reads_register(const CtrlMv& i, std::uint32_t k) {
  return ctrl_mv_uses_slot(i, k) && i.source == kFromRegisters;
}
bool ctrl_mv_takes_immediate(const CtrlMv& i, std::uint32_t k) {
  return ctrl_mv_uses_slot(i, k) && i.source == kFromImmediates;
}

bool ctrl_mv_unique_destination(const CtrlMv& i, std::uint32_t k) {
  if (!ctrl_mv_uses_slot(i, k)) return true;
  const auto* slot = i.dst_regs.begin() + k;
  return std::find(i.dst_regs.begin(), slot, *slot) == slot;
}

bool ctrl_mv_disjoint_destination(const CtrlMv& i, std::uint32_t k) {
  if (!ctrl_mv_reads_register(i, k)) return true;
  const auto* end = i.src_regs.begin() + i.num_mov;
  return std::find(i.src_regs.begin(), end, i.dst_regs[k]) == end;
}

bool ctrl_mv_unused_zero(const CtrlMv& i) {
  if (!ctrl_mv_num_mov(i) || !ctrl_mv_source(i)) return true;
  for (std::uint32_t k = 0; k < kMoves; ++k) {
    if (!ctrl_mv_reads_register(i, k) && i.src_regs[k] != 0) return false;
    if (!ctrl_mv_takes_immediate(i, k) && i.immediate[k] != 0) return false;
    if (!ctrl_mv_uses_slot(i, k) && i.dst_regs[k] != 0) return false;
  }
  return true;
}

bool reserved_zero(const CtrlMv& i) { return i.reserved0 == 0; }

// TensorLoad, TensorStore

bool mem_2d_dtype(Dtype d) { return is_valid_int_dtype_datapath(d) || d == Dtype::fp32 || d == Dtype::uint64; }

bool mem_2d_stores_immediates(const Mem2D& i) {
  return i.header.opcode == code(Opcode::tensor_store) && i.src_datasrc == kFromImmediates;
}

bool mem_2d_source(const Mem2D& i) { return i.src_datasrc == kFromRegisters || mem_2d_stores_immediates(i); }

bool mem_2d_num_elem(std::uint8_t n) { return n >= 1 && n <= kLargestCount; }

std::uint32_t mem_2d_capacity(const Mem2D& i) {
  const std::uint64_t size = storage_size(i.dtype).value;
  return mem_2d_stores_immediates(i) && size != 0 ? kDataBytes / static_cast<std::uint32_t>(size) : kDataBytes;
}

bool mem_2d_element_cnt(const Mem2D& i) {
  return !both_counts_valid(i) || std::uint32_t{i.num_elem[0]} * i.num_elem[1] <= mem_2d_capacity(i);
}

bool mem_2d_register(std::uint8_t number) { return number < kRegisters; }
bool mem_2d_register_pair(Dtype d, std::uint8_t number) { return d != Dtype::uint64 || number % 2 == 0; }

std::optional<std::uint32_t> mem_2d_used_data(const Mem2D& i) {
  if (!mem_2d_dtype(i.dtype) || !mem_2d_source(i) || !both_counts_valid(i) || !mem_2d_element_cnt(i)) {
    return std::nullopt;
  }
  return std::uint32_t{i.num_elem[0]} * i.num_elem[1] * kDataBytes / mem_2d_capacity(i);
}

bool mem_2d_unused_zero(const Mem2D& i) {
  const std::uint32_t used = mem_2d_used_data(i).value_or(kDataBytes);
  return std::all_of(i.data.begin() + used, i.data.end(), [](std::uint8_t b) { return b == 0; });
}

bool addr8_from_register(Addr8 address) { return (address.raw & kAddr8Register) != 0; }
bool addr8_register(Addr8 address) {
  return !addr8_from_register(address) || (address.raw ^ kAddr8Register) < kRegisters;
}

bool mem_2d_aligned(const Mem2D& i) {
  return addr8_from_register(i.start_addr) || !mem_2d_dtype(i.dtype) ||
         i.start_addr.raw % storage_size(i.dtype).value == 0;
}

bool mem_2d_region(const Mem2D& i) {
  if (addr8_from_register(i.start_addr) || !mem_2d_dtype(i.dtype) || !both_counts_valid(i)) return true;
  const auto size = static_cast<std::int64_t>(storage_size(i.dtype).value);
  const auto offset = static_cast<std::int64_t>(i.start_addr.raw % kRegion);
  const AccessPattern::Extent elements = extent_of(i);
  return offset + elements.lowest * size >= 0 && offset + (elements.highest + 1) * size <= kRegion;
}

}  // namespace dve::isa
