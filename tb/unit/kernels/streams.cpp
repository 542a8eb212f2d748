#include "streams.h"

#include <cstring>
#include <iterator>

namespace dve::kernels_test {
namespace {

std::uint32_t below(Rng& random, std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); }

float plain_value(Rng& random) { return (static_cast<float>(below(random, 20001)) - 10000.0F) / 1024.0F; }

constexpr std::uint32_t kEdges[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000,
                                    0x7F7FFFFF, 0xFF7FFFFF, 0x477FF000, 0xC77FEFFF, 0x33000000, 0x33000001, 0x387FC000,
                                    0x3F801000, 0x3F803000, 0x3F808000, 0x3F818000, 0x4F000000, 0xCF000000, 0x4EFFFFFF,
                                    0x42FE0000, 0x437F8000, 0x47000000, 0xC7000100, 0x477FFF80, 0x7F7F8000};
constexpr std::uint32_t kSpecials[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001,
                                       0x7FA00001, 0xFF812345, 0x7FFFFFFF};

}  // namespace

float value_of(Mix mix, Rng& random) {
  const std::uint32_t kind = below(random, 64);
  if (mix == Mix::bits) return numerics::float_from_bits(static_cast<std::uint32_t>(random()));
  if (mix == Mix::specials && kind == 0)
    return numerics::float_from_bits(kSpecials[below(random, std::size(kSpecials))]);
  if (mix != Mix::finite && kind < 6) return numerics::float_from_bits(kEdges[below(random, std::size(kEdges))]);
  return plain_value(random);
}

Streams::Streams(isa::Dtype dtype, std::uint32_t channels, std::size_t n, Mix mix, Rng& random) : dtype_(dtype), n_(n) {
  const std::size_t size = isa::storage_size(dtype).value, pitch = n * size + 13;
  bytes_.resize(channels * pitch + offset_);
  for (std::uint8_t& b : bytes_) b = static_cast<std::uint8_t>(random());
  for (std::uint32_t c = 0; c < channels; ++c) {
    std::uint8_t* partition = bytes_.data() + c * pitch;
    partitions_.push_back(partition);
    writable_.push_back(partition);
    for (std::size_t i = 0; mix != Mix::bits && i < n; ++i) {
      const float value = value_of(mix, random);
      std::uint8_t* to = partition + offset_ + i * size;
      if (dtype == isa::Dtype::fp32 || dtype == isa::Dtype::fp32r) {  // NaNs keep their bits
        std::memcpy(to, &value, sizeof value);
      } else {
        numerics::from_fp32(&value, dtype, 1, to, {});
      }
    }
  }
}

std::vector<float> Streams::values(std::uint32_t channel, const numerics::Switches& switches) const {
  std::vector<float> values(n_);
  numerics::to_fp32(rows().channel(channel), dtype_, n_, values.data(), switches);
  return values;
}

}  // namespace dve::kernels_test
