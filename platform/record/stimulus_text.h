// Words of a stimulus file as text that $readmemh reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "body_spool.h"
#include "format.h"

namespace dve::record {

// Hexadecimal words of 32 bits, up to eight a line, with comments between them. The header goes in front at the end.
class StimulusText {
 public:
  // Opens the file. telemetry::TraceError when it cannot be.
  explicit StimulusText(const std::filesystem::path& file);

  // Where the next word will stand.
  std::uint32_t position() const { return static_cast<std::uint32_t>(position_); }
  void word(std::uint32_t value);
  void value(float value);
  // Little-endian, the last word filled up with 0.
  void bytes(const std::uint8_t* data, std::size_t size);
  // On a line of its own, with the position of what follows.
  void comment(std::string_view text);

  // Writes header and body, and gives the file its name. telemetry::TraceError with the first failure; nothing has
  // appeared then. `header` lacks only the size of the file.
  void finish(std::vector<std::uint32_t> header);

 private:
  std::filesystem::path path_;
  telemetry::TraceFile file_;
  BodySpool body_;
  std::uint64_t position_ = kHeaderWords;
  unsigned column_ = 0;
};

}  // namespace dve::record
