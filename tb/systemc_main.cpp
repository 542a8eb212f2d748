#include <gtest/gtest.h>

#include <systemc>

// The SystemC library owns main(); ctest starts one process per case, so each case elaborates its own top.
int sc_main(int argc, char** argv) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
