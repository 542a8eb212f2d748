// Text that is written first and needed last.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "dve/telemetry/telemetry.h"

namespace dve::record {

// The header of a stimulus file tells of all that follows, so the rest waits in a temporary file.
class BodySpool {
 public:
  // Of what will become `file`.
  explicit BodySpool(std::filesystem::path file);

  // Never throws: after the first failure, which copy_to() reports, pieces are discarded.
  void append(std::string_view text);
  // Hands all of it over. telemetry::TraceError with the first failure.
  void copy_to(telemetry::TraceFile& file);

 private:
  void flush();

  std::filesystem::path file_;
  telemetry::NamelessFile spool_;
  std::uint64_t spooled_ = 0;
  std::string buffer_;
};

}  // namespace dve::record
