#include "rtl_session.h"

#include <fmt/format.h>

#include <filesystem>

#include "dve/layer/layer.h"

namespace dve::app {

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
  options.stalls = static_cast<rtl::Stalls>(dve.rtl_stalls);
  options.seed = dve.rtl_seed;
  options.clock_hz = effective.config.timing.clock_hz;
  options.waves = common.waves;
  options.mismatch_waves = (std::filesystem::path(common.out) / "rtl_mismatch.fst").string();
  try {
    return std::make_unique<rtl::RtlLanes>(make, rtl::built_shape(), options);
  } catch (const std::runtime_error& error) {
    throw layer::OutputError(error.what());
  }
}

std::string rtl_summary(const rtl::RtlLanes& lanes) {
  const rtl::RtlCounters& c = lanes.counters();
  return fmt::format("rtl lanes     {} lanes of {} channels: {} words, {} elements, {} cycles, equal to the golden\n",
                     lanes.shape().lanes, lanes.shape().interleave, c.words, c.elements, c.cycles);
}

}  // namespace dve::app
