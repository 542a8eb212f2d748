// --traffic: the neighbours of the engines that a run executes words on.
#pragma once

#include <vector>

#include "command_line.h"
#include "dve/core/core.h"

namespace dve::app {

// The streams of --traffic; none without it. layer::InputError for the file; UsageError when a stream uses the ports of
// an engine or a DMA ring that the program uses itself.
std::vector<dma::TrafficStream> traffic_for(const CommonOptions& common, const config::Config& settings,
                                            const HostTasks& tasks);

}  // namespace dve::app
