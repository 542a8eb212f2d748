// Vector kernels against the scalar specification and against loops that only read the same bytes; 128 channels whose
// rows lie as the model's memories lay them out. Time per element of one source: items_per_second.
#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "dve/kernels/kernels.h"

namespace {

using namespace dve;
using isa::Dtype;

constexpr std::uint32_t kChannels = 128;
constexpr std::size_t kRowBytes = 192 * 1024 + 192;

// In huge pages, as the memories of the model.
std::unique_ptr<std::uint8_t, decltype(&std::free)> allocate(std::size_t size) {
  constexpr std::size_t kPage = std::size_t{1} << 21;
  void* memory = std::aligned_alloc(kPage, (size + kPage - 1) / kPage * kPage);
  madvise(memory, size, MADV_HUGEPAGE);
  return {static_cast<std::uint8_t*>(memory), &std::free};
}

// SBUF: x and dy of a channel side by side in its partition, like the operands of a word.
struct Operands {
  Operands(Dtype of, std::size_t elements)
      : dtype(of), n(elements), offset(n * isa::storage_size(of).value), bytes(allocate(kChannels * kRowBytes)) {
    std::mt19937 random(7);
    std::vector<float> values(2 * n);
    for (std::uint32_t c = 0; c < kChannels; ++c) {
      for (float& v : values) v = static_cast<float>(random() % 4001) / 1000.0F - 2.0F;
      numerics::from_fp32(values.data(), dtype, values.size(), bytes.get() + c * kRowBytes, {});
      partitions[c] = bytes.get() + c * kRowBytes;
      mean[c] = 0.01F * static_cast<float>(c);
      inv_std[c] = 1.5F;
    }
  }
  kernels::Rows x() const { return {partitions.data(), 0, dtype}; }
  kernels::Rows dy() const { return {partitions.data(), offset, dtype}; }

  Dtype dtype;
  std::size_t n, offset;
  std::unique_ptr<std::uint8_t, decltype(&std::free)> bytes;
  std::array<const std::uint8_t*, kChannels> partitions{};
  std::array<float, kChannels> mean{}, inv_std{};
};

void finish(benchmark::State& state, std::size_t n) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kChannels * n));
}

// Every line of a row, and nothing else.
__attribute__((target_clones("avx512f", "avx2", "default"))) void read_row(const std::uint8_t* from, std::size_t bytes,
                                                                           std::array<std::uint64_t, 32>& seen) {
  std::array<std::uint64_t, 32> all = seen;
  for (std::size_t i = 0; i + sizeof all <= bytes; i += sizeof all) {
    std::array<std::uint64_t, 32> lines;
    std::memcpy(lines.data(), from + i, sizeof lines);
    for (std::size_t k = 0; k < lines.size(); ++k) all[k] |= lines[k];
  }
  seen = all;
}

void read_limit(benchmark::State& state, Dtype dtype) {
  const Operands operands(dtype, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    std::array<std::uint64_t, 32> seen{};
    for (std::uint32_t c = 0; c < kChannels; ++c) {
      read_row(operands.x().channel(c), operands.offset, seen);
      read_row(operands.dy().channel(c), operands.offset, seen);
    }
    benchmark::DoNotOptimize(seen);
  }
  finish(state, operands.n);
}

void grad_accumulate(benchmark::State& state, Dtype dtype, const std::string& target) {
  const Operands operands(dtype, static_cast<std::size_t>(state.range(0)));
  kernels::use_target(target);
  std::array<numerics::GradSums, kChannels> sums;
  for (auto _ : state) {
    kernels::grad_accumulate(operands.x(), operands.dy(), kChannels, operands.n, operands.mean.data(),
                             operands.inv_std.data(), {}, sums.data());
    benchmark::DoNotOptimize(sums);
  }
  finish(state, operands.n);
}

void back_propagate(benchmark::State& state, Dtype dtype, const std::string& target) {
  Operands operands(dtype, static_cast<std::size_t>(state.range(0)));
  kernels::use_target(target);
  const std::vector<numerics::LaneParameters> parameters(kChannels, {2048, 0.1F, 0.0004F, 3.0F, 5.0F, 1.0F});
  std::array<std::uint8_t*, kChannels> partitions;
  for (std::uint32_t c = 0; c < kChannels; ++c) partitions[c] = operands.bytes.get() + c * kRowBytes;
  std::array<kernels::Exceptions, kChannels> exceptions;
  for (auto _ : state) {
    kernels::back_propagate(operands.x(), operands.dy(), kChannels, operands.n, parameters.data(), {},
                            {partitions.data(), 2 * operands.offset, dtype}, exceptions.data());
    benchmark::ClobberMemory();
  }
  finish(state, operands.n);
}

void scalar_grad_accumulate(benchmark::State& state) {
  const Operands operands(Dtype::fp32, static_cast<std::size_t>(state.range(0)));
  std::vector<float> x(operands.n), dy(operands.n);
  for (auto _ : state) {
    for (std::uint32_t c = 0; c < kChannels; ++c) {
      std::memcpy(x.data(), operands.x().channel(c), operands.offset);
      std::memcpy(dy.data(), operands.dy().channel(c), operands.offset);
      benchmark::DoNotOptimize(
          numerics::grad_accumulate(x.data(), dy.data(), operands.n, operands.mean[c], operands.inv_std[c], {}));
    }
  }
  finish(state, operands.n);
}

template <class Function, class... Arguments>
void add(const std::string& name, Function function, Arguments... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& s) { function(s, arguments...); })
      ->Arg(64)
      ->Arg(2048)
      ->Arg(16384);
}

}  // namespace

int main(int argc, char** argv) {
  add("read/fp32", read_limit, Dtype::fp32);
  add("read/bf16", read_limit, Dtype::bf16);
  add("grad_accumulate/specification/fp32", scalar_grad_accumulate);
  for (const std::string& target : kernels::targets()) {
    for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::fp8_e4m3}) {
      const std::string suffix = "/" + target + "/" + std::string(isa::name(dtype));
      add("grad_accumulate" + suffix, grad_accumulate, dtype, target);
      add("back_propagate" + suffix, back_propagate, dtype, target);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
