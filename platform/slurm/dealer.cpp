#include "dealer.h"

#include <algorithm>
#include <random>

namespace dve::slurm {
namespace {

constexpr std::size_t kFewPieces = 16;  // all suspect when nothing of their chunk was done

}  // namespace

Dealer::Dealer(const std::vector<std::size_t>& pieces, const Limits& limits) : limits_(limits) {
  std::vector<std::size_t> order = pieces;
  std::mt19937_64 random;  // std::shuffle may differ between libraries
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
  queue_.assign(order.begin(), order.end());
}

Chunk Dealer::take(std::size_t count) {
  const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(count, queue_.size()));
  Chunk chunk(queue_.begin(), end);
  queue_.erase(queue_.begin(), end);
  return chunk;
}

std::vector<Chunk> Dealer::take_suspects() {
  std::vector<Chunk> alone;
  std::deque<std::size_t> others;
  for (const std::size_t piece : queue_) {
    if (suspects_.count(piece) != 0 && alone.size() < limits_.most_tasks / 2)
      alone.push_back({piece});
    else
      others.push_back(piece);
  }
  queue_ = std::move(others);
  suspects_.clear();
  return alone;
}

Round Dealer::next() {
  Round round{take_suspects(), false};
  if (queue_.empty()) return round;
  if (limits_.chunk == 0) {
    round.measures = true;
    round.chunks.push_back(take(limits_.most_measured));
    return round;
  }
  const std::size_t most = limits_.most_tasks - round.chunks.size();
  const std::size_t count = std::clamp<std::size_t>(queue_.size() / limits_.chunk, 1, most);
  for (std::size_t left = count; left > 0; --left) round.chunks.push_back(take(queue_.size() / left));
  return round;
}

void Dealer::measured(std::size_t done) { limits_.chunk = std::max<std::size_t>(1, 2 * done) - (done > 0 ? 1 : 0); }

void Dealer::ended(const Chunk& left) { queue_.insert(queue_.end(), left.begin(), left.end()); }

std::vector<std::size_t> Dealer::failed(const Chunk& chunk, const Chunk& left) {
  const bool all = left.size() == chunk.size() && left.size() <= kFewPieces;
  std::vector<std::size_t> given_up;
  for (std::size_t k = 0; k < left.size(); ++k) {
    const bool suspect = all || k == 0;
    if (suspect && ++failures_[left[k]] > limits_.retries) {
      given_up.push_back(left[k]);
      continue;
    }
    if (suspect) suspects_.insert(left[k]);
    queue_.push_back(left[k]);
  }
  return given_up;
}

}  // namespace dve::slurm
