#include "files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace dve::layer {
namespace fs = std::filesystem;
namespace {

// write() past the file-size limit raises SIGXFSZ, which would end the process. While one of these lives, the calling
// thread gets EFBIG only; the signal that became pending meanwhile is taken away.
class FileSizeSignalBlocked {
 public:
  FileSizeSignalBlocked() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~FileSizeSignalBlocked() {
    if (sigismember(&before_, SIGXFSZ) == 0) {
      const timespec now{};
      sigtimedwait(&signal_, nullptr, &now);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalBlocked(const FileSizeSignalBlocked&) = delete;
  FileSizeSignalBlocked& operator=(const FileSizeSignalBlocked&) = delete;

 private:
  sigset_t signal_{};
  sigset_t before_{};
};

[[noreturn]] void fail(const fs::path& path, int error) {
  throw OutputError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)));
}

// Writes everything and closes; 0 or the errno of the first failure.
int write_and_close(int descriptor, const char* data, std::size_t size) {
  int error = 0;
  while (size > 0 && error == 0) {
    const ssize_t written = ::write(descriptor, data, size);
    if (written > 0) {
      data += written;
      size -= static_cast<std::size_t>(written);
    } else if (written == 0) {
      error = EIO;
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

void write_directly(const fs::path& path, const char* data, std::size_t size) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe without reader: error
  if (descriptor < 0) fail(path, errno);
  if (const int error = write_and_close(descriptor, data, size)) fail(path, error);
}

void write_beside_and_rename(const fs::path& path, const char* data, std::size_t size) {
  const std::string temporary = path.string() + fmt::format(".{}.part", ::getpid());
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(path, errno);
  int error = write_and_close(descriptor, data, size);
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(path, error);
  }
}

}  // namespace

InputFile::InputFile(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  const auto refuse = [&](std::string_view problem) {
    throw InputError(fmt::format("{}: {}, expected a readable file", path_.string(), problem));
  };
  if (status.type() == fs::file_type::not_found) refuse("does not exist");
  if (status.type() == fs::file_type::directory) refuse("is a directory");
  if (status.type() == fs::file_type::none || error) refuse(error.message());
  if (status.type() != fs::file_type::regular) refuse("is not a regular file");
  errno = 0;
  stream_.open(path_, std::ios::binary);
  if (!stream_) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
  size_ = fs::file_size(path_, error);
  if (error) refuse(error.message());
}

std::vector<std::uint8_t> InputFile::read(std::uint64_t size) {
  if (size > size_ - position_) {
    throw InputError(fmt::format("{}: truncated: {} bytes left at byte {}, expected {}", path_.string(),
                                 size_ - position_, position_, size));
  }
  std::vector<std::uint8_t> bytes;
  try {
    bytes.resize(size);
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw InputError(fmt::format("{}: {} bytes do not fit into memory", path_.string(), size));
  }
  stream_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<std::uint64_t>(stream_.gcount()) != size) {
    throw InputError(
        fmt::format("{}: cannot be read at byte {}, expected {} more bytes", path_.string(), position_, size));
  }
  position_ += size;
  return bytes;
}

std::vector<std::uint8_t> read_file(const fs::path& path) {
  InputFile file(path);
  return file.read(file.size());
}

void write_file(const fs::path& path, const void* data, std::size_t size) {
  const FileSizeSignalBlocked blocked;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const char* bytes = static_cast<const char*>(data);
  if (status.type() == fs::file_type::directory) fail(path, EISDIR);
  if (status.type() == fs::file_type::none) fail(path, error.value());
  if (status.type() == fs::file_type::not_found) return write_beside_and_rename(path, bytes, size);
  if (status.type() != fs::file_type::regular) return write_directly(path, bytes, size);
  if (::access(path.c_str(), W_OK) != 0) fail(path, errno);  // rename would replace a write-protected file
  const fs::path target = fs::canonical(path, error);        // write through a symbolic link, do not replace it
  write_beside_and_rename(error ? path : target, bytes, size);
}

void write_file(const fs::path& path, std::string_view text) { write_file(path, text.data(), text.size()); }

}  // namespace dve::layer
