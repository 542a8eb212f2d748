// DMI ranges without off-by-one arithmetic, and the initiator's cache of grants.
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

namespace dve {

// A non-empty address range with an inclusive end, as TLM-2.0 DMI has it.
struct DmiRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  static DmiRange of(std::uint64_t first, std::uint64_t length) { return {first, first + (length - 1)}; }
  std::uint64_t length() const { return last - first + 1; }  // 0 stands for 2^64
  bool contains(std::uint64_t address) const { return first <= address && address <= last; }
  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return contains(address) && (bytes == 0 || bytes - 1 <= last - address);
  }
  bool overlaps(const DmiRange& other) const { return first <= other.last && other.first <= last; }
};

// Grants that an initiator holds. lookup() answers from the cache or asks the socket once; invalidate() drops whatever
// overlaps, which is the whole obligation of an initiator.
class DmiCache {
 public:
  struct Grant {
    DmiRange range;
    std::uint8_t* pointer = nullptr;  // host address of range.first
    bool read = false, write = false;
  };
  // Host pointer for [address, address + bytes), or null when it is not (wholly) granted.
  std::uint8_t* find(std::uint64_t address, std::uint64_t bytes, bool write) const;
  void insert(const tlm::tlm_dmi& dmi);
  void invalidate(std::uint64_t first, std::uint64_t last);
  void clear() { grants_.clear(); }
  bool empty() const { return grants_.empty(); }

 private:
  std::vector<Grant> grants_;  // sorted by range.first, disjoint
};

}  // namespace dve
