#include "parameter_ram.h"

#include <cstring>

namespace dve {
namespace {

constexpr std::uint32_t kEntryBytes = 4;

TargetCapabilities capabilities() {
  TargetCapabilities c;
  c.size = isa::kParamRamEntries * kEntryBytes;
  c.byte_enables = false;
  c.streaming = false;
  c.alignment = kEntryBytes;
  return c;
}

}  // namespace

ParameterRam::ParameterRam(sc_core::sc_module_name module_name)
    : sc_module(module_name), in("in", *this, capabilities()) {}

bool ParameterRam::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  auto* wanted = payload.get_extension<LoadedExtension>();
  if (wanted != nullptr && payload.is_read()) wanted->loaded = loaded_;
  return false;
}

tlm::tlm_response_status ParameterRam::access(const PlainAccess& access, sc_core::sc_time&) {
  std::uint8_t* bytes = bytes_.data() + access.address;
  if (access.write) {
    std::memcpy(bytes, access.data, access.length);
    for (std::uint64_t i = 0; i < access.length; i += kEntryBytes) loaded_.set((access.address + i) / kEntryBytes);
  } else {
    std::memcpy(access.data, bytes, access.length);
  }
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace dve
