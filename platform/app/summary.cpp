#include "summary.h"

#include <fmt/format.h>

#include <iterator>

namespace dve::app {
namespace {

// "2.790 us" with a unit that keeps the number readable.
std::string time_text(std::uint64_t femtoseconds) {
  const double ns = static_cast<double>(femtoseconds) / 1e6;
  if (ns < 1e3) return fmt::format("{:.3f} ns", ns);
  if (ns < 1e6) return fmt::format("{:.3f} us", ns / 1e3);
  return fmt::format("{:.3f} ms", ns / 1e6);
}

void bucket(std::string& text, const char* name, std::uint64_t cycles, std::uint64_t total) {
  if (cycles == 0) return;
  fmt::format_to(std::back_inserter(text), "  {:<28}{:>10}  {:5.1f} %\n", name, cycles,
                 100 * static_cast<double>(cycles) / static_cast<double>(total));
}

// Where an engine's cycles went, in its own clock; nothing for an engine that had nothing to do.
void append_engine(std::string& text, isa::Engine engine, const EngineStatistics& statistics) {
  const CycleBuckets& b = statistics.buckets();
  if (b.cycles == 0) return;
  fmt::format_to(std::back_inserter(text), "{:<14}{} words, {} cycles\n", isa::to_string(engine),
                 statistics.instructions(), b.cycles);
  bucket(text, "busy", b.busy, b.cycles);
  bucket(text, "issue gap", b.issue_gap, b.cycles);
  bucket(text, "operand wait", b.operand_wait, b.cycles);
  bucket(text, "semaphore wait", b.semaphore_wait, b.cycles);
  bucket(text, "fetch", b.fetch, b.cycles);
  bucket(text, "idle", b.idle, b.cycles);
}

}  // namespace

std::string device_line(const config::Effective& effective) {
  const bool timed = effective.config.abstraction != config::Abstraction::functional;
  const std::string clock = timed
                                ? fmt::format("lt, {} GHz", static_cast<double>(effective.config.timing.clock_hz) / 1e9)
                                : std::string("functional: data only, no time");
  return fmt::format("device        {}, {}\n", isa::to_string(effective.config.generation), clock);
}

std::string execution_summary(const config::Effective& effective, const RunOutcome& outcome,
                              const Statistics& statistics) {
  std::string text = fmt::format("instructions  {}\n", statistics.instructions());
  for (const auto& [mnemonic, count] : statistics.opcodes())
    fmt::format_to(std::back_inserter(text), "  {:<28}{:>10}\n", mnemonic, count);
  if (effective.config.abstraction == config::Abstraction::functional) return text;
  fmt::format_to(std::back_inserter(text), "cycles        {}\n", outcome.cycles.value);
  for (const isa::Engine engine : isa::kEngines) append_engine(text, engine, statistics.engine(engine));
  fmt::format_to(std::back_inserter(text), "time          {}\n", time_text(outcome.femtoseconds));
  return text;
}

std::string comparison_summary(const std::vector<layer::TensorComparison>& comparisons) {
  std::string text = fmt::format("comparison    {:<16}{:>12}{:>12}{:>12}{:>12}\n", "with", "max abs", "max rel",
                                 "tolerance", "mismatches");
  for (const auto& c : comparisons)
    fmt::format_to(std::back_inserter(text), "              {:<16}{:>12.3e}{:>12.3e}{:>12.3e}{:>12}\n", c.name,
                   c.max_abs, c.max_rel, c.tolerance, c.mismatches);
  return text;
}

}  // namespace dve::app
