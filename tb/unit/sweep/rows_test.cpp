// The table of a sweep.
#include <gtest/gtest.h>

#include "dve/sweep/sweep.h"

namespace dve::sweep {
namespace rows_test {
namespace {

using json::Json;

Spec spec() {
  return spec_of({{"schema", 1}, {"mode", "zip"}, {"axes", {{"quantum_ns", {1.5}}, {"place.x", {"sbuf"}}}}}, "s.json");
}

Json report() {
  return Json::parse(R"({"status": "ok", "cycles": 12, "time_ns": 3.25, "instructions": 7,
    "engines": {"dve": {"busy": 1, "issue_gap": 2, "operand_wait": 3, "write_wait": 4, "bank_conflict": 5,
                        "semaphore_wait": 6, "fetch": 7, "idle": 8, "cycles": 36}},
    "roofline_ns": {"dve stream": 3.0}, "faults": [], "waits": [],
    "compare": {"dx": {"max_rel": 0.5, "mismatches": 0}, "dgamma": {"max_rel": 0.25, "mismatches": 0}}})");
}

std::string row(const Json& r) { return table_row(spec(), 4, {1.5, "sbuf"}, r); }

TEST(Rows, HaveTheColumnsOfTheHead) {
  EXPECT_EQ(
      table_head(spec()),
      "point,status,reason,quantum_ns,place.x,cycles,time_ns,bottleneck,instructions,dve_busy,dve_issue_gap,"
      "dve_operand_wait,dve_write_wait,dve_bank_conflict,dve_semaphore_wait,dve_fetch,dve_idle,max_rel,mismatches\n");
  EXPECT_EQ(row(report()), "4,ok,,1.5,sbuf,12,3.250,dve stream,7,1,2,3,4,5,6,7,8,0.5,0\n");
}

TEST(Rows, WithoutTimeOrDataHaveEmptyCells) {
  Json r = report();
  r["cycles"] = nullptr;
  r["compare"] = Json::object();
  EXPECT_EQ(row(r), "4,ok,,1.5,sbuf,,,,7,,,,,,,,,,\n");
}

TEST(Rows, OfFailuresHaveTheReasonQuotedWhenItMust) {
  EXPECT_EQ(row(Json::parse(failure_report("error", "say \"no\", or\nnot"))),
            "4,error,\"say \"\"no\"\", or not\",1.5,sbuf,,,,,,,,,,,,,,\n");
}

TEST(Rows, NameWhatEndedARun) {
  Json r = report();
  r["status"] = "fault";
  r["faults"].push_back(
      {{"engine", "dve"}, {"word", 3}, {"opcode", "copy"}, {"field", "dst"}, {"value", 5}, {"expected", "4"}});
  EXPECT_EQ(row(r).rfind("4,fault,\"dve word 3 (copy): dst is 5, expected 4\",", 0), 0u) << row(r);
  r["status"] = "deadlock";
  r["waits"].push_back({{"who", "dve"}, {"condition", "sem[3] >= 1"}});
  EXPECT_EQ(row(r).rfind("4,deadlock,dve waits for sem[3] >= 1,", 0), 0u) << row(r);
  r["status"] = "timeout";
  EXPECT_EQ(row(r).rfind("4,timeout,max_cycles reached,", 0), 0u) << row(r);
  r["status"] = "compare_failed";
  r["compare"]["dgamma"]["mismatches"] = 9;
  EXPECT_EQ(row(r).rfind("4,compare_failed,dgamma differs in 9 values,", 0), 0u) << row(r);
  EXPECT_EQ(row(r).substr(row(r).size() - 6), "0.5,9\n");
}

TEST(Rows, ComparisonsThatAreNotFiniteStandInTheTable) {
  Json r = report();
  r["compare"]["dx"]["max_rel"] = "inf";
  EXPECT_EQ(row(r).substr(row(r).size() - 6), "inf,0\n");
}

TEST(Rows, CrashedAndInterruptedPointsAreNotFinal) {
  for (const char* status : {"ok", "compare_failed", "fault", "deadlock", "timeout", "error"})
    EXPECT_TRUE(is_final({{"status", status}})) << status;
  for (const char* status : {"crashed", "interrupted", ""}) EXPECT_FALSE(is_final({{"status", status}})) << status;
  EXPECT_FALSE(is_final(Json::array()));
  EXPECT_FALSE(is_final({{"status", 3}}));
  EXPECT_TRUE(is_ok({{"status", "ok"}}));
  EXPECT_FALSE(is_ok({{"status", "fault"}}));
}

}  // namespace
}  // namespace rows_test
}  // namespace dve::sweep
