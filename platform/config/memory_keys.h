// The keys memory.*: ports, banks and arbiters (microarchitecture.md 3.1, 4).
#pragma once

#include <vector>

#include "keys.h"

namespace dve::config {

void add_memory_keys(std::vector<Key>& all);

}  // namespace dve::config
