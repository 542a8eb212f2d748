// A workload file: layers with shapes, repeat counts, placement, tiling, dtype (interfaces.md 6).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dve/config/config.h"
#include "dve/isa/isa.h"
#include "dve/json/json.h"

namespace dve::workload {

// Where a layer's tensors are: `sbuf`, `psum` (x alone: a word cannot read two PSUM sources, isa.md 7.1) or `hbm` in a
// file, or each by name.
struct Place {
  config::TensorPlace x = config::TensorPlace::sbuf;
  config::TensorPlace dy = config::TensorPlace::sbuf;
  config::TensorPlace dx = config::TensorPlace::sbuf;
};
std::string to_string(const Place& place);  // "hbm", "psum", "x hbm, dy sbuf, dx sbuf"

struct Layer {
  std::string name;                            // letters, digits, _ and -; unique in its workload
  std::array<std::uint64_t, 4> nchw{};         // of x, dy and dx; each at least 1
  std::uint64_t repeat = 1;                    // layers of this shape in the network; at least 1
  isa::Dtype dtype = isa::Dtype::fp32;         // fp32, bf16 or fp16
  bool statistics_given = false;               // false: the device computes mean and variance, the forward statistics
  std::optional<Place> place;                  // absent: place.* of the configuration
  std::optional<std::uint64_t> tile_elements;  // absent: dma.tile_elements of the configuration
  std::filesystem::path data;                  // layer folder with its tensors; empty: seeded ones

  std::uint64_t channels() const { return nchw[1]; }
  std::uint64_t elements() const { return nchw[0] * nchw[2] * nchw[3]; }  // of a channel's stream
};

struct Workload {
  std::filesystem::path file;
  std::string name;
  std::uint64_t batch = 1;  // N of every layer
  std::uint64_t seed = 1;   // of tensors that no folder gives
  std::vector<Layer> layers;

  std::uint64_t layer_count() const;  // with repeats
};

// dtype, place, tile_elements and statistics of the document hold for layers that do not have their own.
// layer::InputError names file, key, value and what was expected.
Workload workload_of(const json::Json& document, const std::filesystem::path& file);
Workload read_workload(const std::filesystem::path& file);

// The workloads of configs/workloads, in alphabetical order.
std::vector<std::string> workload_names();

// What a text means: a path from `folder`, else one from the current folder, else the name of a workload in
// configs/workloads. layer::InputError names it and the workloads there are.
std::filesystem::path find_workload(const std::string& text, const std::filesystem::path& folder);

// The configuration for one layer: its place and tiling replace those of presets and files; --set and sweep axes keep
// the last word. config::Error as config::validate.
config::Effective settings_for(const Layer& layer, const config::Effective& effective);

}  // namespace dve::workload
