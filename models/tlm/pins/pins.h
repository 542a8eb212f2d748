// The door of the pins block: modules that join TLM-2.0 and pins, and modules that watch pins. What the pins do in each
// cycle and the rules they keep stand in models/pin_protocol; these are shells.
//
//   module         from                to                  header
//   TlmToStream    TLM writes          beats of a stream   tlm_to_stream.h
//   StreamToTlm    beats of a stream   TLM writes          stream_to_tlm.h
//   TlmToSram      TLM                 an SRAM's port      tlm_to_sram.h
//   SramToTlm      an SRAM's port      TLM                 sram_to_tlm.h
//   TlmToAxi       TLM                 AXI4, its manager   tlm_to_axi.h
//   AxiToTlm       AXI4, subordinate   TLM                 axi_to_tlm.h
//   StreamMonitor, SramMonitor, AxiMonitor: passive, hold pins to their rules   pin_monitor.h
//
// All of them: one clock `clk`, rising edge; one synchronous `reset`, active high. Types of pins: pin_types.h. Time:
// the pins change just after an edge, as registers do. A call or an answer that comes at the very moment of an edge
// counts for the next one, in whatever order the simulator runs its processes. Reset ends everything on the pins: a
// call that waits for its beats gets GENERIC_ERROR, one that has not begun waits until reset is over, answers of TLM
// targets are dropped.
#pragma once

#include "axi_pins.h"
#include "axi_to_tlm.h"
#include "dve/pin_protocol/pin_protocol.h"
#include "pin_bundles.h"
#include "pin_monitor.h"
#include "pin_types.h"
#include "sram_to_tlm.h"
#include "stream_to_tlm.h"
#include "tlm_to_axi.h"
#include "tlm_to_sram.h"
#include "tlm_to_stream.h"
