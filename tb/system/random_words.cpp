#include "system/random_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "golden/golden.h"
#include "support/core_bench.h"
#include "support/words.h"

namespace dve::testing_support {
namespace {

using isa::Dtype;
using isa::Opcode;
using Random = std::mt19937;

constexpr std::uint32_t kSbufBytes = 96 * 1024;  // window of each partition that the test uses
constexpr std::uint32_t kPsumBytes = 16 * 1024;
constexpr std::uint32_t kParameters = 0x17000;  // place of immediates and coefficients, past the tensors

std::uint32_t below(Random& random, std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); }

struct Variant {
  bool interpreter_dst, interpreter_product, textbook;
};

golden::Options golden_options(const Variant& v) {
  golden::Options o;
  o.dst_order_interpreter = v.interpreter_dst;
  o.product_order_interpreter = v.interpreter_product;
  o.textbook = v.textbook;
  return o;
}

std::vector<std::string> settings(const Variant& v) {
  return {std::string("numerics.dst_order=") + (v.interpreter_dst ? "interpreter" : "documented"),
          std::string("numerics.product_order=") + (v.interpreter_product ? "interpreter" : "documented"),
          std::string("numerics.backprop_form=") + (v.textbook ? "textbook" : "staged")};
}

golden::Space golden_space(isa::Space space) {
  return space == isa::Space::sbuf ? golden::Space::sbuf : golden::Space::psum;
}

golden::Tensor to_golden(const TensorSpec& spec) {
  golden::Tensor t;
  t.space = golden_space(spec.place.space);
  t.partition = isa::number(spec.place.partition);
  t.offset = spec.place.offset;
  t.dtype = static_cast<golden::Dtype>(isa::code(spec.dtype));
  for (std::size_t d = 0; d < spec.counts.size(); ++d) {
    t.counts[d] = spec.counts[d];
    t.steps[d] = spec.steps[d];
  }
  return t;
}

golden::Pointer to_golden_pointer(const TensorSpec& spec) {
  return {golden_space(spec.place.space), isa::number(spec.place.partition), spec.place.offset,
          static_cast<golden::Dtype>(isa::code(spec.dtype))};
}

// Lowest and highest element offset of a pattern, relative to its start.
std::pair<std::int64_t, std::int64_t> reach(const TensorSpec& spec) {
  std::int64_t low = 0, high = 0;
  for (std::size_t d = 0; d < spec.counts.size(); ++d) {
    const std::int64_t span = std::int64_t{spec.steps[d]} * (spec.counts[d] - 1);
    (span < 0 ? low : high) += span;
  }
  return {low, high};
}

class Case {
 public:
  Case(Random& random, bool psum_ok) : random_(random), psum_ok_(psum_ok) {
    channels_ = random_() % 8 == 0 ? 128 : 1 + below(random_, 128);
    const std::uint32_t starts[] = {0, 32, 64, 96};
    partition_ = channels_ > 64 ? 0 : channels_ > 32 ? 64 * below(random_, 2) : starts[below(random_, 4)];
  }
  std::uint32_t channels() const { return channels_; }
  std::uint32_t partition() const { return partition_; }

  // Counts of up to three dimensions; odd, prime and tiny products are all frequent.
  std::vector<std::uint16_t> shape() {
    const std::uint32_t limit = random_() % 10 == 0 ? 3000 : 300;
    std::uint32_t n = 1 + below(random_, limit);
    std::vector<std::uint16_t> counts;
    for (int d = 0; d < 2; ++d) {
      std::uint16_t c = static_cast<std::uint16_t>(1 + below(random_, std::min<std::uint32_t>(n, 40)));
      counts.push_back(c);
      n = std::max<std::uint32_t>(1, n / c);
    }
    counts.push_back(static_cast<std::uint16_t>(n));
    std::shuffle(counts.begin(), counts.end(), random_);
    return counts;
  }

  // A source of that many elements: running, padded, broadcast, reversed or scattered steps.
  TensorSpec source(std::vector<std::uint16_t> counts, Dtype dtype, std::uint32_t region, std::uint32_t region_bytes,
                    bool psum) {
    TensorSpec spec;
    spec.dtype = dtype;
    spec.counts = counts;
    spec.steps.assign(3, 1);
    const auto limit = static_cast<std::int64_t>((psum ? kPsumBytes : region_bytes) / size(dtype)) - 1;
    do {
      std::int64_t running = 1;
      const std::uint32_t style = below(random_, 5);
      for (std::size_t d = 0; d < 3; ++d) {
        std::int64_t step = running + (style == 1 ? below(random_, 7) : 0);
        if (style == 2 && below(random_, 2) == 0) step = 0;
        if (style == 3 && below(random_, 2) == 0) step = -step;
        if (style == 4) step = static_cast<std::int64_t>(below(random_, 1201)) - 600;
        spec.steps[d] = static_cast<std::int16_t>(std::clamp<std::int64_t>(step, -32768, 32767));
        running *= counts[d];
      }
    } while (reach(spec).second - reach(spec).first > limit);
    place(spec, region, region_bytes, psum);
    return spec;
  }

  // A destination whose elements do not overlap: running products, possibly padded, possibly reversed.
  TensorSpec destination(std::vector<std::uint16_t> counts, Dtype dtype, std::uint32_t region,
                         std::uint32_t region_bytes, bool psum) {
    TensorSpec spec;
    spec.dtype = dtype;
    spec.counts = counts;
    spec.steps.assign(counts.size(), 1);
    std::int64_t running = 1;
    for (std::size_t d = 0; d < counts.size(); ++d) {
      const bool reversed = below(random_, 4) == 0;
      spec.steps[d] = static_cast<std::int16_t>(reversed ? -running : running);
      running *= counts[d];
      if (running * static_cast<std::int64_t>(size(dtype)) < region_bytes / 2 && below(random_, 3) == 0) ++running;
    }
    place(spec, region, region_bytes, psum);
    return spec;
  }

  TensorSpec pointer(std::uint32_t offset, Dtype dtype) const { return row(sbuf(partition_, offset), 1, dtype); }

  Dtype source_dtype() {
    const Dtype list[] = {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::int32};
    return list[below(random_, 4)];
  }
  Dtype output_dtype(bool psum) {
    const Dtype list[] = {Dtype::fp32, Dtype::bf16, Dtype::fp16};
    return psum ? Dtype::fp32 : list[below(random_, 3)];
  }
  // Any dtype that BackProp accepts for a source, or for a destination, and that is no larger than the operand's own:
  // the same bytes read, or written, as something else.
  Dtype other_dtype(const TensorSpec& spec, bool output) {
    const Dtype sources[] = {Dtype::int8,     Dtype::uint8, Dtype::fp8_e3m4, Dtype::fp8_e4m3,
                             Dtype::fp8_e5m2, Dtype::int16, Dtype::uint16,   Dtype::bf16,
                             Dtype::fp16,     Dtype::int32, Dtype::uint32,   Dtype::fp32};
    const bool psum = spec.place.space == isa::Space::psum;
    while (true) {
      const Dtype dtype = output && below(random_, 8) == 0 ? Dtype::fp32r : sources[below(random_, 12)];
      if (size(dtype) <= size(spec.dtype) && !(output && psum && size(dtype) != 4)) return dtype;
    }
  }
  bool in_psum() { return psum_ok_ && below(random_, 3) == 0; }

 private:
  static std::uint32_t size(Dtype dtype) { return static_cast<std::uint32_t>(isa::storage_size(dtype).value); }

  void place(TensorSpec& spec, std::uint32_t region, std::uint32_t region_bytes, bool psum) {
    const auto [low, high] = reach(spec);
    const std::uint32_t unit = size(spec.dtype);
    const std::uint32_t begin = psum ? 0 : region, room = psum ? kPsumBytes : region_bytes;
    const auto used = static_cast<std::uint32_t>(high - low + 1) * unit;
    const std::uint32_t slack = (room - used) / unit;
    const std::uint32_t first = begin + unit * (slack == 0 ? 0 : below(random_, slack));
    const auto offset = static_cast<std::uint32_t>(std::int64_t{first} - low * unit);
    spec.place = psum ? testing_support::psum(partition_, offset) : sbuf(partition_, offset);
  }

  Random& random_;
  bool psum_ok_;
  std::uint32_t channels_ = 1, partition_ = 0;
};

// The two memories of device and golden side by side.
class Mirror {
 public:
  Mirror(golden::Device& device, Host& host) : device_(device), host_(host) {}

  // Random values that the dtype holds, in every element of the operand's partitions; the odd special among them.
  void fill(const TensorSpec& spec, std::uint32_t channels, Random& random, const golden::Options& options,
            double scale = 1) {
    golden::Tensor t = to_golden(spec);
    for (std::uint32_t c = 0; c < channels; ++c) {
      std::vector<float> values(static_cast<std::size_t>(t.elements()));
      for (float& v : values) v = static_cast<float>(scale * (static_cast<int>(random() % 4001) - 2000) / 512.0);
      if (random() % 64 == 0 && scale == 1) values[random() % values.size()] = special(random);
      golden::write_stream(device_.memory, t, c, values, options);
    }
  }
  void garbage(const TensorSpec& spec, std::uint32_t channels, Random& random) {
    golden::Tensor t = to_golden(spec);
    for (std::uint32_t c = 0; c < channels; ++c)
      for (std::int64_t i = 0; i < t.elements(); ++i)
        for (int b = 0; b < golden::bytes_of(t.dtype); ++b)
          device_.memory.at(t.space, t.partition + c, t.offset_of(i) + b) = static_cast<std::uint8_t>(random());
  }
  // Golden contents of partitions to the device.
  void push(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t p = first; p < first + count; ++p) {
      host_.write(sbuf(p, 0), &device_.memory.at(golden::Space::sbuf, p, 0), kSbufBytes);
      host_.write(psum(p, 0), &device_.memory.at(golden::Space::psum, p, 0), kPsumBytes);
    }
  }
  // Every byte of the partitions is what the golden says.
  bool equal(std::uint32_t first, std::uint32_t count) {
    std::vector<std::uint8_t> bytes(kSbufBytes);
    for (std::uint32_t p = first; p < first + count; ++p) {
      host_.read(sbuf(p, 0), bytes.data(), kSbufBytes);
      if (std::memcmp(bytes.data(), &device_.memory.at(golden::Space::sbuf, p, 0), kSbufBytes) != 0) return false;
      host_.read(psum(p, 0), bytes.data(), kPsumBytes);
      if (std::memcmp(bytes.data(), &device_.memory.at(golden::Space::psum, p, 0), kPsumBytes) != 0) return false;
    }
    return true;
  }

 private:
  static float special(Random& random) {
    const float list[] = {INFINITY, -INFINITY, NAN, -0.0f, 1e-41f, 3e38f};
    return list[random() % 6];
  }
  golden::Device& device_;
  Host& host_;
};

}  // namespace

void compare_random_words(const RandomWords& choice) {
  const Variant v{(choice.variant & 1) != 0, (choice.variant & 2) != 0, (choice.variant & 4) != 0};
  const golden::Options options = golden_options(v);
  golden::Device golden_device(options, kSbufBytes, kPsumBytes);
  golden_device.load_reciprocals();
  CoreBench bench(preset(isa::Generation::cayman, settings(v)), "core", 0, choice.lanes);
  const auto outcome = bench.run([&](Host& host) {
    const WordBuilder build(isa::Generation::cayman);
    Mirror mirror(golden_device, host);
    CoreBench::execute(host, build.load_reciprocals());
    for (int round = 0; round < choice.rounds; ++round) {
      const auto seed = static_cast<unsigned>(1000 * choice.variant + round);
      SCOPED_TRACE("seed " + std::to_string(seed));
      Random random(seed);
      Case c(random, true);
      const auto counts = c.shape();
      const bool x_psum = c.in_psum(), dx_psum = c.in_psum();
      const TensorSpec x = c.source(counts, c.source_dtype(), 0x0000, 0x7000, x_psum);
      const TensorSpec dy = c.source(counts, c.source_dtype(), 0x7000, 0x7000, false);
      const TensorSpec dx = c.destination(counts, c.output_dtype(dx_psum), 0xE000, 0x8000, dx_psum);
      const Dtype immediates[] = {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::int32};
      const Dtype immediate = immediates[random() % 4];
      const TensorSpec mean = c.pointer(kParameters, immediate), inv_std = c.pointer(kParameters + 4, immediate);
      TensorSpec sums = row(sbuf(c.partition(), kParameters + 64), 3, c.output_dtype(false));
      if (random() % 3 == 0) sums.steps = {static_cast<std::int16_t>(random() % 2 ? 5 : 0)};
      const TensorSpec abc{
          sbuf(c.partition(), kParameters + 256), Dtype::fp32, {3}, {static_cast<std::int16_t>(1 + below(random, 4))}};
      const TensorSpec mean32 = c.pointer(kParameters + 512, Dtype::fp32),
                       scale = c.pointer(kParameters + 516, Dtype::fp32);
      const TensorSpec bc = row(sbuf(c.partition(), kParameters + 640), 2);
      const TensorSpec triples = row(sbuf(c.partition(), kParameters + 768), 6, Dtype::fp32);
      const TensorSpec moments = row(sbuf(c.partition(), kParameters + 896), 2, c.output_dtype(false));
      const auto channels = static_cast<std::uint8_t>(c.channels());
      const auto n = static_cast<std::uint64_t>(to_golden(x).elements());
      TensorSpec other_x = x, other_dy = dy, other_dx = dx;
      other_x.dtype = c.other_dtype(x, false);
      other_dy.dtype = c.other_dtype(dy, false);
      other_dx.dtype = c.other_dtype(dx, true);

      mirror.garbage(dx, channels, random);
      mirror.garbage(sums, channels, random);
      for (const TensorSpec* spec : {&x, &dy}) mirror.fill(*spec, channels, random, options);
      for (const TensorSpec* spec : {&mean, &inv_std, &abc, &mean32, &scale, &bc})
        mirror.fill(*spec, channels, random, options, 0.25);
      mirror.garbage(triples, channels, random);
      mirror.garbage(moments, channels, random);
      mirror.push(c.partition(), channels);

      std::vector<isa::Word> words;
      const bool second_form = random() % 2 != 0;
      if (second_form) {
        words.push_back(isa::encode(build.grad_accumulate2(x, dy, sums, mean, inv_std, channels)));
      } else {
        isa::S3S3D1Bn word = build.grad_accumulate(x, dy, sums, mean, inv_std, channels);
        if (immediate == Dtype::fp32 && random() % 2 == 0) word.immediate_dtype = Dtype::invalid;  // v1: means fp32
        words.push_back(isa::encode(word));
      }
      words.push_back(isa::encode(build.param_load(abc, mean32, static_cast<float>(n), channels)));
      words.push_back(isa::encode(build.back_prop(x, dy, dx, channels)));
      const bool statistics = n <= 512;
      if (statistics) {
        words.push_back(isa::encode(build.statistics(Opcode::batch_norm_stats2, x, triples, channels)));
        words.push_back(isa::encode(build.statistics(Opcode::batch_norm_aggregate, triples, moments, channels)));
      }
      words.push_back(isa::encode(build.param_load2(bc, scale, mean32, static_cast<float>(n) + 0.5f, channels)));
      words.push_back(isa::encode(build.back_prop(other_x, other_dy, other_dx, channels)));

      for (int repeat = 0; repeat < 2; ++repeat) {
        CoreBench::execute(host, words);
        for (const auto& fault : bench.core().seq().faults()) ADD_FAILURE() << isa::to_string(fault.finding);
        if (!bench.core().seq().faults().empty()) return;
        golden_device.grad_accum({to_golden(x), to_golden(dy), to_golden(sums), to_golden_pointer(mean),
                                  to_golden_pointer(inv_std), channels});
        golden_device.param_load({to_golden(abc), to_golden_pointer(mean32), static_cast<float>(n), channels});
        golden_device.back_prop({to_golden(x), to_golden(dy), to_golden(dx), channels});
        if (statistics) {
          golden_device.stats2(
              {to_golden(x), to_golden(triples), static_cast<float>(n - n / 2), static_cast<float>(n / 2), channels});
          golden_device.aggregate({to_golden(triples), to_golden(moments), 0, 0, channels});
        }
        golden_device.param_load2({to_golden(bc), to_golden_pointer(scale), to_golden_pointer(mean32),
                                   static_cast<float>(n) + 0.5f, channels});
        golden_device.back_prop({to_golden(other_x), to_golden(other_dy), to_golden(other_dx), channels});
        ASSERT_TRUE(mirror.equal(c.partition(), channels))
            << "repeat " << repeat << ", n " << n << ", channels " << int{channels};
      }
    }
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
}

}  // namespace dve::testing_support
