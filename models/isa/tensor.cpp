#include "tensor.h"

namespace dve::isa {

AccessPattern::Extent AccessPattern::extent() const {
  Extent extent;
  for (std::size_t d = 0; d < num_elem.size(); ++d) {
    if (num_elem[d] == 0) return {};  // no element at all
    const std::int64_t reach = std::int64_t{step_elem[d]} * (num_elem[d] - 1);
    (reach < 0 ? extent.lowest : extent.highest) += reach;
  }
  return extent;
}

bool AccessPattern::contiguous() const {
  std::uint64_t elements = 1;  // in the dimensions below d
  for (std::size_t d = 0; d < num_elem.size(); ++d) {
    if (num_elem[d] == 1) continue;  // a single position: its step is never taken
    if (step_elem[d] < 0 || static_cast<std::uint64_t>(step_elem[d]) != elements) return false;
    elements *= num_elem[d];
  }
  return true;
}

}  // namespace dve::isa
