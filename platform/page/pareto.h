// Points that no other point beats.
#pragma once

#include <cstddef>
#include <vector>

namespace dve::page {

// Indices of the points on the Pareto front, both values as small as possible, by ascending x: no other point has both
// values at most as large and one of them smaller. Of equal points the first stands for all. x and y have one length;
// points with a value that is not finite are left out.
std::vector<std::size_t> pareto_front(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace dve::page
