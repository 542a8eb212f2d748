// binary32 product, rounded to nearest, ties to even (IEEE 754-2008, 4.3.1). Subnormals are kept on both sides, infinity
// times zero is NaN, and every NaN is 7FC00000 (docs/numerics.md, ground rules).
//
// `y` belongs to the operands of STAGES enabled cycles before; a new pair may enter in each. Registers stand, as STAGES
// grows, at the end, after the normalisation, after the integer product; more than three are for a synthesis tool that
// retimes.
`include "dve_planted.svh"
module fp32_multiply #(
    parameter int STAGES = 3  // 1 or more
) (
    input  logic        clk,
    input  logic        enable,
    input  logic [31:0] a,
    input  logic [31:0] b,
    output logic [31:0] y
);
  localparam int AFTER_PRODUCT = STAGES >= 3 ? 1 : 0;
  localparam int AFTER_NORMALISATION = STAGES >= 2 ? 1 : 0;
  localparam int AT_END = STAGES - AFTER_PRODUCT - AFTER_NORMALISATION;

  // ---- Product of the significands; a subnormal has exponent 1 and no leading one.
  logic a_inf, b_inf, a_nan, b_nan, a_zero, b_zero, nan, inf, sign;
  logic [8:0] exponent_sum;
  logic [47:0] product;
  always_comb begin
    a_inf = a[30:0] == 31'h7F800000;
    b_inf = b[30:0] == 31'h7F800000;
    a_nan = a[30:0] > 31'h7F800000;
    b_nan = b[30:0] > 31'h7F800000;
    a_zero = a[30:0] == 0;
    b_zero = b[30:0] == 0;
    nan = a_nan || b_nan || (a_inf && b_zero) || (a_zero && b_inf);
    inf = a_inf || b_inf;
    sign = a[31] ^ b[31];
    exponent_sum = {1'b0, a[30:23]} + {1'b0, b[30:23]} + {8'b0, a[30:23] == 0} + {8'b0, b[30:23] == 0};
    product = {24'b0, a[30:23] != 0, a[22:0]} * {24'b0, b[30:23] != 0, b[22:0]};
  end

  logic nan1, inf1, sign1;
  logic [8:0] exponent_sum1;
  logic [47:0] product1;
  dve_pipe #(.WIDTH(60), .DEPTH(AFTER_PRODUCT)) after_product (
      .clk, .enable, .d({nan, inf, sign, exponent_sum, product}), .q({nan1, inf1, sign1, exponent_sum1, product1}));

  // ---- Normalisation: the leading one to bit 47.
  logic [5:0] leading_zeros;
  logic [47:0] normalised;
  always_comb begin
    leading_zeros = 48;
    for (int i = 0; i < 48; i++) if (product1[i]) leading_zeros = 6'(47 - i);
    normalised = product1 << leading_zeros;
  end

  logic nan2, inf2, sign2;
  logic [8:0] exponent_sum2;
  logic [5:0] leading_zeros2;
  logic [47:0] normalised2;
  dve_pipe #(.WIDTH(66), .DEPTH(AFTER_NORMALISATION)) after_normalisation (
      .clk, .enable, .d({nan1, inf1, sign1, exponent_sum1, leading_zeros, normalised}),
      .q({nan2, inf2, sign2, exponent_sum2, leading_zeros2, normalised2}));

  // ---- Rounding; below the normal range the significand first moves right until its exponent is 1.
  logic signed [10:0] exponent;
  logic tiny, lost, round, sticky, up;
  logic [10:0] distance;
  logic [5:0] shift;
  logic [47:0] shifted;
  logic [30:0] magnitude;
  logic [31:0] result;
  always_comb begin
    exponent = $signed({2'b0, exponent_sum2}) - 11'sd126 - $signed({5'b0, leading_zeros2});
    distance = $unsigned(11'sd1 - exponent);
    shift = !(exponent < 1) ? 6'd0 : distance > 48 ? 6'd48 : distance[5:0];
    shifted = normalised2 >> shift;
    tiny = !shifted[47];  // also a product of 0
    lost = (normalised2 & ~({48{1'b1}} << shift)) != 0;
    round = shifted[23];
    sticky = shifted[22:0] != 0 || lost;
    up = round && (sticky || shifted[24] || `DVE_PLANTED(MULTIPLY_TIES_AWAY));
    magnitude = {tiny ? 8'd0 : exponent[7:0], shifted[46:24]} + {30'b0, up};
    if (`DVE_PLANTED(MULTIPLY_FLUSHES) && tiny) magnitude = 0;
    if (nan2) result = 32'h7FC00000;
    else if (inf2 || exponent > 254) result = {sign2, 31'h7F800000};
    else result = {sign2, magnitude};
  end

  dve_pipe #(.WIDTH(32), .DEPTH(AT_END)) at_end (.clk, .enable, .d(result), .q(y));
endmodule
