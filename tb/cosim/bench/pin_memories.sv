// Memories behind the pins that models/tlm/pins drives: an SRAM of LATENCY cycles, and an AXI4 subordinate for INCR bursts.
// For tests of the adapters, by whoever knows nothing of them.
module pin_memories #(
    parameter int LATENCY = 2,
    parameter int WORDS = 1024,  // of each
    parameter int AXI_BYTES = 8 * WORDS
) (
    input logic clk,
    input logic reset,

    input  logic        sram_enable,
    input  logic        sram_write,
    input  logic [ 9:0] sram_address,
    input  logic [ 3:0] sram_byte_enable,
    input  logic [31:0] sram_wdata,
    output logic [31:0] sram_rdata,

    input  logic [ 3:0] awid,
    input  logic [31:0] awaddr,
    input  logic [ 7:0] awlen,
    input  logic [ 2:0] awsize,
    input  logic [ 1:0] awburst,
    input  logic        awvalid,
    output logic        awready,
    input  logic [63:0] wdata,
    input  logic [ 7:0] wstrb,
    input  logic        wlast,
    input  logic        wvalid,
    output logic        wready,
    output logic [ 3:0] bid,
    output logic [ 1:0] bresp,
    output logic        bvalid,
    input  logic        bready,
    input  logic [ 3:0] arid,
    input  logic [31:0] araddr,
    input  logic [ 7:0] arlen,
    input  logic [ 2:0] arsize,
    input  logic [ 1:0] arburst,
    input  logic        arvalid,
    output logic        arready,
    output logic [ 3:0] rid,
    output logic [63:0] rdata,
    output logic [ 1:0] rresp,
    output logic        rlast,
    output logic        rvalid,
    input  logic        rready
);
  // ---- SRAM: a word is read at the edge of its access and leaves LATENCY - 1 registers later
  logic [31:0] sram[WORDS];
  logic [31:0] read_at[LATENCY];
  assign sram_rdata = read_at[LATENCY-1];
  always_ff @(posedge clk) begin
    if (sram_enable && sram_write) begin
      for (int i = 0; i < 4; i++) if (sram_byte_enable[i]) sram[sram_address][8*i+:8] <= sram_wdata[8*i+:8];
    end
    if (sram_enable && !sram_write) read_at[0] <= sram[sram_address];
    for (int i = 1; i < LATENCY; i++) read_at[i] <= read_at[i-1];
  end

  // ---- AXI4: one write and one read at a time; DECERR outside, SLVERR for what it does not do
  localparam logic [1:0] OKAY = 2'd0;
  localparam logic [1:0] SLVERR = 2'd2;
  localparam logic [1:0] DECERR = 2'd3;
  logic [63:0] memory[WORDS];
  logic writing, responding, reading;
  logic [31:0] write_address, read_address;
  logic [2:0] write_size, read_size;
  logic [7:0] beats_left;
  logic [1:0] read_response;
  function automatic logic [31:0] after(logic [31:0] address, logic [2:0] size);
    return ((address >> size) + 1) << size;
  endfunction
  function automatic logic [1:0] response(logic [31:0] address, logic [1:0] burst);
    return burst != 2'd1 ? SLVERR : address < AXI_BYTES ? OKAY : DECERR;
  endfunction

  assign awready = !reset && !writing && !responding;
  assign wready = !reset && writing;
  assign bvalid = !reset && responding;
  assign arready = !reset && !reading;
  assign rvalid = !reset && reading;
  assign rdata = read_response == OKAY ? memory[read_address[12:3]] : 64'd0;
  assign rresp = read_response;
  assign rlast = beats_left == 0;
  logic unused;
  assign unused = &{1'b0, awlen};  // the last beat is told by wlast

  always_ff @(posedge clk) begin
    if (awvalid && awready) begin
      writing <= 1'b1;
      bid <= awid;
      bresp <= response(awaddr, awburst);
      write_address <= awaddr;
      write_size <= awsize;
    end
    if (wvalid && wready) begin
      for (int i = 0; i < 8; i++)
        if (wstrb[i] && bresp == OKAY) memory[write_address[12:3]][8*i+:8] <= wdata[8*i+:8];
      write_address <= after(write_address, write_size);
      if (wlast) {writing, responding} <= 2'b01;
    end
    if (bvalid && bready) responding <= 1'b0;

    if (arvalid && arready) begin
      reading <= 1'b1;
      rid <= arid;
      read_response <= response(araddr, arburst);
      read_address <= araddr;
      read_size <= arsize;
      beats_left <= arlen;
    end
    if (rvalid && rready) begin
      read_address <= after(read_address, read_size);
      beats_left <= beats_left - 1;
      if (rlast) reading <= 1'b0;
    end
    if (reset) {writing, responding, reading} <= 3'b000;
  end
endmodule
