#include "sequencer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace dve {
namespace {

// 32 KiB of instruction window (microarchitecture.md 6.1).
constexpr std::uint64_t kWindowWords = 512;

TargetCapabilities control_capabilities() {
  TargetCapabilities c;
  c.size = Sequencer::kWindowBytes;
  c.byte_enables = false;
  c.streaming = false;
  c.alignment = 4;
  return c;
}

// The last cycle that is not after the moment; 0: every cycle.
isa::Cycles last_cycle_until(std::uint64_t femtoseconds, const timing::Clock& clock) {
  constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();
  if (femtoseconds == 0 || femtoseconds == kForever) return isa::Cycles(kForever);
  return clock.cycles_at_or_after(femtoseconds + 1) - isa::Cycles(1);
}

SequencerConfig of_its_engine(SequencerConfig config) {
  config.legality.engine = config.engine;
  config.timing.engine = config.engine;
  return config;
}

}  // namespace

Sequencer::Sequencer(sc_core::sc_module_name module_name, const SequencerConfig& config, SyncUnit& sync,
                     SequencerHooks hooks)
    : sc_module(module_name),
      fetch("fetch"),
      issue("issue"),
      memory("memory"),
      control("control", *this, control_capabilities()),
      config_(of_its_engine(config)),
      name_(isa::to_string(config.engine)),
      sync_(sync),
      hooks_(std::move(hooks)),
      clock_(config.timing.clock_hz),
      latest_completion_(last_cycle_until(config.max_femtoseconds, clock_)),
      pipeline_(config.legality.generation, config_.timing) {
  SC_HAS_PROCESS(Sequencer);
  SC_THREAD(run);
  SC_THREAD(run_pending);
}

void Sequencer::run() {
  while (true) {
    while (state_ != State::running) wait(start_);
    run_program();
    finish();
  }
}

void Sequencer::run_program() {
  // A program that starts at t > 0 begins at the first cycle edge from there on.
  if (config_.timed) pipeline_.begin_at(clock_.cycles_at_or_after(now_femtoseconds()));
  halted_ = false;
  for (word_ = 0; (word_count_ == kUntilHalt || word_ < word_count_) && !halted_; ++word_) {
    if (hooks_.stop_requested && hooks_.stop_requested()) {
      state_ = State::stopped;
      return;
    }
    isa::Word word;
    if (!fetch_word(word_, word) || !execute_word(word)) return;
  }
}

void Sequencer::finish() {
  if (config_.timed) synchronise_to(clock_.femtoseconds(last_completion_));
  fire_due_actions();
  if (state_ == State::running) state_ = State::done;
  busy_ = false;
  ended_.notify(sc_core::SC_ZERO_TIME);
}

bool Sequencer::fetch_word(std::uint64_t index, isa::Word& word) {
  if (window_.empty() || index < window_first_ || index >= window_first_ + window_.size()) {
    const std::uint64_t left = word_count_ == kUntilHalt ? kWindowWords : word_count_ - index;
    // A window may reach past the end of memory where the word itself does not.
    if (!fetch_window(index, std::min(kWindowWords, left)) && !fetch_window(index, 1)) {
      opcode_ = 0;
      fault({"fetch_past_end", "pc", 0, program_counter(), "an address of instruction memory"});
      return false;
    }
  }
  word = window_[index - window_first_];
  return true;
}

bool Sequencer::fetch_window(std::uint64_t index, std::uint64_t words) {
  window_first_ = index;
  window_.resize(words);
  auto& payload = fetch_payload_;
  prepare(payload, tlm::TLM_READ_COMMAND, address_of(index), window_.front().bytes.data(), words * isa::kWordBytes);
  sc_core::sc_time delay;
  fetch->b_transport(payload, delay);
  if (!payload.is_response_ok()) {
    window_.clear();
    return false;
  }
  fetched_.read += isa::Bytes(payload.get_data_length());
  ++fetched_.transactions;
  return true;
}

bool Sequencer::execute_word(const isa::Word& word) {
  opcode_ = word.opcode_byte();
  wait_holds_ = isa::Cycles{};
  start_noted_ = false;
  // Who else has something to do at this moment does it first: the ports then see who is left to meet the word.
  if (config_.timed && sc_core::sc_pending_activity_at_current_time()) wait(sc_core::SC_ZERO_TIME);
  // A word that could issue at or after a pending update sees its consequences, a fault among them.
  const std::uint64_t next = config_.timed ? clock_.femtoseconds(pipeline_.next_issue()) : 0;
  if (config_.timed && !pending_.empty() && next >= pending_.begin()->first) synchronise_to(next);
  if (!faults_.empty()) return false;
  if (!dispatch(word) || !check_legality(word)) return false;
  for (const WaitCondition& condition : wait_conditions(word, registers_)) {
    if (!await(condition)) return false;
  }
  if (!issue_word(word)) return false;
  post_notifications(word);
  post_updates(word, issue_extension_.schedule);
  ++executed_;
  if (hooks_.retired) report_retirement(word);
  keep_quantum();
  return state_ == State::running;
}

void Sequencer::report_retirement(const isa::Word& word) {
  retirement_.engine = config_.engine;
  retirement_.word = word_;
  retirement_.pc = program_counter();
  retirement_.bits = word;
  retirement_.schedule = issue_extension_.schedule;
  retirement_.traffic = issue_extension_.traffic;
  retirement_.banks = issue_extension_.banks;
  hooks_.retired(retirement_);
}

bool Sequencer::dispatch(const isa::Word& word) {
  if (isa::is_control_opcode(word.opcode_byte())) return true;
  const auto row = firmware::dispatch(config_.engine, word.opcode_byte(), config_.build);
  if (const auto* refusal = std::get_if<firmware::DispatchRefusal>(&row)) {
    fault(firmware::finding_of(*refusal, word.opcode_byte()));
    return false;
  }
  if (hooks_.logged && config_.build == firmware::Build::debug)
    hooks_.logged(std::get<firmware::Handler>(row).self_name);
  return true;
}

bool Sequencer::check_legality(const isa::Word& word) {
  if (legal_.find(word) != nullptr) return true;
  const std::vector<isa::Finding> findings = isa::check(word, config_.legality);
  if (findings.empty()) legal_.put(word, {});
  for (const isa::Finding& finding : findings) report(finding);
  return state_ == State::running;
}

// Blocks until the condition holds, and notes the cycle at which it did.
bool Sequencer::await(const WaitCondition& condition) {
  if (config_.timed) synchronise_to(clock_.femtoseconds(pipeline_.next_issue()));
  blocked_on_ = condition;
  while (faults_.empty() && !sync_.state().holds(condition)) {
    state_ = State::waiting;
    wait(sync_.changed());
    fire_due_actions();
  }
  if (!faults_.empty()) return false;
  state_ = State::running;
  if (config_.timed) {
    const HeldSince since = sync_.state().held_since(condition);
    const bool by_other = !since.who.empty() && since.who != name_;
    isa::Cycles holds = clock_.cycles_at_or_after(since.femtoseconds);
    if (by_other) holds += config_.timing.semaphore_latency();
    wait_holds_ = std::max(wait_holds_, holds);
  }
  sync_.consume(condition, name_);
  return true;
}

bool Sequencer::issue_word(const isa::Word& word) {
  issue_extension_.reset();
  const bool executed = isa::is_control_opcode(opcode_) ? execute_control(word) : send_to_engine(word);
  if (!executed || !within_limit(issue_extension_.schedule.complete)) return false;
  last_completion_ = std::max(last_completion_, issue_extension_.schedule.complete);
  return report_fp_status(issue_extension_.fp_status);
}

bool Sequencer::send_to_engine(isa::Word word) {
  issue_extension_.registers = &registers_;
  issue_extension_.wait_holds = wait_holds_;
  issue_extension_.pipeline = &pipeline_;
  issue_extension_.latest_completion = latest_completion_;
  const firmware::DebugRequest request = firmware::debug_request(isa::read_header(word).debug_cmd);
  issue_extension_.wants_crc = ring_ && request.end;
  if (ring_ && request.start)
    issue_extension_.started = [this](const timing::Opening& opening) { note_start(opening.start, opening.wait_wait); };
  if (!pending_.empty()) issue_extension_.synchronise_from = pending_.begin()->first;

  auto& payload = issue_payload_;
  prepare(payload, tlm::TLM_WRITE_COMMAND, 0, word.bytes.data(), isa::kWordBytes);
  payload.set_extension(&issue_extension_);
  sc_core::sc_time delay =
      config_.timed ? until_femtoseconds(clock_.femtoseconds(pipeline_.next_issue())) : sc_core::SC_ZERO_TIME;
  issue->b_transport(payload, delay);
  payload.clear_extension(&issue_extension_);

  for (const isa::Finding& finding : issue_extension_.warnings) warn(finding);
  for (const isa::Finding& finding : issue_extension_.faults) fault(finding);
  if (!issue_extension_.faults.empty()) return false;
  if (!payload.is_response_ok()) {
    fault({"issue_response", "opcode", 0, opcode_, "a word that the engine accepts"});
    return false;
  }
  return true;
}

bool Sequencer::within_limit(isa::Cycles complete) {
  if (complete <= latest_completion_) return true;
  timed_out_at_ = clock_.femtoseconds(complete);
  state_ = State::timeout;
  return false;
}

bool Sequencer::execute_control(const isa::Word& word) {
  switch (static_cast<isa::Opcode>(opcode_)) {
    case isa::Opcode::tensor_load:
    case isa::Opcode::tensor_store:
      return transfer(word, opcode_ == isa::code(isa::Opcode::tensor_load));
    case isa::Opcode::move:
      if (const auto refusal = execute_move(isa::decode_as<isa::CtrlMv>(word), program_counter(), registers_)) {
        if (!report(*refusal)) return false;
      }
      break;
    case isa::Opcode::halt:
      halted_ = true;
      break;
    case isa::Opcode::instruction_flush:
      window_.clear();
      break;
    default:
      break;
  }
  if (config_.timed)
    issue_extension_.schedule = pipeline_.control({}, wait_holds_, opcode_ == isa::code(isa::Opcode::drain));
  return true;
}

bool Sequencer::transfer(const isa::Word& word, bool load) {
  if (load && !config_.data) {
    fault({"memory_contents", "opcode", 0, opcode_,
           "a run with data: what comes from memory steers waits, updates and addresses"});
    return false;
  }
  const auto layout = isa::decode_as<isa::Mem2D>(word);
  auto plan = plan_transfer(layout, load, registers_);
  if (const auto* refusal = std::get_if<isa::Finding>(&plan)) {
    if (!report(*refusal)) return false;
    if (config_.timed) issue_extension_.schedule = pipeline_.control({}, wait_holds_, false);
    return true;
  }
  const auto& elements = std::get<TensorTransfer>(plan);
  if (config_.timed)
    issue_extension_.schedule = pipeline_.control(
        on_chip_operands(elements, load, layout.dtype, config_.legality.generation), wait_holds_, false);
  if (issue_extension_.schedule.complete > latest_completion_) return true;  // within_limit() ends the run
  std::vector<std::uint64_t> values = elements.values;
  values.resize(elements.addresses.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    std::array<std::uint8_t, sizeof(std::uint64_t)> bytes{};
    std::memcpy(bytes.data(), &values[k], bytes.size());
    if (!memory_access(!load, elements.addresses[k], bytes.data(), elements.element_bytes)) {
      fault(transfer_response(elements.addresses[k]));
      return false;
    }
    if (hooks_.transferred) hooks_.transferred(!load, elements.addresses[k], bytes.data(), elements.element_bytes);
    std::memcpy(&values[k], bytes.data(), bytes.size());
  }
  if (load) load_registers(elements, layout.dtype, values, registers_);
  return true;
}

bool Sequencer::memory_access(bool write, std::uint64_t address, std::uint8_t* data, std::size_t bytes) {
  prepare(memory_payload_, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data, bytes);
  sc_core::sc_time delay;
  memory->b_transport(memory_payload_, delay);
  return memory_payload_.is_response_ok();
}

// Flags of severity 1 are reported one by one and execution goes on; several at once are what the policy says (isa.md
// 15.1).
bool Sequencer::report_fp_status(std::uint8_t status) {
  if (status == 0) return true;
  const auto several = firmware::fp_status_several(status);
  if (several && config_.fp_status == FpStatusPolicy::firmware) {
    fault(*several);
    return false;
  }
  for (const isa::Finding& finding : firmware::fp_status_findings(status, opcode_)) warn(finding);
  return true;
}

// ---- Updates and notifications ----

void Sequencer::post(isa::Cycles at, PendingAction action) {
  const std::uint64_t moment = config_.timed ? clock_.femtoseconds(at) : 0;
  action.word = word_;
  action.opcode = opcode_;
  pending_.emplace(std::max(moment, now_femtoseconds()), std::move(action));
}

void Sequencer::post_updates(const isa::Word& word, const timing::Schedule& schedule) {
  const bool noted = ring_ && isa::read_header(word).debug_cmd != 0;
  for (const SyncUpdate& update : sync_updates(word, registers_)) {
    PendingAction action;
    action.update = update;
    action.note_update = noted;
    post(isa::update_at_read(update.mode) ? schedule.read_done : schedule.complete, std::move(action));
  }
  if (!pending_.empty()) fire_due_actions();
}

void Sequencer::post_notifications(const isa::Word& word) {
  if (!ring_) return;
  const isa::Header header = isa::read_header(word);
  const firmware::DebugRequest request = firmware::debug_request(header.debug_cmd);
  const timing::Schedule& schedule = issue_extension_.schedule;
  const std::uint64_t pc = program_counter();
  const auto add = [this](isa::Cycles at, const auto& record) {
    PendingAction action;
    action.notification = firmware::encode(record, 0);
    post(at, std::move(action));
  };
  if (request.start && !start_noted_) note_start(schedule.start, schedule.wait_wait);
  if (request.explicit_note) add(schedule.complete, firmware::ExplicitRecord{pc, header.debug_hint});
  if (request.end)
    add(schedule.complete, firmware::EndRecord{pc, issue_extension_.input_crc, issue_extension_.output_crc});
}

void Sequencer::note_start(isa::Cycles start, isa::Cycles waited) {
  PendingAction action;
  action.notification = firmware::encode(firmware::StartRecord{program_counter(), 0, waited}, 0);
  post(start, std::move(action));
  start_noted_ = true;
  fire_due_actions();
}

// A thread: a notification is a transaction.
void Sequencer::run_pending() {
  while (true) {
    wait(pending_event_);
    fire_due_actions();
  }
}

// Performs every pending action whose moment has come; called by whoever wakes first at that moment.
void Sequencer::fire_due_actions() {
  while (!pending_.empty() && pending_.begin()->first <= now_femtoseconds()) {
    const PendingAction due = pending_.begin()->second;
    pending_.erase(pending_.begin());
    perform(due);
  }
  if (!pending_.empty()) pending_event_.notify(until_femtoseconds(pending_.begin()->first));
}

void Sequencer::perform(const PendingAction& action) {
  if (action.notification) notify(*action.notification);
  if (!action.update) return;
  const SyncUpdate& update = *action.update;
  if (!sync_.apply(update, name_)) {
    fault_at(action.word, action.opcode, event_discipline(update));
    return;
  }
  if (!action.note_update) return;
  const bool semaphore = isa::updates_semaphore(update.mode);
  const auto value = semaphore ? static_cast<std::uint32_t>(sync_.state().semaphore(isa::SemaphoreIndex{update.index}))
                               : std::uint32_t{sync_.state().event(isa::EventIndex{update.index})};
  notify(firmware::encode(firmware::EventRecord{semaphore, update.index, value}, 0));
}

void Sequencer::notify(firmware::Notification notification) {
  if (!ring_) return;
  notification.timestamp_ps = now_femtoseconds() / 1000;
  const auto address = ring_->push(notification);
  notification.sw_overflow = notification.sw_overflow || record_lost_;
  record_lost_ = !address;
  if (!address) return;
  firmware::NotificationBytes bytes = firmware::to_bytes(notification);
  if (memory_access(true, *address, bytes.data(), bytes.size())) return;
  ring_.reset();  // a ring outside memory: the fault below must not try it again
  fault_at(word_, opcode_,
           {"ring_response", "ring_base", 0, *address, "a notification ring inside the core's memories"});
}

void Sequencer::synchronise_to(std::uint64_t femtoseconds) {
  if (femtoseconds > now_femtoseconds()) wait(until_femtoseconds(femtoseconds));
  fire_due_actions();
}

void Sequencer::keep_quantum() {
  if (!config_.timed) return;
  const std::uint64_t next = clock_.femtoseconds(pipeline_.next_issue());
  if (until_femtoseconds(next) > config_.quantum) synchronise_to(next);
}

// ---- Findings ----

WordFinding Sequencer::at_word(std::uint64_t word, std::uint8_t opcode, const isa::Finding& finding) const {
  return {name_, word, address_of(word), opcode, finding};
}

// Of the current word: what earlier words do until it could issue comes first.
void Sequencer::fault(const isa::Finding& finding) {
  if (config_.timed) synchronise_to(clock_.femtoseconds(pipeline_.next_issue()));
  fault_at(word_, opcode_, finding);
}

// A fault in strict mode, otherwise a warning and true.
bool Sequencer::report(const isa::Finding& finding) {
  if (config_.strict)
    fault(finding);
  else
    warn(finding);
  return !config_.strict;
}

// The error unit's way (isa.md 15.1): record to the user register, notification, halt.
void Sequencer::fault_at(std::uint64_t word, std::uint8_t opcode, const isa::Finding& finding) {
  faults_.push_back(at_word(word, opcode, finding));
  state_ = State::fault;
  const auto record = firmware::record_of(finding, config_.engine, opcode, config_.block_ids);
  fault_record_ = firmware::pack(record);
  notify(firmware::encode(firmware::ErrorRecord{address_of(word), firmware::ErrorId::sequencer_fatal, record}, 0));
}

void Sequencer::warn(const isa::Finding& finding) {
  if (hooks_.warned) hooks_.warned(at_word(word_, opcode_, finding));
}

}  // namespace dve
