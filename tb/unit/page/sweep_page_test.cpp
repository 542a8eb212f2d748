// A sweep's table, what is said of it, and two sweeps side by side.
#include <gtest/gtest.h>

#include "dve/layer/layer.h"
#include "support/process.h"
#include "tables.h"

namespace dve::page {
namespace sweep_page_test {
namespace {

using namespace testing_support;
using tables::csv;
using tables::table;
using Lines = std::vector<std::string>;

Lines words(const SweepTable& t) {
  const std::vector<Sensitivity> list = sensitivities(t);
  return sentences(t, list, trade_off(t, list));
}

template <class Work>
std::string refusal(Work work) {
  try {
    work();
  } catch (const layer::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SweepWords, SayWhatTimeHangsOnAndWhatHelps) {
  EXPECT_EQ(
      words(table(
          "clock,place",
          {{"1000,sbuf", "400", ""}, {"1000,psum", "200", ""}, {"2000,sbuf", "100", ""}, {"2000,psum", "50", ""}})),
      (Lines{"All 4 points ended well.",
             "Fastest is point 3 (clock = 2000, place = psum) with 50.0 ns; slowest is point 0 (clock = 1000, "
             "place = sbuf) with 400 ns, 8.00 times as long.",
             "dve stream limits 4 points.",
             // as in sensitivity_test: 0.7 by itself, 0.8 with the others
             "Time hangs most on clock: it explains 70 % of the spread by itself, 80 % together with what the other "
             "axes do to it.",
             "What would help most: clock at 2000, on average 75 % less time than at 1000 (70.7 ns against 283 ns).",
             "2 points are on the Pareto front of time and clock (short, and small): 1, 3."}));
}

TEST(SweepWords, AccuracyIsWeighedAgainstTimeWhenItDiffers) {
  const SweepTable t = table("dtype", {{"fp32", "400", "1e-07"}, {"bf16", "200", "0.004"}, {"fp16", "300", "0.02"}});
  const std::optional<TradeOff> trade = trade_off(t, sensitivities(t));
  ASSERT_TRUE(trade.has_value());
  EXPECT_EQ(t.columns[trade->column].name, "max_rel");
  EXPECT_TRUE(trade->smaller_is_better);
  EXPECT_EQ(trade->front, (std::vector<std::size_t>{0, 1})) << "fp16 is slower and less exact than bf16";
}

TEST(SweepWords, WhatMakesPointsSlowerIsTheCheapSide) {
  const SweepTable t = table("latency", {{"65", "100", ""}, {"144", "120", ""}, {"400", "120", ""}});
  const std::optional<TradeOff> trade = trade_off(t, sensitivities(t));
  ASSERT_TRUE(trade.has_value());
  EXPECT_FALSE(trade->smaller_is_better) << "longer latencies are slower, so they are the cheap ones";
  EXPECT_EQ(trade->front, (std::vector<std::size_t>{2, 0}));
}

TEST(SweepWords, NameFailedAndMissingPoints) {
  SweepTable t = table(
      "a", {{"1", "5", ""}, {"2", "", "", "error", "\"x is 2, expected 1\""}, {"3", "", "", "crashed", "killed"}});
  t.expected = 5;
  EXPECT_EQ(words(t)[0],
            "1 of 3 points ended well. 1 with status crashed (point 2: killed). 1 with status error (point 1: x is 2, "
            "expected 1). 2 points not "
            "run: `dve-sim sweep --resume` goes on.");
  EXPECT_EQ(words(t)[1], "Fastest is point 0 (a = 1) with 5.00 ns; it is the only one with a time.");
  EXPECT_EQ(words(table("a", {{"1", "", "", "error", "no"}}))[1],
            "No point has a time, so nothing can be said of what it hangs on.");
}

TEST(SweepTable, ColumnsAreNumbersWhenEveryCellIs) {
  const SweepTable t = table("n,text,mixed", {{"1e3,a,1", "5", "inf"}, {"-2.5,b,x", "", "", "error", "no"}});
  EXPECT_TRUE(t.axis(0).numeric);
  EXPECT_EQ(t.axis(0).numbers, (std::vector<double>{1000, -2.5}));
  EXPECT_FALSE(t.axis(1).numeric);
  EXPECT_FALSE(t.axis(2).numeric);
  EXPECT_TRUE(t.timed(0));
  EXPECT_FALSE(t.timed(1));
}

TEST(SweepTable, DamageIsNamed) {
  const auto of = [](const std::string& text) { return refusal([&] { sweep_table_of(text, "sweep.csv"); }); };
  EXPECT_EQ(of(""), "sweep.csv: is empty, expected the table of a sweep");
  EXPECT_EQ(of("a,b\n1,2\n")
                .rfind("sweep.csv: the first line is 'a,b', expected 'point,status,reason', the axes, 'cycles,", 0),
            0u)
      << of("a,b\n1,2\n");
  EXPECT_EQ(of(csv("a", {})), "sweep.csv: has no points, expected one at least");
  EXPECT_EQ(of(csv("a", {{"1", "5", ""}, {"1", "soon", ""}})),
            "sweep.csv: time_ns of line 3 is 'soon', expected a number or nothing");
}

TEST(SweepTable, AnAxisMayBeCalledAsAResult) {
  const SweepTable t = table("time_ns", {{"7", "5", ""}});
  EXPECT_EQ(t.column("time_ns").numbers[0], 5);
  EXPECT_EQ(t.axis(0).numbers[0], 7);
}

TEST(SweepFolder, NeedsTheTableAndTheSweep) {
  const ScratchFolder folder;
  write_text(folder / "sweep.json", "{}");
  const auto of = [&] { return refusal([&] { page(folder.path(), std::nullopt); }); };
  EXPECT_NE(
      of().find(
          "sweep.csv: there is none, expected the table that a sweep writes at its end; `dve-sim sweep --resume`"),
      std::string::npos)
      << of();
  write_text(folder / "sweep.csv", csv("a", {{"1", "5", ""}}));
  EXPECT_NE(of().find("sweep.json: the document is an object, expected key schema in it"), std::string::npos) << of();
  write_text(folder / "sweep.json", R"({"schema": 2, "sweep": {}, "points": 1})");
  EXPECT_NE(of().find("sweep.json: schema is 2, expected 1, the schema that this version reads"), std::string::npos)
      << of();
  write_text(folder / "sweep.json", R"({"schema": 1, "sweep": {"name": "n"}, "points": 1})");
  EXPECT_EQ(of(), "");
}

TEST(SweepComparison, PairsPointsByTheValuesOfAllAxes) {
  const SweepTable a = table("x,y", {{"1,u", "100", ""}, {"2,u", "200", ""}, {"3,u", "300", ""}, {"4,u", "400", ""}});
  const SweepTable b =
      table("y,x", {{"u,3", "150", ""}, {"u,1", "100", ""}, {"v,2", "1", ""}, {"u,4", "", "", "error", "no"}});
  const auto pairs = same_points(a, b, "b.csv");
  EXPECT_EQ(pairs, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {2, 0}, {3, 3}}));
  // Times: 100 and 100, 300 and 150: the geometric mean of 1 and 1/2.
  EXPECT_EQ(
      compare_sentences(a, b, pairs),
      (Lines{"2 points are in both sweeps with a time: B is faster at 1, slower at 0, the same at 1; on average it "
             "takes 0.707 times as long as A.",
             "The largest change is at x = 3, y = u: 150 ns in B, 300 ns in A."}));
}

TEST(SweepComparison, RefusesOtherAxesAndNoCommonPoint) {
  const SweepTable a = table("x", {{"1", "5", ""}});
  EXPECT_EQ(refusal([&] {
              same_points(a, table("y", {{"1", "5", ""}}), "b.csv");
            }),
            "b.csv: the axes are y, expected x as in the sweep to compare with");
  EXPECT_EQ(refusal([&] {
              same_points(a, table("x", {{"2", "5", ""}}), "b.csv");
            }),
            "b.csv: no point has the values of one in the other sweep, expected one at least");
}

TEST(SweepData, ColumnsOfFewValuesAreSmall) {
  const SweepTable t = table("a,b", {{"1,u", "5.125", ""}, {"1,v", "5.125", ""}, {"1,u", "", "", "error", "no"}});
  const json::Json columns = columns_data(t);
  EXPECT_EQ(columns[3].dump(), R"({"name":"a","d":[1],"i":null})");
  EXPECT_EQ(columns[4].dump(), R"({"name":"b","d":["u","v"],"i":[0,1,0]})");
  EXPECT_EQ(columns[6].dump(), R"({"name":"time_ns","d":[5.125,null],"i":[0,0,1]})");
  std::vector<tables::PointText> many;
  for (int k = 0; k < 100; ++k) many.push_back({std::to_string(k), std::to_string(k) + ".5", ""});
  EXPECT_EQ(columns_data(table("timing.dve.clock_mhz", many))[3]["n"].size(), 100u);
  EXPECT_EQ(columns_data(table("timing.dve.clock_mhz", many))[3]["unit"], "MHz");
}

}  // namespace
}  // namespace sweep_page_test
}  // namespace dve::page
