// `dve-sim run WORKLOAD.json`.
#pragma once

#include <filesystem>

#include "command_line.h"
#include "dve/config/config.h"
#include "warm_layer.h"

namespace dve::app {

// Runs every layer of a workload, each in a process of its own, as many at a time as there are processors; prints a
// table, and writes report.json and config.json of the network to --out. Returns the exit code. UsageError for options
// that go with one layer alone; layer::InputError: the file, or a layer that cannot be run.
int run_workload(const CommandLine& line, const WarmRequest& request, const config::Effective& effective,
                 const std::filesystem::path& file);

}  // namespace dve::app
