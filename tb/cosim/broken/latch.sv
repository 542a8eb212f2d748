// Not hardware that we want: `held` keeps its value in a latch. tb/cosim/check_rtl.sh must refuse it.
module latch (
    input  logic gate,
    input  logic d,
    output logic held
);
  always @* if (gate) held = d;
endmodule
