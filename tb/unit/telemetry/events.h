// Words, made up of round numbers, for the recorders: an engine of 1 GHz, a cycle is 10^6 fs.
#pragma once

#include <string>
#include <vector>

#include "dve/telemetry/telemetry.h"
#include "support/process.h"

namespace dve::telemetry_events {

inline constexpr std::uint64_t kCycle = 1'000'000;  // fs

inline telemetry::Moment at(std::uint64_t cycle) { return {isa::Cycles(cycle), cycle * kCycle}; }
inline telemetry::Interval during(std::uint64_t from, std::uint64_t to) { return {from * kCycle, to * kCycle}; }

// GradAccumulate2 (0x94), word 3 at 0xC0: waits for 5 cycles from cycle 15, for the interlock 10 more, starts in cycle
// 30, reads for 40 cycles through both read ports, next issue after 50, completes after 60.
// All of it `later` cycles later.
inline telemetry::InstructionEvent grad_accumulate(std::uint64_t later = 0) {
  telemetry::InstructionEvent e;
  e.engine = isa::Engine::dve;
  e.word = 3;
  e.pc = 0xC0;
  e.opcode = 0x94;
  const auto moment = [later](std::uint64_t cycle) { return at(later + cycle); };
  const auto use = [later](std::uint64_t from, std::uint64_t to) { return during(later + from, later + to); };
  e.ready = moment(15);
  e.released = moment(20);
  e.start = moment(30);
  e.read_done = moment(70);
  e.complete = moment(90);
  e.next_issue = moment(80);
  e.wait = isa::Cycles(5);
  e.hazard = isa::Cycles(10);
  e.stall = isa::Cycles(2);
  e.ports = {{0, use(30, 70), isa::Bytes(512), {}},
             {1, use(30, 70), isa::Bytes(256), {}},
             {2, use(60, 90), {}, isa::Bytes(12)}};
  e.banks = {{isa::Space::psum, 3, use(30, 70), isa::Bytes(768), isa::Bytes(12)}};
  return e;
}

// A word without waits, ports and banks: from `start`, next issue after `interval`, complete after `total` cycles.
inline telemetry::InstructionEvent plain_word(isa::Engine engine, std::uint64_t word, std::uint64_t start,
                                              std::uint64_t interval, std::uint64_t total) {
  telemetry::InstructionEvent e;
  e.engine = engine;
  e.word = word;
  e.pc = word * 64;
  e.opcode = 0xA4;
  e.ready = e.released = e.start = at(start);
  e.read_done = e.next_issue = at(start + interval);
  e.complete = at(start + total);
  return e;
}

// Selections as the command line would make them.
inline telemetry::Selection window(const std::string& text) {
  telemetry::Selection selection;
  selection.window = telemetry::window_from_string(text).value();
  return selection;
}
inline telemetry::Selection filter(const std::string& text) {
  telemetry::Selection selection;
  std::string unknown;
  selection.filter = telemetry::Filter::from_string(text, unknown).value();
  return selection;
}
inline telemetry::Selection limit(std::uint64_t events) {
  telemetry::Selection selection;
  selection.limit = events;
  return selection;
}

}  // namespace dve::telemetry_events
