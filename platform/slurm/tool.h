// Another program, run to its end.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace dve::slurm {

// The batch system is not there, refuses, or does not answer. what() names command, answer and what was expected.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ToolEnd {
  int code = 0;        // as in a shell: 128 + signal when killed
  std::string output;  // what it wrote to its outputs, both together
};

// Looked up in PATH, without input, in a process group of its own: a Ctrl-C in the terminal is ours alone. Unavailable:
// it cannot be started.
ToolEnd run_tool(const std::vector<std::string>& words);

// The last line of a text that says something.
std::string last_line(const std::string& text);

}  // namespace dve::slurm
