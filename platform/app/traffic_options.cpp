#include "traffic_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace dve::app {
namespace {

bool executes(const HostTasks& tasks, contention::User user) {
  const auto is_user = [&](isa::Engine engine) { return isa::to_string(engine) == contention::name(user); };
  return std::any_of(tasks.streams.begin(), tasks.streams.end(),
                     [&](const runtime::Stream& stream) { return is_user(stream.engine); });
}

bool transfers(const HostTasks& tasks, contention::User user) {
  for (const auto& ring : tasks.transfers) {
    for (const dma::Transfer& t : ring) {
      if (contention::dma_engine(t.first_engine) == user) return true;
    }
  }
  return false;
}

// Semaphores of the host's handshake, of the engines' progress and of DMA: a neighbour that counts there would let
// words run before their data are there.
bool reserved(isa::SemaphoreIndex index) { return index >= runtime::kStepRequest && index <= runtime::kTilesUsed; }

}  // namespace

std::vector<dma::TrafficStream> traffic_for(const CommonOptions& common, const config::Config& settings,
                                            const HostTasks& tasks) {
  if (common.traffic.empty()) return {};
  const auto streams = runtime::read_traffic_file(common.traffic, settings.generation);
  for (const dma::TrafficStream& s : streams) {
    if (executes(tasks, s.user) || transfers(tasks, s.user))
      throw UsageError(
          fmt::format("--traffic {}: stream {} uses the ports of {}, which the program uses itself; "
                      "expected another user",
                      common.traffic, s.name, contention::name(s.user)));
  }
  for (const dma::TrafficStream& s : streams) {
    if (s.update && reserved(*s.update))
      throw UsageError(
          fmt::format("--traffic {}: stream {} updates semaphore {}, expected one outside {} to {}: the host, "
                      "the engines and DMA count there",
                      common.traffic, s.name, isa::number(*s.update), isa::number(runtime::kStepRequest),
                      isa::number(runtime::kTilesUsed)));
  }
  return streams;
}

}  // namespace dve::app
