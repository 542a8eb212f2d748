#include "arbiter.h"

#include <algorithm>

namespace dve::contention {
namespace {

constexpr std::uint8_t kNoWinner = 0xFF;
// The tensor engine's clients have one turn in stage 2, that of the last of them.
constexpr std::uint32_t kPeTurn = 7;
constexpr UserMask kPeBit = UserMask{1} << kPeTurn;

}  // namespace

Arbiter::Arbiter(const Parameters& parameters) : parameters_(parameters), wheel_(parameters.tdm) {
  for (std::size_t u = 0; u < kUsers; ++u) {
    const UserParameters& user = parameters.users[u];
    read_tokens_[u] = TokenBucket(user.read);
    write_tokens_[u] = TokenBucket(user.write);
    any_throttle_ = any_throttle_ || user.read.active() || user.write.active();
    any_priority_ = any_priority_ || user.priority != 0;
  }
  any_priority_ = any_priority_ || parameters.pe_priority != 0;
  any_path_ = parameters.sbuf_shared != SharedPort::none || parameters.psum_shared != SharedPort::none;
}

bool Arbiter::step(std::int64_t cycle, const std::vector<Flow*>& flows) {
  if (any_path_) choose_paths(cycle, flows);
  collect(cycle, flows);
  if (touched_.empty()) return false;
  choose_winners(cycle);
  return give(cycle, flows);
}

void Arbiter::ended(User user) {
  for (SharedPath& path : paths_) path.ended(static_cast<std::uint32_t>(index_of(user)));
}

SharedPort Arbiter::policy_of(Path path) const {
  return path == Path::psum_exclusive ? parameters_.psum_shared : parameters_.sbuf_shared;
}

bool Arbiter::has_tokens(const Flow& flow, const Stream& s, std::int64_t cycle) {
  return !any_throttle_ || tokens(flow.user(), s.write).tokens(cycle) != 0;
}

void Arbiter::choose_paths(std::int64_t cycle, const std::vector<Flow*>& flows) {
  std::array<UserMask, kPaths> wanted{};
  for (Flow* flow : flows) {
    for (const Stream& s : flow->streams()) {
      if (s.path != Path::none && flow->wants(s) && has_tokens(*flow, s, cycle))
        wanted[static_cast<std::size_t>(s.path)] |= bit(flow->user());
    }
  }
  for (std::size_t p = 1; p < kPaths; ++p) {
    if (wanted[p] != 0)
      path_owner_[p] = static_cast<std::uint8_t>(paths_[p].choose(wanted[p], policy_of(static_cast<Path>(p))));
  }
}

// Requests by bank.
void Arbiter::collect(std::int64_t cycle, const std::vector<Flow*>& flows) {
  touched_.clear();
  any_request_ = false;
  for (Flow* flow : flows) {
    const UserMask own = bit(flow->user());
    for (Stream& s : flow->streams()) {
      s.denial = Denial::none;
      if (!flow->wants(s)) continue;
      any_request_ = true;
      s.denial = Denial::path;
      if (!has_tokens(*flow, s, cycle)) continue;
      if (s.path != Path::none && path_owner_[static_cast<std::size_t>(s.path)] != index_of(flow->user())) continue;
      s.denial = Denial::bank;
      if (requests_[s.bank] == 0) touched_.push_back(s.bank);
      requests_[s.bank] |= own;
    }
  }
}

void Arbiter::choose_winners(std::int64_t cycle) {
  for (const std::uint16_t bank : touched_) {
    const UserMask requests = requests_[bank];
    requests_[bank] = 0;
    winners_[bank] = static_cast<std::uint8_t>(winner(cycle, bank, requests));
    const auto users = static_cast<std::uint64_t>(__builtin_popcount(requests));
    conflicts_[bank] += winners_[bank] == kNoWinner ? 0 : users - 1;
  }
}

std::uint32_t Arbiter::winner(std::int64_t cycle, std::uint32_t bank, UserMask requests) {
  requests = wheel_.eligible(cycle, requests);
  if (requests == 0) return kNoWinner;
  BankState& state = banks_[bank];
  const auto own_weight = [this](std::uint32_t user) { return parameters_.users[user].weight; };
  if ((requests & ~kDmaMask) == 0) return state.dma.choose(highest_priority(requests), own_weight);
  const UserMask pe = requests & kPeMask;
  RoundRobin stage1 = state.pe;
  std::uint32_t client = kNoWinner;
  if (pe != 0) {
    client = stage1.choose(highest_priority(pe), own_weight);
    requests = (requests & ~kPeMask) | kPeBit;
  }
  const std::uint32_t chosen = state.compute.choose(highest_priority(requests), [&](std::uint32_t user) {
    return user == kPeTurn ? parameters_.pe_weight : own_weight(user);
  });
  if (chosen != kPeTurn) return chosen;
  state.pe = stage1;
  return client;
}

// Of several users. In stage 2 the tensor engine's clients stand as one, kPeTurn.
UserMask Arbiter::highest_priority(UserMask requests) const {
  if (!any_priority_ || (requests & (requests - 1)) == 0) return requests;
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
    for (Stream& s : flow->streams()) {
      if (s.denial != Denial::bank) continue;
      if (winners_[s.bank] != index_of(flow->user())) {
        if (winners_[s.bank] == kNoWinner) s.denial = Denial::path;
        continue;
      }
      if (!has_tokens(*flow, s, cycle)) {  // an earlier stream of the same user took the last one
        s.denial = Denial::path;
        continue;
      }
      s.denial = Denial::none;
      if (any_throttle_) tokens(flow->user(), s.write).spend();
      if (s.path != Path::none) paths_[static_cast<std::size_t>(s.path)].granted(policy_of(s.path));
      run_ended = flow->grant(s) || run_ended;
    }
  }
  return run_ended;
}

void Arbiter::won_alone(const Flow& flow, std::uint32_t bank) {
  const auto user = static_cast<std::uint8_t>(index_of(flow.user()));
  BankState& state = banks_[bank];
  if (is_dma(flow.user())) {
    state.dma = {user, 0};
  } else if (is_pe(flow.user())) {
    state.pe = {user, 0};
    state.compute = {static_cast<std::uint8_t>(kPeTurn), 0};
  } else {
    state.compute = {user, 0};
  }
}

bool Arbiter::plain_when_alone(User user) const {
  const bool pe_turns = is_pe(user) && parameters_.pe_weight != 1;
  return !throttled(user) && parameters_.tdm.policy != TdmPolicy::strict &&
         parameters_.users[index_of(user)].weight == 1 && !pe_turns;
}

void Arbiter::pass(std::int64_t cycles, const std::vector<Flow*>& flows) {
  if (!any_throttle_) return;
  for (const Flow* flow : flows) {
    tokens(flow->user(), false).pass(cycles);
    tokens(flow->user(), true).pass(cycles);
  }
}

void Arbiter::append_state(std::int64_t cycle, const std::vector<Flow*>& flows, std::vector<std::uint32_t>& state) {
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
      TokenBucket& bucket = tokens(flow->user(), write);
      state.push_back(bucket.active() ? bucket.tokens(cycle) : 0);
      state.push_back(bucket.phase(cycle));
    }
  }
}

}  // namespace dve::contention
