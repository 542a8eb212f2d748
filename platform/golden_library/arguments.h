// Inside the golden library: what the functions of its C interface ask of their arguments. All throw Refusal.
#pragma once

#include <fmt/format.h>

#include "dve/isa/isa.h"
#include "handle.h"

namespace dve::golden_library {

inline void need(const void* pointer, const char* name) {
  if (pointer == nullptr) throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, fmt::format("{} is a null pointer", name)};
}

inline void need_below(std::uint64_t value, std::uint64_t end, const char* name) {
  if (end == 0) throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, fmt::format("{} is {}, and there is none", name, value)};
  if (value >= end)
    throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, fmt::format("{} is {}, expected 0 to {}", name, value, end - 1)};
}

inline isa::Engine engine_of(int engine) {
  if (engine < 0 || engine > DVE_GOLDEN_ACT)
    throw Refusal{DVE_GOLDEN_BAD_ARGUMENT,
                  fmt::format("engine is {}, expected DVE_GOLDEN_DVE, _POOL or _ACT (0 to 2)", engine)};
  return static_cast<isa::Engine>(engine);
}

}  // namespace dve::golden_library
