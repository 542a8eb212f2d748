#include "host_runtime.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

namespace dve::runtime {
namespace {

// Channel i of a range lies i partitions further on.
isa::Place of_channel(isa::Place place, std::uint32_t i) {
  place.partition = isa::Partition{isa::number(place.partition) + i};
  return place;
}

template <std::size_t N>
void write_floats(DevicePort& port, const isa::Place& place, const std::array<float, N>& values) {
  std::array<std::uint8_t, N * sizeof(float)> bytes;
  std::memcpy(bytes.data(), values.data(), bytes.size());
  port.write(place, bytes.data(), bytes.size());
}

template <std::size_t N>
std::array<float, N> read_floats(DevicePort& port, const isa::Place& place) {
  std::array<std::uint8_t, N * sizeof(float)> bytes{};
  port.read(place, bytes.data(), bytes.size());
  std::array<float, N> values;
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <class T>
void expect_equal(const char* what, const T& layer, const T& program) {
  if (layer == program) return;
  throw layer::InputError(fmt::format("layer has {} {}, expected {} as in the program", what, layer, program));
}

// A device tensor of NaN.
std::vector<std::uint8_t> not_stored(const layer::Layer& layer) {
  const std::vector<float> values(layer.x.size() / isa::storage_size(layer.dtype).value,
                                  numerics::float_from_bits(numerics::kCanonicalNan32));
  std::vector<std::uint8_t> bytes(layer.x.size());
  numerics::from_fp32(values.data(), layer.dtype, values.size(), bytes.data(), {});
  return bytes;
}

}  // namespace

float inverse_standard_deviation(float var, double eps, std::uint32_t channel) {
  const double sum = static_cast<double>(var) + eps;
  if (sum <= 0) {
    throw layer::InputError(
        fmt::format("channel {}: variance {} + eps {} is {}, expected a positive number", channel, var, eps, sum));
  }
  return numerics::canonical(static_cast<float>(1 / std::sqrt(sum)));
}

float coefficient_a(float gamma, float inv_std, float element_count, numerics::BackpropForm form) {
  const float product = gamma * inv_std;
  return numerics::canonical(form == numerics::BackpropForm::staged ? product / element_count : product);
}

void check_layer(const layer::Layer& layer, const Program& program, const HostOptions& options) {
  const PlanRequest& request = program.request;
  expect_equal("channels", layer.channels, request.channels);
  expect_equal("elements a channel", layer.elements, request.elements);
  expect_equal("device dtype", isa::name(layer.dtype), isa::name(request.dtype));
  expect_equal("given statistics", layer.statistics_given, request.statistics_given);
  if (!std::isfinite(options.eps))
    throw layer::InputError(fmt::format("eps is {}, expected a finite number", options.eps));
  if (request.step == Step::full && layer.beta.empty())
    throw layer::InputError(fmt::format("{}: does not exist, expected one value a channel: a full step computes y",
                                        (layer.folder / "beta.npy").string()));
}

HostRuntime::HostRuntime(const layer::Layer& layer, const Program& program, const HostOptions& options)
    : layer_(layer), program_(program), options_(options) {
  check_layer(layer, program, options);
  element_bytes_ = isa::storage_size(layer.dtype).value;
  const std::vector<float> unknown(layer.channels, numerics::float_from_bits(numerics::kCanonicalNan32));
  collected_.dx = not_stored(layer);
  collected_.dgamma = collected_.dbeta = unknown;
  collected_.mean = layer.statistics_given ? layer.mean : unknown;
  collected_.inv_std = layer.statistics_given ? layer.inv_std : unknown;
  if (!layer.statistics_given) collected_.var = unknown;
  if (program.request.step == Step::full) collected_.y = not_stored(layer);
}

void HostRuntime::perform(const Actions& actions, DevicePort& port) {
  for (const Action& action : actions) {
    std::visit([&](const auto& a) { perform(a, port); }, action);
  }
}

std::size_t HostRuntime::byte_of(std::uint32_t channel, std::uint64_t element) const {
  return (std::uint64_t{channel} * layer_.elements + element) * element_bytes_;
}

void HostRuntime::perform(const LoadTensor& action, DevicePort& port) {
  if (action.tensor == Tensor::x_norm) return load_normalised(action, port);
  const std::vector<std::uint8_t>& tensor = action.tensor == Tensor::x ? layer_.x : layer_.dy;
  for (std::uint32_t i = 0; i < action.channels.count; ++i) {
    port.write(of_channel(action.place, i), tensor.data() + byte_of(action.channels.first + i, action.elements.first),
               action.elements.count * element_bytes_);
  }
}

void HostRuntime::load_normalised(const LoadTensor& action, DevicePort& port) {
  std::vector<float> values(action.elements.count);
  std::vector<std::uint8_t> bytes(action.elements.count * element_bytes_);
  const numerics::Switches& switches = program_.request.switches;
  for (std::uint32_t i = 0; i < action.channels.count; ++i) {
    const std::uint32_t c = action.channels.first + i;
    numerics::to_fp32(layer_.x.data() + byte_of(c, action.elements.first), layer_.dtype, values.size(), values.data(),
                      switches);
    for (float& v : values) v = (v - collected_.mean[c]) * collected_.inv_std[c];
    numerics::from_fp32(values.data(), layer_.dtype, values.size(), bytes.data(), switches);
    port.write(of_channel(action.place, i), bytes.data(), bytes.size());
  }
}

const std::vector<float>& HostRuntime::values_of(Vector vector) const {
  switch (vector) {
    case Vector::mean:
      return collected_.mean;
    case Vector::inv_std:
      return collected_.inv_std;
    case Vector::gamma:
      return layer_.gamma;
    default:
      return layer_.beta;
  }
}

void HostRuntime::perform(const LoadVector& action, DevicePort& port) {
  const std::vector<float>& vector = values_of(action.vector);
  for (std::uint32_t i = 0; i < action.channels.count; ++i) {
    write_floats<1>(port, of_channel(action.place, i), {vector[action.channels.first + i]});
  }
}

void HostRuntime::perform(const StoreStatistics& action, DevicePort& port) {
  if (layer_.statistics_given) return;  // a program of computed statistics only; the constructor has checked it
  for (std::uint32_t i = 0; i < action.channels.count; ++i) {
    const auto [mean, var] = read_floats<2>(port, of_channel(action.place, i));
    collected_.mean[action.channels.first + i] = mean;
    collected_.var[action.channels.first + i] = var;
  }
}

void HostRuntime::perform(const ComputeInvStd& action, DevicePort& port) {
  if (layer_.statistics_given) return;
  for (std::uint32_t i = 0; i < action.channels.count; ++i) {
    const std::uint32_t c = action.channels.first + i;
    collected_.inv_std[c] = inverse_standard_deviation(collected_.var[c], options_.eps, c);
    write_floats<1>(port, of_channel(action.place, i), {collected_.inv_std[c]});
  }
}

void HostRuntime::perform(const WriteA& action, DevicePort& port) {
  const auto n = static_cast<float>(layer_.elements);
  for (std::uint32_t i = 0; i < action.channels.count; ++i) {
    const std::uint32_t c = action.channels.first + i;
    const float a = coefficient_a(layer_.gamma[c], collected_.inv_std[c], n, program_.request.switches.backprop_form);
    write_floats<2>(port, of_channel(action.place, i), {a, a});
  }
}

void HostRuntime::perform(const AddTileSums& action, DevicePort& port) {
  for (std::uint32_t i = 0; i < action.channels.count; ++i) {
    std::array<float, 3> total{};
    for (std::size_t t = 0; t < action.tiles.size(); ++t) {
      const std::array<float, 3> sums = read_floats<3>(port, of_channel(action.tiles[t], i));
      for (std::size_t s = 0; s < 3; ++s) total[s] = t == 0 ? sums[s] : numerics::canonical(total[s] + sums[s]);
    }
    write_floats(port, of_channel(action.place, i), total);
  }
}

void HostRuntime::store_stream(ChannelRange channels, ElementRange elements, const isa::Place& place,
                               std::vector<std::uint8_t>& into, DevicePort& port) {
  stored_ = true;
  for (std::uint32_t i = 0; i < channels.count; ++i)
    port.read(of_channel(place, i), into.data() + byte_of(channels.first + i, elements.first),
              elements.count * element_bytes_);
}

void HostRuntime::perform(const StoreDx& action, DevicePort& port) {
  store_stream(action.channels, action.elements, action.place, collected_.dx, port);
}

void HostRuntime::perform(const StoreY& action, DevicePort& port) {
  store_stream(action.channels, action.elements, action.place, collected_.y, port);
}

void HostRuntime::perform(const StoreInvStd& action, DevicePort& port) {
  for (std::uint32_t i = 0; i < action.channels.count; ++i)
    collected_.inv_std[action.channels.first + i] = read_floats<1>(port, of_channel(action.place, i))[0];
}

void HostRuntime::perform(const StoreSums& action, DevicePort& port) {
  stored_ = true;
  const bool documented = program_.request.switches.dst_order == numerics::DstOrder::documented;
  for (std::uint32_t i = 0; i < action.channels.count; ++i) {
    const std::array<float, 3> sums = read_floats<3>(port, of_channel(action.place, i));
    collected_.dbeta[action.channels.first + i] = sums[0];
    collected_.dgamma[action.channels.first + i] = sums[documented ? 1 : 2];
  }
}

void HostRuntime::perform(const StageTensor& action, DevicePort& port) {
  const std::vector<std::uint8_t>& tensor = action.tensor == Tensor::x ? layer_.x : layer_.dy;
  port.write_hbm(action.hbm, tensor.data(), tensor.size());
}

void HostRuntime::perform(const CollectDx& action, DevicePort& port) {
  stored_ = true;
  port.read_hbm(action.hbm, collected_.dx.data(), collected_.dx.size());
}

layer::Results HostRuntime::results() const {
  layer::Results results = collected_;
  const float scale = layer_.loss_scale;
  if (scale == 1.0F) return results;
  for (float& v : results.dgamma) v = numerics::canonical(v / scale);
  for (float& v : results.dbeta) v = numerics::canonical(v / scale);
  const numerics::Switches& switches = program_.request.switches;
  std::vector<float> dx(results.dx.size() / element_bytes_);
  numerics::to_fp32(results.dx.data(), layer_.dtype, dx.size(), dx.data(), switches);
  for (float& v : dx) v /= scale;
  numerics::from_fp32(dx.data(), layer_.dtype, dx.size(), results.dx.data(), switches);
  return results;
}

}  // namespace dve::runtime
