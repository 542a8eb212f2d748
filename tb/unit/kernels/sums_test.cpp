// GradAccum, Stats2 and Aggregate on every target against the scalar specification, bit by bit.
#include <iterator>

#include "streams.h"

namespace dve::kernels_test {
namespace sums_test {

using isa::Dtype;

struct Shape {
  std::uint32_t channels;
  std::size_t n;
};

// Every tail of elements up to 70 with the groups of channels that leave lanes empty, and streams of several chunks.
std::vector<Shape> shapes() {
  std::vector<Shape> all;
  const std::uint32_t channels[] = {1, 128, 17, 3, 16, 33, 8, 127, 4, 15};
  for (std::size_t n = 0; n <= 70; ++n) all.push_back({n % 7 == 0 ? 128 : channels[n % std::size(channels)], n});
  for (const std::size_t n : {239, 240, 241, 511, 700}) all.push_back({19, n});
  return all;
}

void compare_grad_accumulate(Dtype x_dtype, Dtype dy_dtype, Shape shape, Mix mix, Rng& random,
                             const numerics::Switches& switches) {
  const Streams x(x_dtype, shape.channels, shape.n, mix, random), dy(dy_dtype, shape.channels, shape.n, mix, random);
  std::vector<float> mean(shape.channels), inv_std(shape.channels);
  for (float& m : mean) m = value_of(mix == Mix::bits ? Mix::edges : Mix::finite, random);
  for (float& v : inv_std) v = value_of(mix, random);
  on_every_target([&] {
    std::vector<numerics::GradSums> sums(shape.channels);
    kernels::grad_accumulate(x.rows(), dy.rows(), shape.channels, shape.n, mean.data(), inv_std.data(), switches,
                             sums.data());
    for (std::uint32_t c = 0; c < shape.channels; ++c) {
      const auto xs = x.values(c, switches), dys = dy.values(c, switches);
      const auto expected = numerics::grad_accumulate(xs.data(), dys.data(), shape.n, mean[c], inv_std[c], switches);
      expect_bits(sums[c].d_beta, expected.d_beta, "d_beta");
      expect_bits(sums[c].d_gamma, expected.d_gamma, "d_gamma");
      expect_bits(sums[c].coupling, expected.coupling, "coupling");
    }
  });
}

TEST(GradAccumulateKernel, EveryTailOfEveryFloat) {
  Rng random(1);
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::fp32r}) {
    for (const Shape& shape : shapes()) {
      SCOPED_TRACE(testing::Message() << isa::name(dtype) << ' ' << shape.channels << " x " << shape.n);
      compare_grad_accumulate(dtype, dtype, shape, kMixes[shape.n % kMixes.size()], random, {});
      if (HasFatalFailure()) return;
    }
  }
}

TEST(GradAccumulateKernel, EveryPairOfDtypes) {
  Rng random(2);
  for (const Dtype x : kDtypes) {
    for (const Dtype dy : kDtypes) {
      for (const Mix mix : kMixes) {
        SCOPED_TRACE(testing::Message() << isa::name(x) << " and " << isa::name(dy));
        compare_grad_accumulate(x, dy, {21, 245}, mix, random, {});
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(GradAccumulateKernel, SwitchesOfConversionCount) {
  Rng random(3);
  numerics::Switches fn;
  fn.e4m3_variant = numerics::E4m3Variant::fn;
  compare_grad_accumulate(Dtype::fp8_e4m3, Dtype::fp8_e4m3, {20, 100}, Mix::bits, random, fn);
}

// A sum that takes its elements in another order gets another result here: large and small terms alternate.
TEST(GradAccumulateKernel, AddsInElementOrder) {
  constexpr std::size_t kElements = 64;
  std::vector<float> x(kElements, 1.0F), dy(kElements);
  for (std::size_t i = 0; i < kElements; ++i) dy[i] = i % 4 == 0 ? 3.0e7F : i % 4 == 2 ? -3.0e7F : 1.25F;
  float forward = 0, halves[2] = {};
  for (std::size_t i = 0; i < kElements; ++i) {
    forward = forward + dy[i];
    halves[i % 2] = halves[i % 2] + dy[i];
  }
  ASSERT_NE(forward, halves[0] + halves[1]);
  const std::uint8_t *x_bytes = reinterpret_cast<std::uint8_t*>(x.data()),
                     *dy_bytes = reinterpret_cast<std::uint8_t*>(dy.data());
  const float mean = 0, inv_std = 1;
  on_every_target([&] {
    numerics::GradSums sums;
    kernels::grad_accumulate({&x_bytes, 0, Dtype::fp32}, {&dy_bytes, 0, Dtype::fp32}, 1, kElements, &mean, &inv_std, {},
                             &sums);
    expect_bits(sums.d_beta, forward, "d_beta");
  });
}

// dy * ((x - m) * v) rounds after each product: contracting any of it to a fused operation changes bits.
TEST(GradAccumulateKernel, RoundsEveryProduct) {
  Rng random(4);
  for (int i = 0; i < 50; ++i) {
    compare_grad_accumulate(Dtype::fp32, Dtype::fp32, {16, 64}, Mix::finite, random, {});
    if (HasFatalFailure()) return;
  }
}

void expect_moments(const numerics::Moments& found, const numerics::Moments& expected) {
  expect_bits(found.count, expected.count, "count");
  expect_bits(found.mean, expected.mean, "mean");
  expect_bits(found.nvar, expected.nvar, "nvar");
}

void compare_stats2(Dtype dtype, Shape shape, Mix mix, Rng& random, const numerics::Switches& switches) {
  const Streams x(dtype, shape.channels, shape.n, mix, random);
  auto table = numerics::reciprocal_table(switches.param_ram_index);
  table[7] = 0.25F;  // as it stands, not as it ought to be
  on_every_target([&] {
    std::vector<numerics::Stats2Result> results(shape.channels);
    kernels::stats2(x.rows(), shape.channels, shape.n, 5, 4, table, switches, results.data());
    for (std::uint32_t c = 0; c < shape.channels; ++c) {
      const auto xs = x.values(c, switches);
      const auto expected = numerics::stats2(xs.data(), shape.n, 5, 4, table, switches);
      expect_moments(results[c].even, expected.even);
      expect_moments(results[c].odd, expected.odd);
    }
  });
}

TEST(Stats2Kernel, EveryTailOfEveryDtype) {
  Rng random(5);
  for (const Dtype dtype : kDtypes) {
    for (const Shape& shape : shapes()) {
      SCOPED_TRACE(testing::Message() << isa::name(dtype) << ' ' << shape.channels << " x " << shape.n);
      compare_stats2(dtype, shape, kMixes[shape.n % kMixes.size()], random, {});
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Stats2Kernel, ReciprocalsComeFromTableAndDivider) {
  Rng random(6);
  numerics::Switches switches;
  compare_stats2(Dtype::fp32, {18, 1100}, Mix::finite, random, switches);  // counts to 550
  switches.param_ram_index = numerics::ParamRamIndex::i;
  compare_stats2(Dtype::fp32, {18, 1100}, Mix::finite, random, switches);
  switches.divide = numerics::Divide::newton;
  compare_stats2(Dtype::fp32, {18, 1100}, Mix::finite, random, switches);
}

TEST(AggregateKernel, EveryCountOfTriples) {
  Rng random(7);
  for (const Dtype dtype : kDtypes) {
    for (std::size_t triples = 0; triples <= 90; ++triples) {
      SCOPED_TRACE(testing::Message() << isa::name(dtype) << ' ' << triples << " triples");
      const std::uint32_t channels = triples % 9 == 0 ? 128 : 1 + static_cast<std::uint32_t>(triples % 40);
      const Streams rows(dtype, channels, 3 * triples, kMixes[triples % kMixes.size()], random);
      on_every_target([&] {
        std::vector<numerics::MeanVariance> results(channels);
        kernels::aggregate(rows.rows(), channels, triples, {}, results.data());
        for (std::uint32_t c = 0; c < channels; ++c) {
          const auto values = rows.values(c, {});
          const auto expected = numerics::aggregate(values.data(), triples, {});
          expect_bits(results[c].mean, expected.mean, "mean");
          expect_bits(results[c].variance, expected.variance, "variance");
        }
      });
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace sums_test
}  // namespace dve::kernels_test
