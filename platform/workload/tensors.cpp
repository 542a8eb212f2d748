#include "tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "dve/numerics/numerics.h"

namespace dve::workload {
namespace {

constexpr double kEps = 1e-5;

enum class Tensor : std::uint64_t { x, dy, gamma, beta };

// SplitMix64 (Steele, Lea and Flood 2014): the k-th number of a stream without those before it.
std::uint64_t mixed(std::uint64_t state) {
  state += 0x9E3779B97F4A7C15;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
  return state ^ (state >> 31);
}

class Uniform {
 public:
  Uniform(const Workload& workload, std::size_t index, Tensor tensor)
      : stream_(mixed(mixed(workload.seed) ^ (index * 4 + static_cast<std::uint64_t>(tensor)))) {}
  // In [-1, 1), a multiple of 2^-23: exact in binary32.
  float operator()(std::uint64_t k) const {
    return static_cast<float>(static_cast<std::int64_t>(mixed(stream_ + k) >> 40) - (std::int64_t{1} << 23)) /
           8388608.0F;
  }

 private:
  std::uint64_t stream_;
};

// Values of a channel-major tensor: in the device dtype, and what these are exactly. `scale` multiplies the device's.
std::pair<std::vector<float>, std::vector<std::uint8_t>> rounded(std::vector<float> values, const layer::Layer& layer,
                                                                 float scale, const numerics::Switches& switches) {
  std::vector<std::uint8_t> device(values.size() * isa::storage_size(layer.dtype).value);
  numerics::from_fp32(values.data(), layer.dtype, values.size(), device.data(), switches);
  numerics::to_fp32(device.data(), layer.dtype, values.size(), values.data(), switches);
  if (scale != 1) {
    std::vector<float> scaled = values;
    for (float& v : scaled) v *= scale;
    numerics::from_fp32(scaled.data(), layer.dtype, scaled.size(), device.data(), switches);
  }
  return {std::move(values), std::move(device)};
}

void give_statistics(layer::Layer& layer) {
  for (std::uint32_t c = 0; c < layer.channels; ++c) {
    const float* stream = layer.file_x.data() + c * layer.elements;
    double sum = 0, squares = 0;
    for (std::uint64_t k = 0; k < layer.elements; ++k) sum += static_cast<double>(stream[k]);
    const double mean = sum / static_cast<double>(layer.elements);
    for (std::uint64_t k = 0; k < layer.elements; ++k)
      squares += (static_cast<double>(stream[k]) - mean) * (static_cast<double>(stream[k]) - mean);
    layer.mean.push_back(static_cast<float>(mean));
    layer.inv_std.push_back(static_cast<float>(1 / std::sqrt(squares / static_cast<double>(layer.elements) + kEps)));
  }
}

void fill(layer::Layer& layer, const Workload& workload, std::size_t index, const layer::LayerOptions& options) {
  const Uniform x(workload, index, Tensor::x), dy(workload, index, Tensor::dy), gamma(workload, index, Tensor::gamma),
      beta(workload, index, Tensor::beta);
  const std::uint64_t count = layer.channels * layer.elements;
  std::vector<float> x_values(count), dy_values(count);
  for (std::uint64_t k = 0; k < count; ++k) {
    x_values[k] = x(k) + static_cast<float>(k / layer.elements % 4) / 4;
    dy_values[k] = dy(k);
  }
  std::tie(layer.file_x, layer.x) = rounded(std::move(x_values), layer, 1, options.switches);
  std::tie(layer.file_dy, layer.dy) = rounded(std::move(dy_values), layer, options.loss_scale, options.switches);
  for (std::uint32_t c = 0; c < layer.channels; ++c) {
    layer.gamma.push_back(1 + gamma(c) / 2);
    layer.beta.push_back(beta(c));
  }
  if (layer.statistics_given) give_statistics(layer);
}

layer::Layer from_folder(const Layer& description, layer::LayerOptions options) {
  if (!options.dtype) options.dtype = description.dtype;
  options.device_statistics = options.device_statistics || !description.statistics_given;
  layer::Layer layer = layer::load_layer(description.data, options);
  const std::vector<std::uint64_t> wanted(description.nchw.begin(), description.nchw.end());
  if (layer.shape != wanted)
    throw layer::InputError(fmt::format("{}: shape [{}], expected [{}], nchw of layer {}",
                                        (description.data / "x.npy").string(), fmt::join(layer.shape, ", "),
                                        fmt::join(wanted, ", "), description.name));
  if (layer.statistics_given != (description.statistics_given && !options.device_statistics))
    throw layer::InputError(
        fmt::format("{}: no mean.npy and inv_std.npy, expected them for statistics given of layer {}",
                    description.data.string(), description.name));
  return layer;
}

}  // namespace

layer::Layer make_layer(const Workload& workload, std::size_t index, const layer::LayerOptions& options) {
  const Layer& description = workload.layers.at(index);
  if (!description.data.empty()) return from_folder(description, options);
  layer::Layer layer;
  layer.folder = description.name;
  layer.shape.assign(description.nchw.begin(), description.nchw.end());
  layer.channels = static_cast<std::uint32_t>(description.channels());
  layer.elements = description.elements();
  layer.dtype = layer.file_dtype = options.dtype.value_or(description.dtype);
  layer.loss_scale = options.loss_scale;
  layer.statistics_given = description.statistics_given && !options.device_statistics;
  if (options.contents) fill(layer, workload, index, options);
  return layer;
}

}  // namespace dve::workload
