#include "bank_runs.h"

#include <algorithm>

namespace dve::contention {

void append_beats(std::vector<BankRun>& runs, isa::Space space, std::uint32_t bank, std::uint64_t beats) {
  if (!runs.empty() && runs.back().bank == bank)
    runs.back().beats += beats;
  else
    runs.push_back({space, bank, beats});
}

void append_span(std::vector<BankRun>& runs, isa::Space space, std::uint64_t first, std::uint64_t beats,
                 std::uint64_t beat_bytes, const Parameters& parameters) {
  const std::uint64_t bank = bank_bytes(parameters, space).value;
  for (std::uint64_t done = 0; done < beats;) {
    const std::uint64_t at = first + done * beat_bytes;
    const std::uint64_t to_next_bank = (bank - at % bank + beat_bytes - 1) / beat_bytes;
    const std::uint64_t count = std::min(to_next_bank, beats - done);
    append_beats(runs, space, static_cast<std::uint32_t>(at / bank), count);
    done += count;
  }
}

}  // namespace dve::contention
