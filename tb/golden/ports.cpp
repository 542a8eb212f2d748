#include "golden/ports.h"

#include <algorithm>
#include <list>
#include <map>
#include <vector>

#include "golden/port_parts.h"

namespace golden {
namespace {

namespace c = dve::contention;
using namespace port_parts;
using dve::isa::Space;
using dve::scenarios::PlannedJob;
using dve::scenarios::Scenario;

constexpr std::uint32_t kTensorEngine = 7;  // as one contestant: its last client's place

class Ports {
 public:
  explicit Ports(const Scenario& scenario) : scenario_(scenario), p_(scenario.parameters), banks_(c::kBanks) {
    result_.outcomes.resize(scenario.users.size());
  }
  dve::scenarios::RunResult run() {
    for (cycle_ = 0; left(); ++cycle_) {
      start();
      refill();
      pass_beats();
      for (Work& work : works_) step(work);
      finish();
    }
    for (const Bank& bank : banks_) result_.conflicts.push_back(bank.conflicts);
    result_.stepped = static_cast<std::uint64_t>(cycle_);
    return result_;
  }

 private:
  struct Asking {
    Work* work;
    Lane* lane;
  };

  bool left() const {
    if (!works_.empty()) return true;
    for (std::size_t u = 0; u < scenario_.users.size(); ++u) {
      if (result_.outcomes[u].size() != scenario_.users[u].jobs.size()) return true;
    }
    return false;
  }
  void start();
  bool starts(std::size_t user) const;
  Lane lane(c::User user, const c::StreamJob& stream) const;
  Shared shared(c::User user, const c::StreamJob& stream) const;
  void refill();
  bool has_tokens(const Work& work, const Lane& lane) const;
  bool waits_for_older_writes(const Work& work) const;
  void pass_beats();
  void choose_keepers(const std::vector<Asking>& asking);
  c::SharedPort policy(Shared shared) const { return shared == Shared::whole_psum ? p_.psum_shared : p_.sbuf_shared; }
  std::int64_t winner(Bank& bank, const std::vector<std::uint32_t>& clients) const;
  Contestant contestant(std::uint32_t client) const {
    return {client, p_.users[client].priority, p_.users[client].weight};
  }
  void grant(Work& work, Lane& lane);
  void step(Work& work) const;
  std::uint64_t* cause_of_delay(Work& work) const;
  static void move_lanes(Work& work);
  void finish();

  const Scenario& scenario_;
  const c::Parameters& p_;
  std::int64_t cycle_ = 0;
  std::list<Work> works_;
  std::vector<Bank> banks_;
  std::map<Shared, Gate> gates_;
  std::map<Shared, std::uint32_t> passes_;  // whose turn at the gate this cycle is
  std::uint32_t spent_[c::kUsers][2] = {};  // tokens of this window
  dve::scenarios::RunResult result_;
};

bool Ports::starts(std::size_t user) const {
  const auto& done = result_.outcomes[user];
  const std::vector<PlannedJob>& jobs = scenario_.users[user].jobs;
  if (done.size() == jobs.size()) return false;
  for (const Work& work : works_) {
    if (work.user == user && !work.steps_over()) return false;
  }
  const PlannedJob& next = jobs[done.size()];
  std::int64_t after = done.empty() ? -1 : done.back().last_cycle;
  for (const auto& ref : next.after) {
    if (result_.outcomes[ref.user].size() <= ref.job) return false;
    after = std::max(after, result_.outcomes[ref.user][ref.job].last_cycle);
  }
  return cycle_ == after + 1 + next.gap;
}

void Ports::start() {
  for (std::size_t u = 0; u < scenario_.users.size(); ++u) {
    if (!starts(u)) continue;
    Work work;
    work.user = u;
    work.job = scenario_.users[u].jobs[result_.outcomes[u].size()].job;
    const std::int64_t fraction = work.job.start.fraction;
    work.due = cycle_ * work.job.denominator - (fraction == 0 ? 0 : work.job.denominator - fraction);
    work.outcome.first_cycle = cycle_;
    for (const c::StreamJob& stream : work.job.streams) work.lanes.push_back(lane(work.job.user, stream));
    works_.push_back(work);
  }
}

Lane Ports::lane(c::User user, const c::StreamJob& stream) const {
  Lane lane;
  lane.write = stream.write;
  lane.shared = shared(user, stream);
  lane.every = stream.every;
  for (const c::BankRun& run : stream.runs) {
    for (std::uint64_t beat = 0; beat < run.beats; ++beat)
      (stream.write ? lane.unborn : lane.at_port).push_back(c::bank_number(run.space, run.bank));
  }
  return lane;
}

// DVE and POOL share paths to SBUF, DVE and ACT the PSUM.
Shared Ports::shared(c::User user, const c::StreamJob& stream) const {
  if (stream.runs.at(0).space == Space::psum) {
    const bool both = user == c::User::dve || user == c::User::act;
    return both && p_.psum_shared == c::SharedPort::exclusive ? Shared::whole_psum : Shared::nothing;
  }
  if ((user != c::User::dve && user != c::User::pool) || p_.sbuf_shared == c::SharedPort::none) return Shared::nothing;
  if (p_.sbuf_shared == c::SharedPort::exclusive) return Shared::whole_sbuf;
  if (stream.write) return Shared::sbuf_write;
  return user == c::User::dve && !stream.second_read ? Shared::nothing : Shared::sbuf_second_read;
}

void Ports::refill() {
  for (std::size_t u = 0; u < c::kUsers; ++u) {
    const c::ThrottleParameters* limits[2] = {&p_.users[u].read, &p_.users[u].write};
    for (int w = 0; w < 2; ++w) {
      if (limits[w]->window != 0 && cycle_ % limits[w]->window == 0) spent_[u][w] = 0;
    }
  }
}

bool Ports::has_tokens(const Work& work, const Lane& lane) const {
  const c::UserParameters& user = p_.users[work.client()];
  const c::ThrottleParameters& limit = lane.write ? user.write : user.read;
  return limit.window == 0 || spent_[work.client()][lane.write ? 1 : 0] < limit.beats;
}

// The output of the user's job before comes first.
bool Ports::waits_for_older_writes(const Work& work) const {
  for (const Work& older : works_) {
    if (&older == &work) return false;
    if (older.user == work.user) return true;
  }
  return false;
}

void Ports::pass_beats() {
  std::vector<Asking> asking;
  for (Work& work : works_) {
    for (Lane& lane : work.lanes) {
      lane.lost_to_another = false;
      if (lane.write && waits_for_older_writes(work)) continue;
      if (lane.asks(p_.buffer_beats) && has_tokens(work, lane)) asking.push_back({&work, &lane});
    }
  }
  choose_keepers(asking);
  std::map<std::uint32_t, std::vector<Asking>> by_bank;
  for (const Asking& a : asking) {
    if (a.lane->shared == Shared::nothing || passes_.at(a.lane->shared) == a.work->client())
      by_bank[a.lane->at_port.front()].push_back(a);
  }
  std::vector<Asking> granted;
  for (auto& [number, all] : by_bank) {
    std::vector<std::uint32_t> clients;
    for (const Asking& a : all) {
      if (std::find(clients.begin(), clients.end(), a.work->client()) == clients.end())
        clients.push_back(a.work->client());
    }
    const std::int64_t chosen = winner(banks_[number], clients);
    if (chosen < 0) continue;
    banks_[number].conflicts += clients.size() - 1;
    for (const Asking& a : all) {
      if (a.work->client() == chosen)
        granted.push_back(a);
      else
        a.lane->lost_to_another = true;
    }
  }
  // In the order of the streams: the tokens may not be enough for all of them.
  for (const Asking& a : asking) {
    for (const Asking& g : granted) {
      if (g.lane == a.lane && has_tokens(*a.work, *a.lane)) grant(*a.work, *a.lane);
    }
  }
}

// Which user may go through each shared path in this cycle.
void Ports::choose_keepers(const std::vector<Asking>& asking) {
  passes_.clear();
  std::map<Shared, std::vector<Contestant>> at_gate;
  for (const Asking& a : asking) {
    if (a.lane->shared != Shared::nothing) at_gate[a.lane->shared].push_back({a.work->client(), 0, 1});
  }
  for (auto& [shared, all] : at_gate) {
    Gate& gate = gates_[shared];
    const bool keeper_asks =
        std::any_of(all.begin(), all.end(), [&](const Contestant& one) { return one.number == gate.keeper; });
    const bool kept = gate.keeper >= 0 && (keeper_asks || policy(shared) == c::SharedPort::exclusive);
    passes_[shared] = kept ? static_cast<std::uint32_t>(gate.keeper) : gate.turn.next(all);
    if (policy(shared) != c::SharedPort::rotate) gate.keeper = passes_[shared];
  }
}

// Negative: nobody.
std::int64_t Ports::winner(Bank& bank, const std::vector<std::uint32_t>& clients) const {
  const auto dma = [](std::uint32_t client) { return client >= c::index_of(c::User::dma0); };
  const auto tensor = [](std::uint32_t client) { return client >= 3 && client <= 7; };
  const bool wheel = p_.tdm.policy != c::TdmPolicy::none;
  std::vector<std::uint32_t> may = clients;
  bool dma_side = false;
  if (wheel) {
    dma_side = cycle_ % p_.tdm.slots >= p_.tdm.slots - p_.tdm.dma_slots;
    const auto of_side = [&](std::uint32_t client) { return dma(client) == dma_side; };
    if (std::none_of(may.begin(), may.end(), of_side) && p_.tdm.policy == c::TdmPolicy::work_conserving)
      dma_side = !dma_side;
    may.erase(std::remove_if(may.begin(), may.end(), [&](std::uint32_t client) { return !of_side(client); }),
              may.end());
  }
  if (may.empty()) return -1;
  std::vector<Contestant> direct, tensor_clients;
  for (const std::uint32_t client : may) (tensor(client) ? tensor_clients : direct).push_back(contestant(client));
  if (dma_side) return bank.dma.next(direct);
  if (tensor_clients.empty()) return bank.engines.next(direct);
  direct.push_back({kTensorEngine, p_.pe_priority, p_.pe_weight});
  const std::uint32_t first = bank.engines.next(direct);
  return first == kTensorEngine ? bank.tensor_clients.next(tensor_clients) : first;
}

void Ports::grant(Work& work, Lane& lane) {
  lane.at_port.pop_front();
  ++spent_[work.client()][lane.write ? 1 : 0];
  if (!lane.write) ++lane.buffered;
  if (lane.shared != Shared::nothing && policy(lane.shared) == c::SharedPort::hold) gates_[lane.shared].keeper = -1;
}

void Ports::step(Work& work) const {
  if (work.steps_over() || work.due_cycle() > cycle_) return;
  c::Job& job = work.job;
  if (std::uint64_t* cause = cause_of_delay(work)) {
    ++*cause;
    work.due += job.denominator;
    return;
  }
  ++work.steps_done;
  move_lanes(work);
  work.due += job.pace.cycle * job.denominator + job.pace.fraction;
  if (job.burst_steps != 0 && work.steps_done % job.burst_steps == 0)
    work.due += static_cast<std::int64_t>(job.burst_gap) * job.denominator;
  if (work.steps_over()) work.outcome.last_cycle = cycle_;
  while (!work.steps_over() && work.due_cycle() <= cycle_) {  // one step a cycle
    work.due += job.denominator;
    ++work.outcome.stalls.operand;
  }
}

// The stall counter that a step which is due and cannot be done counts in; null: it can be done.
std::uint64_t* Ports::cause_of_delay(Work& work) const {
  c::Stalls& stalls = work.outcome.stalls;
  for (const Lane& lane : work.lanes) {
    if (!lane.write && lane.buffered == 0 && !lane.at_port.empty())
      return lane.lost_to_another ? &stalls.bank : &stalls.operand;
  }
  const bool last = work.steps_done + 1 == work.job.steps;
  for (const Lane& lane : work.lanes) {
    if (!lane.write) continue;
    const bool produces = lane.steps_since + 1 == lane.every && lane.unborn.size() > 1;
    if (last && waits_for_older_writes(work)) return &stalls.write;
    if (last ? !lane.at_port.empty() : produces && lane.at_port.size() >= p_.buffer_beats) return &stalls.write;
  }
  return nullptr;
}

// The last beat of a written stream is the last step's, with all that is left.
void Ports::move_lanes(Work& work) {
  for (Lane& lane : work.lanes) {
    ++lane.steps_since;
    const bool whole = lane.steps_since == lane.every;
    if (whole) lane.steps_since = 0;
    if (!lane.write) {
      if (whole && lane.buffered != 0) --lane.buffered;
      continue;
    }
    const std::size_t whole_beats = whole && lane.unborn.size() > 1 ? 1 : 0;
    const std::size_t produced = work.steps_over() ? lane.unborn.size() : whole_beats;
    lane.at_port.insert(lane.at_port.end(), lane.unborn.begin(),
                        lane.unborn.begin() + static_cast<std::ptrdiff_t>(produced));
    lane.unborn.erase(lane.unborn.begin(), lane.unborn.begin() + static_cast<std::ptrdiff_t>(produced));
  }
}

void Ports::finish() {
  for (Work& work : works_) {
    if (!work.steps_over() || work.reported) continue;
    work.reported = true;
    result_.outcomes[work.user].push_back(work.outcome);
  }
  for (auto it = works_.begin(); it != works_.end();) {
    if (!it->over()) {
      ++it;
      continue;
    }
    for (auto& [shared, gate] : gates_) {
      if (gate.keeper == it->client()) gate.keeper = -1;
    }
    it = works_.erase(it);
  }
}

}  // namespace

dve::scenarios::RunResult ports(const Scenario& scenario) { return Ports(scenario).run(); }

}  // namespace golden
