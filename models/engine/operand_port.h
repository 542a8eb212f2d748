// One port of the engine: moves whole operands between memory and packed buffers.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "dve/execute/execute.h"
#include "dve/tlm/tlm.h"

namespace dve {

// Stands for: a read or write interface of the DVE to the core's port router.
// An operand is one transaction with a TensorExtension, or, where the memory grants DMI on every partition involved,
// the same bytes in place. Both move the same data and count as one transaction. Time: none; the engine's pipeline
// accounts for streaming cycles. Does not model: beats, arbitration, back-pressure.
class OperandPort : public sc_core::sc_module {
 public:
  OperandPort(sc_core::sc_module_name name, isa::Generation generation, bool use_dmi);
  tlm_utils::simple_initiator_socket<OperandPort> socket;

  tlm::tlm_response_status read(const execute::Access& access, std::vector<std::uint8_t>& packed);
  tlm::tlm_response_status write(const execute::Access& access, std::vector<std::uint8_t>& packed);

 private:
  // Host pointers of byte 0 of each of the operand's partitions; false when one is not granted.
  bool in_place(const execute::Access& access, bool write, std::vector<std::uint8_t*>& partitions);
  std::uint8_t* granted(std::uint64_t address, std::uint64_t bytes, bool write);
  tlm::tlm_response_status transport(const execute::Access& access, bool write, std::uint8_t* packed);
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

  isa::Generation generation_;
  bool use_dmi_;
  DmiCache dmi_;
  std::vector<std::uint8_t*> partitions_;
  tlm::tlm_generic_payload payload_;
  TensorExtension tensor_;
};

}  // namespace dve
