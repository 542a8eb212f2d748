// Two places between a valid/ready stream and the next: cuts every combinational path between the two sides and still
// moves a beat in every cycle. A beat passes when valid and ready hold at a rising clock edge; once valid, a beat stays,
// unchanged, until it has passed. Synchronous reset empties both places.
`include "dve_planted.svh"
module dve_stream_slice #(
    parameter int WIDTH = 32
) (
    input  logic             clk,
    input  logic             reset,
    input  logic             in_valid,
    output logic             in_ready,
    input  logic [WIDTH-1:0] in_data,
    output logic             out_valid,
    input  logic             out_ready,
    output logic [WIDTH-1:0] out_data
);
  logic first_valid, second_valid;
  logic [WIDTH-1:0] first, second;

  // in_ready is a register: the second place is free. It is false in reset.
  logic free, takes, gives;
  assign in_ready = free && (in_valid || !`DVE_PLANTED(SLICE_READY_WAITS));
  assign takes = in_valid && in_ready;
  assign gives = first_valid && out_ready;

  always_ff @(posedge clk) begin
    if (reset) begin
      first_valid <= 1'b0;
      second_valid <= 1'b0;
      free <= 1'b0;
    end else begin
      first_valid <= takes || second_valid || (first_valid && !gives);
      second_valid <= first_valid && !gives && (second_valid || takes) && !`DVE_PLANTED(SLICE_DROPS_BEAT);
      free <= !first_valid || gives || !(second_valid || takes);
      if (`DVE_PLANTED(SLICE_WITHDRAWS) && first_valid && !gives && takes) first_valid <= 1'b0;
    end
    if (!first_valid || gives) first <= second_valid ? second : in_data;
    if (!second_valid) second <= in_data;
  end

`ifdef DVE_PLANT
  logic late;
  always_ff @(posedge clk) late <= !reset && first_valid;
  assign out_valid = `DVE_PLANTED(SLICE_LATE_VALID) ? late : first_valid;
`else
  assign out_valid = first_valid;
`endif
  assign out_data = first;
endmodule
