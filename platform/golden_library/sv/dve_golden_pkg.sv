// The golden library (dve_golden.h) in SystemVerilog, over DPI-C: compile this file and link libdve_golden.
//
//   golden      one core: memories, words, steps inside a word, findings, cycles
//   transaction what leaves the design for one element and channel
//   scoreboard  holds what the golden expects and compares it, in order, with what comes
//
// Plain classes without a library of their own. Every number handed to the golden is a 4-state vector: a bit that is X or Z is an
// error that names the bit. A call that fails, and a mismatch, end up in a virtual function `error`, which a bench may override.
//
//   dve_golden_pkg::golden g = new("cayman");
//   dve_golden_pkg::scoreboard lanes = new("lanes", g);
//   lanes.expect_word(dve_golden_pkg::DVE, 7, word);   // transaction id 7
//   ...
//   void'(lanes.check_value(bits_of_dx));              // as the design gives them
//   if (!lanes.report()) $fatal(1);
//
// In UVM a scoreboard is a component that owns one of these:
//
//   class lane_scoreboard extends uvm_scoreboard;
//     `uvm_component_utils(lane_scoreboard)
//     class reporting extends dve_golden_pkg::scoreboard;        // mismatches become UVM errors
//       function new(string name, dve_golden_pkg::golden g); super.new(name, g); endfunction
//       virtual function void error(string text); `uvm_error("DVE", text) endfunction
//     endclass
//     uvm_analysis_imp #(lane_item, lane_scoreboard) results;    // from the monitor
//     dve_golden_pkg::golden g;
//     reporting lanes;
//     function void build_phase(uvm_phase phase); results = new("results", this); g = new("cayman"); lanes = new("lanes", g); endfunction
//     function void write(lane_item item); void'(lanes.check(item.to_transaction())); endfunction
//     function void report_phase(uvm_phase phase); void'(lanes.report()); endfunction
//   endclass
// Members of classes that a bench does not touch are no unused signals, and outputs of functions drive.
/* verilator lint_off UNDRIVEN */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNUSEDPARAM */
package dve_golden_pkg;

  // Numbers of dve_golden.h.
  typedef enum int {OK = 0, DONE = 1, WAITING = 2, FAULT = 3, BAD_ARGUMENT = 4, BAD_ADDRESS = 5, NO_ELEMENTS = 6, INTERNAL = 70} status_e;
  typedef enum int {DVE = 0, POOL = 1, ACT = 2} engine_e;
  typedef enum int {SBUF = 0, PSUM = 1} memory_e;

  typedef logic [511:0] word_t;  // 64 bytes, the first in the low bits
  typedef logic [31:0] values_t[$];

  // What becomes of one element of one channel (dve_golden_element), as bits of binary32.
  typedef struct {
    bit [63:0] element;
    bit [31:0] x, dy, xn, t, tv, d_beta, d_gamma, coupling, dx;
  } element_t;

  // Cycles of an engine (dve_golden_schedule).
  typedef struct {
    longint unsigned start, read_done, complete, next_issue, stream;
  } schedule_t;

  // Flops of a lane (dve_golden_lane), as bits of binary32.
  typedef struct {
    bit loaded;
    bit [31:0] element_count, mean, a, b, c, inv_std;
  } lane_t;

  import "DPI-C" function chandle dve_dpi_create(input string configuration, input string settings, input logic [63:0] host_bytes);
  import "DPI-C" function void dve_dpi_destroy(input chandle golden);
  import "DPI-C" function int dve_dpi_reset(input chandle golden);
  import "DPI-C" function string dve_dpi_message(input chandle golden);
  import "DPI-C" function string dve_dpi_status_name(input int status);
  import "DPI-C" function int dve_dpi_address(input chandle golden, input logic [31:0] memory, input logic [31:0] partition,
                                              input logic [63:0] offset, output bit [63:0] address);
  import "DPI-C" function int dve_dpi_write(input chandle golden, input logic [63:0] address, input logic [31:0] bytes,
                                            input logic [511:0] data);
  import "DPI-C" function int dve_dpi_read(input chandle golden, input logic [63:0] address, input logic [31:0] bytes,
                                           output bit [511:0] data);
  import "DPI-C" function int dve_dpi_execute(input chandle golden, input logic [31:0] engine, input logic [511:0] word);
  import "DPI-C" function int dve_dpi_check(input chandle golden, input logic [31:0] engine, input logic [511:0] word,
                                            output string text);
  import "DPI-C" function int dve_dpi_assemble(input chandle golden, input string text, output bit [511:0] word);
  import "DPI-C" function int dve_dpi_disassemble(input chandle golden, input logic [511:0] word, output string text);
  import "DPI-C" function int dve_dpi_begin(input chandle golden, input logic [31:0] engine, input logic [511:0] word,
                                            output bit [63:0] elements, output bit [31:0] channels);
  import "DPI-C" function int dve_dpi_step(input chandle golden);
  import "DPI-C" function int dve_dpi_element_of(input chandle golden, input logic [31:0] channel, output bit [63:0] element,
                                                 output bit [287:0] values);
  import "DPI-C" function int dve_dpi_finish(input chandle golden);
  import "DPI-C" function int dve_dpi_finding_count(input chandle golden);
  import "DPI-C" function int dve_dpi_finding_at(input chandle golden, input logic [31:0] index, output int fault, output string text);
  import "DPI-C" function int dve_dpi_lane(input chandle golden, input logic [31:0] lane, output int loaded, output bit [191:0] flops);
  import "DPI-C" function int dve_dpi_semaphore(input chandle golden, input logic [31:0] index, output int value);
  import "DPI-C" function int dve_dpi_set_semaphore(input chandle golden, input logic [31:0] index, input logic [31:0] value);
  import "DPI-C" function int dve_dpi_event(input chandle golden, input logic [31:0] index, output int value);
  import "DPI-C" function int dve_dpi_set_event(input chandle golden, input logic [31:0] index, input logic [31:0] value);
  import "DPI-C" function int dve_dpi_register(input chandle golden, input logic [31:0] engine, input logic [31:0] index,
                                               output bit [31:0] value);
  import "DPI-C" function int dve_dpi_set_register(input chandle golden, input logic [31:0] engine, input logic [31:0] index,
                                                   input logic [31:0] value);
  import "DPI-C" function int dve_dpi_schedule(input chandle golden, input logic [31:0] engine, output bit [319:0] cycles);
  import "DPI-C" function int dve_dpi_same(input logic [31:0] actual, input logic [31:0] expected, output string text);

  // One core after reset. Functions return the status; error() has been called when it is neither OK, DONE nor WAITING.
  class golden;
    chandle handle;

    // `configuration`: a generation or a file; "": cayman. `settings`: "key=value", one a line.
    function new(string configuration = "", string settings = "", logic [63:0] host_bytes = 0);
      handle = dve_dpi_create(configuration, settings, host_bytes);
      if (handle == null) error($sformatf("golden: %s", dve_dpi_message(handle)));
    endfunction

    // Frees the core; the object is of no use afterwards.
    function void close();
      dve_dpi_destroy(handle);
      handle = null;
    endfunction

    // A call that failed. Ends the simulation; a bench that provokes faults overrides it.
    virtual function void error(string text);
      $fatal(1, "%s", text);
    endfunction

    // Why the last call that failed did so.
    function string message();
      return dve_dpi_message(handle);
    endfunction

    local function status_e ended(string what, int status);
      if (status != OK && status != DONE && status != WAITING)
        error($sformatf("golden %s: %s: %s", what, dve_dpi_status_name(status), dve_dpi_message(handle)));
      return status_e'(status);
    endfunction

    function status_e reset();
      return ended("reset", dve_dpi_reset(handle));
    endfunction

    // ---- Memories
    function bit [63:0] address(logic [31:0] memory, logic [31:0] partition, logic [63:0] offset);
      bit [63:0] place;
      void'(ended("address", dve_dpi_address(handle, memory, partition, offset, place)));
      return place;
    endfunction

    // Up to 64 bytes, the first in the low bits of data.
    function status_e write(logic [63:0] place, logic [31:0] bytes, logic [511:0] data);
      return ended("write", dve_dpi_write(handle, place, bytes, data));
    endfunction
    function status_e read(logic [63:0] place, logic [31:0] bytes, output bit [511:0] data);
      return ended("read", dve_dpi_read(handle, place, bytes, data));
    endfunction

    // 32 bits each, one after the other; stops at the first that fails.
    function status_e write_values(logic [63:0] place, values_t values);
      for (int k = 0; k < values.size(); k++) begin
        status_e status = write(place + 64'(4 * k), 4, {480'b0, values[k]});
        if (status != OK) return status;
      end
      return OK;
    endfunction
    function status_e read_values(logic [63:0] place, int unsigned count, output values_t values);
      bit [511:0] data;
      values = {};
      for (int unsigned k = 0; k < count; k++) begin
        status_e status = read(place + 64'(4 * k), 4, data);
        if (status != OK) return status;
        values.push_back(data[31:0]);
      end
      return OK;
    endfunction

    // ---- Words
    function status_e execute(logic [31:0] engine, word_t word);
      return ended("execute", dve_dpi_execute(handle, engine, word));
    endfunction
    // Whether the word is legal: no error; text tells what is wrong.
    function bit is_legal(logic [31:0] engine, word_t word, output string text);
      int status = dve_dpi_check(handle, engine, word, text);
      if (status == FAULT) return 0;
      void'(ended("check", status));
      return status == OK;
    endfunction
    function status_e assemble(string text, output word_t word);
      bit [511:0] bits;
      status_e status = ended("assemble", dve_dpi_assemble(handle, text, bits));
      word = bits;
      return status;
    endfunction
    function string disassemble(word_t word);
      string text;
      void'(ended("disassemble", dve_dpi_disassemble(handle, word, text)));
      return text;
    endfunction

    // ---- Inside a word
    function status_e begin_word(logic [31:0] engine, word_t word, output bit [63:0] elements, output bit [31:0] channels);
      return ended("begin", dve_dpi_begin(handle, engine, word, elements, channels));
    endfunction
    // DONE: there is no further element.
    function status_e step();
      return ended("step", dve_dpi_step(handle));
    endfunction
    function status_e element_of(logic [31:0] channel, output element_t element);
      bit [287:0] values;
      bit [63:0] number;
      status_e status = ended("element", dve_dpi_element_of(handle, channel, number, values));
      element.element = number;
      element.x = values[31:0];
      element.dy = values[63:32];
      element.xn = values[95:64];
      element.t = values[127:96];
      element.tv = values[159:128];
      element.d_beta = values[191:160];
      element.d_gamma = values[223:192];
      element.coupling = values[255:224];
      element.dx = values[287:256];
      return status;
    endfunction
    function status_e finish_word();
      return ended("finish", dve_dpi_finish(handle));
    endfunction

    // ---- What can be asked
    function int finding_count();
      return dve_dpi_finding_count(handle);
    endfunction
    function string finding(logic [31:0] index, output bit fault);
      int is_fault;
      string text;
      void'(ended("finding", dve_dpi_finding_at(handle, index, is_fault, text)));
      fault = is_fault != 0;
      return text;
    endfunction
    function status_e lane(logic [31:0] index, output lane_t found);
      int loaded;
      bit [191:0] flops;
      status_e status = ended("lane", dve_dpi_lane(handle, index, loaded, flops));
      found.loaded = loaded != 0;
      found.element_count = flops[31:0];
      found.mean = flops[63:32];
      found.a = flops[95:64];
      found.b = flops[127:96];
      found.c = flops[159:128];
      found.inv_std = flops[191:160];
      return status;
    endfunction
    function int semaphore_of(logic [31:0] index);
      int value;
      void'(ended("semaphore", dve_dpi_semaphore(handle, index, value)));
      return value;
    endfunction
    function status_e set_semaphore(logic [31:0] index, logic [31:0] value);
      return ended("set_semaphore", dve_dpi_set_semaphore(handle, index, value));
    endfunction
    function bit event_of(logic [31:0] index);
      int value;
      void'(ended("event", dve_dpi_event(handle, index, value)));
      return value != 0;
    endfunction
    function status_e set_event(logic [31:0] index, logic [31:0] value);
      return ended("set_event", dve_dpi_set_event(handle, index, value));
    endfunction
    function bit [31:0] register_of(logic [31:0] engine, logic [31:0] index);
      bit [31:0] value;
      void'(ended("register", dve_dpi_register(handle, engine, index, value)));
      return value;
    endfunction
    function status_e set_register(logic [31:0] engine, logic [31:0] index, logic [31:0] value);
      return ended("set_register", dve_dpi_set_register(handle, engine, index, value));
    endfunction
    function status_e schedule(logic [31:0] engine, output schedule_t found);
      bit [319:0] cycles;
      status_e status = ended("schedule", dve_dpi_schedule(handle, engine, cycles));
      found.start = cycles[63:0];
      found.read_done = cycles[127:64];
      found.complete = cycles[191:128];
      found.next_issue = cycles[255:192];
      found.stream = cycles[319:256];
      return status;
    endfunction
  endclass

  // What values a transaction carries: dx; the three sums of a channel, or after an element, as d_beta, d_gamma, coupling;
  // anything else.
  typedef enum int {DX, SUMS, RUNNING_SUMS, OTHER} kind_e;

  localparam int MOST_VALUES = 16;  // of one transaction

  // What is expected for one element of one channel.
  typedef struct packed {
    longint unsigned id;
    word_t word;
    longint unsigned element;  // SUMS: elements of the word
    int unsigned channel;
    int kind;
    int unsigned count;
    logic [MOST_VALUES-1:0][31:0] values;
  } record_t;

  // What left the design for one element of one channel. `element` as in record_t.
  class transaction;
    longint unsigned id;
    longint unsigned element;
    int unsigned channel;
    values_t values;

    function new(longint unsigned of_id = 0, longint unsigned of_element = 0, int unsigned of_channel = 0);
      id = of_id;
      element = of_element;
      channel = of_channel;
    endfunction

    function void add(logic [31:0] value);
      values.push_back(value);
    endfunction
  endclass

  // In-order: what comes is compared with what has been expected for the longest time.
  class scoreboard;
    string name;
    longint unsigned checked;     // compared
    longint unsigned mismatches;  // of these, differing in place or value, or with an X or Z in one
    longint unsigned unexpected;  // came while nothing was expected
    int unsigned most_printed;    // further differences are only counted
    // Records and a chandle: verilator 5.006 splits its output so that a class with a member of another class does not compile.
    protected chandle handle;
    protected record_t expected[$];

    function new(string of_name, golden of_model, int unsigned print_at_most = 1);
      name = of_name;
      handle = of_model.handle;
      most_printed = print_at_most;
      checked = 0;
      mismatches = 0;
      unexpected = 0;
    endfunction

    // Where the text of a difference goes.
    virtual function void error(string text);
      $display("%s", text);
    endfunction

    // Expected, and not yet there.
    function int pending();
      return expected.size();
    endfunction

    // ---- Expecting
    virtual function void expect_record(record_t r);
      expected.push_back(r);
    endfunction

    // Executes the word on the golden and expects what it gives. BackProp: a DX for every element of every channel;
    // GradAccum: SUMS for every channel or, with running, RUNNING_SUMS for every element of every channel. Order: element by
    // element, in each the channels; with channel_major channel by channel.
    virtual function status_e expect_word(logic [31:0] engine, longint unsigned id, word_t word, bit running = 0, bit channel_major = 0);
      bit [63:0] elements;
      bit [31:0] channels;
      record_t made[$];
      record_t r;
      bit back_prop = word[7:0] == 8'h65;
      status_e status = ended("begin", dve_dpi_begin(handle, engine, word, elements, channels));
      if (status != OK) return status;
      r = '0;
      r.id = id;
      r.word = word;
      r.kind = back_prop ? DX : running ? RUNNING_SUMS : SUMS;
      r.count = back_prop ? 1 : 3;
      for (longint unsigned e = 0; e < elements; e++) begin
        void'(ended("step", dve_dpi_step(handle)));
        for (int unsigned c = 0; c < channels; c++) begin
          bit [287:0] v;
          bit [63:0] number;
          void'(ended("element", dve_dpi_element_of(handle, c, number, v)));
          r.channel = c;
          r.element = r.kind == SUMS ? elements : e;
          r.values[0] = back_prop ? v[287:256] : v[191:160];
          r.values[1] = back_prop ? 0 : v[223:192];
          r.values[2] = back_prop ? 0 : v[255:224];
          if (r.kind != SUMS || e == elements - 1) made.push_back(r);
        end
      end
      // A word without elements leaves sums of zero.
      for (int unsigned c = 0; elements == 0 && r.kind == SUMS && c < channels; c++) begin
        r.channel = c;
        made.push_back(r);
      end
      if (channel_major) begin
        for (int c = 0; c < int'(channels); c++) for (int k = c; k < made.size(); k += int'(channels)) expect_record(made[k]);
      end else begin
        for (int k = 0; k < made.size(); k++) expect_record(made[k]);
      end
      return ended("finish", dve_dpi_finish(handle));
    endfunction

    // A word that the golden refuses ends the simulation, as in class golden.
    local function status_e ended(string what, int status);
      if (status != OK && status != DONE && status != WAITING)
        $fatal(1, "scoreboard %s: %s: %s: %s", name, what, dve_dpi_status_name(status), dve_dpi_message(handle));
      return status_e'(status);
    endfunction

    // ---- Checking; 1: what was expected
    // Id, channel and element count too.
    virtual function bit check(transaction actual);
      if (expected.size() != 0 &&
          (actual.id != expected[0].id || actual.channel != expected[0].channel || actual.element != expected[0].element)) begin
        record_t e;
        e = expected.pop_front();
        checked++;
        return differs(e, $sformatf("transaction %0d, channel %0d, element %0d came", actual.id, actual.channel, actual.element));
      end
      return check_values(actual.values);
    endfunction

    // The same for a design that says no more than the values.
    virtual function bit check_values(values_t values);
      record_t e;
      string text;
      if (expected.size() == 0) begin
        unexpected++;
        if (mismatches + unexpected <= longint'(most_printed)) error($sformatf("scoreboard %s: a result came, nothing was expected", name));
        return 0;
      end
      e = expected.pop_front();
      checked++;
      if (values.size() != int'(e.count)) return differs(e, $sformatf("%0d values came, expected %0d", values.size(), e.count));
      for (int k = 0; k < values.size(); k++) begin
        int same;
        same = dve_dpi_same(values[k], e.values[4'(k)], text);
        if (same != 1) return differs(e, $sformatf("%s is %s", name_of(e, k), text));
      end
      return 1;
    endfunction

    virtual function bit check_value(logic [31:0] value);
      values_t values;
      values.push_back(value);
      return check_values(values);
    endfunction

    local function bit differs(record_t e, string what);
      mismatches++;
      if (mismatches + unexpected <= longint'(most_printed))
        error($sformatf("scoreboard %s: mismatch at %s: %s\n  in %s", name, place(e), what, assembly(e)));
      return 0;
    endfunction

    local function string assembly(record_t e);
      string text;
      void'(dve_dpi_disassemble(handle, e.word, text));
      return text;
    endfunction
    local function string place(record_t e);
      string unit = "element";
      if (e.kind == SUMS) unit = "elements";
      return $sformatf("transaction %0d, channel %0d, %s %0d", e.id, e.channel, unit, e.element);
    endfunction
    local function string name_of(record_t e, int index);
      if (e.kind == DX) return "dx";
      if (e.kind == OTHER) return $sformatf("value %0d", index);
      if (index == 0) return "d_beta";
      if (index == 1) return "d_gamma";
      return "coupling";
    endfunction

    // ---- The end; 1: everything came, and was as expected, and there was something
    virtual function bit report();
      bit good = mismatches == 0 && unexpected == 0 && expected.size() == 0 && checked != 0;
      string first = "", verdict = "FAILED";
      if (good) verdict = "ok";
      if (expected.size() != 0) first = $sformatf(", the first of them %s\n  in %s", place(expected[0]), assembly(expected[0]));
      $display("scoreboard %s: %s: %0d checked, %0d mismatches, %0d unexpected, %0d never came%s", name, verdict, checked,
               mismatches, unexpected, expected.size(), first);
      return good;
    endfunction
  endclass
endpackage
/* verilator lint_on UNUSEDPARAM */
/* verilator lint_on UNUSEDSIGNAL */
/* verilator lint_on UNDRIVEN */
