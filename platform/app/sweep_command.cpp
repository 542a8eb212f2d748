#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <set>

#include "command_line.h"
#include "commands.h"
#include "dve/layer/layer.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "say.h"
#include "sweep_run.h"

namespace dve::app {
namespace {

namespace po = boost::program_options;

constexpr const char* kSweepHelp = R"(usage: dve-sim sweep SWEEP.json --out DIR [--jobs N] [--resume] [options]

Runs a layer or a network at many points: every combination of values of configuration keys, workload keys and options.
DIR gets sweep.csv, a row a point, and points/NUMBER/report.json. A point that fails is recorded with its reason, and the
rest goes on; exit code 1 says that there was one. After a crash, a kill or a full disk --resume runs what is missing;
sweep.csv is then what it would have been, and does not depend on --jobs either.

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

)";

po::options_description sweep_options() {
  po::options_description own("Options of sweep");
  own.add_options()("sweep", po::value<std::string>()->value_name("FILE"), "sweep file, as the free argument")(
      "out", po::value<std::string>()->value_name("DIR"), "folder of the table and the reports")(
      "jobs", po::value<std::string>()->value_name("N"), "processes at a time (default: one a processor)")(
      "executor", po::value<std::string>()->default_value("local")->value_name("local"),
      "local: forked processes on this machine")("resume", "go on with the sweep that DIR holds, if any")(
      "no-data", "as \"no_data\": true in base: time without tensor contents")(
      "progress", "draw a progress bar (default: when the error output is a terminal)")(
      "no-progress", "never draw a progress bar")("quiet", "print nothing but errors")("help,h", "print this help");
  return own;
}

std::string text_of(const CommandLine& line, const char* option, const char* what) {
  if (!line.values.count(option)) throw UsageError(fmt::format("{} is missing (dve-sim sweep --help)", what));
  return line.values[option].as<std::string>();
}

// What makes a sweep this one: its file, and what its points read, wherever these lie.
std::string identity(const sweep::Spec& spec, const std::vector<sweep::Point>& points, const sweep::Settings& settings,
                     const SweepSubjects& subjects) {
  std::set<std::string> seen;
  std::set<std::filesystem::path> files;
  for (const sweep::Point& point : points)
    if (seen.insert(settings.subject(point)).second) files.merge(subjects.inputs(point));
  std::set<std::string> inputs;
  for (const std::filesystem::path& file : files)
    inputs.insert(fmt::format("{} {}", file.filename().string(), sweep::fingerprint(file)));
  const json::Json whole = {{"schema", 1},
                            {"sweep", spec.document},
                            {"no_data", spec.base.no_data},
                            {"points", points.size()},
                            {"inputs", inputs}};
  return whole.dump(1, ' ', false, json::Json::error_handler_t::replace) + "\n";
}

}  // namespace

Manual sweep_manual() {
  return {"sweep",    "a layer or a network at many points of configuration and workload",
          kSweepHelp, {sweep_options()},
          {},         "sweep"};
}

int sweep_command(const std::vector<std::string>& arguments) {
  const CommandLine line = parse_own(arguments, sweep_options(), "sweep");
  if (line.help) {
    say(stdout, "{}", help_text(sweep_manual()));
    return kOk;
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::string file = text_of(line, "sweep", "SWEEP.json");
  const std::string out = text_of(line, "out", "--out DIR");
  const std::string executor = line.values["executor"].as<std::string>();
  if (executor != "local")
    throw UsageError(fmt::format("--executor is '{}', expected local, the one that there is", executor));
  const std::size_t jobs =
      line.values.count("jobs") ? positive_number("jobs", line.values["jobs"].as<std::string>()) : 0;

  sweep::Spec spec = sweep::read_spec(file);
  if (line.common.no_data) spec.base.no_data = true;
  sweep::Settings settings(spec);
  const std::vector<sweep::Point> points = sweep::points_of(spec, settings);
  SweepSubjects subjects(spec, settings);
  const sweep::Folder folder(out, identity(spec, points, settings, subjects), line.values.count("resume") != 0);
  SweepRun run(spec, points, settings, subjects, folder);
  run.take_finished();
  const std::size_t found = run.done();
  run.run(jobs, line.common.progress);
  folder.keep_table(run.table());

  if (!line.common.quiet) {
    say(stdout, "points        {}: {} ok, {} failed{}\ntable         {}\n", points.size(), run.done() - run.failed(),
        run.failed(), found != 0 ? fmt::format(", {} of them from before", found) : "", folder.table().string());
    std::fflush(stdout);
    say(stderr, "wall time     {:.2f} s\n",
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  if (interrupted()) {
    say(stderr, "dve-sim: interrupted after {} of {} points; --resume goes on\n", run.done(), points.size());
    return kInterrupted;
  }
  return run.failed() == 0 ? kOk : kCompareFailed;
}

}  // namespace dve::app
