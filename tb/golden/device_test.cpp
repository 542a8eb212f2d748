// The golden's words on memory: where operands come from and results go.
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "golden/golden.h"

namespace golden {
namespace device_test {

const Options kDefault;

Tensor tensor(Space space, std::size_t partition, std::int64_t offset, std::array<std::int64_t, 4> counts,
              std::array<std::int64_t, 4> steps, Dtype dtype = Dtype::fp32) {
  return {space, partition, offset, dtype, counts, steps};
}

Tensor row(Space space, std::size_t partition, std::int64_t offset, std::int64_t count, Dtype dtype = Dtype::fp32) {
  return tensor(space, partition, offset, {count, 1, 1, 1}, {1, 1, 1, 1}, dtype);
}

void put(Device& device, const Tensor& t, std::size_t lane, const std::vector<float>& values) {
  write_stream(device.memory, t, lane, values, kDefault);
}

std::vector<float> get(Device& device, const Tensor& t, std::size_t lane) {
  return read_stream(device.memory, t, lane, kDefault);
}

TEST(GoldenMemory, WalksDimensionZeroFirstWithAnyStep) {
  Device device(kDefault, 256, 64);
  put(device, row(Space::sbuf, 5, 8, 12), 0, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(get(device, tensor(Space::sbuf, 5, 8, {2, 3, 1, 1}, {1, 4, 0, 0}), 0),
            (std::vector<float>{0, 1, 4, 5, 8, 9}));
  EXPECT_EQ(get(device, tensor(Space::sbuf, 5, 8 + 44, {3, 2, 1, 1}, {-4, -1, 0, 0}), 0),
            (std::vector<float>{11, 7, 3, 10, 6, 2}));
  EXPECT_EQ(get(device, tensor(Space::sbuf, 4, 8 + 4, {2, 2, 1, 2}, {0, 1, 7, 2}), 1),
            (std::vector<float>{1, 1, 2, 2, 3, 3, 4, 4}));
}

TEST(GoldenMemory, StoresElementsLittleEndianAtByteOffsets) {
  Device device(kDefault, 16, 16);
  put(device, tensor(Space::psum, 127, 2, {2, 1, 1, 1}, {2, 1, 1, 1}, Dtype::bf16), 0, {1.0F, -2.0F});
  const std::vector<std::uint8_t> bytes(device.memory.psum.end() - 16, device.memory.psum.end());
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{0, 0, 0x80, 0x3F, 0, 0, 0x00, 0xC0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(GoldenMemory, KeepsTheLastOfOverlappingWritesAndRefusesTheOutside) {
  Device device(kDefault, 16, 16);
  put(device, tensor(Space::sbuf, 0, 0, {3, 1, 1, 1}, {0, 1, 1, 1}), 0, {1, 2, 3});
  EXPECT_EQ(get(device, row(Space::sbuf, 0, 0, 1), 0)[0], 3.0F);
  EXPECT_THROW(get(device, row(Space::sbuf, 0, 8, 3), 0), std::out_of_range);
  EXPECT_THROW(get(device, row(Space::sbuf, 0, -4, 1), 0), std::out_of_range);
  EXPECT_THROW(get(device, row(Space::sbuf, 127, 0, 1), 1), std::out_of_range);
}

// Two channels with x in SBUF and dy in PSUM; the sums overwrite x, so all of x must have been read before.
struct Backward {
  Tensor x = row(Space::sbuf, 32, 0, 2);
  Tensor dy = row(Space::psum, 64, 0, 2, Dtype::fp16);
  Pointer mean{Space::sbuf, 32, 64, Dtype::fp32};
  Pointer inv_std{Space::sbuf, 32, 68, Dtype::bf16};

  void fill(Device& device) const {
    for (std::size_t c = 0; c < 2; ++c) {
      const float shift = c == 0 ? 0.0F : 10.0F;
      put(device, x, c, {1 + shift, 3 + shift});
      put(device, dy, c, {2, 4});
      put(device, row(Space::sbuf, 32, 64, 1), c, {2 + shift});
      put(device, row(Space::sbuf, 32, 68, 1, Dtype::bf16), c, {0.5F});
    }
  }
};

TEST(GoldenDevice, RunsTheBackwardWords) {
  Device device(kDefault, 128, 128);
  const Backward data;
  data.fill(device);
  const Tensor sums = row(Space::sbuf, 32, 80, 3);
  device.grad_accum({data.x, data.dy, sums, data.mean, data.inv_std, 2});
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(get(device, sums, c), (std::vector<float>{6, 1, 0.5F})) << c;
    EXPECT_EQ(device.lane(32 + c).inv_std, 0.5F) << c;
    put(device, row(Space::sbuf, 32, 72, 1), c, {0.25F});  // A, two elements before the sums
  }
  const Tensor abc = tensor(Space::sbuf, 32, 72, {1, 3, 1, 1}, {1, 2, 1, 1});  // A, sum 0, sum 2
  device.param_load({abc, data.mean, 2, 2});
  EXPECT_EQ(device.lane(33).mean, 12.0F);
  EXPECT_EQ(device.lane(33).a, 0.25F);
  EXPECT_EQ(device.lane(33).b, 6.0F);
  EXPECT_EQ(device.lane(33).c, 0.5F);
  EXPECT_EQ(device.lane(33).n, 2.0F);
  EXPECT_EQ(device.lane(34).n, 0.0F);

  device.back_prop({data.x, data.dy, data.dy, 2});  // in place
  for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ(get(device, data.dy, c), (std::vector<float>{-0.375F, 0.375F})) << c;
}

TEST(GoldenDevice, ReadsEverySourceBeforeWriting) {
  Device device(kDefault, 128, 128);
  const Backward data;
  data.fill(device);
  // Channel 0's sums land on channel 1's x.
  device.grad_accum({data.x, data.dy, row(Space::sbuf, 33, 0, 3), data.mean, data.inv_std, 2});
  EXPECT_EQ(get(device, row(Space::sbuf, 33, 0, 3), 0), (std::vector<float>{6, 1, 0.5F}));
  EXPECT_EQ(get(device, row(Space::sbuf, 34, 0, 3), 0), (std::vector<float>{6, 1, 0.5F}));
}

TEST(GoldenDevice, OrdersParamLoad2AndFlopsAsAsked) {
  for (const bool mean_first : {false, true}) {
    Options options;
    options.paramload2_mean_scale = mean_first;
    options.flop_by_lane = mean_first;
    Device device(options, 64, 64);
    put(device, row(Space::sbuf, 64, 0, 4), 0, {10, 20, 30, 40});
    device.param_load2({row(Space::sbuf, 64, 0, 2), {Space::sbuf, 64, 8}, {Space::sbuf, 64, 12}, 7, 1});
    const Lane& lane = device.lane(mean_first ? 0 : 64);
    EXPECT_EQ(lane.b, 10.0F);
    EXPECT_EQ(lane.c, 20.0F);
    EXPECT_EQ(lane.a, mean_first ? 40.0F : 30.0F);
    EXPECT_EQ(lane.mean, mean_first ? 30.0F : 40.0F);
    EXPECT_EQ(lane.n, 7.0F);
  }
}

TEST(GoldenDevice, RunsTheStatisticsWords) {
  Device device(kDefault, 128, 64);
  device.load_reciprocals();
  EXPECT_EQ(device.param_ram, full_param_ram(kDefault));
  const Tensor x = row(Space::sbuf, 0, 0, 5, Dtype::int32);
  put(device, x, 0, {1, 2, 3, 4, 5});
  const Tensor six = row(Space::psum, 0, 0, 6);
  device.stats2({x, six, 3, 2, 1});
  EXPECT_EQ(get(device, six, 0), (std::vector<float>{3, 3, 8, 2, 3, 2}));
  device.aggregate({six, row(Space::sbuf, 0, 64, 2), 0, 0, 1});
  EXPECT_EQ(get(device, row(Space::sbuf, 0, 64, 2), 0), (std::vector<float>{3, 2}));
  device.stats({x, six, 5, 0, 1});
  EXPECT_EQ(get(device, row(Space::psum, 0, 0, 1), 0)[0], 5.0F);
  EXPECT_NEAR(get(device, six, 0)[1], 3, 1e-6);
  EXPECT_NEAR(get(device, six, 0)[2], 10, 1e-5);
}

TEST(GoldenDevice, TransposesBlocksOf32) {
  Device device(kDefault, 512, 64);
  device.load_reciprocals();
  const Tensor x = row(Space::sbuf, 0, 0, 64);
  for (std::size_t c = 0; c < 32; ++c) {
    std::vector<float> values;
    for (std::size_t i = 0; i < 64; ++i) values.push_back(static_cast<float>(c % 2 == 0 ? i : 100 * i));
    put(device, x, c, values);
  }
  const Tensor six = row(Space::psum, 0, 0, 6);
  device.transpose_stats2({x, six, 32, 32, 32});
  // Lane c sees element c of all 32 channels, then element 32 + c: even channels hold i, odd ones 100 i.
  for (std::size_t c = 0; c < 32; ++c) {
    const auto values = get(device, six, c);
    const auto centre = static_cast<double>(c) + 16;
    EXPECT_NEAR(values[1], centre, 1e-4 * centre) << c;
    EXPECT_NEAR(values[2], 32 * 256.0, 1) << c;
    EXPECT_NEAR(values[4], 100 * centre, 1e-2 * centre) << c;
  }
  EXPECT_THROW(device.transpose_stats2({x, six, 32, 32, 31}), std::invalid_argument);
}

TEST(GoldenDevice, LoadsTheParameterRamInEntriesOrBytes) {
  const std::array<float, 8> values{1, 2, 3, 4, 5, 6, 7, 8};
  Device device(kDefault, 8, 8);
  device.load_param_ram(248, values);
  EXPECT_EQ(device.param_ram[255], 8.0F);
  EXPECT_EQ(device.param_ram[247], 0.0F);
  EXPECT_THROW(device.load_param_ram(249, values), std::out_of_range);
  Options options;
  options.param_ram_offset_bytes = true;
  Device by_bytes(options, 8, 8);
  by_bytes.load_param_ram(32, values);
  EXPECT_EQ(by_bytes.param_ram[8], 1.0F);
  EXPECT_THROW(by_bytes.load_param_ram(30, values), std::out_of_range);
}

}  // namespace device_test
}  // namespace golden
