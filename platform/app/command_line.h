// Command-line parsing shared by the subcommands: common options, usage errors, help.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "dve/config/config.h"
#include "trace_options.h"

namespace dve::app {

// A wrong command line. what() is one line.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Options that every simulating subcommand has (interfaces.md 1).
struct CommonOptions {
  std::string config;             // preset or file; empty: cayman
  std::vector<std::string> sets;  // key=value
  std::string out;                // folder; empty: none
  std::string profile;            // file; empty: none
  std::string traffic;            // file; empty: none
  std::string waves;              // FST of the lanes in RTL; empty: none
  TraceOptions trace;
  std::uint64_t max_cycles = 0;  // 0: no limit
  bool no_data = false;          // time without tensor contents
  bool progress = false;         // draw a bar; default: when stderr is a terminal
  bool quiet = false;
  bool verbose = false;
};

// A parsed command line: declared options with their values, and one optional positional argument.
struct CommandLine {
  boost::program_options::variables_map values;
  CommonOptions common;
  bool help = false;
};

boost::program_options::options_description common_options();

// Those of them that choose the configuration, and help.
boost::program_options::options_description configuration_options();

// The common options of subcommands that do not simulate: configuration, generation, quiet.
boost::program_options::options_description tool_options();

// Parses `arguments` against common and own options. `positional`: name of the option that takes the free argument.
CommandLine parse(const std::vector<std::string>& arguments, const boost::program_options::options_description& own,
                  const std::string& positional);
// The same with the tool options in place of the common ones.
CommandLine parse_tool(const std::vector<std::string>& arguments,
                       const boost::program_options::options_description& own, const std::string& positional);

// The same with nothing but the own options, which must declare help.
CommandLine parse_own(const std::vector<std::string>& arguments, const boost::program_options::options_description& own,
                      const std::string& positional);

// A whole number from 1 on; UsageError names the option otherwise.
std::uint64_t positive_number(const std::string& option, const std::string& text);

// UsageError when both names are one regular file: writing the one would destroy the other. Devices may be named twice.
void refuse_same_file(const std::filesystem::path& output, const std::filesystem::path& other);

// UsageError for abstraction functional without data.
void refuse_nothing_left(const config::Config& settings, bool no_data);

// The effective configuration of the common options, --abstraction included.
config::Effective effective_config(const CommandLine& line);

}  // namespace dve::app
