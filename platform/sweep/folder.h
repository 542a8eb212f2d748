// What a sweep leaves in its folder, and what --resume finds there:
//
//   sweep.json                the sweep and the fingerprints of what it reads
//   points/000012/report.json of each point, whole or absent
//   sweep.csv                 one row a point
//   slurm/                    of tasks that failed, and of those that run
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "dve/json/json.h"

namespace dve::sweep {

class Folder {
 public:
  enum class Use {
    start,   // a folder without a sweep
    resume,  // the same, or one with this sweep
    join     // with this sweep, beside the process that has started or resumed it
  };
  // `identity`: text of sweep.json, an object. layer::InputError: `use` does not fit, or the folder has another sweep,
  // or another process works in it (unless joining). layer::OutputError: it cannot be made or written.
  Folder(const std::filesystem::path& folder, const std::string& identity, Use use);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return folder_; }

  // The report of a point, final (is_final) or not.
  std::optional<json::Json> report(std::size_t point) const;
  void remove_report(std::size_t point) const;
  // layer::OutputError.
  void keep(std::size_t point, const std::string& report) const;
  void keep_table(const std::string& csv) const;
  std::filesystem::path table() const { return folder_ / "sweep.csv"; }

 private:
  void open_sweep(const std::string& identity, Use use) const;
  void lock();
  void remove_unfinished_files() const;
  std::filesystem::path report_file(std::size_t point) const;

  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace dve::sweep
