// Not hardware that we want: an instance of a module that nobody defines. tb/cosim/check_rtl.sh must refuse it.
module black_box (
    input  logic d,
    output logic q
);
  nowhere_defined inside (.d(d), .q(q));
endmodule
