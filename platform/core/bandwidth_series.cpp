#include "bandwidth_series.h"

#include <algorithm>

namespace dve {

void BandwidthSeries::add(std::uint64_t start_fs, std::uint64_t end_fs, std::uint64_t bytes) {
  if (bytes == 0) return;
  make_room(std::max(end_fs, start_fs + 1));
  const std::uint64_t first = start_fs / window_fs_;
  const std::uint64_t last = std::max(first, end_fs == start_fs ? first : (end_fs - 1) / window_fs_);
  if (windows_.size() <= last) windows_.resize(last + 1);
  const double duration = static_cast<double>(end_fs - start_fs);
  std::uint64_t placed = 0;
  for (std::uint64_t w = first; w < last; ++w) {
    const double share = static_cast<double>((w + 1) * window_fs_ - start_fs) / duration;
    const auto until = static_cast<std::uint64_t>(share * static_cast<double>(bytes));
    windows_[w] += until - placed;
    placed = until;
  }
  windows_[last] += bytes - placed;
}

std::uint64_t BandwidthSeries::peak() const {
  return windows_.empty() ? 0 : *std::max_element(windows_.begin(), windows_.end());
}

void BandwidthSeries::make_room(std::uint64_t end_fs) {
  while ((end_fs - 1) / window_fs_ >= 2 * kWindows) {
    for (std::size_t w = 0; w < windows_.size(); w += 2)
      windows_[w / 2] = windows_[w] + (w + 1 < windows_.size() ? windows_[w + 1] : 0);
    windows_.resize((windows_.size() + 1) / 2);
    window_fs_ *= 2;
  }
}

}  // namespace dve
