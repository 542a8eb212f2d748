// The sequencer (SEQ) of one engine.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "dispatch.h"
#include "dve/timing/timing.h"
#include "dve/tlm/tlm.h"
#include "sync_unit.h"

namespace dve {

struct SequencerConfig {
  std::string engine = "dve";  // name in faults, semaphore histories and reports
  SeqBuild build = SeqBuild::debug;
  bool strict = true;  // a legality finding is a fault; otherwise a warning
  isa::LegalityOptions legality;
  bool timed = true;  // false: functional, no simulation time passes
  timing::Parameters timing;
  sc_core::sc_time quantum;      // how far the sequencer may run ahead of simulation time
  std::uint64_t max_cycles = 0;  // 0: no limit; otherwise stop when a word would complete later
};

// A finding with the place it occurred at. Faults stop the sequencer, warnings do not.
struct WordFinding {
  std::string engine;
  std::uint64_t word = 0;  // index in the program
  std::uint64_t pc = 0;    // address of the word
  std::uint8_t opcode = 0;
  isa::Finding finding;
};

// A word that has executed.
struct Retirement {
  std::uint64_t word = 0;
  std::uint64_t pc = 0;
  isa::Word bits;
  timing::Schedule schedule;  // zero when untimed
  std::array<PortTraffic, IssueExtension::port_count> traffic;
  std::vector<BankTraffic> banks;
};

// What the surroundings may want to see or decide. Every member is optional.
struct SequencerHooks {
  std::function<void(const Retirement&)> retired;
  std::function<void(const WordFinding&)> warned;
  std::function<void(std::string_view)> logged;  // DEBUG build: self-names
  std::function<bool()> stop_requested;          // asked before each word
};

// Stands for: the in-order front end of one engine: fetch window, dispatch table, waits and updates (isa.md 13,
// microarchitecture.md 6).
// Keeps: 64 general registers (reset 0), the program counter, the instruction window, updates that have not fired yet.
// Order of a word: dispatch, legality, wait, issue to the engine (which reads, computes and writes), updates.
// Time: the engine reports start, read-done and completion in cycles; the sequencer turns them into simulation time,
// round(cycles * 1e15 / clock) fs, fires updates at their moments, and synchronises at waits, before words that could
// overtake a pending update, and at the quantum.
// Control window (local byte addresses, 4-byte accesses; GPR and control placement are the model's own choice, the PC
// pair is microarchitecture.md 6.1): 0x0000 + 4r registers r0..r63 RW; 0x1060/0x1080 PC low/high RO; 0x2000/0x2004
// program base low/high RW; 0x2008 word count RW; 0x200C control WO, 1 starts; 0x2010 state RO (State). Does not model:
// branches, the hardware-decode front end, prefetch, cache lines of the window, instruction queues.
class Sequencer : public sc_core::sc_module, private TargetModel {
 public:
  enum class State : std::uint32_t { idle, running, waiting, done, fault, timeout, stopped };
  enum Window : std::uint64_t {
    kPcLow = 0x1060,
    kPcHigh = 0x1080,
    kBaseLow = 0x2000,
    kBaseHigh = 0x2004,
    kWordCount = 0x2008,
    kControl = 0x200C,
    kState = 0x2010,
    kWindowBytes = 0x2014
  };

  Sequencer(sc_core::sc_module_name name, const SequencerConfig& config, SyncUnit& sync, SequencerHooks hooks);

  tlm_utils::simple_initiator_socket<Sequencer> fetch;  // to instruction memory
  tlm_utils::simple_initiator_socket<Sequencer> issue;  // to the engine: 64-byte writes with an IssueExtension
  GuardedTarget control;

  State state() const { return state_; }
  const std::vector<WordFinding>& faults() const { return faults_; }
  std::uint64_t executed() const { return executed_; }
  // Transactions on the fetch socket, and the bytes they brought.
  const PortTraffic& fetched() const { return fetched_; }
  // Last completion in engine cycles; 0 when untimed.
  isa::Cycles cycles() const { return last_completion_; }
  // State::timeout: the cycle at which the word that ended the run would have completed.
  isa::Cycles timed_out_at() const { return timed_out_at_; }
  // Notified when the program has ended, one way or another.
  const sc_core::sc_event& ended() const { return ended_; }
  // While State::waiting: what the current word waits for.
  const WaitCondition& blocked_on() const { return blocked_on_; }
  std::uint64_t current_word() const { return word_; }
  std::uint64_t program_counter() const { return program_base_ + word_ * isa::kWordBytes; }

 private:
  void run();
  void run_program();
  bool fetch_word(std::uint64_t index, isa::Word& word);
  bool execute_word(const isa::Word& word);
  bool dispatch(const isa::Word& word);
  bool check_legality(const isa::Word& word);
  bool await(const isa::Events& events);
  bool issue_word(const isa::Word& word);
  void post_update(const isa::Events& events, const timing::Schedule& schedule);
  void fire_due_updates();
  void update_process();
  void synchronise_to(std::uint64_t femtoseconds);
  void keep_quantum();
  void finish();
  void fault(const isa::Finding& finding);
  void warn(const isa::Finding& finding);
  WordFinding at_current_word(const isa::Finding& finding) const;

  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;
  tlm::tlm_response_status read_register(std::uint64_t address, std::uint32_t& value) const;
  tlm::tlm_response_status write_register(std::uint64_t address, std::uint32_t value);

  SequencerConfig config_;
  SyncUnit& sync_;
  SequencerHooks hooks_;
  timing::Clock clock_;

  execute::Registers registers_{};
  std::uint64_t program_base_ = 0;
  std::uint32_t word_count_ = 0;
  std::uint64_t word_ = 0;
  std::uint8_t opcode_ = 0;
  State state_ = State::idle;
  sc_core::sc_event start_, ended_;

  std::vector<isa::Word> window_;  // words of the program from window_first_ on
  std::uint64_t window_first_ = 0;
  PortTraffic fetched_;

  isa::Cycles next_issue_{}, last_completion_{}, wait_holds_{}, timed_out_at_{};
  WaitCondition blocked_on_;
  struct PendingUpdate {
    SyncUpdate update;
    std::uint64_t word = 0;
    std::uint8_t opcode = 0;
  };
  std::multimap<std::uint64_t, PendingUpdate> pending_;  // by simulation time in fs
  sc_core::sc_event pending_event_;

  std::vector<WordFinding> faults_;
  std::uint64_t executed_ = 0;
  tlm::tlm_generic_payload fetch_payload_, issue_payload_;
  IssueExtension issue_extension_;
};

}  // namespace dve
