#include "stream_unit.h"

#include <algorithm>

namespace dve {

StreamUnit::Beat::Beat() {
  payload.set_mm(this);
  payload.acquire();
  payload.set_extension(&tensor);
  payload.set_extension(&beat);
}

StreamUnit::Beat::~Beat() {
  payload.clear_extension(&tensor);
  payload.clear_extension(&beat);
}

StreamUnit::StreamUnit(sc_core::sc_module_name name, contention::User user) : sc_module(name), out("out"), user_(user) {
  out.init(lines, [](const char* socket_name, std::size_t) { return new Socket(socket_name); });
  for (std::size_t line = 0; line < lines; ++line)
    out[line].register_nb_transport_bw(this, &StreamUnit::nb_transport_bw, static_cast<int>(line));
}

contention::Flow& StreamUnit::add(const contention::Job& job, const contention::Parameters& parameters,
                                  std::uint64_t id) {
  auto flow = std::make_unique<contention::Flow>(job, parameters, id);
  if (!flows_.empty()) flow->follow(flows_.back().get());
  flows_.push_back(std::move(flow));
  return *flows_.back();
}

void StreamUnit::request() {
  for (const auto& flow : flows_) {
    for (std::size_t s = 0; s < flow->streams().size(); ++s) {
      if (flow->wants(flow->streams()[s])) send(*flow, s);
    }
  }
}

bool StreamUnit::forget_ended() {
  const auto first_live = std::find_if(flows_.begin(), flows_.end(), [](const auto& flow) { return !flow->ended(); });
  if (first_live == flows_.begin()) return false;
  if (first_live != flows_.end()) (*first_live)->follow(nullptr);
  flows_.erase(flows_.begin(), first_live);
  return true;
}

StreamUnit::Line StreamUnit::line_of(const contention::Job& job, std::size_t stream) {
  if (job.streams[stream].write) return write;
  const auto first_read =
      std::find_if(job.streams.begin(), job.streams.end(), [](const contention::StreamJob& s) { return !s.write; });
  return &*first_read == &job.streams[stream] ? read0 : read1;
}

void StreamUnit::send(contention::Flow& flow, std::size_t stream) {
  const contention::StreamJob& job = flow.job().streams[stream];
  const Line line = line_of(flow.job(), stream);
  Beat& beat = beats_[line];
  if (beat.outstanding) return;  // held back by the arbiter
  beat.outstanding = true;
  beat.beat.flow = &flow;
  beat.beat.stream = &flow.streams()[stream];
  describe(beat, job, flow.streams()[stream]);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  out[line]->nb_transport_fw(beat.payload, phase, delay);
}

// Elements are spread evenly over the beats.
void StreamUnit::describe(Beat& beat, const contention::StreamJob& job, const contention::Stream& stream) {
  const contention::StreamShape& shape = job.shape;
  const std::uint64_t first = stream.granted * shape.elements.value / job.beats;
  const std::uint64_t end = (stream.granted + 1) * shape.elements.value / job.beats;
  if (stream.granted == 0) {
    beat.tensor.pattern = shape.pattern;
    beat.tensor.element_bytes = shape.element_bytes;
    beat.tensor.channels = shape.channels;
  }
  beat.tensor.first_element = first;
  beat.tensor.element_count = end - first;
  prepare(beat.payload, job.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, shape.start.offset, nothing_.data(),
          (end - first) * shape.element_bytes * shape.channels);
}

tlm::tlm_sync_enum StreamUnit::nb_transport_bw(int line, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  const auto index = static_cast<std::size_t>(line);
  beats_[index].outstanding = false;
  tlm::tlm_phase end = tlm::END_RESP;
  out[index]->nb_transport_fw(payload, end, delay);
  return tlm::TLM_ACCEPTED;
}

}  // namespace dve
