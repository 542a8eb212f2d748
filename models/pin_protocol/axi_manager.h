// The manager of AXI4, cycle by cycle: moves a transfer in bursts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "axi.h"
#include "word_pieces.h"

namespace dve::pins {

// A burst of a transfer: pieces [first_piece, first_piece + beats) of it.
struct AxiManagedBurst {
  AxiAddress address;
  std::size_t first_piece = 0;
};

// The fewest bursts, in the order of the pieces: INCR of whole bus words, each word once and the next one behind it, of
// at most 256 beats and inside of 4 KiB. A burst starts at its first byte that moves. A single piece has the smallest
// beat that holds its bytes, so that a read reaches no further than to the end of that; a longer read reads its last
// word whole.
std::vector<AxiManagedBurst> bursts_of(const std::vector<WordPiece>& pieces, std::size_t bus_bytes, std::uint64_t id);

// Without stalls of either side: the first address and the first data stand on the pins after the edge of step() that
// finds the transfer, data goes on with a beat a cycle. Takes responses and read data at any time.
class AxiManager {
 public:
  struct Options {
    std::uint64_t id = 0;           // of every burst; all answers come in order then
    std::uint64_t outstanding = 1;  // bursts whose address was given and whose response has not come
    AxiStalls stalls;
  };
  AxiManager(std::size_t bus_bytes, const Options& options) : bus_bytes_(bus_bytes), options_(options) {}

  // Begins a transfer, which stays where it is until it has ended; read data goes into it.
  void begin(Transfer& transfer);
  // A rising edge, with the pins as they were before it.
  void step(const AxiCycle& now);
  // All responses have come, or reset ended it.
  bool idle() const { return transfer_ == nullptr; }
  // The worst response of the transfer so far: DECERR before SLVERR before OKAY.
  AxiResponse response() const { return response_; }
  // What stands on the pins: the channels that the manager drives, and its ready of the others.
  const AxiCycle& pins() const { return pins_; }

 private:
  void take_passed(const AxiCycle& now);
  void take_read(const AxiReadData& beat);
  void take_response(AxiResponse response);
  void offer();
  void offer_address();
  void offer_data();

  std::size_t bus_bytes_;
  Options options_;
  Transfer* transfer_ = nullptr;
  std::vector<AxiManagedBurst> bursts_;
  std::size_t addressed_ = 0;  // bursts whose address was offered
  std::size_t answered_ = 0;   // bursts that have ended
  std::size_t sending_ = 0;    // burst of the next write data, and its beat
  std::uint32_t sending_beat_ = 0;
  std::uint32_t reading_beat_ = 0;  // of burst answered_
  AxiResponse response_ = AxiResponse::okay;
  AxiCycle pins_;
  std::uint64_t edge_ = 0;
};

}  // namespace dve::pins
