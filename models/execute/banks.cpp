#include "banks.h"

#include <array>

namespace dve::execute {

std::vector<isa::Bytes> bytes_per_bank(const Access& access, const isa::SpaceGeometry& geometry) {
  std::vector<isa::Bytes> banks(geometry.banks <= 1 ? 1 : geometry.banks);
  if (geometry.banks <= 1) {
    banks[0] = access.packed_bytes();
    return banks;
  }
  const auto element_bytes = static_cast<std::int64_t>(isa::storage_size(access.dtype).value);
  const auto bank_bytes = static_cast<std::int64_t>(geometry.active_per_partition.value / geometry.banks);
  std::array<std::uint64_t, 4> index{};
  for (std::uint64_t i = 0; i < access.elements.value; ++i) {
    std::int64_t element = 0;
    for (std::size_t d = 0; d < 4; ++d) element += static_cast<std::int64_t>(index[d]) * access.pattern.step_elem[d];
    const std::int64_t bank = (access.start.offset + element * element_bytes) / bank_bytes;
    banks[static_cast<std::size_t>(bank)] += isa::Bytes(static_cast<std::uint64_t>(element_bytes) * access.channels);
    for (std::size_t d = 0; d < 4 && ++index[d] == access.pattern.num_elem[d] && d + 1 < 4; ++d) index[d] = 0;
  }
  return banks;
}

}  // namespace dve::execute
