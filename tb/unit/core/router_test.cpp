// PortRouter: decoding, aliases, DMI translation, construction errors.
#include <cstring>

#include "dve/core/core.h"
#include "dve/memory/memory.h"
#include "support/initiator_tester.h"

namespace {

using namespace dve;
using namespace dve::test;
using tlm::TLM_ADDRESS_ERROR_RESPONSE;
using tlm::TLM_OK_RESPONSE;
using tlm::TLM_READ_COMMAND;

constexpr std::uint64_t kAlias = 0x2000000000;  // far above 32 bits, like the SoC apertures
constexpr std::uint64_t kTop = UINT64_MAX - 0xFF;
using Invalidations = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

// A partitioned memory of 128 x 1 KiB at 0 and at an alias, a flat one behind two windows of which one ends at 2^64.
struct Bench {
  PortRouter router{
      "router",
      {"engine", "host"},
      {{"sram", {{0, 0x20000, 0}, {kAlias, 0x20000, 0}}}, {"flat", {{0x30000, 0x1000, 0x800}, {kTop, 0x100, 0}}}}};
  PartitionedMemory sram{"sram", geometry(), 1, true};
  FlatMemory flat{"flat", 0x10000, 2, true};
  InitiatorTester engine{"engine"}, host{"host"};

  Bench() {
    engine.socket.bind(router.from("engine"));
    host.socket.bind(router.from("host"));
    router.to("sram").bind(sram.in.socket);
    router.to("flat").bind(flat.in.socket);
  }
  static isa::SpaceGeometry geometry() {
    isa::SpaceGeometry g;
    g.region = isa::Bytes(0x20000);
    g.partition_stride = isa::Bytes(1024);
    g.active_per_partition = isa::Bytes(768);
    return g;
  }
};

TEST(PortRouter, DecodesEveryWindowForEveryInitiator) {
  Bench bench;
  run_in_thread([&] {
    EXPECT_EQ(bench.engine.write(0x400, {1, 2, 3, 4}), TLM_OK_RESPONSE);
    EXPECT_EQ(bench.host.read(kAlias + 0x400, 4), (Bytes{1, 2, 3, 4}));
    EXPECT_EQ(bench.host.write(kAlias + 0x402, {9}), TLM_OK_RESPONSE);
    EXPECT_EQ(bench.engine.read(0x400, 4), (Bytes{1, 2, 9, 4}));
    EXPECT_EQ(bench.engine.debug_read(kAlias + 0x400, 4), (Bytes{1, 2, 9, 4}));

    EXPECT_EQ(bench.host.write(kTop + 0xFE, {5, 6}), TLM_OK_RESPONSE);  // flat 0xFE, last bytes of the address space
    EXPECT_EQ(bench.host.write(0x30000, {7, 8}), TLM_OK_RESPONSE);      // flat 0x800
    EXPECT_EQ(bench.engine.read(kTop + 0xFE, 2), (Bytes{5, 6}));
    EXPECT_EQ(bench.engine.read(0x30000, 2), (Bytes{7, 8}));
    EXPECT_EQ(bench.engine.read(0x400, 2), (Bytes{1, 2}));
  });
}

TEST(PortRouter, AliasesAreTheSameBytesEverywhere) {
  Bench bench;
  run_in_thread([&] {
    for (std::uint64_t p = 0; p < 128; ++p) {
      EXPECT_EQ(bench.engine.read(p * 1024, 768), bench.host.read(kAlias + p * 1024, 768)) << p;
    }
  });
}

TEST(PortRouter, OutsideAndAcrossWindowsIsAnAddressError) {
  Bench bench;
  run_in_thread([&] {
    const std::uint64_t bad[] = {0x20000,  0x2FFFF, 0x31000,  kAlias - 1, kAlias + 0x20000,
                                 kTop - 1, 0x30FFD, kTop - 2, kTop + 0xFD};
    for (const std::uint64_t address : bad) {
      Access access = Access::write(address, Bytes(4));
      EXPECT_EQ(bench.host.send(access), TLM_ADDRESS_ERROR_RESPONSE) << std::hex << address;
      EXPECT_EQ(bench.host.debug(access), 0u) << std::hex << address;
    }
    for (const std::uint64_t address : {std::uint64_t{0x20000}, kAlias - 1, kTop - 1}) {
      tlm::tlm_dmi dmi;
      EXPECT_FALSE(bench.host.dmi(address, TLM_READ_COMMAND, dmi));
      EXPECT_TRUE(dmi.is_none_allowed());
      EXPECT_EQ(dmi.get_start_address(), address);
      EXPECT_EQ(dmi.get_end_address(), address);
    }
    Access streaming = Access::write(0x30FFC, {1, 2, 3, 4, 5, 6, 7, 8});  // stays inside by its width
    streaming.streaming_width = 4;
    EXPECT_EQ(bench.host.send(streaming), TLM_OK_RESPONSE);
    EXPECT_EQ(bench.host.read(0x30FFC, 4), (Bytes{5, 6, 7, 8}));
    streaming.streaming_width = 5;
    EXPECT_EQ(bench.host.send(streaming), TLM_ADDRESS_ERROR_RESPONSE);
  });
}

TEST(PortRouter, ErrorsOfTheTargetComeBackWithTheCallersAddress) {
  Bench bench;
  run_in_thread([&] {  // send() checks the address
    Access hole = Access::read(kAlias + 1024 + 768, 4);
    EXPECT_EQ(bench.engine.send(hole), TLM_ADDRESS_ERROR_RESPONSE);
    Access zero = Access::read(kAlias, 4);
    zero.streaming_width = 0;
    EXPECT_EQ(bench.engine.send(zero), tlm::TLM_BURST_ERROR_RESPONSE);
  });
}

TEST(PortRouter, TensorsGoByTheirStartAddress) {
  Bench bench;
  run_in_thread([&] {
    TensorExtension tensor;  // 128 partitions x 64 broadcast reads: packed longer than the rest of the window
    tensor.pattern.step_elem = {0, 1, 1, 1};
    tensor.pattern.num_elem = {2048, 1, 1, 1};
    tensor.element_bytes = 4;
    tensor.channels = 1;
    tensor.element_count = 2048;
    for (const std::uint64_t base : {std::uint64_t{0}, kAlias}) {
      const std::uint64_t address = base + 127 * 1024 + 764;
      ASSERT_EQ(bench.engine.write(address, {1, 2, 3, static_cast<std::uint8_t>(base >> 36)}), TLM_OK_RESPONSE);
      Access access = Access::read(address, 8192);
      access.payload.set_extension(&tensor);
      EXPECT_EQ(bench.engine.send(access), TLM_OK_RESPONSE);
      EXPECT_EQ(bench.engine.debug(access), 8192u);
      access.payload.clear_extension(&tensor);
      EXPECT_EQ(Bytes(access.data.begin() + 8188, access.data.end()),
                (Bytes{1, 2, 3, static_cast<std::uint8_t>(base >> 36)}));
    }
    Access nowhere = Access::read(0x20000, 8192);
    nowhere.payload.set_extension(&tensor);
    EXPECT_EQ(bench.engine.send(nowhere), TLM_ADDRESS_ERROR_RESPONSE);
    nowhere.payload.clear_extension(&tensor);
  });
}

TEST(PortRouter, GrantsAreNarrowedToTheWindowAndTranslated) {
  Bench bench;
  run_in_thread([&] {
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.host.dmi(0x30010, TLM_READ_COMMAND, dmi));  // flat 0x810; the target grants [0, 0xFFFF]
    EXPECT_EQ(dmi.get_start_address(), 0x30000u);
    EXPECT_EQ(dmi.get_end_address(), 0x30FFFu);
    const Bytes through_dmi(dmi.get_dmi_ptr(), dmi.get_dmi_ptr() + 0x1000);
    EXPECT_EQ(through_dmi, bench.engine.read(0x30000, 0x1000));

    ASSERT_TRUE(bench.host.dmi(kTop + 5, TLM_READ_COMMAND, dmi));
    EXPECT_EQ(dmi.get_start_address(), kTop);
    EXPECT_EQ(dmi.get_end_address(), UINT64_MAX);

    ASSERT_TRUE(bench.host.dmi(kAlias + 1024 + 5, TLM_READ_COMMAND, dmi));
    EXPECT_EQ(dmi.get_start_address(), kAlias + 1024);
    EXPECT_EQ(dmi.get_end_address(), kAlias + 1024 + 767);
    std::memset(dmi.get_dmi_ptr(), 0x5A, 768);
    EXPECT_EQ(bench.engine.read(1024, 768), Bytes(768, 0x5A));

    EXPECT_FALSE(bench.host.dmi(kAlias + 768, TLM_READ_COMMAND, dmi));  // a hole
    EXPECT_EQ(dmi.get_start_address(), kAlias + 768);
    bench.sram.allow_dmi(false);
    EXPECT_FALSE(bench.host.dmi(kAlias + 5, TLM_READ_COMMAND, dmi));  // the whole window is refused
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_start_address(), kAlias);
    EXPECT_EQ(dmi.get_end_address(), kAlias + 0x1FFFF);
  });
}

TEST(PortRouter, InvalidationsReachEveryInitiatorThroughEveryWindow) {
  Bench bench;
  run_in_thread([&] {
    const Invalidations whole = {{0, 0x1FFFF}, {kAlias, kAlias + 0x1FFFF}};
    bench.sram.allow_dmi(false);
    EXPECT_EQ(bench.engine.invalidations, whole);
    EXPECT_EQ(bench.host.invalidations, whole);

    bench.engine.invalidations.clear();
    bench.flat.in.invalidate_dmi({0x80, 0x900});  // cuts the end of one window and the start of the other
    const Invalidations parts = {{0x30000, 0x30100}, {kTop + 0x80, UINT64_MAX}};
    EXPECT_EQ(bench.engine.invalidations, parts);

    bench.engine.invalidations.clear();
    bench.flat.in.invalidate_dmi({0x1800, 0xFFFF});  // behind no window
    EXPECT_TRUE(bench.engine.invalidations.empty());
  });
}

TEST(PortRouter, PassesDelaysOnAndMarksTheHint) {
  Bench bench;
  run_in_thread([&] {
    Access access = Access::read(kAlias, 4);
    sc_core::sc_time delay(11, sc_core::SC_NS);
    EXPECT_EQ(bench.engine.send(access, delay), TLM_OK_RESPONSE);
    EXPECT_EQ(delay, sc_core::sc_time(11, sc_core::SC_NS));
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
    EXPECT_TRUE(access.payload.is_dmi_allowed());
  });
}

// A target that misbehaves: grants DMI elsewhere, adds a delay, changes the address.
struct Wild : sc_core::sc_module {
  explicit Wild(sc_core::sc_module_name module_name) : sc_module(module_name), socket("socket") {
    socket.register_b_transport(this, &Wild::b_transport);
    socket.register_get_direct_mem_ptr(this, &Wild::get_direct_mem_ptr);
  }
  tlm_utils::simple_target_socket<Wild> socket;
  std::uint8_t byte = 0;
  std::uint64_t seen = 0;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    seen = payload.get_address();
    payload.set_address(0xDEAD);
    payload.set_response_status(TLM_OK_RESPONSE);
    delay += sc_core::sc_time(2, sc_core::SC_NS);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.set_start_address(0x1000);
    dmi.set_end_address(0x1000);
    dmi.set_dmi_ptr(&byte);
    dmi.allow_read_write();
    return true;
  }
};

TEST(PortRouter, SurvivesATargetThatDoesNotKeepTheRules) {
  PortRouter router("router", {"cpu"}, {{"wild", {{0x100, 0x100, 0x40}}}});
  Wild wild("wild");
  InitiatorTester cpu("cpu");
  cpu.socket.bind(router.from("cpu"));
  router.to("wild").bind(wild.socket);
  run_in_thread([&] {
    Access access = Access::write(0x110, Bytes(4));
    sc_core::sc_time delay(3, sc_core::SC_NS);
    EXPECT_EQ(cpu.send(access, delay), TLM_OK_RESPONSE);  // checks the address
    EXPECT_EQ(wild.seen, 0x50u);
    EXPECT_EQ(delay, sc_core::sc_time(5, sc_core::SC_NS));
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(cpu.dmi(0x110, TLM_READ_COMMAND, dmi));
    EXPECT_EQ(dmi.get_dmi_ptr(), nullptr);
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_start_address(), 0x110u);
  });
}

TEST(PortRouter, ConstructionErrorsNameTheTargets) {
  const auto message = [](const std::vector<std::string>& initiators, const std::vector<PortRouter::Target>& targets) {
    try {
      PortRouter router("router", initiators, targets);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto expect = [&](const std::string& got, const std::vector<std::string>& parts) {
    for (const auto& part : parts) EXPECT_NE(got.find(part), std::string::npos) << got << " lacks " << part;
  };
  expect(message({"a"}, {{"upper", {{0x100, 0x100, 0}}}, {"lower", {{0, 0x101, 0}}}}), {"upper", "lower", "overlap"});
  expect(message({"a"}, {{"outer", {{0, 0x1000, 0}}}, {"inner", {{0x10, 1, 0}}}}), {"outer", "inner", "overlap"});
  expect(message({"a"}, {{"self", {{0, 2, 0}, {1, 2, 0}}}}), {"self", "overlap"});
  expect(message({"a"}, {{"touching", {{0, 0x100, 0}}}, {"next", {{0x100, 1, 0}}}}), {"no error"});
  expect(message({"a"}, {{"empty", {{0, 0, 0}}}}), {"empty", "size 0"});
  expect(message({"a"}, {{"wraps", {{UINT64_MAX, 2, 0}}}}), {"wraps", "2^64"});
  expect(message({"a"}, {{"local", {{0, 2, UINT64_MAX}}}}), {"local", "2^64"});
  expect(message({"a"}, {{"nowhere", {}}}), {"nowhere", "no window"});
  expect(message({"a"}, {{"twin", {{0, 1, 0}}}, {"twin", {{1, 1, 0}}}}), {"two targets", "twin"});
  expect(message({"cpu", "cpu"}, {{"t", {{0, 1, 0}}}}), {"two initiators", "cpu"});
}

TEST(PortRouter, UnknownNamesAreRefused) {
  Bench bench;
  EXPECT_THROW(bench.router.from("nobody"), std::invalid_argument);
  EXPECT_THROW(bench.router.to("nothing"), std::invalid_argument);
}

}  // namespace
