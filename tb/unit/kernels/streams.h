// Operands for the kernels' tests: streams of every dtype with special values, and the comparison with the
// specification on every target of this processor.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "dve/kernels/kernels.h"

namespace dve::kernels_test {

using Rng = std::mt19937;

// fp32, bf16, fp16 first: those with kernels of their own.
inline constexpr std::array<isa::Dtype, 15> kDtypes = {
    isa::Dtype::fp32,  isa::Dtype::bf16,   isa::Dtype::fp16,  isa::Dtype::fp32r,  isa::Dtype::fp8_e3m4,
    isa::Dtype::int8,  isa::Dtype::uint8,  isa::Dtype::int16, isa::Dtype::uint16, isa::Dtype::fp8_e4m3,
    isa::Dtype::int32, isa::Dtype::uint32, isa::Dtype::int64, isa::Dtype::uint64, isa::Dtype::fp8_e5m2};

// Which values a stream holds besides plain ones.
enum class Mix {
  finite,    // numbers of moderate size
  edges,     // also signed zeros, subnormals, the largest values: some sums overflow
  specials,  // also infinities and NaNs with payloads and signs, one in 64
  bits       // any bits
};
inline constexpr std::array<Mix, 4> kMixes = {Mix::finite, Mix::edges, Mix::specials, Mix::bits};

// `channels` streams of n elements each at odd distances, at an address that is no multiple of the element.
class Streams {
 public:
  Streams(isa::Dtype dtype, std::uint32_t channels, std::size_t n, Mix mix, Rng& random);
  kernels::Rows rows() const { return {partitions_.data(), offset_, dtype_}; }
  kernels::ResultRows result_rows() { return {writable_.data(), offset_, dtype_}; }
  // Channel c as the specification reads it.
  std::vector<float> values(std::uint32_t channel, const numerics::Switches& switches) const;
  const std::uint8_t* channel(std::uint32_t c) const { return rows().channel(c); }
  std::size_t channel_bytes() const { return n_ * isa::storage_size(dtype_).value; }
  isa::Dtype dtype() const { return dtype_; }
  // Everything, the bytes between and around the streams included.
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  isa::Dtype dtype_;
  std::size_t n_;
  std::uint64_t offset_ = 3;
  std::vector<std::uint8_t> bytes_;
  std::vector<const std::uint8_t*> partitions_;
  std::vector<std::uint8_t*> writable_;
};

float value_of(Mix mix, Rng& random);

// Runs `body` on every target.
template <class Body>
void on_every_target(Body body) {
  for (const std::string& target : kernels::targets()) {
    SCOPED_TRACE(target);
    kernels::use_target(target);
    body();
    if (testing::Test::HasFatalFailure()) break;
  }
  kernels::use_target("best");
}

// The same bits; the canonical NaN for a NaN.
inline void expect_bits(float found, float expected, const char* what) {
  ASSERT_EQ(numerics::bits_of(found), numerics::bits_of(expected)) << what << ' ' << found << ", expected " << expected;
}

}  // namespace dve::kernels_test
