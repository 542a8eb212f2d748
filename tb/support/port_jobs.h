// Instructions and transfers as the jobs that they are at the ports, for scenarios (microarchitecture.md 2, 5: trn2,
// memories at 1200 MHz, DVE at 960 MHz, ACT, POOL at 1200 MHz, 8-byte beats).
#pragma once

#include <cstdint>
#include <vector>

#include "dve/contention/contention.h"
#include "port_scenarios.h"

namespace dve::scenarios {

// Memory cycles a step.
struct Pace {
  std::int64_t cycles = 1;
  std::int64_t per = 1;
};
inline constexpr Pace kDveTwoSources{5, 1};  // fp32: 4 engine cycles a beat of each source
inline constexpr Pace kDveOneSource{5, 2};   // fp32: 2 engine cycles a beat
inline constexpr Pace kDveCopy{5, 4};        // bf16 in the fastest copy mode: a beat an engine cycle
inline constexpr Pace kDma{10, 3};           // two to three engines' worth of traffic under one user
inline constexpr Pace kFp32{2, 1};           // ACT, POOL: one element a cycle
inline constexpr Pace kBf16{4, 1};
inline constexpr Pace kFull{1, 1};  // a beat a cycle: the port's limit

// Where a stream begins: beat `beat` of each partition, inside an area of `banks` banks that starts at bank `first`; a
// stream that reaches the end of the area goes on at its beginning.
struct Area {
  isa::Space space = isa::Space::sbuf;
  std::uint32_t first = 0;
  std::uint32_t banks = 12;
  std::uint64_t beat = 0;
};
Area sbuf(std::uint32_t bank, std::uint64_t beat = 0);
Area psum(std::uint32_t bank, std::uint64_t beat = 0);

contention::StreamJob read(const contention::Parameters& p, Area from, std::uint64_t beats, std::uint64_t every = 1);
contention::StreamJob second(const contention::Parameters& p, Area from, std::uint64_t beats, std::uint64_t every = 1);
contention::StreamJob write(const contention::Parameters& p, Area to, std::uint64_t beats, std::uint64_t every = 1);

contention::Job job(contention::User user, Pace pace, std::uint64_t steps, std::vector<contention::StreamJob> streams);
contention::Job bursts(contention::Job job, std::uint64_t steps, std::uint64_t gap);

}  // namespace dve::scenarios
