#include "banks.h"

#include <algorithm>
#include <array>
#include <map>

namespace dve::execute {
namespace {

// A stretch of consecutive bytes of one partition, bank by bank.
std::vector<BankBytes> cut(std::uint64_t first, std::uint64_t bytes, std::uint64_t bank_bytes, std::uint32_t channels) {
  std::vector<BankBytes> banks;
  for (std::uint64_t at = first; at < first + bytes;) {
    const std::uint64_t end = std::min(first + bytes, (at / bank_bytes + 1) * bank_bytes);
    banks.push_back({static_cast<std::uint32_t>(at / bank_bytes), isa::Bytes((end - at) * channels)});
    at = end;
  }
  return banks;
}

// Element by element, in stream order.
std::vector<BankBytes> walk(const Access& access, std::uint64_t bank_bytes) {
  const auto element_bytes = static_cast<std::int64_t>(isa::storage_size(access.dtype).value);
  std::map<std::uint32_t, isa::Bytes> found;
  std::array<std::uint64_t, 4> index{};
  for (std::uint64_t i = 0; i < access.elements.value; ++i) {
    std::int64_t element = 0;
    for (std::size_t d = 0; d < 4; ++d) element += static_cast<std::int64_t>(index[d]) * access.pattern.step_elem[d];
    const std::uint64_t byte = static_cast<std::uint64_t>(access.start.offset + element * element_bytes);
    found[static_cast<std::uint32_t>(byte / bank_bytes)] +=
        isa::Bytes(static_cast<std::uint64_t>(element_bytes) * access.channels);
    for (std::size_t d = 0; d < 4 && ++index[d] == access.pattern.num_elem[d] && d + 1 < 4; ++d) index[d] = 0;
  }
  std::vector<BankBytes> banks;
  for (const auto& [bank, bytes] : found) banks.push_back({bank, bytes});
  return banks;
}

}  // namespace

std::vector<BankBytes> bytes_per_bank(const Access& access, isa::Bytes bank_bytes) {
  const auto element_bytes = static_cast<std::int64_t>(isa::storage_size(access.dtype).value);
  const isa::AccessPattern::Extent extent = access.pattern.extent();
  const auto byte_of = [&](std::int64_t element) {
    return static_cast<std::uint64_t>(access.start.offset + element * element_bytes);
  };
  const std::uint64_t lowest = byte_of(extent.lowest) / bank_bytes.value;
  if (access.elements.value == 0) return {};
  if (lowest == (byte_of(extent.highest) + static_cast<std::uint64_t>(element_bytes) - 1) / bank_bytes.value)
    return {{static_cast<std::uint32_t>(lowest), access.packed_bytes()}};
  if (access.pattern.contiguous())
    return cut(access.start.offset, access.elements.value * static_cast<std::uint64_t>(element_bytes), bank_bytes.value,
               access.channels);
  return walk(access, bank_bytes.value);
}

}  // namespace dve::execute
