#include "bench/programs.h"

#include <random>

#include "support/words.h"

namespace dve::bench {
namespace {

using namespace testing_support;

constexpr std::uint32_t kX = 0, kDy = 0x10000, kDx = 0x20000, kSums = 0x30000, kMean = 0x30040, kInvStd = 0x30080,
                        kAbc = 0x300C0;

const WordBuilder& builder() {
  static const WordBuilder b(isa::Generation::cayman);
  return b;
}

TensorSpec at(std::uint32_t offset, std::uint16_t n, isa::Dtype dtype = isa::Dtype::fp32) {
  return row(sbuf(0, offset), n, dtype);
}

isa::Word grad_accumulate(std::uint16_t n, isa::Dtype dtype) {
  return isa::encode(builder().grad_accumulate2(at(kX, n, dtype), at(kDy, n, dtype), at(kSums, 3), at(kMean, 1),
                                                at(kInvStd, 1), kChannels));
}

isa::Word back_prop(std::uint16_t n, isa::Dtype dtype) {
  return isa::encode(builder().back_prop(at(kX, n, dtype), at(kDy, n, dtype), at(kDx, n, dtype), kChannels));
}

isa::Word param_load(std::uint16_t n) {
  return isa::encode(builder().param_load(at(kAbc, 3), at(kMean, 1), n, kChannels));
}

std::vector<std::uint8_t> bytes_of(const std::vector<float>& values, isa::Dtype dtype) {
  std::vector<std::uint8_t> bytes(values.size() * isa::storage_size(dtype).value);
  numerics::from_fp32(values.data(), dtype, values.size(), bytes.data(), {});
  return bytes;
}

}  // namespace

void load_operands(Host& host, isa::Dtype dtype, std::uint32_t elements) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  const auto put = [&](std::uint32_t partition, std::uint32_t offset, const std::vector<std::uint8_t>& bytes) {
    host.write(sbuf(partition, offset), bytes.data(), bytes.size());
  };
  for (std::uint32_t p = 0; p < kChannels; ++p) {
    for (const std::uint32_t offset : {kX, kDy}) {
      std::vector<float> values(elements);
      for (float& v : values) v = normal(random);
      put(p, offset, bytes_of(values, dtype));
    }
    put(p, kMean, bytes_of({0.1F}, isa::Dtype::fp32));
    put(p, kInvStd, bytes_of({0.9F}, isa::Dtype::fp32));
    put(p, kAbc, bytes_of({0.01F, 0.02F, 0.03F}, isa::Dtype::fp32));
  }
}

std::vector<isa::Word> grad_accumulates(std::size_t words, std::uint16_t elements, isa::Dtype dtype) {
  return std::vector<isa::Word>(words, grad_accumulate(elements, dtype));
}

std::vector<isa::Word> back_props(std::size_t words, std::uint16_t elements, isa::Dtype dtype) {
  std::vector<isa::Word> program = {param_load(elements)};
  program.insert(program.end(), words, back_prop(elements, dtype));
  return program;
}

std::vector<isa::Word> long_grad_accumulates(std::size_t words, std::uint32_t elements) {
  const auto quarter = static_cast<std::uint16_t>(elements / 4);  // a step is a signed 16-bit number
  const TensorSpec x{sbuf(0, kX), isa::Dtype::bf16, {quarter, 4}, {1, static_cast<std::int16_t>(quarter)}};
  const isa::Word word =
      isa::encode(builder().grad_accumulate2(x, x, at(kSums, 3), at(kMean, 1), at(kInvStd, 1), kChannels));
  return std::vector<isa::Word>(words, word);
}

std::vector<isa::Word> backward_steps(std::size_t pairs, std::uint16_t elements) {
  std::vector<isa::Word> program = {param_load(elements)};
  for (std::size_t k = 0; k < pairs; ++k) {
    program.push_back(grad_accumulate(elements, isa::Dtype::fp32));
    program.push_back(back_prop(elements, isa::Dtype::fp32));
  }
  return program;
}

}  // namespace dve::bench
