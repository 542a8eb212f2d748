#include "program_check.h"

#include <algorithm>

#include "dispatch.h"

namespace dve::firmware {
std::optional<isa::Engine> common_engine(const std::vector<isa::Word>& words) {
  for (const isa::Engine engine : isa::kEngines) {
    const auto has = [engine](const isa::Word& word) { return isa::engines_of(word.opcode_byte()).contains(engine); };
    if (std::all_of(words.begin(), words.end(), has)) return engine;
  }
  return std::nullopt;
}

std::vector<isa::Finding> findings(const isa::Word& word, isa::Engine engine, bool engine_known,
                                   isa::LegalityOptions options) {
  if (engine_known) options.engine = engine;
  std::vector<isa::Finding> findings = isa::check(word, options);
  if (!engine_known) {
    for (const isa::Engine each : isa::kEngines) {
      if (isa::engines_of(word.opcode_byte()).contains(each)) return findings;
    }
  }
  if (auto finding = dispatch_finding(engine, word.opcode_byte(), Build::debug))
    findings.push_back(std::move(*finding));
  return findings;
}

std::string explain(const std::string& predicate) {
  const std::string_view sentence = isa::explain(predicate);
  return sentence.empty() ? "The engine's firmware has no handler for the opcode: it would halt."
                          : std::string(sentence);
}

}  // namespace dve::firmware
