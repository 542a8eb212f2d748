#include "network_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dve::workload {
namespace {

using json::Json;

double to_three_decimals(double value) { return std::round(value * 1000) / 1000; }

// sum += repeat * value for every number of an object, object by object.
void add(Json& sum, const Json& value, std::uint64_t repeat) {
  if (value.is_object()) {
    if (sum.is_null()) sum = Json::object();
    for (const auto& [key, member] : value.items()) add(sum[key], member, repeat);
  } else if (value.is_number_integer()) {
    sum = (sum.is_null() ? 0 : sum.get<std::uint64_t>()) + repeat * value.get<std::uint64_t>();
  } else if (value.is_number()) {
    const double before = sum.is_null() ? 0.0 : sum.get<double>();
    sum = to_three_decimals(before + static_cast<double>(repeat) * value.get<double>());
  } else {
    sum = value;
  }
}

// Rates of a port: the mean over time of its utilisation, the highest peak.
void add_port(Json& sum, const Json& port, std::uint64_t repeat, double time_ns) {
  if (sum.is_null())
    sum = {{"read_bytes", 0}, {"write_bytes", 0}, {"transactions", 0}, {"utilisation", 0.0}, {"peak_bytes_per_s", 0.0}};
  for (const char* key : {"read_bytes", "write_bytes", "transactions"})
    sum[key] = sum[key].get<std::uint64_t>() + repeat * port[key].get<std::uint64_t>();
  sum["utilisation"] =
      sum["utilisation"].get<double>() + static_cast<double>(repeat) * time_ns * port["utilisation"].get<double>();
  sum["peak_bytes_per_s"] = std::max(sum["peak_bytes_per_s"].get<double>(), port["peak_bytes_per_s"].get<double>());
}

bool worse(const Json& a, const Json& b) {
  const auto size = [](const Json& value) { return value.is_number() ? value.get<double>() : INFINITY; };
  return size(a) > size(b);
}

void add_comparison(Json& sum, const Json& comparison) {
  if (sum.is_null()) {
    sum = comparison;
    return;
  }
  for (const char* key : {"max_abs", "max_rel", "tolerance"})
    if (worse(comparison[key], sum[key])) sum[key] = comparison[key];
  for (const char* key : {"mismatches", "non_finite"})
    sum[key] = sum[key].get<std::uint64_t>() + comparison[key].get<std::uint64_t>();
}

void add_report(Json& network, const Json& report, std::uint64_t repeat) {
  if (network["status"] == "ok") network["status"] = report["status"];
  if (report["cycles"].is_null())
    network["cycles"] = nullptr;
  else
    add(network["cycles"], report["cycles"], repeat);
  for (const char* key : {"time_ns", "instructions", "opcodes", "engines", "banks", "roofline_ns", "warnings"})
    add(network[key], report[key], repeat);
  for (const auto& [name, port] : report["ports"].items())
    add_port(network["ports"][name], port, repeat, report["time_ns"].get<double>());
  for (const auto& [name, comparison] : report["compare"].items()) add_comparison(network["compare"][name], comparison);
  for (const Json& fault : report["faults"]) network["faults"].push_back(fault);
}

// Longest first, as in the report of a layer.
void sort_roofline(Json& roofline) {
  std::vector<std::pair<std::string, Json>> bounds;
  for (const auto& [name, ns] : roofline.items()) bounds.emplace_back(name, ns);
  std::stable_sort(bounds.begin(), bounds.end(), [](const auto& a, const auto& b) {
    return a.second.template get<double>() > b.second.template get<double>();
  });
  roofline = Json::object();
  for (const auto& [name, ns] : bounds) roofline[name] = ns;
}

Json layer_entry(const Layer& layer, const Json& report) {
  return {{"name", layer.name},
          {"nchw", layer.nchw},
          {"repeat", layer.repeat},
          {"dtype", report["layer"]["dtype"]},
          {"place", layer.place ? Json(to_string(*layer.place)) : Json(nullptr)},
          {"report", report}};
}

std::string milliseconds(const Json& ns) { return fmt::format("{:.3f}", ns.get<double>() / 1e6); }

std::string shape(const Json& nchw) {
  return fmt::format("{}x{}x{}x{}", nchw[0].get<std::uint64_t>(), nchw[1].get<std::uint64_t>(),
                     nchw[2].get<std::uint64_t>(), nchw[3].get<std::uint64_t>());
}

std::string cycles_text(const Json& cycles) {
  return cycles.is_null() ? "-" : fmt::format("{}", cycles.get<std::uint64_t>());
}

}  // namespace

std::string network_report(const Workload& workload, const std::vector<std::string>& reports) {
  Json network = {{"schema", 1}, {"status", "ok"}};
  Json layers = Json::array();
  for (std::size_t k = 0; k < reports.size(); ++k) {
    const Json report = Json::parse(reports[k]);
    if (k == 0) {
      for (const char* key : {"generation", "abstraction", "no_data"})
        if (report.contains(key)) network[key] = report[key];
      network["workload"] = {{"name", workload.name},
                             {"batch", workload.batch},
                             {"layers", workload.layer_count()},
                             {"shapes", workload.layers.size()}};
      for (const char* key :
           {"cycles", "time_ns", "instructions", "opcodes", "engines", "ports", "banks", "roofline_ns"})
        network[key] = nullptr;
      network["compare"] = Json::object();
      network["faults"] = Json::array();
      network["warnings"] = nullptr;
      network["numerics"] = report["numerics"];
    }
    add_report(network, report, workload.layers[k].repeat);
    layers.push_back(layer_entry(workload.layers[k], report));
  }
  const double time_ns = network["time_ns"].get<double>();
  for (auto& [name, port] : network["ports"].items()) {
    const double mean = time_ns > 0 ? port["utilisation"].get<double>() / time_ns : 0;
    port["utilisation"] = mean;
  }
  sort_roofline(network["roofline_ns"]);
  network["layers"] = std::move(layers);
  return network.dump(1) + "\n";
}

std::string bottleneck(const Json& report) {
  const Json& roofline = report["roofline_ns"];
  if (roofline.empty()) return "";
  if (2 * roofline.front().get<double>() >= report["time_ns"].get<double>()) return roofline.begin().key();
  std::string engine, bucket;
  std::uint64_t busiest = 0, most = 0;
  for (const auto& [name, buckets] : report["engines"].items()) {
    if (name.rfind("dma", 0) == 0 || buckets["busy"].get<std::uint64_t>() < busiest) continue;
    busiest = buckets["busy"].get<std::uint64_t>();
    engine = name;
  }
  for (const auto& [name, cycles] : report["engines"][engine].items()) {
    if (name == "busy" || name == "cycles" || cycles.get<std::uint64_t>() < most) continue;
    most = cycles.get<std::uint64_t>();
    bucket = name;
  }
  return engine + " " + bucket;
}

std::string network_table(const Json& report) {
  std::string text = fmt::format("{:<28}{:>20}{:>8}{:>6}{:>14}{:>12}{:>12}  {}\n", "layer", "nchw", "repeat", "dtype",
                                 "cycles", "ms", "all ms", "bottleneck");
  for (const Json& layer : report["layers"]) {
    const Json& own = layer["report"];
    const auto repeat = layer["repeat"].get<std::uint64_t>();
    fmt::format_to(std::back_inserter(text), "{:<28}{:>20}{:>8}{:>6}{:>14}{:>12}{:>12}  {}\n",
                   layer["name"].get<std::string>(), shape(layer["nchw"]), repeat, layer["dtype"].get<std::string>(),
                   cycles_text(own["cycles"]), milliseconds(own["time_ns"]),
                   fmt::format("{:.3f}", static_cast<double>(repeat) * own["time_ns"].get<double>() / 1e6),
                   bottleneck(own));
  }
  fmt::format_to(std::back_inserter(text), "{:<28}{:>20}{:>8}{:>6}{:>14}{:>12}{:>12}  {}\n", "sum", "",
                 report["workload"]["layers"].get<std::uint64_t>(), "", cycles_text(report["cycles"]), "",
                 milliseconds(report["time_ns"]), bottleneck(report));
  return text;
}

}  // namespace dve::workload
