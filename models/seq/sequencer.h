// The sequencer (SEQ) of one engine.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "dve/control/control.h"
#include "dve/firmware/firmware.h"
#include "dve/timing/timing.h"
#include "dve/tlm/tlm.h"
#include "sync_unit.h"

namespace dve {

// What a floating-point status in a word's results does (isa.md 15.1).
enum class FpStatusPolicy : std::uint8_t {
  report,   // one warning a flag, execution goes on
  firmware  // the same, but several flags at once are a failed assertion: a fault
};

struct SequencerConfig {
  isa::Engine engine = isa::Engine::dve;
  firmware::Build build = firmware::Build::debug;
  bool strict = true;             // a legality finding is a fault; otherwise a warning
  isa::LegalityOptions legality;  // its engine is set from the one above
  FpStatusPolicy fp_status = FpStatusPolicy::report;
  firmware::BlockIds block_ids;
  bool timed = true;  // false: functional, no simulation time passes
  bool data = true;   // false: tensors have no contents, and a word that would take a register from memory faults
  timing::Parameters timing;
  sc_core::sc_time quantum;  // how far the sequencer may run ahead of simulation time
  // Stop when a word would complete after this moment; 0: no limit.
  std::uint64_t max_femtoseconds = 0;
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
  isa::Engine engine = isa::Engine::dve;
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
  // An element that TensorStore (`write`) or TensorLoad has moved, with its address as the router sees it.
  std::function<void(bool write, std::uint64_t address, const std::uint8_t* data, std::size_t bytes)> transferred;
};

// Stands for: the in-order front end of one engine: fetch window, dispatch table, waits and updates, control words,
// faults and notifications (isa.md 13 to 15, microarchitecture.md 6). One class; DVE, POOL and ACT have an instance
// each. Keeps: 64 general registers (reset 0), the program counter, the instruction window, the schedule of words in
// flight, updates and notifications that are not due yet. Order of a word: dispatch, legality, wait, execution (by the
// engine, or here for control words), updates. A word with two waits awaits one after the other. Time: the engine's
// schedule is in cycles; the sequencer turns them into simulation time, round(cycles * 1e15 / clock) fs, fires updates
// at their moments, and synchronises at waits, before words that could overtake a pending update, and at the quantum.
// Control words cost event_issue_cycles; Drain starts when every earlier word has completed. Notifications go to a ring
// in memory once the host has set one up; words ask for them in debug_cmd, faults always write one. Control window
// (local byte addresses, 4-byte accesses; the PC pair is microarchitecture.md 6.1, everything else the model's own
// choice): 0x0000 + 4r registers r0..r63 RW; 0x1060/0x1080 PC low/high RO; 0x2000/0x2004 program base low/high RW;
// 0x2008 word count RW (kUntilHalt: no end but Halt); 0x200C control WO, 1 starts; 0x2010 state RO (State); 0x2014
// fault record RO (user register 0x15, isa.md 15.1); 0x2018/0x201C ring base low/high RW; 0x2020 ring entries RW, a
// write sets the ring up anew; 0x2024 records written RO; 0x2028 records read RW; 0x202C ring mode RW, 0 lossless
// (records that find no room are dropped and counted as nothing but the sw_overflow of the next), 1 overwrite. Does not
// model: branches, the hardware-decode front end, prefetch, cache lines of the window, instruction queues,
// back-pressure of a full lossless ring.
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
    kFaultRecord = 0x2014,
    kRingBaseLow = 0x2018,
    kRingBaseHigh = 0x201C,
    kRingEntries = 0x2020,
    kRingWritten = 0x2024,
    kRingRead = 0x2028,
    kRingMode = 0x202C,
    kWindowBytes = 0x2030
  };
  static constexpr std::uint32_t kUntilHalt = 0xFFFFFFFF;

  Sequencer(sc_core::sc_module_name name, const SequencerConfig& config, SyncUnit& sync, SequencerHooks hooks);
  // A run that was broken off leaves a word under way, whose payload must not free the extension it carries.
  ~Sequencer() override { issue_payload_.clear_extension(&issue_extension_); }

  tlm_utils::simple_initiator_socket<Sequencer> fetch;   // to instruction memory
  tlm_utils::simple_initiator_socket<Sequencer> issue;   // to the engine: 64-byte writes with an IssueExtension
  tlm_utils::simple_initiator_socket<Sequencer> memory;  // TensorLoad, TensorStore, notifications
  GuardedTarget control;

  State state() const { return state_; }
  // From a start until ended(): also after a fault, while earlier words complete. Another start has no effect.
  bool busy() const { return busy_; }
  // Of the last run: a start clears them.
  const std::vector<WordFinding>& faults() const { return faults_; }
  std::uint64_t executed() const { return executed_; }
  // Transactions on the fetch socket, and the bytes they brought.
  const PortTraffic& fetched() const { return fetched_; }
  isa::Engine engine() const { return config_.engine; }
  const timing::Clock& clock() const { return clock_; }
  // Last completion in cycles of the engine; 0 when untimed.
  isa::Cycles cycles() const { return last_completion_; }
  // State::timeout: the moment at which the word that ended the run would have completed.
  std::uint64_t timed_out_at() const { return timed_out_at_; }
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
  bool fetch_window(std::uint64_t index, std::uint64_t words);
  bool execute_word(const isa::Word& word);
  bool dispatch(const isa::Word& word);
  bool check_legality(const isa::Word& word);
  void report_retirement(const isa::Word& word);
  bool await(const WaitCondition& condition);
  bool issue_word(const isa::Word& word);
  bool send_to_engine(isa::Word word);
  bool execute_control(const isa::Word& word);
  bool transfer(const isa::Word& word, bool load);
  bool within_limit(isa::Cycles complete);
  bool report_fp_status(std::uint8_t status);

  // What is to happen at a later moment: an update, or a notification.
  struct PendingAction {
    std::optional<SyncUpdate> update;
    std::optional<firmware::Notification> notification;
    bool note_update = false;  // the update itself is to be notified
    std::uint64_t word = 0;
    std::uint8_t opcode = 0;
  };
  void post(isa::Cycles at, PendingAction action);
  void post_updates(const isa::Word& word, const timing::Schedule& schedule);
  void post_notifications(const isa::Word& word);
  void note_start(isa::Cycles start, isa::Cycles waited);
  void perform(const PendingAction& action);
  void fire_due_actions();
  void run_pending();
  void synchronise_to(std::uint64_t femtoseconds);
  void keep_quantum();
  void finish();

  bool report(const isa::Finding& finding);
  void fault(const isa::Finding& finding);
  void fault_at(std::uint64_t word, std::uint8_t opcode, const isa::Finding& finding);
  void warn(const isa::Finding& finding);
  WordFinding at_word(std::uint64_t word, std::uint8_t opcode, const isa::Finding& finding) const;
  std::uint64_t address_of(std::uint64_t word) const { return program_base_ + word * isa::kWordBytes; }
  void notify(firmware::Notification notification);
  bool memory_access(bool write, std::uint64_t address, std::uint8_t* data, std::size_t bytes);
  void set_up_ring();

  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;
  tlm::tlm_response_status read_register(std::uint64_t address, std::uint32_t& value) const;
  tlm::tlm_response_status write_register(std::uint64_t address, std::uint32_t value);

  SequencerConfig config_;
  std::string name_;  // of the engine, in semaphore histories and faults
  SyncUnit& sync_;
  SequencerHooks hooks_;
  timing::Clock clock_;
  isa::Cycles latest_completion_;
  timing::Pipeline pipeline_;

  execute::Registers registers_{};
  std::uint64_t program_base_ = 0;
  std::uint32_t word_count_ = 0;
  std::uint64_t word_ = 0;
  std::uint8_t opcode_ = 0;
  State state_ = State::idle;
  bool busy_ = false;
  bool halted_ = false;  // by a Halt word
  sc_core::sc_event start_, ended_;

  std::vector<isa::Word> window_;  // words of the program from window_first_ on
  std::uint64_t window_first_ = 0;
  PortTraffic fetched_;

  isa::Cycles last_completion_{}, wait_holds_{};
  std::uint64_t timed_out_at_ = 0;
  WaitCondition blocked_on_;
  std::multimap<std::uint64_t, PendingAction> pending_;  // by simulation time in fs
  sc_core::sc_event pending_event_;

  std::uint64_t ring_base_ = 0;
  std::uint32_t ring_entries_ = 0, ring_mode_ = 0, ring_read_ = 0;
  std::optional<firmware::NotificationRing> ring_;
  bool start_noted_ = false;  // of the current word
  bool record_lost_ = false;  // a lossless ring had no room
  std::uint32_t fault_record_ = 0;

  std::vector<WordFinding> faults_;
  std::uint64_t executed_ = 0;
  tlm::tlm_generic_payload fetch_payload_, issue_payload_, memory_payload_;
  IssueExtension issue_extension_;
  Retirement retirement_;
  isa::WordCache<std::monostate> legal_;  // words without a finding
};

}  // namespace dve
