// Walks a program the way host and engines would, with labels in place of data, and reports what is wrong with it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dve/runtime/runtime.h"

namespace dve::test {

// What a walk has seen: for every first channel of a pass, which element ranges the words covered, in order.
struct Coverage {
  std::map<std::uint32_t, std::vector<runtime::ElementRange>> stats, sums, gradients, stored;
  std::map<std::uint32_t, std::vector<runtime::ElementRange>> forward, stored_y;  // full step
  std::map<std::uint32_t, std::set<std::string>> stored_vectors;                  // sums, mean, inv_std
};

// Checks while walking: every read finds exactly what an earlier word or action of the right kind wrote there (so
// regions do not overlap and tiles are not overwritten too early), results are stored before they are overwritten, A, B
// and C are where ParamLoad reads them, all inside the active bytes; waits and updates fit the numbered steps, and no
// two engines, or an engine and the host, meet in the same bytes. `seed`: one of the orders that the semaphores allow
// (interleaving.h). Returns the problems, none for a good program.
std::vector<std::string> walk(const runtime::Program& program, Coverage& coverage, std::uint32_t seed = 1);

}  // namespace dve::test
