// A progress bar on the error output.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace dve::app {

class Progress {
 public:
  Progress(bool enabled, std::uint64_t total);
  ~Progress() { finish(); }
  // Clears the line; nothing is drawn any more.
  void finish();
  // One more word has executed. Redraws ten times a second at most.
  void advance();

 private:
  void draw() const;

  bool enabled_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::chrono::steady_clock::time_point begin_, last_drawn_;
};

}  // namespace dve::app
