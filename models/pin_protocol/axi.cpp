#include "axi.h"

namespace dve::pins {

namespace {

// The address of the beat: of its first byte, which in the first beat need not be aligned.
std::uint64_t address_of(const AxiAddress& burst, std::uint32_t beat) {
  const std::uint64_t bytes = burst.beat_bytes();
  if (beat == 0 || burst.burst == AxiBurst::fixed) return burst.address;
  const std::uint64_t address = burst.address / bytes * bytes + beat * bytes;
  if (burst.burst == AxiBurst::incr) return address;
  const std::uint64_t container = bytes * burst.beats();
  const std::uint64_t lowest = burst.address / container * container;
  return address < lowest + container ? address : address - container;
}

std::uint64_t end_of_first_beat(const AxiAddress& burst) {
  return (burst.address / burst.beat_bytes() + 1) * burst.beat_bytes();
}

}  // namespace

bool operator==(const AxiAddress& a, const AxiAddress& b) {
  return a.id == b.id && a.address == b.address && a.length == b.length && a.size == b.size && a.burst == b.burst;
}
bool operator==(const AxiWriteData& a, const AxiWriteData& b) {
  return a.data == b.data && a.strobes == b.strobes && a.last == b.last;
}
bool operator==(const AxiWriteResponse& a, const AxiWriteResponse& b) {
  return a.id == b.id && a.response == b.response;
}
bool operator==(const AxiReadData& a, const AxiReadData& b) {
  return a.id == b.id && a.data == b.data && a.response == b.response && a.last == b.last;
}

const char* broken_burst_rule(const AxiAddress& burst, std::size_t bus_bytes) {
  const std::uint32_t beats = burst.beats();
  switch (burst.burst) {
    case AxiBurst::reserved:
      return "burst_reserved";
    case AxiBurst::fixed:
      if (burst.beat_bytes() > bus_bytes) return "size_too_wide";
      return beats > 16 ? "fixed_length" : nullptr;
    case AxiBurst::wrap:
      if (burst.beat_bytes() > bus_bytes) return "size_too_wide";
      if (beats != 2 && beats != 4 && beats != 8 && beats != 16) return "wrap_length";
      return burst.address % burst.beat_bytes() != 0 ? "wrap_alignment" : nullptr;
    case AxiBurst::incr:
      break;
  }
  if (burst.beat_bytes() > bus_bytes) return "size_too_wide";
  const std::uint64_t last = address_of(burst, burst.length) | (burst.beat_bytes() - 1);
  return burst.address / kAxiPage != last / kAxiPage ? "crosses_4k" : nullptr;
}

AxiLanes lanes_of(const AxiAddress& burst, std::uint32_t beat, std::size_t bus_bytes) {
  const std::uint64_t address = address_of(burst, beat);
  const std::uint64_t aligned = address / burst.beat_bytes() * burst.beat_bytes();
  return {address % bus_bytes, aligned % bus_bytes + burst.beat_bytes()};
}

std::vector<AxiSegment> segments_of(const AxiAddress& burst) {
  const std::uint64_t first = end_of_first_beat(burst) - burst.address;
  if (burst.burst == AxiBurst::fixed) return {{burst.address, first * burst.beats(), first}};
  const std::uint64_t length = first + burst.length * burst.beat_bytes();
  if (burst.burst == AxiBurst::incr) return {{burst.address, length, length}};
  const std::uint64_t lowest = burst.address / length * length;
  const std::uint64_t upper = lowest + length - burst.address;
  if (upper == length) return {{lowest, length, length}};
  return {{burst.address, upper, upper}, {lowest, length - upper, length - upper}};
}

}  // namespace dve::pins
