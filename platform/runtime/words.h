// The words a program is made of, each from places and lengths. Events are left empty.
#pragma once

#include <cstdint>
#include <vector>

#include "program.h"

namespace dve::runtime {

inline constexpr std::uint64_t kMaxTile = 65535;               // what dimension 0 of a descriptor counts
inline constexpr std::uint64_t kStatsChunk = 512;              // longest source of Stats2 (isa.md 7.5)
inline constexpr std::uint32_t kTripleBytes = 12;              // count, mean, n*var
inline constexpr std::uint32_t kPairBytes = 2 * kTripleBytes;  // one Stats2 result: even and odd

// What all words of a pass share.
struct WordContext {
  isa::Generation generation = isa::Generation::cayman;
  isa::Dtype dtype = isa::Dtype::fp32;
  std::uint32_t channels = 0;
  float element_count = 0;  // N
};

isa::Place shifted(isa::Place place, std::int64_t bytes);

// 32 LoadParameterRam words with the table of reciprocals (isa.md 11).
std::vector<isa::Word> load_parameter_ram(const numerics::Switches& switches);

// Statistics of `count` <= 512 elements: two triples at `dst`. Counts are ceil and floor of count / 2.
isa::Word stats2(const WordContext& context, const isa::Place& src, std::uint64_t count, const isa::Place& dst);

// Mean and variance of `triples` contiguous triples. Past 65535 values the source has two dimensions.
isa::Word aggregate(const WordContext& context, const isa::Place& src, std::uint64_t triples, const isa::Place& dst);

isa::Word grad_accumulate2(const WordContext& context, const Regions& regions, std::uint64_t count,
                           const isa::Place& dst);

// A, B, C out of [A, A, s0, s1, s2] by a stride: B is s0, C is s2 (stride 2 from the first A) or s1 (stride 1 from the
// second). C is the coupling sum, in the textbook form d_gamma; where that stands depends on dst_order.
isa::Word param_load(const WordContext& context, const Regions& regions, const numerics::Switches& switches);

isa::Word back_prop(const WordContext& context, const Regions& regions, std::uint64_t count);

}  // namespace dve::runtime
