// Points of a sweep in forked children on this machine, and what becomes of their answers.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "dve/sweep/sweep.h"
#include "dve/warm/warm.h"
#include "sweep_subjects.h"
#include "sweep_table.h"

namespace dve::app {

class SweepRun {
 public:
  SweepRun(const std::vector<sweep::Point>& points, sweep::Settings& settings, SweepSubjects& subjects,
           SweepTable& table)
      : points_(points), settings_(settings), subjects_(subjects), table_(table) {}

  // Runs points in the order of their numbers in `numbers`, `jobs` processes at a time (0: as many as there are
  // processors), until done or interrupted; a point whose process ends without an answer gets a second chance.
  // layer::OutputError when a report cannot be written: no further point is run.
  void run(const std::vector<std::size_t>& numbers, std::size_t jobs);

  // The same until some time has passed since `begin`: then no further point is started.
  void run_for(const std::vector<std::size_t>& numbers, std::size_t jobs, std::chrono::steady_clock::time_point begin,
               std::chrono::duration<double> time);

 private:
  struct Part {
    std::size_t point = 0;
    std::size_t part = 0;
  };
  struct Pending {
    std::vector<std::string> reports;
    std::size_t missing = 0;
  };

  std::vector<Part> parts_to_run(const std::vector<std::size_t>& numbers);
  void run_parts(const std::vector<Part>& parts, std::size_t jobs, bool last_chance);
  void take(const Part& part, const warm::ChildEnd& end, bool last_chance);
  void take_report(const Part& part, std::string report);
  void no_answer(const Part& part, const std::string& how, bool last_chance);
  void fail(std::size_t point, const std::string& status, const std::string& reason);

  const std::vector<sweep::Point>& points_;
  sweep::Settings& settings_;
  SweepSubjects& subjects_;
  SweepTable& table_;
  std::map<std::size_t, Pending> pending_;
  std::vector<Part> again_;  // ended without an answer
};

}  // namespace dve::app
