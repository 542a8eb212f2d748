// The arithmetic of one DVE lane: batch-norm GradAccum and BackProp, one element after the other, every operation rounded to
// binary32 by itself (docs/numerics.md, "order of operations"; isa.md 9.3, 9.4):
//
//   step            GradAccum, documented   GradAccum, interpreter   BackProp, staged
//   1               x - m                   x - m                    x - m
//   2               xn = (x-m) * v          (x-m) * dy               (x-m) * C
//   3               t = dy * xn             t = (x-m)*dy * v         dy * N      and  (x-m)*C + B
//   4               t * v                   t * v                    dy*N - ((x-m)*C + B)
//   5               three sums += dy, t, t*v                         dx = (...) * A
//
// Four adders and three multipliers serve both. A step takes STAGES enabled cycles; the sums take ACC_STAGES (at most
// STAGES), so that a channel may add one element every ACC_STAGES cycles: the sum that leaves the adder goes straight back
// into it. A lane serves INTERLEAVE channels; `slot` says which one, and the caller says it for every step at which a
// parameter or a sum of that channel is needed. The caller keeps the distance of ACC_STAGES (dve_lane_group does).
`include "dve_planted.svh"
module dve_lane #(
    parameter int STAGES = 3,
    parameter int ACC_STAGES = 1,
    parameter int INTERLEAVE = 1,
    parameter int SLOT_BITS = 1
) (
    input logic clk,
    input logic reset,   // synchronous: parameters and sums become +0
    input logic enable,  // one cycle of the pipeline

    input logic back_prop,      // held from the first element of a word to its last result
    input logic product_first,  // GradAccum's `interpreter` product order

    // Parameters of a channel: 0 m and 1 v of GradAccum; 2 N, 3 m, 4 A, 5 B, 6 C of BackProp.
    input logic                 parameter_write,
    input logic [          2:0] parameter_kind,
    input logic [SLOT_BITS-1:0] parameter_slot,
    input logic [         31:0] parameter_value,

    input logic [         31:0] x,     // at step 1
    input logic [         31:0] dy,
    input logic [SLOT_BITS-1:0] slot1, // of the element at each step
    input logic [SLOT_BITS-1:0] slot2,
    input logic [SLOT_BITS-1:0] slot3,
    input logic [SLOT_BITS-1:0] slot4,
    input logic [SLOT_BITS-1:0] slot5,

    input  logic                 clear_sums,
    input  logic                 sum_valid,  // the sums of slot_sum leave their adders: ACC_STAGES after step 5
    input  logic [SLOT_BITS-1:0] slot_sum,
    output logic [         95:0] new_sums,   // these sums: coupling, d_gamma, d_beta from the left
    input  logic [SLOT_BITS-1:0] slot_read,
    output logic [         95:0] sums,       // the sums so far of slot_read
    output logic [         31:0] dx          // STAGES after step 5
);
  localparam int BANK = 32 * INTERLEAVE;

  function automatic logic [31:0] pick(input logic [BANK-1:0] bank, input logic [SLOT_BITS-1:0] slot);
    pick = bank[31:0];
    for (int s = 1; s < INTERLEAVE; s++) if (slot == SLOT_BITS'(s)) pick = bank[32*s+:32];
  endfunction

  // ---- Parameters
  logic [BANK-1:0] accum_mean, accum_inv_std, element_count, mean, a, b, c;
  always_ff @(posedge clk) begin
    for (int s = 0; s < INTERLEAVE; s++) begin
      if (parameter_write && parameter_slot == SLOT_BITS'(s)) begin
        case (parameter_kind)
          3'd0: accum_mean[32*s+:32] <= parameter_value;
          3'd1: accum_inv_std[32*s+:32] <= parameter_value;
          3'd2: element_count[32*s+:32] <= parameter_value;
          3'd3: mean[32*s+:32] <= parameter_value;
          3'd4: a[32*s+:32] <= parameter_value;
          3'd5: b[32*s+:32] <= parameter_value;
          3'd6: c[32*s+:32] <= parameter_value;
          default: ;
        endcase
      end
    end
    if (reset) begin
      accum_mean <= '0;
      accum_inv_std <= '0;
      element_count <= '0;
      mean <= '0;
      a <= '0;
      b <= '0;
      c <= '0;
    end
  end

  // ---- Step 1
  logic [31:0] mean1, deviation, dy2, dy3, dy5;
  assign mean1 = back_prop ? pick(mean, slot1) : pick(accum_mean, slot1);
  fp32_add #(.STAGES(STAGES)) subtract_mean (.clk, .enable, .subtract(1'b1), .a(x), .b(mean1), .y(deviation));
  dve_pipe #(.DEPTH(STAGES)) dy_to_2 (.clk, .enable, .d(dy), .q(dy2));

  // ---- Step 2
  logic [31:0] factor2, product2;
  assign factor2 = back_prop ? pick(c, slot2) : product_first ? dy2 : pick(accum_inv_std, slot2);
  fp32_multiply #(.STAGES(STAGES)) multiply2 (.clk, .enable, .a(deviation), .b(factor2), .y(product2));
  dve_pipe #(.DEPTH(STAGES)) dy_to_3 (.clk, .enable, .d(dy2), .q(dy3));

  // ---- Step 3; the adder is that of d_beta
  logic [31:0] left3, right3, product3, offset3, d_beta_sum, offset4;
  assign left3 = !back_prop && product_first ? pick(accum_inv_std, slot3) : dy3;
  assign right3 = back_prop ? pick(element_count, slot3) : product2;
  assign offset3 = pick(b, slot3);
  fp32_multiply #(.STAGES(STAGES)) multiply3 (.clk, .enable, .a(left3), .b(right3), .y(product3));
  dve_pipe #(.DEPTH(STAGES - ACC_STAGES)) offset_to_4 (.clk, .enable, .d(d_beta_sum), .q(offset4));
  dve_pipe #(.DEPTH(2 * STAGES)) dy_to_5 (.clk, .enable, .d(dy3), .q(dy5));

  // ---- Step 4; the adder is that of d_gamma. The multiplier serves step 5 of BackProp.
  logic [31:0] left4, right4, product4, d_gamma_sum, difference5, t5;
  assign left4 = back_prop ? difference5 : product3;
  assign right4 = back_prop ? pick(a, slot5) : pick(accum_inv_std, slot4);
  fp32_multiply #(.STAGES(STAGES)) multiply4 (.clk, .enable, .a(left4), .b(right4), .y(product4));
  dve_pipe #(.DEPTH(STAGES - ACC_STAGES)) difference_to_5 (.clk, .enable, .d(d_gamma_sum), .q(difference5));
  dve_pipe #(.DEPTH(STAGES)) t_to_5 (.clk, .enable, .d(product3), .q(t5));
  assign dx = product4;

  // ---- Step 5: the sums
  logic [BANK-1:0] d_beta, d_gamma, coupling;
  logic [31:0] d_beta_so_far, d_gamma_so_far, coupling_so_far, coupling_sum, gamma_term, coupling_term;
  logic bypass;
  assign bypass = sum_valid && slot_sum == slot5 && !`DVE_PLANTED(LANE_FORGETS_BYPASS);
  assign d_beta_so_far = bypass ? d_beta_sum : pick(d_beta, slot5);
  assign d_gamma_so_far = bypass ? d_gamma_sum : pick(d_gamma, slot5);
  assign coupling_so_far = bypass ? coupling_sum : pick(coupling, slot5);
  assign gamma_term = `DVE_PLANTED(LANE_SWAPS_SUMS) ? product4 : t5;
  assign coupling_term = `DVE_PLANTED(LANE_SWAPS_SUMS) ? t5 : product4;

  fp32_add #(.STAGES(ACC_STAGES)) add_d_beta (
      .clk, .enable, .subtract(1'b0), .a(back_prop ? product2 : d_beta_so_far), .b(back_prop ? offset3 : dy5),
      .y(d_beta_sum));
  fp32_add #(.STAGES(ACC_STAGES)) add_d_gamma (
      .clk, .enable, .subtract(back_prop), .a(back_prop ? product3 : d_gamma_so_far), .b(back_prop ? offset4 : gamma_term),
      .y(d_gamma_sum));
  fp32_add #(.STAGES(ACC_STAGES)) add_coupling (
      .clk, .enable, .subtract(1'b0), .a(coupling_so_far), .b(coupling_term), .y(coupling_sum));

  always_ff @(posedge clk) begin
    for (int s = 0; s < INTERLEAVE; s++) begin
      if (enable && sum_valid && slot_sum == SLOT_BITS'(s)) begin
        d_beta[32*s+:32] <= d_beta_sum;
        d_gamma[32*s+:32] <= d_gamma_sum;
        coupling[32*s+:32] <= coupling_sum;
      end
    end
    if (reset || clear_sums) begin
      d_beta <= '0;
      d_gamma <= '0;
      coupling <= '0;
    end
  end

  assign new_sums = {coupling_sum, d_gamma_sum, d_beta_sum};
  assign sums = {pick(coupling, slot_read), pick(d_gamma, slot_read), pick(d_beta, slot_read)};
endmodule
