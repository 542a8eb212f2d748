#include "sram.h"

#include <algorithm>
#include <utility>

namespace dve::pins {

void SramRequester::step(bool reset, const BusWord& rdata) {
  if (reset) {
    requests_.clear();
    due_.clear();
    answers_.clear();
    request_ = {};
    enable_ = false;
    edge_ = 0;
    return;
  }
  if (enable_ && !request_.write) due_.push_back(edge_ + latency_);
  if (!due_.empty() && due_.front() == edge_) {
    answers_.push_back(rdata);
    due_.pop_front();
  }
  enable_ = !stalls(stall_, edge_++) && !requests_.empty();
  if (!enable_) return;
  request_ = requests_.front();
  requests_.pop_front();
}

std::optional<BusWord> SramRequester::take_answer() {
  if (answers_.empty()) return std::nullopt;
  const BusWord answer = answers_.front();
  answers_.pop_front();
  return answer;
}

std::optional<SramRequest> SramResponder::step(const SramCycle& now) {
  ++edge_;
  if (now.reset) {
    reads_.clear();
    return std::nullopt;
  }
  for (Read& read : reads_) {
    if (read.late || read.due >= edge_) continue;
    read.late = true;
    late_.push_back(read.word);
  }
  if (!now.enable) return std::nullopt;
  if (!now.request.write) reads_.push_back({now.request.word, edge_ + latency_ - 1, std::nullopt, false});
  return now.request;
}

void SramResponder::answer(const BusWord& data) {
  const auto unanswered = std::find_if(reads_.begin(), reads_.end(), [](const Read& read) { return !read.data; });
  if (unanswered != reads_.end()) unanswered->data = data;
}

void SramResponder::settle() {
  while (!reads_.empty() && reads_.front().data && reads_.front().due <= edge_) {
    if (!reads_.front().late) rdata_ = *reads_.front().data;
    reads_.pop_front();
  }
}

std::deque<std::uint64_t> SramResponder::take_late() { return std::exchange(late_, {}); }

}  // namespace dve::pins
