// Subcommand dispatch and the one place where errors become a line and an exit code.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
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

constexpr const char* kProgramHelp = R"(usage: dve-sim COMMAND [arguments]

Models the part of an AWS NeuronCore that trains batch-norm layers: the sequencer fetches 64-byte instruction words and
dispatches them to the vector engine (DVE) and its neighbours POOL and ACT, which stream tensors from SBUF and PSUM.

commands:
  run      training step of a layer: program, simulation, comparison with float64 and references
  exec     execute a program of instruction words, binary or text
  asm      assembly text to a binary program
  disasm   a binary program as text
  sweep    a layer or a network at many points of configuration and workload
  report   a page (HTML) of what run, exec or sweep left in its folder
  check    every legality rule that a program breaks
  config   the effective configuration, each value with unit and origin

`dve-sim COMMAND --help` explains a command, `dve-sim --version` names version and build. Exit codes: 0 ok, 1 comparison or
points failed, 2 usage, 3 configuration or input file, 4 instruction fault or check with findings, 5 deadlock or
--max-cycles, 6 output cannot be written, 69 batch system not available, 70 internal error, 130 interrupted.
)";

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty())
    throw UsageError("a command is missing: run, sweep, report, exec, asm, disasm, check or config (dve-sim --help)");
  const std::string& command = arguments.front();
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (command == "run") return run_command(rest);
  if (command == "sweep") return sweep_command(rest);
  if (command == "report") return report_command(rest);
  if (command == "exec") return exec_command(rest);
  if (command == "asm") return asm_command(rest);
  if (command == "disasm") return disasm_command(rest);
  if (command == "check") return check_command(rest);
  if (command == "config") return config_command(rest);
  if (command == "--help" || command == "-h" || command == "help") {
    say(stdout, "{}", kProgramHelp);
    return kOk;
  }
  if (command == "--version") {
    say(stdout, "dve-sim {}\nbuild {}\n", version(), build());
    return kOk;
  }
  throw UsageError(
      fmt::format("unknown command '{}', expected run, sweep, report, exec, asm, disasm, check or config", command));
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
