#include "port_arbiter.h"

#include <algorithm>

namespace dve {

PortArbiter::PortArbiter(sc_core::sc_module_name name, const contention::Parameters& parameters, std::size_t sockets)
    : sc_module(name), in("in"), policies_(parameters), requests_(sockets) {
  in.init(sockets, [](const char* socket_name, std::size_t) { return new Socket(socket_name); });
  for (std::size_t s = 0; s < sockets; ++s) {
    in[s].register_nb_transport_fw(this, &PortArbiter::nb_transport_fw, static_cast<int>(s));
    in[s].register_b_transport(this, &PortArbiter::b_transport, static_cast<int>(s));
  }
}

bool PortArbiter::outstanding() const { return !waiting_.empty(); }

void PortArbiter::arbitrate(std::int64_t cycle, const std::vector<contention::Flow*>& flows) {
  policies_.step(cycle, flows);
  std::size_t kept = 0;
  for (std::size_t w = 0; w < waiting_.size(); ++w) {
    const Request& request = requests_[waiting_[w]];
    if (request.stream->granted == request.granted)
      waiting_[kept++] = waiting_[w];
    else
      respond(waiting_[w]);
  }
  waiting_.resize(kept);
}

void PortArbiter::respond(std::size_t socket) {
  tlm::tlm_generic_payload& payload = *requests_[socket].payload;
  requests_[socket].payload = nullptr;
  ++beats_;
  bytes_ += payload.get_data_length();
  sc_core::sc_time delay;
  tlm::tlm_phase phase = tlm::END_REQ;
  in[socket]->nb_transport_bw(payload, phase, delay);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::BEGIN_RESP;
  in[socket]->nb_transport_bw(payload, phase, delay);
}

tlm::tlm_sync_enum PortArbiter::nb_transport_fw(int socket, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time&) {
  if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
  const auto index = static_cast<std::size_t>(socket);
  const BeatExtension* beat = payload.get_extension<BeatExtension>();
  if (phase != tlm::BEGIN_REQ || beat == nullptr || requests_[index].payload != nullptr) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  requests_[index] = {&payload, beat->stream, beat->stream->granted};
  waiting_.push_back(index);
  return tlm::TLM_ACCEPTED;
}

void PortArbiter::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

}  // namespace dve
