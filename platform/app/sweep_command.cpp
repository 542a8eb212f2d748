#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <set>

#include "commands.h"
#include "dve/layer/layer.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "say.h"
#include "sweep_options.h"
#include "sweep_run.h"
#include "sweep_slurm.h"
#include "version.h"

namespace dve::app {
namespace {

namespace fs = std::filesystem;

// What makes a sweep this one: its file, what its points read, wherever these lie, and the program that runs them.
std::string identity(const sweep::Spec& spec, const std::vector<sweep::Point>& points, const sweep::Settings& settings,
                     const SweepSubjects& subjects) {
  std::set<std::string> seen;
  std::set<fs::path> files;
  for (const sweep::Point& point : points)
    if (seen.insert(settings.subject(point)).second) files.merge(subjects.inputs(point));
  std::set<std::string> inputs;
  for (const fs::path& file : files)
    inputs.insert(fmt::format("{} {}", file.filename().string(), sweep::fingerprint(file)));
  const json::Json whole = {{"schema", 1},
                            {"sweep", spec.document},
                            {"no_data", spec.base.no_data},
                            {"points", points.size()},
                            {"inputs", inputs},
                            {"program", {{"version", version()}, {"build", build()}}}};
  return whole.dump(1, ' ', false, json::Json::error_handler_t::replace) + "\n";
}

sweep::Spec spec_of(const SweepOptions& options) {
  sweep::Spec spec = sweep::read_spec(options.file);
  if (options.no_data) spec.base.no_data = true;
  return spec;
}

sweep::Folder::Use use_of(const SweepOptions& options) {
  if (!options.points.empty()) return sweep::Folder::Use::join;
  return options.resume ? sweep::Folder::Use::resume : sweep::Folder::Use::start;
}

// A sweep that is ready to run.
class Sweep {
 public:
  explicit Sweep(const SweepOptions& options)
      : options_(options),
        spec_(spec_of(options)),
        settings_(spec_),
        points_(sweep::points_of(spec_, settings_)),
        subjects_(spec_, settings_),
        folder_(options.out, identity(spec_, points_, settings_, subjects_), use_of(options)),
        table_(spec_, points_, folder_) {}

  int whole();
  int some_points();

 private:
  void run_with_slurm(const std::vector<std::size_t>& missing);
  void say_result(std::size_t found) const;
  int code() const;

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const SweepOptions& options_;
  sweep::Spec spec_;
  sweep::Settings settings_;
  std::vector<sweep::Point> points_;
  SweepSubjects subjects_;
  sweep::Folder folder_;
  SweepTable table_;
};

int Sweep::whole() {
  if (options_.resume) SlurmRound::cancel_left_over(folder_.path());
  std::vector<std::size_t> numbers(points_.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const std::vector<std::size_t> missing = table_.take_finished(numbers);
  const std::size_t found = table_.done();
  table_.count_to(missing.size(), options_.progress);
  if (options_.with_slurm)
    run_with_slurm(missing);
  else
    SweepRun(points_, settings_, subjects_, table_).run(missing, options_.jobs);
  table_.end_progress();
  folder_.keep_table(table_.text());
  if (!options_.quiet) say_result(found);
  return code();
}

void Sweep::run_with_slurm(const std::vector<std::size_t>& missing) {
  SlurmOptions slurm = options_.slurm;
  slurm.task = {fs::read_symlink("/proc/self/exe").string(), "sweep",  fs::absolute(options_.file).string(), "--out",
                fs::absolute(options_.out).string(),         "--quiet"};
  if (options_.no_data) slurm.task.emplace_back("--no-data");
  try {
    SweepSlurm(folder_, table_, slurm).run(missing);
  } catch (const slurm::Unavailable& error) {
    table_.end_progress();
    throw slurm::Unavailable(
        fmt::format("{}; {} of {} points are done, --resume goes on", error.what(), table_.done(), points_.size()));
  }
}

void Sweep::say_result(std::size_t found) const {
  const std::size_t failed = table_.failed();
  say(stdout, "points        {}: {} ok, {} failed{}\ntable         {}\n", points_.size(), table_.done() - failed,
      failed, found != 0 ? fmt::format(", {} of them from before", found) : "", folder_.table().string());
  std::fflush(stdout);
  say(stderr, "wall time     {:.2f} s\n",
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count());
}

int Sweep::code() const {
  if (interrupted()) {
    say(stderr, "dve-sim: interrupted after {} of {} points; --resume goes on\n", table_.done(), points_.size());
    return kInterrupted;
  }
  return table_.failed() == 0 ? kOk : kCompareFailed;
}

std::string list_of(const std::string& points) {
  if (points.front() != '@') return points;
  const std::vector<std::uint8_t> bytes = layer::read_file(points.substr(1));
  return {bytes.begin(), bytes.end()};
}

int Sweep::some_points() {
  const std::string where = options_.points.front() == '@' ? options_.points.substr(1) : "--points";
  const auto missing = table_.take_finished(sweep::parse_points(list_of(options_.points), points_.size(), where));
  table_.count_to(missing.size(), options_.progress);
  SweepRun run(points_, settings_, subjects_, table_);
  if (options_.stop_after.count() == 0)
    run.run(missing, options_.jobs);
  else
    run.run_for(missing, options_.jobs, begin_, options_.stop_after);
  table_.end_progress();
  return code();
}

}  // namespace

int sweep_command(const std::vector<std::string>& arguments) {
  const SweepOptions options = sweep_options(arguments);
  if (options.help) {
    say(stdout, "{}", help_text(sweep_manual()));
    return kOk;
  }
  Sweep sweep(options);
  return options.points.empty() ? sweep.whole() : sweep.some_points();
}

}  // namespace dve::app
