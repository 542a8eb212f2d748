#include "axi_subordinate.h"

#include <algorithm>
#include <utility>

namespace dve::pins {

namespace {

std::size_t bytes_of(const AxiAddress& burst) {
  std::uint64_t bytes = 0;
  for (const AxiSegment& segment : segments_of(burst)) bytes += segment.length;
  return bytes;
}

AxiAccess read_of(const AxiAddress& burst, std::size_t bus_bytes) {
  AxiAccess access;
  access.address = burst;
  access.legal = broken_burst_rule(burst, bus_bytes) == nullptr;
  if (access.legal) access.data.resize(bytes_of(burst));
  return access;
}

AxiAccess write_of(const AxiAddress& burst, const std::vector<AxiWriteData>& beats, std::size_t bus_bytes) {
  AxiAccess access;
  access.write = true;
  access.address = burst;
  access.legal = broken_burst_rule(burst, bus_bytes) == nullptr && beats.size() == burst.beats();
  for (std::uint32_t beat = 0; access.legal && beat < beats.size(); ++beat) {
    const AxiLanes lanes = lanes_of(burst, beat, bus_bytes);
    for (std::size_t lane = lanes.first; lane < lanes.end; ++lane) {
      access.data.push_back(beats[beat].data.bytes[lane]);
      access.enables.push_back(beats[beat].strobes[lane]);
    }
  }
  return access;
}

}  // namespace

void AxiSubordinate::take_write_data(const AxiWriteData& beat) {
  if (!data_open_) write_data_.emplace_back();
  write_data_.back().push_back(beat);
  data_open_ = !beat.last;
  if (beat.last) ++complete_data_;
}

void AxiSubordinate::begin_writes() {
  while (!write_addresses_.empty() && write_data_.size() > (data_open_ ? 1U : 0U)) {
    accesses_.push_back(write_of(write_addresses_.front(), write_data_.front(), bus_bytes_));
    write_addresses_.pop_front();
    write_data_.pop_front();
  }
}

void AxiSubordinate::take_passed(const AxiCycle& now) {
  if (pins_.aw.ready && now.aw.valid) {
    write_addresses_.push_back(now.aw.payload);
    ++open_writes_;
  }
  if (pins_.w.ready && now.w.valid) take_write_data(now.w.payload);
  if (pins_.ar.ready && now.ar.valid) {
    accesses_.push_back(read_of(now.ar.payload, bus_bytes_));
    ++open_reads_;
  }
  if (pins_.b.valid && now.b.ready) {
    pins_.b.valid = false;
    --open_writes_;
    --complete_data_;
  }
  if (pins_.r.valid && now.r.ready) {
    pins_.r.valid = false;
    if (pins_.r.payload.last) --open_reads_;
  }
  begin_writes();
}

void AxiSubordinate::answer(const AxiAccess& access) {
  const AxiAddress& burst = access.address;
  if (access.write) {
    responses_.push_back({burst.id, access.response});
    return;
  }
  const bool has_data = access.legal && access.response == AxiResponse::okay;
  std::size_t at = 0;
  for (std::uint32_t beat = 0; beat < burst.beats(); ++beat) {
    AxiReadData data{burst.id, {}, access.response, beat == burst.length};
    if (has_data) {
      const AxiLanes lanes = lanes_of(burst, beat, bus_bytes_);
      for (std::size_t lane = lanes.first; lane < lanes.end; ++lane) data.data.bytes[lane] = access.data[at++];
    }
    read_data_.push_back(data);
  }
}

void AxiSubordinate::offer() {
  const AxiStalls& stall = options_.stalls;
  pins_.aw.ready = !stalls(stall.aw, edge_) && open_writes_ < options_.outstanding;
  pins_.ar.ready = !stalls(stall.ar, edge_) && open_reads_ < options_.outstanding;
  pins_.w.ready = !stalls(stall.w, edge_) && complete_data_ < options_.outstanding;
  if (!pins_.b.valid && !responses_.empty() && !stalls(stall.b, edge_)) {
    pins_.b.valid = true;
    pins_.b.payload = responses_.front();
    responses_.pop_front();
  }
  if (!pins_.r.valid && !read_data_.empty() && !stalls(stall.r, edge_)) {
    pins_.r.valid = true;
    pins_.r.payload = read_data_.front();
    read_data_.pop_front();
  }
}

std::vector<AxiAccess> AxiSubordinate::take_accesses() { return std::exchange(accesses_, {}); }

void AxiSubordinate::step(const AxiCycle& now) {
  if (now.reset) {
    *this = AxiSubordinate(bus_bytes_, options_);
    return;
  }
  take_passed(now);
  offer();
  ++edge_;
}

}  // namespace dve::pins
