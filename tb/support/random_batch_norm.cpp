#include "support/random_batch_norm.h"

#include <algorithm>
#include <cmath>

namespace dve::testing_support {
namespace {

using isa::Dtype;
using isa::Opcode;
using Random = std::mt19937;

constexpr std::uint32_t kParameters = 0x17000;  // place of immediates and coefficients, past the tensors

std::uint32_t below(Random& random, std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); }

golden::Space golden_space(isa::Space space) {
  return space == isa::Space::sbuf ? golden::Space::sbuf : golden::Space::psum;
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
    const auto limit = static_cast<std::int64_t>((psum ? kBatchNormPsumBytes : region_bytes) / size(dtype)) - 1;
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
    const std::uint32_t begin = psum ? 0 : region, room = psum ? kBatchNormPsumBytes : region_bytes;
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

static float special(Random& random) {
  const float list[] = {INFINITY, -INFINITY, NAN, -0.0f, 1e-41f, 3e38f};
  return list[random() % 6];
}

class Contents {
 public:
  explicit Contents(golden::Device& device) : device_(device) {}

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

 private:
  golden::Device& device_;
};

}  // namespace

golden::Options golden_options(const BatchNormVariant& v) {
  golden::Options o;
  o.dst_order_interpreter = v.interpreter_dst;
  o.product_order_interpreter = v.interpreter_product;
  o.textbook = v.textbook;
  o.wide_accumulator = v.wide;
  return o;
}

std::vector<std::string> settings_of(const BatchNormVariant& v) {
  return {std::string("numerics.dst_order=") + (v.interpreter_dst ? "interpreter" : "documented"),
          std::string("numerics.product_order=") + (v.interpreter_product ? "interpreter" : "documented"),
          std::string("numerics.backprop_form=") + (v.textbook ? "textbook" : "staged"),
          std::string("numerics.accumulator=") + (v.wide ? "wide" : "sequential")};
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

BatchNormRound::BatchNormRound(unsigned seed, isa::Generation generation, const golden::Options& options,
                               golden::Device& device) {
  const WordBuilder build(generation);
  Contents contents(device);
  Random random(seed);
  Case c(random, generation != isa::Generation::maverick);
  partition_ = c.partition();
  const auto counts = c.shape();
  const bool x_psum = c.in_psum(), dx_psum = c.in_psum();
  x_ = c.source(counts, c.source_dtype(), 0x0000, 0x7000, x_psum);
  dy_ = c.source(counts, c.source_dtype(), 0x7000, 0x7000, false);
  dx_ = c.destination(counts, c.output_dtype(dx_psum), 0xE000, 0x8000, dx_psum);
  const Dtype immediates[] = {Dtype::fp32, Dtype::bf16, Dtype::fp16, Dtype::int32};
  const Dtype immediate = immediates[random() % 4];
  mean_ = c.pointer(kParameters, immediate), inv_std_ = c.pointer(kParameters + 4, immediate);
  sums_ = row(sbuf(c.partition(), kParameters + 64), 3, c.output_dtype(false));
  if (random() % 3 == 0) sums_.steps = {static_cast<std::int16_t>(random() % 2 ? 5 : 0)};
  abc_ = {sbuf(c.partition(), kParameters + 256), Dtype::fp32, {3}, {static_cast<std::int16_t>(1 + below(random, 4))}};
  mean32_ = c.pointer(kParameters + 512, Dtype::fp32), scale_ = c.pointer(kParameters + 516, Dtype::fp32);
  bc_ = row(sbuf(c.partition(), kParameters + 640), 2);
  triples_ = row(sbuf(c.partition(), kParameters + 768), 6, Dtype::fp32);
  moments_ = row(sbuf(c.partition(), kParameters + 896), 2, c.output_dtype(false));
  channels_ = static_cast<std::uint8_t>(c.channels());
  elements_ = static_cast<std::uint64_t>(to_golden(x_).elements());
  other_x_ = x_, other_dy_ = dy_, other_dx_ = dx_;
  other_x_.dtype = c.other_dtype(x_, false);
  other_dy_.dtype = c.other_dtype(dy_, false);
  other_dx_.dtype = c.other_dtype(dx_, true);

  contents.garbage(dx_, channels_, random);
  contents.garbage(sums_, channels_, random);
  for (const TensorSpec* spec : {&x_, &dy_}) contents.fill(*spec, channels_, random, options);
  for (const TensorSpec* spec : {&mean_, &inv_std_, &abc_, &mean32_, &scale_, &bc_})
    contents.fill(*spec, channels_, random, options, 0.25);
  contents.garbage(triples_, channels_, random);
  contents.garbage(moments_, channels_, random);
  // maverick has no 0x63 (isa.md 8).
  const bool second_form = random() % 2 != 0 || generation == isa::Generation::maverick;
  if (second_form) {
    words_.push_back(isa::encode(build.grad_accumulate2(x_, dy_, sums_, mean_, inv_std_, channels_)));
  } else {
    isa::S3S3D1Bn word = build.grad_accumulate(x_, dy_, sums_, mean_, inv_std_, channels_);
    if (immediate == Dtype::fp32 && random() % 2 == 0) word.immediate_dtype = Dtype::invalid;  // v1: means fp32
    words_.push_back(isa::encode(word));
  }
  words_.push_back(isa::encode(build.param_load(abc_, mean32_, static_cast<float>(elements_), channels_)));
  words_.push_back(isa::encode(build.back_prop(x_, dy_, dx_, channels_)));
  statistics_ = elements_ <= 512;
  if (statistics_) {
    words_.push_back(isa::encode(build.statistics(Opcode::batch_norm_stats2, x_, triples_, channels_)));
    words_.push_back(isa::encode(build.statistics(Opcode::batch_norm_aggregate, triples_, moments_, channels_)));
  }
  words_.push_back(
      isa::encode(build.param_load2(bc_, scale_, mean32_, static_cast<float>(elements_) + 0.5f, channels_)));
  words_.push_back(isa::encode(build.back_prop(other_x_, other_dy_, other_dx_, channels_)));
}

void BatchNormRound::apply(golden::Device& device) const {
  device.grad_accum({to_golden(x_), to_golden(dy_), to_golden(sums_), to_golden_pointer(mean_),
                     to_golden_pointer(inv_std_), channels_});
  device.param_load({to_golden(abc_), to_golden_pointer(mean32_), static_cast<float>(elements_), channels_});
  device.back_prop({to_golden(x_), to_golden(dy_), to_golden(dx_), channels_});
  if (statistics_) {
    device.stats2({to_golden(x_), to_golden(triples_), static_cast<float>(elements_ - elements_ / 2),
                   static_cast<float>(elements_ / 2), channels_});
    device.aggregate({to_golden(triples_), to_golden(moments_), 0, 0, channels_});
  }
  device.param_load2({to_golden(bc_), to_golden_pointer(scale_), to_golden_pointer(mean32_),
                      static_cast<float>(elements_) + 0.5f, channels_});
  device.back_prop({to_golden(other_x_), to_golden(other_dy_), to_golden(other_dx_), channels_});
}

}  // namespace dve::testing_support
