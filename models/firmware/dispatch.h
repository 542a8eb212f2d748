// Which opcodes an engine's firmware handles (isa.md 13.2; isa-neighbours.md 1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "firmware_image.h"

namespace dve::firmware {

// A handler: what the DEBUG build logs when it runs.
struct Handler {
  std::string_view self_name;
};

// Why a word cannot be dispatched. Predicates: unknown_opcode, deprecated_opcode, untrusted_dispatch_row.
struct DispatchRefusal {
  std::string_view predicate;
  std::string expected;
};

// The handler of an opcode byte on an engine. Opcodes from 0x41 on: the engine's table of kDispatchRows rows, one
// unsigned bound check. ACT's opcodes below 0x41: a chain of compares (isa-neighbours.md 1). Control opcodes
// (isa::is_control_opcode) are the sequencer's own and have no row here.
// The PERF build refuses on the DVE what its image cannot serve; no page shows a PERF image of POOL or ACT: there both
// builds handle the same opcodes.
std::variant<Handler, DispatchRefusal> dispatch(isa::Engine engine, std::uint8_t opcode, Build build);

// A refusal as a finding; and that of a word, empty for handlers and control opcodes.
isa::Finding finding_of(const DispatchRefusal& refusal, std::uint8_t opcode);
std::optional<isa::Finding> dispatch_finding(isa::Engine engine, std::uint8_t opcode, Build build);

}  // namespace dve::firmware
