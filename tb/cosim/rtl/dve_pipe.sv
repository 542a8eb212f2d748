// DEPTH registers in a row, all of which advance in cycles with `enable`. DEPTH 0 is a wire. Not reset: what a register
// holds counts only together with a valid bit that travels beside it.
`include "dve_planted.svh"
module dve_pipe #(
    parameter int WIDTH = 32,
    parameter int DEPTH = 1
) (
    input  logic             clk,
    input  logic             enable,
    input  logic [WIDTH-1:0] d,
    output logic [WIDTH-1:0] q
);
  generate
    if (DEPTH == 0) begin : g_wire
      logic unused;
      assign unused = &{1'b0, clk, enable};
      assign q = d;
    end else begin : g_registers
      logic [DEPTH*WIDTH-1:0] stages;  // the youngest on the right
      always_ff @(posedge clk) if (enable || `DVE_PLANTED(PIPE_IGNORES_ENABLE)) stages <= (DEPTH * WIDTH)'({stages, d});
      assign q = stages[DEPTH*WIDTH-1-:WIDTH];
    end
  endgenerate
endmodule
