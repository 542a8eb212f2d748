// The least that a SystemC program does: elaborates one module and stops.
#include <systemc>

struct Module : sc_core::sc_module {
  explicit Module(sc_core::sc_module_name name) : sc_module(name) {}
};

int sc_main(int, char**) {
  Module module("module");
  sc_core::sc_start();
  return 0;
}
