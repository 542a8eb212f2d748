// A bench outside of the project: random GradAccum and BackProp words go to dve_lane_group, under random stalls on both sides,
// and to the golden; a scoreboard compares every dx and every sum. Works without UVM.
//   +words=N  +seed=N  +stall=PERCENT
//   +flip=N   turns a bit of the N-th result beat: the scoreboard must find it
//   +plant=N  plants bug N of dve_planted_pkg (builds with DVE_PLANT)
`timescale 1ns / 1ps
module lane_group_bench;
  import dve_golden_pkg::*;

  localparam int LANES = 4;
  localparam int TURNS = 2;
  localparam int MOST = LANES * TURNS;  // channels
  localparam int LONGEST = 24;          // elements
  // Places in each partition.
  localparam int X = 'h0, DY = 'h1000, OUT = 'h2000, MEAN = 'h3000, INV_STD = 'h3004, ABC = 'h3010;

  logic clk = 0, reset = 1;
  always #1 clk = !clk;

  logic parameter_valid = 0, command_valid = 0, operand_valid = 0, result_ready = 0;
  logic parameter_ready, command_ready, operand_ready, result_valid, result_last, fault, trace_valid;
  logic [2:0] parameter_kind = 0;
  logic [0:0] parameter_slot = 0, trace_slot;
  logic [32*LANES-1:0] parameter_values = 0, operand_x = 0, operand_dy = 0, given, result_values;
  logic [7:0] command_opcode = 0;
  logic [15:0] command_channels = 0;
  logic [31:0] command_elements = 0;
  logic [LANES-1:0] result_keep;
  logic [96*LANES-1:0] trace_sums;
  dve_lane_group #(.LANES(LANES), .STAGES(2), .ACC_STAGES(2), .INTERLEAVE(TURNS)) dut (
      .clk, .reset, .parameter_valid, .parameter_ready, .parameter_kind, .parameter_slot, .parameter_values, .command_valid,
      .command_ready, .command_opcode, .command_dst_interpreter(1'b0), .command_product_interpreter(1'b0), .command_channels,
      .command_elements, .fault, .operand_valid, .operand_ready, .operand_x, .operand_dy, .result_valid, .result_ready,
      .result_values(given), .result_keep, .result_last, .trace_valid, .trace_slot, .trace_sums);

  // ---- What a run is made of
  int unsigned words = 40, seed = 1, stall = 30, flip = 0, beats = 0;
  int unsigned state;  // xorshift: the same in every simulator
  function automatic int unsigned below(int unsigned n);
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % n;
  endfunction
  function automatic logic [31:0] number();
    case (below(16))
      0: return {1'(below(2)), 8'(below(256)), 23'(below(1 << 23))};  // anything
      1: return {1'(below(2)), 31'h7F800000};                         // infinity
      2: return {1'(below(2)), 31'(below(1 << 23))};                  // subnormal or zero
      3: return 32'h7FC00000;
      default: return {1'(below(2)), 8'(118 + below(16)), 23'(below(1 << 23))};
    endcase
  endfunction

  // A small whole number as binary32.
  function automatic logic [31:0] whole(int unsigned n);
    int exponent = 31;
    while (!n[exponent]) exponent--;
    return {1'b0, 8'(127 + exponent), 23'((n - (1 << exponent)) << (23 - exponent))};
  endfunction

  golden model;
  scoreboard results;
  logic [31:0] x[MOST][LONGEST], dy[MOST][LONGEST], mean[MOST], inv_std[MOST], abc[MOST][3];
  int unsigned channels, elements;

  task automatic fill_memory();
    for (int c = 0; c < int'(channels); c++) begin
      values_t row;
      row = {};
      for (int e = 0; e < int'(elements); e++) begin
        x[c][e] = number();
        row.push_back(x[c][e]);
      end
      void'(model.write_values(model.address(SBUF, c, X), row));
      row = {};
      for (int e = 0; e < int'(elements); e++) begin
        dy[c][e] = number();
        row.push_back(dy[c][e]);
      end
      void'(model.write_values(model.address(SBUF, c, DY), row));
      mean[c] = number();
      inv_std[c] = number();
      row = {mean[c], inv_std[c]};
      void'(model.write_values(model.address(SBUF, c, MEAN), row));
      row = {};
      for (int k = 0; k < 3; k++) begin
        abc[c][k] = number();
        row.push_back(abc[c][k]);
      end
      void'(model.write_values(model.address(SBUF, c, ABC), row));
    end
  endtask

  // ---- Drivers. Everything changes at falling edges; a beat passes at the rising edge after one at which both sides hold.
  task automatic send_parameters(input logic [2:0] kind, input logic [31:0] values[MOST]);
    logic [32*LANES-1:0] packed_values;
    for (int turn = 0; turn < TURNS; turn++) begin
      parameter_kind = kind;
      parameter_slot = 1'(turn);
      for (int i = 0; i < LANES; i++) packed_values[32*i+:32] = values[turn*LANES+i];
      parameter_values = packed_values;
      parameter_valid = 1;
      while (!parameter_ready) @(negedge clk);
      @(negedge clk);
      parameter_valid = 0;
    end
  endtask
  task automatic send_one(input logic [2:0] kind, input logic [31:0] value);
    logic [31:0] values[MOST];
    for (int c = 0; c < MOST; c++) values[c] = value;
    send_parameters(kind, values);
  endtask
  task automatic send_abc();
    for (int k = 0; k < 3; k++) begin
      logic [31:0] values[MOST];
      for (int c = 0; c < MOST; c++) values[c] = abc[c][k];
      send_parameters(3'(4 + k), values);
    end
  endtask
  task automatic send_command(input logic [7:0] opcode);
    command_opcode = opcode;
    command_channels = 16'(channels);
    command_elements = elements;
    command_valid = 1;
    while (!command_ready) @(negedge clk);
    @(negedge clk);
    command_valid = 0;
  endtask
  task automatic send_operands();
    logic [32*LANES-1:0] packed_x, packed_dy;
    for (int e = 0; e < int'(elements); e++) begin
      for (int turn = 0; turn * LANES < int'(channels); turn++) begin
        while (below(100) < stall) @(negedge clk);
        for (int i = 0; i < LANES; i++) begin
          packed_x[32*i+:32] = x[turn*LANES+i][e];
          packed_dy[32*i+:32] = dy[turn*LANES+i][e];
        end
        operand_x = packed_x;
        operand_dy = packed_dy;
        operand_valid = 1;
        while (!operand_ready) @(negedge clk);
        @(negedge clk);
        operand_valid = 0;
      end
    end
  endtask

  // ---- Monitor: a transaction for each lane of a beat of dx, or of three beats of sums
  longint unsigned id;
  word_t word;
  int unsigned beat;  // of the word
  logic [31:0] sums[LANES][3];
  always_comb result_values = beats + 1 == flip ? given ^ (128'd1 << (32 + 7)) : given;  // lane 1, bit 7

  function automatic void take_beat();
    int unsigned turns = (channels + LANES - 1) / LANES;
    bit back_prop = word[7:0] == 8'h65;
    int unsigned turn = back_prop ? beat % turns : beat / 3;
    for (int unsigned i = 0; i < LANES; i++) begin
      transaction t;
      if (!back_prop) sums[i][beat%3] = result_values[32*i+:32];
      if (!result_keep[i] || (!back_prop && beat % 3 != 2)) continue;
      t = new(id, back_prop ? longint'(beat / turns) : longint'(elements), turn * LANES + i);
      if (back_prop) t.add(result_values[32*i+:32]);
      else for (int k = 0; k < 3; k++) t.add(sums[i][k]);
      void'(results.check(t));
    end
    beat++;
    beats++;
  endfunction
  always @(negedge clk) begin
    result_ready = below(100) >= stall;
    if (!reset && result_valid && result_ready) take_beat();
  end

  // ---- The run
  task automatic run_word(input string text);
    int unsigned patience = 20000;
    void'(model.assemble(text, word));
    id++;
    beat = 0;
    void'(results.expect_word(DVE, id, word));
    send_command(word[7:0]);
    send_operands();
    while (results.pending() != 0 && results.mismatches == 0 && patience != 0) begin
      @(negedge clk);
      patience--;
    end
  endtask

  task automatic run_pair();
    channels = 1 + below(MOST);
    elements = 1 + below(LONGEST);
    fill_memory();
    send_parameters(0, mean);
    send_parameters(1, inv_std);
    send_one(2, whole(elements));
    send_parameters(3, mean);
    send_abc();
    run_word($sformatf("batch_norm_grad_accumulate2 src0=sbuf[0]+%0d:fp32{%0d} src1=sbuf[0]+%0d:fp32{%0d} dst=sbuf[0]+%0d:fp32{3} imm0=sbuf[0]+%0d imm1=sbuf[0]+%0d channels=%0d",
                       X, elements, DY, elements, OUT, MEAN, INV_STD, channels));
    if (results.mismatches != 0) return;
    void'(model.assemble($sformatf("batch_norm_param_load src=sbuf[0]+%0d:fp32{3} imm0=sbuf[0]+%0d element_count=%0d channels=%0d", ABC, MEAN,
                                   elements, channels), word));
    void'(model.execute(DVE, word));
    run_word($sformatf("batch_norm_back_prop src0=sbuf[0]+%0d:fp32{%0d} src1=sbuf[0]+%0d:fp32{%0d} dst=sbuf[0]+%0d:fp32{%0d} channels=%0d", X,
                       elements, DY, elements, OUT + 'h100, elements, channels));
  endtask

  initial begin
    bit good;
    void'($value$plusargs("words=%d", words));
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("stall=%d", stall));
    void'($value$plusargs("flip=%d", flip));
`ifdef DVE_PLANT
    void'($value$plusargs("plant=%d", dve_planted_pkg::chosen));
`endif
    state = seed * 2654435761 | 1;
    model = new("cayman");
    results = new("lanes", model);
    repeat (3) @(negedge clk);
    reset = 0;
    @(negedge clk);
    while (id < longint'(words) && results.mismatches == 0 && results.unexpected == 0) run_pair();
    good = results.report();
    if (!good) $fatal(1, "bench: FAILED, seed %0d", seed);
    $display("bench: ok, %0d words, %0d beats, seed %0d", id, beats, seed);
    $finish;
  end
endmodule
