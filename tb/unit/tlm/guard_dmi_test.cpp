// Direct memory access through the guard: grants, refusals, the hint, invalidation.
#include "recording_model.h"

namespace guard_dmi_test {

using namespace dve;
using namespace dve::test;
using tlm::TLM_READ_COMMAND;
using tlm::TLM_WRITE_COMMAND;

struct Bench {
  RecordingModel model{64};
  TestTarget guard;
  InitiatorTester tester{"tester"};
  explicit Bench(const TargetCapabilities& c = bytes_64()) : guard("in", model, c) { tester.socket.bind(guard.socket); }

  void expect_refused(std::uint64_t address, tlm::tlm_command command, std::uint64_t first, std::uint64_t last) {
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(tester.dmi(address, command, dmi)) << address;
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_dmi_ptr(), nullptr);
    EXPECT_EQ(dmi.get_start_address(), first);
    EXPECT_EQ(dmi.get_end_address(), last);
  }
};

TEST(GuardDmi, GrantsWhatTheModelNarrowsTo) {
  Bench bench;
  bench.model.dmi_offered = true;
  run_in_thread([&] {
    for (const auto command : {TLM_READ_COMMAND, TLM_WRITE_COMMAND}) {
      tlm::tlm_dmi dmi;
      ASSERT_TRUE(bench.tester.dmi(20, command, dmi));
      EXPECT_TRUE(dmi.is_read_write_allowed());
      EXPECT_EQ(dmi.get_dmi_ptr(), bench.model.bytes.data() + 16);
      EXPECT_EQ(dmi.get_start_address(), 16u);
      EXPECT_EQ(dmi.get_end_address(), 47u);
    }
    EXPECT_TRUE(bench.model.calls.empty());
  });
}

TEST(GuardDmi, RefusalsNameTheRangeRefused) {
  Bench bench;
  run_in_thread([&] {
    bench.expect_refused(20, TLM_READ_COMMAND, 0, 63);  // offers none at all
    bench.model.dmi_offered = true;
    bench.expect_refused(50, TLM_READ_COMMAND, 50, 50);  // the model refuses there
    bench.expect_refused(3, TLM_READ_COMMAND, 3, 3);     // the model's grant misses the address
    bench.expect_refused(64, TLM_READ_COMMAND, 64, 64);  // outside
    bench.expect_refused(UINT64_MAX, TLM_WRITE_COMMAND, UINT64_MAX, UINT64_MAX);
    bench.model.dmi_throws = true;
    bench.expect_refused(20, TLM_READ_COMMAND, 20, 20);
  });
}

TEST(GuardDmi, PermissionFollowsTheTarget) {
  TargetCapabilities c = bytes_64();
  c.writable = false;
  Bench bench(c);
  bench.model.dmi_offered = true;
  run_in_thread([&] {
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.tester.dmi(20, TLM_READ_COMMAND, dmi));
    EXPECT_TRUE(dmi.is_read_allowed());
    EXPECT_FALSE(dmi.is_write_allowed());
    bench.expect_refused(20, TLM_WRITE_COMMAND, 0, 63);
  });
}

TEST(GuardDmi, HintOfPlainAccesses) {
  Bench bench;
  run_in_thread([&] {
    const auto hint = [&](std::uint64_t address) {
      Access access = Access::read(address, 4);
      bench.tester.send(access);
      return access.payload.is_dmi_allowed();
    };
    EXPECT_FALSE(hint(0));
    bench.model.dmi_offered = true;
    EXPECT_TRUE(hint(0));
    EXPECT_FALSE(hint(61));  // an error
  });
}

TEST(GuardDmi, InvalidationReachesTheInitiator) {
  RecordingModel model(64);
  TestTarget guard("in", model, bytes_64());
  InitiatorTester tester("tester");
  EXPECT_NO_THROW(guard.invalidate_dmi({0, 63}));  // before binding nobody holds a grant
  tester.socket.bind(guard.socket);
  run_in_thread([&] {
    guard.invalidate_dmi({16, 31});
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {{16, 31}};
    EXPECT_EQ(tester.invalidations, expected);
  });
}

}  // namespace guard_dmi_test
