#include "device.h"

#include <stdexcept>

namespace golden {
namespace {

constexpr std::size_t kBlock = 32;

// Element i of channel c after the transposition: the low five bits of both numbers change places.
std::vector<std::vector<float>> transposed(const std::vector<std::vector<float>>& rows) {
  std::vector<std::vector<float>> result = rows;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    for (std::size_t i = 0; i < rows[c].size(); ++i) {
      const std::size_t from_channel = c / kBlock * kBlock + i % kBlock;
      const std::size_t from_element = i / kBlock * kBlock + c % kBlock;
      result[c][i] = rows.at(from_channel).at(from_element);
    }
  }
  return result;
}

}  // namespace

Device::Device(const Options& options, std::size_t sbuf_bytes, std::size_t psum_bytes)
    : memory(sbuf_bytes, psum_bytes), options_(options) {}

Lane& Device::flops(std::size_t first_partition, std::size_t channel) {
  return lanes_.at(options_.flop_by_lane ? channel : first_partition + channel);
}

std::vector<std::vector<float>> Device::read_all(const Tensor& tensor, std::size_t channels) {
  std::vector<std::vector<float>> rows;
  for (std::size_t c = 0; c < channels; ++c) rows.push_back(read_stream(memory, tensor, c, options_));
  return rows;
}

void Device::write_all(const Tensor& tensor, const std::vector<std::vector<float>>& rows) {
  for (std::size_t c = 0; c < rows.size(); ++c) write_stream(memory, tensor, c, rows[c], options_);
}

void Device::grad_accum(const GradAccum& word) {
  const auto x = read_all(word.src0, word.channels);
  const auto dy = read_all(word.src1, word.channels);
  std::vector<std::vector<float>> results;
  for (std::size_t c = 0; c < word.channels; ++c) {
    const float m = read_pointer(memory, word.mean, c, options_);
    const float v = read_pointer(memory, word.inv_std, c, options_);
    flops(word.src0.partition, c).inv_std = v;
    results.push_back(in_destination_order(grad_sums(x[c], dy[c], m, v, options_), options_));
  }
  write_all(word.dst, results);
}

void Device::param_load(const ParamLoad& word) {
  for (std::size_t c = 0; c < word.channels; ++c) {
    const auto abc = read_stream(memory, word.src, c, options_);
    Lane& lane = flops(word.src.partition, c);
    lane.n = word.element_count;
    lane.mean = read_pointer(memory, word.mean, c, options_);
    lane.a = abc.at(0);
    lane.b = abc.at(1);
    lane.c = abc.at(2);
  }
}

void Device::param_load2(const ParamLoad2& word) {
  const Pointer& scale = options_.paramload2_mean_scale ? word.imm1 : word.imm0;
  const Pointer& mean = options_.paramload2_mean_scale ? word.imm0 : word.imm1;
  for (std::size_t c = 0; c < word.channels; ++c) {
    const auto bc = read_stream(memory, word.src, c, options_);
    Lane& lane = flops(word.src.partition, c);
    lane.n = word.element_count;
    lane.mean = read_pointer(memory, mean, c, options_);
    lane.a = read_pointer(memory, scale, c, options_);
    lane.b = bc.at(0);
    lane.c = bc.at(1);
  }
}

void Device::back_prop(const BackProp& word) {
  const auto src0 = read_all(word.src0, word.channels);
  const auto dy = read_all(word.src1, word.channels);
  std::vector<std::vector<float>> results;
  for (std::size_t c = 0; c < word.channels; ++c) {
    results.push_back(back_propagate(src0[c], dy[c], flops(word.src0.partition, c), param_ram, options_));
  }
  write_all(word.dst, results);
}

void Device::stats(const Statistics& word) {
  std::vector<std::vector<float>> results;
  for (const auto& x : read_all(word.src, word.channels)) {
    const Moments m = moments(x, param_ram, options_);
    results.push_back({word.even_count, m.mean, m.nvar});
  }
  write_all(word.dst, results);
}

void Device::stats2(const Statistics& word) {
  std::vector<std::vector<float>> results;
  for (const auto& x : read_all(word.src, word.channels)) {
    results.push_back(stats2_values(x, word.even_count, word.odd_count, param_ram, options_));
  }
  write_all(word.dst, results);
}

void Device::transpose_stats2(const Statistics& word) {
  if (word.channels % kBlock != 0 || word.src.elements() % static_cast<std::int64_t>(kBlock) != 0) {
    throw std::invalid_argument("golden::transpose_stats2: channels and elements must be multiples of 32");
  }
  std::vector<std::vector<float>> results;
  for (const auto& x : transposed(read_all(word.src, word.channels))) {
    results.push_back(stats2_values(x, word.even_count, word.odd_count, param_ram, options_));
  }
  write_all(word.dst, results);
}

void Device::aggregate(const Statistics& word) {
  std::vector<std::vector<float>> results;
  for (const auto& triples : read_all(word.src, word.channels)) {
    const MeanVariance m = aggregate_triples(triples, options_);
    results.push_back({m.mean, m.variance});
  }
  write_all(word.dst, results);
}

void Device::load_param_ram(std::size_t offset, const std::array<float, 8>& values) {
  if (options_.param_ram_offset_bytes && offset % 4 != 0) {
    throw std::out_of_range("golden::load_param_ram: a byte offset must be a multiple of 4");
  }
  const std::size_t first = options_.param_ram_offset_bytes ? offset / 4 : offset;
  for (std::size_t i = 0; i < values.size(); ++i) param_ram.at(first + i) = values[i];
}

void Device::load_reciprocals() {
  const ParamRam table = full_param_ram(options_);
  for (std::size_t first = 0; first < table.size(); first += 8) {
    std::array<float, 8> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = table[first + i];
    load_param_ram(options_.param_ram_offset_bytes ? first * 4 : first, values);
  }
}

}  // namespace golden
