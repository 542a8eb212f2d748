// Stalls at will, for tests.
#pragma once

#include <cstdint>
#include <functional>

namespace dve::pins {

// Whether one side of a hand-shake holds it up after the rising edge `edge`, counted from the last reset (the first
// edge at which reset is low is number 0). A source does not offer a new beat then, one that is offered stays; a sink
// is not ready. Empty: never. Asked in increasing order of edges, at most once each.
using Stall = std::function<bool(std::uint64_t edge)>;

inline bool stalls(const Stall& stall, std::uint64_t edge) { return stall && stall(edge); }

}  // namespace dve::pins
