// The open questions of the instruction set as plain flags. All false is the project's default (design.md 4).
#pragma once

namespace golden {

struct Options {
  bool dst_order_interpreter = false;      // sums as d_beta, coupling, d_gamma instead of d_beta, d_gamma, coupling
  bool product_order_interpreter = false;  // t = ((x - m) * dy) * v instead of dy * ((x - m) * v)
  bool textbook = false;                   // BackProp: P*((dy*N - B) - xn*C) instead of (dy*N - ((x - m)*C + B))*A
  bool src0_is_x_norm = false;             // textbook only: source 0 is already normalised
  bool wide_accumulator = false;           // GradAccum sums exactly and rounds once
  bool sumsq = false;                      // statistics from sum and sum of squares instead of Welford
  bool param_ram_index_i = false;          // Parameter-RAM entry i holds 1/i instead of 1/(i+1)
  bool param_ram_offset_bytes = false;     // LoadParameterRam's offset counts bytes instead of entries
  bool newton = false;                     // reciprocals beyond the table by seed and two Newton steps
  bool paramload2_mean_scale = false;      // ParamLoad2: imm0 = mean, imm1 = A instead of A, mean
  bool narrow_saturate = false;            // narrowing stops at the largest finite value instead of infinity
  bool e4m3_fn = false;                    // FP8_EXP4 without infinities, largest finite 448
  bool flop_by_lane = false;               // flops counted from the instruction's first lane, not by partition
  int fp32r_mantissa = 13;                 // stored mantissa bits of FP32R
};

}  // namespace golden
