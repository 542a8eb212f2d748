// What a target model tells the socket guard about itself, and what the guard calls.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "dmi.h"
#include "tensor_extension.h"

namespace dve {

// What a target can do; everything else is answered by the guard with the response of the table in guarded_target.h.
struct TargetCapabilities {
  std::uint64_t size = 0;  // bytes of the target's local address range; accesses must lie inside
  bool readable = true;
  bool writable = true;
  bool byte_enables = true;     // lowered to plain accesses by the guard
  bool streaming = true;        // streaming width < length lowered by the guard
  std::uint32_t alignment = 1;  // required of address, length and streaming width (register windows: 4), at least 1
  std::uint64_t exact_length =
      0;                 // non-zero: the only length accepted (issue socket: 64); excludes both lowerings above
  bool tensors = false;  // payloads with a TensorExtension are passed to tensor_access()
};

// A plain access after the guard: inside the range, aligned, no byte enables, no wrapping, length at least 1.
struct PlainAccess {
  bool write = false;
  std::uint64_t address = 0;
  std::uint8_t* data = nullptr;
  std::uint64_t length = 0;
  bool debug = false;  // transport_dbg: no waiting, no effect on time or on state other than the bytes
};

// Implemented by the model behind a GuardedTarget.
class TargetModel {
 public:
  virtual ~TargetModel() = default;
  virtual tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) = 0;
  // Only when capabilities().tensors; `address` is local to the target and inside its size; the extension is valid in
  // itself (see check_tensor). Also serves debug accesses, so it must not wait. Default: COMMAND_ERROR.
  virtual tlm::tlm_response_status tensor_access(bool write, std::uint64_t address, const TensorExtension& tensor,
                                                 std::uint8_t* data, sc_core::sc_time& delay);
  // The whole payload of a plain read or write (already checked), before access(): for targets that look at extensions
  // of their own. True: the payload is served and its response set. Default: false, the guard goes on to access(). Not
  // called for debug accesses and tensor payloads.
  virtual bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  // Whether all of [address, address + length) exists; it lies inside capabilities().size. The guard answers
  // ADDRESS_ERROR otherwise, before any part is transferred. Default: true. For targets with holes.
  virtual bool contains(std::uint64_t address, std::uint64_t length) const;
  // Whether dmi() may grant at present: the DMI hint of plain accesses. Default: false.
  virtual bool offers_dmi() const;
  // Grants DMI for the address, narrowing `range` to what is contiguous in host memory around it; `pointer` is the host
  // address of range.first. Called only while offers_dmi(). Default: refuses.
  virtual bool dmi(std::uint64_t address, DmiRange& range, std::uint8_t*& pointer);
};

}  // namespace dve
