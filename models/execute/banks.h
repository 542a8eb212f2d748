// Which memory banks an operand touches, for traffic statistics.
#pragma once

#include <vector>

#include "core.h"

namespace dve::execute {

// Bytes of an operand in one bank of its memory, over all its channels.
struct BankBytes {
  std::uint32_t bank = 0;
  isa::Bytes bytes;
};

// The banks that the operand touches, ascending; bank = byte offset in the partition / `bank_bytes` (isa.md 2.1).
std::vector<BankBytes> bytes_per_bank(const Access& access, isa::Bytes bank_bytes);

}  // namespace dve::execute
