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

// The grants that an initiator holds, to be asked before a socket call. The initiator enters what
// get_direct_mem_ptr granted and forwards every invalidation: that is its whole obligation.
class DmiCache {
 public:
  struct Grant {
    DmiRange range;
    std::uint8_t* pointer = nullptr;  // host address of range.first
    bool read = false, write = false;
  };
  // Host pointer for [address, address + bytes), or null when it is not wholly granted for that direction. May span
  // several grants that lie next to each other in host memory too.
  std::uint8_t* find(std::uint64_t address, std::uint64_t bytes, bool write) const;
  // Enters a grant. A descriptor without access or pointer is no grant and changes nothing. Where it overlaps an older
  // grant of the same host bytes the permissions add up; where the host bytes differ the new grant replaces the old.
  void insert(const tlm::tlm_dmi& dmi);
  // Drops [first, last]; what lies outside stays granted.
  void invalidate(std::uint64_t first, std::uint64_t last);
  void clear() { grants_.clear(); }
  bool empty() const { return grants_.empty(); }

 private:
  std::vector<Grant> grants_;  // sorted by range.first, disjoint
};

}  // namespace dve
