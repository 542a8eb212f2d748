#include "sram_checker.h"

namespace dve::pins {

namespace {

bool same(const SramRequest& a, const SramRequest& b) {
  return a.write == b.write && a.word == b.word && a.bytes == b.bytes && a.data == b.data;
}

}  // namespace

void SramChecker::check_in_reset(const SramCycle& now) {
  const auto report = [this](const char* rule) { first_.report("sram", rule, accesses_); };
  if (cycles_in_reset_ >= 1 && now.control_unknown) report("unknown_control");
  if (cycles_in_reset_ >= 1 && now.enable) report("enable_in_reset");
  if (cycles_in_reset_ >= 2 && !same(now.request, before_)) report("change_in_reset");
}

const char* SramChecker::broken_access(const SramCycle& now) const {
  if (now.control_unknown) return "unknown_control";
  if (!now.enable) return nullptr;
  if (now.address_unknown) return "unknown_address";
  if (now.request.word >= limits_.words) return "address_out_of_range";
  if (!now.request.write) return now.request.bytes.any() ? "byte_enables_on_read" : nullptr;
  if (now.request.bytes.none()) return "no_byte_enabled";
  return (now.wdata_unknown & now.request.bytes).any() ? "unknown_write_data" : nullptr;
}

const char* SramChecker::broken_data(const SramCycle& now, const Read& read) const {
  if (now.rdata_unknown.any()) return "unknown_read_data";
  for (std::size_t byte = 0; byte < limits_.word_bytes; ++byte) {
    if (read.expected.known[byte] && read.expected.data.bytes[byte] != now.rdata.bytes[byte]) return "wrong_read_data";
  }
  return nullptr;
}

void SramChecker::access(const SramRequest& request) {
  ++accesses_;
  if (!request.write) {
    Written expected;
    const auto found = contents_.find(request.word);
    if (limits_.only_port && found != contents_.end()) expected = found->second;
    reads_.push_back({edge_ + limits_.latency, accesses_ - 1, expected});
    return;
  }
  Written& word = contents_[request.word];
  for (std::size_t byte = 0; byte < limits_.word_bytes; ++byte) {
    if (!request.bytes[byte]) continue;
    word.data.bytes[byte] = request.data.bytes[byte];
    word.known.set(byte);
  }
}

void SramChecker::step(const SramCycle& now) {
  first_.edge();
  ++edge_;
  if (now.reset) {
    if (seen_reset_) check_in_reset(now);
    seen_reset_ = true;
    ++cycles_in_reset_;
    accesses_ = 0;
    reads_.clear();
  } else if (seen_reset_) {
    cycles_in_reset_ = 0;
    if (const char* rule = broken_access(now)) first_.report("sram", rule, accesses_);
    if (!reads_.empty() && reads_.front().due == edge_) {
      if (const char* rule = broken_data(now, reads_.front())) first_.report("sram", rule, reads_.front().beat);
      reads_.pop_front();
    }
    if (now.enable) access(now.request);
  }
  before_ = now.request;
}

}  // namespace dve::pins
