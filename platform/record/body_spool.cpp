#include "body_spool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace dve::record {
namespace {

constexpr std::size_t kBufferBytes = 256 * 1024;

}  // namespace

BodySpool::BodySpool(std::filesystem::path file)
    : file_(std::move(file)), spool_(telemetry::NamelessFile::folder_for(file_)) {
  buffer_.reserve(kBufferBytes);
}

void BodySpool::append(std::string_view text) {
  if (buffer_.size() + text.size() > kBufferBytes) flush();
  buffer_ += text;
}

void BodySpool::flush() {
  spool_.append(buffer_.data(), buffer_.size());
  spooled_ += buffer_.size();
  buffer_.clear();
}

void BodySpool::copy_to(telemetry::TraceFile& file) {
  flush();
  int error = spool_.error();
  for (std::uint64_t at = 0; at < spooled_ && error == 0; at += buffer_.size()) {
    buffer_.resize(std::min<std::uint64_t>(kBufferBytes, spooled_ - at));
    error = spool_.read(at, buffer_.data(), buffer_.size());
    file.write(buffer_);
  }
  buffer_.clear();
  if (error != 0)
    throw telemetry::TraceError(
        fmt::format("{}: cannot be written: temporary file: {}", file_.string(), std::strerror(error)));
}

}  // namespace dve::record
