// A whole core as a foreign initiator sees it: plain TLM at ADDR4 addresses, SoC apertures and register windows.
#include <cstring>

#include "dve/core/core.h"
#include "support/initiator_tester.h"

namespace {

using namespace dve;
using namespace dve::test;

NeuronCoreConfig config(isa::Generation generation) {
  NeuronCoreConfig c;
  c.settings.generation = generation;
  c.host_memory_bytes = 4096;
  return c;
}

struct Bench {
  NeuronCore core;
  InitiatorTester tester{"tester"};
  explicit Bench(isa::Generation generation) : core("core", config(generation)) {
    tester.socket.bind(core.host_socket());
  }
};

// Byte enables, streaming, debug and DMI at an address, and the same bytes through its alias.
void expect_plain_memory(Bench& bench, std::uint64_t address, std::uint64_t alias) {
  ASSERT_EQ(bench.tester.write(address, {1, 2, 3, 4, 5, 6, 7, 8}), tlm::TLM_OK_RESPONSE);
  Access enabled = Access::write(address, {11, 12, 13, 14, 15, 16, 17, 18});
  enabled.byte_enables = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};  // shorter than the data: it wraps
  ASSERT_EQ(bench.tester.send(enabled), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bench.tester.read(alias, 8), (Bytes{11, 2, 13, 4, 15, 6, 17, 8}));
  Access streaming = Access::write(address, {21, 22, 23, 24});
  streaming.streaming_width = 2;  // both halves go to the same two bytes
  ASSERT_EQ(bench.tester.send(streaming), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bench.tester.debug_read(alias, 4), (Bytes{23, 24, 13, 4}));
  tlm::tlm_dmi dmi;
  ASSERT_TRUE(bench.tester.dmi(alias, tlm::TLM_WRITE_COMMAND, dmi));
  ASSERT_LE(dmi.get_start_address(), alias);
  ASSERT_GE(dmi.get_end_address(), alias + 7);
  dmi.get_dmi_ptr()[alias - dmi.get_start_address()] = 99;
  EXPECT_EQ(bench.tester.read(address, 2), (Bytes{99, 24}));
}

TEST(NeuronCore, EveryMemoryIsReachableByPlainTlm) {
  Bench bench(isa::Generation::cayman);
  run_in_thread([&] {
    const std::uint64_t partition5 = 5 * 0x40000 + 0x100;
    expect_plain_memory(bench, partition5, address_map::kSbufAperture + partition5);
    const std::uint64_t psum_partition9 = 9 * 0x8000 + 0x20;
    expect_plain_memory(bench, 0x2000000 + psum_partition9, address_map::kPsumAperture + psum_partition9);
    expect_plain_memory(bench, address_map::kHostMemory + 16, address_map::kHostMemory + 16);
    EXPECT_EQ(bench.tester.write(address_map::kParameterRam + 8, Bytes(4, 7)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.tester.read(address_map::kParameterRam + 8, 4), Bytes(4, 7));
    EXPECT_EQ(bench.tester.write(address_map::kEventsAndSemaphores + 0x1400, Bytes(4, 1)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.tester.read(address_map::kSequencerControl, 4), Bytes(4, 0));
  });
}

TEST(NeuronCore, HolesAndNowhereAreAddressErrors) {
  Bench bench(isa::Generation::cayman);
  run_in_thread([&] {
    EXPECT_EQ(bench.tester.write(0x38000, Bytes(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "past the active bytes";
    EXPECT_EQ(bench.tester.write(0x38000 - 2, Bytes(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "into the hole";
    EXPECT_EQ(bench.tester.write(0x2004000, Bytes(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.tester.write(0x2400000, Bytes(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.tester.write(address_map::kHostMemory + 4096, Bytes(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

TEST(NeuronCore, MaverickHasALargerSbufAndNoPsum) {
  Bench bench(isa::Generation::maverick);
  EXPECT_EQ(bench.core.psum, nullptr);
  run_in_thread([&] {
    const std::uint64_t in_both = 0x2000000 + 0x40;  // PSUM elsewhere, partition 32 of the enlarged SBUF here
    expect_plain_memory(bench, in_both, address_map::kSbufAperture + in_both);
    EXPECT_EQ(bench.tester.write(address_map::kPsumAperture, Bytes(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

TEST(NeuronCore, WithdrawnDmiIsRefusedAndAnnounced) {
  Bench bench(isa::Generation::cayman);
  run_in_thread([&] {
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.tester.dmi(0x40000, tlm::TLM_READ_COMMAND, dmi));
    bench.core.sbuf.allow_dmi(false);
    EXPECT_FALSE(bench.tester.invalidations.empty());
    EXPECT_FALSE(bench.tester.dmi(0x40000, tlm::TLM_READ_COMMAND, dmi));
    EXPECT_EQ(bench.tester.write(0x40000, Bytes(4, 3)), tlm::TLM_OK_RESPONSE);
  });
}

TEST(NeuronCore, EveryEngineHasAControlWindow) {
  Bench bench(isa::Generation::cayman);
  run_in_thread([&] {
    for (const isa::Engine engine : isa::kEngines) {
      const std::uint64_t window = 0x2802B10000 + 0x4000 * std::uint64_t{isa::index_of(engine)};
      EXPECT_EQ(address_map::sequencer_control(engine), window);
      const auto mark = static_cast<std::uint8_t>(10 + isa::index_of(engine));
      EXPECT_EQ(bench.tester.write(window + 4 * 7, Bytes(4, mark)), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(bench.tester.read(window + Sequencer::kRingMode, 4), Bytes(4, 0)) << "the last register";
      EXPECT_EQ(bench.tester.write(window + Sequencer::kWindowBytes, Bytes(4)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    for (const isa::Engine engine : isa::kEngines) {
      const auto mark = static_cast<std::uint8_t>(10 + isa::index_of(engine));
      EXPECT_EQ(bench.tester.read(address_map::sequencer_control(engine) + 4 * 7, 4), Bytes(4, mark));
    }
  });
}

TEST(NeuronCore, EnginesTickOnTheirOwnClocks) {
  Bench bench(isa::Generation::cayman);
  EXPECT_EQ(bench.core.seq().engine(), isa::Engine::dve);
  EXPECT_EQ(bench.core.seq(isa::Engine::dve).clock().hz(), 960'000'000u);
  EXPECT_EQ(bench.core.seq(isa::Engine::pool).clock().hz(), 1'200'000'000u);
  EXPECT_EQ(bench.core.seq(isa::Engine::act).clock().hz(), 1'200'000'000u);
}

}  // namespace
