// Which memory banks an operand touches, for traffic statistics.
#pragma once

#include <vector>

#include "core.h"

namespace dve::execute {

// Bytes of the operand in each bank of its memory, over all its channels; index = bank (isa.md 2.1: PSUM bank = byte
// offset in the partition / bank size). A memory without published banks counts as one.
std::vector<isa::Bytes> bytes_per_bank(const Access& access, const isa::SpaceGeometry& geometry);

}  // namespace dve::execute
