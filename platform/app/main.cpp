#include <cstdlib>
#include <string>
#include <systemc>
#include <vector>

#include "commands.h"
#include "interrupt.h"

// One femtosecond: time is computed from cycle counts, not from a rounded period.
int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  dve::app::install_interrupt_handler();
  return dve::app::run_program(std::vector<std::string>(argv + 1, argv + argc));
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
