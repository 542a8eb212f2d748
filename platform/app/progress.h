// A progress bar on the error output.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace dve::app {

class Progress {
 public:
  // `unit`: what is counted, in the plural.
  Progress(bool enabled, std::uint64_t total, const char* unit = "words");
  ~Progress() { finish(); }
  // Clears the line; nothing is drawn any more.
  void finish();
  // One more of them is done. Redraws ten times a second at most.
  void advance();

 private:
  void draw() const;

  bool enabled_;
  std::uint64_t total_;
  const char* unit_;
  std::uint64_t done_ = 0;
  std::chrono::steady_clock::time_point begin_, last_drawn_;
};

}  // namespace dve::app
