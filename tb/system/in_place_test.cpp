// Operands that share bytes: a word reads all its sources before it writes, whether the data is computed in place,
// packed through DMI, or carried by transactions.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "support/core_bench.h"
#include "support/words.h"

namespace dve {
namespace in_place_test {
namespace {

using namespace testing_support;
using isa::Dtype;

constexpr std::uint32_t kOffset = 0x400, kChannels = 20, kImageBytes = 0x1400;
constexpr std::uint16_t kElements = 150;
constexpr float kCount = 3;  // N

// Partitions 0 to 63 of SBUF, [kOffset, kOffset + kImageBytes) of each.
using Image = std::vector<std::vector<std::uint8_t>>;

Image random_image(std::mt19937& random, Dtype dtype) {
  Image image(64, std::vector<std::uint8_t>(kImageBytes));
  const std::size_t size = isa::storage_size(dtype).value;
  for (auto& partition : image) {
    for (std::size_t at = 0; at < kImageBytes; at += size) {
      const float value = random() % 512 == 0 ? HUGE_VALF : (static_cast<float>(random() % 2001) - 1000.0F) / 256.0F;
      numerics::from_fp32(&value, dtype, 1, partition.data() + at, {});
    }
  }
  return image;
}

struct Case {
  const char* name;
  Dtype dtype, dx_dtype;
  isa::Place x, dy, dx;
  std::int16_t dx_step = 1;
};

isa::Place at(std::uint32_t partition, std::uint32_t bytes) { return sbuf(partition, kOffset + bytes); }

const Case kCases[] = {
    {"apart", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0x800)},
    {"over_dy", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0x400)},
    {"over_x", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0)},
    {"over_both", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0), at(0, 0)},
    {"over_dy_in_bf16", Dtype::bf16, Dtype::bf16, at(0, 0), at(0, 0x400), at(0, 0x400)},
    {"over_x_in_fp16", Dtype::fp16, Dtype::fp16, at(0, 0), at(0, 0x400), at(0, 0)},
    {"one_element_later", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0x404)},
    {"one_element_earlier", Dtype::fp32, Dtype::fp32, at(0, 0x40), at(0, 0x400), at(0, 0x3C)},
    {"many_elements_later", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0x500)},
    {"last_byte_of_dy", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0x400 + 4 * (kElements - 1))},
    {"wider_over_dy", Dtype::bf16, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0x400)},
    {"narrower_over_dy", Dtype::fp32, Dtype::bf16, at(0, 0), at(0, 0x400), at(0, 0x400)},
    {"strided_over_dy", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0x400), 2},
    {"backwards_over_dy", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0x400 + 4 * (kElements - 1)), -1},
    {"all_on_one_element", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(0, 0x410), 0},
    {"other_partitions", Dtype::fp32, Dtype::fp32, at(0, 0), at(0, 0x400), at(32, 0x400)},
};

// The image after BackProp, element by element of the scalar specification.
Image expected_after(const Image& before, const Case& c, const std::vector<numerics::LaneParameters>& parameters) {
  Image after = before;
  const auto size = static_cast<std::ptrdiff_t>(isa::storage_size(c.dx_dtype).value);
  for (std::uint32_t lane = 0; lane < kChannels; ++lane) {
    std::vector<float> x(kElements), dy(kElements), dx(kElements);
    const auto bytes = [&](const isa::Place& place) {
      return before[isa::number(place.partition) + lane].data() + (place.offset - kOffset);
    };
    numerics::to_fp32(bytes(c.x), c.dtype, kElements, x.data(), {});
    numerics::to_fp32(bytes(c.dy), c.dtype, kElements, dy.data(), {});
    numerics::back_propagate(x.data(), dy.data(), kElements, parameters[lane], {}, {}, dx.data());
    std::uint8_t* const to = after[isa::number(c.dx.partition) + lane].data() + (c.dx.offset - kOffset);
    for (int i = 0; i < kElements; ++i)
      numerics::from_fp32(&dx[static_cast<std::size_t>(i)], c.dx_dtype, 1, to + i * c.dx_step * size, {});
  }
  return after;
}

class SharedBytes : public testing::TestWithParam<Case> {};

TEST_P(SharedBytes, SourcesAreReadBeforeResultsAreWritten) {
  const Case& c = GetParam();
  std::mt19937 random(5);
  const Image before = random_image(random, c.dtype);
  std::vector<std::array<float, 4>> staged(kChannels);  // A, B, C, mean
  std::vector<numerics::LaneParameters> parameters;
  for (auto& values : staged) {
    for (float& v : values) v = static_cast<float>(random() % 1000) / 300.0F;
    parameters.push_back({kCount, values[3], values[0], values[1], values[2], 0});
  }
  const Image expected = expected_after(before, c, parameters);

  CoreBench direct(preset(isa::Generation::cayman), "direct");
  CoreBench carried(preset(isa::Generation::cayman, {"dmi=false"}), "carried");
  const auto run = [&](CoreBench& bench, Image& after, std::uint8_t& status) {
    return [&](Host& host) {
      const WordBuilder words(isa::Generation::cayman);
      for (std::uint32_t p = 0; p < before.size(); ++p) host.write(sbuf(p, kOffset), before[p].data(), kImageBytes);
      for (std::uint32_t p = 0; p < kChannels; ++p)
        host.write(sbuf(p, 0), reinterpret_cast<const std::uint8_t*>(staged[p].data()), sizeof staged[p]);
      auto dx = row(c.dx, kElements, c.dx_dtype);
      dx.steps[0] = c.dx_step;
      CoreBench::execute(
          host,
          {isa::encode(words.param_load(row(sbuf(0, 0), 3), row(sbuf(0, 12), 1), kCount, kChannels)),
           isa::encode(words.back_prop(row(c.x, kElements, c.dtype), row(c.dy, kElements, c.dtype), dx, kChannels))});
      after.assign(before.size(), std::vector<std::uint8_t>(kImageBytes));
      for (std::uint32_t p = 0; p < before.size(); ++p) host.read(sbuf(p, kOffset), after[p].data(), kImageBytes);
      status = static_cast<std::uint8_t>(bench.warnings.size());
    };
  };
  Image in_place, by_transactions;
  std::uint8_t direct_warnings = 0, carried_warnings = 0;
  direct.drive(run(direct, in_place, direct_warnings));
  carried.drive(run(carried, by_transactions, carried_warnings));
  ASSERT_EQ(direct.finish().status, RunStatus::ok);
  ASSERT_EQ(carried.finish().status, RunStatus::ok);
  EXPECT_TRUE(in_place == expected);
  EXPECT_TRUE(by_transactions == expected);
  EXPECT_EQ(direct_warnings, carried_warnings) << "floating-point status";
}

INSTANTIATE_TEST_SUITE_P(BackProp, SharedBytes, testing::ValuesIn(kCases),
                         [](const auto& values) { return std::string(values.param.name); });

}  // namespace
}  // namespace in_place_test
}  // namespace dve
