// What the answering sides hold back and forget, stepped edge by edge.
#include <gtest/gtest.h>

#include "dve/pin_protocol/pin_protocol.h"

namespace limits_test {

using namespace dve::pins;

TEST(SramResponder, ForgetsReadsFromBeforeReset) {
  SramResponder responder(1);
  SramCycle read;
  read.enable = true;
  SramCycle reset;
  reset.reset = true;
  EXPECT_TRUE(responder.step(read).has_value());
  EXPECT_FALSE(responder.step(reset).has_value());
  EXPECT_TRUE(responder.step(read).has_value());
  BusWord data;
  data.bytes[0] = 7;
  responder.answer(data);
  responder.settle();
  EXPECT_EQ(responder.rdata(), data);
  EXPECT_TRUE(responder.take_late().empty());
}

// Accepted in 20 edges at which nobody takes a response.
struct Accepted {
  int addresses = 0, bursts = 0, reads = 0;
};
Accepted accepted(bool with_addresses, bool with_data, std::uint64_t outstanding) {
  AxiSubordinate::Options options;
  options.outstanding = outstanding;
  AxiSubordinate subordinate(8, options);
  AxiCycle now;
  now.aw.valid = now.ar.valid = with_addresses;
  now.w.valid = with_data;
  now.w.payload.last = true;
  now.aw.payload.size = now.ar.payload.size = 3;
  Accepted count;
  for (int edge = 0; edge < 20; ++edge) {
    const AxiCycle& pins = subordinate.pins();
    count.addresses += now.aw.valid && pins.aw.ready ? 1 : 0;
    count.reads += now.ar.valid && pins.ar.ready ? 1 : 0;
    count.bursts += now.w.valid && pins.w.ready ? 1 : 0;
    subordinate.step(now);
    for (const AxiAccess& access : subordinate.take_accesses()) subordinate.answer(access);
  }
  return count;
}

TEST(AxiSubordinate, TakesNoMoreThanMayBeOutstandingOfEachChannel) {
  for (std::uint64_t outstanding = 1; outstanding <= 4; ++outstanding) {
    const auto most = static_cast<int>(outstanding);
    const Accepted addresses = accepted(true, false, outstanding);
    EXPECT_EQ(addresses.addresses, most);
    EXPECT_EQ(addresses.reads, most);
    EXPECT_EQ(accepted(false, true, outstanding).bursts, most);
    const Accepted both = accepted(true, true, outstanding);
    EXPECT_EQ(both.addresses, most);
    EXPECT_EQ(both.bursts, most);
  }
}

}  // namespace limits_test
