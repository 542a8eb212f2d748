#include "rtl_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "dve/layer/layer.h"
#include "exit_codes.h"
#include "interrupt.h"

namespace dve::app {
namespace {

// The writer of FST files maps its temporary files into memory: where the disk is full, touching them is this signal.
extern "C" void on_bus_error(int) {
  constexpr char kText[] = "dve-sim: waves cannot be written: the disk is full\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kText, sizeof kText - 1);
  _exit(kOutput);
}

}  // namespace

std::unique_ptr<rtl::RtlLanes> rtl_lanes(const config::Effective& effective, const CommonOptions& common) {
  const config::DveUnit& dve = effective.config.dve;
  if (dve.engine == config::DveEngine::model) {
    if (!common.waves.empty()) throw UsageError("--waves shows the lanes in RTL, expected dve.engine=rtl");
    return nullptr;
  }
  if (common.no_data) throw UsageError("--no-data leaves nothing to compute in RTL, expected dve.engine=model");
  const rtl::MakeLaneModel make = rtl::built_lanes();
  if (!make)
    throw config::Error(
        "dve.engine is rtl, but this dve-sim has been built without RTL, expected model, or a build with DVE_COSIM=ON "
        "in the environment of scripts/build.sh");
  rtl::RtlOptions options;
  options.switches = effective.config.numerics;
  options.stalls = dve.rtl_stalls;
  options.seed = dve.rtl_seed;
  options.clock_hz = effective.config.timing.clock_hz;
  options.waves = common.waves;
  options.stop_requested = interrupted;
  options.mismatch_waves = (std::filesystem::path(common.out) / "rtl_mismatch.fst").string();
  std::signal(SIGBUS, on_bus_error);
  try {
    return std::make_unique<rtl::RtlLanes>(make, rtl::built_shape(), options);
  } catch (const std::runtime_error& error) {
    throw layer::OutputError(error.what());
  }
}

std::string rtl_summary(const rtl::RtlLanes& lanes) {
  const rtl::RtlCounters& c = lanes.counters();
  if (c.words == 0) return "rtl lanes     no word went through them\n";
  return fmt::format("rtl lanes     {} lanes of {} channels: {} words, {} elements, {} cycles, equal to the golden\n",
                     lanes.shape().lanes, lanes.shape().interleave, c.words, c.elements, c.cycles);
}

}  // namespace dve::app
