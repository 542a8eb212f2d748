#include "page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "advice.h"
#include "comparison.h"
#include "config_rows.h"
#include "dve/config/config.h"
#include "dve/layer/layer.h"
#include "run_words.h"
#include "sweep_words.h"

namespace dve::page {
namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr std::size_t kShownMeasures = 8;
constexpr std::size_t kDetailedPoints = 12;  // whose reports are read
constexpr std::size_t kFewValues = 64;

Json measures_data(const std::vector<Measure>& measures) {
  Json rows = Json::array();
  for (std::size_t k = 0; k < std::min(kShownMeasures, measures.size()); ++k)
    rows.push_back({measures[k].change, measures[k].how, std::round(measures[k].saved_ns * 1000) / 1000});
  return rows;
}

Json roofline_data(const Run& run) {
  Json rows = Json::array();
  for (const ResourceTime& r : run.roofline) rows.push_back({r.resource, r.ns});
  return rows;
}

Json engines_data(const Run& run) {
  Json rows = Json::array();
  for (const EngineCycles& e : run.engines) rows.push_back({e.name, e.buckets, e.cycles});
  return rows;
}

// The whole number that a value is, or else the value: the shorter text.
Json short_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 9e15) return static_cast<std::int64_t>(value);
  return value;
}

Json indexed(const Column& column) {
  std::map<std::string, std::size_t> index_of;
  Json values = Json::array(), indices = Json::array();
  for (const std::string& cell : column.cells) {
    const auto [found, fresh] = index_of.try_emplace(cell, values.size());
    if (fresh) values.push_back(cell);
    indices.push_back(found->second);
  }
  return {{"name", column.name}, {"d", values}, {"i", values.size() == 1 ? Json(nullptr) : indices}};
}

Json numbers(const Column& column) {
  std::map<double, std::size_t> index_of;
  Json values = Json::array(), indices = Json::array(), all = Json::array();
  for (const double number : column.numbers) {
    // NaN is no key of a map: a value below all times and counts stands for it.
    const auto [found, fresh] = index_of.try_emplace(std::isnan(number) ? -INFINITY : number, values.size());
    if (fresh && values.size() <= kFewValues) values.push_back(short_number(number));
    indices.push_back(found->second);
    all.push_back(short_number(number));
  }
  if (index_of.size() > kFewValues) return {{"name", column.name}, {"n", all}};
  return {{"name", column.name}, {"d", values}, {"i", values.size() == 1 ? Json(nullptr) : indices}};
}

// Of a configuration key, or of a result.
std::string unit_of(const std::string& name) {
  if (name == "cycles" || name.rfind("dve_", 0) == 0) return "cycles";
  for (const config::Key& key : config::keys())
    if (key.name == name) return key.domain.unit;
  return "";
}

Json trade_off_data(const std::optional<TradeOff>& trade) {
  if (!trade) return nullptr;
  return {{"column", trade->column}, {"smaller", trade->smaller_is_better}, {"front", trade->front}};
}

// The fastest point and those of the front, with what their reports say of their bounds.
Json details_data(const SweepTable& table, const std::optional<TradeOff>& trade, const fs::path& folder) {
  std::vector<std::size_t> points;
  const Column& time = table.column("time_ns");
  for (std::size_t k = 0; k < table.points(); ++k)
    if (table.timed(k) && (points.empty() || time.numbers[k] < time.numbers[points.front()])) points = {k};
  if (trade)
    for (const std::size_t k : trade->front)
      if (std::find(points.begin(), points.end(), k) == points.end()) points.push_back(k);
  points.resize(std::min(points.size(), kDetailedPoints));
  Json rows = Json::array();
  for (const std::size_t k : points) {
    const std::string& number = table.column("point").cells[k];
    const fs::path file = folder / "points" / fmt::format("{:0>6}", number) / "report.json";
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    const Run run = read_run(file);
    rows.push_back(
        {{"row", k}, {"time_ns", run.time_ns}, {"roofline", roofline_data(run)}, {"engines", engines_data(run)}});
  }
  return rows;
}

Json sweep_data(const SweepTable& table, const std::vector<Sensitivity>& list, const std::optional<TradeOff>& trade,
                const fs::path& folder) {
  return {{"name", table.name},
          {"expected", table.expected},
          {"axes", table.axes},
          {"columns", columns_data(table)},
          {"sensitivity", sensitivity_data(list)},
          {"trade_off", trade_off_data(trade)},
          {"details", details_data(table, trade, folder)}};
}

// The last component of a path, however it is written: no path of this machine stands in the page.
std::string name_of(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(folder, error);
  const std::string name = (error ? folder : whole).filename().string();
  return name.empty() ? folder.string() : name;
}

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

enum class Kind { run, sweep };

Kind kind_of(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw layer::InputError(
        fmt::format("{}: is no folder, expected the one that --out named for run, exec or sweep", folder.string()));
  if (is_there(folder / "sweep.csv") || is_there(folder / "sweep.json")) return Kind::sweep;
  if (is_there(folder / "report.json")) return Kind::run;
  throw layer::InputError(fmt::format(
      "{}: holds neither report.json nor sweep.csv, expected the folder that --out named for run, exec or sweep",
      folder.string()));
}

const char* kind_name(const Run& run) { return run.layers.empty() ? "run" : "network"; }

void add_runs(Json& data, const fs::path& folder, const std::optional<fs::path>& other) {
  const Run run = read_run(folder / "report.json");
  data["kind"] = kind_name(run);
  data["title"] = run.network.empty() ? name_of(folder) : run.network;
  data["summary"] = sentences(run);
  data["run"] = run_data(run);
  const std::optional<Json> config = read_config(folder);
  data["config"] = config ? config_rows(*config) : Json::array();
  if (!other) return;
  const Run with = read_run(*other / "report.json");
  if (kind_name(with) != std::string(kind_name(run)))
    throw layer::InputError(fmt::format("{}: is the report of a {}, expected that of a {} as in {}",
                                        (*other / "report.json").string(), kind_name(with), kind_name(run),
                                        folder.string()));
  data["other"] = run_data(with);
  data["changes"] = compare_sentences(run, with);
  const std::optional<Json> other_config = read_config(*other);
  data["config_changes"] = config && other_config ? config_changes(*config, *other_config) : Json::array();
}

void add_sweeps(Json& data, const fs::path& folder, const std::optional<fs::path>& other) {
  const auto one = [](const SweepTable& table, const fs::path& where, Json* summary) {
    const std::vector<Sensitivity> list = sensitivities(table);
    const std::optional<TradeOff> trade = trade_off(table, list);
    if (summary != nullptr) *summary = sentences(table, list, trade);
    return sweep_data(table, list, trade, where);
  };
  const SweepTable table = read_sweep(folder);
  data["kind"] = "sweep";
  data["title"] = table.name.empty() ? name_of(folder) : table.name;
  data["sweep"] = one(table, folder, &data["summary"]);
  if (!other) return;
  const SweepTable with = read_sweep(*other);
  const auto pairs = same_points(table, with, *other / "sweep.csv");
  data["other"] = one(with, *other, nullptr);
  data["pairs"] = pairs;
  data["changes"] = compare_sentences(table, with, pairs);
}

}  // namespace

json::Json run_data(const Run& run) {
  Json data = {{"status", run.status},
               {"reason", run.reason},
               {"device", run.device},
               {"cycles", run.cycles ? Json(*run.cycles) : Json(nullptr)},
               {"time_ns", run.time_ns},
               {"instructions", run.instructions},
               {"bottleneck", run.bottleneck},
               {"bound", bound_sentence(run)},
               {"end", end_sentence(run)},
               {"engines", engines_data(run)},
               {"roofline", roofline_data(run)},
               {"measures", measures_data(run.layers.empty() ? measures(run) : network_measures(run))}};
  data.update(run.shown);
  Json layers = Json::array();
  for (const LayerRun& layer : run.layers)
    layers.push_back({{"name", layer.name},
                      {"shape", layer.shape},
                      {"repeat", layer.repeat},
                      {"dtype", layer.dtype},
                      {"place", layer.place},
                      {"run", run_data(layer.run)}});
  if (!layers.empty()) data["layers"] = std::move(layers);
  return data;
}

json::Json columns_data(const SweepTable& table) {
  Json columns = Json::array();
  for (const Column& column : table.columns) {
    columns.push_back(column.numeric ? numbers(column) : indexed(column));
    if (const std::string unit = unit_of(column.name); !unit.empty()) columns.back()["unit"] = unit;
  }
  return columns;
}

json::Json sensitivity_data(const std::vector<Sensitivity>& list) {
  Json rows = Json::array();
  for (const Sensitivity& s : list) {
    Json levels = Json::array();
    for (const Level& l : s.levels)
      levels.push_back({l.label, l.points, std::round(l.mean_ns * 1000) / 1000, l.fastest_ns, l.slowest_ns});
    rows.push_back({{"axis", s.axis},
                    {"share", std::round(s.share * 1e6) / 1e6},
                    {"with_others", s.with_others ? Json(std::round(*s.with_others * 1e6) / 1e6) : Json(nullptr)},
                    {"ratio", std::round(s.ratio * 1e6) / 1e6},
                    {"same_as", s.same_as},
                    {"levels", levels}});
  }
  return rows;
}

json::Json page_data(const std::filesystem::path& folder, const std::optional<std::filesystem::path>& other) {
  Json data = {{"kind", ""}, {"title", ""}, {"names", {name_of(folder)}}, {"summary", Json::array()}};
  const Kind kind = kind_of(folder);
  if (other) {
    data["names"].push_back(name_of(*other));
    if (kind_of(*other) != kind)
      throw layer::InputError(fmt::format("{}: is the folder of a {}, expected that of a {} as {} is", other->string(),
                                          kind == Kind::run ? "sweep" : "run", kind == Kind::run ? "run" : "sweep",
                                          folder.string()));
  }
  if (kind == Kind::run)
    add_runs(data, folder, other);
  else
    add_sweeps(data, folder, other);
  return data;
}

}  // namespace dve::page
