#include "folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "dve/layer/layer.h"
#include "rows.h"

namespace dve::sweep {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error, unreachable;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, unreachable))
    throw layer::OutputError(
        fmt::format("{}: cannot create the folder: {}", folder.string(), error ? error.message() : "not a directory"));
}

std::string text_of(const fs::path& file) {
  const std::vector<std::uint8_t> bytes = layer::read_file(file);
  return {bytes.begin(), bytes.end()};
}

// Keys of which the two objects have different values.
std::string differing_keys(const std::string& a, const std::string& b) {
  const json::Json x = json::Json::parse(a, nullptr, false), y = json::Json::parse(b, nullptr, false);
  if (!x.is_object()) return "everything";
  std::vector<std::string> keys;
  for (const auto& [key, value] : y.items())
    if (!x.contains(key) || x[key] != value) keys.push_back(key);
  return keys.empty() ? "its form" : fmt::format("{}", fmt::join(keys, ", "));
}

}  // namespace

Folder::Folder(const fs::path& folder, const std::string& identity, Use use) : folder_(folder) {
  if (use != Use::join) {
    make_folder(folder_);
    lock();
  }
  open_sweep(identity, use);
  if (use == Use::resume) remove_unfinished_files();
}

void Folder::open_sweep(const std::string& identity, Use use) const {
  const fs::path file = folder_ / "sweep.json";
  std::error_code error;
  if (!fs::exists(file, error)) {
    if (use == Use::join)
      throw layer::InputError(
          fmt::format("{}: does not exist, expected the folder of a sweep to run points of", file.string()));
    layer::write_file(file, identity);
  } else if (use == Use::start) {
    throw layer::InputError(
        fmt::format("{}: holds a sweep, expected --resume to go on with it, or another folder", folder_.string()));
  } else if (const std::string there = text_of(file); there != identity) {
    throw layer::InputError(
        fmt::format("{}: another sweep, or one of other inputs (configuration, workload, layer) or of another "
                    "dve-sim: {} differs; expected the one to resume",
                    file.string(), differing_keys(there, identity)));
  }
}

Folder::~Folder() {
  if (lock_ >= 0) close(lock_);
}

// A record lock: it ends with this process however that ends, and forked children do not have it.
void Folder::lock() {
  const fs::path file = folder_ / ".lock";
  lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (lock_ >= 0 && fcntl(lock_, F_SETLK, &whole) == 0) return;
  const int error = errno;
  if (lock_ >= 0) close(lock_);
  lock_ = -1;
  if (error == EACCES || error == EAGAIN)
    throw layer::InputError(
        fmt::format("{}: another process sweeps into it, expected it to end first", folder_.string()));
  throw layer::OutputError(fmt::format("{}: cannot be locked: {}", file.string(), std::strerror(error)));
}

// Temporary files of a process that was killed while it wrote (layer::write_file).
void Folder::remove_unfinished_files() const {
  std::vector<fs::path> found;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder_, error); !error && entry != fs::end(entry);
       entry.increment(error))
    if (entry->path().extension() == ".part") found.push_back(entry->path());
  for (const fs::path& file : found) fs::remove(file, error);
}

fs::path Folder::report_file(std::size_t point) const {
  return folder_ / "points" / fmt::format("{:06}", point) / "report.json";
}

std::optional<json::Json> Folder::report(std::size_t point) const {
  std::error_code error;
  const fs::path file = report_file(point);
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  json::Json report = json::Json::parse(text_of(file), nullptr, false);  // a damaged file is no report
  if (!report.is_object()) return std::nullopt;
  return report;
}

void Folder::remove_report(std::size_t point) const {
  std::error_code error;
  fs::remove(report_file(point), error);
}

void Folder::keep(std::size_t point, const std::string& report) const {
  const fs::path file = report_file(point);
  make_folder(file.parent_path());
  layer::write_file(file, report);
}

void Folder::keep_table(const std::string& csv) const { layer::write_file(table(), csv); }

}  // namespace dve::sweep
