// The initiator of one user's beats.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "beat_extension.h"
#include "dve/contention/contention.h"
#include "dve/tlm/tlm.h"

namespace dve {

// Stands for: the stream side of a user's read and write ports: address generation, read-ahead and write buffers, and
// the lockstep of a job's streams. Keeps: the jobs on its way, in order; the last one steps while beats of those before
// drain. Sends one beat at a time on each of its three sockets (first read, second read, write) as a 4-phase
// non-blocking transaction, whose TensorExtension names the elements that the beat carries.
class StreamUnit : public sc_core::sc_module {
 public:
  enum Line : std::size_t { read0, read1, write, lines };
  using Socket = tlm_utils::simple_initiator_socket_tagged<StreamUnit>;
  StreamUnit(sc_core::sc_module_name name, contention::User user);
  sc_core::sc_vector<Socket> out;

  contention::User user() const { return user_; }
  contention::Flow& add(const contention::Job& job, const contention::Parameters& parameters, std::uint64_t id);
  // Sends the requests of a cycle.
  void request();
  // Forgets jobs that are written out; true: there was one.
  bool forget_ended();
  const std::vector<std::unique_ptr<contention::Flow>>& flows() const { return flows_; }

 private:
  struct Beat : tlm::tlm_mm_interface {
    Beat();
    ~Beat() override;
    void free(tlm::tlm_generic_payload*) override {}  // the line keeps its payload
    tlm::tlm_generic_payload payload;
    TensorExtension tensor;
    BeatExtension beat;
    bool outstanding = false;
  };
  static Line line_of(const contention::Job& job, std::size_t stream);
  void send(contention::Flow& flow, std::size_t stream);
  void describe(Beat& beat, const contention::StreamJob& job, const contention::Stream& stream);
  tlm::tlm_sync_enum nb_transport_bw(int line, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);

  contention::User user_;
  std::vector<std::unique_ptr<contention::Flow>> flows_;
  std::array<Beat, lines> beats_;
  std::array<std::uint8_t, 8> nothing_{};  // beats carry time, not data
};

}  // namespace dve
