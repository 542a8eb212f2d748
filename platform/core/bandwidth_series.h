// Bytes by window of time, in bounded memory.
#pragma once

#include <cstdint>
#include <vector>

namespace dve {

// Stands for: the bandwidth of one port or memory over a run. At most 2 * kWindows windows are kept: when more would be
// needed, neighbours are added up and windows become twice as long. An access spreads its bytes evenly over its time.
class BandwidthSeries {
 public:
  static constexpr std::size_t kWindows = 64;
  // end_fs >= start_fs; an access without duration falls into the window of its start.
  void add(std::uint64_t start_fs, std::uint64_t end_fs, std::uint64_t bytes);
  std::uint64_t window_fs() const { return window_fs_; }
  const std::vector<std::uint64_t>& windows() const { return windows_; }  // from time 0; their sum is all bytes
  // Bytes of the fullest window.
  std::uint64_t peak() const;

 private:
  void make_room(std::uint64_t end_fs);

  std::uint64_t window_fs_ = 1'000'000;  // 1 ns to begin with
  std::vector<std::uint64_t> windows_;
};

}  // namespace dve
