// What is measured: pieces of work with a name, run again and again in turn, and the median time of each.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace dve::bench {

struct Subject {
  std::string name;
  std::string unit;         // what `count` counts: element, call, beat, instruction, run
  std::uint64_t count = 1;  // units in one call of `work`
  std::function<void()> work;
  std::function<void()> prepare = nullptr;  // before each turn, outside of what is measured
  // Work in this process is measured in processor time of its one thread, which neighbours on a shared machine disturb
  // less; work in child processes in real time.
  bool in_children = false;
};

void add_subject(Subject subject);

struct Plan {
  int rounds = 5;                // times that every subject has its turn; the order is random
  double seconds_a_turn = 0.03;  // at least
};

// Median nanoseconds a unit, by name, of all subjects.
std::map<std::string, double> measure_all(const Plan& plan);
const std::string& unit_of(const std::string& subject);

}  // namespace dve::bench
