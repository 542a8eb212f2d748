// One port of the engine: operands in place where the memory allows it, as packed copies elsewhere.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "dve/execute/execute.h"
#include "dve/tlm/tlm.h"

namespace dve {

// An operand's bytes channel by channel, for operands that are not in place. Meant to be used again and again.
struct PackedOperand {
  std::vector<std::uint8_t> bytes;
  std::array<std::uint8_t*, isa::kPartitions> channels{};
};

// Stands for: a read or write interface of the DVE to the core's port router.
// An operand is one transaction with a TensorExtension, or, where the memory grants DMI on every partition involved,
// the same bytes in place: contiguous ones are not moved at all, others are gathered or scattered. All of it moves the
// same data and counts as one transaction. Time: none; the engine's pipeline accounts for streaming cycles. Does not
// model: beats, arbitration, back-pressure.
class OperandPort : public sc_core::sc_module {
 public:
  OperandPort(sc_core::sc_module_name name, isa::Generation generation, bool use_dmi);
  tlm_utils::simple_initiator_socket<OperandPort> socket;

  // Sets `rows` to where the source's elements lie: in memory itself, or in `copy`.
  tlm::tlm_response_status read(const execute::Access& access, PackedOperand& copy, kernels::Rows& rows);
  // Where a destination's elements are to be put: in memory itself, when `in_place` and possible, or in `copy`.
  kernels::ResultRows destination(const execute::Access& access, bool in_place, PackedOperand& copy);
  // Brings what was put there to its place.
  tlm::tlm_response_status write(const execute::Access& access, const kernels::ResultRows& rows, PackedOperand& copy);

 private:
  // Host pointers of byte 0 of all partitions of a memory, and which of their pages are granted, one bit each.
  struct Partitions {
    std::array<std::uint8_t*, isa::kPartitions> pointers{};
    std::array<std::uint64_t, isa::kPartitions> pages{};
  };
  // Those of the operand's partitions on; null when a page that it uses is not granted.
  std::uint8_t* const* partitions(const execute::Access& access, bool write);
  bool grant_pages(Partitions& all, std::uint32_t partition, std::uint64_t pages, const isa::SpaceGeometry& geometry,
                   bool write);
  std::uint8_t* granted(std::uint64_t address, std::uint64_t bytes, bool write);
  tlm::tlm_response_status transport(const execute::Access& access, bool write, std::uint8_t* packed);
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last);

  isa::Generation generation_;
  bool use_dmi_;
  DmiCache dmi_;
  std::array<std::array<Partitions, 2>, 2> partitions_;  // by space and direction
  tlm::tlm_generic_payload payload_;
  TensorExtension tensor_;
};

}  // namespace dve
