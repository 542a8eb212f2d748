#include "change_spool.h"

#include <algorithm>
#include <memory>
#include <queue>
#include <utility>

namespace dve::telemetry {
namespace {

constexpr std::size_t kHeld = std::size_t{1} << 14;  // in memory
constexpr std::size_t kBlock = 1024;                 // changes written and read at a time

bool later(const Change& a, const Change& b) { return a.fs != b.fs ? a.fs > b.fs : a.sequence > b.sequence; }

}  // namespace

// A sorted run: in the file, or what is left in memory.
class ChangeSpool::Reader {
 public:
  Reader(const ChangeSpool& spool, std::uint64_t begin, std::uint64_t end) : spool_(&spool), begin_(begin), end_(end) {
    refill();
  }
  explicit Reader(std::vector<Change> sorted) : block_(std::move(sorted)) {}
  bool done() const { return position_ == block_.size(); }
  const Change& front() const { return block_[position_]; }
  int error() const { return error_; }
  void pop() {
    if (++position_ == block_.size()) refill();
  }

 private:
  void refill() {
    block_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, end_ - begin_)));
    position_ = 0;
    error_ = spool_->file_.read(begin_ * sizeof(Change), block_.data(), block_.size() * sizeof(Change));
    if (error_ != 0) return block_.clear();
    begin_ += block_.size();
  }

  const ChangeSpool* spool_ = nullptr;
  std::uint64_t begin_ = 0, end_ = 0;
  std::vector<Change> block_;
  std::size_t position_ = 0;
  int error_ = 0;
};

ChangeSpool::ChangeSpool(std::filesystem::path folder) : file_(std::move(folder)) {}

void ChangeSpool::push(std::uint64_t fs, std::uint32_t signal, Change::Kind kind, std::int64_t value) {
  if (error_ != 0) return;
  const Change change{fs, next_sequence_++, value, signal, kind};
  std::vector<Change>& heap = spilled_ != 0 && later(last_spilled_, change) ? next_ : current_;
  heap.push_back(change);
  std::push_heap(heap.begin(), heap.end(), later);
  if (current_.size() + next_.size() > kHeld) spill_earliest();
}

void ChangeSpool::spill_earliest() {
  if (current_.empty() || spilled_ == 0) {
    if (current_.empty()) current_.swap(next_);
    run_begins_.push_back(spilled_);
  }
  std::pop_heap(current_.begin(), current_.end(), later);
  append(current_.back());
  current_.pop_back();
}

void ChangeSpool::append(const Change& change) {
  last_spilled_ = change;
  ++spilled_;
  buffer_.push_back(change);
  if (buffer_.size() == kBlock) write_buffer();
}

void ChangeSpool::write_buffer() {
  file_.append(buffer_.data(), buffer_.size() * sizeof(Change));
  error_ = file_.error();
  buffer_.clear();
}

void ChangeSpool::replay(const std::function<void(const Change&)>& take) {
  if (!buffer_.empty()) write_buffer();
  std::vector<std::unique_ptr<Reader>> readers;
  for (std::size_t run = 0; run < run_begins_.size() && error_ == 0; ++run)
    readers.push_back(std::make_unique<Reader>(*this, run_begins_[run],
                                               run + 1 < run_begins_.size() ? run_begins_[run + 1] : spilled_));
  std::vector<Change> held = std::move(current_);
  held.insert(held.end(), next_.begin(), next_.end());
  std::sort(held.begin(), held.end(), [](const Change& a, const Change& b) { return later(b, a); });
  if (!held.empty()) readers.push_back(std::make_unique<Reader>(std::move(held)));

  const auto after = [](const Reader* a, const Reader* b) { return later(a->front(), b->front()); };
  std::priority_queue<Reader*, std::vector<Reader*>, decltype(after)> fronts(after);
  for (const auto& reader : readers) {
    if (!reader->done()) fronts.push(reader.get());
  }
  while (!fronts.empty()) {
    Reader* const earliest = fronts.top();
    fronts.pop();
    take(earliest->front());
    earliest->pop();
    if (!earliest->done()) fronts.push(earliest);
  }
  for (const auto& reader : readers) {
    if (error_ == 0) error_ = reader->error();
  }
}

}  // namespace dve::telemetry
