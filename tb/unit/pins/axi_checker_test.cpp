// The AXI checker: each of its rules is broken, on each channel that it is a rule of, and found and named; correct
// traffic is not accused.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "dve/pin_protocol/pin_protocol.h"

namespace axi_checker_test {

using namespace dve::pins;

using Change = std::function<void(AxiCycle&)>;

// A cycle in which all sides are ready, and what else is said.
AxiCycle cycle(const std::vector<Change>& changes) {
  AxiCycle now;
  now.aw.ready = now.w.ready = now.b.ready = now.ar.ready = now.r.ready = true;
  for (const Change& change : changes) change(now);
  return now;
}
template <class Payload>
void offer(AxiChannel<Payload>& channel, const Payload& payload) {
  channel.valid = true;
  channel.payload = payload;
}
AxiAddress incr(std::uint64_t id, std::uint32_t beats, std::uint64_t address = 0, std::uint32_t size = 2) {
  return {id, address, beats - 1, size, AxiBurst::incr};
}
Change aw(const AxiAddress& address) {
  return [=](AxiCycle& now) { offer(now.aw, address); };
}
Change ar(const AxiAddress& address) {
  return [=](AxiCycle& now) { offer(now.ar, address); };
}
Change w(bool last, unsigned long strobes = 0xF, std::uint8_t value = 0) {
  AxiWriteData data;
  data.strobes = strobes;
  data.last = last;
  data.data.bytes[0] = value;
  return [=](AxiCycle& now) { offer(now.w, data); };
}
Change b(std::uint64_t id, AxiResponse response = AxiResponse::okay) {
  return [=](AxiCycle& now) { offer(now.b, {id, response}); };
}
Change r(std::uint64_t id, bool last, AxiResponse response = AxiResponse::okay, std::uint8_t value = 0) {
  AxiReadData data{id, {}, response, last};
  data.data.bytes[0] = value;
  return [=](AxiCycle& now) { offer(now.r, data); };
}
Change reset() {
  return [](AxiCycle& now) { now.reset = true; };
}
const Change kIdle = [](AxiCycle&) {};

struct Case {
  std::string channel, rule;  // empty: nothing is broken
  std::vector<std::vector<Change>> cycles;
  std::uint64_t cycle = 0;  // of the finding, after the two cycles of reset that come before `cycles`
  std::uint64_t beat = 0;
};

// A bus of 4 bytes, a limit of 5 stalled cycles.
std::vector<Case> legal() {
  const Change stall_w = [](AxiCycle& now) { now.w.ready = false; };
  const Change stall_r = [](AxiCycle& now) { now.r.ready = false; };
  return {
      {"", "", {{aw(incr(1, 2)), w(false)}, {w(true)}, {b(1)}}},
      {"", "", {{w(false)}, {w(true)}, {aw(incr(1, 2))}, {b(1)}}},                         // data first
      {"", "", {{aw(incr(1, 1))}, {aw(incr(2, 1)), w(true)}, {w(true)}, {b(2)}, {b(1)}}},  // ids in any order
      {"", "", {{aw(incr(1, 1)), w(true)}, {aw(incr(1, 1)), b(1)}, {w(true)}, {b(1)}}},
      {"",
       "",
       {{aw(incr(1, 1)), w(true, 7), stall_w}, {w(true, 7), stall_w}, {w(true, 7)}, {b(1, AxiResponse::slverr)}}},
      {"",
       "",
       {{ar(incr(3, 2))},
        {r(3, false)},
        {kIdle},
        {r(3, true, AxiResponse::decerr), stall_r},
        {r(3, true, AxiResponse::decerr)}}},
      {"", "", {{ar(incr(3, 2))}, {ar(incr(4, 1))}, {r(3, false)}, {r(4, true)}, {r(3, true)}}},  // interleaved
      {"", "", {{aw(incr(1, 2, 1))}, {w(false, 0xE)}, {w(true, 0)}, {b(1)}}},                     // unaligned start
      {"", "", {{aw(incr(1, 4, 1, 0))}, {w(false, 2)}, {w(false, 4)}, {w(false, 8)}, {w(true, 1)}, {b(1)}}},  // narrow
      {"", "", {{aw({1, 4, 3, 2, AxiBurst::wrap})}, {w(false)}, {w(false)}, {w(false)}, {w(true)}, {b(1)}}},
      {"", "", {{aw(incr(1, 2)), w(false)}, {reset()}, {reset()}, {ar(incr(1, 1))}, {r(1, true)}}},
      {"", "", {{aw(incr(1, 1)), w(true)}, {b(1), reset()}, {reset()}}},  // the first cycle of reset
      {"",
       "",
       {{w(true),
         [](AxiCycle& now) {
           now.w.data_unknown.set(3);
           now.w.payload.strobes = 7;
         }}}},
      {"", "", {{ar(incr(1, 1, 0, 0))}, {r(1, true), [](AxiCycle& now) { now.r.data_unknown.set(1); }}}},
      {"", "", {{ar(incr(1, 1))}, {r(1, true, AxiResponse::slverr), [](AxiCycle& now) { now.r.data_unknown.set(1); }}}},
  };
}

std::vector<Case> of_the_bursts() {
  const auto with = [](std::uint64_t address, std::uint32_t beats, std::uint32_t size, AxiBurst type) {
    return AxiAddress{0, address, beats - 1, size, type};
  };
  std::vector<Case> cases;
  for (const auto& [rule, address] :
       std::vector<std::pair<std::string, AxiAddress>>{{"burst_reserved", with(0, 1, 2, AxiBurst::reserved)},
                                                       {"size_too_wide", with(0, 1, 3, AxiBurst::incr)},
                                                       {"fixed_length", with(0, 17, 2, AxiBurst::fixed)},
                                                       {"wrap_length", with(0, 3, 2, AxiBurst::wrap)},
                                                       {"wrap_alignment", with(2, 4, 2, AxiBurst::wrap)},
                                                       {"crosses_4k", with(4092, 2, 2, AxiBurst::incr)}}) {
    cases.push_back({"AW", rule, {{aw(incr(0, 1))}, {aw(address)}}, 1, 1});
    cases.push_back({"AR", rule, {{ar(incr(0, 1))}, {ar(address)}}, 1, 1});
  }
  return cases;
}

std::vector<Case> of_data_and_responses() {
  return {
      {"W", "strobe_outside_lanes", {{aw(incr(1, 2, 1))}, {w(false, 0xF)}}, 1, 0},
      {"W", "strobe_outside_lanes", {{aw(incr(1, 2, 1, 0))}, {w(false, 2)}, {w(true, 2)}}, 2, 1},
      {"W", "strobe_outside_lanes", {{w(false, 0xF)}, {w(true)}, {aw(incr(1, 2, 1))}}, 2, 0},
      {"W", "wlast_early", {{aw(incr(1, 3)), w(false)}, {w(true)}}, 1, 1},
      {"W", "wlast_early", {{w(true)}, {aw(incr(1, 2))}}, 1, 0},
      {"W", "wlast_missing", {{aw(incr(1, 2)), w(false)}, {w(false)}}, 1, 1},
      {"B", "response_without_request", {{kIdle}, {b(0)}}, 1, 0},
      {"B", "response_without_request", {{w(true)}, {b(0)}}, 1, 0},  // data without its address
      {"B", "response_without_request", {{aw(incr(0, 1)), w(true)}, {b(0)}, {b(0)}}, 2, 1},
      {"B", "response_without_request", {{aw(incr(0, 1)), w(true), b(0)}}, 0, 0},  // in the same cycle
      {"B", "wrong_id", {{aw(incr(1, 1)), w(true)}, {b(2)}}, 1, 0},
      {"B", "exokay_unasked", {{aw(incr(1, 1)), w(true)}, {b(1, AxiResponse::exokay)}}, 1, 0},
      {"B", "response_before_last", {{aw(incr(1, 2)), w(false)}, {b(1)}}, 1, 0},
      {"B", "response_before_last", {{aw(incr(1, 2)), w(false)}, {w(true), b(1)}}, 1, 0},  // in the same cycle
      {"R", "response_without_request", {{kIdle}, {r(0, true)}}, 1, 0},
      {"R", "response_without_request", {{ar(incr(0, 1)), r(0, true)}}, 0, 0},
      {"R", "response_without_request", {{ar(incr(0, 1))}, {r(0, true)}, {r(0, true)}}, 2, 1},
      {"R", "wrong_id", {{ar(incr(1, 1))}, {r(2, true)}}, 1, 0},
      {"R", "exokay_unasked", {{ar(incr(1, 1))}, {r(1, true, AxiResponse::exokay)}}, 1, 0},
      {"R", "rlast_early", {{ar(incr(1, 3))}, {r(1, false)}, {r(1, true)}}, 2, 1},
      {"R", "rlast_missing", {{ar(incr(1, 2))}, {r(1, false)}, {r(1, false)}}, 2, 1},
      {"R", "rlast_missing", {{ar(incr(1, 1))}, {ar(incr(2, 1))}, {r(1, true)}, {r(2, false)}}, 3, 1},
      {"R", "unknown_payload", {{ar(incr(1, 1))}, {r(1, true), [](AxiCycle& now) { now.r.data_unknown.set(2); }}}, 1},
      {"W", "unknown_payload", {{w(true, 4), [](AxiCycle& now) { now.w.data_unknown.set(2); }}}},
  };
}

// The rules of every channel, on one of them. `first` and `other` are two payloads that may be offered in cycle 1 after
// `before` in cycle 0.
template <class Payload>
void add_hand_shake(std::vector<Case>& cases, const std::string& name, AxiChannel<Payload> AxiCycle::*channel,
                    const std::vector<Change>& before, const Payload& first, const Payload& other) {
  const auto change = [channel](auto what) -> Change { return [=](AxiCycle& now) { what(now.*channel); }; };
  const Change waits = change([=](auto& c) { offer(c, first), c.ready = false; });
  const Change changed = change([=](auto& c) { offer(c, other), c.ready = false; });
  const Change control = change([](auto& c) { c.control_unknown = true; });
  const Change valid = change([](auto& c) { c.valid = true; });
  const Change payload = change([=](auto& c) { offer(c, first), c.payload_unknown = true; });
  std::vector<std::vector<Change>> stalled(7, {waits});
  stalled.front() = before;
  cases.push_back({name, "unknown_control", {before, {control}}, 1, 0});
  cases.push_back({name, "unknown_control", {{kIdle}, {reset(), control}, {reset(), control}}, 2, 0});
  cases.push_back({name, "valid_in_reset", {{kIdle}, {reset()}, {reset(), valid}}, 2, 0});
  cases.push_back({name, "valid_withdrawn", {before, {waits}, {kIdle}}, 2, 0});
  cases.push_back({name, "unknown_payload", {before, {payload}}, 1, 0});
  cases.push_back({name, "payload_changed", {before, {waits}, {changed}}, 2, 0});
  cases.push_back({name, "stalled", stalled, 6, 0});
  stalled.pop_back();
  cases.push_back({"", "", stalled});
}

std::vector<Case> of_hand_shakes() {
  std::vector<Case> cases;
  AxiWriteData data, other_data;
  data.strobes = other_data.strobes = 3;
  other_data.data.bytes[1] = 9;
  add_hand_shake(cases, "AW", &AxiCycle::aw, {kIdle}, incr(1, 1), incr(1, 2));
  add_hand_shake(cases, "AR", &AxiCycle::ar, {kIdle}, incr(1, 1), incr(2, 1));
  add_hand_shake(cases, "W", &AxiCycle::w, {kIdle}, data, other_data);
  add_hand_shake(cases, "B", &AxiCycle::b, {aw(incr(1, 1)), w(true)}, {1, AxiResponse::okay}, {1, AxiResponse::slverr});
  add_hand_shake(cases, "R", &AxiCycle::r, {ar(incr(1, 2))}, AxiReadData{1, {}, AxiResponse::okay, false},
                 AxiReadData{1, {}, AxiResponse::decerr, false});
  return cases;
}

void expect_verdicts(const std::vector<Case>& cases) {
  int number = 0;
  for (const Case& one : cases) {
    SCOPED_TRACE("case " + std::to_string(number++) + " " + one.channel + " " + one.rule);
    AxiChecker::Limits limits;
    limits.bus_bytes = 4;
    limits.stall_limit = 5;
    AxiChecker checker(limits);
    for (int i = 0; i < 2; ++i) checker.step(cycle({reset()}));
    for (const std::vector<Change>& changes : one.cycles) checker.step(cycle(changes));
    ASSERT_EQ(checker.finding() ? checker.finding()->channel + " " + checker.finding()->rule : " ",
              one.channel + " " + one.rule);
    if (one.rule.empty()) continue;
    EXPECT_EQ(checker.finding()->cycle, one.cycle + 2);
    EXPECT_EQ(checker.finding()->beat, one.beat);
  }
}

TEST(AxiChecker, AcceptsLegalTraffic) { expect_verdicts(legal()); }
TEST(AxiChecker, EveryRuleOfABurst) { expect_verdicts(of_the_bursts()); }
TEST(AxiChecker, EveryRuleOfDataAndResponses) { expect_verdicts(of_data_and_responses()); }
TEST(AxiChecker, EveryRuleOfTheHandShakesOnEveryChannel) { expect_verdicts(of_hand_shakes()); }

TEST(AxiChecker, LooksAtNothingBeforeTheFirstReset) {
  AxiChecker checker({4, 5});
  for (const AxiCycle& now : {cycle({b(0)}), cycle({r(1, true)}), cycle({reset()}), cycle({kIdle})}) checker.step(now);
  EXPECT_FALSE(checker.finding().has_value());
}

TEST(AxiChecker, CountsWhatIsOpenAndKeepsTheFirstFinding) {
  AxiChecker checker({4, 5});
  for (const AxiCycle& now : {cycle({reset()}), cycle({aw(incr(1, 1)), ar(incr(2, 2))}), cycle({w(true), r(2, false)})})
    checker.step(now);
  EXPECT_EQ(checker.open_writes(), 1U);
  EXPECT_EQ(checker.open_reads(), 1U);
  for (const AxiCycle& now : {cycle({b(1), r(2, true)}), cycle({b(1)}), cycle({r(2, true)})}) checker.step(now);
  EXPECT_EQ(checker.open_writes(), 0U);
  EXPECT_EQ(checker.open_reads(), 0U);
  ASSERT_TRUE(checker.finding().has_value());
  EXPECT_EQ(checker.finding()->text(), "B breaks response_without_request in cycle 4 after 1 beats");
  checker.clear();
  checker.step(cycle({r(2, true)}));
  ASSERT_TRUE(checker.finding().has_value());
  EXPECT_EQ(checker.finding()->channel, "R");
}

}  // namespace axi_checker_test
