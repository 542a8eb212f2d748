#include "run.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "dve/workload/workload.h"
#include "shown.h"

namespace dve::page {
namespace {

using json::JsonNode;

EngineCycles engine_of(const std::string& name, const JsonNode& node) {
  node.expect_keys({"busy", "issue_gap", "operand_wait", "write_wait", "bank_conflict", "semaphore_wait", "fetch",
                    "idle", "cycles"});
  EngineCycles engine;
  engine.name = name;
  for (std::size_t b = 0; b < kBuckets.size(); ++b) engine.buckets[b] = node.at(kBuckets[b]).integer(0, kMostCounted);
  const JsonNode cycles = node.at("cycles");
  engine.cycles = cycles.integer(0, kMostCounted);
  const auto sum = std::accumulate(engine.buckets.begin(), engine.buckets.end(), std::uint64_t{0});
  if (sum != engine.cycles) cycles.fail(fmt::format("{}, the sum of its buckets", sum));
  return engine;
}

std::vector<EngineCycles> engines_of(const JsonNode& engines) {
  std::vector<EngineCycles> list;
  engines.at("dve");
  each_member(engines, [&](const std::string& name, const JsonNode& node) { list.push_back(engine_of(name, node)); });
  return list;
}

std::vector<ResourceTime> roofline_of(const JsonNode& roofline) {
  std::vector<ResourceTime> list;
  each_member(roofline, [&](const std::string& name, const JsonNode& node) {
    if (node.number() < 0) node.fail("a time of 0 or more");
    if (!list.empty() && node.number() > list.back().ns) node.fail("a time no longer than the one before it");
    list.push_back({name, node.number()});
  });
  return list;
}

std::string shape_of(const JsonNode& nchw) {
  std::string shape;
  for (const JsonNode& extent : nchw.list())
    shape += fmt::format("{}{}", shape.empty() ? "" : "x", extent.integer(1, kMostCounted));
  return shape;
}

LayerRun layer_of(const JsonNode& node) {
  LayerRun layer;
  layer.name = node.at("name").text();
  layer.shape = shape_of(node.at("nchw"));
  layer.repeat = node.at("repeat").integer(1, kMostCounted);
  layer.dtype = node.at("dtype").text();
  if (!node.at("place").value().is_null()) layer.place = node.at("place").text();
  layer.run = run_of(node.at("report"));
  return layer;
}

// What there is of a run with time: where it went, and what bounds it.
void read_time(const JsonNode& report, Run& run) {
  run.cycles = report.at("cycles").integer(0, kMostCounted);
  run.time_ns = report.at("time_ns").number();
  if (run.time_ns < 0) report.at("time_ns").fail("a time of 0 or more");
  run.roofline = roofline_of(report.at("roofline_ns"));
  run.engines = engines_of(report.at("engines"));
  run.bottleneck = workload::bottleneck(report.value());
}

void expect_schema(const JsonNode& report) {
  const JsonNode schema = report.at("schema");
  if (schema.value() != 1) schema.fail("1, the schema that this version reads");
}

}  // namespace

Run run_of(const JsonNode& report) {
  expect_schema(report);
  Run run;
  run.status = report.at("status").text();
  run.shown = json::Json::object();
  if (report.has("reason")) {
    run.reason = report.at("reason").text();
    return run;
  }
  run.device = fmt::format("{}, {}", report.at("generation").text(), report.at("abstraction").text());
  run.instructions = report.at("instructions").integer(0, kMostCounted);
  if (!report.at("cycles").value().is_null()) read_time(report, run);
  run.shown = shown_of(report);
  if (!report.has("layers")) return run;
  run.network = report.at("workload").at("name").text();
  for (const JsonNode& layer : report.at("layers").list()) run.layers.push_back(layer_of(layer));
  if (run.layers.empty()) report.at("layers").fail("one layer at least");
  return run;
}

Run read_run(const std::filesystem::path& file) {
  const json::Json document = json::parse_json(file);
  return run_of(JsonNode(document, file, ""));
}

const EngineCycles& main_engine(const Run& run) {
  const EngineCycles* main = nullptr;
  for (const EngineCycles& engine : run.engines)
    if (!engine.is_ring() && (main == nullptr || engine.buckets[kBusy] > main->buckets[kBusy])) main = &engine;
  return *main;
}

}  // namespace dve::page
