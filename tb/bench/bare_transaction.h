// The yardstick of the port models' speed: one 4-phase TLM transaction with nothing around it.
#pragma once

#include <cstdint>

namespace dve::bench {

// Moves `count` transactions, one after the other, between an initiator and a target with a payload event queue each:
// BEGIN_REQ, END_REQ, BEGIN_RESP a cycle later, END_RESP; a payload from a pool each, no data. The modules are
// elaborated by the first call.
void bare_transactions(std::uint64_t count);

}  // namespace dve::bench
