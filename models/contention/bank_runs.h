// Where consecutive beats lie.
#pragma once

#include <cstdint>
#include <vector>

#include "job.h"
#include "parameters.h"

namespace dve::contention {

// Appends `beats` beats to a bank; neighbouring runs of one bank are one.
void append_beats(std::vector<BankRun>& runs, isa::Space space, std::uint32_t bank, std::uint64_t beats);

// Appends beats of `beat_bytes` each that follow each other from byte `first` of a partition on; a beat lies in the
// bank of its first byte.
void append_span(std::vector<BankRun>& runs, isa::Space space, std::uint64_t first, std::uint64_t beats,
                 std::uint64_t beat_bytes, const Parameters& parameters);

}  // namespace dve::contention
