// The host while a program runs: moves the layer's data in and out and does the host's arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dve/layer/layer.h"
#include "program.h"

namespace dve::runtime {

// The device's memories as the host sees them: contiguous bytes of one partition a call.
class DevicePort {
 public:
  virtual ~DevicePort() = default;
  virtual void write(const isa::Place& place, const std::uint8_t* data, std::size_t size) = 0;
  virtual void read(const isa::Place& place, std::uint8_t* data, std::size_t size) = 0;
  // HBM, by bytes from its start.
  virtual void write_hbm(std::uint64_t address, const std::uint8_t* data, std::size_t size) = 0;
  virtual void read_hbm(std::uint64_t address, std::uint8_t* data, std::size_t size) = 0;
};

struct HostOptions {
  double eps = 1e-5;  // added to the variance; finite
};

// fp32(1 / sqrt(double(var) + eps)). layer::InputError when var + eps <= 0, naming `channel`. A NaN variance gives NaN.
float inverse_standard_deviation(float var, double eps, std::uint32_t channel);

// staged: (gamma * inv_std) / N, two binary32 roundings; textbook: gamma * inv_std.
float coefficient_a(float gamma, float inv_std, float element_count, numerics::BackpropForm form);

// layer::InputError when the layer's channels, elements, dtype or statistics are not those of the program, a full step
// finds no beta, or eps is not finite.
void check_layer(const layer::Layer& layer, const Program& program, const HostOptions& options);

// Performs a program's actions. Keeps references to the layer and the program: both must outlive it. Results collect
// here; those that have not been stored are NaN.
class HostRuntime {
 public:
  // layer::InputError as check_layer().
  HostRuntime(const layer::Layer& layer, const Program& program, const HostOptions& options);

  // layer::InputError from the arithmetic above; whatever the port throws passes through.
  void perform_initial(DevicePort& port) { perform(program_.initial, port); }
  void perform_step(std::size_t k, DevicePort& port) { perform(program_.steps.at(k - 1), port); }  // k from 1
  void perform_final(DevicePort& port) { perform(program_.final, port); }
  std::size_t steps() const { return program_.steps.size(); }

  // Something has been stored already.
  bool has_stored() const { return stored_; }

  // What has been collected, divided by the loss scale: in binary32, dx then converted to the device dtype again.
  layer::Results results() const;

 private:
  void perform(const Actions& actions, DevicePort& port);
  void perform(const LoadTensor& action, DevicePort& port);
  void perform(const LoadVector& action, DevicePort& port);
  void perform(const StoreStatistics& action, DevicePort& port);
  void perform(const ComputeInvStd& action, DevicePort& port);
  void perform(const WriteA& action, DevicePort& port);
  void perform(const AddTileSums& action, DevicePort& port);
  void perform(const StoreDx& action, DevicePort& port);
  void perform(const StoreY& action, DevicePort& port);
  void perform(const StoreInvStd& action, DevicePort& port);
  void perform(const StoreSums& action, DevicePort& port);
  void perform(const StageTensor& action, DevicePort& port);
  void perform(const CollectDx& action, DevicePort& port);
  void store_stream(ChannelRange channels, ElementRange elements, const isa::Place& place,
                    std::vector<std::uint8_t>& into, DevicePort& port);
  const std::vector<float>& values_of(Vector vector) const;
  void load_normalised(const LoadTensor& action, DevicePort& port);
  std::size_t byte_of(std::uint32_t channel, std::uint64_t element) const;  // in a channel-major device tensor

  const layer::Layer& layer_;
  const Program& program_;
  HostOptions options_;
  std::size_t element_bytes_ = 0;
  bool stored_ = false;
  layer::Results collected_;  // not divided by the loss scale
};

}  // namespace dve::runtime
