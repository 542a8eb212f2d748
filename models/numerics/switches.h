// The open questions of the instruction set as named switches (interfaces.md 4, isa-open-questions.md C). Each default
// is the project's choice; docs/numerics.md says what each changes.
#pragma once

#include <cstdint>

namespace dve::numerics {

// Order of the three GradAccum sums in the destination (isa.md 9.3).
enum class DstOrder : std::uint8_t {
  documented,  // d_beta, d_gamma, coupling
  interpreter  // d_beta, coupling, d_gamma
};

// Association of the product inside GradAccum (isa.md 9.3).
enum class ProductOrder : std::uint8_t {
  documented,  // t = dy * ((x - m) * v)
  interpreter  // t = ((x - m) * dy) * v
};

// What BackProp evaluates (isa.md 9.4 and 10; the seed pages' reading is `textbook`).
enum class BackpropForm : std::uint8_t {
  staged,   // dx = (dy*N - ((x - m)*C + B)) * A
  textbook  // dx = P * ((dy*N - B) - xn*C), P = A * r, r = reciprocal of N
};

// textbook only: what source 0 of BackProp holds.
enum class Src0Is : std::uint8_t {
  ofmap,  // raw x; xn = (x - m) * v with v of the last GradAccum of the lane
  x_norm  // already normalised: xn = src0
};

// How GradAccum adds its terms.
enum class Accumulator : std::uint8_t {
  sequential,  // binary32 adds in element order
  wide         // the binary32 terms summed exactly, rounded once (the 1536-bit MAC file of the seed pages)
};

// How Stats and Stats2 compute mean and n*var (isa.md 9.1).
enum class StatsAlgorithm : std::uint8_t { welford, sumsq };

// Which reciprocal Parameter-RAM entry i holds (isa.md 11).
enum class ParamRamIndex : std::uint8_t {
  i_plus_1,  // entry i = 1/(i+1): covers 1..256
  i          // entry i = 1/i, entry 0 unused: covers 1..255
};

// Unit of LoadParameterRam's param_ram_offset (isa.md 11.1).
enum class ParamRamOffsetUnit : std::uint8_t { entry, byte };

// Which ParamLoad2 pointer is which (isa.md 10).
enum class ParamLoad2ImmOrder : std::uint8_t {
  scale_mean,  // imm0 = A, imm1 = mean
  mean_scale   // imm0 = mean, imm1 = A
};

// What a narrowing conversion does past the largest finite value (isa.md 4.3).
enum class NarrowOverflow : std::uint8_t { inf, saturate };

// Special values of FP8_EXP4 (isa.md 4.3).
enum class E4m3Variant : std::uint8_t {
  ieee,  // infinities, largest finite 240
  fn     // no infinities, largest finite 448, NaN = all ones
};

// How 1/N is formed beyond the Parameter-RAM's table (isa.md 11).
enum class Divide : std::uint8_t {
  exact,  // correctly rounded
  newton  // binary16 seed, two Newton steps x' = x*(2 - d*x) in binary32
};

// How the per-lane parameter flops are addressed (isa.md 10).
enum class FlopIndex : std::uint8_t {
  partition,  // start partition + lane
  lane        // lane ordinal from 0
};

// Order in which CrossLaneReduce combines its lanes (isa-neighbours.md 8.2).
enum class ClrOrder : std::uint8_t {
  ascending,  // lane 0 upward
  tree        // halving: lane i takes in lane i + half, half = 64, 32, .. 1 for 128 lanes
};

// Whether a product and the sum it enters round apart or together (isa-neighbours.md 2, 5.1).
enum class Contraction : std::uint8_t {
  separate,  // two roundings
  fused      // one rounding, of the exact product and sum
};

struct Switches {
  DstOrder dst_order = DstOrder::documented;
  ProductOrder product_order = ProductOrder::documented;
  BackpropForm backprop_form = BackpropForm::staged;
  Src0Is src0_is = Src0Is::ofmap;
  Accumulator accumulator = Accumulator::sequential;
  StatsAlgorithm stats_algorithm = StatsAlgorithm::welford;
  ParamRamIndex param_ram_index = ParamRamIndex::i_plus_1;
  ParamRamOffsetUnit param_ram_offset_unit = ParamRamOffsetUnit::entry;
  ParamLoad2ImmOrder paramload2_imm_order = ParamLoad2ImmOrder::scale_mean;
  NarrowOverflow narrow_overflow = NarrowOverflow::inf;
  E4m3Variant e4m3_variant = E4m3Variant::ieee;
  unsigned fp32r_mantissa = 13;  // stored mantissa bits of FP32R, 1..23 (isa.md 4.3)
  Divide divide = Divide::exact;
  FlopIndex flop_index = FlopIndex::partition;
  ClrOrder clr_order = ClrOrder::ascending;
  Contraction tensor_scalar_contraction = Contraction::separate;  // MULT, then ADD or SUBTRACT, in one TensorScalar
  Contraction act_affine_contraction = Contraction::separate;     // scale*x + bias of Activate
  double act_relative_error = 0;  // of the activation functions that have a table (isa-neighbours.md 5.3)
};

}  // namespace dve::numerics
