// BackProp and TensorTensor on every target against the scalar specification, byte by byte.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "streams.h"

namespace dve::kernels_test {
namespace elementwise_test {

using isa::AluOp;
using isa::Dtype;

constexpr std::uint32_t kChannels = 3;

std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n <= 70; ++n) all.push_back(n);
  for (const std::size_t n : {127, 255, 511, 512, 513, 1100}) all.push_back(n);
  return all;
}

std::vector<std::uint8_t> stored(const std::vector<float>& values, Dtype dtype, const numerics::Switches& switches) {
  std::vector<std::uint8_t> bytes(values.size() * isa::storage_size(dtype).value);
  numerics::from_fp32(values.data(), dtype, values.size(), bytes.data(), switches);
  return bytes;
}

// `bytes` with the streams of `at` replaced.
std::vector<std::uint8_t> with_results(const Streams& at, const std::vector<std::vector<std::uint8_t>>& results) {
  std::vector<std::uint8_t> all = at.bytes();
  for (std::uint32_t c = 0; c < kChannels; ++c)
    std::copy(results[c].begin(), results[c].end(), all.begin() + (at.channel(c) - at.bytes().data()));
  return all;
}

struct Special {
  bool nan = false, infinite = false;
  void add(const std::vector<float>& values) {
    for (const float v : values) {
      nan = nan || std::isnan(v);
      infinite = infinite || std::isinf(v);
    }
  }
};

struct Dtypes {
  Dtype x, dy, dx;
};

// dx in place of dy where `in_place`.
void compare_back_propagate(Dtypes dtypes, std::size_t n, Mix mix, bool in_place, Rng& random) {
  const numerics::Switches switches;
  const Streams x(dtypes.x, kChannels, n, mix, random), dy(dtypes.dy, kChannels, n, mix, random);
  const Streams empty(dtypes.dx, kChannels, n, Mix::bits, random);
  std::vector<numerics::LaneParameters> parameters(kChannels);
  for (auto& p : parameters) {
    const auto value = [&] { return value_of(mix == Mix::bits ? Mix::edges : Mix::finite, random); };
    p = {value(), value(), value(), value(), value(), value()};
  }
  std::vector<std::vector<std::uint8_t>> expected;
  std::vector<Special> operands(kChannels), results(kChannels);
  for (std::uint32_t c = 0; c < kChannels; ++c) {
    const auto xs = x.values(c, switches), dys = dy.values(c, switches);
    std::vector<float> dx(n);
    numerics::back_propagate(xs.data(), dys.data(), n, parameters[c], {}, switches, dx.data());
    expected.push_back(stored(dx, dtypes.dx, switches));
    numerics::to_fp32(expected.back().data(), dtypes.dx, n, dx.data(), switches);
    operands[c].add(xs);
    operands[c].add(dys);
    results[c].add(dx);
  }
  on_every_target([&] {
    const Streams& target = in_place ? dy : empty;
    std::vector<std::uint8_t> bytes = target.bytes();
    std::vector<std::uint8_t*> places;
    for (std::uint32_t c = 0; c < kChannels; ++c)
      places.push_back(bytes.data() + (target.channel(c) - target.bytes().data()));
    const std::vector<const std::uint8_t*> sources(places.begin(), places.end());
    const kernels::ResultRows out{places.data(), 0, dtypes.dx};
    const kernels::Rows dy_rows = in_place ? kernels::Rows{sources.data(), 0, dtypes.dy} : dy.rows();
    std::vector<kernels::Exceptions> exceptions(kChannels);
    kernels::back_propagate(x.rows(), dy_rows, kChannels, n, parameters.data(), switches, out, exceptions.data());
    ASSERT_EQ(bytes, with_results(target, expected));
    const bool integers = isa::is_valid_int_dtype(dtypes.dx);
    for (std::uint32_t c = 0; !integers && c < kChannels; ++c) {
      ASSERT_EQ(exceptions[c].result_nan, results[c].nan);
      ASSERT_EQ(exceptions[c].result_infinite, results[c].infinite);
      if (!results[c].nan && !results[c].infinite) continue;  // then no operand is special either
      ASSERT_EQ(exceptions[c].operand_nan, operands[c].nan);
      ASSERT_EQ(exceptions[c].operand_infinite, operands[c].infinite);
    }
  });
}

TEST(BackPropagateKernel, EveryTailInPlaceAndApart) {
  Rng random(1);
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp16}) {
    for (const std::size_t n : lengths()) {
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(testing::Message() << isa::name(dtype) << " x " << n << (in_place ? " in place" : ""));
        compare_back_propagate({dtype, dtype, dtype}, n, kMixes[n % kMixes.size()], in_place, random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(BackPropagateKernel, EveryDtypeInAndOut) {
  Rng random(2);
  for (const Dtype in : kDtypes) {
    for (const Dtype out : kDtypes) {
      for (const Mix mix : kMixes) {
        SCOPED_TRACE(testing::Message() << isa::name(in) << " to " << isa::name(out));
        compare_back_propagate({in, kDtypes[(isa::code(in) + isa::code(out)) % kDtypes.size()], out}, 530, mix, false,
                               random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// One special value anywhere in the stream is seen, and an overflow of the rounding alone.
TEST(BackPropagateKernel, EveryPlaceOfASpecialValue) {
  const numerics::LaneParameters parameters{1, 0, 1, 0, 0, 1};  // dx = dy
  for (std::size_t at = 0; at < 70; ++at) {
    std::vector<float> x(70, 0.5F), dy(70, 1.0F), dx(70);
    dy[at] = 3.4e38F;
    const auto *x_bytes = reinterpret_cast<const std::uint8_t*>(x.data()),
               *dy_bytes = reinterpret_cast<const std::uint8_t*>(dy.data());
    auto* dx_bytes = reinterpret_cast<std::uint8_t*>(dx.data());
    on_every_target([&] {
      const auto run = [&](Dtype dtype) {
        kernels::Exceptions found;
        kernels::back_propagate({&x_bytes, 0, Dtype::fp32}, {&dy_bytes, 0, Dtype::fp32}, 1, dy.size(), &parameters, {},
                                {&dx_bytes, 0, dtype}, &found);
        return found;
      };
      ASSERT_FALSE(run(Dtype::fp32).result_infinite);
      ASSERT_TRUE(run(Dtype::bf16).result_infinite) << at;
      ASSERT_FALSE(run(Dtype::bf16).operand_infinite);
    });
    dy[at] = numerics::float_from_bits(0xFFA00000);
    on_every_target([&] {
      kernels::Exceptions found;
      kernels::back_propagate({&x_bytes, 0, Dtype::fp32}, {&dy_bytes, 0, Dtype::fp32}, 1, dy.size(), &parameters, {},
                              {&dx_bytes, 0, Dtype::fp32}, &found);
      ASSERT_TRUE(found.operand_nan && found.result_nan) << at;
      ASSERT_FALSE(found.operand_infinite || found.result_infinite);
    });
  }
}

void compare_tensor_tensor(AluOp op, Dtypes dtypes, std::size_t n, Mix mix, Rng& random,
                           const numerics::Switches& switches) {
  const Streams a(dtypes.x, kChannels, n, mix, random), b(dtypes.dy, kChannels, n, mix, random);
  std::vector<std::vector<std::uint8_t>> expected;
  bool special = false;
  for (std::uint32_t c = 0; c < kChannels; ++c) {
    auto as = a.values(c, switches);
    const auto bs = b.values(c, switches);
    for (std::size_t i = 0; i < n; ++i) {
      as[i] = numerics::alu_fp32(op, as[i], bs[i]);
      special = special || !std::isfinite(as[i]);
    }
    expected.push_back(stored(as, dtypes.dx, switches));
  }
  on_every_target([&] {
    Rng same(99);
    Streams out(dtypes.dx, kChannels, n, Mix::bits, same);
    const std::vector<std::uint8_t> wanted = with_results(out, expected);
    ASSERT_EQ(kernels::tensor_tensor(op, a.rows(), b.rows(), kChannels, n, switches, out.result_rows()), special);
    ASSERT_EQ(out.bytes(), wanted);
  });
}

TEST(TensorTensorKernel, EveryOperationEveryTail) {
  Rng random(3);
  int operations = 0;
  for (unsigned code = 0; code < 256; ++code) {
    const auto op = static_cast<AluOp>(code);
    if (!kernels::has_tensor_tensor(op)) continue;
    ++operations;
    for (const std::size_t n : lengths()) {
      SCOPED_TRACE(testing::Message() << isa::name(op) << " of " << n);
      compare_tensor_tensor(op, {Dtype::fp32, Dtype::fp32, Dtype::fp32}, n, kMixes[n % kMixes.size()], random, {});
      if (HasFatalFailure()) return;
    }
    for (const Dtype dtype : kDtypes) {
      for (const Mix mix : kMixes) {
        compare_tensor_tensor(op, {dtype, kDtypes[random() % kDtypes.size()], kDtypes[random() % kDtypes.size()]}, 530,
                              mix, random, {});
        if (HasFatalFailure()) return;
      }
    }
  }
  EXPECT_EQ(operations, 13);
}

TEST(TensorTensorKernel, SaturatingConversion) {
  Rng random(4);
  numerics::Switches saturate;
  saturate.narrow_overflow = numerics::NarrowOverflow::saturate;
  for (const Dtype dtype : kDtypes) {
    compare_tensor_tensor(AluOp::mult, {Dtype::fp32, Dtype::fp32, dtype}, 100, Mix::bits, random, saturate);
    if (HasFatalFailure()) return;
  }
}

TEST(TensorTensorKernel, RefusesOtherOperations) {
  float a = 1, b = 2, out = 0;
  const auto *a_bytes = reinterpret_cast<const std::uint8_t*>(&a), *b_bytes = reinterpret_cast<const std::uint8_t*>(&b);
  auto* out_bytes = reinterpret_cast<std::uint8_t*>(&out);
  EXPECT_THROW(kernels::tensor_tensor(AluOp::pow, {&a_bytes, 0, Dtype::fp32}, {&b_bytes, 0, Dtype::fp32}, 1, 1, {},
                                      {&out_bytes, 0, Dtype::fp32}),
               std::invalid_argument);
}

}  // namespace elementwise_test
}  // namespace dve::kernels_test
