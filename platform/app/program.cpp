// Subcommand dispatch and the one place where errors become a line and an exit code.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <sstream>
#include <string>

#include "command_line.h"
#include "commands.h"
#include "dve/core/core.h"
#include "dve/layer/layer.h"
#include "dve/runtime/runtime.h"
#include "dve/slurm/slurm.h"
#include "exit_codes.h"
#include "program_source.h"
#include "say.h"
#include "version.h"

namespace dve::app {
namespace {

constexpr const char* kSummary = "model of the part of a NeuronCore that trains batch norm";

constexpr const char* kAbout =
    R"(Models the part of an AWS NeuronCore that trains batch-norm layers: the sequencer fetches 64-byte instruction words and
dispatches them to the vector engine (DVE) and its neighbours POOL and ACT, which stream tensors from SBUF and PSUM.)";

constexpr const char* kExitCodes =
    R"(0 ok, 1 comparison or points failed, 2 usage, 3 configuration or input file, 4 instruction fault or check with
findings, 5 deadlock or --max-cycles, 6 output cannot be written, 69 batch system not available, 70 internal error, 130 interrupted.)";

constexpr const char* kEnvironment =
    R"(  DVE_CONFIG_DIR  folder with generations/ and workloads/, in place of the one that came with the program
  DVE_DATA_DIR    folder with the layer that `run` takes when none is named
  DVE_SIMD        vector instructions that compute: scalar, ssse3, sse4, avx2, avx3 or best; changes no result
)";

struct Command {
  const char* name;
  int (*run)(const std::vector<std::string>&);
  Manual (*manual)();
};

constexpr Command kCommands[] = {{"run", run_command, run_manual},       {"exec", exec_command, exec_manual},
                                 {"asm", asm_command, asm_manual},       {"disasm", disasm_command, disasm_manual},
                                 {"sweep", sweep_command, sweep_manual}, {"report", report_command, report_manual},
                                 {"check", check_command, check_manual}, {"config", config_command, config_manual}};

// "run, exec or asm"
std::string command_names() {
  std::string names;
  for (const Command& command : kCommands) {
    const bool last = &command == std::end(kCommands) - 1;
    names += fmt::format("{}{}", names.empty() ? "" : last ? " or " : ", ", command.name);
  }
  return names;
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UsageError(fmt::format("a command is missing: {} (dve-sim --help)", command_names()));
  const std::string& command = arguments.front();
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  for (const Command& each : kCommands) {
    if (command == each.name) return each.run(rest);
  }
  if (command == "--help" || command == "-h" || command == "help") {
    say(stdout, "{}", help_text(program_manual()));
    return kOk;
  }
  if (command == "--version") {
    say(stdout, "dve-sim {}\nbuild {}\n", version(), build());
    return kOk;
  }
  throw UsageError(fmt::format("unknown command '{}', expected {}", command, command_names()));
}

// One printable line, whatever the argument or path in it holds.
std::string one_line(std::string_view text) {
  constexpr std::size_t kLongest = 1000;
  std::string line;
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text.size() > kLongest ? line + "..." : line;
}

int complain(const std::exception& error, int code) {
  say(stderr, "dve-sim: {}\n", one_line(error.what()));
  return code;
}

// One error a line already.
int complain_lines(const AssemblyError& error) {
  std::istringstream lines(error.what());
  for (std::string line; std::getline(lines, line);) say(stderr, "dve-sim: {}\n", one_line(line));
  return kInput;
}

int guarded(const std::vector<std::string>& arguments) {
  try {
    return dispatch(arguments);
  } catch (const UsageError& error) {
    return complain(error, kUsage);
  } catch (const config::Error& error) {
    return complain(error, kInput);
  } catch (const AssemblyError& error) {
    return complain_lines(error);
  } catch (const layer::InputError& error) {
    return complain(error, kInput);
  } catch (const runtime::PlanError& error) {
    return complain(error, kInput);
  } catch (const HostAccessError& error) {
    return complain(error, kInput);
  } catch (const layer::OutputError& error) {
    return complain(error, kOutput);
  } catch (const slurm::Unavailable& error) {
    return complain(error, kUnavailable);
  } catch (const std::bad_alloc&) {
    say(stderr, "dve-sim: internal error: out of memory\n");
  } catch (const std::exception& error) {
    say(stderr, "dve-sim: internal error: {}\n", error.what());
  }
  return kInternal;
}

}  // namespace

ProgramManual program_manual() {
  ProgramManual manual{kSummary, kAbout, kExitCodes, kEnvironment, {}};
  for (const Command& command : kCommands) {
    manual.commands.push_back(command.manual());
    manual.commands.back().name = command.name;
  }
  return manual;
}

int run_program(const std::vector<std::string>& arguments) {
  int code = guarded(arguments);
  // What was printed must have arrived: a full disk behind a redirection is an error like any other.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    say(stderr, "dve-sim: standard output: {}\n", std::strerror(errno));
    code = kOutput;
  }
  return code;
}

}  // namespace dve::app
