#include "axi_checker.h"

#include <algorithm>

namespace dve::pins {

namespace {

template <class List>
auto oldest_of(List& list, std::uint64_t id) {
  return std::find_if(list.begin(), list.end(), [id](const auto& burst) { return burst.address.id == id; });
}

}  // namespace

template <class Payload>
void AxiChecker::check_channel(Watch<Payload>& watch, const AxiChannel<Payload>& channel, bool reset,
                               bool data_unknown) {
  const auto report = [&](const char* rule) { first_.report(watch.name, rule, watch.passed); };
  if (reset) {
    if (was_reset_ && channel.control_unknown) report("unknown_control");
    if (was_reset_ && channel.valid) report("valid_in_reset");
    watch = {watch.name};
    return;
  }
  if (channel.control_unknown) report("unknown_control");
  if (watch.waiting && !channel.valid) report("valid_withdrawn");
  if (channel.valid && (channel.payload_unknown || data_unknown)) report("unknown_payload");
  if (watch.waiting && channel.valid && !(channel.payload == watch.before)) report("payload_changed");
  watch.waiting = channel.valid && !channel.ready;
  watch.before = channel.payload;
  watch.waited = watch.waiting ? watch.waited + 1 : 0;
  if (watch.waited > limits_.stall_limit) report("stalled");
}

void AxiChecker::check_address(const Watch<AxiAddress>& watch, const AxiChannel<AxiAddress>& channel) {
  if (!channel.valid) return;
  if (const char* rule = broken_burst_rule(channel.payload, limits_.bus_bytes)) {
    first_.report(watch.name, rule, watch.passed);
  }
}

void AxiChecker::check_response(const AxiChannel<AxiWriteResponse>& channel) {
  if (!channel.valid) return;
  const auto report = [&](const char* rule) { first_.report("B", rule, b_.passed); };
  const auto write = oldest_of(writes_, channel.payload.id);
  if (writes_.empty()) {
    report("response_without_request");
  } else if (write == writes_.end()) {
    report("wrong_id");
  }
  if (channel.payload.response == AxiResponse::exokay) report("exokay_unasked");
  if (write != writes_.end() && !write->complete) report("response_before_last");
}

void AxiChecker::check_read(const AxiChannel<AxiReadData>& channel) {
  if (!channel.valid) return;
  const auto report = [&](const char* rule) { first_.report("R", rule, r_.passed); };
  const Read* read = read_of(channel.payload.id);
  if (reads_.empty()) {
    report("response_without_request");
  } else if (read == nullptr) {
    report("wrong_id");
  }
  if (channel.payload.response == AxiResponse::exokay) report("exokay_unasked");
  if (read == nullptr) return;
  const bool ends = read->beats == read->address.length;
  if (channel.payload.last && !ends) report("rlast_early");
  if (!channel.payload.last && ends) report("rlast_missing");
}

const AxiChecker::Read* AxiChecker::read_of(std::uint64_t id) const {
  const auto read = oldest_of(reads_, id);
  return read == reads_.end() ? nullptr : &*read;
}

// Bytes that the beat uses, of a read that has ended well so far.
bool AxiChecker::read_data_unknown(const AxiChannel<AxiReadData>& channel) const {
  const Read* read = read_of(channel.payload.id);
  if (read == nullptr || channel.payload.response >= AxiResponse::slverr) return false;
  if (broken_burst_rule(read->address, limits_.bus_bytes) != nullptr) return false;
  const AxiLanes lanes = lanes_of(read->address, read->beats, limits_.bus_bytes);
  return (channel.data_unknown & bytes_between(lanes.first, lanes.end)).any();
}

void AxiChecker::check_data(Write& write, const Data& data) {
  const auto report = [&](const char* rule) { first_.report("W", rule, data.number); };
  if (broken_burst_rule(write.address, limits_.bus_bytes) == nullptr) {
    const AxiLanes lanes = lanes_of(write.address, write.beats, limits_.bus_bytes);
    if ((data.beat.strobes & ~bytes_between(lanes.first, lanes.end)).any()) report("strobe_outside_lanes");
  }
  const bool ends = write.beats == write.address.length;
  if (data.beat.last && !ends) report("wlast_early");
  if (!data.beat.last && ends) report("wlast_missing");
  ++write.beats;
  write.complete = data.beat.last || ends;
}

void AxiChecker::match_data() {
  while (!data_.empty()) {
    const auto write = std::find_if(writes_.begin(), writes_.end(), [](const Write& one) { return !one.complete; });
    if (write == writes_.end()) return;
    check_data(*write, data_.front());
    data_.pop_front();
  }
}

void AxiChecker::take_passed(const AxiCycle& now) {
  if (now.b.valid && now.b.ready) {
    ++b_.passed;
    const auto write = oldest_of(writes_, now.b.payload.id);
    if (write != writes_.end() && write->complete) writes_.erase(write);
  }
  if (now.r.valid && now.r.ready) {
    ++r_.passed;
    const auto read = oldest_of(reads_, now.r.payload.id);
    if (read != reads_.end() && (read->beats++ == read->address.length || now.r.payload.last)) reads_.erase(read);
  }
  if (now.aw.valid && now.aw.ready) {
    ++aw_.passed;
    writes_.push_back({now.aw.payload, 0, false});
  }
  if (now.ar.valid && now.ar.ready) {
    ++ar_.passed;
    reads_.push_back({now.ar.payload, 0});
  }
  if (now.w.valid && now.w.ready) data_.push_back({now.w.payload, w_.passed++});
}

void AxiChecker::forget() {
  writes_.clear();
  reads_.clear();
  data_.clear();
}

void AxiChecker::step(const AxiCycle& now) {
  first_.edge();
  seen_reset_ = seen_reset_ || now.reset;
  if (!seen_reset_) return;
  const bool look = !now.reset;
  check_channel(aw_, now.aw, now.reset, false);
  if (look) check_address(aw_, now.aw);
  check_channel(w_, now.w, now.reset, (now.w.data_unknown & now.w.payload.strobes).any());
  check_channel(b_, now.b, now.reset, false);
  if (look) check_response(now.b);
  check_channel(ar_, now.ar, now.reset, false);
  if (look) check_address(ar_, now.ar);
  check_channel(r_, now.r, now.reset, look && read_data_unknown(now.r));
  if (look) check_read(now.r);
  was_reset_ = now.reset;
  if (now.reset) {
    forget();
    return;
  }
  take_passed(now);
  match_data();
}

}  // namespace dve::pins
