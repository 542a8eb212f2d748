// Programs of several engines that meet at the ports of SBUF and PSUM: approximately and loosely timed runs tell the
// same story word by word, whatever the quantum and with or without DMI, and nothing is lost or invented on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "dve/core/core.h"
#include "dve/ports/ports.h"
#include "support/core_bench.h"
#include "support/random_operands.h"
#include "system/child.h"
#include "system/contended_programs.h"

namespace dve {
namespace contention_programs_test {
namespace {

using namespace testing_support;
using isa::Engine;
using isa::Generation;

struct Situation {
  std::string name;
  Generation generation = Generation::cayman;
  std::vector<std::string> sets;
  bool chained = false;
  bool traffic = false;
  unsigned seed = 1;
  std::uint64_t traffic_bytes = 4000;  // of each partition, in a pass of a neighbour
  bool data = true;
};
void PrintTo(const Situation& s, std::ostream* out) { *out << s.name; }

NeuronCoreConfig core_config(const Situation& s, const std::vector<std::string>& more) {
  std::vector<std::string> sets = s.sets;
  sets.insert(sets.end(), more.begin(), more.end());
  NeuronCoreConfig c;
  c.settings = preset(s.generation, sets);
  c.host_memory_bytes = kHostMemoryBytes;
  c.data = s.data;
  if (s.traffic) c.traffic = contended_neighbours(s.generation, s.traffic_bytes);
  return c;
}

class Simulation {
 public:
  Simulation(const Situation& s, const std::vector<std::string>& more) : situation_(s) {
    NeuronCoreConfig c = core_config(s, more);
    c.hooks.retired = [this](const Retirement& word) { retired_.push_back(word); };
    core_ = std::make_unique<NeuronCore>("core", c);
    host_ = std::make_unique<Host>("host", *core_, [this](Host& h) { body(h); });
  }
  // Everything that the abstraction must not change, as text; and "WRONG" where something does not add up.
  std::string run() {
    const RunOutcome outcome = simulate(*core_, *host_);
    add("status", {static_cast<std::uint64_t>(outcome.status), outcome.cycles.value, outcome.femtoseconds});
    for (const WordFinding& fault : faults_of(*core_)) text_ += "fault " + isa::to_string(fault.finding) + "\n";
    add_words();
    add_statistics();
    check_ports();
    check_memories();
    return text_;
  }

 private:
  void body(Host& host) {
    Rng random(7);
    const auto fill = [&](isa::Space space, std::uint32_t bytes) {
      for (std::uint32_t p = 0; p < kContendedChannels; ++p) {
        const std::vector<std::uint8_t> data = mixed_bytes(bytes, random);
        host.write(isa::Place{space, isa::Partition{p}, 0}, data.data(), data.size());
        host_bytes_ += bytes;
      }
    };
    if (situation_.data) fill(isa::Space::sbuf, kContendedSbufBytes);
    if (situation_.data && core_->psum) fill(isa::Space::psum, kContendedPsumBytes);
    constexpr std::size_t kWords = 20;  // of each engine
    CoreBench::execute(host, situation_.chained ? chained_programs(situation_.generation, situation_.seed, kWords)
                                                : independent_programs(situation_.generation, situation_.seed, kWords));
    if (!situation_.data) return;
    add_memory(host, isa::Space::sbuf, kContendedSbufBytes);
    if (core_->psum) add_memory(host, isa::Space::psum, kContendedPsumBytes);
  }

  void add(const std::string& what, const std::vector<std::uint64_t>& values) {
    text_ += what;
    for (const std::uint64_t value : values) text_ += " " + std::to_string(value);
    text_ += "\n";
  }
  void check(bool holds, const std::string& what) {
    if (!holds) text_ += "WRONG: " + what + "\n";
  }

  void add_memory(Host& host, isa::Space space, std::uint32_t bytes) {
    std::uint64_t sum = 0;
    std::vector<std::uint8_t> data(bytes);
    for (std::uint32_t p = 0; p < kContendedChannels; ++p) {
      host.read(isa::Place{space, isa::Partition{p}, 0}, data.data(), data.size());
      host_bytes_ += bytes;
      for (const std::uint8_t byte : data) sum = sum * 1099511628211U + byte + 1;
    }
    add("memory", {sum});
  }

  // Words in the order of their engine: the order between engines is that of simulation, not of time.
  void add_words() {
    for (const Engine engine : isa::kEngines) {
      for (const Retirement& w : retired_) {
        if (w.engine != engine) continue;
        const timing::Schedule& s = w.schedule;
        add(std::string(isa::to_string(engine)) + " " + isa::opcode_name(w.bits.opcode_byte()),
            {w.word, s.start.value, s.read_done.value, s.complete.value, s.next_issue.value, s.wait_wait.value,
             s.hazard_wait.value, s.stalls.bank, s.stalls.operand, s.stalls.write, w.traffic[0].beats,
             w.traffic[1].beats, w.traffic[2].beats});
        stalls_ += s.stalls.total();
        check_roofline(w);
      }
    }
  }

  // No operand moves more than a beat in a cycle of the memories, but for a few results after the stream.
  void check_roofline(const Retirement& w) {
    const std::uint64_t cycles = (w.schedule.read_done - w.schedule.start).value;
    const std::uint64_t engine_hz = config::timing_of(core_->settings(), w.engine).clock_hz;
    for (const auto port : {IssueExtension::read0, IssueExtension::read1, IssueExtension::write}) {
      const std::uint64_t after = port == IssueExtension::write ? 4 : 1;
      const std::uint64_t beats = std::max(w.traffic[port].beats, after) - after;
      check(cycles * config::ports_of(core_->settings()).clock_hz >= beats * engine_hz, "faster than the port");
    }
  }

  void add_statistics() {
    Statistics statistics;
    for (const Retirement& w : retired_)
      statistics.retire(w, timing::Clock(config::timing_of(core_->settings(), w.engine).clock_hz));
    statistics.finish(*core_);
    for (const Engine engine : isa::kEngines) {
      const CycleBuckets& b = statistics.engine(engine).buckets();
      const std::vector<std::uint64_t> parts = {b.busy,          b.issue_gap,      b.operand_wait, b.write_wait,
                                                b.bank_conflict, b.semaphore_wait, b.fetch,        b.idle};
      add("buckets", parts);
      check(std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}) == b.cycles, "buckets do not add up");
      check(b.cycles == core_->seq(engine).cycles().value, "buckets do not cover the engine's cycles");
    }
    for (const auto& [where, bank] : statistics.banks())
      add("bank",
          {static_cast<std::uint64_t>(where.first), where.second, bank.read_bytes, bank.write_bytes, bank.conflicts});
    for (const TrafficStatistics& t : statistics.traffic())
      add("traffic " + t.name, {t.counters.passes, t.counters.bytes, t.counters.busy_fs, t.counters.stalls});
    add("stalls", {stalls_});
  }

  // All beats and bytes that were asked for have been answered, and no others.
  void check_ports() {
    const auto* ports = dynamic_cast<const ApproximatelyTimedPorts*>(core_->ports.get());
    if (ports == nullptr) return;
    check(!ports->outstanding(), "beats are outstanding");
    std::uint64_t beats = 0, bytes = 0;
    for (const Retirement& w : retired_) {
      for (const auto port : {IssueExtension::read0, IssueExtension::read1, IssueExtension::write}) {
        beats += w.traffic[port].beats;
        bytes += (w.traffic[port].read + w.traffic[port].written).value;
      }
    }
    const std::uint64_t port_bytes = core_->settings().ports.port_bytes.value;
    for (const auto& source : core_->traffic) {
      beats += (source->stream().bytes_per_partition + port_bytes - 1) / port_bytes * source->counters().passes;
      bytes += source->counters().bytes;
    }
    const std::string counted = std::to_string(ports->arbiter().beats()) + " beats, " +
                                std::to_string(ports->arbiter().bytes()) + " bytes, expected ";
    check(ports->arbiter().beats() == beats && ports->arbiter().bytes() == bytes,
          counted + std::to_string(beats) + ", " + std::to_string(bytes));
  }

  // What the engines say they moved is what the memories moved, less the host's part.
  void check_memories() {
    if (core_->settings().dmi) return;
    std::uint64_t moved = 0, counted = 0;
    for (const Retirement& w : retired_) {
      for (const auto port : {IssueExtension::read0, IssueExtension::read1, IssueExtension::write})
        moved += (w.traffic[port].read + w.traffic[port].written).value;
    }
    const auto count = [&](const PartitionedMemory& m) {
      counted += m.counters().read_bytes + m.counters().write_bytes;
    };
    count(core_->sbuf);
    if (core_->psum) count(*core_->psum);
    check(counted == moved + host_bytes_, "the memories moved " + std::to_string(counted) + " bytes, the ports " +
                                              std::to_string(moved) + ", the host " + std::to_string(host_bytes_));
  }

  Situation situation_;
  std::unique_ptr<NeuronCore> core_;
  std::unique_ptr<Host> host_;
  std::vector<Retirement> retired_;
  std::uint64_t host_bytes_ = 0, stalls_ = 0;
  std::string text_;
};

std::string story(const Situation& s, const std::vector<std::string>& more) {
  return in_child([&] { return Simulation(s, more).run(); });
}

// The first line in which two stories differ.
std::string first_difference(const std::string& a, const std::string& b) {
  std::size_t line = 0, at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) {
    if (a[at] == '\n') line = at + 1;
    ++at;
  }
  if (a == b) return "";
  return a.substr(line, a.find('\n', line) - line) + "\nagainst\n" + b.substr(line, b.find('\n', line) - line);
}

class ContendedPrograms : public testing::TestWithParam<Situation> {};

// The contents of the memories, which come first.
std::string memories(const std::string& story) { return story.substr(0, story.find("status")); }

// The rest.
std::string times(const std::string& story) { return story.substr(story.find("status")); }

void expect_sound(const std::string& story) {
  EXPECT_EQ(story.rfind("memory ", 0), 0U) << story;
  EXPECT_NE(story.find("\nstatus 0 "), std::string::npos) << story.substr(0, 2000);
  const std::size_t wrong = story.find("WRONG");
  EXPECT_EQ(wrong, std::string::npos) << story.substr(wrong == std::string::npos ? 0 : wrong, 300);
}

TEST_P(ContendedPrograms, TellTheSameStoryInBothAbstractions) {
  Situation s = GetParam();
  std::size_t met = 0;
  for (unsigned k = 0; k < 4; ++k) {
    s.seed = GetParam().seed + k;
    s.chained = k % 2 == 1;
    SCOPED_TRACE(testing::Message() << (s.chained ? "chained" : "independent") << ", seed " << s.seed);
    const std::string at = story(s, {"abstraction=at", "dmi=false"});
    expect_sound(at);
    if (at.find("\nstalls 0\n") == std::string::npos) ++met;
    for (const auto& more : std::vector<std::vector<std::string>>{{"abstraction=lt", "dmi=false"},
                                                                  {"abstraction=lt", "quantum_ns=0"},
                                                                  {"abstraction=lt", "quantum_ns=1000000"},
                                                                  {"abstraction=lt", "quantum_ns=1"}}) {
      const std::string lt = story(s, more);
      expect_sound(lt);
      EXPECT_EQ(first_difference(at, lt), "") << "at against " << more[0] << " " << more[1];
    }
    Situation quiet = s;
    quiet.traffic = false;
    EXPECT_EQ(memories(story(quiet, {"abstraction=functional"})), memories(at));
  }
  EXPECT_GE(met, 2U) << "nobody met";
  for (const char* quantum : {"quantum_ns=0", "quantum_ns=1000000"})
    EXPECT_EQ(first_difference(story(s, {"abstraction=at", "dmi=false"}), story(s, {"abstraction=at", quantum})), "");
}

TEST_P(ContendedPrograms, TakeTheSameTimeWithoutData) {
  Situation s = GetParam();
  for (const bool chained : {false, true}) {
    s.chained = chained;
    for (const char* abstraction : {"abstraction=lt", "abstraction=at"}) {
      Situation without = s;
      without.data = false;
      EXPECT_EQ(first_difference(times(story(s, {abstraction})), times(story(without, {abstraction}))), "")
          << abstraction << (chained ? " chained" : "");
    }
  }
}

std::vector<Situation> situations() {
  std::vector<Situation> list;
  unsigned seed = 1;
  for (const Generation generation : isa::kGenerations) {
    for (const bool traffic : {false, true}) {
      const std::string name = std::string(isa::to_string(generation)) + (traffic ? "_traffic" : "");
      list.push_back({name, generation, {}, false, traffic, seed += 10});
    }
  }
  const auto vary = [&](const char* name, const std::vector<std::string>& sets) {
    list.push_back({name, Generation::cayman, sets, false, true, seed += 10});
  };
  vary("strict_wheel", {"memory.tdm=strict"});
  vary("strict_wheel_of_dma", {"memory.tdm=strict", "memory.tdm_dma_slots=5"});
  vary("no_wheel", {"memory.tdm=none"});
  vary("ranks", {"memory.act.priority=5", "memory.pool.priority=3", "memory.pe.priority=4", "memory.dve.weight=7"});
  vary("weights", {"memory.act.weight=15", "memory.dve.weight=3", "memory.pe.weight=4", "memory.pool.weight=2"});
  vary("throttles", {"memory.dve.read_window=43", "memory.dve.read_beats=9", "memory.act.write_window=16",
                     "memory.act.write_beats=3", "memory.dma.write_window=100", "memory.dma.write_beats=11"});
  vary("rotate", {"memory.sbuf_shared=rotate"});
  vary("shared_with_nobody", {"memory.sbuf_shared=none"});
  vary("exclusive", {"memory.sbuf_shared=exclusive", "memory.psum_shared=exclusive"});
  vary("ports_of_a_byte", {"memory.port_bytes=1"});
  vary("ports_of_two_bytes", {"memory.port_bytes=2"});
  vary("ports_of_seven_bytes", {"memory.port_bytes=7"});
  vary("ports_of_four_kilobytes", {"memory.port_bytes=4096"});
  list.back().traffic_bytes = 100'000;
  vary("buffers_of_one_beat", {"memory.buffer_beats=1"});
  vary("slow_memory", {"memory.clock_mhz=500"});
  vary("odd_clocks", {"memory.clock_mhz=1399.999999", "timing.dve.clock_mhz=977.7"});
  // The next word of a throttled engine starts while the last beats of the word before are being written.
  list.push_back({"throttled_without_gaps",
                  Generation::mariana,
                  {"memory.tdm_slots=5", "memory.port_bytes=2", "memory.act.priority=3", "memory.pool.priority=5",
                   "memory.dve.read_window=20", "memory.dve.read_beats=7", "timing.dve.issue_gap=0", "timing.sem_ns=0"},
                  false,
                  true,
                  1950});
  return list;
}
INSTANTIATE_TEST_SUITE_P(Situations, ContendedPrograms, testing::ValuesIn(situations()),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace contention_programs_test
}  // namespace dve
