// Children of a prepared process: answers, and everything that can go wrong instead of one.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "dve/warm/warm.h"

namespace dve::warm {
namespace {

using How = ChildEnd::How;
using std::chrono::milliseconds;

std::map<std::size_t, ChildEnd> run(const ChildPool::Limits& limits, std::size_t count, const ChildPool::Work& work,
                                    const std::function<bool()>& stop = {}) {
  std::map<std::size_t, ChildEnd> ends;
  ChildPool(limits, work, stop).run(count, [&](std::size_t point, const ChildEnd& end) {
    EXPECT_TRUE(ends.emplace(point, end).second) << point << " ended twice";
  });
  EXPECT_EQ(ends.size(), count);
  return ends;
}

TEST(ChildPool, EveryPointAnswersWhateverTheNumberAtOnce) {
  for (const std::size_t at_once : {1, 2, 7, 0}) {
    const auto ends = run({at_once, {}}, 20, [](std::size_t k) { return "point " + std::to_string(k); });
    for (const auto& [point, end] : ends) {
      EXPECT_EQ(end.how, How::answered);
      EXPECT_EQ(end.text, "point " + std::to_string(point));
    }
  }
  EXPECT_TRUE(run({}, 0, [](std::size_t) { return ""; }).empty());
}

TEST(ChildPool, AnswersMayBeLongOrEmpty) {
  const std::string piece(3'000'000, 'x');  // more than a pipe holds
  const auto ends = run({3, {}}, 6, [&](std::size_t k) { return k % 2 == 0 ? piece + std::to_string(k) : ""; });
  for (const auto& [point, end] : ends) EXPECT_EQ(end.text, point % 2 == 0 ? piece + std::to_string(point) : "");
}

TEST(ChildPool, ChildrenHaveWhatTheParentPreparedAndChangeNothing) {
  std::string prepared = "prepared";
  const auto ends = run({2, {}}, 4, [&](std::size_t k) { return prepared += std::to_string(k); });
  for (const auto& [point, end] : ends) EXPECT_EQ(end.text, "prepared" + std::to_string(point));
  EXPECT_EQ(prepared, "prepared");
}

TEST(ChildPool, OneThatBreaksCostsItsPointAlone) {
  const auto ends = run({2, {}}, 6, [](std::size_t k) -> std::string {
    if (k == 1) throw std::runtime_error("no plan");
    if (k == 2) raise(SIGSEGV);
    if (k == 3) _exit(7);
    if (k == 4) raise(SIGKILL);
    return "fine";
  });
  EXPECT_EQ(ends.at(0).text, "fine");
  EXPECT_EQ(ends.at(1).how, How::failed);
  EXPECT_EQ(ends.at(1).text, "no plan");
  EXPECT_EQ(ends.at(2).how, How::crashed);
  EXPECT_EQ(ends.at(3).how, How::crashed);
  EXPECT_EQ(ends.at(3).text, "ended with code 7 and no answer");
  EXPECT_EQ(ends.at(4).text, "was ended by signal 9");
  EXPECT_EQ(ends.at(5).text, "fine");
}

TEST(ChildPool, OneThatHangsIsKilledAtItsLimit) {
  const auto ends = run({2, milliseconds(200)}, 3, [](std::size_t k) -> std::string {
    while (k == 1) sleep(1);
    return "fine";
  });
  EXPECT_EQ(ends.at(0).how, How::answered);
  EXPECT_EQ(ends.at(1).how, How::timed_out);
  EXPECT_EQ(ends.at(2).how, How::answered);
}

TEST(ChildPool, AStopEndsThoseThatRunAndStartsNoMore) {
  const auto begin = std::chrono::steady_clock::now();
  const auto stop = [&] { return std::chrono::steady_clock::now() - begin > milliseconds(200); };
  const auto ends = run(
      {2, {}}, 5,
      [](std::size_t k) -> std::string {
        if (k == 1) signal(SIGTERM, SIG_IGN);  // it has to be killed
        while (true) sleep(1);
      },
      stop);
  for (const auto& [point, end] : ends) EXPECT_EQ(end.how, How::stopped) << point;
  EXPECT_EQ(ends.at(4).text, "was not started");
}

TEST(ChildPool, WhatEndsThrowsComesThroughAndLeavesNoChild) {
  ChildPool pool({2, {}},
                 [](std::size_t k) -> std::string {
                   while (k == 1) sleep(1);
                   return "fine";
                 },
                 {});
  EXPECT_THROW(pool.run(3, [](std::size_t, const ChildEnd&) { throw std::logic_error("enough"); }), std::logic_error);
  EXPECT_EQ(wait(nullptr), -1) << "a child is left";
}

}  // namespace
}  // namespace dve::warm
