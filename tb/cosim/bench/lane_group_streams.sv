// The lane group with its four streams as valid, ready and data alone, for the pin adapters of models/tlm/pins. Everything
// else is lane_group_top. Bytes of a beat, the lowest first; lane i has bytes 4 i to 4 i + 3 of 64:
//   parameter   64 values, 1 kind, 1 slot                                          66
//   command     1 opcode, 1 orders (bit 0 dst, bit 1 product), 2 channels, 4 elements   8
//   operand     64 x, 64 dy                                                       128
//   result      64 values, 2 keep                                                  66
module lane_group_streams #(
    parameter int LANES = 8,
    parameter int STAGES = 3,
    parameter int ACC_STAGES = 1,
    parameter int INTERLEAVE = 1
) (
    input logic clk,
    input logic reset,

    input  logic         parameter_valid,
    output logic         parameter_ready,
    input  logic [527:0] parameter_data,

    input  logic        command_valid,
    output logic        command_ready,
    input  logic [63:0] command_data,
    output logic        fault,

    input  logic          operand_valid,
    output logic          operand_ready,
    input  logic [1023:0] operand_data,

    output logic         result_valid,
    input  logic         result_ready,
    output logic [527:0] result_data,
    output logic         result_last,
    input  logic [ 31:0] result_beats,

    output logic          trace_valid,
    output logic [   7:0] trace_slot,
    output logic [1535:0] trace_sums,

    output logic [  3:0] failed,
    output logic [ 15:0] failed_rule,
    output logic [127:0] failed_beat
);
  logic unused;
  assign unused = &{1'b0, parameter_data[519:515], command_data[15:10]};

  lane_group_top #(.LANES(LANES), .STAGES(STAGES), .ACC_STAGES(ACC_STAGES), .INTERLEAVE(INTERLEAVE)) top (
      .clk, .reset,
      .parameter_valid, .parameter_ready, .parameter_kind(parameter_data[514:512]),
      .parameter_slot(parameter_data[527:520]), .parameter_values(parameter_data[511:0]),
      .command_valid, .command_ready, .command_opcode(command_data[7:0]), .command_dst_interpreter(command_data[8]),
      .command_product_interpreter(command_data[9]), .command_channels(command_data[31:16]),
      .command_elements(command_data[63:32]), .fault,
      .operand_valid, .operand_ready, .operand_x(operand_data[511:0]), .operand_dy(operand_data[1023:512]),
      .result_valid, .result_ready, .result_values(result_data[511:0]), .result_keep(result_data[527:512]), .result_last,
      .result_beats, .trace_valid, .trace_slot, .trace_sums, .failed, .failed_rule, .failed_beat);
endmodule
