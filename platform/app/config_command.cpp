#include <fmt/format.h>

#include <cstdio>

#include "command_line.h"
#include "commands.h"
#include "exit_codes.h"
#include "say.h"

namespace dve::app {
namespace {

namespace po = boost::program_options;

constexpr const char* kConfigHelp =
    R"(usage: dve-sim config [NAME|FILE] [--set KEY=VALUE]... [--json | --keys | --timing-table]

Prints the effective configuration: every key with its value, unit, the range that an uncertain number may lie in
(`run --bounds` and `exec --bounds` measure its effect), and where the value comes from.
NAME is a generation preset (sunda, cayman, mariana, mariana_plus, maverick), FILE a JSON file with "schema": 1.
With --json the output is itself a configuration file; --keys explains every key; --timing-table prints what all presets
say of time, as a Markdown table.

)";

po::options_description config_options() {
  po::options_description own("Options of config");
  own.add_options()("name", po::value<std::string>()->value_name("NAME|FILE"), "preset or file, as the free argument")(
      "json", "print JSON that can be loaded again")("keys",
                                                     "print every key with its range, unit, default and meaning")(
      "timing-table", "print the numbers of all presets, their ranges, confidence and sources");
  return own;
}

}  // namespace

Manual config_manual() {
  return {"config",    "the effective configuration, each value with unit and origin",
          kConfigHelp, {config_options(), configuration_options()},
          {},          "name"};
}

int config_command(const std::vector<std::string>& arguments) {
  po::options_description all;
  all.add(config_options()).add(configuration_options());
  CommandLine line = parse_own(arguments, all, "name");
  if (line.help) {
    say(stdout, "{}", help_text(config_manual()));
    return kOk;
  }
  if (line.values.count("keys")) {
    say(stdout, "{}", config::help());
    return kOk;
  }
  if (line.values.count("timing-table")) {
    say(stdout, "{}", config::timing_table());
    return kOk;
  }
  if (line.values.count("name")) {
    if (!line.common.config.empty()) throw UsageError("a configuration is given twice: as argument and as --config");
    line.common.config = line.values["name"].as<std::string>();
  }
  const config::Effective effective = effective_config(line);
  say(stdout, "{}", line.values.count("json") ? config::to_json(effective) : config::describe(effective));
  return kOk;
}

}  // namespace dve::app
