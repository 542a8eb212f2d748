// Programs of DVE, ACT and POOL that meet at the ports of SBUF and PSUM.
#pragma once

#include <cstdint>
#include <vector>

#include "support/core_bench.h"

namespace dve::testing_support {

// Bytes of each partition from 0 on that the programs use.
inline constexpr std::uint32_t kContendedSbufBytes = 0x20000, kContendedPsumBytes = 0x4000;
// Channels of each word.
inline constexpr std::uint8_t kContendedChannels = 3;

// Random words, the same for a seed. Sources are read from bytes that nobody writes, or from what a semaphore says is
// there; each engine writes rows of its own, which share banks with the others' rows. So results do not depend on who
// is first, but time does.

// Every engine on its own.
std::vector<EngineProgram> independent_programs(isa::Generation generation, unsigned seed, std::size_t words);
// Each row goes from the DVE to ACT to POOL, and the DVE waits for POOL now and then. At most 21 words.
std::vector<EngineProgram> chained_programs(isa::Generation generation, unsigned seed, std::size_t words);

// PE and DMA engines that go on until the programs have ended, and one that does not: in passes of so many bytes of
// each partition.
std::vector<dma::TrafficStream> contended_neighbours(isa::Generation generation, std::uint64_t bytes);

}  // namespace dve::testing_support
