#include "report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "session.h"

namespace dve::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double to_three_decimals(double value) { return std::round(value * 1000) / 1000; }

// Bytes that one engine port can move a cycle: one element a lane on sunda (4 bytes), one 8-byte word a partition later
// (microarchitecture.md 2 and 3.1, derived there).
double port_bytes_per_cycle(isa::Generation generation) {
  return isa::kPartitions * (isa::core_version(generation) == 2 ? 4.0 : 8.0);
}

Json engine(const CycleBuckets& b) {
  return {{"busy", b.busy},
          {"issue_gap", b.issue_gap},
          {"operand_wait", b.operand_wait},
          {"write_wait", b.write_wait},
          {"bank_conflict", b.bank_conflict},
          {"semaphore_wait", b.semaphore_wait},
          {"fetch", b.fetch},
          {"idle", b.idle},
          {"cycles", b.cycles}};
}

// An engine takes part when it had a stream to execute; the DVE always does.
bool takes_part(const ReportInput& input, isa::Engine engine) {
  return engine == isa::Engine::dve || input.statistics->engine(engine).instructions() > 0;
}

// Rates over the program's duration; without time there are none.
Json port(const PortStatistics& p, std::uint64_t clock_hz, const ReportInput& input) {
  const double seconds = static_cast<double>(input.outcome->femtoseconds) / 1e15;
  const double capacity =
      port_bytes_per_cycle(input.effective->config.generation) * static_cast<double>(clock_hz) * seconds;
  const double bytes = static_cast<double>(p.read_bytes + p.write_bytes);
  const double peak = capacity > 0 ? p.peak_bytes_per_cycle * static_cast<double>(clock_hz) : 0;
  return {{"read_bytes", p.read_bytes},
          {"write_bytes", p.write_bytes},
          {"transactions", p.transactions},
          {"utilisation", number(capacity > 0 ? bytes / capacity : 0)},
          {"peak_bytes_per_s", number(peak)}};
}

Json engines(const ReportInput& input) {
  Json all;
  for (const isa::Engine which : isa::kEngines) {
    if (takes_part(input, which))
      all[std::string(isa::to_string(which))] = engine(input.statistics->engine(which).buckets());
  }
  return all;
}

Json ports(const ReportInput& input) {
  Json all;
  for (const isa::Engine which : isa::kEngines) {
    if (!takes_part(input, which)) continue;
    const EngineStatistics& s = input.statistics->engine(which);
    const std::uint64_t hz = config::timing_of(input.effective->config, which).clock_hz;
    const std::string name(isa::to_string(which));
    all[name + ".read0"] = port(s.port(IssueExtension::read0), hz, input);
    all[name + ".read1"] = port(s.port(IssueExtension::read1), hz, input);
    all[name + ".write"] = port(s.port(IssueExtension::write), hz, input);
    if (which == isa::Engine::dve) all["dve.param"] = port(s.port(IssueExtension::param), hz, input);
  }
  PortStatistics fetch;
  fetch.read_bytes = input.fetched.read.value;
  fetch.transactions = input.fetched.transactions;
  all["seq.fetch"] = port(fetch, input.effective->config.timing.clock_hz, input);
  return all;
}

Json waits(const Deadlock& deadlock) {
  Json all = Json::array();
  for (const Waiting& w : deadlock.waits)
    all.push_back({{"who", w.who},
                   {"word", w.word},
                   {"pc", w.pc},
                   {"opcode", w.who == "host" ? std::string() : isa::opcode_name(w.opcode)},
                   {"condition", w.condition},
                   {"value", w.value},
                   {"last_change", w.last_change},
                   {"updated_by", w.updated_by}});
  return all;
}

Json banks(const Statistics& statistics) {
  Json all = Json::object();
  for (const auto& [where, bank] : statistics.banks())
    all[fmt::format("{}.{}", isa::to_string(where.first), where.second)] = {
        {"read_bytes", bank.read_bytes}, {"write_bytes", bank.write_bytes}, {"conflicts", 0}};
  return all;
}

Json compare(const std::vector<layer::TensorComparison>& comparisons) {
  Json all = Json::object();
  for (const auto& c : comparisons)
    all[c.name] = {{"max_abs", number(c.max_abs)},
                   {"max_rel", number(c.max_rel)},
                   {"mismatches", c.mismatches},
                   {"tolerance", number(c.tolerance)},
                   {"non_finite", c.non_finite}};
  return all;
}

Json faults(const std::vector<WordFinding>& list) {
  Json all = Json::array();
  for (const WordFinding& f : list)
    all.push_back({{"engine", f.engine},
                   {"word", f.word},
                   {"pc", f.pc},
                   {"opcode", isa::opcode_name(f.opcode)},
                   {"predicate", f.finding.predicate},
                   {"field", f.finding.field},
                   {"byte", f.finding.byte},
                   {"value", f.finding.value},
                   {"expected", f.finding.expected}});
  return all;
}

Json numerics(const config::Config& settings) {
  static const std::string kPrefix = "numerics.";
  Json all;
  for (const config::Key& key : config::keys()) {
    if (key.name.compare(0, kPrefix.size(), kPrefix) != 0) continue;
    std::visit([&](const auto& value) { all[key.name.substr(kPrefix.size())] = value; }, key.get(settings));
  }
  return all;
}

}  // namespace

std::string status_name(RunStatus status, bool compare_failed) {
  switch (status) {
    case RunStatus::ok:
      return compare_failed ? "compare_failed" : "ok";
    case RunStatus::fault:
      return "fault";
    case RunStatus::deadlock:
      return "deadlock";
    case RunStatus::timeout:
      return "timeout";
    case RunStatus::interrupted:
      return "interrupted";
  }
  return "internal";
}

std::string report(const ReportInput& input) {
  const bool timed = input.effective->config.abstraction != config::Abstraction::functional;
  Json j;
  j["schema"] = kSchema;
  j["status"] = input.status;
  j["generation"] = isa::to_string(input.effective->config.generation);
  j["abstraction"] = timed ? "lt" : "functional";
  if (input.layer != nullptr)
    j["layer"] = {{"channels", input.layer->channels},
                  {"elements", input.layer->elements},
                  {"dtype", isa::name(input.layer->dtype)},
                  {"statistics", input.layer->statistics_given ? "given" : "device"},
                  {"loss_scale", input.layer->loss_scale}};
  j["cycles"] = timed ? Json(input.outcome->cycles.value) : Json(nullptr);
  j["time_ns"] = to_three_decimals(static_cast<double>(input.outcome->femtoseconds) / 1e6);
  j["instructions"] = input.statistics->instructions();
  j["opcodes"] = input.statistics->opcodes();
  if (input.statistics->opcodes().empty()) j["opcodes"] = Json::object();
  j["engines"] = engines(input);
  j["ports"] = ports(input);
  j["banks"] = banks(*input.statistics);
  j["compare"] = compare(input.comparisons);
  j["faults"] = faults(input.faults);
  j["waits"] = waits(input.outcome->deadlock);
  j["warnings"] = input.warnings;
  j["numerics"] = numerics(input.effective->config);
  return j.dump(1) + "\n";
}

std::string profile_text(const Profile& profile) {
  const Json j = {{"elaborate_s", profile.elaborate_s}, {"simulate_s", profile.simulate_s}, {"words", profile.words}};
  return j.dump(1) + "\n";
}

}  // namespace dve::app
