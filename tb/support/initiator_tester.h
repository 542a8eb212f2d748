// A foreign initiator for tests of targets: knows TLM-2.0 and nothing of the models.
#pragma once

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES  // for sc_spawn
#endif

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

namespace dve::test {

using Bytes = std::vector<std::uint8_t>;

// A payload with its buffers. Defaults are those of a legal plain access.
struct Access {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  std::uint64_t address = 0;
  Bytes data;
  Bytes byte_enables;                          // empty: none
  std::uint64_t streaming_width = UINT64_MAX;  // UINT64_MAX: the length

  tlm::tlm_generic_payload payload;  // as it came back

  static Access read(std::uint64_t address, std::size_t length) {
    Access a;
    a.address = address;
    a.data.assign(length, 0xEE);
    return a;
  }
  static Access write(std::uint64_t address, Bytes data) {
    Access a;
    a.command = tlm::TLM_WRITE_COMMAND;
    a.address = address;
    a.data = std::move(data);
    return a;
  }
  Access() = default;
  Access(const Access& other) { *this = other; }
  Access& operator=(const Access& other) {  // the request, not the payload
    command = other.command;
    address = other.address;
    data = other.data;
    byte_enables = other.byte_enables;
    streaming_width = other.streaming_width;
    return *this;
  }

  // Fills the payload from the members. Extensions set on it before stay.
  tlm::tlm_generic_payload& request() {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(static_cast<unsigned>(streaming_width == UINT64_MAX ? data.size() : streaming_width));
    payload.set_byte_enable_ptr(byte_enables.empty() ? nullptr : byte_enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(byte_enables.size()));
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return payload;
  }
};

// Blocking, debug and DMI calls, recorded invalidations, delays in and out.
class InitiatorTester : public sc_core::sc_module {
 public:
  explicit InitiatorTester(sc_core::sc_module_name module_name) : sc_module(module_name), socket("socket") {
    socket.register_invalidate_direct_mem_ptr(this, &InitiatorTester::invalidated);
  }
  tlm_utils::simple_initiator_socket<InitiatorTester> socket;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidations;
  std::function<void(std::uint64_t, std::uint64_t)> on_invalidation;

  // Sends the access with no delay and checks what every target owes: address, command, length and delay as given, no
  // simulation time spent. For targets without time of their own.
  tlm::tlm_response_status send(Access& access) {
    const sc_core::sc_time given(3, sc_core::SC_NS);
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    sc_core::sc_time delay = given;
    const tlm::tlm_response_status status = send(access, delay);
    EXPECT_EQ(delay, given);
    EXPECT_EQ(sc_core::sc_time_stamp(), before);
    return status;
  }
  tlm::tlm_response_status send(Access& access, sc_core::sc_time& delay) {
    socket->b_transport(access.request(), delay);
    EXPECT_EQ(access.payload.get_address(), access.address);
    EXPECT_EQ(access.payload.get_command(), access.command);
    EXPECT_EQ(access.payload.get_data_length(), access.data.size());
    return access.payload.get_response_status();
  }
  tlm::tlm_response_status write(std::uint64_t address, const Bytes& data) {
    Access access = Access::write(address, data);
    return send(access);
  }
  // The bytes read; empty after an error.
  Bytes read(std::uint64_t address, std::size_t length) {
    Access access = Access::read(address, length);
    return send(access) == tlm::TLM_OK_RESPONSE ? access.data : Bytes{};
  }
  unsigned debug(Access& access) {
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    const unsigned bytes = socket->transport_dbg(access.request());
    EXPECT_EQ(sc_core::sc_time_stamp(), before);
    EXPECT_EQ(access.payload.get_address(), access.address);
    return bytes;
  }
  Bytes debug_read(std::uint64_t address, std::size_t length) {
    Access access = Access::read(address, length);
    const unsigned bytes = debug(access);
    access.data.resize(bytes);
    return access.data;
  }
  bool dmi(std::uint64_t address, tlm::tlm_command command, tlm::tlm_dmi& dmi) {
    Access access = Access::read(address, 1);
    access.command = command;
    dmi.init();
    const bool granted = socket->get_direct_mem_ptr(access.request(), dmi);
    EXPECT_EQ(access.payload.get_address(), address);
    return granted;
  }

 private:
  void invalidated(sc_dt::uint64 first, sc_dt::uint64 last) {
    invalidations.emplace_back(first, last);
    if (on_invalidation) on_invalidation(first, last);
  }
};

// Runs the body as a thread process and the simulation to its end; fails when the body did not come to its end.
inline void run_in_thread(const std::function<void()>& body) {
  bool finished = false;
  sc_core::sc_spawn([&] {
    body();
    finished = true;
  });
  sc_core::sc_start();
  EXPECT_TRUE(finished) << "the test's thread did not reach its end";
}

// Collects SystemC reports of severity warning in place of printing them.
class WarningLog {
 public:
  WarningLog() {
    messages().clear();
    sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
      if (report.get_severity() == sc_core::SC_WARNING) {
        messages().emplace_back(report.get_msg());
      } else {
        sc_core::sc_report_handler::default_handler(report, actions);
      }
    });
  }
  ~WarningLog() { sc_core::sc_report_handler::set_handler(sc_core::sc_report_handler::default_handler); }
  WarningLog(const WarningLog&) = delete;
  WarningLog& operator=(const WarningLog&) = delete;
  static std::vector<std::string>& messages() {
    static std::vector<std::string> log;
    return log;
  }
  // Messages since the last call.
  static std::vector<std::string> take() { return std::exchange(messages(), {}); }
};

}  // namespace dve::test
