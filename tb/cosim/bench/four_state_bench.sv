// The lane group in 4-state simulation (iverilog), where a register that reset forgets, or a result that hangs on one never
// written, is X: two words by hand, and the rules of dve_stream_checker on X and Z. Prints "four_state: ok" or what is wrong.
`timescale 1ns / 100ps
module four_state_bench;
  localparam int LANES = 2;

  logic clk = 0;
  logic reset = 1;
  always #1 clk = !clk;

  integer wrong = 0;
  task automatic expect_equal(input [31:0] got, input [31:0] expected, input [8*20-1:0] what, input integer index);
    if (got !== expected) begin
      $display("four_state: %0s %0d is %h, expected %h", what, index, got, expected);
      wrong = wrong + 1;
    end
  endtask

  // ---- The group between checkers of all four streams
  logic parameter_valid = 0, command_valid = 0, operand_valid = 0, result_ready = 0;
  logic parameter_ready, command_ready, operand_ready, result_valid, result_last, fault, trace_valid;
  logic [2:0] parameter_kind;
  logic [63:0] parameter_values, operand_x, operand_dy, result_values;
  logic [7:0] command_opcode;
  logic [15:0] command_channels;
  logic [1:0] result_keep;
  logic [0:0] trace_slot;
  logic [191:0] trace_sums;
  dve_lane_group #(.LANES(LANES), .STAGES(2), .ACC_STAGES(2)) group (
      .clk, .reset, .parameter_valid, .parameter_ready, .parameter_kind, .parameter_slot(1'b0), .parameter_values,
      .command_valid, .command_ready, .command_opcode, .command_dst_interpreter(1'b0), .command_product_interpreter(1'b0),
      .command_channels, .command_elements(32'd3), .fault, .operand_valid, .operand_ready, .operand_x, .operand_dy,
      .result_valid, .result_ready, .result_values, .result_keep, .result_last, .trace_valid, .trace_slot, .trace_sums);

  logic [3:0] failed;
  logic [15:0] rule;
  logic [127:0] beat;
  dve_stream_checker #(.WIDTH(67)) check_parameter (
      .clk, .reset, .clear(1'b0), .valid(parameter_valid), .ready(parameter_ready), .data({parameter_kind, parameter_values}),
      .last(1'b0), .burst_beats(0), .failed(failed[0]), .rule(rule[3:0]), .beat(beat[31:0]));
  dve_stream_checker #(.WIDTH(24)) check_command (
      .clk, .reset, .clear(1'b0), .valid(command_valid), .ready(command_ready), .data({command_opcode, command_channels}),
      .last(1'b0), .burst_beats(0), .failed(failed[1]), .rule(rule[7:4]), .beat(beat[63:32]));
  dve_stream_checker #(.WIDTH(128)) check_operand (
      .clk, .reset, .clear(1'b0), .valid(operand_valid), .ready(operand_ready), .data({operand_x, operand_dy}),
      .last(1'b0), .burst_beats(0), .failed(failed[2]), .rule(rule[11:8]), .beat(beat[95:64]));
  dve_stream_checker #(.WIDTH(66)) check_result (
      .clk, .reset, .clear(1'b0), .valid(result_valid), .ready(result_ready), .data({result_values, result_keep}),
      .last(result_last), .burst_beats(3), .failed(failed[3]), .rule(rule[15:12]), .beat(beat[127:96]));

  // ---- Senders: a beat is offered at a falling edge and stays over the rising edge at which it passes.
  task automatic send_parameter(input [2:0] kind, input [31:0] value);
    @(negedge clk);
    parameter_valid = 1;
    parameter_kind = kind;
    parameter_values = {value, value};
    while (!parameter_ready) @(negedge clk);
    @(posedge clk);
    #0.5 parameter_valid = 0;
  endtask
  task automatic send_command(input [7:0] opcode, input [15:0] channels);
    @(negedge clk);
    command_valid = 1;
    command_opcode = opcode;
    command_channels = channels;
    while (!command_ready) @(negedge clk);
    @(posedge clk);
    #0.5 command_valid = 0;
  endtask
  task automatic send_operand(input [31:0] x, input [31:0] dy);
    @(negedge clk);
    operand_valid = 1;
    operand_x = {32'bx, x};  // nothing may hang on a lane without a channel
    operand_dy = {32'bx, dy};
    if (command_channels == 2) begin
      operand_x = {x, x};
      operand_dy = {dy, dy};
    end
    while (!operand_ready) @(negedge clk);
    @(posedge clk);
    #0.5 operand_valid = 0;
  endtask
  task automatic take_result(input [31:0] expected, input integer index);
    @(negedge clk);
    result_ready = 1;
    while (result_valid !== 1'b1) @(negedge clk);
    expect_equal(result_values[31:0], expected, "value", index);
    expect_equal(result_values[63:32], command_channels == 2 ? expected : 0, "second value", index);
    expect_equal({30'b0, result_keep}, command_channels == 2 ? 3 : 1, "keep", index);
    expect_equal({31'b0, result_last}, index == 2 ? 1 : 0, "last", index);
    @(posedge clk);
    #0.5 result_ready = 0;
  endtask

  // ---- A checker alone, for the rules on X and Z
  logic clear = 0, valid = 0, ready = 0, last = 0, alone_failed;
  logic [3:0] data = 0, alone_rule;
  logic [31:0] alone_beat;
  dve_stream_checker #(.WIDTH(4)) alone (
      .clk, .reset, .clear, .valid, .ready, .data, .last, .burst_beats(0), .failed(alone_failed), .rule(alone_rule), .beat(alone_beat));
  task automatic present(input v, input r, input [3:0] d, input l, input [31:0] expected_rule, input integer index);
    @(negedge clk);
    {valid, ready, data, last} = {v, r, d, l};
    @(negedge clk);
    {valid, ready, data, last} = 7'b0;
    expect_equal({31'b0, alone_failed}, expected_rule != 0 ? 1 : 0, "failed", index);
    if (expected_rule != 0) expect_equal({28'b0, alone_rule}, expected_rule, "rule", index);
    clear = 1;
    @(negedge clk);
    clear = 0;
  endtask

  integer k;
  initial begin
    repeat (3) @(negedge clk);
    reset = 0;
    // BackProp with N = 2, m = 1, A = 0.5, B = 1, C = 3 in both lanes.
    send_parameter(2, 32'h40000000);
    send_parameter(3, 32'h3F800000);
    send_parameter(4, 32'h3F000000);
    send_parameter(5, 32'h3F800000);
    send_parameter(6, 32'h40400000);
    send_command(8'h65, 2);
    fork
      begin
        send_operand(32'h40000000, 32'h40400000);  // x 2, dy 3: (6 - 4) * 0.5
        send_operand(32'h00000000, 32'h3F800000);  // x 0, dy 1: (2 + 2) * 0.5
        send_operand(32'h3F800000, 32'h00000000);  // x 1, dy 0: (0 - 1) * 0.5
      end
      begin
        take_result(32'h3F800000, 0);
        take_result(32'h40000000, 1);
        take_result(32'hBF000000, 2);
      end
    join
    // GradAccum with m = 4, v = 0.5 in one lane.
    send_parameter(0, 32'h40800000);
    send_parameter(1, 32'h3F000000);
    send_command(8'h63, 1);
    send_operand(32'h40400000, 32'h3F800000);  // x 3, dy 1: t = -0.5
    send_operand(32'h40800000, 32'h40000000);  // x 4, dy 2: t = 0
    send_operand(32'h40A00000, 32'h40800000);  // x 5, dy 4: t = 2
    take_result(32'h40E00000, 0);              // d_beta 7
    take_result(32'h3FC00000, 1);              // d_gamma 1.5
    take_result(32'h3F400000, 2);              // coupling 0.75
    // The operands of a lane without a channel were X: that, and nothing else, has been seen.
    expect_equal({28'b0, failed}, 4'b0100, "checkers that failed", 0);
    expect_equal({28'b0, rule[11:8]}, 9, "rule of the operands", 0);
    expect_equal(beat[95:64], 3, "beat of the operands", 0);

    present(1'b1, 1'b1, 4'b0110, 1'b0, 0, 0);
    present(1'bx, 1'b1, 4'b0110, 1'b0, 8, 1);
    present(1'bz, 1'b1, 4'b0110, 1'b0, 8, 2);
    present(1'b0, 1'bx, 4'b0110, 1'b0, 8, 3);
    present(1'b1, 1'b1, 4'b01x0, 1'b0, 9, 4);
    present(1'b1, 1'b1, 4'bz110, 1'b0, 9, 5);
    present(1'b1, 1'b1, 4'b0110, 1'bx, 9, 6);
    present(1'b0, 1'b1, 4'bxxxx, 1'bx, 0, 7);  // nothing is offered
    if (wrong == 0) $display("four_state: ok");
    $finish;
  end

  initial begin
    #20000 $display("four_state: a hand-shake never came");
    $finish;
  end
endmodule
