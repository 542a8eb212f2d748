// Sums over a network's layers, and what limits a run.
#include <gtest/gtest.h>

#include "dve/workload/workload.h"

namespace dve::workload_test {
namespace network_report_test {
namespace {

using json::Json;

// A report of round numbers.
Json layer_report(std::uint64_t unit) {
  return {{"schema", 1},
          {"status", "ok"},
          {"generation", "cayman"},
          {"abstraction", "lt"},
          {"layer", {{"dtype", "bf16"}}},
          {"cycles", 100 * unit},
          {"time_ns", 100.5 * static_cast<double>(unit)},
          {"instructions", 3},
          {"opcodes", {{"drain", 1}, {"copy", unit}}},
          {"engines",
           {{"dve",
             {{"busy", 60 * unit}, {"issue_gap", 10 * unit}, {"semaphore_wait", 30 * unit}, {"cycles", 100 * unit}}}}},
          {"ports",
           {{"dve.read0",
             {{"read_bytes", 64 * unit},
              {"write_bytes", 0},
              {"transactions", unit},
              {"utilisation", 0.25 * static_cast<double>(unit)},
              {"peak_bytes_per_s", 1e9 * static_cast<double>(unit)}}}}},
          {"banks", {{"sbuf.0", {{"read_bytes", 8 * unit}, {"write_bytes", 0}, {"conflicts", 1}}}}},
          {"roofline_ns", {{"dve stream", 60.0}, {"dma ring 0", 50.0 * static_cast<double>(unit)}}},
          {"compare",
           {{"dx",
             {{"max_abs", 0.1 * static_cast<double>(unit)},
              {"max_rel", 0.5},
              {"mismatches", 0},
              {"tolerance", 1.0},
              {"non_finite", 0}}}}},
          {"faults", Json::array()},
          {"warnings", 0},
          {"numerics", {{"divide", "exact"}}}};
}

workload::Workload network() {
  const Json document = {{"schema", 1},
                         {"name", "w"},
                         {"batch", 2},
                         {"layers",
                          {{{"name", "a"}, {"nchw", {2, 3, 4, 5}}, {"repeat", 3}},
                           {{"name", "b"}, {"nchw", {2, 6, 4, 5}}, {"place", "hbm"}}}}};
  return workload::workload_of(document, "w.json");
}

Json report_of(const Json& a, const Json& b) {
  return Json::parse(workload::network_report(network(), {a.dump(), b.dump()}));
}

TEST(NetworkReport, SumsEveryLayerAsOftenAsItOccurs) {
  const Json report = report_of(layer_report(1), layer_report(2));
  EXPECT_EQ(report["status"], "ok");
  EXPECT_EQ(report["cycles"], 500);
  EXPECT_DOUBLE_EQ(report["time_ns"].get<double>(), 502.5);
  EXPECT_EQ(report["instructions"], 12);
  EXPECT_EQ(report["opcodes"]["drain"], 4);
  EXPECT_EQ(report["opcodes"]["copy"], 5);
  EXPECT_EQ(report["engines"]["dve"]["busy"], 300);
  EXPECT_EQ(report["engines"]["dve"]["cycles"], 500);
  EXPECT_EQ(report["ports"]["dve.read0"]["read_bytes"], 320);
  EXPECT_EQ(report["ports"]["dve.read0"]["peak_bytes_per_s"], 2e9);
  EXPECT_DOUBLE_EQ(report["ports"]["dve.read0"]["utilisation"].get<double>(), (3 * 0.25 * 100.5 + 0.5 * 201) / 502.5);
  EXPECT_EQ(report["banks"]["sbuf.0"]["conflicts"], 4);
  EXPECT_EQ(report["roofline_ns"].begin().key(), "dma ring 0");
  EXPECT_EQ(report["roofline_ns"]["dma ring 0"], 250.0);
  EXPECT_EQ(report["roofline_ns"]["dve stream"], 240.0);
  EXPECT_EQ(report["compare"]["dx"]["max_abs"], 0.2);
  EXPECT_EQ(report["workload"]["layers"], 4);
  ASSERT_EQ(report["layers"].size(), 2u);
  EXPECT_EQ(report["layers"][0]["repeat"], 3);
  EXPECT_EQ(report["layers"][1]["place"], "hbm");
  EXPECT_EQ(report["layers"][1]["report"], layer_report(2));
}

TEST(NetworkReport, HasTheStatusOfTheFirstLayerThatIsNotOk) {
  Json fault = layer_report(1), timeout = layer_report(1);
  fault["status"] = "fault";
  fault["faults"].push_back({{"engine", "dve"}});
  timeout["status"] = "timeout";
  EXPECT_EQ(report_of(layer_report(1), timeout)["status"], "timeout");
  const Json both = report_of(fault, timeout);
  EXPECT_EQ(both["status"], "fault");
  EXPECT_EQ(both["faults"].size(), 1u);
}

TEST(NetworkReport, HasNoCyclesWithoutTime) {
  Json untimed = layer_report(1);
  untimed["cycles"] = nullptr;
  untimed["roofline_ns"] = Json::object();
  const Json report = report_of(untimed, untimed);
  EXPECT_TRUE(report["cycles"].is_null());
  EXPECT_EQ(workload::bottleneck(report), "");
}

TEST(NetworkReport, TheWorstComparisonCountsNotFiniteOnesMost) {
  Json odd = layer_report(1);
  odd["compare"]["dx"]["max_abs"] = "nan";
  odd["compare"]["dx"]["mismatches"] = 4;
  for (const Json& report : {report_of(odd, layer_report(1)), report_of(layer_report(1), odd)}) {
    EXPECT_EQ(report["compare"]["dx"]["max_abs"], "nan");
    EXPECT_EQ(report["compare"]["dx"]["mismatches"], 4);
  }
}

TEST(Bottleneck, IsTheLongestRooflineOrTheLargestBucket) {
  Json report = layer_report(1);
  EXPECT_EQ(workload::bottleneck(report), "dve stream");
  report["time_ns"] = 120.1;
  EXPECT_EQ(workload::bottleneck(report), "dve semaphore_wait");
  report["engines"]["dve"]["issue_gap"] = 31;
  EXPECT_EQ(workload::bottleneck(report), "dve issue_gap");
}

TEST(NetworkTable, HasALineALayerAndTheSum) {
  const std::string table = workload::network_table(report_of(layer_report(1), layer_report(2)));
  EXPECT_NE(table.find("2x3x4x5"), std::string::npos) << table;
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4) << table;
  const std::string sum = table.substr(table.rfind("\nsum"));
  EXPECT_NE(sum.find(" 4 "), std::string::npos) << sum;
  EXPECT_NE(sum.find(" 500 "), std::string::npos) << sum;
}

}  // namespace
}  // namespace network_report_test
}  // namespace dve::workload_test
