#include "layer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace golden {
namespace {

void check_tiles(const std::vector<std::size_t>& tiles, std::size_t elements) {
  if (std::accumulate(tiles.begin(), tiles.end(), std::size_t{0}) != elements) {
    throw std::invalid_argument("golden: the tile lengths do not add up to the stream's length");
  }
}

std::vector<float> part(const std::vector<float>& row, std::size_t first, std::size_t count) {
  const auto begin = row.begin() + static_cast<std::ptrdiff_t>(first);
  return std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(count));
}

Sums tiled_sums(const LayerInput& input, std::size_t c, const Options& options) {
  Sums total;
  std::size_t first = 0;
  for (std::size_t t = 0; t < input.tiles.size(); ++t) {
    const std::size_t length = input.tiles[t];
    const Sums tile = grad_sums(part(input.x[c], first, length), part(input.dy[c], first, length), input.mean[c],
                                input.inv_std[c], options);
    if (t == 0) {
      total = tile;
    } else {
      total.d_beta = total.d_beta + tile.d_beta;
      total.d_gamma = total.d_gamma + tile.d_gamma;
      total.coupling = total.coupling + tile.coupling;
    }
    first += length;
  }
  return total;
}

std::vector<float> normalised(const std::vector<float>& x, float mean, float inv_std) {
  std::vector<float> xn;
  for (const float value : x) {
    const float centred = value - mean;
    xn.push_back(centred * inv_std);
  }
  return xn;
}

}  // namespace

Rows rows_of(const std::vector<float>& flat, std::size_t channels) {
  if (channels == 0 || flat.size() % channels != 0) throw std::invalid_argument("golden::rows_of: uneven rows");
  const std::size_t elements = flat.size() / channels;
  Rows rows;
  for (std::size_t c = 0; c < channels; ++c) rows.push_back(part(flat, c * elements, elements));
  return rows;
}

MeanVariance device_statistics(const std::vector<float>& x, const std::vector<std::size_t>& tiles,
                               const Options& options) {
  check_tiles(tiles, x.size());
  const ParamRam ram = full_param_ram(options);
  std::vector<float> triples;
  std::size_t first = 0;
  for (const std::size_t tile : tiles) {
    for (std::size_t done = 0; done < tile; done += kStats2Elements) {
      const std::size_t length = std::min(kStats2Elements, tile - done);
      const auto even = static_cast<float>((length + 1) / 2);
      const auto odd = static_cast<float>(length / 2);
      const auto values = stats2_values(part(x, first + done, length), even, odd, ram, options);
      triples.insert(triples.end(), values.begin(), values.end());
    }
    first += tile;
  }
  return aggregate_triples(triples, options);
}

float host_inv_std(float variance, double eps) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(variance) + eps));
}

float host_scale(float gamma, float inv_std, float n, const Options& options) {
  const float product = gamma * inv_std;
  return options.textbook ? product : product / n;
}

float device_inv_std(float variance, double eps) {
  const float sum = variance + static_cast<float>(eps);
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(sum)));
}

float device_scale(float gamma, float inv_std, float n, const Options& options) {
  const float product = gamma * inv_std;
  if (options.textbook) return product;
  const float reciprocal = 1.0F / n;
  return product * reciprocal;
}

std::vector<float> forward(const std::vector<float>& x, float mean, float inv_std, float gamma, float beta) {
  const float scale = gamma * inv_std;
  const float product = mean * scale;
  const float shift = beta - product;
  std::vector<float> y;
  for (const float value : x) {
    const float scaled = value * scale;
    y.push_back(scaled + shift);
  }
  return y;
}

LayerResult layer_backward(const LayerInput& input, const Options& options) {
  LayerResult result;
  const ParamRam ram = full_param_ram(options);
  for (std::size_t c = 0; c < input.x.size(); ++c) {
    check_tiles(input.tiles, input.x[c].size());
    const Sums sums = tiled_sums(input, c, options);
    Lane lane;
    lane.n = static_cast<float>(input.x[c].size());
    lane.mean = input.mean[c];
    lane.inv_std = input.inv_std[c];
    lane.a = input.a.empty() ? host_scale(input.gamma[c], input.inv_std[c], lane.n, options) : input.a[c];
    lane.b = sums.d_beta;
    lane.c = options.textbook ? sums.d_gamma : sums.coupling;

    const bool x_norm = options.textbook && options.src0_is_x_norm;
    const auto source = x_norm ? normalised(input.x[c], lane.mean, lane.inv_std) : input.x[c];
    const auto bytes = store_elements(back_propagate(source, input.dy[c], lane, ram, options), input.dx_dtype, options);
    result.dx.push_back(load_elements(bytes.data(), input.x[c].size(), input.dx_dtype, options));
    result.dx_bytes.insert(result.dx_bytes.end(), bytes.begin(), bytes.end());
    result.dgamma.push_back(canonical(sums.d_gamma));
    result.dbeta.push_back(canonical(sums.d_beta));
    result.coupling.push_back(canonical(sums.coupling));
  }
  return result;
}

}  // namespace golden
