// Not hardware that we want: `q` hangs on a net that nothing drives. tb/cosim/check_rtl.sh must refuse it.
module undriven (
    input  logic d,
    output logic q
);
  logic forgotten;
  assign q = d & forgotten;
endmodule
