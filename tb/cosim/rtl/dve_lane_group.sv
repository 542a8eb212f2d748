// LANES lanes of the DVE behind valid/ready streams: executes GradAccum (0x63, 0x94) and BackProp (0x65) element by element,
// bit for bit as models/numerics does with its default order of operations (dve_lane.sv lists it).
//
// Channel c of a word is served by lane c % LANES in its turn c / LANES, with INTERLEAVE turns at most.
//
// Streams (a beat passes when valid and ready hold at a rising edge; ready never depends on valid in the same cycle):
//   parameter  one value a lane: kind as in dve_lane, slot = turn. Kept from word to word. Taken while no word runs.
//   command    one word: opcode, orders, channels (1 to LANES * INTERLEAVE), elements of each channel (0 or more). Taken
//              while no word runs; a parameter of the same cycle still counts. A word that cannot be executed is taken and
//              dropped, with `fault` in the next cycle; so is a parameter of a kind or turn that does not exist.
//   operand    x and dy of one element in all lanes of a turn. Order: element 0 of turn 0, 1, ..; element 1 of turn 0, 1, ..
//   result     BackProp: dx in the order of the operands. GradAccum: turn by turn three beats, the sums in the
//              destination's order. `keep` tells the lanes that carry a channel, the others are 0; `last` ends a word. A
//              BackProp of no elements has no result.
// Reset is synchronous, takes effect in the middle of anything and leaves nothing behind: parameters and sums are +0.
//
// The accumulate loop. A sum in strict element order cannot take the next element before the last one has left the adder.
// ACC_STAGES is the length of that loop, apart from the STAGES of all other operations: a channel takes an element every
// ACC_STAGES cycles, and other turns fill the cycles between. So one element position of a word lasts
//   P = max(turns, ACC_STAGES) cycles in GradAccum, P = turns in BackProp.
// ACC_STAGES 1, the default, gives the one element a cycle and lane of the model (microarchitecture.md 8); a longer loop buys
// clock rate with interleaved channels.
//
// Time of a word without stalls, from the cycle in which the command passes to the one in which the last result passes, with n
// elements and operands waiting (asserted by lane_group_test.cpp):
//   GradAccum  (n - 1) * P + 4 * turns + 5 * STAGES + 2   (n = 0: 3 * turns + 1)
//   BackProp   (n - 1) * P + turns + 5 * STAGES + 1
//
// `trace_*` show every running sum as it leaves its adder, for scoreboards; nothing inside depends on them.
`include "dve_planted.svh"
module dve_lane_group #(
    parameter int LANES = 8,
    parameter int STAGES = 3,
    parameter int ACC_STAGES = 1,  // 1 to STAGES
    parameter int INTERLEAVE = 1,
    parameter int SLOT_BITS = INTERLEAVE > 1 ? $clog2(INTERLEAVE) : 1  // not to be set
) (
    input logic clk,
    input logic reset,

    input  logic                 parameter_valid,
    output logic                 parameter_ready,
    input  logic [          2:0] parameter_kind,
    input  logic [SLOT_BITS-1:0] parameter_slot,
    input  logic [ 32*LANES-1:0] parameter_values,

    input  logic        command_valid,
    output logic        command_ready,
    input  logic [ 7:0] command_opcode,
    input  logic        command_dst_interpreter,      // dst_order: d_beta, coupling, d_gamma
    input  logic        command_product_interpreter,  // product_order: t = ((x - m) * dy) * v
    input  logic [15:0] command_channels,
    input  logic [31:0] command_elements,
    output logic        fault,

    input  logic                operand_valid,
    output logic                operand_ready,
    input  logic [32*LANES-1:0] operand_x,
    input  logic [32*LANES-1:0] operand_dy,

    output logic                result_valid,
    input  logic                result_ready,
    output logic [32*LANES-1:0] result_values,
    output logic [   LANES-1:0] result_keep,
    output logic                result_last,

    output logic                 trace_valid,
    output logic [SLOT_BITS-1:0] trace_slot,
    output logic [ 96*LANES-1:0] trace_sums
);
  localparam int DEPTH = 5 * STAGES;
  localparam int SUM_AT = 4 * STAGES + ACC_STAGES;

`ifndef __ICARUS__  // does not know $error here
  generate
    if (LANES < 1 || INTERLEAVE < 1 || ACC_STAGES < 1 || ACC_STAGES > STAGES) begin : g_parameters
      $error("dve_lane_group: LANES and INTERLEAVE are 1 or more, ACC_STAGES is 1 to STAGES");
    end
  endgenerate
`endif

  localparam logic [1:0] IDLE = 2'd0;   // takes a command
  localparam logic [1:0] RUN = 2'd1;    // takes elements
  localparam logic [1:0] DRAIN = 2'd2;  // waits for the pipeline
  localparam logic [1:0] EMIT = 2'd3;   // gives the sums
  logic [1:0] state;

  // ---- Command
  logic back_prop, dst_interpreter, product_interpreter, legal, starts;
  logic [31:0] elements_left;
  logic [SLOT_BITS-1:0] last_slot;
  logic [LANES-1:0] last_keep;
  logic [15:0] last_lane;
  assign last_lane = (command_channels - 16'd1) % 16'(LANES);
  assign legal = (command_opcode == 8'h63 || command_opcode == 8'h94 || command_opcode == 8'h65) &&
      command_channels != 0 && command_channels <= 16'(LANES * INTERLEAVE);
  assign parameter_ready = state == IDLE && !reset;
  assign command_ready = state == IDLE && !reset;
  assign starts = command_valid && command_ready && legal;
  logic parameter_legal;
  assign parameter_legal = parameter_kind <= 3'd6 && 32'(parameter_slot) < INTERLEAVE;

  always_ff @(posedge clk) begin
    fault <= (command_valid && command_ready && !legal) || (parameter_valid && parameter_ready && !parameter_legal);
    if (starts) begin
      back_prop <= command_opcode == 8'h65;
      dst_interpreter <= command_dst_interpreter;
      product_interpreter <= command_product_interpreter;
      last_slot <= SLOT_BITS'((command_channels - 16'd1) / 16'(LANES));
      for (int i = 0; i < LANES; i++) last_keep[i] <= 16'(i) <= last_lane || `DVE_PLANTED(GROUP_KEEPS_TAIL);
    end
  end

  // ---- Operands: one beat enters step 1
  logic beat_valid, accept, enable, hazard, final_beat;
  logic [64*LANES-1:0] beat;
  logic [SLOT_BITS-1:0] slot;  // turn of the next beat
  dve_stream_slice #(.WIDTH(64 * LANES)) operand_slice (
      .clk, .reset, .in_valid(operand_valid), .in_ready(operand_ready), .in_data({operand_dy, operand_x}),
      .out_valid(beat_valid), .out_ready(state == RUN && enable && !hazard), .out_data(beat));
  assign accept = beat_valid && state == RUN && enable && !hazard;
  assign final_beat = slot == last_slot && elements_left == 1;

  // ---- What travels beside an element: valid_at[i], last_at[i] and slot_at[i * SLOT_BITS..] belong to the one
  // that entered i enabled cycles ago, 0 being the one that enters now.
  logic [DEPTH:1] valid_at, last_at;
  logic [DEPTH*SLOT_BITS-1:0] slots;
  logic [(DEPTH+1)*SLOT_BITS-1:0] slot_at;
  assign slot_at = {slots, slot};
  always_ff @(posedge clk) begin
    if (enable) begin
      valid_at <= {valid_at[DEPTH-1:1], accept};
      last_at <= {last_at[DEPTH-1:1], final_beat};
      slots <= (DEPTH * SLOT_BITS)'(slot_at);
    end
    if (reset) valid_at <= '0;
  end

  always_comb begin
    hazard = 1'b0;
    for (int i = 1; i < ACC_STAGES; i++) begin
      if (!back_prop && valid_at[i] && slot_at[i*SLOT_BITS+:SLOT_BITS] == slot) hazard = !`DVE_PLANTED(GROUP_IGNORES_HAZARD);
    end
  end

  // ---- Sequence of a word
  logic [1:0] sum;  // which of the three is given
  logic emits, emitted_last;
  assign emitted_last = slot == last_slot && sum == 2;
  always_ff @(posedge clk) begin
    case (state)
      IDLE: begin
        slot <= '0;
        sum <= '0;
        elements_left <= command_elements;
        if (starts && command_elements != 0) state <= RUN;
        else if (starts && command_opcode != 8'h65) state <= EMIT;
      end
      RUN:
      if (accept) begin
        slot <= slot == last_slot ? '0 : slot + 1'b1;
        if (slot == last_slot) elements_left <= elements_left - 1;
        if (final_beat) state <= DRAIN;
      end
      DRAIN:
      if (valid_at == 0) begin
        if (back_prop) state <= IDLE;
        else state <= EMIT;
      end
      EMIT:
      if (emits) begin
        sum <= sum == 2 ? 2'd0 : sum + 1'b1;
        if (sum == 2) slot <= slot + 1'b1;
        if (emitted_last) state <= IDLE;
      end
    endcase
    if (reset) state <= IDLE;
  end

  // ---- Lanes
  logic [32*LANES-1:0] dx, given;
  logic [LANES-1:0] keep;
  logic [SLOT_BITS-1:0] slot_out;
  generate
    for (genvar i = 0; i < LANES; i++) begin : g_lane
      logic [95:0] sums;
      dve_lane #(.STAGES(STAGES), .ACC_STAGES(ACC_STAGES), .INTERLEAVE(INTERLEAVE), .SLOT_BITS(SLOT_BITS)) lane (
          .clk, .reset, .enable, .back_prop, .product_first(product_interpreter),
          .parameter_write(parameter_valid && parameter_ready), .parameter_kind, .parameter_slot,
          .parameter_value(parameter_values[32*i+:32]),
          .x(beat[32*i+:32]), .dy(beat[32*(LANES+i)+:32]),
          .slot1(slot_at[0+:SLOT_BITS]), .slot2(slot_at[STAGES*SLOT_BITS+:SLOT_BITS]),
          .slot3(slot_at[2*STAGES*SLOT_BITS+:SLOT_BITS]), .slot4(slot_at[3*STAGES*SLOT_BITS+:SLOT_BITS]),
          .slot5(slot_at[4*STAGES*SLOT_BITS+:SLOT_BITS]), .clear_sums(starts), .sum_valid(trace_valid),
          .slot_sum(slot_at[SUM_AT*SLOT_BITS+:SLOT_BITS]), .new_sums(trace_sums[96*i+:96]), .slot_read(slot), .sums,
          .dx(dx[32*i+:32]));
      logic [1:0] which;
      assign which = dst_interpreter && sum != 0 ? 2'd3 - sum : sum;
      assign keep[i] = slot_out != last_slot || last_keep[i];
      assign given[32*i+:32] = !keep[i] ? 32'd0 : back_prop ? dx[32*i+:32] :
          which == 0 ? sums[31:0] : which == 1 ? sums[63:32] : sums[95:64];
    end
  endgenerate
  assign slot_out = back_prop ? slot_at[DEPTH*SLOT_BITS+:SLOT_BITS] : slot;
  assign trace_valid = valid_at[SUM_AT] && !back_prop && enable;
  assign trace_slot = slot_at[SUM_AT*SLOT_BITS+:SLOT_BITS];

  // ---- Results. The pipeline stands still while a dx finds no place.
  logic given_valid, given_ready, given_last;
  assign given_valid = back_prop ? valid_at[DEPTH] : state == EMIT;
  assign given_last = back_prop ? last_at[DEPTH] : emitted_last;
  assign enable = !(back_prop && valid_at[DEPTH]) || given_ready;
  assign emits = state == EMIT && given_ready;
  dve_stream_slice #(.WIDTH(33 * LANES + 1)) result_slice (
      .clk, .reset, .in_valid(given_valid), .in_ready(given_ready), .in_data({given_last, keep, given}),
      .out_valid(result_valid), .out_ready(result_ready), .out_data({result_last, result_keep, result_values}));
endmodule
