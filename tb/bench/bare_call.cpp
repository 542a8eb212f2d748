#include "bench/bare_call.h"

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <systemc>
#include <tlm>

namespace dve::bench {
namespace {

struct Target : sc_core::sc_module {
  tlm_utils::simple_target_socket<Target> in{"in"};
  explicit Target(sc_core::sc_module_name name) : sc_module(name) {
    in.register_b_transport(this, &Target::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Initiator> out{"out"};
  sc_core::sc_event begin;
  std::uint64_t count = 0;
  explicit Initiator(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(Initiator);
    SC_THREAD(run);
  }
  void run() {
    std::array<unsigned char, 64> data{};
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_data_ptr(data.data());
    payload.set_data_length(data.size());
    payload.set_streaming_width(data.size());
    while (true) {
      wait(begin);
      for (; count != 0; --count) {
        sc_core::sc_time delay;
        payload.set_address(count * data.size());
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        out->b_transport(payload, delay);
        if (!payload.is_response_ok()) SC_REPORT_FATAL("/dve/bench", "a bare call failed");
      }
    }
  }
};

}  // namespace

struct BareCall::Top {
  Initiator initiator{"bare_call_initiator"};
  Target target{"bare_call_target"};
  Top() { initiator.out.bind(target.in); }
};

BareCall::BareCall() : top_(std::make_unique<Top>()) {}
BareCall::~BareCall() = default;

void BareCall::make(std::uint64_t count) {
  top_->initiator.count = count;
  top_->initiator.begin.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
}

}  // namespace dve::bench
