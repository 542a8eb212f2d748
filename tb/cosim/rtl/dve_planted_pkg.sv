// The planted bugs by unit; see dve_planted.svh. Compiled with DVE_PLANT only. The numbers are those of planted_bug.h.
package dve_planted_pkg;
  localparam logic [3:0] MULTIPLY_TIES_AWAY = 1;   // fp32_multiply: a tie rounds away from zero
  localparam logic [3:0] MULTIPLY_FLUSHES = 2;     // fp32_multiply: a subnormal result becomes zero
  localparam logic [3:0] ADD_LOSES_STICKY = 3;     // fp32_add: the bits shifted out of the smaller operand are forgotten
  localparam logic [3:0] LANE_SWAPS_SUMS = 4;      // dve_lane: d_gamma and the coupling take each other's terms
  localparam logic [3:0] LANE_FORGETS_BYPASS = 5;  // dve_lane: a sum that is just leaving the adder is read too old
  localparam logic [3:0] GROUP_IGNORES_HAZARD = 6; // dve_lane_group: an element enters before its channel's sum is ready
  localparam logic [3:0] GROUP_KEEPS_TAIL = 7;     // dve_lane_group: lanes past the last channel count as channels
  localparam logic [3:0] SLICE_DROPS_BEAT = 8;     // dve_stream_slice: the beat that should wait in the second place is lost
  localparam logic [3:0] SLICE_LATE_VALID = 9;     // dve_stream_slice: valid follows its data a cycle late
  localparam logic [3:0] SLICE_WITHDRAWS = 10;     // dve_stream_slice: a second beat withdraws the first, unaccepted one
  localparam logic [3:0] SLICE_READY_WAITS = 11;   // dve_stream_slice: ready waits for valid
  localparam logic [3:0] PIPE_IGNORES_ENABLE = 12; // dve_pipe: goes on while the pipeline stands still

  logic [3:0] chosen  /*verilator public_flat_rw*/ = 0;
endpackage
