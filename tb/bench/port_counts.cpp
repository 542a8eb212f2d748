// Long scenarios of a family through the contention engine, for scripts/instruction_counts.sh: port_counts FAMILY COUNT
// prints the beats.
#include <cstdio>
#include <cstdlib>

#include "support/port_runs.h"
#include "support/port_scenarios.h"

int main(int argc, char** argv) {
  using namespace dve::scenarios;
  if (argc != 3) return 2;
  std::uint64_t sum = 0;
  for (const Scenario& s : generated_long(1, argv[1], std::strtoull(argv[2], nullptr, 10))) {
    if (run_engine(s).outcomes.size() != s.users.size()) return 1;
    sum += beats(s);
  }
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
