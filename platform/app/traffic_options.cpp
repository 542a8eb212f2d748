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
  return streams;
}

}  // namespace dve::app
