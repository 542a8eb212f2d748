// The reports of a workload's layers as one (interfaces.md 5).
#pragma once

#include <string>
#include <vector>

#include "description.h"

namespace dve::workload {

// report.json of the network. `reports`: texts of report.json, one a layer, in order. Everything counted or timed is
// the sum over the layers, each times its repeat count, as if they ran one after the other; utilisation is that of the
// whole time, a peak the highest, a comparison the worst of its name. status is that of the first layer that is not ok.
// `workload` names the network; `layers` holds name, nchw, repeat, dtype, place and the whole report of each layer.
std::string network_report(const Workload& workload, const std::vector<std::string>& reports);

// What limited a run, from its report: the resource with the longest roofline when that is half the time at least, or
// else the bucket, other than busy, that took most cycles of the engine that was busy longest ("dve semaphore_wait").
// Empty without time.
std::string bottleneck(const json::Json& report);

// The table that people read: a line a layer, and the sum. `report`: of network_report().
std::string network_table(const json::Json& report);

}  // namespace dve::workload
