// A device that only remembers bytes.
#pragma once

#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "dve/runtime/runtime.h"

namespace dve::test {

class FakeDevice : public runtime::DevicePort {
 public:
  void write(const isa::Place& place, const std::uint8_t* data, std::size_t size) override {
    std::memcpy(bytes(place, size), data, size);
  }
  void read(const isa::Place& place, std::uint8_t* data, std::size_t size) override {
    std::memcpy(data, bytes(place, size), size);
  }
  void write_hbm(std::uint64_t address, const std::uint8_t* data, std::size_t size) override {
    if (hbm_.size() < address + size) hbm_.resize(address + size);
    std::memcpy(hbm_.data() + address, data, size);
  }
  void read_hbm(std::uint64_t address, std::uint8_t* data, std::size_t size) override {
    if (hbm_.size() < address + size) hbm_.resize(address + size);
    std::memcpy(data, hbm_.data() + address, size);
  }
  // `count` values of one channel, `shift` bytes after the place.
  template <class T>
  std::vector<T> get(isa::Place place, std::uint32_t channel, std::size_t count, std::int64_t shift = 0) {
    std::vector<T> values(count);
    read(at(place, channel, shift), reinterpret_cast<std::uint8_t*>(values.data()), count * sizeof(T));
    return values;
  }
  template <class T>
  void set(isa::Place place, std::uint32_t channel, const std::vector<T>& values) {
    write(at(place, channel, 0), reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T));
  }
  friend bool operator==(const FakeDevice& a, const FakeDevice& b) {
    return a.partitions_ == b.partitions_ && a.hbm_ == b.hbm_;
  }

 private:
  static isa::Place at(isa::Place place, std::uint32_t channel, std::int64_t shift) {
    place.partition = isa::Partition{isa::number(place.partition) + channel};
    place.offset = static_cast<std::uint32_t>(place.offset + shift);
    return place;
  }
  std::uint8_t* bytes(const isa::Place& place, std::size_t size) {
    std::vector<std::uint8_t>& partition = partitions_[{place.space, place.partition}];
    if (partition.size() < place.offset + size) partition.resize(place.offset + size);
    return partition.data() + place.offset;
  }
  std::map<std::pair<isa::Space, isa::Partition>, std::vector<std::uint8_t>> partitions_;
  std::vector<std::uint8_t> hbm_;
};

// A layer in memory with x = 1, 2, 3, ... and dy = -1, -2, ... through all channels, in the device dtype fp32 or fp16.
inline layer::Layer counting_layer(std::uint32_t channels, std::uint64_t elements, bool given,
                                   isa::Dtype dtype = isa::Dtype::fp32) {
  layer::Layer l;
  l.shape = {channels, elements};
  l.channels = channels;
  l.elements = elements;
  l.dtype = dtype;
  l.statistics_given = given;
  std::vector<float> x, dy;
  for (std::uint64_t i = 0; i < channels * elements; ++i) {
    x.push_back(static_cast<float>(i + 1));
    dy.push_back(-static_cast<float>(i + 1));
  }
  l.file_x = x;
  l.file_dy = dy;
  l.x.resize(x.size() * isa::storage_size(dtype).value);
  l.dy.resize(l.x.size());
  numerics::from_fp32(x.data(), dtype, x.size(), l.x.data(), {});
  numerics::from_fp32(dy.data(), dtype, dy.size(), l.dy.data(), {});
  for (std::uint32_t c = 0; c < channels; ++c) {
    l.gamma.push_back(0.7F + static_cast<float>(c));
    if (given) {
      l.mean.push_back(3.0F + static_cast<float>(c));
      l.inv_std.push_back(0.3F);
    }
  }
  return l;
}

inline runtime::PlanRequest request_of(const layer::Layer& l) {
  runtime::PlanRequest r;
  r.channels = l.channels;
  r.elements = l.elements;
  r.dtype = l.dtype;
  r.statistics_given = l.statistics_given;
  return r;
}

}  // namespace dve::test
