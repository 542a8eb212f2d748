#include "rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "dve/workload/workload.h"

namespace dve::sweep {
namespace {

using json::Json;

const std::vector<std::string> kBuckets = {"busy",          "issue_gap",      "operand_wait", "write_wait",
                                           "bank_conflict", "semaphore_wait", "fetch",        "idle"};

std::string status_of(const Json& report) {
  const bool there = report.is_object() && report.contains("status") && report["status"].is_string();
  return there ? report["status"].get<std::string>() : "";
}

// Quoted when it must be; a line end would break tools that read line by line.
std::string cell(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string line(const std::vector<std::string>& cells) {
  std::vector<std::string> encoded;
  for (const std::string& text : cells) encoded.push_back(cell(text));
  return fmt::format("{}\n", fmt::join(encoded, ","));
}

// Why a run is not ok, in one sentence.
std::string reason_of(const Json& report) {
  if (report.contains("reason")) return report["reason"].get<std::string>();
  const std::string status = status_of(report);
  if (status == "fault" && !report["faults"].empty()) {
    const Json& f = report["faults"][0];
    return fmt::format("{} word {} ({}): {} is {}, expected {}", f["engine"].get<std::string>(), f["word"].dump(),
                       f["opcode"].get<std::string>(), f["field"].get<std::string>(), value_text(f["value"]),
                       value_text(f["expected"]));
  }
  if (status == "fault" && report.contains("dma_faults")) return report["dma_faults"][0].get<std::string>();
  if (status == "deadlock" && report.contains("waits") && !report["waits"].empty()) {
    const Json& w = report["waits"][0];
    return fmt::format("{} waits for {}", w["who"].get<std::string>(), w["condition"].get<std::string>());
  }
  if (status == "timeout") return "max_cycles reached";
  if (status != "compare_failed") return "";
  for (const auto& [name, comparison] : report["compare"].items())
    if (comparison["mismatches"] != 0)
      return fmt::format("{} differs in {} values", name, comparison["mismatches"].dump());
  return "";
}

std::string integer(const Json& value) { return value.is_number() ? value.dump() : ""; }

void add_buckets(std::vector<std::string>& cells, const Json& report) {
  const bool there = report.contains("engines") && report["engines"].contains("dve") && !report["cycles"].is_null();
  for (const std::string& bucket : kBuckets) cells.push_back(there ? integer(report["engines"]["dve"][bucket]) : "");
}

void add_comparisons(std::vector<std::string>& cells, const Json& report) {
  if (!report.contains("compare") || report["compare"].empty()) {
    cells.insert(cells.end(), {"", ""});
    return;
  }
  double worst = 0;
  std::uint64_t mismatches = 0;
  std::string not_finite;
  for (const auto& [name, comparison] : report["compare"].items()) {
    const Json& max_rel = comparison["max_rel"];
    if (max_rel.is_number())
      worst = std::max(worst, max_rel.get<double>());
    else
      not_finite = max_rel.get<std::string>();
    mismatches += comparison["mismatches"].get<std::uint64_t>();
  }
  cells.push_back(not_finite.empty() ? fmt::format("{}", worst) : not_finite);
  cells.push_back(fmt::format("{}", mismatches));
}

}  // namespace

std::string failure_report(const std::string& status, const std::string& reason) {
  const Json report = {{"schema", 1}, {"status", status}, {"reason", reason}};
  return report.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_final(const Json& report) {
  const std::string status = status_of(report);
  return status == "ok" || status == "compare_failed" || status == "fault" || status == "deadlock" ||
         status == "timeout" || status == "error";
}

bool is_ok(const Json& report) { return status_of(report) == "ok"; }

std::string table_head(const Spec& spec) {
  std::vector<std::string> cells = {"point", "status", "reason"};
  for (const Axis& axis : spec.axes) cells.push_back(axis.name);
  cells.insert(cells.end(), {"cycles", "time_ns", "bottleneck", "instructions"});
  for (const std::string& bucket : kBuckets) cells.push_back("dve_" + bucket);
  cells.insert(cells.end(), {"max_rel", "mismatches"});
  return line(cells);
}

std::string table_row(const Spec& spec, std::size_t number, const Point& point, const Json& report) {
  std::vector<std::string> cells = {fmt::format("{}", number), status_of(report), reason_of(report)};
  for (std::size_t a = 0; a < spec.axes.size(); ++a) cells.push_back(value_text(point[a]));
  const bool timed = report.contains("cycles") && report["cycles"].is_number();
  cells.push_back(timed ? integer(report["cycles"]) : "");
  cells.push_back(timed ? fmt::format("{:.3f}", report["time_ns"].get<double>()) : "");
  cells.push_back(timed ? workload::bottleneck(report) : "");
  cells.push_back(report.contains("instructions") ? integer(report["instructions"]) : "");
  add_buckets(cells, report);
  add_comparisons(cells, report);
  return line(cells);
}

}  // namespace dve::sweep
