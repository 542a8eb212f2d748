#include "layer_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "files.h"
#include "outputs.h"

namespace dve::layer {
namespace fs = std::filesystem;
namespace {

// Anything of this name. What cannot be looked at counts as there, so that reading it says why.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::status(path, error).type() != fs::file_type::not_found;
}

[[noreturn]] void fail(const fs::path& path, std::string_view problem) {
  throw InputError(fmt::format("{}: {}", path.string(), problem));
}

std::string text(const std::vector<std::uint64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

// [C, n] is one batch of C streams; [N, C, ...] is N batches of C pieces of the streams.
struct Streams {
  std::uint64_t batches = 1;
  std::uint64_t channels = 0;
  std::uint64_t piece = 1;  // contiguous elements of one channel in one batch
};

Streams streams_of(const std::vector<std::uint64_t>& shape) {
  Streams s;
  const std::size_t channel_axis = shape.size() == 2 ? 0 : 1;
  if (channel_axis == 1) s.batches = shape[0];
  s.channels = shape[channel_axis];
  for (std::size_t axis = channel_axis + 1; axis < shape.size(); ++axis) s.piece *= shape[axis];
  return s;
}

// Calls move(file element, channel-major element, elements) for every contiguous piece.
template <class Move>
void for_each_piece(const std::vector<std::uint64_t>& shape, Move move) {
  const Streams s = streams_of(shape);
  for (std::uint64_t b = 0; b < s.batches; ++b) {
    for (std::uint64_t c = 0; c < s.channels; ++c) {
      move((b * s.channels + c) * s.piece, (c * s.batches + b) * s.piece, s.piece);
    }
  }
}

template <class T>
std::vector<T> channel_major(const std::vector<T>& file, const std::vector<std::uint64_t>& shape) {
  std::vector<T> result(file.size());
  for_each_piece(shape, [&](std::uint64_t from, std::uint64_t to, std::uint64_t count) {
    std::memcpy(result.data() + to, file.data() + from, count * sizeof(T));
  });
  return result;
}

NpyArray read_tensor(const fs::path& path, const Layer& layer, bool contents = true) {
  NpyArray array = contents ? read_npy(path) : read_npy_shape(path);
  if (array.shape != layer.shape) {
    fail(path, fmt::format("shape {}, expected {} as x.npy", text(array.shape), text(layer.shape)));
  }
  return array;
}

NpyArray read_vector(const fs::path& path, const Layer& layer) {
  NpyArray array = read_npy(path);
  if (array.shape != std::vector<std::uint64_t>{layer.channels}) {
    fail(path, fmt::format("shape {}, expected [{}]: one value a channel", text(array.shape), layer.channels));
  }
  return array;
}

std::vector<float> read_fp32_vector(const fs::path& path, const Layer& layer) {
  const NpyArray array = read_vector(path, layer);
  if (array.type != NpyType::f4) fail(path, fmt::format("dtype {}, expected <f4", descr(array.type)));
  std::vector<float> values(layer.channels);
  std::memcpy(values.data(), array.data.data(), array.data.size());
  return values;
}

std::vector<float> file_values(const NpyArray& array) {
  const std::vector<double> exact = float_values(array);
  std::vector<float> values(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) values[i] = static_cast<float>(exact[i]);
  return channel_major(values, array.shape);
}

std::vector<std::uint8_t> device_values(const NpyArray& array, const std::vector<float>& values, const Layer& layer,
                                        float scale, const numerics::Switches& switches) {
  const std::size_t bytes = isa::storage_size(layer.dtype).value;
  std::vector<std::uint8_t> device(values.size() * bytes);
  if (layer.file_dtype == layer.dtype && scale == 1.0F) {
    for_each_piece(array.shape, [&](std::uint64_t from, std::uint64_t to, std::uint64_t count) {
      std::memcpy(device.data() + to * bytes, array.data.data() + from * bytes, count * bytes);
    });
    return device;
  }
  std::vector<float> scaled = values;
  for (float& v : scaled) v *= scale;
  numerics::from_fp32(scaled.data(), layer.dtype, scaled.size(), device.data(), switches);
  return device;
}

void check_options(const fs::path& folder, const LayerOptions& options) {
  if (!(options.loss_scale > 0) || !std::isfinite(options.loss_scale)) {
    fail(folder, fmt::format("loss scale {}, expected a positive finite number", options.loss_scale));
  }
  const isa::Dtype dtype = options.dtype.value_or(isa::Dtype::fp32);
  if (dtype != isa::Dtype::fp32 && dtype != isa::Dtype::fp16 && dtype != isa::Dtype::bf16) {
    fail(folder, fmt::format("device dtype {}, expected fp32, bf16 or fp16", isa::name(dtype)));
  }
}

void take_shape(Layer& layer, const NpyArray& x, const fs::path& path) {
  if (x.shape.size() < 2) {
    fail(path, fmt::format("shape {}, expected [C, n] or [N, C, ...] with at least 2 dimensions", text(x.shape)));
  }
  if (x.count() == 0) fail(path, fmt::format("shape {} has no elements, expected at least one", text(x.shape)));
  if (!layer_dtype(x.type))
    fail(path, fmt::format("dtype {}, expected <f4, <f2 or <u2 (bfloat16 bits)", descr(x.type)));
  const Streams s = streams_of(x.shape);
  if (s.channels > 0xFFFFFFFF) fail(path, fmt::format("{} channels, expected fewer than 2^32", s.channels));
  layer.shape = x.shape;
  layer.channels = static_cast<std::uint32_t>(s.channels);
  layer.elements = s.batches * s.piece;
  layer.file_dtype = *layer_dtype(x.type);
}

void take_contents(Layer& layer, const NpyArray& x, const NpyArray& dy, const LayerOptions& options) {
  layer.file_x = file_values(x);
  layer.x = device_values(x, layer.file_x, layer, 1.0F, options.switches);
  layer.file_dy = file_values(dy);
  layer.dy = device_values(dy, layer.file_dy, layer, options.loss_scale, options.switches);
}

void read_statistics(Layer& layer, const LayerOptions& options) {
  if (options.device_statistics) return;
  const fs::path mean = layer.folder / "mean.npy", inv_std = layer.folder / "inv_std.npy";
  const bool has_mean = is_there(mean), has_inv_std = is_there(inv_std);
  if (has_mean != has_inv_std) {
    fail(has_mean ? inv_std : mean,
         fmt::format("does not exist though {} does, expected both or neither", has_mean ? "mean.npy" : "inv_std.npy"));
  }
  if (!has_mean) return;
  layer.mean = read_fp32_vector(mean, layer);
  layer.inv_std = read_fp32_vector(inv_std, layer);
  layer.statistics_given = true;
}

void read_references(Layer& layer) {
  for (const std::string base : {"dx", "dgamma", "dbeta", "y", "mean", "var"}) {
    const bool tensor = base == "dx" || base == "y";
    if (layer.statistics_given && (base == "mean" || base == "var")) continue;
    for (const std::string& name : {base, base + "64"}) {
      const fs::path path = layer.folder / (name + ".npy");
      if (!is_there(path)) continue;
      const NpyArray array = tensor ? read_tensor(path, layer) : read_vector(path, layer);
      if (array.type != NpyType::f8 && !layer_dtype(array.type)) {
        fail(path, fmt::format("dtype {}, expected <f8, <f4, <f2 or <u2 (bfloat16 bits)", descr(array.type)));
      }
      std::vector<double> values = float_values(array);
      layer.references[name] = {array.type, tensor ? channel_major(values, layer.shape) : std::move(values)};
    }
  }
}

}  // namespace

Layer load_layer(const fs::path& folder, const LayerOptions& options) {
  check_options(folder, options);
  std::error_code error;
  if (!is_there(folder)) fail(folder, "does not exist, expected a layer folder with x.npy, dy.npy, gamma.npy");
  if (!fs::is_directory(folder, error))
    fail(folder, "is not a directory, expected a layer folder with x.npy, dy.npy, gamma.npy");
  Layer layer;
  layer.folder = folder;
  layer.loss_scale = options.loss_scale;

  const NpyArray x = options.contents ? read_npy(folder / "x.npy") : read_npy_shape(folder / "x.npy");
  take_shape(layer, x, folder / "x.npy");
  layer.dtype = options.dtype.value_or(layer.file_dtype);
  const NpyArray dy = read_tensor(folder / "dy.npy", layer, options.contents);
  if (dy.type != x.type) {
    fail(folder / "dy.npy", fmt::format("dtype {}, expected {} as x.npy", descr(dy.type), descr(x.type)));
  }
  if (options.contents) take_contents(layer, x, dy, options);

  layer.gamma = read_fp32_vector(folder / "gamma.npy", layer);
  if (is_there(folder / "beta.npy")) layer.beta = read_fp32_vector(folder / "beta.npy", layer);
  read_statistics(layer, options);
  if (options.contents) read_references(layer);
  return layer;
}

NpyArray tensor_array(const Layer& layer, const std::vector<std::uint8_t>& channel_major) {
  const std::size_t bytes = isa::storage_size(layer.dtype).value;
  NpyArray array{*npy_type(layer.dtype), layer.shape, std::vector<std::uint8_t>(channel_major.size())};
  for_each_piece(layer.shape, [&](std::uint64_t file, std::uint64_t stream, std::uint64_t count) {
    std::memcpy(array.data.data() + file * bytes, channel_major.data() + stream * bytes, count * bytes);
  });
  return array;
}

void write_results(const Layer& layer, const Results& results, const fs::path& folder) {
  Outputs outputs;
  const auto write = [&](const char* name, const NpyArray& array) {
    outputs.attempt([&] { write_npy(folder / name, array); });
  };
  write("dx.npy", tensor_array(layer, results.dx));
  write("dgamma.npy", npy_vector(results.dgamma));
  write("dbeta.npy", npy_vector(results.dbeta));
  if (!results.var.empty()) {
    write("mean.npy", npy_vector(results.mean));
    write("var.npy", npy_vector(results.var));
    write("inv_std.npy", npy_vector(results.inv_std));
  }
  if (!results.y.empty()) write("y.npy", tensor_array(layer, results.y));
  outputs.finish();
}

}  // namespace dve::layer
