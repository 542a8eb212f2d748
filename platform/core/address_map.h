// Where everything of a core lies on the router: what the host and any foreign initiator address.
#pragma once

#include <cstdint>

#include "dve/isa/isa.h"

namespace dve::address_map {

// SBUF and PSUM answer at their on-chip (ADDR4) addresses, isa.md 2.1 and 3: SBUF at 0, PSUM at 0x2000000.
// Their SoC apertures, and the blocks below, are those of cayman's core 0 (isa.md 3); other generations are taken to
// have the same map (assumption).
inline constexpr std::uint64_t kSbufAperture = isa::kSbufAperture;
inline constexpr std::uint64_t kPsumAperture = isa::kPsumAperture;
inline constexpr std::uint64_t kEventsAndSemaphores = 0x2802700000;
inline constexpr std::uint64_t kParameterRam = isa::kParamRamAperture;

// Windows of the EVT_SEM block, relative to it (isa.md 14).
inline constexpr std::uint64_t kSemaphoreRead = 0x1000;
inline constexpr std::uint64_t kSemaphoreSet = 0x1400;
inline constexpr std::uint64_t kSemaphoreAdd = 0x1800;

// The model's own choice: no source gives these.
inline constexpr std::uint64_t kSequencerControl = 0x2802B10000;  // of the DVE's sequencer
constexpr std::uint64_t sequencer_control(isa::Engine engine) {
  return kSequencerControl + 0x4000 * std::uint64_t{isa::index_of(engine)};
}
inline constexpr std::uint64_t kHostMemory = isa::kHostAperture;             // `host:` places and programs
inline constexpr std::uint64_t kHbm = isa::kHostAperture + isa::kHostBytes;  // this core's part of HBM

}  // namespace dve::address_map
