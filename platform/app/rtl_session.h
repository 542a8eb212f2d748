// The lanes in RTL of a run: dve.engine, dve.rtl_*, --waves.
#pragma once

#include <memory>
#include <string>

#include "command_line.h"
#include "dve/rtl/rtl.h"

namespace dve::app {

// Null unless `dve.engine` is rtl. UsageError for options that contradict the engine, config::Error when this program
// has no RTL, layer::OutputError when --waves cannot be written. Waves of a word that differs go to rtl_mismatch.fst in
// the
// --out folder, or in the working directory.
std::unique_ptr<rtl::RtlLanes> rtl_lanes(const config::Effective& effective, const CommonOptions& common);

// "rtl lanes ..": what went through them.
std::string rtl_summary(const rtl::RtlLanes& lanes);

}  // namespace dve::app
