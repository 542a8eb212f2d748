// Control words: EventSemaphore 0xA0, Halt 0xA1, Drain 0xA2, InstructionFlush 0xA3, Nop 0xA4, Move 0xA7, TensorLoad
// 0xAA, TensorStore 0xAB, SemaphoreRangeClear 0xB0 (isa.md 13.1).
#include "legality_report.h"

namespace dve::isa {
namespace {

void check_slot(Report& report, const CtrlMv& i, std::uint32_t k) {
  const Field destination{"dst_regs", 24 + k, i.dst_regs[k]}, source{"src_regs", 16 + k, i.src_regs[k]};
  constexpr std::string_view kRegisterNumbers = "a register 0 to 63, or 128 or 129 (program counter)";
  report.require(ctrl_mv_register(i.dst_regs[k]), "ctrl_mv_register", destination, "{}", kRegisterNumbers);
  if (ctrl_mv_reads_register(i, k)) {
    report.require(ctrl_mv_register(i.src_regs[k]), "ctrl_mv_register", source, "{}", kRegisterNumbers);
  }
  report.require(ctrl_mv_unique_destination(i, k), "ctrl_mv_unique_destination", destination,
                 "a register that no earlier slot writes");
  report.require(ctrl_mv_disjoint_destination(i, k), "ctrl_mv_disjoint_destination", destination,
                 "a register that no slot reads");
}

void check_unused_slot(Report& report, const CtrlMv& i, std::uint32_t k) {
  constexpr std::string_view kName = "ctrl_mv_unused_zero";
  report.require(ctrl_mv_reads_register(i, k) || i.src_regs[k] == 0, kName, {"src_regs", 16 + k, i.src_regs[k]},
                 "0: the word does not read this slot");
  report.require(ctrl_mv_uses_slot(i, k) || i.dst_regs[k] == 0, kName, {"dst_regs", 24 + k, i.dst_regs[k]},
                 "0: the word has {} moves", i.num_mov);
  report.require(ctrl_mv_takes_immediate(i, k) || i.immediate[k] == 0, kName, {"immediate", 32 + 4 * k, i.immediate[k]},
                 "0: the word does not read this slot");
}

// The fields of the mode that the word is not in.
void check_unused(Report& report, const CtrlSr& i) {
  constexpr std::string_view kName = "ctrl_sr_unused_zero";
  if (i.mode == 0) return check_reserved(report, kName, "bitmask", 32, i.bitmask);
  report.require(i.first == 0, kName, {"first", 13, i.first}, "0 beside a bitmask");
  report.require(i.last == 0, kName, {"last", 14, i.last}, "0 beside a bitmask");
}

void check_data_registers(Report& report, const Mem2D& i, std::uint32_t used) {
  for (std::uint32_t k = 0; k < used; ++k) {
    const Field field{"data", 32 + k, i.data[k]};
    report.require(mem_2d_register(i.data[k]), "mem_2d_register", field, "a register 0 to 63");
    report.require(mem_2d_register_pair(i.dtype, i.data[k]), "mem_2d_register_pair", field,
                   "an even register: {} fills a pair", name(i.dtype));
  }
}

void check_data(Report& report, const Mem2D& i) {
  const std::optional<std::uint32_t> used = mem_2d_used_data(i);
  if (!used) return;
  if (!mem_2d_stores_immediates(i)) check_data_registers(report, i, *used);
  if (mem_2d_unused_zero(i)) return;
  std::uint32_t k = *used;
  while (i.data[k] == 0) ++k;
  report.add("mem_2d_unused_zero", {"data", 32 + k, i.data[k]}, fmt::format("0 past the {} bytes in use", *used));
}

void check_address(Report& report, const Mem2D& i) {
  const Field address{"start_addr", 16, i.start_addr.raw};
  report.require(addr8_register(i.start_addr), "addr8_register", address,
                 "with bit 63 set a register number 0 to 63 in bits 0..7, the rest zero");
  report.require(mem_2d_aligned(i), "mem_2d_aligned", address, "a multiple of {} for {}", storage_size(i.dtype).value,
                 name(i.dtype));
  report.require(mem_2d_region(i), "mem_2d_region", address,
                 "a start from which all elements lie in one aligned block of 16 MiB");
}

}  // namespace

void check_instruction(Report& report, const CtrlEs& i) {
  check_event_modes(report, {"wait_mode1", 32, static_cast<std::uint8_t>(i.wait_mode1)},
                    {"update_mode1", 34, static_cast<std::uint8_t>(i.update_mode1)});
  report.require(ctrl_es_wait_register(i), "has_valid_event_register", {"sem_wait_value", 36, i.sem_wait_value},
                 "register number 0 to 63 for {}", name(i.wait_mode1));
  report.require(ctrl_es_update_register(i), "has_valid_event_register", {"sem_update_value", 40, i.sem_update_value},
                 "register number 0 to 63 for {}", name(i.update_mode1));
  check_reserved(report, "reserved_zero", "reserved0", 13, i.reserved0);
  check_reserved(report, "reserved_zero", "reserved1", 44, i.reserved1);
}

void check_instruction(Report& report, const CtrlEmpty& i) {
  check_reserved(report, "reserved_zero", "reserved0", 12, i.reserved0);
}

void check_instruction(Report& report, const CtrlDrain& i) {
  check_reserved(report, "reserved_zero", "reserved0", 12, i.reserved0);
  check_reserved(report, "reserved_zero", "reserved1", 44, i.reserved1);
}

void check_instruction(Report& report, const CtrlSr& i) {
  report.require(ctrl_sr_mode(i), "ctrl_sr_mode", {"mode", 12, i.mode}, "0 (range) or 1 (bitmask)");
  report.require(ctrl_sr_range(i), "ctrl_sr_range", {"last", 14, i.last}, "at least first, {}", i.first);
  if (!ctrl_sr_unused_zero(i)) check_unused(report, i);
  check_reserved(report, "reserved_zero", "reserved0", 15, i.reserved0);
}

void check_instruction(Report& report, const CtrlMv& i) {
  report.require(ctrl_mv_num_mov(i), "ctrl_mv_num_mov", {"num_mov", 12, i.num_mov}, "1 to 8");
  report.require(ctrl_mv_dtype(i), "ctrl_mv_dtype", {"dtype", 13, code(i.dtype)}, "uint32, int32 or fp32, not {}",
                 name(i.dtype));
  report.require(ctrl_mv_source(i), "ctrl_mv_source", {"source", 14, i.source}, "0 (registers) or 1 (immediates)");
  for (std::uint32_t k = 0; k < i.dst_regs.size(); ++k) {
    if (ctrl_mv_uses_slot(i, k)) check_slot(report, i, k);
  }
  for (std::uint32_t k = 0; !ctrl_mv_unused_zero(i) && k < i.dst_regs.size(); ++k) check_unused_slot(report, i, k);
  check_reserved(report, "reserved_zero", "reserved0", 15, std::array{i.reserved0});
}

void check_instruction(Report& report, const Mem2D& i) {
  report.require(mem_2d_dtype(i.dtype), "mem_2d_dtype", {"dtype", 12, code(i.dtype)},
                 "an integer of 8, 16 or 32 bits, uint64 or fp32, not {}", name(i.dtype));
  report.require(mem_2d_source(i), "mem_2d_source", {"src_datasrc", 13, i.src_datasrc}, "{} for {}",
                 i.header.opcode == code(Opcode::tensor_store) ? "0 (registers) or 1 (immediates)" : "0",
                 opcode_name(i.header.opcode));
  for (std::uint32_t d = 0; d < i.num_elem.size(); ++d) {
    report.require(mem_2d_num_elem(i.num_elem[d]), "mem_2d_num_elem", {"num_elem", 14 + d, i.num_elem[d]}, "1 to 32");
  }
  report.require(mem_2d_element_cnt(i), "mem_2d_element_cnt",
                 {"num_elem", 14, std::uint64_t{i.num_elem[0]} * i.num_elem[1]}, "a product of at most {}",
                 mem_2d_capacity(i));
  check_data(report, i);
  check_address(report, i);
}

}  // namespace dve::isa
