// The subcommands of dve-sim.
#pragma once

#include <string>
#include <vector>

#include "manual.h"

namespace dve::app {

// Each takes the words after the subcommand's name and returns an exit code. Errors are exceptions: UsageError,
// config::Error, layer::InputError, runtime::PlanError, HostAccessError, layer::OutputError; run_program turns them
// into one line and a code.
int run_command(const std::vector<std::string>& arguments);
int sweep_command(const std::vector<std::string>& arguments);
int report_command(const std::vector<std::string>& arguments);
int exec_command(const std::vector<std::string>& arguments);
int asm_command(const std::vector<std::string>& arguments);
int disasm_command(const std::vector<std::string>& arguments);
int check_command(const std::vector<std::string>& arguments);
int config_command(const std::vector<std::string>& arguments);

Manual run_manual();
Manual sweep_manual();
Manual report_manual();
Manual exec_manual();
Manual asm_manual();
Manual disasm_manual();
Manual check_manual();
Manual config_manual();

// The whole program, without the process around it.
int run_program(const std::vector<std::string>& arguments);
ProgramManual program_manual();

}  // namespace dve::app
