// A target model that keeps bytes, records what the guard lets through, and misbehaves on request.
#pragma once

#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#include "dve/tlm/tlm.h"
#include "support/initiator_tester.h"

namespace dve::test {

struct RecordingModel : TargetModel {
  struct Call {
    bool write;
    std::uint64_t address, length;
    bool debug;
    friend bool operator==(const Call& a, const Call& b) {
      return a.write == b.write && a.address == b.address && a.length == b.length && a.debug == b.debug;
    }
  };
  explicit RecordingModel(std::size_t size) : bytes(size, 0x11) {}

  tlm::tlm_response_status access(const PlainAccess& a, sc_core::sc_time& delay) override {
    calls.push_back({a.write, a.address, a.length, a.debug});
    if (before_access) before_access(delay);
    if (a.address + a.length > bytes.size()) return tlm::TLM_OK_RESPONSE;  // tests with 2^64 ranges
    std::memcpy(a.write ? &bytes[a.address] : a.data, a.write ? a.data : &bytes[a.address], a.length);
    return status;
  }
  tlm::tlm_response_status tensor_access(bool, std::uint64_t address, const TensorExtension&, std::uint8_t*,
                                         sc_core::sc_time&) override {
    tensor_calls.push_back(address);
    return status;
  }
  bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    ++transports;
    return in_transport && in_transport(payload);
  }
  bool contains(std::uint64_t address, std::uint64_t length) const override {
    return hole_first >= address + length || hole_last < address;
  }
  bool offers_dmi() const override { return dmi_offered; }
  bool dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer) override {
    if (dmi_throws) throw std::runtime_error("dmi failed");
    if (address >= 48) return false;  // the upper part refuses
    range = {16, 47};
    pointer = bytes.data() + 16;
    return address >= 16;
  }

  Bytes bytes;
  std::vector<Call> calls;
  std::vector<std::uint64_t> tensor_calls;
  int transports = 0;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  std::function<void(sc_core::sc_time&)> before_access;
  std::function<bool(tlm::tlm_generic_payload&)> in_transport;
  std::uint64_t hole_first = UINT64_MAX, hole_last = UINT64_MAX;  // a hole of one byte range
  bool dmi_offered = false;
  bool dmi_throws = false;
};

// A module around the guard, as sockets need one; the socket has the module's name.
struct TestTarget : sc_core::sc_module, GuardedTarget {
  TestTarget(sc_core::sc_module_name module_name, TargetModel& model, const TargetCapabilities& capabilities)
      : sc_module(module_name), GuardedTarget(basename(), model, capabilities) {}
};

inline TargetCapabilities bytes_64() {
  TargetCapabilities c;
  c.size = 64;
  return c;
}

}  // namespace dve::test
