// dve-sim with several users at the ports: the approximately and the loosely timed run write the same report, all three
// abstractions the same bytes; and where the ports' bandwidth is just enough.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process.h"
#include "system/sim_checks.h"

namespace dve {
namespace contention_test {
namespace {

using namespace testing_support;
using namespace sim_checks;
using nlohmann::json;

// ---- Layers beside neighbours ----

json stream(const char* name, const char* user, const char* space, const char* direction, int bytes, json more) {
  json s = {{"name", name}, {"user", user}, {"space", space}, {"direction", direction}, {"bytes_per_partition", bytes}};
  s.update(more);
  return s;
}

// PE in bursts and DMA; with `engines` ACT and POOL, which the program then does not use, with `psum` PE's results.
std::string neighbours(bool engines, bool psum, bool dma) {
  json streams = {stream("operands", "pe0", "sbuf", "read", 8192,
                         {{"burst_beats", 100}, {"burst_gap_cycles", 37}, {"repeat", 100000}}),
                  stream("second", "pe1", "sbuf", "read", 1000, {{"offset", 16384}, {"start_ns", 333.3}})};
  if (dma) {
    streams.push_back(stream("load", "dma0", "sbuf", "write", 4096, {{"bytes_per_ns", 184}, {"repeat", 100000}}));
    streams.push_back(stream("store", "dma7", "sbuf", "read", 2048, {{"bytes_per_ns", 23}, {"repeat", 100000}}));
  }
  if (engines) {
    streams.push_back(stream("act", "act", "sbuf", "read", 6000, {{"bytes_per_ns", 300}, {"repeat", 100000}}));
    streams.push_back(stream("pool", "pool", "sbuf", "write", 5000, {{"offset", 0x2000}, {"repeat", 3}}));
    streams.push_back(stream("pool later", "pool", "sbuf", "read", 800, {{"after", "pool"}, {"repeat", 100000}}));
  }
  if (psum)
    streams.push_back(stream("sums", "pe2", "psum", "write", 2000, {{"bytes_per_ns", 500}, {"repeat", 100000}}));
  return json{{"schema", 1}, {"streams", streams}}.dump();
}

struct Situation {
  std::string name;
  std::string arguments;  // layer and options
  std::string traffic;    // text of the traffic file; empty: none
};

void PrintTo(const Situation& s, std::ostream* out) { *out << s.name << ": " << s.arguments; }

// The output folder of a run.
std::string run(const ScratchFolder& scratch, const Situation& s, const std::string& label, const std::string& more,
                bool traffic = true) {
  const std::string folder = scratch / label;
  std::string arguments = "run " + s.arguments + " --out " + folder + " " + more;
  if (traffic && !s.traffic.empty()) {
    write_text(scratch / "traffic.json", s.traffic);
    arguments += " --traffic " + (scratch / "traffic.json");
  }
  const ProcessResult r = dve_sim(arguments);
  EXPECT_EQ(r.code, 0) << arguments << "\n" << r.out << r.err;
  return folder;
}

// Keys of the configuration that a run may differ in.
json report_without(const std::string& folder, const std::vector<std::string>& keys) {
  json report = report_of(folder);
  report.erase("abstraction");
  for (const std::string& key : keys) {
    report.erase(key);
    if (report.contains("config")) report["config"].erase(key);
    if (report.contains("configuration")) report["configuration"].erase(key);
  }
  return report;
}

void expect_same_report(const json& a, const json& b, const std::string& what) {
  const json difference = json::diff(a, b);
  EXPECT_TRUE(difference.empty()) << what << ": " << difference.dump(1).substr(0, 1500);
}

void expect_same_arrays(const std::string& a, const std::string& b) {
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(a)) {
    if (entry.path().extension() != ".npy") continue;
    EXPECT_EQ(read_text(entry.path()), read_text(std::filesystem::path(b) / entry.path().filename())) << entry.path();
    ++compared;
  }
  EXPECT_GE(compared, 3U);
}

// Every cycle is in one bucket.
void expect_buckets(const json& report) {
  for (const auto& [name, engine] : report["engines"].items()) {
    std::uint64_t sum = 0;
    for (const auto& [bucket, cycles] : engine.items()) {
      ASSERT_TRUE(cycles.is_number_unsigned()) << name << " " << bucket;
      if (bucket != "cycles") sum += cycles.get<std::uint64_t>();
    }
    EXPECT_EQ(sum, engine["cycles"].get<std::uint64_t>()) << name;
  }
}

std::uint64_t lost(const json& report) {
  std::uint64_t cycles = 0;
  for (const auto& entry : report["engines"])
    cycles += entry["operand_wait"].get<std::uint64_t>() + entry["write_wait"].get<std::uint64_t>() +
              entry["bank_conflict"].get<std::uint64_t>();
  return cycles;
}

class ContendedLayer : public testing::TestWithParam<Situation> {};

TEST_P(ContendedLayer, IsTheSameInBothAbstractions) {
  const ScratchFolder scratch;
  const std::string at = run(scratch, GetParam(), "at", "--abstraction at");
  const std::string lt = run(scratch, GetParam(), "lt", "--abstraction lt");
  const json report = report_without(at, {});
  expect_same_report(report, report_without(lt, {}), "lt against at");
  expect_buckets(report);
  const std::string functional = run(scratch, GetParam(), "functional", "--abstraction functional", false);
  expect_same_arrays(functional, at);
  expect_same_arrays(functional, lt);
  if (GetParam().traffic.empty()) return;
  const json quiet = report_without(run(scratch, GetParam(), "quiet", "--abstraction lt", false), {});
  EXPECT_GT(lost(report), lost(quiet)) << "the neighbours cost nothing";
  EXPECT_GE(report["cycles"], quiet["cycles"]);
}

std::vector<Situation> situations() {
  std::vector<Situation> list;
  const std::string backward = layer_folder("10"), full = layer_folder("10") + " --step full";
  for (const std::string generation : {"sunda", "cayman", "mariana", "mariana_plus", "maverick"}) {
    const bool psum = generation != "maverick";
    const std::string config = " --config " + generation;
    list.push_back({generation, backward + config, neighbours(true, psum, true)});
    list.push_back({generation + "_bf16_statistics", backward + config + " --dtype bf16 --device-stats",
                    neighbours(true, psum, true)});
    list.push_back({generation + "_full", full + config, neighbours(false, psum, true)});
    list.push_back({generation + "_full_quiet", full + config, ""});
    if (psum)
      list.push_back({generation + "_psum", backward + config + " --set place.x=psum", neighbours(true, true, true)});
  }
  for (const std::string layer : {"1", "4", "7"})
    list.push_back({"layer_" + layer, layer_folder(layer), neighbours(true, true, true)});
  const std::string hbm = " --set place.x=hbm --set place.dy=hbm --set place.dx=hbm --set dma.tile_elements=32";
  list.push_back({"hbm", backward + hbm, neighbours(true, true, false)});
  list.push_back({"hbm_quiet", backward + hbm, ""});
  list.push_back({"hbm_sunda", layer_folder("7") + " --config sunda --set place.x=hbm", neighbours(true, true, false)});
  const auto vary = [&](const char* name, const std::vector<std::string>& sets) {
    std::string arguments = full;
    for (const std::string& set : sets) arguments += " --set memory." + set;
    list.push_back({name, arguments, neighbours(false, true, true)});
  };
  vary("strict_wheel", {"tdm=strict"});
  vary("no_wheel", {"tdm=none"});
  vary("weights", {"pe.weight=5", "dve.weight=3", "act.weight=15", "dma.weight=2"});
  vary("priorities", {"pe.priority=6", "pool.priority=7", "dma.priority=2", "dve.priority=1"});
  vary("throttles", {"dve.read_window=43", "dve.read_beats=9", "act.write_window=16", "act.write_beats=3",
                     "dma.write_window=100", "dma.write_beats=11"});
  vary("rotate", {"sbuf_shared=rotate"});
  vary("exclusive", {"sbuf_shared=exclusive", "psum_shared=exclusive"});
  vary("port_of_1", {"port_bytes=1"});
  vary("port_of_2", {"port_bytes=2"});
  vary("port_of_7", {"port_bytes=7"});
  vary("buffers_of_1", {"buffer_beats=1"});
  vary("banks_of_1024", {"sbuf_bank_bytes=1024", "psum_bank_bytes=256"});
  vary("slow_memory", {"clock_mhz=700.7"});
  return list;
}
INSTANTIATE_TEST_SUITE_P(Situations, ContendedLayer, testing::ValuesIn(situations()),
                         [](const auto& named) { return named.param.name; });

// The quantum and the way of the data are no matter of time.
TEST(ContendedLayer, DependsOnNeitherQuantumNorDmi) {
  const ScratchFolder scratch;
  const Situation s = {"", layer_folder("10") + " --step full", neighbours(false, true, true)};
  for (const std::string abstraction : {"lt", "at"}) {
    const std::string base = "--abstraction " + abstraction + " --set ";
    const std::vector<std::string> keys = {"quantum_ns", "dmi"};
    const json report = report_without(run(scratch, s, abstraction, base + "quantum_ns=1000"), keys);
    for (const std::string set : {"quantum_ns=0", "quantum_ns=1", "quantum_ns=1000000", "dmi=false"})
      expect_same_report(report, report_without(run(scratch, s, abstraction + set, base + set), keys),
                         abstraction + " with " + set);
  }
}

// ---- Just enough ----

// A bf16 copy in the fastest mode: 4 elements, 8 bytes, a cycle (microarchitecture.md 7.2), and the memories' clock is
// the DVE's.
json copy_report(const ScratchFolder& scratch, const std::string& abstraction, const std::string& more) {
  write_text(scratch / "copy.dasm", "copy src=sbuf[0]+0x0:bf16{4096} dst=sbuf[0]+0x8000:bf16{4096} channels=128\n");
  const ProcessResult r =
      dve_sim("exec " + (scratch / "copy.dasm") + " --set timing.dve.clock_mhz=1200 --set memory.clock_mhz=1200 " +
              "--abstraction " + abstraction + " --out " + (scratch / "out") + " " + more);
  EXPECT_EQ(r.code, 0) << r.err;
  return report_of(scratch / "out");
}

constexpr std::uint64_t kStream = 1024, kDrain = 144;  // S, L

TEST(PortBandwidth, DemandAtTheLimitIsServedWithoutALostCycle) {
  const ScratchFolder scratch;
  for (const std::string abstraction : {"at", "lt"}) {
    for (const std::string set : {"memory.port_bytes=8", "memory.port_bytes=65536", "memory.buffer_beats=1"}) {
      const json report = copy_report(scratch, abstraction, "--set " + set);
      EXPECT_EQ(lost(report), 0U) << abstraction << " " << set;
      EXPECT_EQ(report["cycles"], kStream + kDrain) << abstraction << " " << set;
    }
  }
}

// ceil(8192 / port) beats at one a cycle, instead of 1024 cycles.
TEST(PortBandwidth, APortThatIsTooNarrowCostsTheCyclesOfItsBeats) {
  const ScratchFolder scratch;
  for (const std::string abstraction : {"at", "lt"}) {
    for (const std::uint64_t port : {1U, 2U, 4U, 7U}) {
      const json report = copy_report(scratch, abstraction, "--set memory.port_bytes=" + std::to_string(port));
      // An element that is wider than the port is a beat.
      const std::uint64_t beat = port < 2 ? 2 : port;
      const std::uint64_t beats = (8192 + beat - 1) / beat;
      EXPECT_NEAR(report["cycles"].get<double>(), static_cast<double>(beats + kDrain), 1) << abstraction << " " << port;
      EXPECT_EQ(lost(report), report["cycles"].get<std::uint64_t>() - kStream - kDrain) << abstraction << " " << port;
      EXPECT_GE(report["cycles"], beats + kDrain - 1) << "never more than a beat a cycle";
    }
  }
}

TEST(PortBandwidth, ASlowerMemoryIsTheLimit) {
  const ScratchFolder scratch;
  for (const std::string abstraction : {"at", "lt"}) {
    const json report = copy_report(scratch, abstraction, "--set memory.clock_mhz=1150");
    // 1024 beats of 1150 MHz in cycles of 1200 MHz, rounded up.
    EXPECT_NEAR(report["cycles"].get<double>(), 1024 * 1200.0 / 1150 + kDrain, 1.5) << abstraction;
    EXPECT_GT(lost(report), 0U) << abstraction;
  }
}

}  // namespace
}  // namespace contention_test
}  // namespace dve
