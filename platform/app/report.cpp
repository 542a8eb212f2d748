#include "report.h"

#include <fmt/format.h>

#include <array>
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

// Rates over the program's duration; without time there are none. `capacity` in bytes of the whole run.
Json port(const PortStatistics& p, double capacity, std::uint64_t clock_hz) {
  const double bytes = static_cast<double>(p.read_bytes + p.write_bytes);
  const double peak = capacity > 0 ? p.peak_bytes_per_cycle * static_cast<double>(clock_hz) : 0;
  return {{"read_bytes", p.read_bytes},
          {"write_bytes", p.write_bytes},
          {"transactions", p.transactions},
          {"utilisation", number(capacity > 0 ? bytes / capacity : 0)},
          {"peak_bytes_per_s", number(peak)}};
}

// What a port of the memories could have moved in the run: a beat of every partition each memory cycle.
double port_capacity(const ReportInput& input) {
  const contention::Parameters memory = config::ports_of(input.effective->config);
  const double seconds = static_cast<double>(input.outcome->femtoseconds) / 1e15;
  return static_cast<double>(memory.port_bytes.value * isa::kPartitions) * static_cast<double>(memory.clock_hz) *
         seconds;
}

Json engines(const ReportInput& input) {
  Json all;
  for (const isa::Engine which : isa::kEngines) {
    if (takes_part(input, which))
      all[std::string(isa::to_string(which))] = engine(input.statistics->engine(which).buckets());
  }
  for (std::size_t r = 0; r < input.statistics->rings().size(); ++r)
    all[fmt::format("dma{}", r)] = engine(input.statistics->rings()[r].buckets);
  return all;
}

Json ports(const ReportInput& input) {
  Json all;
  const double capacity = port_capacity(input);
  for (const isa::Engine which : isa::kEngines) {
    if (!takes_part(input, which)) continue;
    const EngineStatistics& s = input.statistics->engine(which);
    const std::uint64_t hz = config::timing_of(input.effective->config, which).clock_hz;
    const std::string name(isa::to_string(which));
    all[name + ".read0"] = port(s.port(IssueExtension::read0), capacity, hz);
    all[name + ".read1"] = port(s.port(IssueExtension::read1), capacity, hz);
    all[name + ".write"] = port(s.port(IssueExtension::write), capacity, hz);
    if (which == isa::Engine::dve) all["dve.param"] = port(s.port(IssueExtension::param), capacity, hz);
  }
  PortStatistics fetch;
  fetch.read_bytes = input.fetched.read.value;
  fetch.transactions = input.fetched.transactions;
  all["seq.fetch"] = port(fetch, capacity, input.effective->config.timing.clock_hz);
  for (std::size_t r = 0; r < input.statistics->rings().size(); ++r) {
    const RingStatistics& ring = input.statistics->rings()[r];
    PortStatistics p;
    (r == 0 ? p.write_bytes : p.read_bytes) = ring.bytes;  // as the on-chip memories see it: ring 0 loads
    p.transactions = ring.transfers;
    all[fmt::format("dma{}", r)] = port(p, capacity, 0);
  }
  return all;
}

std::string bank_name(const std::pair<isa::Space, std::uint32_t>& where) {
  return fmt::format("{}.{}", isa::to_string(where.first), where.second);
}

void add_series(Json& all, const std::string& name, const BandwidthSeries& series) {
  if (series.windows().empty()) return;
  all[name] = {{"window_ns", to_three_decimals(static_cast<double>(series.window_fs()) / 1e6)},
               {"bytes", series.windows()}};
}

// Bytes by window of time, of every port, bank and DMA ring that moved any.
Json bandwidth(const ReportInput& input) {
  Json all = Json::object();
  constexpr std::array<std::pair<IssueExtension::Port, const char*>, 3> kPorts = {
      {{IssueExtension::read0, "read0"}, {IssueExtension::read1, "read1"}, {IssueExtension::write, "write"}}};
  for (const isa::Engine which : isa::kEngines) {
    for (const auto& [port, name] : kPorts) {
      add_series(all, fmt::format("{}.{}", isa::to_string(which), name),
                 input.statistics->engine(which).port(port).series);
    }
  }
  for (std::size_t r = 0; r < input.statistics->rings().size(); ++r)
    add_series(all, fmt::format("dma{}", r), input.statistics->rings()[r].series);
  for (const auto& [where, bank] : input.statistics->banks()) add_series(all, bank_name(where), bank.series);
  return all;
}

// Start to completion of each opcode's words, in cycles of their engine.
Json latencies(const Statistics& statistics) {
  Json all = Json::object();
  for (const auto& [mnemonic, l] : statistics.latencies()) {
    Json classes = Json::object();
    for (std::size_t k = 0; k < l.classes.size(); ++k) {
      if (l.classes[k] != 0) classes[std::to_string(k == 0 ? 0 : std::uint64_t{1} << (k - 1))] = l.classes[k];
    }
    all[mnemonic] = {{"words", l.words},
                     {"shortest", l.shortest},
                     {"mean", to_three_decimals(l.mean())},
                     {"longest", l.longest},
                     {"histogram", classes}};
  }
  return all;
}

Json traffic(const Statistics& statistics) {
  Json all = Json::object();
  for (const TrafficStatistics& t : statistics.traffic())
    all[t.name] = {{"user", t.user},
                   {"passes", t.counters.passes},
                   {"bytes", t.counters.bytes},
                   {"busy_ns", to_three_decimals(static_cast<double>(t.counters.busy_fs) / 1e6)},
                   {"stall_cycles", t.counters.stalls}};
  return all;
}

Json limits(const ReportInput& input) {
  Json all = Json::object();
  for (const ResourceBound& b : roofline(*input.statistics, input.effective->config))
    all[b.resource] = to_three_decimals(b.ns);
  return all;
}

Json waits(const Deadlock& deadlock) {
  Json all = Json::array();
  for (const Waiting& w : deadlock.waits)
    all.push_back({{"who", w.who},
                   {"word", w.word},
                   {"pc", w.pc},
                   {"opcode", w.who == "host" || !w.label.empty() ? std::string() : isa::opcode_name(w.opcode)},
                   {"condition", w.condition},
                   {"value", w.value},
                   {"last_change", w.last_change},
                   {"updated_by", w.updated_by}});
  return all;
}

Json banks(const Statistics& statistics) {
  Json all = Json::object();
  for (const auto& [where, bank] : statistics.banks())
    all[bank_name(where)] = {
        {"read_bytes", bank.read_bytes}, {"write_bytes", bank.write_bytes}, {"conflicts", bank.conflicts}};
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

Json bound_point(const BoundPoint& point) {
  Json j;
  std::visit([&j](const auto& value) { j["value"] = value; }, point.value);
  j["cycles"] = point.cycles;
  return j;
}

Json bounds(const std::vector<Bound>& list) {
  Json all = Json::object();
  for (const Bound& b : list)
    all[b.key->name] = {{"low", bound_point(b.low)},
                        {"default", bound_point(b.normal)},
                        {"high", bound_point(b.high)},
                        {"source", b.source}};
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

Json rtl_lanes_of(const rtl::RtlLanes& lanes) {
  const rtl::LaneShape& shape = lanes.shape();
  const rtl::RtlCounters& c = lanes.counters();
  return {{"lanes", shape.lanes},
          {"stages", shape.stages},
          {"acc_stages", shape.acc_stages},
          {"interleave", shape.interleave},
          {"words", c.words},
          {"elements", c.elements},
          {"cycles", c.cycles}};
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
  j["abstraction"] = config::to_string(config::find_key("abstraction")->get(input.effective->config));
  if (input.no_data) j["no_data"] = true;
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
  j["traffic"] = traffic(*input.statistics);
  j["bandwidth"] = timed ? bandwidth(input) : Json::object();
  j["latency_cycles"] = timed ? latencies(*input.statistics) : Json::object();
  j["roofline_ns"] = timed ? limits(input) : Json::object();
  j["compare"] = compare(input.comparisons);
  j["faults"] = faults(input.faults);
  if (!input.dma_faults.empty()) j["dma_faults"] = input.dma_faults;
  j["waits"] = waits(input.outcome->deadlock);
  j["warnings"] = input.warnings;
  j["numerics"] = numerics(input.effective->config);
  if (input.rtl != nullptr) j["rtl"] = rtl_lanes_of(*input.rtl);
  if (!input.bounds.empty()) j["bounds"] = bounds(input.bounds);
  return j.dump(1) + "\n";
}

std::string session_report(const config::Effective& effective, const RunOutcome& outcome, const Session& session,
                           const layer::Layer* layer, const std::vector<layer::TensorComparison>& comparisons,
                           bool compare_failed, const std::vector<Bound>& bounds) {
  ReportInput input;
  input.status = status_name(outcome.status, compare_failed);
  input.effective = &effective;
  input.outcome = &outcome;
  input.statistics = &session.statistics();
  input.layer = layer;
  input.faults = faults_of(session.core());
  input.dma_faults = session.core().dma.faults();
  input.warnings = session.warnings();
  input.no_data = session.no_data();
  input.rtl = session.rtl();
  input.comparisons = comparisons;
  input.bounds = bounds;
  for (const isa::Engine engine : isa::kEngines) {
    const PortTraffic& fetched = session.core().seq(engine).fetched();
    input.fetched.read += fetched.read;
    input.fetched.transactions += fetched.transactions;
  }
  return report(input);
}

std::string profile_text(const Profile& profile) {
  const Json j = {{"elaborate_s", profile.elaborate_s}, {"simulate_s", profile.simulate_s}, {"words", profile.words}};
  return j.dump(1) + "\n";
}

}  // namespace dve::app
