// --bounds: how far the uncertain numbers of the configuration move the end of a program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command_line.h"
#include "dve/config/config.h"
#include "dve/core/core.h"
#include "dve/warm/warm.h"

namespace dve::app {

struct BoundPoint {
  config::Value value;
  std::uint64_t cycles = 0;  // of the whole program, as in the report
};

// One key: the program's cycles at both ends of its range, everything else as configured.
struct Bound {
  const config::Key* key = nullptr;
  BoundPoint low, normal, high;
  std::string source;            // of the range
  std::uint64_t effect() const;  // cycles between the fastest and the slowest of the three runs
};

// Runs a program once for each end of each range (config::Effective::ranges). SystemC elaborates once a process, so
// each run is a child process, as many at a time as there are processors; what they print, store or compare is lost,
// only their cycles come back. Ranges of engines that have no words in the program, and of
// DMA when nothing is in HBM, are left out: nothing would change.
class BoundsStudy {
 public:
  BoundsStudy() = default;  // no ranges, no runs

  // Must come before this process elaborates a simulation of its own. Ends early when a run fails or an interrupt comes
  // (interrupt.h). Throws UsageError for a configuration without time, std::runtime_error when no process can be
  // started.
  BoundsStudy(const config::Effective& effective, const CommonOptions& common, const HostTasks& tasks,
              std::uint64_t host_memory_bytes);

  bool wanted() const { return wanted_; }
  bool complete() const { return wanted_ && !failure_; }

  // In the order of the keys, around the run of the configuration as it is. Requires complete().
  std::vector<Bound> around(isa::Cycles normal) const;

  // Says on the error output which run failed and how; its exit code, kOk when none did.
  int explain() const;

 private:
  struct Point {
    const config::Key* key = nullptr;
    config::Value value;
    std::uint64_t cycles = 0;
  };
  struct Failure {
    std::string text;
    int code = 0;
  };
  struct Keyed {
    const config::Key* key;
    config::Value normal;
    config::Range range;
  };

  void keep(Point& point, const warm::ChildEnd& end, const config::Config& normal);

  bool wanted_ = false;
  std::vector<Keyed> keys_;
  std::vector<Point> points_;  // low and high of each of keys_
  std::optional<Failure> failure_;
};

}  // namespace dve::app
