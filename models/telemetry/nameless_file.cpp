#include "nameless_file.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace dve::telemetry {
namespace fs = std::filesystem;

int write_all(int descriptor, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

NamelessFile::~NamelessFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

fs::path NamelessFile::folder_for(const fs::path& file) {
  std::error_code error;
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) return fs::temp_directory_path(error);
  const fs::path folder = file.parent_path();
  return folder.empty() ? "." : folder;
}

void NamelessFile::open() {
  std::string name = (folder_ / "dve-spool.XXXXXX").string();
  descriptor_ = ::mkstemp(name.data());
  if (descriptor_ < 0)
    error_ = errno;
  else
    ::unlink(name.c_str());
}

void NamelessFile::append(const void* data, std::size_t size) {
  if (descriptor_ < 0 && error_ == 0) open();
  if (error_ == 0) error_ = write_all(descriptor_, data, size);
}

int NamelessFile::read(std::uint64_t offset, void* data, std::size_t size) const {
  auto* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_, bytes, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? errno : EIO;
    bytes += got;
    size -= static_cast<std::size_t>(got);
    offset += static_cast<std::uint64_t>(got);
  }
  return 0;
}

}  // namespace dve::telemetry
