// Programs as a whole: from start to finish, and their memory.
#pragma once

#include <string>
#include <vector>

namespace dve::bench {

// Runs a program with its output thrown away and returns its peak resident memory in KiB. std::runtime_error when it
// does not end with 0.
long run_program(const std::vector<std::string>& command);

}  // namespace dve::bench
