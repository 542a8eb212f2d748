#include "arbiter.h"

#include <algorithm>

namespace dve::contention {
namespace {

constexpr std::uint8_t kNoWinner = 0xFF;
constexpr UserMask kPeBit = UserMask{1} << kPeTurn;

std::uint64_t count(UserMask users) {
  std::uint64_t sum = 0;
  for (; users != 0; users &= users - 1) ++sum;
  return sum;
}

}  // namespace

Arbiter::Arbiter(const Parameters& parameters) : parameters_(parameters), wheel_(parameters.tdm) {
  for (std::size_t u = 0; u < kUsers; ++u) {
    const UserParameters& user = parameters.users[u];
    read_tokens_[u] = TokenBucket(user.read);
    write_tokens_[u] = TokenBucket(user.write);
    weights_[u] = user.weight;
    any_throttle_ = any_throttle_ || user.read.active() || user.write.active();
    any_priority_ = any_priority_ || user.priority != 0;
  }
  any_priority_ = any_priority_ || parameters.pe_priority != 0;
}

bool Arbiter::step(std::int64_t cycle, const std::vector<Flow*>& flows) {
  collect(cycle, flows);
  if (touched_banks_ == 0) return false;
  choose_winners(cycle);
  return give(cycle, flows);
}

void Arbiter::ended(User user) {
  for (SharedPath& path : paths_) path.ended(static_cast<std::uint32_t>(index_of(user)));
}

SharedPort Arbiter::policy_of(Path path) const {
  return path == Path::psum_exclusive ? parameters_.psum_shared : parameters_.sbuf_shared;
}

// Who has which path in this cycle, among the flows that want one.
void Arbiter::choose_paths(std::int64_t cycle) {
  std::uint32_t paths = 0;  // that are wanted, one bit each
  std::array<UserMask, kPaths> wanted;
  for (const Flow* flow : on_paths_) {
    for (std::uint32_t rest = flow->wanted() & flow->on_paths(); rest != 0; rest &= rest - 1) {
      const Stream& s = flow->streams()[lowest(rest)];
      if (!has_tokens(*flow, s, cycle)) continue;
      const auto path = static_cast<std::uint32_t>(s.path);
      if ((paths >> path & 1) == 0) wanted[path] = 0;
      paths |= 1U << path;
      wanted[path] |= bit(flow->user());
    }
  }
  for (; paths != 0; paths &= paths - 1) {
    const std::size_t path = lowest(paths);
    path_owner_[path] =
        static_cast<std::uint8_t>(paths_[path].choose(wanted[path], policy_of(static_cast<Path>(path))));
  }
}

void Arbiter::collect(std::int64_t cycle, const std::vector<Flow*>& flows) {
  touched_banks_ = 0;
  any_request_ = false;
  on_paths_.clear();
  for (Flow* flow : flows) {
    const std::uint32_t wanted = flow->wanted();
    if (wanted == 0) continue;
    any_request_ = true;
    if ((wanted & flow->on_paths()) != 0) {
      on_paths_.push_back(flow);
    } else {
      request(*flow, any_throttle_ ? without_refused(cycle, *flow) : wanted);
    }
  }
  if (on_paths_.empty()) return;
  choose_paths(cycle);
  for (Flow* flow : on_paths_) request(*flow, without_refused(cycle, *flow));
}

void Arbiter::request(Flow& flow, std::uint32_t streams) {
  flow.refuse(streams);
  const UserMask own = bit(flow.user());
  for (std::uint32_t rest = streams; rest != 0; rest &= rest - 1) {
    const std::uint16_t bank = flow.streams()[lowest(rest)].bank;
    if (users_[bank] == 0) touched_[touched_banks_++] = bank;
    users_[bank] |= own;
  }
}

// The wanted beats that may compete for a bank.
std::uint32_t Arbiter::without_refused(std::int64_t cycle, const Flow& flow) {
  std::uint32_t requests = flow.wanted();
  for (std::uint32_t rest = requests & flow.on_paths(); rest != 0; rest &= rest - 1) {
    const Path path = flow.streams()[lowest(rest)].path;
    if (path_owner_[static_cast<std::size_t>(path)] != index_of(flow.user())) requests &= ~(1U << lowest(rest));
  }
  if (!any_throttle_) return requests;
  for (std::uint32_t rest = requests; rest != 0; rest &= rest - 1) {
    if (!has_tokens(flow, flow.streams()[lowest(rest)], cycle)) requests &= ~(1U << lowest(rest));
  }
  return requests;
}

void Arbiter::choose_winners(std::int64_t cycle) {
  won_ = 0;
  unused_slot_ = false;
  for (std::size_t t = 0; t < touched_banks_; ++t) {
    const std::uint16_t bank = touched_[t];
    const UserMask users = users_[bank];
    users_[bank] = 0;
    const std::uint32_t chosen = winner(cycle, bank, users);
    winners_[bank] = static_cast<std::uint8_t>(chosen);
    if (chosen == kNoWinner) {
      unused_slot_ = true;
      continue;
    }
    won_ |= UserMask{1} << chosen;
    if ((users & (users - 1)) != 0) conflicts_[bank] += count(users) - 1;
  }
}

std::uint32_t Arbiter::winner(std::int64_t cycle, std::uint32_t bank, UserMask requests) {
  requests = wheel_.eligible(cycle, requests);
  return requests == 0 ? kNoWinner : pick(banks_[bank], requests);
}

std::uint32_t Arbiter::pick(BankState& state, UserMask requests) const {
  const auto own_weight = [this](std::uint32_t user) { return weights_[user]; };
  if (wheel_.active() && (requests & ~kDmaMask) == 0) return state.dma.choose(highest_priority(requests), own_weight);
  const UserMask pe = requests & kPeMask;
  if (pe == 0) return state.compute.choose(highest_priority(requests), own_weight);
  RoundRobin stage1 = state.pe;
  const std::uint32_t client = stage1.choose(highest_priority(pe), own_weight);
  requests = (requests & ~kPeMask) | kPeBit;
  const std::uint32_t chosen = state.compute.choose(highest_priority(requests), [&](std::uint32_t user) {
    return user == kPeTurn ? parameters_.pe_weight : weights_[user];
  });
  if (chosen != kPeTurn) return chosen;
  state.pe = stage1;
  return client;
}

// Of several users. In stage 2 the tensor engine's clients stand as one, kPeTurn.
UserMask Arbiter::highest_of(UserMask requests) const {
  const bool stage1 = (requests & ~kPeMask) == 0;  // only clients of the tensor engine: they are several
  UserMask best = 0;
  std::uint32_t level = 0;
  for (UserMask rest = requests; rest != 0; rest &= rest - 1) {
    const auto user = static_cast<std::uint32_t>(__builtin_ctz(rest));
    const std::uint32_t own =
        is_pe(static_cast<User>(user)) && !stage1 ? parameters_.pe_priority : parameters_.users[user].priority;
    if (best == 0 || own > level) {
      best = 0;
      level = own;
    }
    if (own == level) best |= rest & (~rest + 1);
  }
  return best;
}

bool Arbiter::give(std::int64_t cycle, const std::vector<Flow*>& flows) {
  bool run_ended = false;
  for (Flow* flow : flows) {
    if (flow->wanted() == 0) continue;
    const bool concerned = (won_ & bit(flow->user())) != 0 || unused_slot_;
    if (concerned) run_ended = give(cycle, *flow) || run_ended;
  }
  return run_ended;
}

bool Arbiter::give(std::int64_t cycle, Flow& flow) {
  bool run_ended = false;
  std::uint32_t refused = flow.refused();
  for (std::uint32_t rest = refused; rest != 0; rest &= rest - 1) {
    Stream& s = flow.streams()[lowest(rest)];
    const std::uint32_t chosen = winners_[s.bank];
    if (chosen != index_of(flow.user()) && chosen != kNoWinner) continue;
    refused &= ~(1U << lowest(rest));
    // Without tokens: an earlier stream of the same user took the last one.
    if (chosen == kNoWinner || !has_tokens(flow, s, cycle)) continue;
    if (any_throttle_) tokens(flow.user(), s.write).spend();
    if (s.path != Path::none) paths_[static_cast<std::size_t>(s.path)].granted(policy_of(s.path));
    run_ended = flow.grant(s) || run_ended;
  }
  flow.refuse(refused);
  return run_ended;
}

void Arbiter::won_alone(User user, std::uint32_t bank, Path path) {
  const auto number = static_cast<std::uint16_t>(index_of(user));
  BankState& state = banks_[bank];
  if (is_dma(user) && wheel_.active()) {
    state.dma = {number, 0};
  } else if (is_pe(user)) {
    state.pe = {number, 0};
    state.compute = {kPeTurn, 0};
  } else {
    state.compute = {number, 0};
  }
  if (path == Path::none) return;
  SharedPath& shared = paths_[static_cast<std::size_t>(path)];
  shared.last = number;
  shared.holder = policy_of(path) == SharedPort::exclusive ? number : SharedPath::kNobody;
}

std::int64_t Arbiter::wheel_period(const std::vector<Flow*>& flows) const {
  if (parameters_.tdm.policy == TdmPolicy::strict) return wheel_.period();
  const auto dma = [](const Flow* flow) { return is_dma(flow->user()); };
  const bool both = std::any_of(flows.begin(), flows.end(), dma) && !std::all_of(flows.begin(), flows.end(), dma);
  return both ? wheel_.period() : 1;
}

bool Arbiter::plain_when_alone(User user) const {
  const bool pe_turns = is_pe(user) && parameters_.pe_weight != 1;
  return !throttled(user) && parameters_.tdm.policy != TdmPolicy::strict &&
         parameters_.users[index_of(user)].weight == 1 && !pe_turns;
}

void Arbiter::pass(std::int64_t cycles, const std::vector<Flow*>& flows) {
  if (!any_throttle_) return;
  UserMask passed = 0;  // a user may have two flows
  for (const Flow* flow : flows) {
    if ((passed & bit(flow->user())) != 0) continue;
    passed |= bit(flow->user());
    tokens(flow->user(), false).pass(cycles);
    tokens(flow->user(), true).pass(cycles);
  }
}

void Arbiter::append_state(std::int64_t cycle, const std::vector<Flow*>& flows, StateWords& state) {
  const auto pack = [](const RoundRobin& r) { return std::uint32_t{r.last} | std::uint32_t{r.credits} << 8; };
  for (Flow* flow : flows) {
    for (const Stream& s : flow->streams()) {
      const BankState& bank = banks_[s.bank];
      state.push_back(pack(bank.compute) | pack(bank.dma) << 16);
      state.push_back(pack(bank.pe));
      if (s.path != Path::none) {
        const SharedPath& path = paths_[static_cast<std::size_t>(s.path)];
        state.push_back(std::uint32_t{path.holder} | std::uint32_t{path.last} << 8);
      }
    }
    if (!throttled(flow->user())) continue;
    for (const bool write : {false, true}) {
      const TokenBucket::State bucket = tokens(flow->user(), write).state(cycle);
      state.push_back(bucket.tokens);
      state.push_back(static_cast<std::uint32_t>(bucket.ends_in));
    }
  }
}

}  // namespace dve::contention
