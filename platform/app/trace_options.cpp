#include "trace_options.h"

#include <fmt/format.h>

#include <string>

#include "command_line.h"
#include "output_folder.h"

namespace dve::app {
namespace {

namespace po = boost::program_options;

std::string value_of(const po::variables_map& values, const char* option) {
  return values.count(option) ? values[option].as<std::string>() : std::string();
}

TraceOptions::File trace_file(const std::string& path) {
  const auto format = telemetry::format_of(path);
  if (!format)
    throw UsageError(fmt::format("--trace is '{}', expected a name that ends in .json, .json.gz, .vcd or .csv", path));
  return {path, *format};
}

telemetry::Selection trace_selection(const po::variables_map& values) {
  telemetry::Selection selection;
  if (values.count("trace-window")) {
    const std::string text = value_of(values, "trace-window");
    const auto window = telemetry::window_from_string(text);
    if (!window)
      throw UsageError(fmt::format("--trace-window is '{}', expected FROM:TO in ns with FROM below TO", text));
    selection.window = *window;
  }
  if (values.count("trace-filter")) {
    std::string unknown;
    const auto filter = telemetry::Filter::from_string(value_of(values, "trace-filter"), unknown);
    if (!filter)
      throw UsageError(fmt::format("--trace-filter names '{}', expected names from {}, separated by commas", unknown,
                                   telemetry::Filter::names()));
    selection.filter = *filter;
  }
  if (values.count("trace-limit")) selection.limit = positive_number("trace-limit", value_of(values, "trace-limit"));
  return selection;
}

}  // namespace

void add_trace_options(po::options_description& options) {
  const auto text = [] { return po::value<std::string>(); };
  options.add_options()(
      "trace", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
      "write what happened when; the extension says how: .json or .json.gz (timeline, open it in ui.perfetto.dev or "
      "chrome://tracing), .vcd (waveforms, IEEE 1364), .csv (one line a word); may be repeated")(
      "trace-window", text()->value_name("FROM:TO"),
      "trace only this part of simulated time, in ns; FROM or TO may be left out")(
      "trace-filter", text()->value_name("NAME,..."),
      "trace only what is named: dve, pool, act (an engine's words), words (those of all engines), ports and banks (of "
      "the named engines, or of all), semaphores, transfers")(
      "trace-limit", text()->value_name("N"), "write at most N events into each trace; a warning counts the rest");
}

TraceOptions trace_options(const po::variables_map& values) {
  TraceOptions options;
  if (values.count("trace")) {
    for (const std::string& path : values["trace"].as<std::vector<std::string>>())
      options.files.push_back(trace_file(path));
  }
  for (const char* option : {"trace-window", "trace-filter", "trace-limit"}) {
    if (options.files.empty() && values.count(option)) throw UsageError(fmt::format("--{} needs --trace", option));
  }
  options.selection = trace_selection(values);
  return options;
}

void check_traces_apart(const CommonOptions& common, const std::vector<std::filesystem::path>& others,
                        const std::vector<std::filesystem::path>& outputs) {
  std::vector<std::filesystem::path> files = others;
  for (const std::string& file : {common.config, common.traffic}) {
    if (!file.empty()) files.emplace_back(file);
  }
  std::vector<std::filesystem::path> own = outputs;
  if (!common.profile.empty()) own.emplace_back(common.profile);
  for (const TraceOptions::File& trace : common.trace.files) own.push_back(trace.path);
  if (!common.waves.empty()) own.emplace_back(common.waves);
  for (const std::filesystem::path& output : own) {
    for (const std::filesystem::path& file : files) refuse_same_file(output, file);
    files.push_back(output);
  }
  if (common.out.empty()) return;
  const auto refuse = [&](const char* written) {
    for (const std::filesystem::path& file : own) refuse_same_file(file, std::filesystem::path(common.out) / written);
  };
  for (const char* file : kResultFiles) refuse(file);
  for (const char* file : kDescribingFiles) refuse(file);
}

}  // namespace dve::app
