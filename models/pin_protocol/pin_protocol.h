// The door of the pin_protocol block: what the pins of a stream, an SRAM port and AXI4 do in each cycle, and the rules
// that they keep. Plain C++: no SystemC. models/tlm/pins puts these machines and checkers on pins.
#pragma once

#include "axi.h"
#include "axi_checker.h"
#include "axi_manager.h"
#include "axi_subordinate.h"
#include "bus_word.h"
#include "finding.h"
#include "sram.h"
#include "sram_checker.h"
#include "stall.h"
#include "stream.h"
#include "stream_checker.h"
#include "word_pieces.h"
