// The response table of the socket guard, row by row, and the promises it enforces.
#include <list>

#include "recording_model.h"

namespace guard_response_test {

using namespace dve;
using namespace dve::test;
using tlm::TLM_ADDRESS_ERROR_RESPONSE;
using tlm::TLM_BURST_ERROR_RESPONSE;
using tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
using tlm::TLM_COMMAND_ERROR_RESPONSE;
using tlm::TLM_GENERIC_ERROR_RESPONSE;
using tlm::TLM_OK_RESPONSE;

constexpr std::uint8_t kOn = TLM_BYTE_ENABLED, kOff = TLM_BYTE_DISABLED;

struct Row {
  const char* what;
  tlm::tlm_response_status expected;
  std::function<void(TargetCapabilities&)> target;
  std::function<void(Access&)> change;  // of a legal write of 8 bytes at 16
};

void any(TargetCapabilities&) {}
void same(Access&) {}

const std::vector<Row> kTable = {
    {"legal write", TLM_OK_RESPONSE, any, same},
    {"legal read", TLM_OK_RESPONSE, any, [](Access& a) { a.command = tlm::TLM_READ_COMMAND; }},
    {"last bytes", TLM_OK_RESPONSE, any, [](Access& a) { a.address = 56; }},
    {"one past the end", TLM_ADDRESS_ERROR_RESPONSE, any, [](Access& a) { a.address = 57; }},
    {"outside", TLM_ADDRESS_ERROR_RESPONSE, any, [](Access& a) { a.address = 64; }},
    {"wrap at 2^64", TLM_ADDRESS_ERROR_RESPONSE, any, [](Access& a) { a.address = UINT64_MAX - 3; }},
    {"longer than the target", TLM_ADDRESS_ERROR_RESPONSE, any, [](Access& a) { a.data.resize(65); }},
    {"last bytes of 2^64", TLM_OK_RESPONSE, [](auto& c) { c.size = UINT64_MAX; },
     [](Access& a) { a.address = UINT64_MAX - 8; }},
    {"wrap of a target of nearly 2^64", TLM_ADDRESS_ERROR_RESPONSE, [](auto& c) { c.size = UINT64_MAX; },
     [](Access& a) { a.address = UINT64_MAX - 7; }},
    {"empty target", TLM_ADDRESS_ERROR_RESPONSE, [](auto& c) { c.size = 0; }, same},
    {"write to read-only", TLM_COMMAND_ERROR_RESPONSE, [](auto& c) { c.writable = false; }, same},
    {"read of read-only", TLM_OK_RESPONSE, [](auto& c) { c.writable = false; },
     [](Access& a) { a.command = tlm::TLM_READ_COMMAND; }},
    {"read of write-only", TLM_COMMAND_ERROR_RESPONSE, [](auto& c) { c.readable = false; },
     [](Access& a) { a.command = tlm::TLM_READ_COMMAND; }},
    {"write to write-only", TLM_OK_RESPONSE, [](auto& c) { c.readable = false; }, same},
    {"length 0", TLM_BURST_ERROR_RESPONSE, any, [](Access& a) { a.data.clear(); }},
    {"streaming width 0", TLM_BURST_ERROR_RESPONSE, any, [](Access& a) { a.streaming_width = 0; }},
    {"streaming width over the length", TLM_OK_RESPONSE, any, [](Access& a) { a.streaming_width = 1000; }},
    {"streaming", TLM_OK_RESPONSE, any, [](Access& a) { a.streaming_width = 4; }},
    {"streaming unsupported", TLM_BURST_ERROR_RESPONSE, [](auto& c) { c.streaming = false; },
     [](Access& a) { a.streaming_width = 4; }},
    {"width = length without streaming", TLM_OK_RESPONSE, [](auto& c) { c.streaming = false; }, same},
    {"range of the streaming width alone", TLM_OK_RESPONSE, any,
     [](Access& a) { a.streaming_width = 4, a.address = 60; }},
    {"streaming out of range", TLM_ADDRESS_ERROR_RESPONSE, any,
     [](Access& a) { a.streaming_width = 4, a.address = 61; }},
    {"aligned", TLM_OK_RESPONSE, [](auto& c) { c.alignment = 4; }, same},
    {"address not aligned", TLM_BURST_ERROR_RESPONSE, [](auto& c) { c.alignment = 4; },
     [](Access& a) { a.address = 18; }},
    {"length not aligned", TLM_BURST_ERROR_RESPONSE, [](auto& c) { c.alignment = 4; },
     [](Access& a) { a.data.resize(6); }},
    {"streaming width not aligned", TLM_BURST_ERROR_RESPONSE, [](auto& c) { c.alignment = 4; },
     [](Access& a) { a.streaming_width = 2; }},
    {"exact length", TLM_OK_RESPONSE, [](auto& c) { c.exact_length = 8; }, same},
    {"not the exact length", TLM_BURST_ERROR_RESPONSE, [](auto& c) { c.exact_length = 16; }, same},
    {"exact length, streaming", TLM_BURST_ERROR_RESPONSE, [](auto& c) { c.exact_length = 8; },
     [](Access& a) { a.streaming_width = 4; }},
    {"exact length, byte enables", TLM_BYTE_ENABLE_ERROR_RESPONSE, [](auto& c) { c.exact_length = 8; },
     [](Access& a) { a.byte_enables = {kOn}; }},
    {"byte enables", TLM_OK_RESPONSE, any,
     [](Access& a) {
       a.byte_enables = {kOn, kOff};
     }},
    {"byte enables unsupported", TLM_BYTE_ENABLE_ERROR_RESPONSE, [](auto& c) { c.byte_enables = false; },
     [](Access& a) { a.byte_enables = {kOn}; }},
    {"byte enable of no meaning", TLM_BYTE_ENABLE_ERROR_RESPONSE, any,
     [](Access& a) {
       a.byte_enables = {kOn, 1};
     }},
    {"byte enables of whole units", TLM_OK_RESPONSE, [](auto& c) { c.alignment = 4; },
     [](Access& a) { a.byte_enables = {kOff, kOff, kOff, kOff, kOn, kOn, kOn, kOn}; }},
    {"byte enables of part of a unit", TLM_BYTE_ENABLE_ERROR_RESPONSE, [](auto& c) { c.alignment = 4; },
     [](Access& a) { a.byte_enables = {kOff, kOn, kOn, kOn, kOn, kOn, kOn, kOn}; }},
    {"ignore", TLM_OK_RESPONSE, any, [](Access& a) { a.command = tlm::TLM_IGNORE_COMMAND; }},
    {"ignore without data", TLM_OK_RESPONSE, any,
     [](Access& a) { a.command = tlm::TLM_IGNORE_COMMAND, a.data.clear(); }},
    // Two rows at once: the upper one of the table decides.
    {"address before command", TLM_ADDRESS_ERROR_RESPONSE, [](auto& c) { c.writable = false; },
     [](Access& a) { a.address = 64; }},
    {"command before burst", TLM_COMMAND_ERROR_RESPONSE, [](auto& c) { c.writable = false; },
     [](Access& a) { a.streaming_width = 0; }},
    {"burst before byte enables", TLM_BURST_ERROR_RESPONSE, any,
     [](Access& a) { a.streaming_width = 0, a.byte_enables = {1}; }},
};

TEST(GuardResponse, EveryRowOfTheTable) {
  struct Bench {
    explicit Bench(const Row& r, int i)
        : row(r),
          model(64),
          guard(("socket_" + std::to_string(i)).c_str(), model, changed(r)),
          tester(("tester_" + std::to_string(i)).c_str()) {
      tester.socket.bind(guard.socket);
    }
    static TargetCapabilities changed(const Row& r) {
      TargetCapabilities c = bytes_64();
      r.target(c);
      return c;
    }
    const Row& row;
    RecordingModel model;
    TestTarget guard;
    InitiatorTester tester;
  };
  std::list<Bench> benches;
  for (const Row& row : kTable) benches.emplace_back(row, static_cast<int>(benches.size()));
  const WarningLog log;
  run_in_thread([&] {
    for (Bench& b : benches) {
      SCOPED_TRACE(b.row.what);
      Access access = Access::write(16, {1, 2, 3, 4, 5, 6, 7, 8});
      b.row.change(access);
      const Bytes data_before = access.data, bytes_before = b.model.bytes;
      EXPECT_EQ(b.tester.send(access), b.row.expected);
      const bool served = b.row.expected == TLM_OK_RESPONSE && access.command != tlm::TLM_IGNORE_COMMAND;
      EXPECT_EQ(!b.model.calls.empty(), served);
      EXPECT_EQ(b.model.transports, served ? 1 : 0);
      if (!served) {
        EXPECT_EQ(access.data, data_before);
        EXPECT_EQ(b.model.bytes, bytes_before);
      }
      EXPECT_TRUE(log.take().empty());
    }
  });
}

TEST(GuardResponse, ByteEnablePointerWithoutLength) {
  RecordingModel model(64);
  TestTarget guard("in", model, bytes_64());
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  run_in_thread([&] {
    Access access = Access::write(0, Bytes(4));
    Bytes enables{kOn};
    access.request();
    access.payload.set_byte_enable_ptr(enables.data());
    access.payload.set_byte_enable_length(0);
    sc_core::sc_time delay;
    tester.socket->b_transport(access.payload, delay);
    EXPECT_EQ(access.payload.get_response_status(), TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_TRUE(model.calls.empty());
  });
}

TEST(GuardResponse, HolesAreAddressErrorsAndNothingIsTransferred) {
  RecordingModel model(64);
  model.hole_first = 20, model.hole_last = 23;
  TestTarget guard("in", model, bytes_64());
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  run_in_thread([&] {
    const Bytes before = model.bytes;
    Access crossing = Access::write(16, Bytes(5, 0xAB));
    crossing.byte_enables = {kOn, kOn, kOn, kOn, kOff};  // the hole's byte itself is not enabled
    EXPECT_EQ(tester.send(crossing), TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(tester.debug(crossing), 0u);
    EXPECT_EQ(tester.write(23, Bytes(1)), TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(model.bytes, before);
    EXPECT_EQ(tester.write(16, Bytes(4)), TLM_OK_RESPONSE);
    EXPECT_EQ(tester.write(24, Bytes(4)), TLM_OK_RESPONSE);
  });
}

TEST(GuardResponse, CallersFaultsWarnAndNameTheSocket) {
  RecordingModel model(64);
  TestTarget guard("strict_socket", model, bytes_64());
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  const WarningLog log;
  const auto refused = [&](tlm::tlm_generic_payload& payload, const char* part) {
    sc_core::sc_time delay(7, sc_core::SC_NS);
    tester.socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), TLM_GENERIC_ERROR_RESPONSE) << part;
    EXPECT_EQ(delay, sc_core::sc_time(7, sc_core::SC_NS));
    const auto messages = log.take();
    ASSERT_EQ(messages.size(), 1u) << part;
    EXPECT_NE(messages[0].find("strict_socket"), std::string::npos) << messages[0];
    EXPECT_NE(messages[0].find(part), std::string::npos) << messages[0];
  };
  Access access = Access::write(0, Bytes(4, 0xAB));
  sc_core::sc_spawn_options method;
  method.spawn_method();
  sc_core::sc_spawn([&] { refused(access.request(), "thread"); }, "a_method", &method);
  run_in_thread([&] {
    access.request().set_response_status(TLM_OK_RESPONSE);
    refused(access.payload, "INCOMPLETE");
    access.request().set_data_ptr(nullptr);
    refused(access.payload, "null");
    EXPECT_EQ(tester.debug(access), 4u);  // debug needs no thread, but data
    access.request().set_data_ptr(nullptr);
    EXPECT_EQ(tester.socket->transport_dbg(access.payload), 0u);
  });
  refused(access.request(), "thread");  // outside every process
  EXPECT_EQ(model.calls.size(), 1u);
  EXPECT_TRUE(model.calls[0].debug);
}

TEST(GuardResponse, ModelsFaultsAreCaughtAndPutBack) {
  RecordingModel model(64);
  TestTarget guard("victim_socket", model, bytes_64());
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  const WarningLog log;
  run_in_thread([&] {
    const auto caught = [&](const char* part) {
      Access access = Access::write(8, Bytes(4));
      EXPECT_EQ(tester.send(access), TLM_GENERIC_ERROR_RESPONSE) << part;  // send() checks that all is put back
      const auto messages = log.take();
      ASSERT_EQ(messages.size(), 1u) << part;
      EXPECT_NE(messages[0].find("victim_socket"), std::string::npos) << messages[0];
      EXPECT_NE(messages[0].find(part), std::string::npos) << messages[0];
    };
    model.status = tlm::TLM_INCOMPLETE_RESPONSE;
    caught("INCOMPLETE");
    model.status = TLM_OK_RESPONSE;

    model.before_access = [](sc_core::sc_time& delay) { delay -= sc_core::sc_time(1, sc_core::SC_NS); };
    caught("time");
    model.before_access = [](sc_core::sc_time&) { throw std::runtime_error("out of paper"); };
    caught("out of paper");
    model.before_access = [](sc_core::sc_time& delay) {
      delay = sc_core::SC_ZERO_TIME;
      SC_REPORT_ERROR("/test", "reported error");
    };
    caught("reported error");
    model.before_access = nullptr;

    const auto served_with = [&](const std::function<void(tlm::tlm_generic_payload&)>& change) {
      model.in_transport = [=](tlm::tlm_generic_payload& p) {
        p.set_response_status(TLM_OK_RESPONSE);
        change(p);
        return true;
      };
    };
    served_with([](tlm::tlm_generic_payload& p) { p.set_address(9); });
    caught("address");
    served_with([](tlm::tlm_generic_payload& p) { p.set_read(); });
    caught("command");
    served_with([](tlm::tlm_generic_payload& p) { p.set_data_length(2); });
    caught("length");
    served_with([](tlm::tlm_generic_payload& p) { p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE); });
    caught("INCOMPLETE");
  });
}

TEST(GuardResponse, ErrorsOfTheModelPassThrough) {
  RecordingModel model(64);
  TestTarget guard("in", model, bytes_64());
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  const WarningLog log;
  run_in_thread([&] {
    for (const auto status : {TLM_ADDRESS_ERROR_RESPONSE, TLM_COMMAND_ERROR_RESPONSE, TLM_BURST_ERROR_RESPONSE,
                              TLM_BYTE_ENABLE_ERROR_RESPONSE, TLM_GENERIC_ERROR_RESPONSE}) {
      model.status = status;
      EXPECT_EQ(tester.write(0, Bytes(4)), status);
    }
    // A lowered access stops at the first error.
    model.calls.clear();
    Access pieces = Access::write(0, Bytes(4));
    pieces.streaming_width = 1;
    EXPECT_EQ(tester.send(pieces), TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(model.calls.size(), 1u);
    EXPECT_TRUE(log.take().empty());
  });
}

TEST(GuardResponse, TransportServesThePayloadInPlaceOfAccess) {
  RecordingModel model(64);
  TestTarget guard("in", model, bytes_64());
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  run_in_thread([&] {
    model.in_transport = [](tlm::tlm_generic_payload& p) {
      p.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
      return true;
    };
    EXPECT_EQ(tester.write(0, Bytes(4)), TLM_BURST_ERROR_RESPONSE);
    EXPECT_TRUE(model.calls.empty());
    EXPECT_EQ(tester.debug_read(0, 4).size(), 4u);  // debug goes to access()
    EXPECT_EQ(model.transports, 1);
  });
}

TEST(GuardResponse, DelayOfTheModelIsAddedAndWaitingIsAllowed) {
  RecordingModel model(64);
  TestTarget guard("in", model, bytes_64());
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  const WarningLog log;
  run_in_thread([&] {
    const auto ns = [](double n) { return sc_core::sc_time(n, sc_core::SC_NS); };
    model.before_access = [&](sc_core::sc_time& delay) { delay += ns(5); };
    sc_core::sc_time delay = ns(3);
    Access access = Access::write(0, Bytes(4));
    EXPECT_EQ(tester.send(access, delay), TLM_OK_RESPONSE);
    EXPECT_EQ(delay, ns(8));
    EXPECT_EQ(sc_core::sc_time_stamp(), ns(0));
    access.streaming_width = 2;  // two accesses to the model
    EXPECT_EQ(tester.send(access, delay), TLM_OK_RESPONSE);
    EXPECT_EQ(delay, ns(18));

    model.before_access = [&](sc_core::sc_time& d) {  // synchronises: local time is kept
      sc_core::wait(d);
      d = sc_core::SC_ZERO_TIME;
    };
    access.streaming_width = 4;
    EXPECT_EQ(tester.send(access, delay), TLM_OK_RESPONSE);
    EXPECT_EQ(delay, ns(0));
    EXPECT_EQ(sc_core::sc_time_stamp(), ns(18));
    EXPECT_TRUE(log.take().empty());
  });
}

TEST(GuardResponse, KillingTheCallerUnwindsThroughTheGuard) {
  RecordingModel model(64);
  TestTarget guard("in", model, bytes_64());
  InitiatorTester tester("tester");
  tester.socket.bind(guard.socket);
  const WarningLog log;
  model.before_access = [](sc_core::sc_time&) { sc_core::wait(1, sc_core::SC_SEC); };
  Access access = Access::write(0, Bytes(4));
  bool returned = false;
  sc_core::sc_process_handle caller = sc_core::sc_spawn([&] {
    tester.send(access);
    returned = true;
  });
  run_in_thread([&] {
    sc_core::wait(1, sc_core::SC_NS);
    caller.kill();
    sc_core::wait(2, sc_core::SC_SEC);
    EXPECT_TRUE(caller.terminated());
    EXPECT_FALSE(returned);
    EXPECT_TRUE(log.take().empty());
  });
}

TEST(GuardResponse, AlignmentZeroIsRefusedAtConstruction) {
  RecordingModel model(64);
  TargetCapabilities c = bytes_64();
  c.alignment = 0;
  EXPECT_THROW(TestTarget("in", model, c), std::invalid_argument);
}

}  // namespace guard_response_test
