// The socket guard: every incoming call is checked before a model sees it (style: one response table for all targets).
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include "dmi.h"
#include "tensor_extension.h"

namespace dve {

// What a target can do; everything else is answered by the guard with the response of the table below.
struct TargetCapabilities {
  std::uint64_t size = 0;            // bytes of the target's local address range; accesses must lie inside
  bool readable = true;
  bool writable = true;
  bool byte_enables = true;          // lowered to plain accesses by the guard
  bool streaming = true;             // streaming width < length lowered by the guard
  std::uint32_t alignment = 1;       // required of address and length (register windows: 4)
  std::uint64_t exact_length = 0;    // non-zero: the only length accepted (issue socket: 64)
  bool tensors = false;              // payloads with a TensorExtension are passed to tensor_access()
};

// A plain access after the guard: inside the range, aligned, no byte enables, no wrapping.
struct PlainAccess {
  bool write = false;
  std::uint64_t address = 0;
  std::uint8_t* data = nullptr;
  std::uint64_t length = 0;
  bool debug = false;  // transport_dbg: no side effects on time or state other than the bytes
};

// Implemented by the model behind a GuardedTarget.
class TargetModel {
 public:
  virtual ~TargetModel() = default;
  virtual tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) = 0;
  // Only when capabilities().tensors; `address` is local to the target.
  virtual tlm::tlm_response_status tensor_access(bool write, std::uint64_t address, const TensorExtension& tensor,
                                                 std::uint8_t* data, sc_core::sc_time& delay);
  // The whole payload (already checked), before access(): for targets that look at extensions of their own. True: the
  // payload is served and its response set. Default: false, the guard goes on to access().
  virtual bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  // Grants DMI for the address, narrowing `range` to what is contiguous in host memory. Default: refuses.
  virtual bool dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer);
};

// Response table (the only one):
//   range outside the target, including wrap at 2^64            ADDRESS_ERROR
//   write to read-only, read of write-only                      COMMAND_ERROR
//   streaming width 0, unsupported streaming, length, alignment BURST_ERROR
//   byte enables unsupported, or pointer without length         BYTE_ENABLE_ERROR
//   IGNORE command                                              OK, no effect
//   response not INCOMPLETE on entry, null data with length > 0,
//   caller not a thread process                                 GENERIC_ERROR, and a warning that names the socket
// After the model returns the guard verifies: response set, address, command and length unchanged, delay not smaller.
class GuardedTarget {
 public:
  GuardedTarget(const std::string& name, TargetModel& model, const TargetCapabilities& capabilities);
  tlm_utils::simple_target_socket<GuardedTarget> socket;
  const TargetCapabilities& capabilities() const { return capabilities_; }
  // Withdraws every DMI grant that overlaps the range (local addresses).
  void invalidate_dmi(const DmiRange& range);

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);

  TargetModel& model_;
  TargetCapabilities capabilities_;
};

}  // namespace dve
