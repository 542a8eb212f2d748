#include "dispatch.h"

#include <fmt/format.h>

#include <array>

namespace dve::firmware {
namespace {

using isa::Engine;
using isa::EngineSet;

constexpr EngineSet kDve = isa::only(Engine::dve), kPool = isa::only(Engine::pool), kAct = isa::only(Engine::act);

struct Row {
  std::uint8_t opcode;
  EngineSet engines;
  // Where no page prints the engine's own string: the handler that the opcode shares, else the opcode's name.
  std::string_view self_name;
};

// Rows from 0x41 on. The pages print strings of the DVE image only (firmware_image.h); those go first. 0x60, 0x61 and
// 0x62 share one handler; 0x82 is taken to share it too (isa.md 13.2 gives both readings).
// clang-format off
constexpr std::array kTableRows = {
    Row{0x41, kDve | kPool, "S: TensorTensorArith"}, Row{0x42, kDve | kPool, "S: TensorReduceArith"},
    Row{0x43, kDve | kPool | kAct, "S: TensorScalarArith"}, Row{0x46, kDve | kPool | kAct, "S: Copy"},
    Row{0x47, kDve | kPool | kAct, "S: Cast"}, Row{0x48, kDve, "S: Reciprocal"}, Row{0x49, kDve | kPool, "S: Memset"},
    Row{0x51, kDve | kPool, "S: TensorTensorBitvec"}, Row{0x53, kDve, "S: TensorScalarBitvec"},
    Row{0x60, kDve, "S: BatchNormalize"}, Row{0x61, kDve, ""}, Row{0x62, kDve, "S: BatchNormalize"},
    Row{0x63, kDve, ""}, Row{0x64, kDve, ""}, Row{0x65, kDve, ""}, Row{0x66, kDve, "S: LoadParameterRam"},
    Row{0x72, kDve, ""}, Row{0x7C, kPool, "S: CrossLaneReduce"}, Row{0x7D, kPool, "S: CrossLaneReduce"},
    Row{0x82, kDve, "S: BatchNormalize"}, Row{0x8E, kDve, ""}, Row{0x94, kDve, ""}, Row{0x99, kDve, ""}};

// ACT's opcodes below 0x41 that have a layout; no page prints their strings.
constexpr std::array kActChain = {Row{0x21, kAct, "S: Activate"}, Row{0x23, kAct, "S: ActivationTableLoad"},
                                  Row{0x24, kAct, "S: ActivationReadAccumulator"}};
// clang-format on

using Table = std::array<std::string_view, kDispatchRows>;  // self-name of each row; empty: the default, no handler

std::string_view self_name(Engine engine, const Row& row) {
  const FirmwareRow* known = engine == Engine::dve ? firmware_row(row.opcode) : nullptr;
  return known != nullptr && known->self_name ? known->self_name->text : row.self_name;
}

std::array<Table, isa::kEngines.size()> build_tables() {
  std::array<Table, isa::kEngines.size()> tables{};
  for (const Engine engine : isa::kEngines) {
    for (const Row& row : kTableRows) {
      if (row.engines.contains(engine)) tables[index_of(engine)][dispatch_index(row.opcode)] = self_name(engine, row);
    }
  }
  return tables;
}

// Self-name of the handler, empty when there is none.
std::string_view find_handler(Engine engine, std::uint8_t opcode) {
  static const auto tables = build_tables();
  const std::uint32_t index = dispatch_index(opcode);
  if (index < kDispatchRows) return tables[index_of(engine)][index];
  for (const Row& row : kActChain) {
    if (row.opcode == opcode && row.engines.contains(engine)) return row.self_name;
  }
  return {};
}

// Who else handles the opcode, for the message: "dve, pool"; empty for none.
std::string handled_by(std::uint8_t opcode) {
  std::string engines;
  for (const Engine engine : isa::kEngines) {
    if (find_handler(engine, opcode).empty()) continue;
    if (!engines.empty()) engines += ", ";
    engines += to_string(engine);
  }
  return engines;
}

DispatchRefusal unknown_opcode(Engine engine, std::uint8_t opcode) {
  std::string expected = fmt::format("an opcode that the firmware of {} handles", to_string(engine));
  const std::string engines = handled_by(opcode);
  const std::string name = isa::opcode_name(opcode);
  if (isa::is_control_opcode(opcode))
    expected += fmt::format(" ({} is executed by the sequencer itself)", name);
  else if (!engines.empty())
    expected += fmt::format(" ({} runs on {})", name, engines);
  else if (isa::is_opcode_member(opcode))
    expected += fmt::format(" (no reference gives the layout of {})", name);
  return {"unknown_opcode", std::move(expected)};
}

}  // namespace

std::variant<Handler, DispatchRefusal> dispatch(Engine engine, std::uint8_t opcode, Build build) {
  const std::string_view name = find_handler(engine, opcode);
  if (name.empty()) return unknown_opcode(engine, opcode);
  if (engine == Engine::dve && build == Build::perf) {
    if (in_deprecated_cluster(opcode))
      return DispatchRefusal{"deprecated_opcode", "an opcode outside the PERF build's deprecated cluster 0x63..0x65"};
    if (!is_trusted_row(opcode, build))
      return DispatchRefusal{"untrusted_dispatch_row", "a dispatch row up to index 0x40 of the PERF build"};
  }
  return Handler{name};
}

isa::Finding finding_of(const DispatchRefusal& refusal, std::uint8_t opcode) {
  return {std::string(refusal.predicate), "opcode", 0, opcode, refusal.expected};
}

std::optional<isa::Finding> dispatch_finding(Engine engine, std::uint8_t opcode, Build build) {
  if (isa::is_control_opcode(opcode)) return std::nullopt;
  const auto row = dispatch(engine, opcode, build);
  const auto* refusal = std::get_if<DispatchRefusal>(&row);
  return refusal == nullptr ? std::nullopt : std::optional(finding_of(*refusal, opcode));
}

}  // namespace dve::firmware
