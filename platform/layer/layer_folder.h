// A layer folder: the inputs of one batch-norm layer's training step, and references to compare with (interfaces.md 2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dve/isa/isa.h"
#include "dve/numerics/numerics.h"
#include "npy.h"

namespace dve::layer {

struct LayerOptions {
  std::optional<isa::Dtype> dtype;  // device dtype of x, dy, dx: fp32, bf16 or fp16; absent: that of x.npy
  float loss_scale = 1;             // finite and positive
  bool device_statistics = false;   // ignore mean.npy and inv_std.npy as inputs: the device computes the statistics
  bool contents = true;             // false: tensors and references stay in their files, only shapes are looked at
  numerics::Switches switches;      // narrow_overflow takes part in the conversion to the device dtype
};

// Channel-major means [C][n]: one channel's stream after the other, in the stream order of interfaces.md 2.
struct Layer {
  std::filesystem::path folder;
  std::vector<std::uint64_t> shape;          // of x.npy: [C, n] or [N, C, ...]
  std::uint32_t channels = 0;                // C
  std::uint64_t elements = 0;                // n, stream length of a channel
  isa::Dtype file_dtype = isa::Dtype::fp32;  // of x.npy and dy.npy
  isa::Dtype dtype = isa::Dtype::fp32;       // on the device
  float loss_scale = 1;
  bool statistics_given = false;  // mean and inv_std below are inputs

  std::vector<std::uint8_t> x, dy;     // device inputs, channel-major in `dtype`; dy is multiplied by loss_scale
  std::vector<float> file_x, file_dy;  // the file's values, channel-major, exactly; dy without loss_scale
  std::vector<float> gamma;            // [C]
  std::vector<float> beta;             // [C], or empty when there is no beta.npy
  std::vector<float> mean, inv_std;    // [C], or empty when the device computes the statistics

  // Reference files by name without .npy: dx dgamma dbeta y mean var and the same with 64. Values are exact; dx and y
  // are channel-major. mean and var are here only when the device computes the statistics.
  struct Reference {
    NpyType type = NpyType::f4;
    std::vector<double> values;
  };
  std::map<std::string, Reference> references;
};

// Reads and validates a folder. With the loss scale S, the device's dy is convert(dy * S): the product is rounded to
// binary32, then to the device dtype (nearest even). Without one (S = 1) equal dtypes are copied bit for bit.
// InputError: a file missing or unusable, shapes, ranks or dtypes that do not fit, no elements, one of mean.npy and
// inv_std.npy without the other (unless device_statistics), an unusable dtype or loss scale.
Layer load_layer(const std::filesystem::path& folder, const LayerOptions& options = {});

// What a run gives back, already divided by the loss scale.
struct Results {
  std::vector<std::uint8_t> dx;      // channel-major in the device dtype
  std::vector<std::uint8_t> y;       // the same; empty unless the step is full
  std::vector<float> dgamma, dbeta;  // [C]
  std::vector<float> mean, var,
      inv_std;  // [C]; mean and inv_std are the ones the run used, var is empty unless computed
};

// A channel-major device tensor as an array of the layer's shape.
NpyArray tensor_array(const Layer& layer, const std::vector<std::uint8_t>& channel_major);

// Writes dx.npy, dgamma.npy, dbeta.npy and, when computed, mean.npy, var.npy, inv_std.npy and y.npy into an existing
// folder.
// OutputError names the file.
void write_results(const Layer& layer, const Results& results, const std::filesystem::path& folder);

}  // namespace dve::layer
