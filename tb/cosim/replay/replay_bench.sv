// Replays a stimulus file (docs/stimulus.md) on the lane group: reads it with one $readmemh, drives the lane streams of its
// GradAccum and BackProp words under random stalls, and compares every result bit by bit. Plain SystemVerilog for verilator
// (--binary --timing) and iverilog; replay.sh builds and runs it. A bench of your own lanes replaces `group`.
//
// Plusargs: +stimulus=FILE, +stall=PERCENT of the cycles in which a stream waits (default 50), +seed=N.
// Ends with "replay: ok, ..." or with the first mismatch.
`timescale 1ns / 100ps
module replay_bench;
  parameter int WORDS = 1 << 21;  // room for the file
  parameter int LANES = 4;
  parameter int STAGES = 3;
  parameter int ACC_STAGES = 1;
  parameter int INTERLEAVE = 1;
  localparam int SLOT_BITS = INTERLEAVE > 1 ? $clog2(INTERLEAVE) : 1;

  // ---- The file, by the names of docs/stimulus.md
  localparam int MAGIC = 0, VERSION = 1, FILE_WORDS = 2, STATUS = 4, EVENTS_AT = 15, EVENTS = 16;
  localparam int EVENT_NUMBER = 1, EVENT_LANE = 4;
  localparam int LANE_OPERATION = 0, LANE_CHANNELS = 1, LANE_ELEMENTS = 2, LANE_FLAGS = 4, LANE_PARAMETERS = 5,
      LANE_PARAMETERS_AT = 6, LANE_X_AT = 7, LANE_DY_AT = 8, LANE_EXPECTED_AT = 9, LANE_EXPECTED = 10;
  localparam int GRAD_ACCUMULATE = 1, PARAM_LOAD = 2, BACK_PROP = 3;
  reg [31:0] stimulus[0:WORDS-1];

  // ---- The group
  logic clk = 0;
  logic reset = 1;
  always #1 clk = !clk;
  logic parameter_valid = 0, command_valid = 0, operand_valid = 0, result_ready = 0;
  logic parameter_ready, command_ready, operand_ready, result_valid, result_last, fault, trace_valid;
  logic [2:0] parameter_kind = 0;
  logic [SLOT_BITS-1:0] parameter_slot = 0, trace_slot;
  logic [32*LANES-1:0] parameter_values = 0, operand_x = 0, operand_dy = 0, result_values;
  logic [7:0] command_opcode = 0;
  logic dst_interpreter = 0, product_interpreter = 0;
  logic [15:0] command_channels = 0;
  logic [31:0] command_elements = 0;
  logic [LANES-1:0] result_keep;
  logic [96*LANES-1:0] trace_sums;
  dve_lane_group #(.LANES(LANES), .STAGES(STAGES), .ACC_STAGES(ACC_STAGES), .INTERLEAVE(INTERLEAVE)) group (
      .clk, .reset, .parameter_valid, .parameter_ready, .parameter_kind, .parameter_slot, .parameter_values,
      .command_valid, .command_ready, .command_opcode, .command_dst_interpreter(dst_interpreter),
      .command_product_interpreter(product_interpreter), .command_channels, .command_elements, .fault, .operand_valid,
      .operand_ready, .operand_x, .operand_dy, .result_valid, .result_ready, .result_values, .result_keep, .result_last,
      .trace_valid, .trace_slot, .trace_sums);

  // ---- The word at hand, and the channels [base, base + channels) of it that the group takes at once
  integer word, record, base, channels, turns, elements;
  integer words = 0, results = 0, skipped = 0;
  integer stall = 50, seed = 1, random = 1, idle = 0;

  function automatic logic stalls(input integer percent);
    stalls = $unsigned($random(random)) % 100 < $unsigned(percent);
  endfunction

  // A value of every lane of a turn: from a table with `per_channel` words a channel, the one at `index`.
  function automatic [32*LANES-1:0] lane_values(input integer at, input integer per_channel, input integer index,
                                                input integer turn);
    lane_values = 0;
    for (int lane = 0; lane < LANES; lane++)
      if (turn * LANES + lane < channels)
        lane_values[32*lane+:32] = stimulus[at+(base+turn*LANES+lane)*per_channel+index];
  endfunction

  // ---- Senders: a beat is offered at a falling edge and stays over the rising edge at which it passes.
  task automatic send_parameters(input integer kinds, input integer first_kind);
    for (int kind = 0; kind < kinds; kind++)
      for (int turn = 0; turn < turns; turn++) begin
        while (stalls(stall)) @(negedge clk);
        parameter_valid = 1;
        parameter_kind = 3'(first_kind + kind);
        parameter_slot = SLOT_BITS'(turn);
        parameter_values = lane_values(stimulus[record+LANE_PARAMETERS_AT], stimulus[record+LANE_PARAMETERS], kind, turn);
        while (parameter_ready !== 1'b1) @(negedge clk);
        @(negedge clk);
        parameter_valid = 0;
      end
  endtask

  task automatic send_command(input [7:0] opcode);
    while (stalls(stall)) @(negedge clk);
    command_valid = 1;
    command_opcode = opcode;
    command_channels = 16'(channels);
    command_elements = elements;
    while (command_ready !== 1'b1) @(negedge clk);
    @(negedge clk);
    command_valid = 0;
    if (fault !== 1'b0) stop_at("the group refuses the command", 0, 0);
  endtask

  task automatic send_operands;
    for (int element = 0; element < elements; element++)
      for (int turn = 0; turn < turns; turn++) begin
        while (stalls(stall)) @(negedge clk);
        operand_valid = 1;
        operand_x = lane_values(stimulus[record+LANE_X_AT], elements, element, turn);
        operand_dy = lane_values(stimulus[record+LANE_DY_AT], elements, element, turn);
        while (operand_ready !== 1'b1) @(negedge clk);
        @(negedge clk);
        operand_valid = 0;
      end
  endtask

  task automatic take_result(input integer index, input integer turn, input integer last);
    while (stalls(stall)) @(negedge clk);
    result_ready = 1;
    while (result_valid !== 1'b1) @(negedge clk);
    check(lane_values(stimulus[record+LANE_EXPECTED_AT], stimulus[record+LANE_EXPECTED], index, turn), index, turn, last);
    @(negedge clk);
    result_ready = 0;
  endtask

  // BackProp gives dx in the order of the operands, GradAccum turn by turn three sums.
  task automatic take_results;
    if (stimulus[record+LANE_OPERATION] == BACK_PROP) begin
      for (int element = 0; element < elements; element++)
        for (int turn = 0; turn < turns; turn++)
          take_result(element, turn, element == elements - 1 && turn == turns - 1 ? 1 : 0);
    end else begin
      for (int turn = 0; turn < turns; turn++)
        for (int sum = 0; sum < 3; sum++) take_result(sum, turn, sum == 2 && turn == turns - 1 ? 1 : 0);
    end
  endtask

  // ---- Comparison. !== tells an X from a 0.
  task automatic check(input [32*LANES-1:0] expected, input integer index, input integer turn, input integer last);
    for (int lane = 0; lane < LANES; lane++) begin
      if (result_values[32*lane+:32] !== expected[32*lane+:32]) begin
        $display("replay: word %0d, channel %0d, %0s %0d: got %h (%g), expected %h (%g)", word, base + turn * LANES + lane,
                 stimulus[record+LANE_OPERATION] == BACK_PROP ? "element" : "sum", index, result_values[32*lane+:32],
                 float_of(result_values[32*lane+:32]), expected[32*lane+:32], float_of(expected[32*lane+:32]));
        $finish;
      end
      if (result_keep[lane] !== (turn * LANES + lane < channels)) stop_at("keep is wrong", index, turn);
    end
    if (result_last !== last[0]) stop_at("last is wrong", index, turn);
    results = results + 1;
    idle = 0;
  endtask

  task automatic stop_at(input [8*40-1:0] what, input integer index, input integer turn);
    $display("replay: word %0d, channels from %0d, result %0d: %0s", word, base + turn * LANES, index, what);
    $finish;
  endtask

  // The value of binary32 bits, through binary64.
  function automatic real float_of(input [31:0] bits);
    automatic logic [10:0] exponent = {3'b0, bits[30:23]} + 11'd896;
    if (bits[30:23] == 8'hff) exponent = 11'h7ff;
    if (bits[30:23] == 0) float_of = (bits[31] ? -1.0 : 1.0) * {9'b0, bits[22:0]} * 2.0 ** (-149);
    else float_of = $bitstoreal({bits[31], exponent, bits[22:0], 29'b0});
  endfunction

  // ---- A word: as many channels at a time as the group has
  task automatic replay_word(input [7:0] opcode, input integer kinds, input integer first_kind);
    elements = stimulus[record+LANE_ELEMENTS];
    dst_interpreter = stimulus[record+LANE_FLAGS][0];
    product_interpreter = stimulus[record+LANE_FLAGS][1];
    for (base = 0; base < stimulus[record+LANE_CHANNELS]; base = base + LANES * INTERLEAVE) begin
      channels = stimulus[record+LANE_CHANNELS] - base;
      if (channels > LANES * INTERLEAVE) channels = LANES * INTERLEAVE;
      turns = (channels + LANES - 1) / LANES;
      send_parameters(kinds, first_kind);
      send_command(opcode);
      fork
        send_operands;
        take_results;
      join
    end
    words = words + 1;
  endtask

  task automatic replay_event(input integer event_at);
    word = stimulus[event_at+EVENT_NUMBER];
    record = stimulus[event_at+EVENT_LANE];
    if (record != 0 && stimulus[record+LANE_OPERATION] != PARAM_LOAD) begin
      // The lanes have neither the textbook form of BackProp nor the wide accumulator of GradAccum.
      if (stimulus[record+LANE_OPERATION] == BACK_PROP ? stimulus[record+LANE_FLAGS][2] : stimulus[record+LANE_FLAGS][4])
        skipped = skipped + 1;
      else if (stimulus[record+LANE_OPERATION] == BACK_PROP) replay_word(8'h65, 5, 2);
      else replay_word(8'h63, 2, 0);
    end
  endtask

  string file;
  initial begin
    if (!$value$plusargs("stimulus=%s", file)) file = "";
    if (!$value$plusargs("stall=%d", stall)) stall = 50;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    random = seed;
    $readmemh(file, stimulus);
    if (stimulus[MAGIC] !== 32'h44564553 || stimulus[VERSION] !== 32'd1) begin
      $display("replay: no stimulus file of version 1, name it with +stimulus=FILE");
      $finish;
    end else if (stimulus[FILE_WORDS] > WORDS) begin
      $display("replay: the file has %0d words, the bench room for %0d: set WORDS", stimulus[FILE_WORDS], WORDS);
      $finish;
    end else begin
      if (stimulus[STATUS] != 0) $display("replay: the recorded run ended early, with status %0d", stimulus[STATUS]);
      repeat (3) @(negedge clk);
      reset = 0;
      for (int e = 0; e < stimulus[EVENTS]; e++) replay_event(stimulus[stimulus[EVENTS_AT]+e]);
      if (words == 0) $display("replay: nothing was compared, %0d words skipped", skipped);
      else
        $display("replay: ok, %0d words, %0d beats of results, %0d words skipped, seed %0d", words, results, skipped, seed);
      $finish;
    end
  end

  always @(posedge clk) begin
    idle <= idle + 1;
    if (idle == 1000000) begin
      $display("replay: word %0d: a hand-shake never came", word);
      $finish;
    end
  end
endmodule
