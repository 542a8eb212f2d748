// Legality predicates of the control words 0xA0 to 0xB0 (isa.md 13.1).
//
// The reference gives the rules of these words without names: all names here are ours. Style and use as in
// predicates.h, which includes this file.
#pragma once

#include <cstdint>
#include <optional>

#include "dtype.h"
#include "layouts.h"

namespace dve::isa {

// --- EventSemaphore 0xA0, Halt 0xA1, Drain 0xA2, InstructionFlush 0xA3, Nop 0xA4 -------------------------------------

// The second block's wait and update each name a register 0..63 in their own value when they are of a register form.
bool ctrl_es_wait_register(const CtrlEs& i);
bool ctrl_es_update_register(const CtrlEs& i);
bool reserved_zero(const CtrlEs& i);
bool reserved_zero(const CtrlEmpty& i);
bool reserved_zero(const CtrlDrain& i);

// --- SemaphoreRangeClear 0xB0 ----------------------------------------------------------------------------------------

bool ctrl_sr_mode(const CtrlSr& i);         // 0 range, 1 bitmask
bool ctrl_sr_range(const CtrlSr& i);        // range: first <= last
bool ctrl_sr_unused_zero(const CtrlSr& i);  // range: no bitmask; bitmask: first and last 0
bool reserved_zero(const CtrlSr& i);

// --- Move 0xA7 -------------------------------------------------------------------------------------------------------

bool ctrl_mv_num_mov(const CtrlMv& i);       // 1 to 8
bool ctrl_mv_dtype(const CtrlMv& i);         // UINT32, INT32, FP32
bool ctrl_mv_source(const CtrlMv& i);        // 0 registers, 1 immediates
bool ctrl_mv_register(std::uint8_t number);  // 0 to 63; 128 and 129, the program counter, which ignores writes
// Slot k stands for a move; reads a register; takes an immediate. A word whose num_mov or source has a finding uses no
// slot in the sense of the rules below.
bool ctrl_mv_uses_slot(const CtrlMv& i, std::uint32_t k);
bool ctrl_mv_reads_register(const CtrlMv& i, std::uint32_t k);
bool ctrl_mv_takes_immediate(const CtrlMv& i, std::uint32_t k);
bool ctrl_mv_unique_destination(const CtrlMv& i, std::uint32_t k);    // no earlier slot writes slot k's register
bool ctrl_mv_disjoint_destination(const CtrlMv& i, std::uint32_t k);  // no slot reads it
// Everything in slots that the word does not use is 0: source and destination numbers, immediates.
bool ctrl_mv_unused_zero(const CtrlMv& i);
bool reserved_zero(const CtrlMv& i);

// --- TensorLoad 0xAA, TensorStore 0xAB -------------------------------------------------------------------------------

bool mem_2d_dtype(Dtype d);            // integers of 8 to 32 bits, FP32, UINT64
bool mem_2d_source(const Mem2D& i);    // load: 0; store: 0 registers, 1 immediates
bool mem_2d_num_elem(std::uint8_t n);  // 1 to 32
// Elements that the 32 data bytes hold: a register number each, or an immediate each.
std::uint32_t mem_2d_capacity(const Mem2D& i);
bool mem_2d_element_cnt(const Mem2D& i);
// The data bytes are values, not register numbers.
bool mem_2d_stores_immediates(const Mem2D& i);
bool mem_2d_register(std::uint8_t number);                // 0 to 63
bool mem_2d_register_pair(Dtype d, std::uint8_t number);  // UINT64 fills an even register and the next
// Data bytes that the elements take; nullopt when dtype, source or a count are not valid.
std::optional<std::uint32_t> mem_2d_used_data(const Mem2D& i);
bool mem_2d_unused_zero(const Mem2D& i);
// ADDR8 of a register: bit 63, the number 0 to 63 in bits 0..7, the rest zero. The source gives no encoding: project
// choice. Any other value is an address.
bool addr8_from_register(Addr8 address);
bool addr8_register(Addr8 address);
bool mem_2d_aligned(const Mem2D& i);  // an address in the word is a multiple of the element's size
// All elements of an address in the word lie in one aligned block of 16 MiB.
bool mem_2d_region(const Mem2D& i);

}  // namespace dve::isa
