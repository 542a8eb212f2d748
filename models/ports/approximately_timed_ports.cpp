#include "approximately_timed_ports.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "dve/tlm/tlm.h"

namespace dve {

ApproximatelyTimedPorts::ApproximatelyTimedPorts(sc_core::sc_module_name name, const contention::Parameters& parameters,
                                                 const std::vector<contention::User>& users)
    : sc_module(name),
      parameters_(parameters),
      clock_(parameters.clock_hz),
      arbiter_("arbiter", parameters, users.size() * StreamUnit::lines) {
  for (std::size_t u = 0; u < users.size(); ++u) {
    units_.push_back(std::make_unique<StreamUnit>(contention::name(users[u]).c_str(), users[u]));
    unit_of_[contention::index_of(users[u])] = units_.back().get();
    for (std::size_t line = 0; line < StreamUnit::lines; ++line)
      units_[u]->out[line].bind(arbiter_.in[u * StreamUnit::lines + line]);
  }
  SC_HAS_PROCESS(ApproximatelyTimedPorts);
  SC_METHOD(cycle);
  sensitive << wake_;
  dont_initialize();
}

contention::Outcome ApproximatelyTimedPorts::stream(const contention::Job& job, bool synchronise) {
  const std::size_t user = contention::index_of(job.user);
  if (unit_of_[user] == nullptr) throw std::logic_error(contention::name(job.user) + " is no user of these ports");
  const std::int64_t first = contention::first_cycle(job);
  wait_until(clock_, first);
  if (first <= executed_) throw std::logic_error("a job of " + contention::name(job.user) + " starts in the past");
  if (flows_.empty() || next_cycle_ > first) next_cycle_ = first;
  Waiter& waiter = waiters_[user];
  waiter.outcome.reset();
  waiter.flow = &unit_of_[user]->add(job, parameters_, next_id_++);
  collect_flows();
  wake_.notify(until_next_cycle());
  while (!waiter.outcome) wait(waiter.ended);
  if (synchronise) wait_until(clock_, waiter.outcome->last_cycle + 1);
  return *waiter.outcome;
}

std::uint64_t ApproximatelyTimedPorts::conflicts(isa::Space space, std::uint32_t bank) const {
  return arbiter_.policies().conflicts(contention::bank_number(space, bank));
}

void ApproximatelyTimedPorts::collect_flows() {
  flows_.clear();
  for (const auto& unit : units_) {
    for (const auto& flow : unit->flows()) flows_.push_back(flow.get());
  }
  std::sort(flows_.begin(), flows_.end(), contention::comes_before);
}

sc_core::sc_time ApproximatelyTimedPorts::until_next_cycle() const {
  return until_femtoseconds(clock_.femtoseconds(isa::Cycles(static_cast<std::uint64_t>(next_cycle_))) + 1);
}

void ApproximatelyTimedPorts::cycle() {
  if (flows_.empty()) return;
  if (until_next_cycle() > sc_core::SC_ZERO_TIME) return next_trigger(until_next_cycle(), wake_);
  step(next_cycle_);
  executed_ = next_cycle_++;
  if (flows_.empty()) return;
  std::int64_t due = std::numeric_limits<std::int64_t>::max();
  bool wanted = false;
  for (const contention::Flow* flow : flows_) {
    if (!flow->stepped_out()) due = std::min(due, flow->due_cycle());
    wanted = wanted || flow->wanted() != 0;
  }
  if (!wanted) next_cycle_ = std::max(next_cycle_, due);
  next_trigger(until_next_cycle(), wake_);
}

void ApproximatelyTimedPorts::step(std::int64_t cycle) {
  for (const auto& unit : units_) unit->request();
  arbiter_.arbitrate(cycle, flows_);
  bool ended = false;
  for (contention::Flow* flow : flows_) {
    const bool stepping = !flow->stepped_out();
    flow->advance(cycle);
    Waiter& waiter = waiters_[contention::index_of(flow->user())];
    if (stepping && flow->stepped_out() && waiter.flow == flow) {
      waiter.outcome = flow->outcome();
      waiter.ended.notify(sc_core::SC_ZERO_TIME);
    }
    ended = ended || flow->ended();
  }
  if (!ended) return;
  for (const auto& unit : units_) {
    if (unit->forget_ended()) arbiter_.policies().ended(unit->user());
  }
  collect_flows();
}

}  // namespace dve
