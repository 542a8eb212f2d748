// Some of a sweep's points by number: "3,17,20:40" (40 is the first one that is out).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dve::sweep {

// In the order given; separated by commas, spaces or line ends. `where` leads messages. layer::InputError: no number or
// range, a range without points, a point that is not below `count`, a point given twice, none.
std::vector<std::size_t> parse_points(const std::string& text, std::size_t count, const std::string& where);

std::string points_text(const std::vector<std::size_t>& points);  // one a line

}  // namespace dve::sweep
