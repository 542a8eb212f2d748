// Programs of several engines that meet at the ports of SBUF and PSUM: approximately and loosely timed runs tell the
// same story word by word, whatever the quantum and with or without DMI, and nothing is lost or invented on the way.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "dve/core/core.h"
#include "dve/ports/ports.h"
#include "support/control_words.h"
#include "support/core_bench.h"
#include "support/random_operands.h"
#include "support/tensor_word_builder.h"

namespace dve {
namespace contention_programs_test {
namespace {

using namespace testing_support;
using contention::User;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

// What `body` returns, computed in a process of its own: SystemC elaborates once a process.
std::string in_child(const std::function<std::string()>& body) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    std::string text;
    try {
      text = body();
    } catch (const std::exception& error) {
      text = std::string("threw ") + error.what();
    }
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t n = write(ends[1], text.data() + at, text.size() - at);
      if (n <= 0) break;
      at += static_cast<std::size_t>(n);
    }
    close(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? text : text + "\nended with status " + std::to_string(status);
}

// ---- Programs ----

// Sources are read from bytes that nobody writes; each engine writes rows of its own, which share banks with the
// others' rows. So results do not depend on who is first, but time does.
constexpr std::uint32_t kSourceBytes = 0x10000, kRows = 0x10000, kRowBytes = 0x400, kPsumRows = 0x2000;
constexpr std::uint32_t kRowCount = 64;  // of all engines, four banks of SBUF
constexpr std::uint8_t kMade = 10;       // semaphores, one an engine: rows it has made

class Programs {
 public:
  Programs(Generation generation, unsigned seed) : generation_(generation), random_(seed), build_(generation) {}

  // Every engine on its own.
  std::vector<EngineProgram> independent(std::size_t words) {
    std::vector<EngineProgram> all;
    for (const Engine engine : isa::kEngines) {
      EngineProgram program{engine, first_words(engine)};
      for (std::size_t i = 0; i < words; ++i) program.words.push_back(word(engine, any_source(), free_row(engine)));
      all.push_back(std::move(program));
    }
    return all;
  }

  // Each row goes from the DVE to ACT to POOL, and the DVE waits for POOL now and then.
  std::vector<EngineProgram> chained(std::size_t words) {
    const Engine order[] = {Engine::dve, Engine::act, Engine::pool};
    std::vector<EngineProgram> all;
    for (std::size_t stage = 0; stage < 3; ++stage) {
      EngineProgram program{order[stage], first_words(order[stage])};
      for (std::uint32_t i = 0; i < words; ++i) {
        isa::Events events =
            updates(below(random_, 3) == 0 ? isa::UpdateMode::sem_inc_read : isa::UpdateMode::sem_inc_complete,
                    static_cast<std::uint8_t>(kMade + stage));
        const std::uint32_t threshold = stage > 0 ? i + 1 : i >= 4 && i % 3 == 0 ? i - 3 : 0;
        if (threshold != 0) {
          events.wait_mode = isa::WaitMode::sem_ge_imm;
          events.wait_idx = static_cast<std::uint8_t>(kMade + (stage + 2) % 3);
          events.semaphore_value = threshold;
        }
        const std::uint32_t row = 3 * (i % (kRowCount / 3));
        const std::uint32_t from = stage == 0 ? any_source() : row_offset(row + static_cast<std::uint32_t>(stage) - 1);
        program.words.push_back(
            with_events(word(order[stage], from, row_offset(row + static_cast<std::uint32_t>(stage))), events));
      }
      all.push_back(std::move(program));
    }
    return all;
  }

 private:
  static std::uint32_t row_offset(std::uint32_t row) { return kRows + kRowBytes * row; }
  std::uint32_t any_source() { return 8 * below(random_, (kSourceBytes - 4096) / 8); }
  std::uint32_t free_row(Engine engine) {
    return row_offset(3 * below(random_, kRowCount / 3) + static_cast<std::uint32_t>(isa::index_of(engine)));
  }
  std::vector<isa::Word> first_words(Engine engine) const {
    if (engine != Engine::act) return {};
    return {isa::encode(build_.table_load(0))};
  }

  // A legal word of the engine.
  isa::Word word(Engine engine, std::uint32_t from, std::uint32_t to) {
    isa::LegalityOptions options;
    options.generation = generation_;
    options.engine = engine;
    while (true) {
      const isa::Word candidate = any_word(engine, from, to);
      if (isa::check(candidate, options).empty()) return candidate;
    }
  }

  isa::Word any_word(Engine engine, std::uint32_t from, std::uint32_t to) {
    const Dtype d = pick(random_, kDtypes);
    const auto bytes = static_cast<std::uint32_t>(isa::storage_size(d).value);
    const auto n = static_cast<std::uint16_t>(1 + below(random_, kRowBytes / std::max(bytes, 2U)));
    TensorSpec a = row(sbuf(0, from), n, d), dst = row(sbuf(0, to), n, d);
    const TensorSpec b = row(sbuf(0, any_source()), n, d);
    const bool psum_ok = generation_ != Generation::maverick && engine != Engine::pool;
    if (psum_ok && below(random_, 3) == 0) a.place = psum(0, 8 * below(random_, 512));
    if (psum_ok && below(random_, 4) == 0 && n <= 128)
      dst.place = psum(0, kPsumRows + 512 * static_cast<std::uint32_t>(isa::index_of(engine)));
    if (below(random_, 5) == 0 && n <= 200) a.steps[0] = static_cast<std::int16_t>(16 / bytes + 1);
    switch (below(random_, 5)) {
      case 0:
        return isa::encode(build_.tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, dst, AluOp::add, kChannels));
      case 1:
        return isa::encode(build_.memset(dst, 0, kChannels));
      case 2:
        return isa::encode(
            build_.tensor_reduce(Opcode::tensor_reduce_arith_op, a, row(dst.place, 1, d), AluOp::max, 1, kChannels));
      case 3:
        if (engine == Engine::act)
          return isa::encode(build_.activate(isa::ActivationFunc::identity, a, dst, kChannels));
        [[fallthrough]];
      default:
        return isa::encode(build_.tensor_reduce(Opcode::copy, a, dst, AluOp::bypass, 0, kChannels));
    }
  }

  static constexpr Dtype kDtypes[] = {Dtype::fp32, Dtype::fp32, Dtype::bf16, Dtype::bf16, Dtype::uint8};
  static constexpr std::uint8_t kChannels = 3;
  Generation generation_;
  Rng random_;
  TensorWordBuilder build_;
};

// ---- Runs ----

struct Situation {
  std::string name;
  Generation generation = Generation::cayman;
  std::vector<std::string> sets;
  bool chained = false;
  bool traffic = false;
  unsigned seed = 1;
};

// Neighbours that go on until the programs have ended, and one that does not.
std::vector<dma::TrafficStream> neighbours(Generation generation) {
  const auto stream = [](const char* name, User user, isa::Space space, bool write, std::uint32_t offset) {
    dma::TrafficStream s;
    s.name = name;
    s.user = user;
    s.write = write;
    s.start = {space, isa::Partition{0}, offset};
    s.bytes_per_partition = 4000;
    s.repeat = 1'000'000;
    return s;
  };
  std::vector<dma::TrafficStream> all = {stream("weights", User::pe0, isa::Space::sbuf, false, 0),
                                         stream("load", User::dma0, isa::Space::sbuf, true, kRows + 0x2000),
                                         stream("late", contention::dma_engine(15), isa::Space::sbuf, false, kRows)};
  all[0].burst_beats = 40;
  all[0].burst_gap_cycles = 21;
  all[1].bytes_per_ns = 184;
  all[2].start_ns = 1000;
  all[2].repeat = 2;
  if (generation != Generation::maverick) {
    all.push_back(stream("results", User::pe1, isa::Space::psum, true, 0));
    all.back().bytes_per_ns = 500;
  }
  return all;
}

NeuronCoreConfig core_config(const Situation& s, const std::vector<std::string>& more) {
  std::vector<std::string> sets = s.sets;
  sets.insert(sets.end(), more.begin(), more.end());
  NeuronCoreConfig c;
  c.settings = preset(s.generation, sets);
  c.host_memory_bytes = kHostMemoryBytes;
  if (s.traffic) c.traffic = neighbours(s.generation);
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
      for (std::uint32_t p = 0; p < 3; ++p) {
        const std::vector<std::uint8_t> data = mixed_bytes(bytes, random);
        host.write(isa::Place{space, isa::Partition{p}, 0}, data.data(), data.size());
        host_bytes_ += bytes;
      }
    };
    fill(isa::Space::sbuf, kRows + kRowCount * kRowBytes);
    if (core_->psum) fill(isa::Space::psum, 0x4000);
    Programs programs(situation_.generation, situation_.seed);
    CoreBench::execute(host, situation_.chained ? programs.chained(24) : programs.independent(24));
    add_memory(host, isa::Space::sbuf, kRows + kRowCount * kRowBytes);
    if (core_->psum) add_memory(host, isa::Space::psum, 0x4000);
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
    for (std::uint32_t p = 0; p < 3; ++p) {
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
      }
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

TEST_P(ContendedPrograms, TellTheSameStoryInBothAbstractions) {
  Situation s = GetParam();
  for (unsigned k = 0; k < 4; ++k) {
    s.seed = GetParam().seed + k;
    s.chained = k % 2 == 1;
    SCOPED_TRACE(testing::Message() << (s.chained ? "chained" : "independent") << ", seed " << s.seed);
    const std::string at = story(s, {"abstraction=at", "dmi=false"});
    EXPECT_EQ(at.rfind("memory ", 0), 0U) << at;
    EXPECT_NE(at.find("\nstatus 0 "), std::string::npos) << at.substr(0, 2000);
    EXPECT_EQ(at.find("WRONG"), std::string::npos) << at.substr(at.find("WRONG"), 300);
    EXPECT_EQ(at.find("\nstalls 0\n"), std::string::npos) << "nobody met";
    for (const auto& more : std::vector<std::vector<std::string>>{{"abstraction=lt", "dmi=false"},
                                                                  {"abstraction=lt", "quantum_ns=0"},
                                                                  {"abstraction=lt", "quantum_ns=1000000"},
                                                                  {"abstraction=lt", "quantum_ns=1"}}) {
      const std::string lt = story(s, more);
      EXPECT_EQ(lt.find("WRONG"), std::string::npos) << lt.substr(lt.find("WRONG"), 300);
      EXPECT_EQ(first_difference(at, lt), "") << "at against " << more[0] << " " << more[1];
    }
  }
  for (const char* quantum : {"quantum_ns=0", "quantum_ns=1000000"})
    EXPECT_EQ(first_difference(story(s, {"abstraction=at", "dmi=false"}), story(s, {"abstraction=at", quantum})), "");
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
  vary("buffers_of_one_beat", {"memory.buffer_beats=1"});
  vary("slow_memory", {"memory.clock_mhz=500"});
  vary("odd_clocks", {"memory.clock_mhz=1399.999999", "timing.dve.clock_mhz=977.7"});
  return list;
}
INSTANTIATE_TEST_SUITE_P(Situations, ContendedPrograms, testing::ValuesIn(situations()),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace contention_programs_test
}  // namespace dve
