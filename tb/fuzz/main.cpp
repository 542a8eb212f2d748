// libFuzzer's entry into one target; an exception that leaves it ends the program, which libFuzzer takes for a crash.
#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dve::fuzz::DVE_FUZZ_TARGET(data, size);
  return 0;
}
