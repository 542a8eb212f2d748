// --notifications: rings in host memory that the engines write to, and what stands in them afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dve/core/core.h"

namespace dve::app {

// Nothing happens when the file name is empty.
class NotificationLog {
 public:
  // A lossless ring for every stream, long enough for all that its words can report; they stand in host memory from
  // `host_offset` on.
  NotificationLog(std::string file, const std::vector<runtime::Stream>& streams, std::uint64_t host_offset);

  std::uint64_t memory_bytes() const { return bytes_; }
  void set_up(Host& host) const;  // before the engines start
  // All records, engine by engine, one JSON object a line. layer::OutputError when the file cannot be written.
  void write(Host& host) const;

 private:
  struct Ring {
    isa::Engine engine;
    std::uint64_t address;  // of the router
    std::uint32_t entries;
  };
  std::string file_;
  std::vector<Ring> rings_;
  std::uint64_t bytes_ = 0;
};

}  // namespace dve::app
