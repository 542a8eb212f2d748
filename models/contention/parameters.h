// What the memories' ports, banks and arbiters are like: one plain value, filled from the configuration (memory.*).
#pragma once

#include <array>
#include <cstdint>

#include "dve/isa/isa.h"
#include "users.h"

namespace dve::contention {

// A slot of the time-division wheel belongs to the compute side or to the DMA side (microarchitecture.md 3.1: 8 slots,
// one of them for DMA, at reset).
enum class TdmPolicy : std::uint8_t {
  work_conserving,  // a slot that its side does not use goes to the other side
  strict,           // it stays unused: a lone stream is slowed as well
  none              // no wheel: DMA competes like everybody else
};
struct TdmParameters {
  TdmPolicy policy = TdmPolicy::work_conserving;
  std::uint32_t slots = 8;
  std::uint32_t dma_slots = 1;  // the last ones of the wheel
};

// Token bucket: at most `beats` grants in each window of `window` cycles, counted from cycle 0. 0: not throttled
// (microarchitecture.md 3.1: disabled at reset).
struct ThrottleParameters {
  std::uint32_t window = 0;
  std::uint32_t beats = 0;
  bool active() const { return window != 0; }
};

struct UserParameters {
  std::uint32_t priority = 0;  // 0..7, 7 wins
  std::uint32_t weight = 1;    // 1..15: grants in a row before the round robin moves on
  ThrottleParameters read, write;
};

// All with the defaults above. Written out: g++ 12 initialises only the first elements of a member array {} that has
// default member initialisers, and leaves the weights of the others zero.
constexpr std::array<UserParameters, kUsers> default_users() {
  std::array<UserParameters, kUsers> users{};
  for (std::size_t u = 0; u < kUsers; ++u) users[u] = UserParameters{0, 1, {}, {}};
  return users;
}

// How DVE and POOL get on where they share a path to SBUF, and DVE and ACT on PSUM (microarchitecture.md 3.1, 4).
enum class SharedPort : std::uint8_t {
  none,      // paths of their own
  hold,      // the DVE's second read and its write share with POOL: whoever won the path keeps it until its bank grants
  rotate,    // the same, but the path is offered to the next one every cycle
  exclusive  // an instruction of one keeps the other from the memory until it has ended (trn1)
};

struct Parameters {
  std::uint64_t clock_hz = 1'200'000'000;  // one beat a port and a bank each cycle of this clock
  isa::Bytes port_bytes{8};                // a beat: this many bytes of each partition
  std::uint32_t buffer_beats = 8;          // depth of each stream's buffer, read ahead or waiting to be written
  isa::Bytes sbuf_bank_bytes{16384};       // of one partition
  isa::Bytes psum_bank_bytes{2048};
  TdmParameters tdm;
  SharedPort sbuf_shared = SharedPort::hold;  // DVE and POOL
  SharedPort psum_shared = SharedPort::none;  // DVE and ACT: none or exclusive
  std::array<UserParameters, kUsers> users = default_users();
  std::uint32_t pe_priority = 0;  // of the tensor engine as a whole in stage 2
  std::uint32_t pe_weight = 1;
};

constexpr isa::Bytes bank_bytes(const Parameters& parameters, isa::Space space) {
  return space == isa::Space::sbuf ? parameters.sbuf_bank_bytes : parameters.psum_bank_bytes;
}

// Banks of both memories in one numbering.
inline constexpr std::uint32_t kSbufBanks = 512, kPsumBanks = 64;  // at most: maverick with banks of 1 KiB; 256 B
inline constexpr std::uint32_t kBanks = kSbufBanks + kPsumBanks;
constexpr std::uint32_t bank_number(isa::Space space, std::uint32_t bank) {
  return space == isa::Space::sbuf ? bank : kSbufBanks + bank;
}

}  // namespace dve::contention
