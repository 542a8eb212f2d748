// The batch-norm words on a memory image, one function a word (isa.md 8, 9).
//
// Operands are given as plain places and patterns, not as encoded words. Every word reads all its sources, of all
// channels, before it writes its first result.
#pragma once

#include <array>
#include <cstddef>

#include "arithmetic.h"
#include "memory.h"
#include "options.h"

namespace golden {

// 0x63 / 0x94. src0 = x, src1 = dy; dst takes the three sums.
struct GradAccum {
  Tensor src0;
  Tensor src1;
  Tensor dst;
  Pointer mean;
  Pointer inv_std;
  std::size_t channels = 0;
};

// 0x64. src = A, B, C.
struct ParamLoad {
  Tensor src;
  Pointer mean;
  float element_count = 0;
  std::size_t channels = 0;
};

// 0x8E. src = B, C; the pointers are A and mean, in the order of Options::paramload2_mean_scale.
struct ParamLoad2 {
  Tensor src;
  Pointer imm0;
  Pointer imm1;
  float element_count = 0;
  std::size_t channels = 0;
};

// 0x65. src0 = x (or x_norm), src1 = dy; dst takes dx. The lane's parameters are those of the partition of src0.
struct BackProp {
  Tensor src0;
  Tensor src1;
  Tensor dst;
  std::size_t channels = 0;
};

// 0x60, 0x61, 0x82; Aggregate 0x62 leaves the counts alone.
struct Statistics {
  Tensor src;
  Tensor dst;
  float even_count = 0;
  float odd_count = 0;
  std::size_t channels = 0;
};

class Device {
 public:
  // Memory sizes in bytes per partition.
  Device(const Options& options, std::size_t sbuf_bytes, std::size_t psum_bytes);

  void grad_accum(const GradAccum& word);
  void param_load(const ParamLoad& word);
  void param_load2(const ParamLoad2& word);
  void back_prop(const BackProp& word);
  // One set of statistics; its count is even_count.
  void stats(const Statistics& word);
  void stats2(const Statistics& word);
  // Stats2 of the source transposed in blocks of 32 channels by 32 elements.
  void transpose_stats2(const Statistics& word);
  void aggregate(const Statistics& word);
  // 0x66: eight entries from `offset` on, in the unit of Options::param_ram_offset_bytes. Throws std::out_of_range.
  void load_param_ram(std::size_t offset, const std::array<float, 8>& values);
  // The 32 words that load the whole reciprocal table.
  void load_reciprocals();

  const Lane& lane(std::size_t index) const { return lanes_.at(index); }

  Memory memory;
  ParamRam param_ram{};

 private:
  Lane& flops(std::size_t first_partition, std::size_t channel);
  std::vector<std::vector<float>> read_all(const Tensor& tensor, std::size_t channels);
  void write_all(const Tensor& tensor, const std::vector<std::vector<float>>& rows);

  Options options_;
  std::array<Lane, kPartitions> lanes_{};
};

}  // namespace golden
