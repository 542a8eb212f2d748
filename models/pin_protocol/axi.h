// AXI4: what its pins carry in one cycle, and where the beats of a burst lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bus_word.h"
#include "stall.h"

namespace dve::pins {

// Values of AxBURST and xRESP.
enum class AxiBurst : std::uint8_t { fixed = 0, incr = 1, wrap = 2, reserved = 3 };
enum class AxiResponse : std::uint8_t { okay = 0, exokay = 1, slverr = 2, decerr = 3 };

struct AxiAddress {
  std::uint64_t id = 0;
  std::uint64_t address = 0;
  std::uint32_t length = 0;  // beats - 1, 0 to 255
  std::uint32_t size = 0;    // log2 of the bytes of a beat
  AxiBurst burst = AxiBurst::incr;
  std::uint32_t beats() const { return length + 1; }
  std::uint64_t beat_bytes() const { return std::uint64_t{1} << size; }
};
struct AxiWriteData {
  BusWord data;
  ByteMask strobes;
  bool last = false;
};
struct AxiWriteResponse {
  std::uint64_t id = 0;
  AxiResponse response = AxiResponse::okay;
};
struct AxiReadData {
  std::uint64_t id = 0;
  BusWord data;
  AxiResponse response = AxiResponse::okay;
  bool last = false;
};
bool operator==(const AxiAddress& a, const AxiAddress& b);
bool operator==(const AxiWriteData& a, const AxiWriteData& b);
bool operator==(const AxiWriteResponse& a, const AxiWriteResponse& b);
bool operator==(const AxiReadData& a, const AxiReadData& b);

// A channel in one cycle.
template <class Payload>
struct AxiChannel {
  bool valid = false;
  bool ready = false;
  Payload payload;
  // In simulations of four states: X or Z on valid or ready, on the payload without its data, on these bytes of the
  // data.
  bool control_unknown = false;
  bool payload_unknown = false;
  ByteMask data_unknown;
};

// All pins in one cycle. lock, cache, prot, qos, region and user are not modelled: RTL that has them gets 0.
struct AxiCycle {
  bool reset = false;
  AxiChannel<AxiAddress> aw;
  AxiChannel<AxiWriteData> w;
  AxiChannel<AxiWriteResponse> b;
  AxiChannel<AxiAddress> ar;
  AxiChannel<AxiReadData> r;
};

// Stalls of one side: of the valid of the channels on which it sends, of the ready of the others.
struct AxiStalls {
  Stall aw, w, b, ar, r;
};

inline constexpr std::uint64_t kAxiPage = 4096;  // that no burst crosses
inline constexpr std::uint32_t kAxiMostBeats = 256;

// The rule of AXI4 that a burst on a bus of so many bytes breaks, or null:
//   burst_reserved   the type is 3
//   size_too_wide    a beat has more bytes than the bus
//   fixed_length     FIXED of more than 16 beats
//   wrap_length      WRAP of other than 2, 4, 8 or 16 beats
//   wrap_alignment   WRAP whose start is not aligned to its beats
//   crosses_4k       INCR over a boundary of 4 KiB
const char* broken_burst_rule(const AxiAddress& burst, std::size_t bus_bytes);

// The bytes of the bus that a beat of a legal burst uses: [first, end).
struct AxiLanes {
  std::size_t first = 0;
  std::size_t end = 0;
};
AxiLanes lanes_of(const AxiAddress& burst, std::uint32_t beat, std::size_t bus_bytes);

// The bytes of a legal burst in the order of its beats are at these addresses: a run of `length` bytes from `address`
// on, or, when `width` is smaller, `width` bytes there over and over (FIXED).
struct AxiSegment {
  std::uint64_t address = 0;
  std::uint64_t length = 0;
  std::uint64_t width = 0;
};
std::vector<AxiSegment> segments_of(const AxiAddress& burst);

}  // namespace dve::pins
