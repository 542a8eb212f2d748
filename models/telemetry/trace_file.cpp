#include "trace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <boost/iostreams/concepts.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "nameless_file.h"

namespace dve::telemetry {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
constexpr int kGzipLevel = 2;  // half the time of the default for a quarter more bytes

}  // namespace

// Where the compressor puts its bytes. Accepts everything: failures are kept by the file.
struct TraceFile::CompressedSink : boost::iostreams::sink {
  explicit CompressedSink(TraceFile& trace_file) : file(&trace_file) {}
  std::streamsize write(const char* data, std::streamsize size) {
    file->write_out(data, static_cast<std::size_t>(size));
    return size;
  }
  TraceFile* file;
};

struct TraceFile::Compressor {
  explicit Compressor(TraceFile& file) {
    stream.push(boost::iostreams::gzip_compressor(boost::iostreams::gzip_params(kGzipLevel)));
    stream.push(CompressedSink(file));
  }
  boost::iostreams::filtering_ostream stream;
};

TraceFile::TraceFile(fs::path path, Compression compression) : path_(std::move(path)) {
  open();
  buffer_.reserve(kBufferBytes);
  if (compression == Compression::gzip) compressor_ = std::make_unique<Compressor>(*this);
}

TraceFile::~TraceFile() {
  compressor_.reset();  // may still write
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void TraceFile::open() {
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (status.type() == fs::file_type::directory) fail(EISDIR);
  if (status.type() == fs::file_type::none) fail(error.value());
  if (status.type() == fs::file_type::not_found) return open_beside(path_);
  if (status.type() == fs::file_type::regular) {
    if (::access(path_.c_str(), W_OK) != 0) fail(errno);  // rename would replace a write-protected file
    const fs::path target = fs::canonical(path_, error);  // through a symbolic link, not in its place
    return open_beside(error ? path_ : target);
  }
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe without reader: error
  if (descriptor_ < 0) fail(errno);
  // From here on a slow reader is waited for.
  if (::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK) != 0) error_ = errno;
}

void TraceFile::open_beside(const fs::path& target) {
  const fs::path temporary = target.string() + fmt::format(".{}.part", ::getpid());
  descriptor_ = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
  target_ = target;
  temporary_ = temporary;
}

void TraceFile::write(std::string_view piece) {
  if (failed()) return;
  if (buffer_.size() + piece.size() > kBufferBytes) flush();
  buffer_ += piece;
}

void TraceFile::flush() {
  if (compressor_)
    compressor_->stream.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  else
    write_out(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void TraceFile::write_out(const char* data, std::size_t size) {
  if (error_ == 0) error_ = write_all(descriptor_, data, size);
}

void TraceFile::close() {
  if (descriptor_ < 0) return;
  flush();
  if (compressor_) compressor_->stream.reset();  // the end of the compressed data
  if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && !temporary_.empty()) {
    if (std::rename(temporary_.c_str(), target_.c_str()) == 0)
      temporary_.clear();
    else
      error_ = errno;
  }
  if (error_ != 0) fail(error_);  // the destructor removes the temporary file
}

void TraceFile::fail(int error) const {
  throw TraceError(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(error)));
}

}  // namespace dve::telemetry
