#include "flat_memory.h"

#include <algorithm>
#include <cstring>

namespace dve {
namespace {

constexpr std::uint64_t kDmiBlock = std::uint64_t{1} << 20;

TargetCapabilities capabilities(std::uint64_t size) {
  TargetCapabilities c;
  c.size = size;
  return c;
}

}  // namespace

FlatMemory::FlatMemory(sc_core::sc_module_name module_name, std::uint64_t size, std::uint64_t poison_seed, bool dmi)
    : sc_module(module_name),
      in("in", *this, capabilities(size)),
      bytes_(name(), size, poison_seed),
      dmi_allowed_(dmi) {}

tlm::tlm_response_status FlatMemory::access(const PlainAccess& access, sc_core::sc_time&) {
  std::uint8_t* bytes = bytes_.touch(access.address, access.length);
  std::memcpy(access.write ? bytes : access.data, access.write ? access.data : bytes, access.length);
  return tlm::TLM_OK_RESPONSE;
}

bool FlatMemory::dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer) {
  const std::uint64_t first = address - address % kDmiBlock;
  range = DmiRange::of(first, std::min(kDmiBlock, bytes_.size() - first));
  pointer = bytes_.touch(range.first, range.length());
  return true;
}

}  // namespace dve
