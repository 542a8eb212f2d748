// Windows, filters, limits and formats as a user writes them.
#include <gtest/gtest.h>

#include "events.h"

namespace dve {
namespace selection_test {
namespace {

using namespace telemetry;
using telemetry_events::during;

TEST(TraceWindow, IsReadInNanosecondsToTheFemtosecond) {
  const auto window = window_from_string("1.5:2000");
  ASSERT_TRUE(window);
  EXPECT_EQ(window->start_fs, 1'500'000u);
  EXPECT_EQ(window->end_fs, 2'000'000'000u);
  EXPECT_EQ(window_from_string("0.000001:1")->start_fs, 1u);
  EXPECT_EQ(window_from_string(":7")->start_fs, 0u);
  EXPECT_EQ(window_from_string(":7")->end_fs, 7'000'000u);
  EXPECT_EQ(window_from_string("7:")->end_fs, Window().end_fs);
}

TEST(TraceWindow, AnythingElseIsRefused) {
  for (const char* text : {"", ":", "5", "5:5", "6:5", "a:5", "5:b", "-1:5", "5 :6", "5:6ns", "1:2:3", "nan:5", "0:inf",
                           "0:1e300", "0:0.0000001"})
    EXPECT_FALSE(window_from_string(text)) << text;
}

TEST(TraceWindow, ClipsIntervalsAndKeepsMomentsInside) {
  const Window window{10, 20};
  const auto clipped = [&](std::uint64_t from, std::uint64_t to) { return window.clip({from, to}); };
  EXPECT_EQ(clipped(5, 15)->start_fs, 10u);
  EXPECT_EQ(clipped(5, 15)->end_fs, 15u);
  EXPECT_EQ(clipped(12, 30)->end_fs, 20u);
  EXPECT_EQ(clipped(0, 99)->start_fs, 10u);
  EXPECT_FALSE(clipped(0, 10));
  EXPECT_FALSE(clipped(20, 30));
  EXPECT_TRUE(clipped(10, 10));
  EXPECT_FALSE(clipped(20, 20));
  EXPECT_FALSE(clipped(9, 9));
}

TEST(TraceFilter, EveryNameAddsItsTracks) {
  struct Row {
    const char* text;
    bool dve, pool, dve_ports, pool_ports, dve_banks, pool_banks, semaphores, transfers;
  };
  for (const Row& row : {Row{"dve", true, false, false, false, false, false, false, false},
                         Row{"words", true, true, false, false, false, false, false, false},
                         Row{"ports", false, false, true, true, false, false, false, false},
                         Row{"pool,banks", false, true, false, false, false, true, false, false},
                         Row{"semaphores,dve,ports", true, false, true, false, false, false, true, false},
                         Row{"transfers", false, false, false, false, false, false, false, true}}) {
    std::string unknown;
    const auto filter = Filter::from_string(row.text, unknown);
    ASSERT_TRUE(filter) << row.text;
    EXPECT_EQ(filter->words(isa::Engine::dve), row.dve) << row.text;
    EXPECT_EQ(filter->words(isa::Engine::pool), row.pool) << row.text;
    EXPECT_EQ(filter->ports(isa::Engine::dve), row.dve_ports) << row.text;
    EXPECT_EQ(filter->ports(isa::Engine::pool), row.pool_ports) << row.text;
    EXPECT_EQ(filter->banks(isa::Engine::dve), row.dve_banks) << row.text;
    EXPECT_EQ(filter->banks(isa::Engine::pool), row.pool_banks) << row.text;
    EXPECT_EQ(filter->semaphores(), row.semaphores) << row.text;
    EXPECT_EQ(filter->transfers(), row.transfers) << row.text;
  }
  const Filter everything;
  EXPECT_TRUE(everything.words(isa::Engine::act) && everything.ports(isa::Engine::act) &&
              everything.banks(isa::Engine::act) && everything.semaphores() && everything.transfers());
}

TEST(TraceFilter, UnknownNamesAreNamed) {
  std::string unknown = "-";
  EXPECT_FALSE(Filter::from_string("dve,bank,ports", unknown));
  EXPECT_EQ(unknown, "bank");
  EXPECT_FALSE(Filter::from_string("dve,", unknown));
  EXPECT_EQ(unknown, "");
  EXPECT_FALSE(Filter::from_string("", unknown));
  for (const char* name : {"dve", "pool", "act", "words", "ports", "banks", "semaphores", "transfers"})
    EXPECT_NE(Filter::names().find(name), std::string::npos) << name;
}

TEST(TraceLimit, WhatIsWrittenIsAPrefix) {
  Budget budget(10);
  EXPECT_TRUE(budget.take(4));
  EXPECT_TRUE(budget.take(6));
  EXPECT_FALSE(budget.take(1));
  Budget groups(10);
  EXPECT_TRUE(groups.take(7));
  EXPECT_FALSE(groups.take(4)) << "a group is written as a whole";
  EXPECT_FALSE(groups.take(1)) << "nothing follows what was dropped";
  EXPECT_EQ(groups.written(), 7u);
  EXPECT_EQ(groups.dropped(), 5u);
  Budget unlimited(Selection().limit);
  EXPECT_TRUE(unlimited.take(std::uint64_t{1} << 63));
}

TEST(TraceFormat, FollowsTheEndOfTheName) {
  EXPECT_EQ(format_of("a/b.json"), Format::perfetto);
  EXPECT_EQ(format_of("b.x.json.gz"), Format::perfetto_gzip);
  EXPECT_EQ(format_of("b.vcd"), Format::vcd);
  EXPECT_EQ(format_of("b.csv"), Format::csv);
  for (const char* name : {"b", "b.gz", "b.JSON", "b.vcd.gz", "json", "b.json/", "", "b.fst"})
    EXPECT_FALSE(format_of(name)) << name;
}

}  // namespace
}  // namespace selection_test
}  // namespace dve
