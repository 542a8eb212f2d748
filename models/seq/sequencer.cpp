#include "sequencer.h"

#include <algorithm>
#include <utility>

namespace dve {
namespace {

// 32 KiB of instruction window (microarchitecture.md 6.1).
constexpr std::uint64_t kWindowWords = 512;

constexpr std::uint64_t kRegisterBytes = std::uint64_t{4} * isa::kRegisters;

TargetCapabilities control_capabilities() {
  TargetCapabilities c;
  c.size = Sequencer::kWindowBytes;
  c.byte_enables = false;
  c.streaming = false;
  c.alignment = 4;
  return c;
}

}  // namespace

Sequencer::Sequencer(sc_core::sc_module_name name, const SequencerConfig& config, SyncUnit& sync, SequencerHooks hooks)
    : sc_module(name),
      fetch("fetch"),
      issue("issue"),
      control("control", *this, control_capabilities()),
      config_(config),
      sync_(sync),
      hooks_(std::move(hooks)),
      clock_(config.timing.clock_hz) {
  SC_HAS_PROCESS(Sequencer);
  SC_THREAD(run);
  SC_METHOD(update_process);
  sensitive << pending_event_;
  dont_initialize();
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
  wait_holds_ = config_.timed ? clock_.cycles_at_or_after(now_femtoseconds()) : isa::Cycles{};
  next_issue_ = wait_holds_;
  for (word_ = 0; word_ < word_count_; ++word_) {
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
  fire_due_updates();
  if (state_ == State::running) state_ = State::done;
  ended_.notify(sc_core::SC_ZERO_TIME);
}

bool Sequencer::fetch_word(std::uint64_t index, isa::Word& word) {
  if (window_.empty() || index < window_first_ || index >= window_first_ + window_.size()) {
    window_first_ = index;
    window_.resize(std::min<std::uint64_t>(kWindowWords, word_count_ - index));
    auto& payload = fetch_payload_;
    prepare(payload, tlm::TLM_READ_COMMAND, program_base_ + index * isa::kWordBytes, window_.front().bytes.data(),
            window_.size() * isa::kWordBytes);
    sc_core::sc_time delay;
    fetch->b_transport(payload, delay);
    if (!payload.is_response_ok()) {
      window_.clear();
      opcode_ = 0;
      fault({"fetch_response", "pc", 0, program_counter(), "an address of instruction memory"});
      return false;
    }
    fetched_.read += isa::Bytes(payload.get_data_length());
    ++fetched_.transactions;
  }
  word = window_[index - window_first_];
  return true;
}

bool Sequencer::execute_word(const isa::Word& word) {
  opcode_ = word.opcode_byte();
  const isa::Events events = isa::read_events(word);
  if (!dispatch(word) || !check_legality(word) || !await(events) || !issue_word(word)) return false;
  post_update(events, issue_extension_.schedule);
  ++executed_;
  if (hooks_.retired)
    hooks_.retired(
        {word_, program_counter(), word, issue_extension_.schedule, issue_extension_.traffic, issue_extension_.banks});
  keep_quantum();
  return state_ == State::running;
}

bool Sequencer::dispatch(const isa::Word& word) {
  const auto row = dispatch_dve(word.opcode_byte(), config_.build);
  if (const auto* refusal = std::get_if<DispatchRefusal>(&row)) {
    fault({std::string(refusal->predicate), "opcode", 0, word.opcode_byte(), std::string(refusal->expected)});
    return false;
  }
  if (hooks_.logged && config_.build == SeqBuild::debug) hooks_.logged(std::get<Handler>(row).self_name);
  return true;
}

bool Sequencer::check_legality(const isa::Word& word) {
  for (const isa::Finding& finding : isa::check(word, config_.legality)) {
    if (config_.strict)
      fault(finding);
    else
      warn(finding);
  }
  return state_ == State::running;
}

// Blocks until the word's wait condition holds, and notes the cycle at which it did.
bool Sequencer::await(const isa::Events& events) {
  const WaitCondition condition = wait_condition(events, registers_);
  if (!isa::waits_on_semaphore(condition.mode) && !isa::waits_on_event(condition.mode)) return true;
  if (config_.timed) synchronise_to(clock_.femtoseconds(next_issue_));
  blocked_on_ = condition;
  while (!sync_.state().holds(condition)) {
    state_ = State::waiting;
    wait(sync_.changed());
    fire_due_updates();
    if (!faults_.empty()) return false;
  }
  state_ = State::running;
  if (config_.timed) {
    const HeldSince since = sync_.state().held_since(condition);
    const bool by_other = !since.who.empty() && since.who != config_.engine;
    wait_holds_ = clock_.cycles_at_or_after(since.femtoseconds);
    if (by_other) wait_holds_ += config_.timing.semaphore_latency();
  }
  sync_.consume(condition, config_.engine);
  return true;
}

bool Sequencer::issue_word(const isa::Word& word) {
  // A word that starts at or after a pending update sees its consequences, a fault among them.
  if (config_.timed && !pending_.empty() && clock_.femtoseconds(next_issue_) >= pending_.begin()->first)
    synchronise_to(clock_.femtoseconds(next_issue_));
  if (!faults_.empty()) return false;
  isa::Word bits = word;
  issue_extension_ = IssueExtension();
  issue_extension_.registers = &registers_;
  issue_extension_.wait_holds = wait_holds_;
  if (!pending_.empty()) issue_extension_.synchronise_from = pending_.begin()->first;
  wait_holds_ = isa::Cycles{};

  auto& payload = issue_payload_;
  prepare(payload, tlm::TLM_WRITE_COMMAND, 0, bits.bytes.data(), isa::kWordBytes);
  payload.set_extension(&issue_extension_);
  sc_core::sc_time delay = config_.timed ? until_femtoseconds(clock_.femtoseconds(next_issue_)) : sc_core::SC_ZERO_TIME;
  issue->b_transport(payload, delay);
  payload.clear_extension(&issue_extension_);

  for (const isa::Finding& finding : issue_extension_.warnings) warn(finding);
  for (const isa::Finding& finding : issue_extension_.faults) fault(finding);
  if (!issue_extension_.faults.empty()) return false;
  if (!payload.is_response_ok()) {
    fault({"issue_response", "opcode", 0, opcode_, "a word that the engine accepts"});
    return false;
  }
  next_issue_ = issue_extension_.schedule.next_issue;
  const isa::Cycles complete = issue_extension_.schedule.complete;
  if (config_.max_cycles != 0 && complete.value > config_.max_cycles) {
    timed_out_at_ = complete;
    state_ = State::timeout;
    return false;
  }
  last_completion_ = std::max(last_completion_, complete);
  return true;
}

void Sequencer::post_update(const isa::Events& events, const timing::Schedule& schedule) {
  const SyncUpdate update = sync_update(events, registers_);
  if (!isa::updates_semaphore(update.mode) && !isa::updates_event(update.mode)) return;
  const isa::Cycles at = isa::update_at_read(update.mode) ? schedule.read_done : schedule.complete;
  const std::uint64_t moment = config_.timed ? clock_.femtoseconds(at) : 0;
  pending_.emplace(std::max(moment, now_femtoseconds()), PendingUpdate{update, word_, opcode_});
  fire_due_updates();
}

// Applies every pending update whose moment has come; called by whoever wakes first at that moment.
void Sequencer::fire_due_updates() {
  while (!pending_.empty() && pending_.begin()->first <= now_femtoseconds()) {
    const PendingUpdate due = pending_.begin()->second;
    pending_.erase(pending_.begin());
    if (sync_.apply(due.update, config_.engine)) continue;
    const isa::Finding finding{"event_discipline", "update_idx", 7, due.update.index,
                               "an event that the update changes (set a clear one, clear a set one)"};
    faults_.push_back({config_.engine, due.word, program_base_ + due.word * isa::kWordBytes, due.opcode, finding});
    state_ = State::fault;
  }
  if (!pending_.empty()) pending_event_.notify(until_femtoseconds(pending_.begin()->first));
}

void Sequencer::update_process() { fire_due_updates(); }

void Sequencer::synchronise_to(std::uint64_t femtoseconds) {
  if (femtoseconds > now_femtoseconds()) wait(until_femtoseconds(femtoseconds));
  fire_due_updates();
}

void Sequencer::keep_quantum() {
  if (config_.timed && until_femtoseconds(clock_.femtoseconds(next_issue_)) > config_.quantum)
    synchronise_to(clock_.femtoseconds(next_issue_));
}

WordFinding Sequencer::at_current_word(const isa::Finding& finding) const {
  return {config_.engine, word_, program_counter(), opcode_, finding};
}

void Sequencer::fault(const isa::Finding& finding) {
  faults_.push_back(at_current_word(finding));
  state_ = State::fault;
}

void Sequencer::warn(const isa::Finding& finding) {
  if (hooks_.warned) hooks_.warned(at_current_word(finding));
}

tlm::tlm_response_status Sequencer::access(const PlainAccess& access, sc_core::sc_time&) {
  return access_registers(
      access, [this](std::uint64_t address, std::uint32_t& value) { return read_register(address, value); },
      [this](std::uint64_t address, std::uint32_t value) { return write_register(address, value); });
}

tlm::tlm_response_status Sequencer::read_register(std::uint64_t address, std::uint32_t& value) const {
  if (address < kRegisterBytes) {
    value = registers_[address / 4];
    return tlm::TLM_OK_RESPONSE;
  }
  const std::uint64_t pc = program_counter();
  switch (address) {
    case kPcLow:
      value = static_cast<std::uint32_t>(pc);
      return tlm::TLM_OK_RESPONSE;
    case kPcHigh:
      value = static_cast<std::uint32_t>(pc >> 32);
      return tlm::TLM_OK_RESPONSE;
    case kBaseLow:
      value = static_cast<std::uint32_t>(program_base_);
      return tlm::TLM_OK_RESPONSE;
    case kBaseHigh:
      value = static_cast<std::uint32_t>(program_base_ >> 32);
      return tlm::TLM_OK_RESPONSE;
    case kWordCount:
      value = word_count_;
      return tlm::TLM_OK_RESPONSE;
    case kState:
      value = static_cast<std::uint32_t>(state_);
      return tlm::TLM_OK_RESPONSE;
    case kControl:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    default:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
}

tlm::tlm_response_status Sequencer::write_register(std::uint64_t address, std::uint32_t value) {
  if (address < kRegisterBytes) {
    registers_[address / 4] = value;
    return tlm::TLM_OK_RESPONSE;
  }
  const auto low_half = [](std::uint64_t whole, std::uint32_t v) { return (whole & ~std::uint64_t{0xFFFFFFFF}) | v; };
  const auto high_half = [](std::uint64_t whole, std::uint32_t v) {
    return (whole & 0xFFFFFFFF) | (std::uint64_t{v} << 32);
  };
  switch (address) {
    case kBaseLow:
      program_base_ = low_half(program_base_, value);
      return tlm::TLM_OK_RESPONSE;
    case kBaseHigh:
      program_base_ = high_half(program_base_, value);
      return tlm::TLM_OK_RESPONSE;
    case kWordCount:
      word_count_ = value;
      return tlm::TLM_OK_RESPONSE;
    case kControl:
      if (value == 1 && state_ != State::running && state_ != State::waiting) {
        state_ = State::running;
        window_.clear();
        start_.notify(sc_core::SC_ZERO_TIME);
      }
      return tlm::TLM_OK_RESPONSE;
    case kPcLow:
    case kPcHigh:
    case kState:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    default:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
}

}  // namespace dve
