// What a protocol checker found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dve::pins {

// The first broken rule on the pins that a checker watches.
struct Finding {
  std::string channel;      // "stream", "sram", or the AXI channel: "AW", "W", "B", "AR", "R"
  std::string rule;         // as in the checker's table
  std::uint64_t cycle = 0;  // rising edges that the checker had seen before, since it was made
  std::uint64_t beat = 0;   // beats that had passed on the channel before, since the last reset
  std::string text() const;
};

// A checker keeps what it found first until it is cleared; a reset of the pins does not clear it.
class FirstFinding {
 public:
  // Another edge begins.
  void edge() { ++edges_; }
  void report(const char* channel, const char* rule, std::uint64_t beat) {
    if (!finding_) finding_ = Finding{channel, rule, edges_ - 1, beat};
  }
  const std::optional<Finding>& get() const { return finding_; }
  void clear() { finding_.reset(); }

 private:
  std::uint64_t edges_ = 0;
  std::optional<Finding> finding_;
};

}  // namespace dve::pins
