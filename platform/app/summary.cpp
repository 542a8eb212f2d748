#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
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
  bucket(text, "write wait", b.write_wait, b.cycles);
  bucket(text, "bank conflict", b.bank_conflict, b.cycles);
  bucket(text, "semaphore wait", b.semaphore_wait, b.cycles);
  bucket(text, "fetch", b.fetch, b.cycles);
  bucket(text, "idle", b.idle, b.cycles);
}

void append_rings(std::string& text, const Statistics& statistics) {
  for (const RingStatistics& ring : statistics.rings()) {
    const CycleBuckets& b = ring.buckets;
    fmt::format_to(std::back_inserter(text), "{:<14}{} transfers, {} bytes, {} memory cycles\n", ring.name,
                   ring.transfers, ring.bytes, b.cycles);
    bucket(text, "busy", b.busy, b.cycles);
    bucket(text, "operand wait", b.operand_wait, b.cycles);
    bucket(text, "semaphore wait", b.semaphore_wait, b.cycles);
    bucket(text, "start cost", b.fetch, b.cycles);
    bucket(text, "idle", b.idle, b.cycles);
  }
}

// What the run could not have been shorter than, and what held the engine of the longest bound back most.
void append_ranking(std::string& text, const config::Config& settings, const RunOutcome& outcome,
                    const Statistics& statistics) {
  constexpr std::size_t kShown = 3;
  const std::vector<ResourceBound> bounds = roofline(statistics, settings);
  const double ns = static_cast<double>(outcome.femtoseconds) / 1e6;
  for (std::size_t k = 0; k < std::min(kShown, bounds.size()); ++k)
    fmt::format_to(std::back_inserter(text), "{:<14}{:<28}{:>10}  {:5.1f} % of the time\n", k == 0 ? "roofline" : "",
                   bounds[k].resource, time_text(static_cast<std::uint64_t>(bounds[k].ns * 1e6)),
                   ns > 0 ? 100 * bounds[k].ns / ns : 0.0);
  const std::vector<HeldBack> causes = held_back(statistics);
  for (std::size_t k = 0; k < std::min(kShown, causes.size()); ++k)
    fmt::format_to(std::back_inserter(text), "{:<14}{:<28}{:>10}  {:5.1f} % of its cycles\n",
                   k == 0 ? "held back by" : "",
                   fmt::format("{} {}", isa::to_string(causes[k].engine), causes[k].bucket), causes[k].cycles,
                   100 * causes[k].share);
}

}  // namespace

std::string device_line(const config::Effective& effective) {
  const bool timed = effective.config.abstraction != config::Abstraction::functional;
  const std::string clock =
      timed ? fmt::format("{}, {} GHz", config::to_string(config::find_key("abstraction")->get(effective.config)),
                          static_cast<double>(effective.config.timing.clock_hz) / 1e9)
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
  append_rings(text, statistics);
  fmt::format_to(std::back_inserter(text), "time          {}\n", time_text(outcome.femtoseconds));
  append_ranking(text, effective.config, outcome, statistics);
  return text;
}

std::string bounds_summary(const std::vector<Bound>& bounds) {
  std::vector<const Bound*> ranked;
  for (const Bound& b : bounds) ranked.push_back(&b);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Bound* a, const Bound* b) { return a->effect() > b->effect(); });
  std::string text = fmt::format("bounds        {:<30}{:>14}{:>12}{:>12}{:>12}{:>10}\n", "of", "range", "low",
                                 "default", "high", "effect");
  for (const Bound* b : ranked) {
    const double percent =
        100 * static_cast<double>(b->effect()) / static_cast<double>(std::max<std::uint64_t>(b->normal.cycles, 1));
    fmt::format_to(std::back_inserter(text), "              {:<30}{:>14}{:>12}{:>12}{:>12}{:>8.1f} %\n", b->key->name,
                   config::to_string(b->low.value) + ".." + config::to_string(b->high.value), b->low.cycles,
                   b->normal.cycles, b->high.cycles, percent);
  }
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
