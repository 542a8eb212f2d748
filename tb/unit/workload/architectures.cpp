#include "architectures.h"

#include <array>

namespace dve::workload_test {

Shapes resnet_50() {
  Shapes shapes;
  ++shapes[{64, 112}];
  const std::array<std::uint64_t, 4> blocks = {3, 4, 6, 3};
  for (std::uint64_t stage = 0; stage < 4; ++stage) {
    const std::uint64_t width = std::uint64_t{64} << stage, height = 56u >> stage;
    shapes[{width, height}] += 2 * blocks[stage];
    shapes[{4 * width, height}] += blocks[stage] + 1;  // and the projection of the first block
  }
  return shapes;
}

Channels densenet_121() {
  Channels layers;
  std::uint64_t channels = 64;
  ++layers[channels];
  for (const std::uint64_t blocks : {6U, 12U, 24U, 16U}) {
    for (std::uint64_t k = 0; k < blocks; ++k, channels += 32) {
      ++layers[channels];
      ++layers[128];
    }
    ++layers[channels];  // of the transition, or the last one
    if (blocks != 16) channels /= 2;
  }
  return layers;
}

Channels inception_v3() {
  Channels layers;
  const auto add = [&](std::initializer_list<std::uint64_t> list) {
    for (const std::uint64_t channels : list) ++layers[channels];
  };
  add({32, 32, 64, 80, 192});
  for (const std::uint64_t pool : {32U, 64U, 64U}) add({64, 48, 64, 64, 96, 96, pool});
  add({384, 64, 96, 96});
  for (const std::uint64_t c7 : {128U, 160U, 160U, 192U}) add({192, c7, c7, 192, c7, c7, c7, c7, 192, 192});
  add({192, 320, 192, 192, 192, 192});
  for (int k = 0; k < 2; ++k) add({320, 384, 384, 384, 448, 384, 384, 384, 192});
  return layers;
}

Shapes vgg16() { return {{{64, 224}, 2}, {{128, 112}, 2}, {{256, 56}, 3}, {{512, 28}, 3}, {{512, 14}, 3}}; }

namespace {

struct Stage {
  std::uint64_t expansion, channels, blocks, stride;
};

// Expansion (unless it is 1), depthwise convolution, projection: each with a norm.
Shapes inverted_residuals(const std::vector<Stage>& stages) {
  Shapes shapes;
  std::uint64_t height = 112, input = 32;
  ++shapes[{input, height}];
  for (const Stage& stage : stages) {
    for (std::uint64_t block = 0; block < stage.blocks; ++block) {
      const std::uint64_t inner = input * stage.expansion;
      if (stage.expansion > 1) ++shapes[{inner, height}];
      if (block == 0) height /= stage.stride;
      ++shapes[{inner, height}];
      ++shapes[{stage.channels, height}];
      input = stage.channels;
    }
  }
  ++shapes[{1280, height}];
  return shapes;
}

}  // namespace

Shapes mobilenet_v2() {
  return inverted_residuals(
      {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}});
}

Shapes efficientnet_b0() {
  return inverted_residuals(
      {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 40, 2, 2}, {6, 80, 3, 2}, {6, 112, 3, 1}, {6, 192, 4, 2}, {6, 320, 1, 1}});
}

Shapes resnet_18() {
  // Stem and four convolutions; later stages have a projection instead of the stem.
  return {{{64, 32}, 5}, {{128, 16}, 5}, {{256, 8}, 5}, {{512, 4}, 5}};
}

Shapes unet() {
  // Two convolutions on the way down and two on the way up, at the bottom only two.
  return {{{64, 512}, 4}, {{128, 256}, 4}, {{256, 128}, 4}, {{512, 64}, 4}, {{1024, 32}, 2}};
}

Shapes dcgan() {
  // Four in the generator, three in the discriminator, which has none behind its first convolution.
  return {{{512, 4}, 2}, {{256, 8}, 2}, {{128, 16}, 2}, {{64, 32}, 1}};
}

}  // namespace dve::workload_test
