// The folder of a sweep: sweep.json and sweep.csv (docs/exploration.md), checked, by column.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace dve::page {

struct Column {
  std::string name;
  std::vector<std::string> cells;  // one a point
  // Every cell that holds anything is a number, and one does: numbers[k] is that of cells[k], NaN of an empty one.
  bool numeric = false;
  std::vector<double> numbers;
};

struct SweepTable {
  std::string name;             // of the sweep file; may be empty
  std::size_t expected = 0;     // points that the sweep has
  std::size_t axes = 0;         // columns from kFirstAxis on
  std::vector<Column> columns;  // in the order of the file
  std::size_t points() const { return columns.front().cells.size(); }
  bool ok(std::size_t point) const { return column("status").cells[point] == "ok"; }
  // Whether its time means something: it ended, whatever a comparison said.
  bool timed(std::size_t point) const;
  const Column& column(const std::string& wanted) const;  // one of those behind the axes, or of the first three
  const Column& axis(std::size_t a) const { return columns[kFirstAxis + a]; }

  static constexpr std::size_t kFirstAxis = 3;  // behind point, status, reason
};

// layer::InputError: not there (a sweep that has not ended has no table), damaged, another schema or other columns.
SweepTable read_sweep(const std::filesystem::path& folder);
// The same of texts. `file`: named in errors.
SweepTable sweep_table_of(const std::string& csv, const std::filesystem::path& file);

}  // namespace dve::page
