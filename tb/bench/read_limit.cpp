#include "bench/read_limit.h"

namespace dve::bench {
namespace {

constexpr std::size_t kStride = (224 * 1024 + 192) / sizeof(std::uint64_t);  // of cayman's SBUF in the model

// Four chains, so that no load waits for a result.
__attribute__((target_clones("arch=skylake-avx512", "avx2", "default"))) std::uint64_t read(const std::uint64_t* x,
                                                                                            const std::uint64_t* dy,
                                                                                            std::size_t words) {
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
  for (std::size_t k = 0; k + 1 < words; k += 2) {
    a |= x[k];
    b |= x[k + 1];
    c |= dy[k];
    d |= dy[k + 1];
  }
  return a | b | c | d;
}

}  // namespace

ReadLimit::ReadLimit(std::size_t channels, std::size_t row_bytes)
    : channels_(channels),
      words_(row_bytes / sizeof(std::uint64_t)),
      stride_(kStride),
      x_(channels * kStride, 1),
      dy_(channels * kStride, 2) {}

std::uint64_t ReadLimit::run() const {
  std::uint64_t all = 0;
  for (std::size_t c = 0; c < channels_; ++c) all |= read(&x_[c * stride_], &dy_[c * stride_], words_);
  return all;
}

}  // namespace dve::bench
