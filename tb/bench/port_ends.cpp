#include <algorithm>
#include <memory>
#include <systemc>
#include <vector>

#include "bench/ports.h"
#include "dve/ports/ports.h"
#include "support/port_play.h"
#include "support/port_scenarios.h"

namespace dve::bench {
namespace {

using namespace scenarios;

constexpr std::uint64_t kSeed = 1;

class Comparison : public sc_core::sc_module {
 public:
  Comparison(sc_core::sc_module_name name, std::vector<Scenario> scenarios)
      : sc_module(name), scenarios_(std::move(scenarios)) {
    for (std::size_t k = 0; k < scenarios_.size(); ++k) {
      const std::string number = std::to_string(k);
      const contention::Parameters& p = scenarios_[k].parameters;
      approximate_.push_back(
          std::make_unique<ApproximatelyTimedPorts>(("at" + number).c_str(), p, users_of(scenarios_[k])));
      loose_.push_back(std::make_unique<LooselyTimedPorts>(("lt" + number).c_str(), p));
    }
    SC_HAS_PROCESS(Comparison);
    SC_THREAD(run);
  }
  unsigned long different = 0;

 private:
  void run() {
    for (std::size_t k = 0; k < scenarios_.size(); ++k) {
      const RunResult at = play(scenarios_[k], *approximate_[k], false);
      wait(1, sc_core::SC_MS);  // results that come after the last steps are written
      const RunResult lt = play(scenarios_[k], *loose_[k], false);
      for (std::size_t user = 0; user < at.outcomes.size(); ++user) {
        for (std::size_t job = 0; job < at.outcomes[user].size(); ++job)
          different += at.outcomes[user][job].last_cycle != lt.outcomes[user][job].last_cycle;
      }
    }
  }

  std::vector<Scenario> scenarios_;
  std::vector<std::unique_ptr<ApproximatelyTimedPorts>> approximate_;
  std::vector<std::unique_ptr<LooselyTimedPorts>> loose_;
};

}  // namespace

unsigned long jobs_that_end_elsewhere() {
  std::vector<Scenario> all = named_scenarios();
  const std::vector<Scenario> more = generated(kSeed);
  all.insert(all.end(), more.begin(), more.end());
  Comparison comparison("comparison", std::move(all));
  sc_core::sc_start();
  return comparison.different;
}

}  // namespace dve::bench
