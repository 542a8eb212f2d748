#include "time_text.h"

#include <fmt/format.h>

namespace dve::telemetry {

std::string nanoseconds_text(std::uint64_t fs) { return fmt::format("{}.{:06}", fs / 1'000'000, fs % 1'000'000); }

}  // namespace dve::telemetry
