// binary32 sum a + b, or difference a - b with `subtract`, rounded to nearest, ties to even (IEEE 754-2008, 4.3.1).
// Subnormals are kept on both sides, a sum that cancels is +0, infinities of opposite signs give NaN, and every NaN is
// 7FC00000 (docs/numerics.md, ground rules).
//
// `y` belongs to the operands of STAGES enabled cycles before; a new pair may enter in each. Registers stand, as STAGES
// grows, at the end, after the integer sum, after the alignment; more than three are for a synthesis tool that retimes.
`include "dve_planted.svh"
module fp32_add #(
    parameter int STAGES = 3  // 1 or more
) (
    input  logic        clk,
    input  logic        enable,
    input  logic        subtract,
    input  logic [31:0] a,
    input  logic [31:0] b,
    output logic [31:0] y
);
  localparam int AFTER_ALIGNMENT = STAGES >= 3 ? 1 : 0;
  localparam int AFTER_SUM = STAGES >= 2 ? 1 : 0;
  localparam int AT_END = STAGES - AFTER_ALIGNMENT - AFTER_SUM;

  // ---- Alignment of the smaller operand. Three bits below the significand: guard, round, and sticky, the or of the rest.
  logic b_sign, swap, big_sign, small_sign, nan, inf, differ;
  logic [30:0] big, small_;
  logic [7:0] big_exponent, small_exponent, distance;
  logic [4:0] shift;
  logic [26:0] big_significand, small_significand, aligned;
  always_comb begin
    b_sign = b[31] ^ subtract;
    swap = a[30:0] < b[30:0];
    big = swap ? b[30:0] : a[30:0];
    small_ = swap ? a[30:0] : b[30:0];
    big_sign = swap ? b_sign : a[31];
    small_sign = swap ? a[31] : b_sign;
    differ = big_sign != small_sign;
    nan = big > 31'h7F800000 || (small_ == 31'h7F800000 && differ);
    inf = big == 31'h7F800000;
    big_exponent = big[30:23] == 0 ? 8'd1 : big[30:23];
    small_exponent = small_[30:23] == 0 ? 8'd1 : small_[30:23];
    big_significand = {big[30:23] != 0, big[22:0], 3'b0};
    small_significand = {small_[30:23] != 0, small_[22:0], 3'b0};
    distance = big_exponent - small_exponent;
    shift = distance > 27 ? 5'd27 : distance[4:0];
    aligned = small_significand >> shift;
    if (!`DVE_PLANTED(ADD_LOSES_STICKY)) begin
      aligned[0] = aligned[0] || (small_significand & ~({27{1'b1}} << shift)) != 0;
    end
  end

  logic nan1, inf1, sign1, differ1;
  logic [7:0] exponent1;
  logic [26:0] big1, small1;
  dve_pipe #(.WIDTH(66), .DEPTH(AFTER_ALIGNMENT)) after_alignment (
      .clk, .enable, .d({nan, inf, big_sign, differ, big_exponent, big_significand, aligned}),
      .q({nan1, inf1, sign1, differ1, exponent1, big1, small1}));

  // ---- Sum of the significands; bit 26 has the weight of the larger exponent, bit 27 is the carry.
  logic [27:0] sum;
  logic sign;
  logic [4:0] leading_zeros;
  always_comb begin
    sum = differ1 ? {1'b0, big1} - {1'b0, small1} : {1'b0, big1} + {1'b0, small1};
    sign = sign1 && !(differ1 && sum == 0);
    leading_zeros = 28;
    for (int i = 0; i < 28; i++) if (sum[i]) leading_zeros = 5'(27 - i);
  end

  logic nan2, inf2, sign2;
  logic [7:0] exponent2;
  logic [4:0] leading_zeros2;
  logic [27:0] sum2;
  dve_pipe #(.WIDTH(44), .DEPTH(AFTER_SUM)) after_sum (
      .clk, .enable, .d({nan1, inf1, sign, exponent1, leading_zeros, sum}),
      .q({nan2, inf2, sign2, exponent2, leading_zeros2, sum2}));

  // ---- Normalisation, no further than to exponent 1, and rounding. A subnormal sum is exact.
  logic [4:0] left;
  logic [27:0] normalised;
  logic [8:0] exponent;
  logic up;
  logic [30:0] magnitude;
  logic [31:0] result;
  always_comb begin
    left = exponent2 < {3'b0, leading_zeros2} ? exponent2[4:0] : leading_zeros2;
    normalised = sum2 << left;
    exponent = normalised[27] ? {1'b0, exponent2} + 9'd1 - {4'b0, left} : 9'd0;
    up = normalised[3] && (normalised[2:0] != 0 || normalised[4]);
    magnitude = {exponent[7:0], normalised[26:4]} + {30'b0, up};
    if (nan2) result = 32'h7FC00000;
    else if (inf2 || exponent == 9'd255) result = {sign2, 31'h7F800000};
    else result = {sign2, magnitude};
  end

  dve_pipe #(.WIDTH(32), .DEPTH(AT_END)) at_end (.clk, .enable, .d(result), .q(y));
endmodule
