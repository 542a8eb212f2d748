// report.json (interfaces.md 5).
#pragma once

#include <string>
#include <vector>

#include "bounds.h"
#include "dve/config/config.h"
#include "dve/core/core.h"
#include "dve/layer/layer.h"
#include "dve/rtl/rtl.h"

namespace dve::app {

class Session;

struct ReportInput {
  std::string status;  // ok, compare_failed, fault, deadlock, timeout, interrupted
  const config::Effective* effective = nullptr;
  const RunOutcome* outcome = nullptr;
  const Statistics* statistics = nullptr;
  const layer::Layer* layer = nullptr;  // null for a program without one
  std::vector<WordFinding> faults;
  std::vector<std::string> dma_faults;  // one line each
  std::uint64_t warnings = 0;
  bool no_data = false;                              // the run had no tensor contents
  std::vector<layer::TensorComparison> comparisons;  // empty for exec
  PortTraffic fetched;                               // by all sequencers
  const rtl::RtlLanes* rtl = nullptr;                // lanes in RTL; null: none
  std::vector<Bound> bounds;                         // --bounds; absent from the report when empty
};

// The report as JSON text: no wall-clock time, host name or pointer; non-finite numbers as the strings nan, inf, -inf.
std::string report(const ReportInput& input);

// The same of a session that has ended.
std::string session_report(const config::Effective& effective, const RunOutcome& outcome, const Session& session,
                           const layer::Layer* layer, const std::vector<layer::TensorComparison>& comparisons,
                           bool compare_failed, const std::vector<Bound>& bounds);

// Wall-clock figures of a run (--profile) as JSON text.
struct Profile {
  double elaborate_s = 0;
  double simulate_s = 0;
  std::uint64_t words = 0;
};
std::string profile_text(const Profile& profile);

std::string status_name(RunStatus status, bool compare_failed);

}  // namespace dve::app
