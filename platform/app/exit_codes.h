// Exit codes of dve-sim (interfaces.md 1).
#pragma once

namespace dve::app {

enum ExitCode : int {
  kOk = 0,
  kCompareFailed = 1,
  kUsage = 2,
  kInput = 3,         // configuration or input file
  kFault = 4,         // instruction fault, or check with findings
  kDeadlock = 5,      // or --max-cycles reached
  kOutput = 6,        // output cannot be written
  kUnavailable = 69,  // the batch system is missing, refuses, or its nodes cannot run the program
  kInternal = 70,
  kInterrupted = 130
};

}  // namespace dve::app
