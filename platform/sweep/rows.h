// The table of a sweep: one row a point, from its report alone.
#pragma once

#include <cstddef>
#include <string>

#include "settings.h"
#include "spec.h"

namespace dve::sweep {

// report.json of a point that has no run to report: `status` is error (its configuration, layer or program is refused)
// or crashed (its process ended without an answer).
std::string failure_report(const std::string& status, const std::string& reason);

// The report decides a point for good. Not: crashed and interrupted ones, which --resume runs again, and what is no
// report.
bool is_final(const json::Json& report);

bool is_ok(const json::Json& report);

// point,status,reason, the axes, cycles,time_ns,bottleneck,instructions, the cycles of the DVE by bucket, the largest
// max_rel of all comparisons and the number of mismatches. RFC 4180, lines end in LF.
std::string table_head(const Spec& spec);
std::string table_row(const Spec& spec, std::size_t number, const Point& point, const json::Json& report);

}  // namespace dve::sweep
