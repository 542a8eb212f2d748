#include "interleaving.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <random>
#include <utility>

namespace dve::test {
namespace {

// Bytes of every partition; all places of a plan begin at partition 0.
struct Touch {
  isa::Space space;
  std::int64_t begin, end;
  bool write;
};
using Touches = std::vector<Touch>;

bool conflict(const Touches& a, const Touches& b) {
  for (const Touch& x : a) {
    for (const Touch& y : b) {
      if ((x.write || y.write) && x.space == y.space && x.begin < y.end && y.begin < x.end) return true;
    }
  }
  return false;
}

Touches touched_by(const isa::Word& word, isa::Generation generation) {
  Touches touches;
  for (const isa::Operand& operand : isa::operands(word)) {
    const auto place = isa::place_of(operand.address.partition_offset(), generation);
    if (!place) continue;
    const auto size = static_cast<std::int64_t>(isa::storage_size(operand.dtype).value);
    const isa::AccessPattern::Extent extent = operand.pattern.extent();
    touches.push_back({place->space, place->offset + extent.lowest * size, place->offset + (extent.highest + 1) * size,
                       operand.role == isa::OperandRole::dst});
  }
  return touches;
}

Touch at(const isa::Place& place, std::uint64_t bytes, bool write) {
  return {place.space, place.offset, place.offset + static_cast<std::int64_t>(bytes), write};
}

struct ActionTouches {
  std::uint64_t element_bytes;

  Touches operator()(const runtime::LoadTensor& a) const {
    return {at(a.place, a.elements.count * element_bytes, true)};
  }
  Touches operator()(const runtime::StoreDx& a) const { return {at(a.place, a.elements.count * element_bytes, false)}; }
  Touches operator()(const runtime::StoreY& a) const { return {at(a.place, a.elements.count * element_bytes, false)}; }
  Touches operator()(const runtime::LoadVector& a) const { return {at(a.place, 4, true)}; }
  Touches operator()(const runtime::StoreStatistics& a) const { return {at(a.place, 8, false)}; }
  Touches operator()(const runtime::StoreInvStd& a) const { return {at(a.place, 4, false)}; }
  Touches operator()(const runtime::ComputeInvStd& a) const { return {at(a.place, 4, true)}; }
  Touches operator()(const runtime::WriteA& a) const { return {at(a.place, 8, true)}; }
  Touches operator()(const runtime::StoreSums& a) const { return {at(a.place, 12, false)}; }
  Touches operator()(const runtime::StageTensor&) const { return {}; }
  Touches operator()(const runtime::CollectDx&) const { return {}; }
  Touches operator()(const runtime::AddTileSums& a) const {
    Touches touches{at(a.place, 12, true)};
    for (const isa::Place& tile : a.tiles) touches.push_back(at(tile, 12, false));
    return touches;
  }
};

// An engine, a DMA ring, or the host.
struct Actor {
  std::string name;
  const std::vector<dma::Transfer>* ring = nullptr;
  std::vector<Touches> touches;  // of each of its words or steps
  std::size_t started = 0;
  std::deque<std::size_t> in_flight;  // started and not complete
  std::uint32_t eager_to_start = 1, eager_to_complete = 1;

  bool done() const { return started == touches.size() && in_flight.empty(); }
};

class Interleaver {
 public:
  Interleaver(const runtime::Program& program, Executor& executor, std::uint32_t seed)
      : p_(program), executor_(executor), random_(seed) {
    streams_ = program.streams;
    if (streams_.empty()) streams_.push_back({isa::Engine::dve, 0, program.words.size()});
    for (const runtime::Stream& stream : streams_) {
      Actor actor = new_actor(std::string(isa::to_string(stream.engine)));
      for (std::size_t i = 0; i < stream.count; ++i)
        actor.touches.push_back(touched_by(program.words[stream.first + i], program.request.generation));
      actors_.push_back(std::move(actor));
    }
    for (const std::vector<dma::Transfer>& ring : program.transfers) {
      Actor actor = new_actor("a DMA ring");
      actor.ring = &ring;
      for (const dma::Transfer& t : ring)
        actor.touches.push_back({at(t.place, t.bytes_per_partition, t.direction == dma::Direction::load)});
      actors_.push_back(std::move(actor));
    }
    Actor host = new_actor("host");
    for (const runtime::Actions& actions : program.steps) {
      Touches all;
      for (const runtime::Action& action : actions) {
        const Touches touches = std::visit(ActionTouches{isa::storage_size(program.request.dtype).value}, action);
        all.insert(all.end(), touches.begin(), touches.end());
      }
      host.touches.push_back(std::move(all));
    }
    actors_.push_back(std::move(host));
  }

  std::vector<std::string> run() {
    while (problems_.empty() && move()) {
    }
    for (const Actor& actor : actors_) {
      if (problems_.empty() && !actor.done())
        problem(fmt::format("standstill: {} has started {} of {}", actor.name, actor.started, actor.touches.size()));
    }
    if (problems_.empty() && value(runtime::kStepRequest) != p_.steps.size())
      problem(fmt::format("{} steps, {} requests", p_.steps.size(), value(runtime::kStepRequest)));
    return problems_;
  }

 private:
  // Words that an engine has in its pipe at once, at most.
  static constexpr std::size_t kDepth = 3;

  Actor new_actor(std::string name) {
    Actor actor;
    actor.name = std::move(name);
    const auto eagerness = [this] { return std::array{1U, 10U, 1000U}[random_() % 3]; };
    actor.eager_to_start = eagerness();
    actor.eager_to_complete = eagerness();
    return actor;
  }
  bool is_host(const Actor& actor) const { return &actor == &actors_.back(); }
  const isa::Word& word_of(const Actor& actor, std::size_t i) const {
    const auto which = static_cast<std::size_t>(&actor - actors_.data());
    return p_.words[streams_[which].first + i];
  }
  std::uint32_t& value(isa::SemaphoreIndex semaphore) { return semaphores_[isa::number(semaphore)]; }
  void problem(const std::string& text) { problems_.push_back(text); }

  // One of the possible moves; false when there is none.
  bool move() {
    std::vector<std::pair<Actor*, bool>> moves;  // start, or complete
    std::vector<std::uint32_t> weights;
    for (Actor& actor : actors_) {
      if (can_start(actor)) moves.emplace_back(&actor, true), weights.push_back(actor.eager_to_start);
      if (!actor.in_flight.empty()) moves.emplace_back(&actor, false), weights.push_back(actor.eager_to_complete);
    }
    if (moves.empty()) return false;
    const auto [actor, starts] =
        moves[std::discrete_distribution<std::size_t>(weights.begin(), weights.end())(random_)];
    if (starts) {
      start(*actor);
    } else {
      complete(*actor);
    }
    return true;
  }

  bool can_start(const Actor& actor) {
    const std::size_t next = actor.started;
    if (next == actor.touches.size()) return false;
    if (is_host(actor)) return actor.in_flight.empty() && value(runtime::kStepRequest) > next;
    if (actor.ring != nullptr) return actor.in_flight.empty() && all_hold((*actor.ring)[next].waits);
    if (actor.in_flight.size() == kDepth) return false;
    for (const std::size_t earlier : actor.in_flight) {
      if (conflict(actor.touches[earlier], actor.touches[next])) return false;  // the interlock
    }
    const isa::Word& word = word_of(actor, next);
    if (word.opcode_byte() == isa::code(isa::Opcode::drain) && !actor.in_flight.empty()) return false;
    const isa::Events events = isa::read_events(word);
    if (!holds(events.wait_mode, events.wait_idx, events.semaphore_value)) return false;
    if (word.opcode_byte() != isa::code(isa::Opcode::event_semaphore)) return true;
    const auto second = isa::decode_as<isa::CtrlEs>(word);
    return holds(second.wait_mode1, second.wait_idx1, second.sem_wait_value);
  }
  bool all_hold(const std::vector<dma::Wait>& waits) {
    return std::all_of(waits.begin(), waits.end(),
                       [this](const dma::Wait& wait) { return value(wait.semaphore) >= wait.at_least; });
  }
  bool holds(isa::WaitMode mode, std::uint8_t index, std::uint32_t at_least) {
    if (mode == isa::WaitMode::none) return true;
    if (mode != isa::WaitMode::sem_ge_imm) problem(fmt::format("wait mode {}", isa::name(mode)));
    return semaphores_[index] >= at_least;
  }

  void start(Actor& actor) {
    const std::size_t next = actor.started++;
    for (const Actor& other : actors_) {
      if (&other == &actor) continue;
      for (const std::size_t theirs : other.in_flight) {
        if (conflict(other.touches[theirs], actor.touches[next]))
          problem(fmt::format("{} {} starts while {} {} is not complete", actor.name, next, other.name, theirs));
      }
    }
    actor.in_flight.push_back(next);
  }

  // In issue order: the words of an engine share one latency.
  void complete(Actor& actor) {
    const std::size_t which = actor.in_flight.front();
    actor.in_flight.pop_front();
    if (is_host(actor)) {
      executor_.step(which + 1);
      ++value(runtime::kStepDone);
      return;
    }
    if (actor.ring != nullptr) {
      const dma::Transfer& transfer = (*actor.ring)[which];
      executor_.transfer(transfer);
      value(transfer.update) += transfer.engines;
      return;
    }
    const isa::Word& word = word_of(actor, which);
    executor_.word(streams_[static_cast<std::size_t>(&actor - actors_.data())].engine, word);
    const isa::Events events = isa::read_events(word);
    if (events.update_mode == isa::UpdateMode::none) return;
    if (events.update_mode != isa::UpdateMode::sem_inc_complete)
      problem(fmt::format("update mode {}", isa::name(events.update_mode)));
    ++semaphores_[events.update_idx];
  }

  const runtime::Program& p_;
  Executor& executor_;
  std::mt19937 random_;
  std::vector<runtime::Stream> streams_;
  std::vector<Actor> actors_;  // one a stream, one a DMA ring, then the host
  std::array<std::uint32_t, 256> semaphores_{};
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> interleave(const runtime::Program& program, Executor& executor, std::uint32_t seed) {
  return Interleaver(program, executor, seed).run();
}

}  // namespace dve::test
