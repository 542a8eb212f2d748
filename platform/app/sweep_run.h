// The points of a sweep in forked children, and what becomes of their answers.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "dve/sweep/sweep.h"
#include "dve/warm/warm.h"
#include "progress.h"
#include "sweep_subjects.h"

namespace dve::app {

class SweepRun {
 public:
  SweepRun(const sweep::Spec& spec, const std::vector<sweep::Point>& points, sweep::Settings& settings,
           SweepSubjects& subjects, const sweep::Folder& folder);

  // Takes over the points that are finished in the folder.
  void take_finished();
  // Runs the others, `jobs` processes at a time (0: as many as there are processors), until done or interrupted; a
  // point whose process ends without an answer gets a second chance. layer::OutputError when a report cannot be
  // written: no further point is run.
  void run(std::size_t jobs, bool draw_progress);

  std::size_t done() const { return rows_.size(); }
  std::size_t failed() const { return failed_; }  // of those
  std::string table() const;                      // of the points that are done

 private:
  struct Part {
    std::size_t point = 0;
    std::size_t part = 0;
  };
  struct Pending {
    std::vector<std::string> reports;
    std::size_t missing = 0;
  };

  std::vector<Part> parts_to_run();
  void run_parts(const std::vector<Part>& parts, std::size_t jobs, bool last_chance);
  void take(const Part& part, const warm::ChildEnd& end, bool last_chance);
  void take_report(const Part& part, std::string report);
  void no_answer(const Part& part, const std::string& how, bool last_chance);
  void finish(std::size_t point, const std::string& text, const json::Json& report);
  void fail(std::size_t point, const std::string& status, const std::string& reason);
  void add_row(std::size_t point, const json::Json& report);

  const sweep::Spec& spec_;
  const std::vector<sweep::Point>& points_;
  sweep::Settings& settings_;
  SweepSubjects& subjects_;
  const sweep::Folder& folder_;
  std::map<std::size_t, std::string> rows_;
  std::map<std::size_t, Pending> pending_;
  std::vector<Part> again_;  // ended without an answer
  std::size_t failed_ = 0;
  Progress progress_{false, 0};
};

}  // namespace dve::app
