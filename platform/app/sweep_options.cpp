#include "sweep_options.h"

#include <fmt/format.h>

#include "command_line.h"
#include "commands.h"

namespace dve::app {
namespace {

namespace po = boost::program_options;

constexpr const char* kHelp =
    R"(usage: dve-sim sweep SWEEP.json --out DIR [--jobs N] [--resume] [--executor slurm] [options]

Runs a layer or a network at many points: every combination of values of configuration keys, workload keys and options.
DIR gets sweep.csv, a row a point, and points/NUMBER/report.json. A point that fails is recorded with its reason, and the
rest goes on; exit code 1 says that there was one. After a crash, a kill or a full disk --resume runs what is missing;
sweep.csv is then what it would have been, and depends neither on --jobs nor on the executor.

SWEEP.json:
  {"schema": 1,
   "base": {"workload": "resnet_50", "no_data": true},
   "mode": "product",
   "axes": {"generation": ["sunda", "cayman"], "timing.dve.clock_mhz": [960, 1200]},
   "constraints": ["timing.dve.clock_mhz > 1000 || generation == 'cayman'"]}

base         config, workload or layer (neither: the bundled layer), set (an object of configuration keys), and the options
             of `dve-sim run`: dtype, step, eps, loss_scale, microbatches, device_stats, no_data, max_cycles
axes         by configuration key (`dve-sim config --keys`), option, or workload.KEY: batch, dtype, place, tile_elements,
             statistics, seed, layers.NAME.KEY
mode         product: every combination, the last axis fastest; zip: the k-th values together; list: `points` is a list
             of objects; random: `points` of them, drawn with `seed` from lists or from {"low": 1, "high": 9, "scale": "log"}
constraints  points for which one is false are left out: || && ! == != < <= > >= + - * / % ( ), 'text', names of axes and
             configuration keys

With --executor slurm the points run on the nodes of a Slurm cluster, as tasks of job arrays; this program submits them,
collects the reports and ends when all are there. DIR, SWEEP.json, what it names, and this program must be at the same
paths on all nodes. The first task measures what a point costs, the others get points for at least --task-seconds. Points
of a task that failed are dealt again, at most --retries times; DIR/slurm/failures.txt has every failure. Ctrl-C cancels
the jobs, and so does --resume with those that a killed sweep has left. Exit code 69: Slurm is missing or refuses, or its
nodes do not see DIR or this program.

What a task runs is, in the same folder, `dve-sim sweep SWEEP.json --out DIR --points @FILE`.

)";

po::options_description own_options() {
  po::options_description own("Options of sweep");
  const auto text = [] { return po::value<std::string>(); };
  own.add_options()("sweep", text()->value_name("FILE"), "sweep file, as the free argument")(
      "out", text()->value_name("DIR"), "folder of the table and the reports")(
      "jobs", text()->value_name("N"), "processes at a time (default: one a processor); slurm: tasks at a time")(
      "executor", text()->default_value("local")->value_name("local|slurm"),
      "local: forked processes on this machine; slurm: tasks on the nodes of a cluster")(
      "resume", "go on with the sweep that DIR holds, if any")(
      "no-data", "as \"no_data\": true in base: time without tensor contents")(
      "progress", "draw a progress bar (default: when the error output is a terminal)")(
      "no-progress", "never draw a progress bar")("quiet", "print nothing but errors")("help,h", "print this help");
  return own;
}

po::options_description slurm_options() {
  po::options_description own("Options of --executor slurm");
  const auto text = [] { return po::value<std::string>(); };
  own.add_options()("partition", text()->value_name("NAME"), "sbatch --partition")(
      "account", text()->value_name("NAME"), "sbatch --account")("time-limit", text()->value_name("TIME"),
                                                                 "sbatch --time, of a task")(
      "sbatch", po::value<std::vector<std::string>>()->composing()->value_name("OPTION"),
      "further option of sbatch, such as --sbatch=--mem=4G; may be repeated")(
      "chunk", text()->value_name("N"), "points a task, at least (default: measured)")(
      "task-seconds", text()->value_name("S"), "work of a task, at least, when measured (default: 10)")(
      "retries", text()->value_name("N"), "times that a point of a failed task is dealt again (default: 2)");
  return own;
}

po::options_description point_options() {
  po::options_description own("Options of a task");
  const auto text = [] { return po::value<std::string>(); };
  own.add_options()("points", text()->value_name("LIST"),
                    "of the sweep in DIR run these points without a report: 3,17,20:40 (40 is out), or @FILE")(
      "stop-after", text()->value_name("S"), "start no point after S seconds");
  return own;
}

po::options_description all_options() {
  po::options_description all = own_options();
  all.add(slurm_options()).add(point_options());
  return all;
}

class Values {
 public:
  explicit Values(const po::variables_map& values) : values_(values) {}

  bool has(const char* name) const { return values_.count(name) != 0; }
  std::string text(const char* name) const { return has(name) ? values_[name].as<std::string>() : ""; }
  std::string needed(const char* name, const char* what) const {
    if (!has(name)) throw UsageError(fmt::format("{} is missing (dve-sim sweep --help)", what));
    return text(name);
  }
  std::uint64_t number(const char* name, std::uint64_t otherwise) const {
    return has(name) ? positive_number(name, text(name)) : otherwise;
  }
  // None of the options, which go with another one.
  void refuse(const po::options_description& options, const char* with) const {
    for (const auto& option : options.options())
      if (has(option->long_name().c_str()))
        throw UsageError(fmt::format("--{} goes with {}, expected both or none", option->long_name(), with));
  }

 private:
  const po::variables_map& values_;
};

SlurmOptions slurm_values(const Values& values, const po::variables_map& map) {
  SlurmOptions slurm;
  for (const auto& [name, option] :
       {std::pair("partition", "--partition="), std::pair("account", "--account="), std::pair("time-limit", "--time=")})
    if (values.has(name)) slurm.arguments.push_back(option + values.text(name));
  if (values.has("sbatch"))
    for (const std::string& option : map["sbatch"].as<std::vector<std::string>>()) slurm.arguments.push_back(option);
  slurm.chunk = values.number("chunk", 0);
  slurm.task_seconds = std::chrono::seconds(values.number("task-seconds", 10));
  slurm.retries = values.text("retries") == "0" ? 0 : values.number("retries", 2);
  return slurm;
}

bool is_slurm(const std::string& executor) {
  if (executor == "slurm") return true;
  if (executor == "local") return false;
  throw UsageError(fmt::format("--executor is '{}', expected local or slurm", executor));
}

void refuse_mixtures(const Values& values, const SweepOptions& options) {
  if (!options.with_slurm) values.refuse(slurm_options(), "--executor slurm");
  if (values.has("stop-after") && options.points.empty())
    throw UsageError("--stop-after goes with --points, expected both or none");
  if (options.points.empty()) return;
  if (options.with_slurm) throw UsageError("--points is what a task runs, expected --executor local");
  if (options.resume) throw UsageError("--points runs what is missing anyway, expected no --resume");
}

}  // namespace

SweepOptions sweep_options(const std::vector<std::string>& arguments) {
  const CommandLine line = parse_own(arguments, all_options(), "sweep");
  const Values values(line.values);
  SweepOptions options;
  options.help = line.help;
  if (options.help) return options;
  options.file = values.needed("sweep", "SWEEP.json");
  options.out = values.needed("out", "--out DIR");
  options.with_slurm = is_slurm(values.text("executor"));
  options.jobs = values.number("jobs", 0);
  options.resume = values.has("resume");
  options.no_data = line.common.no_data;
  options.progress = line.common.progress;
  options.quiet = line.common.quiet;
  options.points = values.text("points");
  options.stop_after = std::chrono::seconds(values.number("stop-after", 0));
  refuse_mixtures(values, options);
  options.slurm = slurm_values(values, line.values);
  options.slurm.jobs = options.jobs;
  options.slurm.quiet = options.quiet;
  return options;
}

Manual sweep_manual() {
  return {"sweep", "a layer or a network at many points of configuration and workload",
          kHelp,   {own_options(), slurm_options(), point_options()},
          {},      "sweep"};
}

}  // namespace dve::app
