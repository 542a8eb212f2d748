#include "deadlock.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace dve {
namespace {

// A semaphore or an event.
using Cell = std::pair<bool, std::uint8_t>;  // is an event, index

Cell cell_of(const WaitCondition& condition) { return {isa::waits_on_event(condition.mode), condition.index}; }
Cell cell_of(const SyncUpdate& update) { return {isa::updates_event(update.mode), update.index}; }

std::string name(const Cell& cell) { return fmt::format("{}[{}]", cell.first ? "evt" : "sem", cell.second); }

// A word or a transfer that changes a cell.
struct Updater {
  std::string what;  // "act word 4"
  bool reached;
};

std::string word_name(isa::Engine engine, std::size_t k) {
  return fmt::format("{} word {}", isa::to_string(engine), k);
}

// What all words of all programs change and wait for.
struct Uses {
  std::map<Cell, std::vector<Updater>> updates;
  std::set<Cell> waits;
};

void add_transfers(Uses& uses, const DmaQueue& ring) {
  const auto cell = [](isa::SemaphoreIndex index) { return Cell{false, static_cast<std::uint8_t>(number(index))}; };
  for (std::size_t k = 0; k < ring.transfers().size(); ++k) {
    uses.updates[cell(ring.transfers()[k].update)].push_back(
        {fmt::format("{} transfer {}", ring.title(), k), k < ring.current()});
    for (const dma::Wait& wait : ring.transfers()[k].waits) uses.waits.insert(cell(wait.semaphore));
  }
}

Uses uses_of(const NeuronCore& core, Host& host) {
  Uses uses;
  const execute::Registers none{};  // amounts in registers do not matter here
  for (const runtime::Stream& stream : host.streams()) {
    for (std::size_t k = 0; k < stream.count; ++k) {
      const isa::Word word = host.word(stream.first + k);
      const Sequencer& seq = core.seq(stream.engine);
      const bool reached = k < seq.current_word() || seq.state() == Sequencer::State::done;
      for (const SyncUpdate& update : sync_updates(word, none))
        uses.updates[cell_of(update)].push_back({word_name(stream.engine, k), reached});
      for (const WaitCondition& condition : wait_conditions(word, none)) {
        uses.waits.insert(cell_of(condition));
        if (condition.mode == isa::WaitMode::evt_set_then_clear || condition.mode == isa::WaitMode::evt_clear_then_set)
          uses.updates[cell_of(condition)].push_back({word_name(stream.engine, k), reached});
      }
    }
  }
  for (const auto& ring : core.dma.rings) add_transfers(uses, *ring);
  uses.waits.insert({false, static_cast<std::uint8_t>(number(runtime::kStepRequest))});
  return uses;
}

std::string updaters(const Uses& uses, const Cell& cell) {
  constexpr std::size_t kShown = 4;
  if (cell == Cell{false, static_cast<std::uint8_t>(number(runtime::kStepDone))})
    return "the host's steps bring it about";
  const auto found = uses.updates.find(cell);
  if (found == uses.updates.end()) return "no word of the program changes it";
  std::string text = "changed by ";
  for (std::size_t k = 0; k < found->second.size(); ++k) {
    if (k == kShown) return text + fmt::format(" and {} more", found->second.size() - kShown);
    const Updater& updater = found->second[k];
    text += fmt::format("{}{} ({})", k == 0 ? "" : ", ", updater.what, updater.reached ? "executed" : "not reached");
  }
  return text;
}

std::string last_change(const SyncState& state, const WaitCondition& condition) {
  const auto change = state.last_change(condition);
  if (!change) return "never changed";
  return fmt::format("last changed by {} at {} ns", change->who, static_cast<double>(change->femtoseconds) / 1e6);
}

std::string value_of(const SyncState& state, const WaitCondition& condition) {
  if (isa::waits_on_event(condition.mode)) return state.event(isa::EventIndex{condition.index}) ? "set" : "clear";
  return fmt::format("{}", state.semaphore(isa::SemaphoreIndex{condition.index}));
}

Waiting waiting_for(const NeuronCore& core, const Uses& uses, const WaitCondition& condition) {
  Waiting w;
  w.condition = to_string(condition);
  w.value = value_of(core.sync.state(), condition);
  w.last_change = last_change(core.sync.state(), condition);
  w.updated_by = updaters(uses, cell_of(condition));
  return w;
}

std::vector<std::string> unawaited(const Uses& uses) {
  std::vector<std::string> lines;
  for (const auto& [cell, words] : uses.updates) {
    if (uses.waits.count(cell) != 0) continue;
    lines.push_back(fmt::format("{} is changed by {}, but no word waits for it", name(cell), words.front().what));
  }
  return lines;
}

}  // namespace

std::string to_string(const Waiting& w) {
  const std::string place =
      w.who == "host"    ? fmt::format("host step {}", w.word)
      : !w.label.empty() ? fmt::format("{} transfer {} ({})", w.who, w.word, w.label)
                         : fmt::format("{} word {} (pc {:#x}, {})", w.who, w.word, w.pc, isa::opcode_name(w.opcode));
  return fmt::format("{} waits for {}, which is {} ({}); {}", place, w.condition, w.value, w.last_change, w.updated_by);
}

Deadlock explain_deadlock(const NeuronCore& core, Host& host) {
  const Uses uses = uses_of(core, host);
  Deadlock deadlock;
  for (const runtime::Stream& stream : host.streams()) {
    const Sequencer& seq = core.seq(stream.engine);
    if (seq.state() != Sequencer::State::waiting) continue;
    Waiting w = waiting_for(core, uses, seq.blocked_on());
    w.who = isa::to_string(stream.engine);
    w.word = seq.current_word();
    w.pc = seq.program_counter();
    w.opcode = host.word(stream.first + w.word).opcode_byte();
    deadlock.waits.push_back(std::move(w));
  }
  for (const auto& ring : core.dma.rings) {
    if (ring->state() != DmaQueue::State::waiting) continue;
    Waiting w = waiting_for(core, uses, ring->blocked_on());
    w.who = ring->title();
    w.word = ring->current();
    w.label = ring->transfers()[w.word].label;
    deadlock.waits.push_back(std::move(w));
  }
  if (!host.steps_finished()) {
    Waiting w = waiting_for(core, uses,
                            {isa::WaitMode::sem_ge_imm, static_cast<std::uint8_t>(number(runtime::kStepRequest)),
                             static_cast<std::int32_t>(host.next_step())});
    w.who = "host";
    w.word = host.next_step();
    deadlock.waits.push_back(std::move(w));
  }
  deadlock.unawaited = unawaited(uses);
  return deadlock;
}

}  // namespace dve
