// The socket guard: every incoming call is checked before a model sees it (style: one response table for all targets).
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "dmi.h"
#include "target_model.h"
#include "tensor_extension.h"

namespace dve {

// Response table (the only one; where several rows apply the first decides, but the GENERIC_ERROR row goes before all):
//   range outside the target, including wrap at 2^64, holes     ADDRESS_ERROR
//   write to read-only, read of write-only                      COMMAND_ERROR
//   length 0, streaming width 0, unsupported streaming, length,
//   alignment                                                   BURST_ERROR
//   byte enables unsupported, with values other than on and
//   off, or pointer without length                              BYTE_ENABLE_ERROR
//   IGNORE command                                              OK, no effect: never reaches the model
//   response not INCOMPLETE on entry, null data with length > 0,
//   caller not a thread process                                 GENERIC_ERROR, and a warning that names the socket
// Tensor payloads: see check_tensor in payload_check.h. With streaming the range is that of the streaming width.
//
// After the model returns the guard verifies: response set, address, command and length unchanged, local time (now plus
// delay: a model may wait) not smaller. A broken promise, or an exception other than the kernel's unwinding, becomes
// GENERIC_ERROR with a warning; address, command, length and delay are then put back.
//
// transport_dbg: all or nothing, returns the length or 0. Range, command, length and alignment rules hold as above;
// byte enables and streaming width are ignored, as TLM-2.0 has it. Touches neither the response nor time.
//
// get_direct_mem_ptr: a refusal grants access NONE over the range refused: the whole target when it offers no DMI, else
// the address alone.
class GuardedTarget {
 public:
  // `name` is the socket's. Throws std::invalid_argument for alignment 0.
  GuardedTarget(const std::string& name, TargetModel& model, const TargetCapabilities& capabilities);
  tlm_utils::simple_target_socket<GuardedTarget> socket;
  const TargetCapabilities& capabilities() const { return capabilities_; }
  // Withdraws every DMI grant that overlaps the range (local addresses). Before the socket is bound there is none.
  void invalidate_dmi(const DmiRange& range);

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);

  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void serve_plain(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool debug_access(tlm::tlm_generic_payload& payload);
  bool grant(const tlm::tlm_generic_payload& payload, DmiRange& range, std::uint8_t*& pointer);
  void violation(tlm::tlm_generic_payload& payload, const std::string& what);

  TargetModel& model_;
  TargetCapabilities capabilities_;
};

}  // namespace dve
