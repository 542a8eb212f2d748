// Without neighbours, time is the closed form of microarchitecture.md 8 to the cycle, in both timed abstractions, for
// every word with operands, on every generation and clock: the ports never starve a word that is alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dve/ports/ports.h"
#include "support/core_bench.h"
#include "support/words.h"
#include "system/uncontended_words.h"

namespace dve {
namespace uncontended_test {
namespace {

using namespace testing_support;
using isa::Engine;
using isa::Generation;

constexpr std::size_t kLongestProgram = kHostMemoryBytes / isa::kWordBytes;

config::Config settings_of(Generation generation, const char* abstraction, const std::vector<std::string>& sets) {
  std::vector<std::string> all = sets;
  all.push_back(std::string("abstraction=") + abstraction);
  all.emplace_back("timing.same_engine_raw=none");  // words one after the other, whatever they touch
  return preset(generation, all);
}

FormulaEngine formula_engine(const config::Config& settings, Generation generation, Engine engine) {
  FormulaEngine e;
  e.generation = generation;
  e.engine = engine;
  const timing::Parameters p = config::timing_of(settings, engine);
  e.clock_hz = p.clock_hz;
  e.min_ii = p.min_ii.value;
  e.issue_gap = p.issue_gap.value;
  e.fill_drain = p.fill_drain.value;
  e.two_source_cycles = static_cast<std::uint64_t>(p.two_source_cycles);
  return e;
}

// The catalogues of three engines on one core.
struct CoreRun {
  std::string name;
  CoreBench bench;
  CoreRun(const config::Config& settings, const std::string& which) : name(which), bench(settings, which.c_str()) {}
};

struct Catalogues {
  std::map<Engine, FormulaEngine> engines;
  std::map<Engine, FormulaCatalogue> words;
  std::size_t count() const {
    std::size_t n = 0;
    for (const auto& entry : words) n += entry.second.words.size();
    return n;
  }
};

Catalogues catalogues(const config::Config& settings, Generation generation, bool thorough) {
  Catalogues all;
  for (const Engine engine : isa::kEngines) {
    all.engines[engine] = formula_engine(settings, generation, engine);
    all.words[engine] = formula_words(all.engines[engine], thorough);
  }
  return all;
}

void zero_memories(Host& host, Generation generation) {
  const std::vector<std::uint8_t> zeros(0x30000);
  for (std::uint32_t p = 0; p < 32; ++p) host.write(sbuf(p, 0), zeros.data(), zeros.size());
  if (isa::geometry(generation, isa::Space::psum).exists()) {
    for (std::uint32_t p = 0; p < 32; ++p) host.write(psum(p, 0), zeros.data(), 16384);
  }
}

// Engine after engine, so that each is alone.
void execute(Host& host, const Catalogues& all) {
  for (const Engine engine : isa::kEngines) {
    std::vector<isa::Word> program;
    for (const FormulaWord& w : all.words.at(engine).words) {
      program.push_back(w.word);
      if (program.size() < kLongestProgram) continue;
      CoreBench::execute(host, {EngineProgram{engine, program}});
      program.clear();
    }
    if (!program.empty()) CoreBench::execute(host, {EngineProgram{engine, program}});
  }
}

// Each word against the formula; a program begins where its first word does.
void expect_formula(const CoreRun& run, const Catalogues& all, Engine engine) {
  const FormulaEngine& e = all.engines.at(engine);
  const std::vector<FormulaWord>& words = all.words.at(engine).words;
  const std::vector<Retirement> retired = run.bench.retired_by(engine);
  ASSERT_EQ(retired.size(), words.size()) << run.name;
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const timing::Schedule& s = retired[i].schedule;
    if (i % kLongestProgram == 0) start = s.start.value;
    const std::uint64_t stream = words[i].stream;
    const std::uint64_t interval = stream >= e.min_ii ? stream + e.issue_gap : e.min_ii;
    const auto message = [&] { return run.name + " " + std::string(isa::to_string(engine)) + ": " + words[i].what; };
    ASSERT_EQ(s.start.value, start) << message();
    ASSERT_EQ(s.stalls.total(), 0U) << message();
    ASSERT_EQ(s.read_done.value, start + stream) << message();
    ASSERT_EQ(s.complete.value, start + stream + e.fill_drain) << message();
    ASSERT_EQ(s.next_issue.value, start + interval) << message();
    start += interval;
  }
}

// The roofline is never beaten: no operand moves more than a beat in a cycle of the memories.
void expect_roofline(const CoreRun& run, const Catalogues& all, std::uint64_t memory_hz) {
  for (const Retirement& word : run.bench.retired) {
    const std::uint64_t engine_hz = all.engines.at(word.engine).clock_hz;
    const std::uint64_t stream = word.schedule.read_done.value - word.schedule.start.value;
    for (const IssueExtension::Port port : {IssueExtension::read0, IssueExtension::read1, IssueExtension::write}) {
      const std::uint64_t beats = word.traffic[port].beats;
      // The last few results are written after the stream, in L.
      const std::uint64_t tail = port == IssueExtension::write ? std::min<std::uint64_t>(beats, 4) : 0;
      ASSERT_GE(stream * memory_hz, (beats - tail - (beats > tail ? 1 : 0)) * engine_hz)
          << run.name << ": word " << word.word << " of " << isa::to_string(word.engine);
    }
  }
}

std::uint64_t beats_of(const CoreRun& run) {
  std::uint64_t beats = 0;
  for (const Retirement& word : run.bench.retired) {
    for (const PortTraffic& traffic : word.traffic) beats += traffic.beats;
  }
  return beats;
}

void expect_refused(const Catalogues& all, Generation generation) {
  isa::LegalityOptions options;
  options.generation = generation;
  std::size_t refused = 0;
  for (const auto& [engine, catalogue] : all.words) {
    options.engine = engine;
    for (const FormulaWord& word : catalogue.refused) {
      EXPECT_FALSE(isa::check(word.word, options).empty()) << word.what;
      ++refused;
    }
  }
  EXPECT_GT(refused, 100U);
  testing::Test::RecordProperty("refused", static_cast<int>(refused));
}

// Every opcode of the engine that has operands is there.
void expect_all_opcodes(const Catalogues& all, Generation generation) {
  for (const Engine engine : isa::kEngines) {
    std::map<std::uint8_t, std::size_t> words;
    for (const FormulaWord& w : all.words.at(engine).words) ++words[w.word.opcode_byte()];
    for (const isa::Opcode opcode : isa::all_opcodes()) {
      if (isa::is_control_opcode(isa::code(opcode)) || !isa::engines_of(isa::code(opcode)).contains(engine)) continue;
      // isa.md 16, isa-neighbours.md 1.
      const bool gone = generation == Generation::maverick && (opcode == isa::Opcode::batch_norm_grad_accumulate ||
                                                               opcode == isa::Opcode::activation_read_accumulator);
      EXPECT_EQ(words[isa::code(opcode)] > 0, !gone) << isa::to_string(engine) << " " << isa::mnemonic(opcode);
    }
  }
}

struct Situation {
  Generation generation;
  const char* clock_mhz;  // of the DVE
  bool thorough;
};
class Uncontended : public testing::TestWithParam<Situation> {};

TEST_P(Uncontended, TimeIsTheClosedForm) {
  const Situation situation = GetParam();
  const std::vector<std::string> sets = {"timing.dve.clock_mhz=" + std::string(situation.clock_mhz)};
  const config::Config at_settings = settings_of(situation.generation, "at", sets);
  const Catalogues all = catalogues(at_settings, situation.generation, situation.thorough);
  expect_all_opcodes(all, situation.generation);
  expect_refused(all, situation.generation);
  CoreRun at(at_settings, "at"), lt(settings_of(situation.generation, "lt", sets), "lt");
  sc_core::sc_event turn;
  lt.bench.drive([&](Host& host) {
    zero_memories(host, situation.generation);
    execute(host, all);
    turn.notify(1, sc_core::SC_NS);
  });
  at.bench.drive([&](Host& host) {
    wait(turn);
    zero_memories(host, situation.generation);
    execute(host, all);
  });
  ASSERT_EQ(lt.bench.finish().status, RunStatus::ok);
  ASSERT_EQ(at.bench.finish().status, RunStatus::ok);
  const std::uint64_t memory_hz = config::ports_of(at_settings).clock_hz;
  for (const CoreRun* run : {&lt, &at}) {
    for (const Engine engine : isa::kEngines) expect_formula(*run, all, engine);
    expect_roofline(*run, all, memory_hz);
  }
  const auto& ports = dynamic_cast<const ApproximatelyTimedPorts&>(*at.bench.core().ports);
  EXPECT_EQ(ports.arbiter().beats(), beats_of(at));
  EXPECT_EQ(beats_of(at), beats_of(lt));
  EXPECT_FALSE(ports.outstanding());
  RecordProperty("combinations", static_cast<int>(all.count()));
  RecordProperty("beats", std::to_string(beats_of(at)));
}

std::vector<Situation> situations() {
  std::vector<Situation> list;
  for (const Generation generation : isa::kGenerations) {
    for (const char* mhz : {"960", "1120", "1400"}) list.push_back({generation, mhz, std::string(mhz) == "1120"});
  }
  list.push_back({Generation::sunda, "1437.5", false});
  list.push_back({Generation::cayman, "1399.999999", false});
  list.push_back({Generation::mariana, "777.777", false});
  list.push_back({Generation::maverick, "1", false});
  return list;
}
void PrintTo(const Situation& s, std::ostream* out) { *out << isa::to_string(s.generation) << " " << s.clock_mhz; }

INSTANTIATE_TEST_SUITE_P(GenerationsAndClocks, Uncontended, testing::ValuesIn(situations()), [](const auto& named) {
  std::string name = std::string(isa::to_string(named.param.generation)) + "_" + named.param.clock_mhz;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace uncontended_test
}  // namespace dve
