// What the program says of itself: `--help`, the manual page and the shell completion are made of the same texts and
// option tables.
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace dve::app {

// Of one subcommand.
struct Manual {
  std::string name;     // "run"
  std::string summary;  // its line in the list of commands
  // "usage: dve-sim NAME ..." in the first line, then paragraphs with an empty line behind each. Indented paragraphs
  // and those that end in ":" in their first line stand as they are, others are text that may be filled.
  std::string text;
  std::vector<boost::program_options::options_description> options;  // own, then common
  std::string after;                                                 // behind the options
  std::string argument;                                              // the option that the free argument is
};

// Value names of options say what completes them:
//   a|b|c of lower-case words  one of these     NAME    a generation        NAME|FILE    a generation or a file
//   DIR  a folder              FILE  a file     DIR|FILE  either            KEY=VALUE    a configuration key
//   DIR|NETWORK  a folder, a file or a workload's name                       ..=FILE      a file behind the last =
// Others are completed by nothing.

// `dve-sim COMMAND --help`.
std::string help_text(const Manual& manual);

// Of the whole program: usage, what it is for, commands, exit codes, environment.
struct ProgramManual {
  std::string summary;      // one line
  std::string about;        // a paragraph; so are the next two
  std::string exit_codes;   // "0 ok, 1 ..."
  std::string environment;  // lines "NAME  text", continued by indented lines
  std::vector<Manual> commands;
};

// `dve-sim --help`.
std::string help_text(const ProgramManual& manual);

// The same in the man macros: dve-sim(1). `version` and `date` (YYYY-MM-DD) go into its foot.
std::string manual_page(const ProgramManual& manual, const std::string& version, const std::string& date);

// The tables of the shell completion as bash variables and functions; completion.bash goes behind them. Keys and
// presets are those of the configuration block, networks those of configs/workloads.
std::string bash_completion_tables(const ProgramManual& manual);

}  // namespace dve::app
