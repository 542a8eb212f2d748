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

isa::Word grad_accumulate2(const WordContext& context, const Regions& regions, const isa::Place& x,
                           const isa::Place& dy, std::uint64_t count, const isa::Place& dst);

// A, B, C out of [A, A, s0, s1, s2] by a stride: B is s0, C is s2 (stride 2 from the first A) or s1 (stride 1 from the
// second). C is the coupling sum, in the textbook form d_gamma; where that stands depends on dst_order.
isa::Word param_load(const WordContext& context, const Regions& regions, const numerics::Switches& switches);

isa::Word back_prop(const WordContext& context, const isa::Place& x, const isa::Place& dy, const isa::Place& dx,
                    std::uint64_t count);

// The words of a full step beside these (isa-neighbours.md 11). fp32 vectors have one value a channel.

// dst = a op b of `count` fp32 values.
isa::Word tensor_tensor(const WordContext& context, isa::AluOp op, const isa::Place& a, const isa::Place& b,
                        const isa::Place& dst, std::uint64_t count);
// dst = src * factor, `copies` times.
isa::Word scaled(const WordContext& context, const isa::Place& src, float factor, const isa::Place& dst,
                 std::uint64_t copies);
// dst = beta - mean * scale.
isa::Word shift(const WordContext& context, const Regions& regions);
// x = (x - mean) * inv_std in place, in the device dtype.
isa::Word normalise(const WordContext& context, const Regions& regions, const isa::Place& x, std::uint64_t count);
isa::Word load_root_functions();
// inv_std = rsqrt(var + eps).
isa::Word inverse_root(const WordContext& context, const Regions& regions, double eps);
// y = scale * x + shift.
isa::Word affine(const WordContext& context, const Regions& regions, const isa::Place& x, const isa::Place& y,
                 std::uint64_t count);
isa::Word drain();

// Waits and updates, written into words whose other events stay.
struct SemaphoreWait {  // sem_ge_imm
  isa::SemaphoreIndex semaphore{};
  std::uint32_t at_least = 0;
};
void set_wait(isa::Word& word, const SemaphoreWait& wait);
void set_increment(isa::Word& word, isa::SemaphoreIndex semaphore);  // at completion
// Appends a word behind what it waits for: one wait stands in the word itself, more in EventSemaphore words before it.
void append_waiting(std::vector<isa::Word>& words, isa::Word word, std::vector<SemaphoreWait> waits);

}  // namespace dve::runtime
