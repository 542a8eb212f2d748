// Approximately timed ports: beats as four-phase transactions.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>

#include "dve/ports/ports.h"
#include "dve/tlm/tlm.h"

namespace dve {
namespace beats_test {
namespace {

using contention::User;

constexpr std::uint64_t kCycle = 1'000'000;  // fs: a memory clock of 1 GHz

contention::Parameters memory() {
  contention::Parameters p;
  p.clock_hz = 1'000'000'000;
  return p;
}

contention::Job job(User user, std::int64_t start, std::uint64_t beats, bool write) {
  contention::Job j;
  j.user = user;
  j.start.cycle = start;
  j.pace.cycle = 2;
  j.steps = beats;
  contention::StreamJob s;
  s.write = write;
  s.beats = beats;
  s.runs = {{isa::Space::sbuf, 0, beats}};
  s.shape.pattern.num_elem[0] = static_cast<std::uint16_t>(2 * beats);
  s.shape.element_bytes = 4;
  s.shape.channels = 128;
  s.shape.elements = isa::Elements(2 * beats);
  j.streams.push_back(s);
  return j;
}

TEST(ApproximatelyTimedPorts, EveryBeatIsATransactionOfItsBytes) {
  ApproximatelyTimedPorts ports("ports", memory(), {User::dve, User::act});
  sc_core::sc_spawn([&] {
    const contention::Outcome o = ports.stream(job(User::dve, 3, 10, false), false);
    EXPECT_EQ(o.first_cycle, 3);
    EXPECT_EQ(o.last_cycle, 3 + 2 * 9);
    EXPECT_EQ(now_femtoseconds(), (3 + 2 * 9) * kCycle + 1) << "woken in the cycle of the last step";
  });
  sc_core::sc_start();
  EXPECT_EQ(ports.arbiter().beats(), 10u);
  EXPECT_EQ(ports.arbiter().bytes(), 10u * 8 * 128);
  EXPECT_FALSE(ports.outstanding());
}

TEST(ApproximatelyTimedPorts, TheLastBeatIsWrittenAfterTheLastStep) {
  ApproximatelyTimedPorts ports("ports", memory(), {User::dve});
  sc_core::sc_spawn([&] {
    ports.stream(job(User::dve, 0, 4, true), false);
    EXPECT_TRUE(ports.arbiter().beats() == 3u);
  });
  sc_core::sc_start();
  EXPECT_EQ(ports.arbiter().beats(), 4u);
  EXPECT_EQ(sc_core::sc_time_stamp().value(), 7 * kCycle + 1) << "step 3 in cycle 6, its beat in cycle 7";
  EXPECT_FALSE(ports.outstanding());
}

TEST(ApproximatelyTimedPorts, AUserWhoIsNoneIsRefused) {
  ApproximatelyTimedPorts ports("ports", memory(), {User::dve});
  sc_core::sc_spawn([&] { EXPECT_THROW(ports.stream(job(User::act, 0, 1, false), false), std::logic_error); });
  sc_core::sc_start();
}

// Somebody who speaks plain TLM to the arbiter.
class Foreign : public sc_core::sc_module {
 public:
  Foreign(sc_core::sc_module_name name, PortArbiter& arbiter) : sc_module(name), socket("socket") {
    socket.register_nb_transport_bw(this, &Foreign::nb_transport_bw);
    socket.bind(arbiter.in[0]);
  }
  tlm_utils::simple_initiator_socket<Foreign> socket;

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    return tlm::TLM_COMPLETED;
  }
};

TEST(PortArbiter, RefusesBeatsThatBelongToNoStream) {
  PortArbiter arbiter("arbiter", memory(), 1);
  Foreign foreign("foreign", arbiter);
  sc_core::sc_spawn([&] {
    tlm::tlm_generic_payload payload;
    std::uint8_t byte = 0;
    prepare(payload, tlm::TLM_READ_COMMAND, 0, &byte, 1);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(foreign.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
    prepare(payload, tlm::TLM_READ_COMMAND, 0, &byte, 1);
    foreign.socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
  });
  sc_core::sc_start();
  EXPECT_FALSE(arbiter.outstanding());
}

}  // namespace
}  // namespace beats_test
}  // namespace dve
