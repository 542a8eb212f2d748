// The verilated memories of bench/pin_memories.sv, without Verilator's types.
#pragma once

#include <memory>
#include <systemc>

#include "dve/pins/pins.h"

namespace dve::cosim {

inline constexpr std::uint64_t kMemoryWords = 1024;  // of the SRAM of 4 bytes, and of the AXI memory of 8
inline constexpr std::uint64_t kSramLatency = 2;

// The signals on their pins.
struct MemorySignals {
  sc_core::sc_signal<bool> reset{"reset"};
  pins::SramPins<pins::Signal, pins::Signal, 32, 10> sram{"sram_"};
  pins::AxiPins<pins::Signal, pins::Signal, 64, 32, 4> axi{"axi_"};
};

std::unique_ptr<sc_core::sc_module> make_pin_memories(sc_core::sc_clock& clk, MemorySignals& signals);

}  // namespace dve::cosim
