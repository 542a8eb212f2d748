// What the firmware's error unit makes of a fault: code, severity, and the 4-byte record it publishes (isa.md 15.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::firmware {

// Causes that the error unit tells apart.
enum class FaultCause : std::uint8_t {
  unknown_opcode,
  illegal_instruction,  // a valid opcode that asks for an illegal or unsupported operation
  integer_divide_by_zero,
  fp_exception,
  assertion,
  signal,           // delivered signal 2, 4, 6, 8, 11 or 15
  exception_vector  // exception causes 1, 3, 4
};

// A cause with what came with it. detail: illegal_instruction the opcode; fp_exception the status bits; signal its
// number; exception_vector its cause (12 bits); otherwise 0.
struct Fault {
  FaultCause cause = FaultCause::unknown_opcode;
  std::uint16_t detail = 0;
};

// Name of a floating-point status in findings. isa.md 15.1 gives the bits 1 to 16 without names; they are taken in the
// order of the Xtensa status register (an assumption of the model): 1 fp_status_inexact, 2 fp_status_underflow,
// 4 fp_status_overflow, 8 fp_status_divide_by_zero, 16 fp_status_invalid. Any status that is not exactly one of the
// five bits is fp_status_several.
std::string_view fp_status_predicate(std::uint8_t status);

// What a word's status says, a finding a flag; none for 0. And the failed assertion of several flags at once.
std::vector<isa::Finding> fp_status_findings(std::uint8_t status, std::uint8_t opcode);
std::optional<isa::Finding> fp_status_several(std::uint8_t status);

// How the error unit rates a fault.
struct FaultEffect {
  FaultCause cause = FaultCause::unknown_opcode;  // as rated: a status of several bits counts as an assertion
  std::uint8_t code = 0;
  std::uint8_t severity = 2;  // 1: logged and reported, execution goes on; 2: fatal
  bool halts = true;
  std::uint16_t aux = 0;  // opcode, signal number or exception cause
};
FaultEffect effect_of(const Fault& fault);

// The fault that a finding stands for: by the predicate's name the dispatch refusals, integer_divide_by_zero and the
// fp_status_ names; any other predicate (legality, operands, state) is an illegal instruction with the word's opcode.
Fault fault_of(const isa::Finding& finding, std::uint8_t opcode);

// Block ids of the engines, 4 bits: ACT 1 and POOL 3 as in the POOL image. That image asserts on the DVE's index, so
// the DVE's id is open: a parameter, 0..15; 0 is an id that no listed engine has.
struct BlockIds {
  std::uint8_t dve = 0;
};
std::uint8_t block_id(isa::Engine engine, const BlockIds& ids);

// The record, byte by byte: code; code class in the low nibble with the block id above it; high byte of aux; low byte
// of aux. The references do not number the code classes: here a class is the FaultCause's value.
struct FaultRecord {
  std::uint8_t code = 0;
  std::uint8_t code_class = 0;  // 4 bits
  std::uint8_t block = 0;       // 4 bits
  std::uint16_t aux = 0;

  friend bool operator==(const FaultRecord& a, const FaultRecord& b) {
    return a.code == b.code && a.code_class == b.code_class && a.block == b.block && a.aux == b.aux;
  }
};
FaultRecord record_of(const FaultEffect& effect, std::uint8_t block);
FaultRecord record_of(const isa::Finding& finding, isa::Engine engine, std::uint8_t opcode, const BlockIds& ids);

// As a little-endian word, first byte lowest.
std::uint32_t pack(const FaultRecord& record);
FaultRecord unpack_fault_record(std::uint32_t bits);

// Where the engine publishes the record, and the data address whose write halts it.
inline constexpr std::uint32_t kFaultUserRegister = 0x15;
inline constexpr std::uint32_t kHaltAddress = 0x80400;

}  // namespace dve::firmware
