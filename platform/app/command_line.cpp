#include "command_line.h"

#include <fmt/format.h>
#include <unistd.h>

namespace dve::app {
namespace {

namespace po = boost::program_options;

CommonOptions common_values(const po::variables_map& values) {
  CommonOptions common;
  const auto text = [&](const char* name) {
    return values.count(name) ? values[name].as<std::string>() : std::string();
  };
  common.config = text("config");
  if (values.count("set")) common.sets = values["set"].as<std::vector<std::string>>();
  if (values.count("abstraction")) {
    const std::string abstraction = text("abstraction");
    if (abstraction != "functional" && abstraction != "lt" && abstraction != "at")
      throw config::Error(fmt::format("--abstraction is '{}', expected functional, lt or at", abstraction));
    common.sets.push_back("abstraction=" + abstraction);
  }
  for (const char* option : {"out", "profile", "traffic", "waves", "record", "notifications"}) {
    if (values.count(option) && text(option).empty())
      throw UsageError(fmt::format("--{} is empty, expected a name", option));
  }
  common.out = text("out");
  common.profile = text("profile");
  common.traffic = text("traffic");
  common.waves = text("waves");
  common.trace = trace_options(values);
  if (values.count("max-cycles")) common.max_cycles = positive_number("max-cycles", text("max-cycles"));
  common.no_data = values.count("no-data") != 0;
  common.quiet = values.count("quiet") != 0;
  common.verbose = values.count("verbose") != 0;
  if (common.quiet && common.verbose) throw UsageError("--quiet and --verbose exclude each other");
  if (values.count("progress") && values.count("no-progress"))
    throw UsageError("--progress and --no-progress exclude each other");
  const bool terminal = isatty(STDERR_FILENO) == 1 && !common.quiet;
  common.progress = values.count("progress") != 0 || (terminal && values.count("no-progress") == 0);
  return common;
}

}  // namespace

std::uint64_t positive_number(const std::string& option, const std::string& text) {
  std::size_t used = 0;
  std::uint64_t value = 0;
  try {
    if (!text.empty() && text[0] >= '0' && text[0] <= '9') value = std::stoull(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used != text.size() || value == 0)
    throw UsageError(fmt::format("--{} is '{}', expected a positive whole number", option, text));
  return value;
}

namespace {

void add_configuration(po::options_description& options) {
  const auto text = [] { return po::value<std::string>(); };
  options.add_options()("config", text()->value_name("NAME|FILE"),
                        "generation preset or configuration file (default: cayman)")(
      "set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
      "override one configuration key; may be repeated (`dve-sim config --keys` lists them)")(
      "abstraction", text()->value_name("functional|lt|at"),
      "functional: data only; lt: loosely timed (default); at: approximately timed, beat by beat, to the same cycles");
}

}  // namespace

po::options_description configuration_options() {
  po::options_description options("Configuration");
  add_configuration(options);
  options.add_options()("help,h", "print this help");
  return options;
}

po::options_description common_options() {
  po::options_description options("Common options");
  const auto text = [] { return po::value<std::string>(); };
  add_configuration(options);
  options.add_options()(
      "traffic", text()->value_name("FILE"),
      "streams of PE, ACT, POOL and DMA engines on the memories' ports beside the program (JSON, see docs/timing.md)")(
      "out", text()->value_name("DIR"),
      "write results, report and configuration (run: the program as well) into this folder")(
      "no-data",
      "time without tensor contents: the same cycles and report, but nothing is loaded, computed, compared or stored")(
      "max-cycles", text()->value_name("N"), "stop when a word would complete after N engine cycles (exit 5)")(
      "profile", text()->value_name("FILE"), "write wall-clock figures of this run as JSON")(
      "waves", text()->value_name("FILE"),
      "write the signals of the lanes in RTL as FST (dve.engine=rtl; gtkwave opens it); see docs/cosimulation.md")(
      "progress", "draw a progress bar (default: when the error output is a terminal)")(
      "no-progress", "never draw a progress bar")("quiet", "print nothing but errors")(
      "verbose", "print the sequencer's self-names and every warning")("help,h", "print this help");
  add_trace_options(options);
  return options;
}

po::options_description tool_options() {
  po::options_description options("Common options");
  const auto text = [] { return po::value<std::string>(); };
  options.add_options()("generation", text()->value_name("NAME"),
                        "sunda, cayman (default), mariana, mariana_plus or maverick")(
      "config", text()->value_name("NAME|FILE"), "generation preset or configuration file")(
      "set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
      "override one configuration key; may be repeated")("quiet", "print nothing but results and errors")(
      "help,h", "print this help");
  return options;
}

namespace {

CommandLine parse_against(const std::vector<std::string>& arguments, const po::options_description& all,
                          const std::string& positional) {
  po::positional_options_description free_arguments;
  free_arguments.add(positional.c_str(), 1);
  CommandLine line;
  try {
    namespace style = po::command_line_style;
    const int strict_style = style::unix_style & ~style::allow_guessing;  // an abbreviation is a typing mistake
    po::store(po::command_line_parser(arguments).options(all).positional(free_arguments).style(strict_style).run(),
              line.values);
    po::notify(line.values);
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  line.help = line.values.count("help") != 0;
  line.common = common_values(line.values);
  return line;
}

}  // namespace

CommandLine parse(const std::vector<std::string>& arguments, const po::options_description& own,
                  const std::string& positional) {
  po::options_description all;
  all.add(own).add(common_options());
  return parse_against(arguments, all, positional);
}

CommandLine parse_own(const std::vector<std::string>& arguments, const po::options_description& own,
                      const std::string& positional) {
  return parse_against(arguments, own, positional);
}

CommandLine parse_tool(const std::vector<std::string>& arguments, const po::options_description& own,
                       const std::string& positional) {
  po::options_description all;
  all.add(own).add(tool_options());
  CommandLine line = parse_against(arguments, all, positional);
  if (!line.values.count("generation")) return line;
  const std::string generation = line.values["generation"].as<std::string>();
  if (!isa::generation_from_string(generation))
    throw config::Error(
        fmt::format("--generation is '{}', expected sunda, cayman, mariana, mariana_plus or maverick", generation));
  line.common.sets.push_back("generation=" + generation);
  return line;
}

void refuse_same_file(const std::filesystem::path& output, const std::filesystem::path& other) {
  std::error_code error;
  const auto resolved = [&error](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(path, error);
  };
  const bool special = std::filesystem::exists(output, error) && !std::filesystem::is_regular_file(output, error);
  if (special || resolved(output) != resolved(other)) return;
  throw UsageError(fmt::format("{} is named twice: what is written there would be lost", output.string()));
}

void refuse_nothing_left(const config::Config& settings, bool no_data) {
  if (no_data && settings.abstraction == config::Abstraction::functional)
    throw UsageError("--no-data leaves nothing of abstraction functional, which has no time; expected lt or at");
}

config::Effective effective_config(const CommandLine& line) {
  config::Effective effective = config::load(line.common.config, line.common.sets);
  refuse_nothing_left(effective.config, line.common.no_data);
  return effective;
}

}  // namespace dve::app
