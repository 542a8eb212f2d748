// A report.json (interfaces.md 5), checked, as the page needs it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dve/json/json.h"

namespace dve::page {

// The buckets of an engine's cycles, in the order in which bars show them.
inline constexpr std::array<std::string_view, 8> kBuckets = {
    "busy", "issue_gap", "operand_wait", "write_wait", "bank_conflict", "semaphore_wait", "fetch", "idle"};
inline constexpr std::size_t kBusy = 0;

// Where the cycles of an engine, or of a DMA ring, went; in its own clock.
struct EngineCycles {
  std::string name;                                      // "dve", "dma0"
  std::array<std::uint64_t, kBuckets.size()> buckets{};  // add up to cycles
  std::uint64_t cycles = 0;
  bool is_ring() const { return name.rfind("dma", 0) == 0; }
};

// A resource that the run needed for at least this long (`roofline_ns`).
struct ResourceTime {
  std::string resource;
  double ns = 0;
};

struct LayerRun;

struct Run {
  std::string status;                   // ok, compare_failed, fault, deadlock, timeout, interrupted, error, crashed
  std::string reason;                   // of error and crashed: nothing else is known then
  std::string device;                   // "cayman, lt"
  std::optional<std::uint64_t> cycles;  // DVE clocks; none without time
  double time_ns = 0;
  std::uint64_t instructions = 0;
  std::vector<EngineCycles> engines;
  std::vector<ResourceTime> roofline;  // longest first
  std::string bottleneck;              // workload::bottleneck; empty without time
  json::Json shown;              // what the page shows as it stands: ports, banks, bandwidth, compare, faults, ...
  std::string network;           // name of the workload; empty for a single run
  std::vector<LayerRun> layers;  // of a network
  bool timed() const { return cycles.value_or(0) > 0 && time_ns > 0; }
};

// A layer of a network, which occurs `repeat` times.
struct LayerRun {
  std::string name, shape, dtype, place;  // "32x64x112x112"; place may be empty
  std::uint64_t repeat = 1;
  Run run;
  double all_ns() const { return static_cast<double>(repeat) * run.time_ns; }
};

// layer::InputError: not there, no JSON, another schema, a key missing or of another type, buckets that do not add up.
Run read_run(const std::filesystem::path& file);
Run run_of(const json::JsonNode& report);

// Of the engines that are no DMA rings, the one that was busy longest. Requires one.
const EngineCycles& main_engine(const Run& run);

}  // namespace dve::page
