// Inside the isa block: bytes that must be zero.
#pragma once

#include <algorithm>

namespace dve::isa {

template <class Values>
bool all_zero(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](auto value) { return value == 0; });
}

}  // namespace dve::isa
