// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace dve::page {

// Three significant digits and a unit that keeps the number readable: "2.79 µs".
std::string time_text(double ns);
// Of a whole: "34 %", "3.4 %", "< 0.1 %".
std::string percent_text(double share);
// "1.25 times".
std::string times_text(double ratio);
// "1 point", "18 points".
std::string count_text(std::uint64_t count, const std::string& one, const std::string& many);

}  // namespace dve::page
