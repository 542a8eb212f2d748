// Femtoseconds as decimal text in larger units: exact, never through floating point.
#pragma once

#include <cstdint>
#include <string>

namespace dve::telemetry {

std::string nanoseconds_text(std::uint64_t fs);  // "1234.567890": six decimals

}  // namespace dve::telemetry
