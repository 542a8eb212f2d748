#include "dmi.h"

#include <algorithm>

namespace dve {
namespace {

using Grant = DmiCache::Grant;

// The part of a grant inside [first, last], which overlaps it.
Grant cut(const Grant& grant, std::uint64_t first, std::uint64_t last) {
  Grant part = grant;
  part.range = {std::max(first, grant.range.first), std::min(last, grant.range.last)};
  part.pointer = grant.pointer + (part.range.first - grant.range.first);
  return part;
}

// What remains of a grant outside `gone`: up to two parts.
void append_outside(const Grant& grant, const DmiRange& gone, std::vector<Grant>& out) {
  if (!grant.range.overlaps(gone)) {
    out.push_back(grant);
    return;
  }
  if (grant.range.first < gone.first) out.push_back(cut(grant, grant.range.first, gone.first - 1));
  if (gone.last < grant.range.last) out.push_back(cut(grant, gone.last + 1, grant.range.last));
}

void sort(std::vector<Grant>& grants) {
  std::sort(grants.begin(), grants.end(), [](const Grant& a, const Grant& b) { return a.range.first < b.range.first; });
}

}  // namespace

std::uint8_t* DmiCache::find(std::uint64_t address, std::uint64_t bytes, bool write) const {
  auto grant = std::upper_bound(grants_.begin(), grants_.end(), address,
                                [](std::uint64_t a, const Grant& g) { return a < g.range.first; });
  if (grant == grants_.begin()) return nullptr;
  --grant;
  if (!grant->range.contains(address)) return nullptr;
  const std::uint64_t last = address + (bytes == 0 ? 0 : bytes - 1);
  if (last < address) return nullptr;  // wraps at 2^64
  std::uint8_t* const pointer = grant->pointer + (address - grant->range.first);
  while (write ? grant->write : grant->read) {
    if (last <= grant->range.last) return pointer;
    const auto next = grant + 1;
    const bool adjacent = next != grants_.end() && next->range.first == grant->range.last + 1 &&
                          next->pointer == grant->pointer + grant->range.length();
    if (!adjacent) return nullptr;
    grant = next;
  }
  return nullptr;
}

void DmiCache::insert(const tlm::tlm_dmi& dmi) {
  const DmiRange range{dmi.get_start_address(), dmi.get_end_address()};
  if (dmi.get_dmi_ptr() == nullptr || dmi.is_none_allowed() || range.last < range.first) return;
  const Grant fresh{range, dmi.get_dmi_ptr(), dmi.is_read_allowed(), dmi.is_write_allowed()};
  std::vector<Grant> result;
  std::vector<Grant> uncovered{fresh};  // parts of `fresh` that no older grant of the same bytes overlaps
  for (const Grant& old : grants_) {
    append_outside(old, range, result);
    if (!old.range.overlaps(range)) continue;
    Grant both = cut(old, range.first, range.last);
    const Grant mine = cut(fresh, both.range.first, both.range.last);
    if (both.pointer != mine.pointer) continue;
    both.read |= fresh.read;
    both.write |= fresh.write;
    result.push_back(both);
    std::vector<Grant> rest;
    for (const Grant& part : uncovered) append_outside(part, both.range, rest);
    uncovered.swap(rest);
  }
  result.insert(result.end(), uncovered.begin(), uncovered.end());
  sort(result);
  grants_.swap(result);
}

void DmiCache::invalidate(std::uint64_t first, std::uint64_t last) {
  if (last < first) return;
  std::vector<Grant> rest;
  for (const Grant& grant : grants_) append_outside(grant, {first, last}, rest);
  grants_.swap(rest);
}

}  // namespace dve
