// What completes a command line of dve-sim, for completion.bash.
#include <fmt/format.h>

#include "dve/config/config.h"
#include "dve/workload/workload.h"
#include "manual.h"

namespace dve::app {
namespace {

namespace po = boost::program_options;

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// What the value of an option is called; empty: it takes none.
std::string kind_of(const po::option_description& option) {
  const std::string parameter = option.format_parameter();
  return parameter.substr(0, parameter.find(" (="));
}

std::string key_names() {
  std::vector<std::string> names;
  for (const config::Key& key : config::keys()) names.push_back(key.name);
  return joined(names);
}

std::string generations() {
  std::vector<std::string> names;
  for (const isa::Generation generation : isa::kGenerations) names.emplace_back(isa::to_string(generation));
  return joined(names);
}

std::string choices_function() {
  std::string code = "\n_dve_sim_choices() {\n  case $1 in\n";
  for (const config::Key& key : config::keys()) {
    const std::string words = key.domain.type == config::Type::boolean ? "true false" : joined(key.domain.choices);
    if (!words.empty()) code += fmt::format("    {}) echo '{}' ;;\n", key.name, words);
  }
  return code + "  esac\n}\n";
}

template <class Function>
void for_each_option(const Manual& command, Function function) {
  for (const po::options_description& table : command.options) {
    for (const auto& option : table.options()) function(*option);
  }
}

std::string options_function(const ProgramManual& manual) {
  std::string code = "\n_dve_sim_options() {\n  case $1 in\n";
  for (const Manual& command : manual.commands) {
    std::vector<std::string> names;
    for_each_option(command, [&](const po::option_description& option) {
      if (option.long_name() != command.argument) names.push_back("--" + option.long_name());
    });
    code += fmt::format("    {}) echo '{}' ;;\n", command.name, joined(names));
  }
  return code + "  esac\n}\n";
}

// "run --config" -> NAME|FILE; "run" -> what its free argument is.
std::string kind_function(const ProgramManual& manual) {
  std::string code = "\n_dve_sim_kind() {\n  case $1 in\n";
  for (const Manual& command : manual.commands) {
    for_each_option(command, [&](const po::option_description& option) {
      const std::string kind = kind_of(option);
      if (kind.empty()) return;
      const std::string short_name = option.canonical_display_name(po::command_line_style::allow_dash_for_short);
      std::string patterns = fmt::format("'{} --{}'", command.name, option.long_name());
      if (short_name.size() == 2) patterns += fmt::format(" | '{} {}'", command.name, short_name);
      if (option.long_name() == command.argument) patterns += fmt::format(" | '{}'", command.name);
      code += fmt::format("    {}) echo '{}' ;;\n", patterns, kind);
    });
  }
  return code + "  esac\n}\n";
}

}  // namespace

std::string bash_completion_tables(const ProgramManual& manual) {
  std::vector<std::string> commands;
  for (const Manual& command : manual.commands) commands.push_back(command.name);
  std::string code = "# Completion of dve-sim by bash. Written by the build from the program's option tables.\n";
  code += fmt::format("_dve_sim_commands='{}'\n", joined(commands));
  code += fmt::format("_dve_sim_generations='{}'\n", generations());
  code += fmt::format("_dve_sim_networks='{}'\n", joined(workload::workload_names()));
  code += fmt::format("_dve_sim_keys='{}'\n", key_names());
  return code + choices_function() + options_function(manual) + kind_function(manual);
}

}  // namespace dve::app
