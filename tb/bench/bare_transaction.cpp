#include "bench/bare_transaction.h"

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

namespace dve::bench {
namespace {

using Payload = tlm::tlm_generic_payload;

class Pool : public tlm::tlm_mm_interface {
 public:
  Payload& take() {
    if (unused_.empty()) {
      all_.push_back(std::make_unique<Payload>(this));
      unused_.push_back(all_.back().get());
    }
    Payload& payload = *unused_.back();
    unused_.pop_back();
    payload.acquire();
    return payload;
  }
  void free(Payload* payload) override { unused_.push_back(payload); }

 private:
  std::vector<std::unique_ptr<Payload>> all_;
  std::vector<Payload*> unused_;
};

class Target : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Target> in{"in"};
  explicit Target(sc_core::sc_module_name name) : sc_module(name) {
    in.register_nb_transport_fw(this, &Target::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    queue_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  void act(Payload& payload, const tlm::tlm_phase& phase) {
    if (phase == tlm::END_RESP) return payload.release();
    sc_core::sc_time delay;
    tlm::tlm_phase answer = tlm::END_REQ;
    in->nb_transport_bw(payload, answer, delay);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    answer = tlm::BEGIN_RESP;
    delay = cycle_;
    in->nb_transport_bw(payload, answer, delay);
  }

  const sc_core::sc_time cycle_{1, sc_core::SC_NS};
  tlm_utils::peq_with_cb_and_phase<Target> queue_{this, &Target::act};
};

class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> out{"out"};
  explicit Initiator(sc_core::sc_module_name name) : sc_module(name) {
    out.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
    SC_HAS_PROCESS(Initiator);
    SC_METHOD(begin);
    sensitive << begin_;
    dont_initialize();
  }
  void move(std::uint64_t count) {
    left_ = count;
    begin_.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
  }

 private:
  void begin() {
    Payload& payload = pool_.take();
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    send(payload, tlm::BEGIN_REQ);
  }
  void send(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    out->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    queue_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  void act(Payload& payload, const tlm::tlm_phase& phase) {
    if (phase != tlm::BEGIN_RESP) return;
    send(payload, tlm::END_RESP);
    if (--left_ != 0) begin();
  }

  std::uint64_t left_ = 0;
  Pool pool_;
  sc_core::sc_event begin_;
  tlm_utils::peq_with_cb_and_phase<Initiator> queue_{this, &Initiator::act};
};

}  // namespace

struct BareTransaction::Top {
  Initiator initiator{"bare_transaction_initiator"};
  Target target{"bare_transaction_target"};
  Top() { initiator.out.bind(target.in); }
};

BareTransaction::BareTransaction() : top_(std::make_unique<Top>()) {}
BareTransaction::~BareTransaction() = default;

void BareTransaction::move(std::uint64_t count) { top_->initiator.move(count); }

}  // namespace dve::bench
