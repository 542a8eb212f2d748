// One memory cycle of arbitration between flows: shared paths, throttles, then every bank by wheel, priority and
// weighted round robin (microarchitecture.md 3.1, 4).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "flow.h"
#include "parameters.h"
#include "policies.h"

namespace dve::contention {

// Words that describe a state, to be compared with others.
class StateWords {
 public:
  // At most this many follow until the next call.
  void begin(std::size_t most) {
    if (words_.size() < most) words_.resize(most);
    end_ = words_.data();
  }
  void push_back(std::uint32_t word) { *end_++ = word; }
  friend bool operator==(const StateWords& a, const StateWords& b) {
    return a.size() == b.size() &&
           std::equal(a.words_.data(), static_cast<const std::uint32_t*>(a.end_), b.words_.data());
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(end_ - words_.data()); }
  std::vector<std::uint32_t> words_;
  std::uint32_t* end_ = nullptr;
};

// The tensor engine's clients have one turn in stage 2, that of the last of them.
inline constexpr std::uint16_t kPeTurn = index_of(User::pe4);

// A bank serves one user in a cycle, and with it all requests of that user to the bank. Order of the decisions: a user
// without tokens does not request; a stream on a shared path requests only while its user has the path; of those that
// request a bank, the wheel decides which side may win, then the tensor engine's clients are reduced to one (stage 1),
// then the highest priority, then weighted round robin.
class Arbiter {
 public:
  explicit Arbiter(const Parameters& parameters);

  // One cycle for these flows, which share nothing with flows that are not among them. Grants beats and
  // tells each flow what it was refused. True: some stream has reached the end of a run of beats in one bank.
  bool step(std::int64_t cycle, const std::vector<Flow*>& flows);

  // Some stream requested a beat in the last cycle, whether it came or not.
  bool any_request() const { return any_request_; }

  // A flow has ended: it keeps no path.
  void ended(User user);

  // A user that is alone gets every beat in the cycle in which it requests it, and leaves the state that won_alone()
  // leaves: no throttle, no strict wheel, no weights.
  bool plain_when_alone(User user) const;
  // Stream s of the flow has had grants, and its bank and path to itself.
  void won_alone(const Flow& flow, const Stream& s) { won_alone(flow.user(), s.bank, s.path); }
  void won_alone(User user, std::uint32_t bank, Path path);

  // Users that were refused a bank because another user had it, summed over cycles.
  std::uint64_t conflicts(std::uint32_t bank) const { return conflicts_[bank]; }
  void add_conflicts(std::uint32_t bank, std::uint64_t count) { conflicts_[bank] += count; }

  // Appends what future grants of these flows in this cycle and later depend on: two equal states with equal flows act
  // alike. `cycle` is a multiple of wheel_period().
  void append_state(std::int64_t cycle, const std::vector<Flow*>& flows, StateWords& state);
  // `cycles` have passed at whose end the state of these flows is what it was at their beginning.
  void pass(std::int64_t cycles, const std::vector<Flow*>& flows);
  // Grants to these flows can only repeat after a multiple of this.
  std::int64_t wheel_period(const std::vector<Flow*>& flows) const;
  // The user's beats are throttled, so that it has a rhythm of its own.
  bool throttled(User user) const {
    return read_tokens_[index_of(user)].active() || write_tokens_[index_of(user)].active();
  }

 private:
  friend class CompactGroup;
  struct BankState {
    RoundRobin compute, dma, pe;
  };
  bool has_tokens(const Flow& flow, const Stream& s, std::int64_t cycle) {
    return !any_throttle_ || tokens(flow.user(), s.write).tokens(cycle) != 0;
  }
  TokenBucket& tokens(User user, bool write) {
    return write ? write_tokens_[index_of(user)] : read_tokens_[index_of(user)];
  }
  void choose_paths(std::int64_t cycle);
  void collect(std::int64_t cycle, const std::vector<Flow*>& flows);
  void request(Flow& flow, std::uint32_t streams);
  std::uint32_t without_refused(std::int64_t cycle, const Flow& flow);
  void choose_winners(std::int64_t cycle);
  std::uint32_t winner(std::int64_t cycle, std::uint32_t bank, UserMask users);
  // Among users of one side of the wheel.
  std::uint32_t pick(BankState& state, UserMask users) const;
  UserMask highest_priority(UserMask users) const {
    return any_priority_ && (users & (users - 1)) != 0 ? highest_of(users) : users;
  }
  UserMask highest_of(UserMask users) const;
  bool give(std::int64_t cycle, const std::vector<Flow*>& flows);
  bool give(std::int64_t cycle, Flow& flow);
  SharedPort policy_of(Path path) const;

  Parameters parameters_;
  TdmWheel wheel_;
  bool any_priority_ = false, any_throttle_ = false;
  std::array<std::uint32_t, kUsers> weights_{};
  std::array<BankState, kBanks> banks_{};
  std::array<SharedPath, kPaths> paths_{};
  std::array<TokenBucket, kUsers> read_tokens_{}, write_tokens_{};
  std::array<std::uint64_t, kBanks> conflicts_{};
  // scratch of one cycle
  bool any_request_ = false, unused_slot_ = false;
  UserMask won_ = 0;                      // users that have a bank
  std::array<UserMask, kBanks> users_{};  // that request the bank
  std::array<std::uint8_t, kBanks> winners_{};
  std::array<std::uint16_t, kBanks> touched_{};  // banks that are requested: the first touched_banks_
  std::size_t touched_banks_ = 0;
  std::vector<Flow*> on_paths_;  // that want a beat through a shared path
  std::array<std::uint8_t, kPaths> path_owner_{};
};

}  // namespace dve::contention
