#include "legality.h"

#include <algorithm>

#include "legality_report.h"

namespace dve::isa {
namespace {

void check_instruction(Report&, const RawWord&) {}

// The engine that the word is judged for: the stream's, or one that executes the opcode.
Engine judging_engine(std::uint8_t opcode, const LegalityOptions& options) {
  const EngineSet owners = engines_of(opcode);
  if (options.engine && owners.contains(*options.engine)) return *options.engine;
  const auto* owner =
      std::find_if(kEngines.begin(), kEngines.end(), [owners](Engine engine) { return owners.contains(engine); });
  return owner != kEngines.end() ? *owner : Engine::dve;
}

std::string names_of(EngineSet engines) {
  std::string names;
  for (const Engine engine : kEngines) {
    if (engines.contains(engine)) names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(engine));
  }
  return names;
}

void check_engine(Report& report, const Header& header) {
  const std::optional<Engine> engine = report.options().engine;
  if (!engine || !opcode_from_byte(header.opcode)) return;
  if (has_engine_opcode(header, *engine)) return;
  report.add("has_engine_opcode", {"opcode", 0, header.opcode},
             fmt::format("an opcode that {} executes: {} is one of {}", to_string(*engine), opcode_name(header.opcode),
                         names_of(engines_of(header.opcode))));
}

}  // namespace

void Report::add(std::string_view predicate, const Field& field, std::string expected) {
  findings_.push_back({std::string(predicate), fmt::format("{}{}", field.name, field.member), field.byte, field.value,
                       std::move(expected)});
}

std::string to_string(const Finding& finding) {
  const std::string hex = finding.value > 9 ? fmt::format(" ({:#x})", finding.value) : std::string();
  return fmt::format("{}: {} at byte {} is {}{}, expected {}", finding.predicate, finding.field, finding.byte,
                     finding.value, hex, finding.expected);
}

std::vector<Finding> check(const Word& word, const LegalityOptions& options) {
  Report report(options, judging_engine(word.opcode_byte(), options));
  check_preamble(report, word);
  check_engine(report, read_header(word));
  std::visit([&report](const auto& instruction) { check_instruction(report, instruction); }, decode(word));
  return report.take();
}

}  // namespace dve::isa
