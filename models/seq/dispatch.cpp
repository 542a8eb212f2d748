#include "dispatch.h"

#include <array>

namespace dve {
namespace {

struct Row {
  std::uint8_t opcode;
  std::string_view self_name;
};

// Self-names as the DEBUG image has them. 0x60, 0x61 and 0x62 share one handler; 0x82 is taken to share it too
// (isa.md 13.2 gives both readings). The pages give no string for 0x66: its opcode name stands in.
constexpr std::array kDveRows = {Row{0x60, "S: BatchNormalize"},           Row{0x61, "S: BatchNormalize"},
                                 Row{0x62, "S: BatchNormalize"},           Row{0x63, "S: BatchNormalizeGradAccum"},
                                 Row{0x64, "S: BatchNormalizeParamLoad"},  Row{0x65, "S: BatchNormalizeBackProp"},
                                 Row{0x66, "S: LoadParameterRam"},         Row{0x82, "S: BatchNormalize"},
                                 Row{0x8E, "S: BatchNormalizeParamLoad2"}, Row{0x94, "S: BatchNormalizeGradAccum2"}};

// PERF image: rows past this index overlap the string pool of its small data memory (seed pages, PERF build).
constexpr std::uint32_t kLastTrustedPerfIndex = 0x40;

using Table = std::array<std::string_view, kDispatchRows>;

constexpr Table build_table() {
  Table table{};
  for (const Row& row : kDveRows) table[dispatch_index(row.opcode)] = row.self_name;
  return table;
}
constexpr Table kDveTable = build_table();

bool in_deprecated_cluster(std::uint8_t opcode) { return opcode >= 0x63 && opcode <= 0x65; }

}  // namespace

std::variant<Handler, DispatchRefusal> dispatch_dve(std::uint8_t opcode, SeqBuild build) {
  const std::uint32_t index = dispatch_index(opcode);
  if (index >= kDispatchRows || kDveTable[index].empty())
    return DispatchRefusal{"unknown_opcode", "an opcode that the DVE's dispatch table handles"};
  if (build == SeqBuild::perf && in_deprecated_cluster(opcode))
    return DispatchRefusal{"deprecated_opcode", "an opcode outside the PERF build's deprecated cluster 0x63..0x65"};
  if (build == SeqBuild::perf && index > kLastTrustedPerfIndex)
    return DispatchRefusal{"untrusted_dispatch_row", "a dispatch row up to index 0x40 of the PERF build"};
  return Handler{kDveTable[index]};
}

}  // namespace dve
