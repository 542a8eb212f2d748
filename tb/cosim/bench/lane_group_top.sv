// The lane group between four stream checkers, with ports of one width for every number of lanes: the verilated top of
// tb/cosim. Checkers 0 to 3: parameter, command, operand, result.
module lane_group_top #(
    parameter int LANES = 8,
    parameter int STAGES = 3,
    parameter int ACC_STAGES = 1,
    parameter int INTERLEAVE = 1
) (
    input logic clk,
    input logic reset,

    input  logic         parameter_valid,
    output logic         parameter_ready,
    input  logic [  2:0] parameter_kind,
    input  logic [  7:0] parameter_slot,
    input  logic [511:0] parameter_values,

    input  logic        command_valid,
    output logic        command_ready,
    input  logic [ 7:0] command_opcode,
    input  logic        command_dst_interpreter,
    input  logic        command_product_interpreter,
    input  logic [15:0] command_channels,
    input  logic [31:0] command_elements,
    output logic        fault,

    input  logic         operand_valid,
    output logic         operand_ready,
    input  logic [511:0] operand_x,
    input  logic [511:0] operand_dy,

    output logic         result_valid,
    input  logic         result_ready,
    output logic [511:0] result_values,
    output logic [ 15:0] result_keep,
    output logic         result_last,
    input  logic [ 31:0] result_beats,  // of the word that runs

    output logic          trace_valid,
    output logic [   7:0] trace_slot,
    output logic [1535:0] trace_sums,

    output logic [  3:0] failed,
    output logic [ 15:0] failed_rule,
    output logic [127:0] failed_beat
);
  localparam int SLOT_BITS = INTERLEAVE > 1 ? $clog2(INTERLEAVE) : 1;
  logic unused;
  assign unused = &{1'b0, parameter_slot, parameter_values, operand_x, operand_dy};

  logic [32*LANES-1:0] values;
  logic [LANES-1:0] keep;
  logic [SLOT_BITS-1:0] slot;
  logic [96*LANES-1:0] sums;
  assign result_values = 512'(values);
  assign result_keep = 16'(keep);
  assign trace_slot = 8'(slot);
  assign trace_sums = 1536'(sums);

  dve_lane_group #(.LANES(LANES), .STAGES(STAGES), .ACC_STAGES(ACC_STAGES), .INTERLEAVE(INTERLEAVE)) group (
      .clk, .reset,
      .parameter_valid, .parameter_ready, .parameter_kind, .parameter_slot(parameter_slot[SLOT_BITS-1:0]),
      .parameter_values(parameter_values[32*LANES-1:0]),
      .command_valid, .command_ready, .command_opcode, .command_dst_interpreter, .command_product_interpreter,
      .command_channels, .command_elements, .fault,
      .operand_valid, .operand_ready, .operand_x(operand_x[32*LANES-1:0]), .operand_dy(operand_dy[32*LANES-1:0]),
      .result_valid, .result_ready, .result_values(values), .result_keep(keep), .result_last,
      .trace_valid, .trace_slot(slot), .trace_sums(sums));

  dve_stream_checker #(.WIDTH(523)) check_parameter (
      .clk, .reset, .clear(1'b0), .valid(parameter_valid), .ready(parameter_ready),
      .data({parameter_kind, parameter_slot, parameter_values}), .last(1'b0), .burst_beats(0),
      .failed(failed[0]), .rule(failed_rule[3:0]), .beat(failed_beat[31:0]));
  dve_stream_checker #(.WIDTH(58)) check_command (
      .clk, .reset, .clear(1'b0), .valid(command_valid), .ready(command_ready),
      .data({command_opcode, command_dst_interpreter, command_product_interpreter, command_channels, command_elements}),
      .last(1'b0), .burst_beats(0), .failed(failed[1]), .rule(failed_rule[7:4]), .beat(failed_beat[63:32]));
  // An operand may wait for as long as a word waits for its results to leave.
  dve_stream_checker #(.WIDTH(1024), .STALL_LIMIT(10000)) check_operand (
      .clk, .reset, .clear(1'b0), .valid(operand_valid), .ready(operand_ready), .data({operand_x, operand_dy}),
      .last(1'b0), .burst_beats(0), .failed(failed[2]), .rule(failed_rule[11:8]), .beat(failed_beat[95:64]));
  dve_stream_checker #(.WIDTH(528)) check_result (
      .clk, .reset, .clear(1'b0), .valid(result_valid), .ready(result_ready), .data({result_values, result_keep}),
      .last(result_last), .burst_beats(result_beats), .failed(failed[3]), .rule(failed_rule[15:12]),
      .beat(failed_beat[127:96]));
endmodule
