// What a sweep leaves in its folder, and what --resume finds there:
//
//   sweep.json                the sweep and the fingerprints of what it reads
//   points/000012/report.json of each point, whole or absent
//   sweep.csv                 one row a point
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "dve/json/json.h"

namespace dve::sweep {

class Folder {
 public:
  // `identity`: text of sweep.json. A folder without one starts a new sweep. layer::InputError: it holds a sweep and
  // `resume` is false, or another sweep than this one, or another process works in it. layer::OutputError: it cannot be
  // made or written.
  Folder(const std::filesystem::path& folder, const std::string& identity, bool resume);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // The report of a point, when it decides the point for good (is_final).
  std::optional<json::Json> finished(std::size_t point) const;
  // layer::OutputError.
  void keep(std::size_t point, const std::string& report) const;
  void keep_table(const std::string& csv) const;
  std::filesystem::path table() const { return folder_ / "sweep.csv"; }

 private:
  void lock();
  void remove_unfinished_files() const;
  std::filesystem::path report_file(std::size_t point) const;

  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace dve::sweep
