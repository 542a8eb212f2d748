#include "shown.h"

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>

namespace dve::page {
namespace {

using json::Json;
using json::JsonNode;

Json count(const JsonNode& node) { return node.integer(0, kMostCounted); }

// As report.json writes them: texts when they are not finite.
Json number(const JsonNode& node) {
  if (node.is_text() && (node.value() == "nan" || node.value() == "inf" || node.value() == "-inf")) return node.value();
  return node.number();
}

Json text(const JsonNode& node) {
  return node.is_text() ? node.value() : Json(node.value().dump(-1, ' ', false, Json::error_handler_t::replace));
}

struct Cell {
  std::string_view key;
  Json (*read)(const JsonNode&);
};

// A row a member: its name, then its cells. Nothing when the report has no such key.
Json rows(const JsonNode& report, std::string_view key, std::initializer_list<Cell> cells) {
  Json all = Json::array();
  if (!report.has(key)) return all;
  each_member(report.at(key), [&](const std::string& name, const JsonNode& member) {
    Json row = {name};
    for (const Cell& cell : cells) row.push_back(cell.read(member.at(cell.key)));
    all.push_back(std::move(row));
  });
  return all;
}

// The same of a list.
Json list_rows(const JsonNode& report, std::string_view key, std::initializer_list<std::string_view> cells) {
  Json all = Json::array();
  if (!report.has(key)) return all;
  for (const JsonNode& entry : report.at(key).list()) {
    Json row = Json::array();
    for (const std::string_view cell : cells) row.push_back(text(entry.at(cell)));
    all.push_back(std::move(row));
  }
  return all;
}

Json opcodes(const JsonNode& report) {
  Json all = Json::array();
  each_member(report.at("opcodes"), [&](const std::string& name, const JsonNode& words) {
    all.push_back({name, count(words)});
  });
  return all;
}

Json bandwidth(const JsonNode& report) {
  Json all = Json::object();
  if (!report.has("bandwidth")) return all;
  each_member(report.at("bandwidth"), [&](const std::string& name, const JsonNode& series) {
    const JsonNode window = series.at("window_ns");
    if (!(window.number() > 0)) window.fail("a time above 0");
    Json bytes = Json::array();
    for (const JsonNode& in_window : series.at("bytes").list()) bytes.push_back(count(in_window));
    all[name] = {{"window_ns", window.number()}, {"bytes", std::move(bytes)}};
  });
  return all;
}

// Cycles at both ends of every uncertain number (`run --bounds`).
Json bounds(const JsonNode& report) {
  Json all = Json::array();
  if (!report.has("bounds")) return all;
  each_member(report.at("bounds"), [&](const std::string& key, const JsonNode& bound) {
    Json row = {key};
    for (const char* end : {"low", "default", "high"}) {
      row.push_back(text(bound.at(end).at("value")));
      row.push_back(count(bound.at(end).at("cycles")));
    }
    all.push_back(std::move(row));
  });
  return all;
}

Json facts(const JsonNode& report) {
  Json all = Json::array();
  const auto add = [&all](const char* name, const std::string& value) { all.push_back({name, value}); };
  if (report.has("workload")) {
    const JsonNode network = report.at("workload");
    add("network",
        fmt::format("{}, batch {}", network.at("name").text(), network.at("batch").integer(0, kMostCounted)));
  }
  if (report.has("layer")) {
    const JsonNode layer = report.at("layer");
    add("layer",
        fmt::format("{} channels of {} elements, {}, statistics {}", layer.at("channels").integer(0, kMostCounted),
                    layer.at("elements").integer(0, kMostCounted), layer.at("dtype").text(),
                    layer.at("statistics").text()));
  }
  if (report.has("no_data") && report.at("no_data").boolean()) add("data", "none: time alone was computed");
  return all;
}

}  // namespace

Json shown_of(const JsonNode& report) {
  Json shown = {
      {"facts", facts(report)},
      {"opcodes", opcodes(report)},
      {"ports", rows(report, "ports",
                     {{"read_bytes", count},
                      {"write_bytes", count},
                      {"transactions", count},
                      {"utilisation", number},
                      {"peak_bytes_per_s", number}})},
      {"banks", rows(report, "banks", {{"read_bytes", count}, {"write_bytes", count}, {"conflicts", count}})},
      {"compare", rows(report, "compare",
                       {{"max_abs", number}, {"max_rel", number}, {"tolerance", number}, {"mismatches", count}})},
      {"latency",
       rows(report, "latency_cycles", {{"words", count}, {"shortest", count}, {"mean", number}, {"longest", count}})},
      {"traffic",
       rows(report, "traffic",
            {{"user", text}, {"passes", count}, {"bytes", count}, {"busy_ns", number}, {"stall_cycles", count}})},
      {"bounds", bounds(report)},
      {"bandwidth", bandwidth(report)},
      {"faults", list_rows(report, "faults", {"engine", "word", "opcode", "predicate", "field", "value", "expected"})},
      {"waits", list_rows(report, "waits", {"who", "opcode", "condition", "value", "last_change"})},
      {"dma_faults", Json::array()}};
  if (report.has("dma_faults"))
    for (const JsonNode& fault : report.at("dma_faults").list()) shown["dma_faults"].push_back(fault.text());
  return shown;
}

}  // namespace dve::page
