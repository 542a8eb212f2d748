// What recorders are told: plain values, one struct a kind of event. Times are femtoseconds of simulation time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::telemetry {

// From `start` to before `end`; start <= end.
struct Interval {
  std::uint64_t start_fs = 0;
  std::uint64_t end_fs = 0;
};

// The ports of an engine in the order in which traces show them (design: two readers, one writer, Parameter-RAM).
inline constexpr std::string_view kPortNames[] = {"read0", "read1", "write", "param"};
inline constexpr std::size_t kPorts = sizeof(kPortNames) / sizeof(kPortNames[0]);

// A word's use of one port of its engine.
struct PortUse {
  std::size_t port = 0;  // index in kPortNames
  Interval when;
  isa::Bytes read{};
  isa::Bytes written{};
};

// A word's use of one bank of a memory.
struct BankUse {
  isa::Space space = isa::Space::sbuf;
  std::uint32_t bank = 0;
  Interval when;
  isa::Bytes read{};
  isa::Bytes written{};
};

// The moments of a word, each in cycles of its engine and in femtoseconds.
struct Moment {
  isa::Cycles cycle{};
  std::uint64_t fs = 0;
};

// A word that an engine (or its sequencer) has executed. ready <= released <= start <= read_done <= complete, and
// start <= next_issue; all zero in a run without time.
struct InstructionEvent {
  isa::Engine engine = isa::Engine::dve;
  std::uint64_t word = 0;  // index in the engine's stream
  std::uint64_t pc = 0;    // address
  std::uint8_t opcode = 0;
  Moment ready;                           // could have started as far as the words before it go
  Moment released;                        // its wait condition held
  Moment start;                           // the interlock let it go
  Moment read_done;                       // sources read
  Moment complete;                        // results stored
  Moment next_issue;                      // earliest start of the next word
  isa::Cycles wait{}, hazard{}, stall{};  // cycles lost to the wait, the interlock, and busy ports
  std::vector<PortUse> ports;             // at most one a port; only ports that moved bytes
  std::vector<BankUse> banks;             // at most one a bank
};

// A semaphore that has changed its value. Events come in order of time.
struct SemaphoreEvent {
  std::uint8_t index = 0;
  std::int32_t value = 0;  // after the change
  std::string who;         // engine, or "host"
  std::uint64_t fs = 0;
};

// Bytes moved by somebody who executes no words: a DMA engine, background traffic on the ports.
struct TransferEvent {
  std::string user;  // "dma0", "pe", ...: names the track
  Interval when;
  isa::Bytes bytes{};
  std::string label;  // what the slice is called
};

}  // namespace dve::telemetry
