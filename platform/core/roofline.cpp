#include "roofline.h"

#include <algorithm>
#include <array>

namespace dve {
namespace {

constexpr double kNsPerSecond = 1e9;

void add(std::vector<ResourceBound>& bounds, std::string resource, double cycles, std::uint64_t hz) {
  if (cycles > 0) bounds.push_back({std::move(resource), cycles / static_cast<double>(hz) * kNsPerSecond});
}

}  // namespace

std::vector<ResourceBound> roofline(const Statistics& statistics, const config::Config& settings) {
  std::vector<ResourceBound> bounds;
  const std::uint64_t memory_hz = config::ports_of(settings).clock_hz;
  for (const isa::Engine which : isa::kEngines) {
    const EngineStatistics& engine = statistics.engine(which);
    const std::string name(isa::to_string(which));
    add(bounds, name + " stream", static_cast<double>(engine.streaming_cycles()),
        config::timing_of(settings, which).clock_hz);
    constexpr std::array<std::pair<IssueExtension::Port, const char*>, 3> kPorts = {
        {{IssueExtension::read0, ".read0"}, {IssueExtension::read1, ".read1"}, {IssueExtension::write, ".write"}}};
    for (const auto& [port, suffix] : kPorts)
      add(bounds, name + suffix, static_cast<double>(engine.port(port).beats), memory_hz);
  }
  for (const RingStatistics& ring : statistics.rings())
    add(bounds, ring.name, static_cast<double>(ring.buckets.busy), memory_hz);
  std::stable_sort(bounds.begin(), bounds.end(),
                   [](const ResourceBound& a, const ResourceBound& b) { return a.ns > b.ns; });
  return bounds;
}

std::vector<HeldBack> held_back(const Statistics& statistics) {
  constexpr std::array<std::pair<const char*, std::uint64_t CycleBuckets::*>, 7> kBuckets = {
      {{"issue gap", &CycleBuckets::issue_gap},
       {"operand wait", &CycleBuckets::operand_wait},
       {"write wait", &CycleBuckets::write_wait},
       {"bank conflict", &CycleBuckets::bank_conflict},
       {"semaphore wait", &CycleBuckets::semaphore_wait},
       {"fetch", &CycleBuckets::fetch},
       {"idle", &CycleBuckets::idle}}};
  const auto streams_less = [&](isa::Engine a, isa::Engine b) {
    return statistics.engine(a).buckets().busy < statistics.engine(b).buckets().busy;
  };
  const isa::Engine which = *std::max_element(isa::kEngines.begin(), isa::kEngines.end(), streams_less);
  const CycleBuckets& b = statistics.engine(which).buckets();
  std::vector<HeldBack> list;
  for (const auto& [name, bucket] : kBuckets) {
    if (b.*bucket != 0)
      list.push_back({which, name, b.*bucket, static_cast<double>(b.*bucket) / static_cast<double>(b.cycles)});
  }
  std::stable_sort(list.begin(), list.end(), [](const HeldBack& x, const HeldBack& y) { return x.cycles > y.cycles; });
  return list;
}

}  // namespace dve
