// Watches one valid/ready stream and remembers the first rule that it breaks. For test benches, in any simulator: plain
// registers, no assertions. X and Z are seen in 4-state simulators only.
//
//   rule  name             broken when
//   1     valid_in_reset   valid holds in reset, from the second cycle on
//   2     valid_withdrawn  valid falls before the beat has passed
//   3     data_changed     the data or `last` of a waiting beat changes
//   4     last_early       `last` passes before beat `burst_beats`
//   5     last_missing     beat `burst_beats` passes without `last`
//   6     stalled          a beat has waited for more than STALL_LIMIT cycles
//   7     ready_in_reset   ready holds in reset, from the second cycle on
//   8     unknown_control  valid or ready is X or Z, except in the first cycle of reset and before the first reset
//   9     unknown_data     valid holds and a bit of the data or `last` is X or Z
//
// `failed` and what belongs to it stay until `clear`; a reset of the stream does not clear them. With burst_beats = 0 `last`
// is not looked at.
module dve_stream_checker #(
    parameter int WIDTH = 32,
    parameter int STALL_LIMIT = 1000
) (
    input logic             clk,
    input logic             reset,
    input logic             clear,
    input logic             valid,
    input logic             ready,
    input logic [WIDTH-1:0] data,
    input logic             last,
    input logic [     31:0] burst_beats,

    output logic        failed,
    output logic [ 3:0] rule,
    output logic [31:0] beat   // beats that had passed since the last reset
);
  logic was_reset, seen_reset, waiting, last_waiting;
  logic [WIDTH-1:0] data_waiting;
  logic [31:0] passed, in_burst, waited;

  logic [3:0] broken;
  always_comb begin
    broken = 0;
    if (reset) begin
      if (was_reset && (valid ^ valid) !== 1'b0) broken = 8;
      else if (was_reset && (ready ^ ready) !== 1'b0) broken = 8;
      else if (was_reset && valid) broken = 1;
      else if (was_reset && ready) broken = 7;
    end else if (seen_reset) begin
      if ((valid ^ valid) !== 1'b0 || (ready ^ ready) !== 1'b0) broken = 8;
      else if (waiting && !valid) broken = 2;
      else if (valid && ((^data) ^ (^data)) !== 1'b0) broken = 9;
      else if (valid && (last ^ last) !== 1'b0) broken = 9;
      else if (waiting && (data != data_waiting || last != last_waiting)) broken = 3;
      else if (waited > STALL_LIMIT) broken = 6;
      else if (valid && ready && burst_beats != 0 && last && in_burst + 1 != burst_beats) broken = 4;
      else if (valid && ready && burst_beats != 0 && !last && in_burst + 1 == burst_beats) broken = 5;
    end
  end

  always_ff @(posedge clk) begin
    was_reset <= reset;
    waiting <= !reset && valid && !ready;
    data_waiting <= data;
    last_waiting <= last;
    waited <= !reset && valid && !ready ? waited + 1 : 0;
    if (reset) begin
      seen_reset <= 1'b1;
      passed <= 0;
      in_burst <= 0;
    end else if (valid && ready) begin
      passed <= passed + 1;
      in_burst <= last || in_burst + 1 == burst_beats ? 0 : in_burst + 1;
    end
    if (clear) failed <= 1'b0;
    else if (!failed && broken != 0) begin
      failed <= 1'b1;
      rule <= broken;
      beat <= passed;
    end
  end

  initial begin
    seen_reset = 1'b0;
    was_reset = 1'b0;
    failed = 1'b0;
  end
endmodule
