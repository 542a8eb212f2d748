#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "say.h"

namespace dve::app {
namespace {

using std::chrono::steady_clock;
constexpr std::size_t kBarWidth = 30;

double seconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

}  // namespace

Progress::Progress(bool enabled, std::uint64_t total, const char* unit)
    : enabled_(enabled && total > 0), total_(total), unit_(unit), begin_(steady_clock::now()), last_drawn_(begin_) {}

void Progress::finish() {
  if (enabled_) say(stderr, "\r\033[K");
  enabled_ = false;
}

void Progress::advance() {
  ++done_;
  if (!enabled_ || (seconds_since(last_drawn_) < 0.1 && done_ != total_)) return;
  last_drawn_ = steady_clock::now();
  draw();
}

void Progress::draw() const {
  const double fraction = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
  const auto filled = static_cast<std::size_t>(fraction * kBarWidth);
  const double left = seconds_since(begin_) / fraction * (1 - fraction);
  say(stderr, "\r[{:#<{}}{:.<{}}] {:3.0f} %  {}/{} {}  {:.0f} s left ", "", filled, "", kBarWidth - filled,
      100 * fraction, done_, total_, unit_, left);
  std::fflush(stderr);
}

}  // namespace dve::app
