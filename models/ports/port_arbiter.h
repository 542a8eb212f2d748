// The target of all beats: arbiters and banks of SBUF and PSUM, approximately timed.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "beat_extension.h"
#include "dve/contention/contention.h"

namespace dve {

// Stands for: the two-stage arbiter in front of the banks (microarchitecture.md 3.1, 4). Keeps: the requests that have
// not been granted, one a socket (a request is held back until its bank is granted: TLM's request exclusion is the
// back-pressure), and the policies' state. Time: none of its own; the approximately timed ports call arbitrate() once a
// memory cycle. Answers COMPLETED with an error response: b_transport, and beats without a BeatExtension
// (COMMAND_ERROR). Does not model: the data of a beat, which the initiator moves in program order.
class PortArbiter : public sc_core::sc_module {
 public:
  using Socket = tlm_utils::simple_target_socket_tagged<PortArbiter>;
  PortArbiter(sc_core::sc_module_name name, const contention::Parameters& parameters, std::size_t sockets);
  sc_core::sc_vector<Socket> in;

  // Decides this cycle among the flows that have requests here, and answers END_REQ and BEGIN_RESP to those it grants.
  // `flows` are all that are on the ports, in the order of users.
  void arbitrate(std::int64_t cycle, const std::vector<contention::Flow*>& flows);
  contention::Arbiter& policies() { return policies_; }
  const contention::Arbiter& policies() const { return policies_; }
  bool outstanding() const;
  // Beats that have been answered, and the bytes that their transactions carried.
  std::uint64_t beats() const { return beats_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(int socket, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void b_transport(int socket, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void respond(std::size_t socket);

  struct Request {
    tlm::tlm_generic_payload* payload = nullptr;
    contention::Stream* stream = nullptr;
    std::uint64_t granted = 0;  // beats of the stream when the request arrived
  };
  contention::Arbiter policies_;
  std::uint64_t beats_ = 0, bytes_ = 0;
  std::vector<Request> requests_;     // by socket
  std::vector<std::size_t> waiting_;  // sockets with a request
};

}  // namespace dve
