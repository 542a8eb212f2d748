#include "manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace dve::app {

std::string help_text(const Manual& manual) {
  std::ostringstream text;
  text << manual.text;
  for (std::size_t k = 0; k < manual.options.size(); ++k) text << (k == 0 ? "" : "\n") << manual.options[k];
  if (!manual.after.empty()) text << "\n" << manual.after;
  return text.str();
}

std::string help_text(const ProgramManual& manual) {
  std::string commands;
  for (const Manual& command : manual.commands) commands += fmt::format("  {:<8} {}\n", command.name, command.summary);
  return fmt::format(
      "usage: dve-sim COMMAND [arguments]\n\n{}\n\ncommands:\n{}\n`dve-sim COMMAND --help` explains a command, "
      "`dve-sim --version` names version and build.\n\n"
      "Exit codes: {}\n\nEnvironment:\n{}",
      manual.about, commands, manual.exit_codes, manual.environment);
}

}  // namespace dve::app
