// What a whole layer must give, bit by bit: tiles, statistics, host arithmetic, dx (isa.md 18, interfaces.md 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arithmetic.h"
#include "formats.h"
#include "options.h"

namespace golden {

// Channels by elements; every row a channel's stream.
using Rows = std::vector<std::vector<float>>;

// A flat [channels, elements] array as rows.
Rows rows_of(const std::vector<float>& flat, std::size_t channels);

// Longest stream one Stats2 takes (isa.md 7.5).
inline constexpr std::size_t kStats2Elements = 512;

// Batch mean and variance of one stream as the device forms them: tile after tile, each in pieces of up to 512 elements
// through Stats2 with counts ceil(n/2) and floor(n/2), then one Aggregate over all triples. `tiles` holds the tile
// lengths, whose sum is the stream's length (std::invalid_argument otherwise).
MeanVariance device_statistics(const std::vector<float>& x, const std::vector<std::size_t>& tiles,
                               const Options& options);

// The host's fp32(1 / sqrt(double(var) + eps)).
float host_inv_std(float variance, double eps);

// The host's A: gamma * inv_std, divided by N unless the textbook form is chosen; one rounding each.
float host_scale(float gamma, float inv_std, float n, const Options& options);

// What a full step computes on the device instead: rsqrt(fp32(var + eps)) and (gamma * inv_std) * fp32(1/N), one
// rounding each; and y = scale*x + shift with scale = gamma*inv_std, shift = beta - mean*scale, every operation rounded
// (isa-neighbours.md 11).
float device_inv_std(float variance, double eps);
float device_scale(float gamma, float inv_std, float n, const Options& options);
std::vector<float> forward(const std::vector<float>& x, float mean, float inv_std, float gamma, float beta);

struct LayerInput {
  Rows x;  // values the dtype holds
  Rows dy;
  std::vector<float> mean;
  std::vector<float> inv_std;
  std::vector<float> gamma;
  std::vector<float> a;            // coefficient A of each channel; empty: host_scale
  std::vector<std::size_t> tiles;  // lengths; one GradAccum a tile, the sums added in this order in binary32
  Dtype dx_dtype = Dtype::fp32;
};

struct LayerResult {
  std::vector<float> dgamma;
  std::vector<float> dbeta;
  std::vector<float> coupling;
  Rows dx;                             // after rounding to the dtype
  std::vector<std::uint8_t> dx_bytes;  // the same as stored, channel after channel
};

// The backward pass. With Options::src0_is_x_norm BackProp gets xn = (x - m) * v, in binary32, as its source.
LayerResult layer_backward(const LayerInput& input, const Options& options);

}  // namespace golden
