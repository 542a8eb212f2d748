// The rows of a sweep, whichever executor runs its points.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "dve/sweep/sweep.h"
#include "progress.h"

namespace dve::app {

class SweepTable {
 public:
  // `points`: all of the sweep.
  SweepTable(const sweep::Spec& spec, const std::vector<sweep::Point>& points, const sweep::Folder& folder)
      : spec_(spec), points_(points), folder_(folder) {}

  // Takes over those of the points that have a final report in the folder. Returns the others.
  std::vector<std::size_t> take_finished(const std::vector<std::size_t>& numbers);

  // Draws progress of `count` points from now on.
  void count_to(std::size_t count, bool draw) { progress_ = Progress(draw, count, "points"); }
  void end_progress() { progress_.finish(); }

  bool has(std::size_t point) const { return rows_.count(point) != 0; }
  // A row from the report that the folder has by now, whatever its status. False: there is none.
  bool collect(std::size_t point);
  // Keeps the report in the folder, and adds its row. layer::OutputError.
  void finish(std::size_t point, const std::string& text, const json::Json& report);
  // The same with a report that says why there is none.
  void fail(std::size_t point, const std::string& status, const std::string& reason);

  std::size_t done() const { return rows_.size(); }
  std::size_t failed() const { return failed_; }  // of those
  std::string text() const;                       // sweep.csv, of the points that are done

 private:
  void add_row(std::size_t point, const json::Json& report);

  const sweep::Spec& spec_;
  const std::vector<sweep::Point>& points_;
  const sweep::Folder& folder_;
  std::map<std::size_t, std::string> rows_;
  std::size_t failed_ = 0;
  Progress progress_{false, 0};
};

}  // namespace dve::app
