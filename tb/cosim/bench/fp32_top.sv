// The two arithmetic units side by side, three deep and one deep: the verilated top of the comparison with the host.
module fp32_top (
    input  logic        clk,
    input  logic        subtract,
    input  logic [31:0] a,
    input  logic [31:0] b,
    output logic [31:0] product1,  // of the operands one cycle before
    output logic [31:0] sum1,
    output logic [31:0] product3,  // of the operands three cycles before
    output logic [31:0] sum3
);
  fp32_multiply #(.STAGES(1)) multiply1 (.clk, .enable(1'b1), .a, .b, .y(product1));
  fp32_multiply #(.STAGES(3)) multiply3 (.clk, .enable(1'b1), .a, .b, .y(product3));
  fp32_add #(.STAGES(1)) add1 (.clk, .enable(1'b1), .subtract, .a, .b, .y(sum1));
  fp32_add #(.STAGES(3)) add3 (.clk, .enable(1'b1), .subtract, .a, .b, .y(sum3));
endmodule
