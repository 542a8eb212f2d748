// ParameterRam: contents, loaded entries, limits.
#include "dve/memory/memory.h"
#include "support/initiator_tester.h"

namespace parameter_ram_test {

using namespace dve;
using namespace dve::test;

struct Bench {
  ParameterRam ram{"ram"};
  InitiatorTester tester{"tester"};
  Bench() { tester.socket.bind(ram.in.socket); }

  std::bitset<256> loaded() {
    LoadedExtension extension;
    Access access = Access::read(0, 1024);
    access.payload.set_extension(&extension);
    EXPECT_EQ(tester.send(access), tlm::TLM_OK_RESPONSE);
    access.payload.clear_extension(&extension);
    return extension.loaded;
  }
};

TEST(ParameterRam, ResetIsZeroAndNothingLoaded) {
  Bench bench;
  run_in_thread([&] {
    EXPECT_EQ(bench.tester.read(0, 1024), Bytes(1024, 0));
    EXPECT_TRUE(bench.loaded().none());
  });
}

TEST(ParameterRam, WritesAreKeptAndMarkEntriesLoaded) {
  Bench bench;
  run_in_thread([&] {
    std::bitset<256> expected;
    ASSERT_EQ(bench.tester.write(8, {1, 2, 3, 4, 5, 6, 7, 8}), tlm::TLM_OK_RESPONSE);
    expected.set(2).set(3);
    EXPECT_EQ(bench.loaded(), expected);
    ASSERT_EQ(bench.tester.write(1020, Bytes(4, 0)), tlm::TLM_OK_RESPONSE);  // zero is a value too
    expected.set(255);
    EXPECT_EQ(bench.loaded(), expected);
    Access debug = Access::write(400, {9, 9, 9, 9});
    ASSERT_EQ(bench.tester.debug(debug), 4u);
    expected.set(100);
    EXPECT_EQ(bench.loaded(), expected);
    EXPECT_EQ(bench.tester.read(4, 16), (Bytes{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0}));
    EXPECT_EQ(bench.tester.debug_read(400, 4), (Bytes{9, 9, 9, 9}));
    ASSERT_EQ(bench.tester.write(0, Bytes(1024, 1)), tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(bench.loaded().all());
  });
}

TEST(ParameterRam, LimitsOfTheWindow) {
  Bench bench;
  run_in_thread([&] {
    EXPECT_EQ(bench.tester.write(1024, Bytes(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.tester.write(1020, Bytes(8)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.tester.write(2, Bytes(4)), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.tester.write(0, Bytes(2)), tlm::TLM_BURST_ERROR_RESPONSE);
    Access access = Access::write(0, Bytes(8));
    access.streaming_width = 4;
    EXPECT_EQ(bench.tester.send(access), tlm::TLM_BURST_ERROR_RESPONSE);
    access.streaming_width = 8;
    access.byte_enables = {TLM_BYTE_ENABLED};
    EXPECT_EQ(bench.tester.send(access), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench.tester.dmi(0, tlm::TLM_READ_COMMAND, dmi));  // loads must be seen
    EXPECT_TRUE(bench.loaded().none());
  });
}

TEST(ParameterRam, LoadedExtensionCopies) {
  LoadedExtension a, b;
  a.loaded.set(7);
  b.copy_from(a);
  EXPECT_EQ(b.loaded, a.loaded);
  tlm::tlm_extension_base* clone = a.clone();
  EXPECT_EQ(static_cast<LoadedExtension*>(clone)->loaded, a.loaded);
  delete static_cast<LoadedExtension*>(clone);
}

}  // namespace parameter_ram_test
