// Inside the golden library: one core without SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dve/config/config.h"
#include "dve/control/control.h"
#include "dve/execute/execute.h"
#include "dve/firmware/firmware.h"
#include "dve/timing/timing.h"
#include "element_steps.h"
#include "memories.h"

namespace dve::golden_library {

// How far a word got.
enum class Progress : std::uint8_t { done, waiting, fault };

// A finding with the place it occurred at.
struct PlacedFinding {
  isa::Engine engine = isa::Engine::dve;
  bool fault = false;      // otherwise a warning
  std::uint64_t word = 0;  // words that the engine had executed before
  std::uint8_t opcode = 0;
  isa::Finding finding;
};

// Stands for: DVE, POOL and ACT with the decisions of their sequencers (models/seq) and engines (models/engine), made
// of the same plain parts, word by word at the caller's command. Keeps: memories, lanes, registers, semaphores, the
// schedule of each engine. Updates of a word take effect in the order of their moments; a wait brings pending ones
// about before it is given up. Time: cycles of words that meet nobody on the memories' ports. Across engines the
// schedules follow the order in which the caller has words executed. Does not model: fetch, notifications, DMA,
// contention.
class GoldenCore {
 public:
  GoldenCore(const config::Config& settings, std::uint64_t host_bytes);

  // Everything but the bytes of memories as at the beginning.
  void reset();

  Progress execute(isa::Engine engine, const isa::Word& word);

  // The same in pieces: begin() does all that comes before arithmetic, finish() the rest. Between them open() is true
  // and execute() and begin() may not be called; steps() walks the elements.
  Progress begin(isa::Engine engine, const isa::Word& word);
  bool open() const { return open_.has_value(); }
  isa::Engine open_engine() const { return open_->engine; }
  ElementSteps& steps() { return open_->steps; }
  Progress finish();

  // The engine has faulted and executes nothing until reset().
  bool stopped(isa::Engine engine) const { return unit(engine).stopped; }
  // The engine's last word was Halt.
  bool halted(isa::Engine engine) const { return unit(engine).halted; }

  const config::Config& settings() const { return settings_; }
  const std::vector<PlacedFinding>& findings() const { return findings_; }
  // Semaphores and events once the updates of all executed words have taken effect.
  const SyncState& sync();
  // What the host does to semaphores and events, at the moment of the last completion.
  void set_semaphore(isa::SemaphoreIndex index, std::int32_t value);
  void set_event(isa::EventIndex index, bool value);
  Memories& memories() { return memories_; }
  execute::Registers& registers(isa::Engine engine) { return unit(engine).registers; }
  const execute::Core& lanes(isa::Engine engine) const { return unit(engine).core; }
  // Of the engine's last word; zero when untimed.
  const timing::Schedule& schedule(isa::Engine engine) const { return unit(engine).schedule; }
  isa::Cycles stream(isa::Engine engine) const { return unit(engine).stream; }
  // What execute() would find before it waits: a refused opcode, or every broken rule of legality.
  std::vector<isa::Finding> check(isa::Engine engine, const isa::Word& word) const;

 private:
  struct Unit {
    Unit(const config::Config& settings, isa::Engine engine);
    isa::Engine engine;
    timing::Clock clock;
    isa::Cycles semaphore_latency;
    execute::Core core;
    timing::Pipeline pipeline;
    execute::Registers registers{};
    timing::Schedule schedule;
    isa::Cycles stream;
    std::uint8_t fp_status = 0;  // of the last word
    isa::Cycles last_completion;
    std::uint64_t words = 0;         // executed
    std::optional<isa::Word> tried;  // a word that waits
    std::size_t waits_passed = 0;    // of its waits
    isa::Cycles wait_holds;
    std::uint64_t waited_until = 0;  // fs: when the last of its waits that held was over
    bool stopped = false, halted = false;
  };
  // An update that is not due yet.
  struct Pending {
    SyncUpdate update;
    isa::Engine engine;
    std::uint64_t word;
    std::uint8_t opcode;
  };
  // An operand of the word that executes: where its channels begin, in a memory or in a copy. Copies are kept for the
  // next word.
  struct Operand {
    std::array<std::uint8_t*, isa::kPartitions> channels{};
    std::vector<std::uint8_t> copy;
    void pack(const execute::Access& access);
  };
  // A word between begin() and finish(): its sources are copies.
  struct Open {
    isa::Engine engine;
    isa::Word word;
    std::optional<execute::Plan> plan;  // none: relaxed, a word without meaning
    ElementSteps steps;
  };

  Unit& unit(isa::Engine engine) { return units_[isa::index_of(engine)]; }
  const Unit& unit(isa::Engine engine) const { return units_[isa::index_of(engine)]; }

  Progress end(bool in_place);
  Progress prepare(Unit& unit, const isa::Word& word);
  Progress await(Unit& unit, const isa::Word& word);
  bool await(Unit& unit, const WaitCondition& condition);
  std::optional<Open> open_word(Unit& unit, const isa::Word& word, bool with_steps);
  bool schedule_word(Unit& unit, const execute::Plan& plan);
  bool read_sources(Unit& unit, const execute::Plan& plan, bool copies);
  bool read(const execute::Access& access, bool copy, Operand& operand, kernels::Rows& rows);
  bool param_table_loaded(Unit& unit, const execute::Plan& plan);
  bool compute(Unit& unit, const execute::Plan& plan, bool in_place);
  bool compute_in(Unit& unit, const execute::Plan& plan, const kernels::ResultRows& destination);
  bool execute_control(Unit& unit, const isa::Word& word);
  bool transfer(Unit& unit, const isa::Word& word, bool load);
  bool report_fp_status(Unit& unit, std::uint8_t opcode, std::uint8_t status);
  void retire(Unit& unit, const isa::Word& word);

  bool may_execute(Unit& unit, const isa::Word& word);
  std::optional<isa::Finding> dispatch_refusal(isa::Engine engine, std::uint8_t opcode) const;
  isa::LegalityOptions legality(isa::Engine engine) const;
  void fire_due(std::uint64_t femtoseconds);
  void fire_first();
  std::uint64_t last_moment() const;

  void fault(Unit& unit, std::uint8_t opcode, const isa::Finding& finding);
  void warn(const Unit& unit, std::uint8_t opcode, const isa::Finding& finding);
  // False: the findings are faults.
  bool report(Unit& unit, std::uint8_t opcode, const std::vector<isa::Finding>& findings);

  config::Config settings_;
  bool timed_, strict_;
  Memories memories_;
  std::vector<Unit> units_;
  SyncState sync_;
  std::multimap<std::uint64_t, Pending> pending_;  // by moment in fs
  std::uint64_t last_fired_ = 0;
  std::vector<PlacedFinding> findings_;
  std::optional<Open> open_;
  std::vector<Operand> sources_;
  execute::Inputs inputs_;  // the same for the kernels
  Operand destination_;
};

}  // namespace dve::golden_library
