// Chip generations and the memory geometry that instruction words depend on (isa.md 3 and 16).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "quantities.h"

namespace dve::isa {

// NeuronCore-v2 (sunda, trn1), v3 (cayman, trn2), v4 (mariana, trn3, and its refresh mariana_plus), v5 (maverick).
enum class Generation : std::uint8_t { sunda, cayman, mariana, mariana_plus, maverick };

inline constexpr std::array kGenerations = {Generation::sunda, Generation::cayman, Generation::mariana,
                                            Generation::mariana_plus, Generation::maverick};

std::string_view to_string(Generation generation);
std::optional<Generation> generation_from_string(std::string_view name);

inline constexpr std::uint32_t kPartitions = 128;                   // SBUF, PSUM partitions = DVE lanes (isa.md 3)
inline constexpr std::uint32_t kRegisters = 64;                     // sequencer general registers (isa.md 3)
inline constexpr std::uint32_t kParamRamEntries = 256;              // binary32 entries (isa.md 11)
inline constexpr std::uint32_t kPsumBase = 0x2000000;               // on-chip address of PSUM (isa.md 3)
inline constexpr std::uint32_t kPartitionAddressMask = 0x1FFFFFFF;  // 29 bits of an ADDR4 (isa.md 2.1)

enum class Space : std::uint8_t { sbuf, psum };
std::string_view to_string(Space space);

// Geometry of one memory. Addresses between the active bytes and the stride of a partition are holes: no memory.
struct SpaceGeometry {
  std::uint32_t base = 0;        // first on-chip (ADDR4) address
  Bytes region{};                // size of the address window; 0: this generation has no such memory
  Bytes partition_stride{};      // address distance of two partitions
  Bytes active_per_partition{};  // usable bytes of a partition
  std::uint32_t banks = 0;       // PSUM: banks of a partition. SBUF: 1 (no bank count is published for it)
  constexpr bool exists() const { return region.value != 0; }
};

// Geometry of `space` on `generation` (isa.md 3). maverick's PSUM has region 0: it does not exist there.
const SpaceGeometry& geometry(Generation generation, Space space);

// Core level of the ISA: 2, 3, 4 or 5. mariana_plus uses mariana's headers (isa.md 16).
int core_version(Generation generation);

}  // namespace dve::isa
