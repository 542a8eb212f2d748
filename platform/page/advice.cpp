#include "advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dve::page {
namespace {

constexpr double kLeastGain = 0.001;  // of the time
constexpr double kLeastShare = 0.2;   // of the time: a resource needed less than that is hidden behind others

std::string remedy_of_bucket(std::string_view bucket, const std::string& engine) {
  if (bucket == "issue_gap")
    return fmt::format(
        "fewer and longer words: longer tiles (dma.tile_elements), fewer microbatches; or a shorter "
        "timing.{}.issue_gap and min_ii",
        engine);
  if (bucket == "operand_wait")
    return fmt::format("independent words between a result and its reader, or a shorter timing.{}.fill_drain", engine);
  if (bucket == "write_wait") return "a destination whose port has room: another place, or more memory.buffer_beats";
  if (bucket == "bank_conflict")
    return "operands in other banks or in the other memory (place.*), fewer neighbours on them, another priority";
  if (bucket == "semaphore_wait")
    return "whatever it waits for sooner: DMA (dma.load_engines, dma.tile_elements, dtype, place.*), the other "
           "engines, the host";
  if (bucket == "fetch") return "a shorter start (timing.fetch_cycles)";
  return "work for the engine while it has none";
}

std::string remedy_of_resource(const std::string& resource) {
  if (resource.rfind("dma ring", 0) == 0)
    return "more DMA bandwidth (dma.load_engines, dma.engine_bytes_per_ns, dma.hbm_bytes_per_ns), or fewer bytes: a "
           "narrower dtype, a tensor that stays in SBUF";
  const std::string engine = resource.substr(0, resource.find_first_of(" ."));
  if (resource.find(" stream") != std::string::npos)
    return fmt::format(
        "a faster clock (timing.{0}.clock_mhz), one of two sources in PSUM (place.*), all partitions in use", engine);
  return "wider or faster ports (memory.port_bytes, memory.clock_mhz), or a narrower dtype";
}

void add_buckets(const Run& run, std::vector<Measure>& list) {
  const EngineCycles& engine = main_engine(run);
  const double cycles = static_cast<double>(engine.name == "dve" ? *run.cycles : engine.cycles);
  const double longest = run.roofline.empty() ? 0 : run.roofline.front().ns;
  for (std::size_t b = 0; b < kBuckets.size(); ++b) {
    if (b == kBusy || engine.buckets[b] == 0) continue;
    const double took = static_cast<double>(engine.buckets[b]) / cycles * run.time_ns;
    list.push_back({fmt::format("no {} of {}", bucket_text(kBuckets[b]), engine.name),
                    remedy_of_bucket(kBuckets[b], engine.name), std::min(took, run.time_ns - longest)});
  }
}

void add_resources(const Run& run, std::vector<Measure>& list) {
  for (std::size_t r = 0; r < run.roofline.size(); ++r) {
    if (run.roofline[r].ns < kLeastShare * run.time_ns) continue;
    const double half = run.roofline[r].ns / 2;
    const std::size_t other = r == 0 ? 1 : 0;  // longest of the others: they are sorted
    const double longest = std::max(half, other < run.roofline.size() ? run.roofline[other].ns : 0.0);
    list.push_back({run.roofline[r].resource + " twice as fast", remedy_of_resource(run.roofline[r].resource),
                    std::min(half, run.time_ns - longest)});
  }
}

void rank(std::vector<Measure>& list, double time_ns) {
  list.erase(
      std::remove_if(list.begin(), list.end(), [&](const Measure& m) { return m.saved_ns < kLeastGain * time_ns; }),
      list.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const Measure& a, const Measure& b) { return a.saved_ns > b.saved_ns; });
}

std::vector<Measure> all_measures(const Run& run) {
  std::vector<Measure> list;
  if (!run.timed()) return list;
  add_buckets(run, list);
  add_resources(run, list);
  return list;
}

}  // namespace

std::string bucket_text(std::string_view bucket) {
  std::string text(bucket);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::vector<Measure> measures(const Run& run) {
  std::vector<Measure> list = all_measures(run);
  rank(list, run.time_ns);
  return list;
}

std::vector<Measure> network_measures(const Run& network) {
  std::map<std::string, Measure> by_change;
  for (const LayerRun& layer : network.layers) {
    for (const Measure& m : all_measures(layer.run)) {
      Measure& sum = by_change.try_emplace(m.change, Measure{m.change, m.how, 0}).first->second;
      sum.saved_ns += static_cast<double>(layer.repeat) * std::max(0.0, m.saved_ns);
    }
  }
  std::vector<Measure> list;
  for (auto& [change, measure] : by_change) list.push_back(std::move(measure));
  rank(list, network.time_ns);
  return list;
}

}  // namespace dve::page
