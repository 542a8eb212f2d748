// Kernels of whole operands and of single streams.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dve/isa/isa.h"
#include "dve/numerics/numerics.h"
#include "rows.h"

namespace dve::kernels {

// ---- Which forms have a kernel; the others are for the scalar specification ----

// GradAccum with sequential sums in the documented product order.
inline bool has_grad_accumulate(const numerics::Switches& s) {
  return s.accumulator == numerics::Accumulator::sequential && s.product_order == numerics::ProductOrder::documented;
}
// Stats2 by Welford's recurrence.
inline bool has_stats2(const numerics::Switches& s) { return s.stats_algorithm == numerics::StatsAlgorithm::welford; }
// Aggregate with the exact divider.
inline bool has_aggregate(const numerics::Switches& s) { return s.divide == numerics::Divide::exact; }
// BackProp in the staged form. A conversion that saturates hides infinities from back_propagate()'s exceptions.
inline bool has_back_propagate(const numerics::Switches& s) {
  return s.backprop_form == numerics::BackpropForm::staged && s.narrow_overflow == numerics::NarrowOverflow::inf;
}
// TensorTensor: the four basic operations, max, min, the absolute difference and the comparisons.
bool has_tensor_tensor(isa::AluOp op);

// ---- Sums over elements: lanes are channels ----

// numerics::grad_accumulate of `n` elements in `channels` channels; arrays hold one value a channel. Sources of one
// dtype out of fp32, fp32r, bf16 and fp16 are read in place, others through a conversion.
void grad_accumulate(const Rows& x, const Rows& dy, std::uint32_t channels, std::size_t n, const float* mean,
                     const float* inv_std, const numerics::Switches& switches, numerics::GradSums* sums);

// numerics::stats2 of each channel.
void stats2(const Rows& x, std::uint32_t channels, std::size_t n, float even_count, float odd_count,
            const numerics::ParamTable& table, const numerics::Switches& switches, numerics::Stats2Result* results);

// numerics::aggregate of each channel.
void aggregate(const Rows& triples, std::uint32_t channels, std::size_t triple_count,
               const numerics::Switches& switches, numerics::MeanVariance* results);

// ---- Element by element ----

// Special values that the streams of one channel and its results hold.
struct Exceptions {
  bool operand_nan = false;
  bool operand_infinite = false;
  bool result_nan = false;
  bool result_infinite = false;
};

// numerics::back_propagate of each channel, parameters[c] those of channel c, results rounded to the dtype of dx. dx
// may be the place of a source of the same dtype. exceptions[c] are those of all elements of channel c: an operand that
// is not finite has a result that is not.
void back_propagate(const Rows& src0, const Rows& dy, std::uint32_t channels, std::size_t n,
                    const numerics::LaneParameters* parameters, const numerics::Switches& switches,
                    const ResultRows& dx, Exceptions* exceptions);

// numerics::alu_fp32 of each pair, results rounded to the dtype of `out`, which overlaps no source. Whether a result is
// NaN or infinite before it is rounded.
bool tensor_tensor(isa::AluOp op, const Rows& a, const Rows& b, std::uint32_t channels, std::size_t n,
                   const numerics::Switches& switches, const ResultRows& out);

// ---- One stream, at any alignment ----

// numerics::to_fp32. On vectors: fp32, fp32r, bf16, fp16, int8, uint8, int16, uint16, int32.
void to_fp32(const std::uint8_t* source, isa::Dtype dtype, std::size_t count, float* destination,
             const numerics::Switches& switches);

// numerics::from_fp32. On vectors: fp32, fp32r, bf16 and fp16 that overflow to infinity, int8, uint8, int16, uint16,
// int32.
void from_fp32(const float* source, isa::Dtype dtype, std::size_t count, std::uint8_t* destination,
               const numerics::Switches& switches);

// Whether an element of the first `channels` channels is NaN or infinite. On vectors: fp32, fp32r, bf16, fp16.
bool any_non_finite(const Rows& rows, std::uint32_t channels, std::size_t n, const numerics::Switches& switches);

}  // namespace dve::kernels
