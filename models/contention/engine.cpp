#include "engine.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace dve::contention {
namespace {

std::int64_t next_due(const Group& group) {
  std::int64_t due = kForever;
  for (const Flow* flow : group.flows) {
    if (!flow->stepped_out()) due = std::min(due, flow->due_cycle());
  }
  return due;
}

bool requests(const Group& group) {
  return std::any_of(group.flows.begin(), group.flows.end(), [](const Flow* flow) { return flow->wanted() != 0; });
}

// Two streams compete now: for a bank, or for a path. An exclusive path is kept to the end of a job.
bool compete(const Stream& a, const Stream& b) {
  const bool exclusive = a.path == Path::sbuf_exclusive || a.path == Path::psum_exclusive;
  if (a.path == b.path && exclusive) return true;
  if (a.granted == a.beats || b.granted == b.beats) return false;
  return a.bank == b.bank || (a.path != Path::none && a.path == b.path);
}

bool compete(const Flow& a, const Flow& b) {
  if (a.user() == b.user()) return true;  // one waits for the other's writes
  for (const Stream& s : a.streams()) {
    for (const Stream& t : b.streams()) {
      if (compete(s, t)) return true;
    }
  }
  return false;
}

bool compete(const Group& a, const Group& b) {
  for (const Flow* f : a.flows) {
    for (const Flow* g : b.flows) {
      if (compete(*f, *g)) return true;
    }
  }
  return false;
}

}  // namespace

Engine::Engine(const Parameters& parameters) : parameters_(parameters), arbiter_(parameters) {}

std::optional<Outcome> Engine::alone(const Job& job) {
  if (!idle() || job.pace.cycle < 1 || !arbiter_.plain_when_alone(job.user)) return std::nullopt;
  Outcome o;
  o.first_cycle = first_cycle(job);
  o.last_cycle = due_cycle(job, job.steps - 1);
  for (const StreamJob& stream : job.streams) {
    const Path path = path_of(job.user, stream, parameters_);
    for (const BankRun& run : stream.runs) arbiter_.won_alone(job.user, bank_number(run.space, run.bank), path);
  }
  arbiter_.ended(job.user);
  return o;
}

JobId Engine::add(Job job) {
  const User user = job.user;
  auto owned = std::make_unique<Flow>(std::move(job), parameters_, next_id_);
  Flow* flow = owned.get();
  for (const Live& live : live_) {
    if (live.flow->user() == user) flow->follow(live.flow.get());
  }
  live_.push_back({std::move(owned), false});
  if (!idle() && flow->first_cycle() != ran_to_) {
    live_.pop_back();
    throw std::logic_error("a job that does not start where the simulation stands");
  }
  Group group;
  group.flows = {flow};
  group.cycle = flow->first_cycle();
  groups_.push_back(std::move(group));
  regroup(groups_.size() - 1);
  return next_id_++;
}

std::optional<Engine::Ended> Engine::run(std::int64_t limit) {
  while (ended_.empty()) {
    // The group that may be the first to change what it uses, and how far the others are certain not to.
    std::size_t first = groups_.size();
    std::int64_t next = kForever, others = kForever;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::int64_t safe = groups_[g].safe_until();
      if (first == groups_.size() || safe < next) {
        others = std::min(others, next);
        first = g;
        next = safe;
      } else {
        others = std::min(others, safe);
      }
    }
    if (next >= limit) {
      ran_to_ = limit;
      return std::nullopt;
    }
    Group& group = groups_[first];
    bring_to(group, next);
    // Cycle t may be executed while nobody else changes anything before it.
    const std::int64_t until = others >= limit ? limit : others + 1;
    if (step_group(group, until)) regroup(first);
  }
  const Ended ended = ended_.front();
  ended_.erase(ended_.begin());
  return ended;
}

// Executes the group's cycles before `limit`. True: one of its streams has come to the end of a run.
bool Engine::step_group(Group& group, std::int64_t limit) {
  make_compact(group);
  if (group.compact) return step_compact(group, limit);
  const std::int64_t interval = arbiter_.wheel_period(group.flows);
  while (group.cycle < limit) {
    if (known_alone(group)) return false;
    if (group.cycle % interval == 0 && group.leap.found(group.cycle, group.flows, arbiter_, group.period)) return false;
    if (execute_cycle(group)) return true;
    if (!arbiter_.any_request() && !requests(group))
      group.cycle = std::max(group.cycle, std::min(limit, next_due(group)));
  }
  return false;
}

bool Engine::step_compact(Group& group, std::int64_t limit) {
  CompactGroup& compact = *group.compact;
  const auto stopped = compact.run(group.cycle, limit, arbiter_.wheel_period(group.flows));
  if (stopped == CompactGroup::Stopped::pattern) {
    group.period.cycles = compact.found().period;
    group.period.repeats = compact.found().repeats;
  }
  return stopped == CompactGroup::Stopped::event;
}

void Engine::make_compact(Group& group) {
  const bool lone = group.flows.size() == 1 && LoneFlow::possible(*group.flows[0], arbiter_);
  if (group.compact || lone || !CompactGroup::possible(group.flows, arbiter_)) return;
  if (spare_.empty()) spare_.push_back(std::make_unique<CompactGroup>());
  group.compact = std::move(spare_.back());
  spare_.pop_back();
  group.compact->load(group.flows, arbiter_, group.cycle);
}

void Engine::make_general(Group& group) {
  if (!group.compact) return;
  group.compact->unload(group.flows, arbiter_, group.cycle);
  stepped_ += group.compact->stepped();
  spare_.push_back(std::move(group.compact));
}

std::uint64_t Engine::conflicts(std::uint32_t bank) const {
  std::uint64_t sum = arbiter_.conflicts(bank);
  for (const Group& group : groups_) sum += group.compact ? group.compact->conflicts(bank) : 0;
  return sum;
}

// A single flow: how far its progress is known. False: its next cycle has to be executed.
bool Engine::known_alone(Group& group) const {
  if (group.flows.size() != 1 || !LoneFlow::possible(*group.flows[0], arbiter_)) return false;
  group.lone_until = LoneFlow(*group.flows[0], group.cycle).until();
  return group.lone_until > group.cycle;
}

bool Engine::execute_cycle(Group& group) {
  // The last beat of a job is the end of a run, too.
  bool changed = arbiter_.step(group.cycle, group.flows);
  for (Flow* flow : group.flows) changed = flow->advance(group.cycle) || changed;
  ++group.cycle;
  ++stepped_;
  return changed;
}

// Advances a group to a cycle up to which nothing changes what others use.
void Engine::bring_to(Group& group, std::int64_t cycle) {
  Period& period = group.period;
  if (period.repeats > 0) {
    const std::int64_t repeats = std::min(period.repeats, (cycle - group.cycle) / period.cycles);
    if (repeats > 0 && group.compact) group.compact->leap(repeats, group.cycle);
    if (repeats > 0 && !group.compact) Leap::apply(period, repeats, group.cycle, group.flows, arbiter_);
    group.cycle += repeats * period.cycles;
    period.repeats = 0;
  }
  if (group.lone_until > group.cycle) {
    const std::int64_t known = std::min(cycle, group.lone_until);
    LoneFlow(*group.flows[0], group.cycle).advance(known, arbiter_);
    group.cycle = known;
  }
  group.lone_until = 0;
  group.leap.reset();
  if (group.compact) group.compact->run(group.cycle, cycle, 0);
  while (group.cycle < cycle) execute_cycle(group);
}

// After a change in a group that has executed all cycles before its own: lets go of what has ended, takes in the groups
// that it meets now, and falls apart into those that still meet.
void Engine::regroup(std::size_t changed) {
  Group group = std::move(groups_[changed]);
  groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(changed));
  make_general(group);
  retire(group);
  for (std::size_t g = 0; g < groups_.size();) {
    if (!compete(group, groups_[g])) {
      ++g;
      continue;
    }
    bring_to(groups_[g], group.cycle);
    make_general(groups_[g]);
    group.flows.insert(group.flows.end(), groups_[g].flows.begin(), groups_[g].flows.end());
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(g));
    retire(group);
    g = 0;
  }
  while (!group.flows.empty()) split_off(group);
}

// Moves one connected part of the group into a group of its own.
void Engine::split_off(Group& group) {
  Group part;
  part.cycle = group.cycle;
  part.flows = {group.flows.back()};
  group.flows.pop_back();
  for (std::size_t f = 0; f < group.flows.size();) {
    const bool met = std::any_of(part.flows.begin(), part.flows.end(),
                                 [&](const Flow* member) { return compete(*member, *group.flows[f]); });
    if (!met) {
      ++f;
      continue;
    }
    part.flows.push_back(group.flows[f]);
    group.flows.erase(group.flows.begin() + static_cast<std::ptrdiff_t>(f));
    f = 0;
  }
  // One order of users whatever the order of arrival: the arbiter's decisions do not depend on it, states do.
  std::sort(part.flows.begin(), part.flows.end(), comes_before);
  groups_.push_back(std::move(part));
}

// Reports the jobs that have done their last step, and forgets those that are written out as well.
void Engine::retire(Group& group) {
  for (std::size_t f = 0; f < group.flows.size();) {
    Flow* flow = group.flows[f];
    const auto live = std::find_if(live_.begin(), live_.end(), [&](const Live& l) { return l.flow.get() == flow; });
    if (flow->stepped_out() && !live->reported) {
      live->reported = true;
      ended_.push_back({flow->id(), flow->outcome()});
    }
    if (!flow->ended()) {
      ++f;
      continue;
    }
    arbiter_.ended(flow->user());
    for (Live& other : live_) {
      if (other.flow->elder() == flow) other.flow->follow(nullptr);
    }
    group.flows.erase(group.flows.begin() + static_cast<std::ptrdiff_t>(f));
    live_.erase(live);
  }
}

}  // namespace dve::contention
