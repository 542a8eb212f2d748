#include "fault_record.h"

#include <array>

namespace dve::firmware {
namespace {

constexpr std::uint8_t kFatal = 2, kReported = 1;

struct NamedStatus {
  std::uint8_t bit;
  std::string_view predicate;
};
constexpr std::array kFpStatuses = {NamedStatus{1, "fp_status_inexact"}, NamedStatus{2, "fp_status_underflow"},
                                    NamedStatus{4, "fp_status_overflow"}, NamedStatus{8, "fp_status_divide_by_zero"},
                                    NamedStatus{16, "fp_status_invalid"}};
constexpr std::string_view kSeveralStatuses = "fp_status_several";

FaultEffect fatal(FaultCause cause, std::uint8_t code, std::uint16_t aux = 0) {
  return {cause, code, kFatal, true, aux};
}

FaultEffect fp_effect(std::uint16_t status) {
  for (const NamedStatus& named : kFpStatuses) {
    if (named.bit == status)
      return {FaultCause::fp_exception, static_cast<std::uint8_t>(16 / status), kReported, false, 0};
  }
  return fatal(FaultCause::assertion, 0);
}

}  // namespace

std::string_view fp_status_predicate(std::uint8_t status) {
  for (const NamedStatus& named : kFpStatuses) {
    if (named.bit == status) return named.predicate;
  }
  return kSeveralStatuses;
}

std::vector<isa::Finding> fp_status_findings(std::uint8_t status, std::uint8_t opcode) {
  std::vector<isa::Finding> findings;
  for (const NamedStatus& named : kFpStatuses) {
    if ((status & named.bit) != 0)
      findings.push_back({std::string(named.predicate), "opcode", 0, opcode, "finite results from finite operands"});
  }
  return findings;
}

std::optional<isa::Finding> fp_status_several(std::uint8_t status) {
  if ((status & (status - 1)) == 0) return std::nullopt;
  return isa::Finding{std::string(kSeveralStatuses), "opcode", 0, status,
                      "at most one floating-point exception a word"};
}

FaultEffect effect_of(const Fault& fault) {
  switch (fault.cause) {
    case FaultCause::unknown_opcode:
    case FaultCause::assertion:
      return fatal(fault.cause, 0);
    case FaultCause::illegal_instruction:
      return fatal(fault.cause, 0, fault.detail);
    case FaultCause::integer_divide_by_zero:
      return fatal(fault.cause, 2);
    case FaultCause::fp_exception:
      return fp_effect(fault.detail);
    case FaultCause::signal:
      return fatal(fault.cause, 'A', fault.detail);
    case FaultCause::exception_vector:
      return fatal(fault.cause, 'B', fault.detail & 0xFFF);
  }
  return fatal(FaultCause::assertion, 0);
}

Fault fault_of(const isa::Finding& finding, std::uint8_t opcode) {
  const std::string_view name = finding.predicate;
  if (name == "unknown_opcode" || name == "deprecated_opcode" || name == "untrusted_dispatch_row")
    return {FaultCause::unknown_opcode, 0};
  if (name == "integer_divide_by_zero") return {FaultCause::integer_divide_by_zero, 0};
  for (const NamedStatus& named : kFpStatuses) {
    if (named.predicate == name) return {FaultCause::fp_exception, named.bit};
  }
  if (name == kSeveralStatuses) return {FaultCause::assertion, 0};
  return {FaultCause::illegal_instruction, opcode};
}

std::uint8_t block_id(isa::Engine engine, const BlockIds& ids) {
  switch (engine) {
    case isa::Engine::act:
      return 1;
    case isa::Engine::pool:
      return 3;
    case isa::Engine::dve:
      return ids.dve;
  }
  return ids.dve;
}

FaultRecord record_of(const FaultEffect& effect, std::uint8_t block) {
  return {effect.code, static_cast<std::uint8_t>(effect.cause), block, effect.aux};
}

FaultRecord record_of(const isa::Finding& finding, isa::Engine engine, std::uint8_t opcode, const BlockIds& ids) {
  return record_of(effect_of(fault_of(finding, opcode)), block_id(engine, ids));
}

std::uint32_t pack(const FaultRecord& record) {
  const std::uint32_t second = (record.code_class & 0xFU) | ((record.block & 0xFU) << 4U);
  const std::uint32_t aux = record.aux;
  return record.code | (second << 8U) | ((aux >> 8U) << 16U) | ((aux & 0xFFU) << 24U);
}

FaultRecord unpack_fault_record(std::uint32_t packed) {
  FaultRecord record;
  record.code = static_cast<std::uint8_t>(packed & 0xFF);
  record.code_class = static_cast<std::uint8_t>((packed >> 8) & 0xF);
  record.block = static_cast<std::uint8_t>((packed >> 12) & 0xF);
  record.aux = static_cast<std::uint16_t>(((packed >> 16) & 0xFF) << 8 | packed >> 24);
  return record;
}

}  // namespace dve::firmware
