// 64-bit Neuron addresses of TensorLoad and TensorStore words (isa.md 13.1): what the 8 bytes of an ADDR8 mean.
#pragma once

#include <cstdint>

#include "generation.h"
#include "layouts.h"
#include "quantities.h"

namespace dve::isa {

// SoC apertures of cayman's core 0 (isa.md 3); other generations are taken to have the same (assumption). An on-chip
// place stands at its aperture plus its distance from the start of SBUF or PSUM.
inline constexpr std::uint64_t kSbufAperture = 0x2000000000;
inline constexpr std::uint64_t kPsumAperture = 0x2802000000;
inline constexpr std::uint64_t kParamRamAperture = 0x2802B87000;
// Host memory, `host:` places: no source gives it, the model's own choice.
inline constexpr std::uint64_t kHostAperture = 0x4000000000;
inline constexpr std::uint64_t kHostBytes = 0x4000000000;  // what `host:` reaches

// The on-chip (ADDR4) address of an address in the aperture of SBUF or PSUM; any other address as it is.
std::uint64_t on_chip_address(std::uint64_t address, Generation generation);

// An ADDR8 that names a register which holds the address (isa.md 13.1 says that there is such a form, no source how it
// is encoded; project choice): bit 63 set, register number in bits 0 to 7, the rest 0.
inline constexpr std::uint64_t kAddr8Register = std::uint64_t{1} << 63;

constexpr Addr8 addr8_in_register(RegisterIndex r) { return {kAddr8Register | number(r)}; }

}  // namespace dve::isa
