// The sequencer's dispatch table: which opcodes an engine's firmware handles (isa.md 13.2; seed pages, dispatch
// chains). Plain C++.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

namespace dve {

// The two firmware builds that the seed pages read.
enum class SeqBuild : std::uint8_t {
  debug,  // logs each handler's self-name
  perf    // no log; 0x63, 0x64, 0x65 lead to the deprecated cluster, rows past index 0x40 are not trustworthy
};

// A handler: what the DEBUG build logs when it runs.
struct Handler {
  std::string_view self_name;
};

// Why a word cannot be dispatched. Predicates: unknown_opcode, deprecated_opcode, untrusted_dispatch_row.
struct DispatchRefusal {
  std::string_view predicate;
  std::string_view expected;
};

// Index into the table: opcode - 0x41 with one unsigned bound check against the 178 rows 0x41..0xF2.
inline constexpr std::uint32_t kDispatchRows = 178;
constexpr std::uint32_t dispatch_index(std::uint8_t opcode) { return std::uint32_t{opcode} - 0x41u; }

// Row of the DVE's table for an opcode byte.
std::variant<Handler, DispatchRefusal> dispatch_dve(std::uint8_t opcode, SeqBuild build);

}  // namespace dve
