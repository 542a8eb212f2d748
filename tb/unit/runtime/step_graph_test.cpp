
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "interleaving.h"

namespace dve::test::step_graph_test {
namespace {

using isa::Engine;
using runtime::Program;
using runtime::StepGraph;

constexpr std::uint8_t kRequest = 16, kDone = 17, kDve = 18, kPool = 19, kAct = 20;

// A word that can be told from others.
isa::Word tagged(std::uint32_t tag) {
  isa::CtrlIm w;
  w.header.opcode = isa::code(isa::Opcode::load_parameter_ram);
  w.immediate[0] = tag;
  return isa::encode(w);
}

Program finished(const StepGraph& graph) {
  Program program;
  graph.finish(program);
  return program;
}

std::vector<isa::Word> stream_of(const Program& program, Engine engine) {
  for (const runtime::Stream& s : program.streams) {
    if (s.engine != engine) continue;
    const auto first = program.words.begin() + static_cast<std::ptrdiff_t>(s.first);
    return {first, first + static_cast<std::ptrdiff_t>(s.count)};
  }
  return {};
}

// "sem[18]>=1", "-": what a word waits for; and "sem[18]++", "-": what it changes.
std::string wait_of(const isa::Word& word) {
  const isa::Events e = isa::read_events(word);
  if (e.wait_mode == isa::WaitMode::none) return "-";
  return fmt::format("{} sem[{}]>={}", isa::name(e.wait_mode), e.wait_idx, e.semaphore_value);
}
std::string wait(std::uint8_t semaphore, int at_least) {
  return fmt::format("SEM_GE_IMM sem[{}]>={}", semaphore, at_least);
}
int update_of(const isa::Word& word) {
  const isa::Events e = isa::read_events(word);
  if (e.update_mode == isa::UpdateMode::none) return 0;
  EXPECT_EQ(e.update_mode, isa::UpdateMode::sem_inc_complete);
  return e.update_idx;
}

TEST(StepGraph, AReaderWaitsForTheWriter) {
  StepGraph graph;
  const auto b = graph.buffer();
  graph.word(Engine::dve, tagged(1), {{}, {b}});
  graph.word(Engine::act, tagged(2), {{b}, {}});
  const Program program = finished(graph);
  ASSERT_EQ(program.words.size(), 2U);
  EXPECT_EQ(update_of(program.words[0]), kDve);
  EXPECT_EQ(wait_of(program.words[0]), "-");
  EXPECT_EQ(wait_of(program.words[1]), wait(kDve, 1));
  EXPECT_EQ(update_of(program.words[1]), 0) << "nobody waits for it";
  EXPECT_TRUE(program.steps.empty());
}

TEST(StepGraph, AWriterWaitsForTheReadersAndForTheWriter) {
  StepGraph graph;
  const auto b = graph.buffer(), c = graph.buffer();
  graph.word(Engine::act, tagged(1), {{b}, {}});
  graph.word(Engine::dve, tagged(2), {{}, {b}});  // write after read
  graph.word(Engine::pool, tagged(3), {{}, {c}});
  graph.word(Engine::act, tagged(4), {{}, {c}});  // write after write
  const Program program = finished(graph);
  EXPECT_EQ(wait_of(stream_of(program, Engine::dve)[0]), wait(kAct, 1));
  EXPECT_EQ(wait_of(stream_of(program, Engine::act)[1]), wait(kPool, 1));
  EXPECT_EQ(update_of(stream_of(program, Engine::act)[0]), kAct);
  EXPECT_EQ(update_of(stream_of(program, Engine::pool)[0]), kPool);
}

TEST(StepGraph, TwoReadersAreIndependent) {
  StepGraph graph;
  const auto b = graph.buffer();
  graph.word(Engine::dve, tagged(1), {{b}, {}});
  graph.word(Engine::act, tagged(2), {{b}, {}});
  for (const isa::Word& word : finished(graph).words) EXPECT_EQ(isa::read_events(word), isa::Events{});
}

TEST(StepGraph, OneEngineNeedsNoSemaphore) {
  StepGraph graph;
  const auto b = graph.buffer();
  graph.word(Engine::pool, tagged(1), {{}, {b}});
  graph.word(Engine::pool, tagged(2), {{b}, {b}});
  graph.word(Engine::pool, tagged(3), {{}, {b}});
  const Program program = finished(graph);
  for (const isa::Word& word : program.words) EXPECT_EQ(isa::read_events(word), isa::Events{});
  ASSERT_EQ(program.streams.size(), 1U) << "engines without words have no stream";
  EXPECT_EQ(program.streams[0].engine, Engine::pool);
}

TEST(StepGraph, TwoWaitsStandInAnEventSemaphoreBeforeTheWord) {
  StepGraph graph;
  const auto a = graph.buffer(), b = graph.buffer();
  graph.word(Engine::dve, tagged(1), {{}, {a}});
  graph.word(Engine::pool, tagged(2), {{}, {b}});
  graph.word(Engine::act, tagged(3), {{a, b}, {}});
  const Program program = finished(graph);
  const auto act = stream_of(program, Engine::act);
  ASSERT_EQ(act.size(), 2U);
  const auto both = isa::decode_as<isa::CtrlEs>(act[0]);
  EXPECT_EQ(both.header.opcode, 0xA0);
  EXPECT_EQ(wait_of(act[0]), wait(kDve, 1));
  EXPECT_EQ(both.wait_mode1, isa::WaitMode::sem_ge_imm);
  EXPECT_EQ(both.wait_idx1, kPool);
  EXPECT_EQ(both.sem_wait_value, 1U);
  EXPECT_EQ(isa::read_events(act[1]), isa::Events{});
  EXPECT_EQ(act[1], tagged(3));
}

TEST(StepGraph, TheThirdWaitStandsInTheWordItself) {
  StepGraph graph;
  const auto a = graph.buffer(), b = graph.buffer(), c = graph.buffer();
  graph.word(Engine::dve, tagged(1), {{}, {a}});
  graph.word(Engine::pool, tagged(2), {{}, {b}});
  graph.host_step({}, {{}, {c}});
  graph.word(Engine::act, tagged(3), {{a, b, c}, {}});
  const Program program = finished(graph);
  const auto act = stream_of(program, Engine::act);
  ASSERT_EQ(act.size(), 2U);
  const auto two = isa::decode_as<isa::CtrlEs>(act[0]);
  std::vector<std::string> waits = {wait_of(act[0]), wait(two.wait_idx1, static_cast<int>(two.sem_wait_value)),
                                    wait_of(act[1])};
  std::sort(waits.begin(), waits.end());
  EXPECT_EQ(waits, (std::vector<std::string>{wait(kDone, 1), wait(kDve, 1), wait(kPool, 1)}));
}

TEST(StepGraph, WaitsThatHoldAlreadyAreDropped) {
  StepGraph graph;
  const auto a = graph.buffer(), b = graph.buffer();
  graph.word(Engine::dve, tagged(1), {{}, {a}});
  graph.word(Engine::dve, tagged(2), {{}, {b}});
  graph.word(Engine::act, tagged(3), {{b}, {}});
  graph.word(Engine::act, tagged(4), {{a}, {}});     // the second one implies the first
  graph.word(Engine::act, tagged(5), {{a, b}, {}});  // asked already
  graph.word(Engine::pool, tagged(6), {{a, b}, {}});
  const Program program = finished(graph);
  const auto act = stream_of(program, Engine::act);
  ASSERT_EQ(act.size(), 3U);
  EXPECT_EQ(wait_of(act[0]), wait(kDve, 2));
  EXPECT_EQ(wait_of(act[1]), "-");
  EXPECT_EQ(wait_of(act[2]), "-");
  EXPECT_EQ(wait_of(stream_of(program, Engine::pool)[0]), wait(kDve, 2)) << "each engine waits for itself";
}

TEST(StepGraph, OnlyWordsThatAreWaitedForCount) {
  StepGraph graph;
  const auto a = graph.buffer(), b = graph.buffer();
  graph.word(Engine::dve, tagged(1), {{}, {a}});
  graph.word(Engine::dve, tagged(2), {{}, {b}});
  graph.word(Engine::dve, tagged(3), {{}, {a}});
  graph.word(Engine::act, tagged(4), {{a}, {}});
  const Program program = finished(graph);
  const auto dve = stream_of(program, Engine::dve);
  EXPECT_EQ(update_of(dve[0]), 0) << "overwritten before anybody reads it";
  EXPECT_EQ(update_of(dve[1]), 0);
  EXPECT_EQ(update_of(dve[2]), kDve);
  EXPECT_EQ(wait_of(stream_of(program, Engine::act)[0]), wait(kDve, 1));
}

TEST(StepGraph, AHostStepIsADrainThatAsksAndAWaitForTheAnswer) {
  StepGraph graph;
  const auto a = graph.buffer(), b = graph.buffer();
  const runtime::Actions actions = {runtime::LoadVector{runtime::Vector::gamma, {0, 3}, {}}};
  graph.word(Engine::act, tagged(1), {{}, {a}});
  graph.word(Engine::dve, tagged(2), {{b}, {}});
  graph.host_step(actions, {{a}, {b}});
  graph.word(Engine::dve, tagged(3), {{b}, {}});
  graph.word(Engine::pool, tagged(4), {{b}, {}});
  graph.host_step({}, {{}, {b}});
  graph.word(Engine::dve, tagged(5), {{b}, {}});
  const Program program = finished(graph);
  const auto dve = stream_of(program, Engine::dve);
  ASSERT_EQ(dve.size(), 5U);
  EXPECT_EQ(update_of(dve[0]), 0) << "the drain stands behind it";
  EXPECT_EQ(dve[1].opcode_byte(), 0xA2);
  EXPECT_EQ(wait_of(dve[1]), wait(kAct, 1));
  EXPECT_EQ(update_of(dve[1]), kRequest);
  EXPECT_EQ(wait_of(dve[2]), wait(kDone, 1));
  EXPECT_EQ(dve[3].opcode_byte(), 0xA2);
  EXPECT_EQ(wait_of(dve[3]), wait(kPool, 1)) << "it reads what the host overwrites; the host keeps its own order";
  EXPECT_EQ(wait_of(dve[4]), wait(kDone, 2));
  EXPECT_EQ(wait_of(stream_of(program, Engine::pool)[0]), wait(kDone, 1));
  ASSERT_EQ(program.steps.size(), 2U);
  EXPECT_EQ(program.steps[0].size(), 1U);
  EXPECT_EQ(program.steps[1].size(), 0U);
}

TEST(StepGraph, StreamsFollowOneAnotherAndKeepTheOrderOfTheirEngine) {
  StepGraph graph;
  for (std::uint32_t i = 0; i < 30; ++i) graph.word(isa::kEngines[i % 3], tagged(i), {});
  const Program program = finished(graph);
  ASSERT_EQ(program.streams.size(), 3U);
  std::size_t covered = 0;
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_EQ(program.streams[e].engine, isa::kEngines[e]);
    EXPECT_EQ(program.streams[e].first, covered);
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_EQ(program.words[covered + i], tagged(static_cast<std::uint32_t>(3 * i + e)));
    covered += program.streams[e].count;
  }
  EXPECT_EQ(covered, program.words.size());
}

// Symbolic execution: every cell of memory holds a number that depends on all that went into it.
class Cells : public Executor {
 public:
  explicit Cells(const Program& program) : p_(program) {}
  void word(isa::Engine, const isa::Word& w) override {
    if (w.opcode_byte() != isa::code(isa::Opcode::tensor_tensor_arith_op)) return;
    const auto t = isa::decode_as<isa::S3S3D3Tt>(w);
    const std::uint64_t tag = static_cast<std::uint64_t>(t.op);
    values_[t.dst.start_addr.raw] = mixed(mixed(tag, values_[t.src0.start_addr.raw]), values_[t.src1.start_addr.raw]);
  }
  void step(std::size_t k) override {
    for (const runtime::Action& action : p_.steps[k - 1]) {
      if (const auto* load = std::get_if<runtime::LoadVector>(&action))
        values_[address(load->place)] = mixed(load->channels.first, 1);
      if (const auto* store = std::get_if<runtime::StoreInvStd>(&action))
        stored_.push_back(values_[address(store->place)]);
    }
  }
  std::vector<std::uint64_t> results() {
    std::vector<std::uint64_t> all = stored_;
    for (const auto& [place, value] : values_) all.push_back(value);
    return all;
  }

 private:
  static std::uint32_t address(const isa::Place& place) { return isa::address_of(place, isa::Generation::cayman).raw; }
  static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return (a ^ (b + 0x9E3779B97F4A7C15ULL + (a << 6) + (a >> 2))) * 0xD6E8FEB86659FD93ULL;
  }
  const Program& p_;
  std::map<std::uint32_t, std::uint64_t> values_;
  std::vector<std::uint64_t> stored_;
};

// A random graph over a few cells of memory, and the same nodes in their order on one engine.
struct RandomGraph {
  StepGraph graph, in_order;
  explicit RandomGraph(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::size_t cells = 2 + pick(8), nodes = 5 + pick(60), engines = 1 + pick(3);
    std::vector<isa::Place> places;
    std::vector<StepGraph::Buffer> buffers;
    for (std::size_t i = 0; i < cells; ++i) {
      places.push_back({isa::Space::sbuf, isa::Partition{0}, static_cast<std::uint32_t>(64 * i)});
      buffers.push_back(graph.buffer());
      in_order.buffer();
    }
    const runtime::WordContext context{isa::Generation::cayman, isa::Dtype::fp32, 1, 1};
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t a = pick(cells), b = pick(cells), to = pick(cells);
      if (pick(6) == 0) {
        const runtime::Actions actions = {
            runtime::StoreInvStd{{0, 1}, places[a]},
            runtime::LoadVector{runtime::Vector::gamma, {static_cast<std::uint32_t>(i), 1}, places[to]}};
        graph.host_step(actions, {{buffers[a]}, {buffers[to]}});
        in_order.host_step(actions, {{buffers[a]}, {buffers[to]}});
        continue;
      }
      const auto op = pick(2) == 0 ? isa::AluOp::add : isa::AluOp::mult;
      const isa::Word word = runtime::tensor_tensor(context, op, places[a], places[b], places[to], 1);
      graph.word(isa::kEngines[pick(engines)], word, {{buffers[a], buffers[b]}, {buffers[to]}});
      in_order.word(Engine::dve, word, {{buffers[a], buffers[b]}, {buffers[to]}});
    }
  }
};

TEST(StepGraph, EveryOrderThatTheSemaphoresAllowGivesTheResultOfProgramOrder) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const RandomGraph random(seed);
    const Program expected_program = finished(random.in_order), program = finished(random.graph);
    Cells expected(expected_program);
    ASSERT_EQ(interleave(expected_program, expected, 0), std::vector<std::string>{}) << seed;
    for (std::uint32_t order = 0; order < 10; ++order) {
      Cells cells(program);
      ASSERT_EQ(interleave(program, cells, order), std::vector<std::string>{}) << seed << " order " << order;
      ASSERT_EQ(cells.results(), expected.results()) << seed << " order " << order;
    }
  }
}

// The same without one semaphore: some order shows it.
TEST(StepGraph, TheOrdersShowAMissingWaitAndAMissingIncrement) {
  StepGraph graph;
  const isa::Place a{isa::Space::sbuf, isa::Partition{0}, 0}, b{isa::Space::sbuf, isa::Partition{0}, 64};
  const runtime::WordContext context{isa::Generation::cayman, isa::Dtype::fp32, 1, 1};
  const auto first = graph.buffer(), second = graph.buffer();
  graph.word(Engine::dve, runtime::tensor_tensor(context, isa::AluOp::add, b, b, a, 1), {{second}, {first}});
  graph.word(Engine::act, runtime::tensor_tensor(context, isa::AluOp::add, a, a, b, 1), {{first}, {second}});
  const Program good = finished(graph);
  for (const bool wait : {true, false}) {
    Program bad = good;
    isa::Word& word = bad.words[wait ? 1 : 0];
    isa::write_events(word, {});
    std::size_t found = 0;
    for (std::uint32_t order = 0; order < 20; ++order) {
      Cells cells(bad), expected(good);
      interleave(good, expected, 0);
      found += !interleave(bad, cells, order).empty() || cells.results() != expected.results();
    }
    EXPECT_GE(found, wait ? 5U : 20U);
  }
}

}  // namespace
}  // namespace dve::test::step_graph_test
