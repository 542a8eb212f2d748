// Prints the manual page or the tables of the shell completion of dve-sim, for the build:
//   dve-manual page VERSION YYYY-MM-DD
//   dve-manual bash
#include <cstdio>
#include <string>
#include <systemc>
#include <vector>

#include "commands.h"
#include "exit_codes.h"
#include "say.h"

int sc_main(int argc, char** argv) {
  using namespace dve::app;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::string text;
  if (arguments.size() == 3 && arguments[0] == "page")
    text = manual_page(program_manual(), arguments[1], arguments[2]);
  else if (arguments.size() == 1 && arguments[0] == "bash")
    text = bash_completion_tables(program_manual());
  else
    say(stderr, "usage: dve-manual page VERSION YYYY-MM-DD | dve-manual bash\n");
  say(stdout, "{}", text);
  if (text.empty()) return kUsage;
  return std::fflush(stdout) == 0 ? kOk : kOutput;
}
