// Sums over the elements of a channel: kLanes channels at a time, one a lane.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "vector.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dve/kernels/sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dve::kernels::HWY_NAMESPACE {

using isa::Dtype;
using numerics::Switches;

// Elements that are converted, or get their reciprocals, at a time: whole triples, whole pairs, whole steps.
constexpr std::size_t kChunk = 240;

// The rows of kLanes channels; past the last channel that channel again.
struct Group {
  const std::uint8_t* rows[kLanes];
  std::uint32_t channels;  // that count

  Group(const Rows& operand, std::uint32_t first, std::uint32_t all)
      : channels(std::min<std::uint32_t>(all - first, kLanes)) {
    for (std::uint32_t i = 0; i < kLanes; ++i) rows[i] = operand.channel(first + std::min(i, channels - 1));
  }
};

// A chunk of a group's rows as binary32.
class Converted {
 public:
  void take(const Group& group, Dtype dtype, std::size_t first, std::size_t count, const Switches& switches) {
    const std::size_t at = first * isa::storage_size(dtype).value;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const std::uint32_t row = std::min(i, group.channels - 1);
      if (i == row) kernels::to_fp32(group.rows[i] + at, dtype, count, values_[i], switches);
      rows_[i] = reinterpret_cast<const std::uint8_t*>(values_[row]);
    }
  }
  const std::uint8_t* const* rows() const { return rows_; }

 private:
  float values_[kLanes][kChunk + 32];  // so that the rows do not share a cache set
  const std::uint8_t* rows_[kLanes];
};

bool in_place(Dtype dtype) {
  return dtype == Dtype::fp32 || dtype == Dtype::fp32r || dtype == Dtype::bf16 || dtype == Dtype::fp16;
}

// Calls step(column) for elements [first, first + count), at most kChunk, of a group.
template <class Step>
HWY_NOINLINE void walk(const Group& group, Dtype dtype, std::size_t first, std::size_t count, const Switches& switches,
                       Step& given) {
  Step step = given;  // in registers
  if (in_place(dtype)) {
    Group from = group;
    for (const std::uint8_t*& row : from.rows) row += first * isa::storage_size(dtype).value;
    if (dtype == Dtype::bf16) {
      for_each_column<Bf16Words>(from.rows, count, step);
    } else if (dtype == Dtype::fp16) {
      for_each_column<Fp16Words>(from.rows, count, step);
    } else {
      for_each_column<Fp32Words>(from.rows, count, step);
    }
  } else {
    Converted converted;
    converted.take(group, dtype, first, count, switches);
    for_each_column<Fp32Words>(converted.rows(), count, step);
  }
  given = step;
}

// ---- GradAccum ----

struct GradStep {
  Vector mean, inv_std, d_beta, d_gamma, coupling;

  HWY_INLINE GradStep(Vector m, Vector v)
      : mean(m), inv_std(v), d_beta(hn::Zero(Tag())), d_gamma(hn::Zero(Tag())), coupling(hn::Zero(Tag())) {}

  HWY_INLINE void operator()(Vector x, Vector dy) {
    const Vector term = hn::Mul(dy, hn::Mul(hn::Sub(x, mean), inv_std));
    d_beta = hn::Add(d_beta, dy);
    d_gamma = hn::Add(d_gamma, term);
    coupling = hn::Add(coupling, hn::Mul(term, inv_std));
  }
};

template <class Words>
HWY_NOINLINE void walk_pair(const std::uint8_t* const* x, const std::uint8_t* const* dy, std::size_t n,
                            GradStep& given) {
  GradStep step = given;  // in registers
  for_each_column_pair<Words>(x, dy, n, step);
  given = step;
}

void grad_group(const Group& x, Dtype x_dtype, const Group& dy, Dtype dy_dtype, std::size_t n, const Switches& switches,
                GradStep& step) {
  if (x_dtype == dy_dtype && in_place(x_dtype)) {
    if (x_dtype == Dtype::bf16) return walk_pair<Bf16Words>(x.rows, dy.rows, n, step);
    if (x_dtype == Dtype::fp16) return walk_pair<Fp16Words>(x.rows, dy.rows, n, step);
    return walk_pair<Fp32Words>(x.rows, dy.rows, n, step);
  }
  Converted converted_x, converted_dy;
  for (std::size_t first = 0; first < n; first += kChunk) {
    const std::size_t count = std::min(kChunk, n - first);
    converted_x.take(x, x_dtype, first, count, switches);
    converted_dy.take(dy, dy_dtype, first, count, switches);
    walk_pair<Fp32Words>(converted_x.rows(), converted_dy.rows(), count, step);
  }
}

// Values of a group's channels, one a lane, from an array with one a channel.
HWY_INLINE Vector lanes_of(const float* values, std::uint32_t first, std::uint32_t channels) {
  if (channels == kLanes) return load(values + first);
  float lanes[kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) lanes[i] = i < channels ? values[first + i] : 0;
  return load(lanes);
}

struct Lanes {
  float values[kLanes];
  explicit Lanes(Vector v) { store(canonical(v), values); }
  float operator[](std::size_t lane) const { return values[lane]; }
};

void GradAccumulate(const Rows& x, const Rows& dy, std::uint32_t channels, std::size_t n, const float* mean,
                    const float* inv_std, const Switches& switches, numerics::GradSums* sums) {
  for (std::uint32_t first = 0; first < channels; first += kLanes) {
    const Group group(x, first, channels);
    GradStep step(lanes_of(mean, first, group.channels), lanes_of(inv_std, first, group.channels));
    grad_group(group, x.dtype, Group(dy, first, channels), dy.dtype, n, switches, step);
    const Lanes d_beta(step.d_beta), d_gamma(step.d_gamma), coupling(step.coupling);
    for (std::uint32_t c = 0; c < group.channels; ++c) sums[first + c] = {d_beta[c], d_gamma[c], coupling[c]};
  }
}

// ---- Stats2 ----

struct Welford {
  Vector mean, nvar;

  HWY_INLINE Welford() : mean(hn::Zero(Tag())), nvar(hn::Zero(Tag())) {}

  HWY_INLINE void add(Vector x, float reciprocal) {
    const Vector old_mean = mean;
    mean = hn::Add(hn::Mul(broadcast(1.0F - reciprocal), old_mean), hn::Mul(broadcast(reciprocal), x));
    nvar = hn::Add(nvar, hn::Mul(hn::Sub(x, mean), hn::Sub(x, old_mean)));
  }
};

struct Stats2Step {
  Welford even, odd;
  const float* reciprocals;  // of the chunk's pairs
  std::size_t element;       // in the chunk

  HWY_INLINE explicit Stats2Step(const float* of_pairs) : reciprocals(of_pairs), element(0) {}

  HWY_INLINE void operator()(Vector x) {
    const float reciprocal = reciprocals[element / 2];
    element % 2 == 0 ? even.add(x, reciprocal) : odd.add(x, reciprocal);
    ++element;
  }
};

void Stats2(const Rows& x, std::uint32_t channels, std::size_t n, float even_count, float odd_count,
            const numerics::ParamTable& table, const Switches& switches, numerics::Stats2Result* results) {
  std::array<float, kChunk / 2> reciprocals;
  for (std::uint32_t first = 0; first < channels; first += kLanes) {
    const Group group(x, first, channels);
    Stats2Step step(reciprocals.data());
    for (std::size_t at = 0; at < n; at += kChunk) {
      const std::size_t count = std::min(kChunk, n - at);
      for (std::size_t k = 0; k < (count + 1) / 2; ++k)
        reciprocals[k] = numerics::reciprocal(at / 2 + k + 1, table, switches);
      step.element = 0;
      walk(group, x.dtype, at, count, switches, step);
    }
    const Lanes even_mean(step.even.mean), even_nvar(step.even.nvar), odd_mean(step.odd.mean), odd_nvar(step.odd.nvar);
    for (std::uint32_t c = 0; c < group.channels; ++c)
      results[first + c] = {{numerics::canonical(even_count), even_mean[c], even_nvar[c]},
                            {numerics::canonical(odd_count), odd_mean[c], odd_nvar[c]}};
  }
}

// ---- Aggregate ----

struct AggregateStep {
  Vector n, mean, variance;
  Vector count, mean_t;  // of the triple that has begun
  std::size_t part;

  HWY_INLINE AggregateStep() : n(hn::Zero(Tag())), mean(n), variance(n), count(n), mean_t(n), part(0) {}

  HWY_INLINE void operator()(Vector value) {
    if (part == 0) count = value;
    if (part == 1) mean_t = value;
    if (part == 2) merge(value);
    part = part == 2 ? 0 : part + 1;
  }

 private:
  HWY_INLINE void merge(Vector nvar_t) {
    const Vector total = hn::Add(count, n);
    const Vector r = hn::Div(broadcast(1.0F), total);
    const Vector d = hn::Sub(mean, mean_t);
    const Vector between = hn::Mul(hn::Mul(hn::Mul(hn::Mul(hn::Mul(count, n), d), d), r), r);
    mean = hn::Mul(hn::Add(hn::Mul(mean, n), hn::Mul(count, mean_t)), r);
    variance = hn::Add(hn::Mul(hn::Add(hn::Mul(variance, n), nvar_t), r), between);
    n = total;
  }
};

void Aggregate(const Rows& triples, std::uint32_t channels, std::size_t triple_count, const Switches& switches,
               numerics::MeanVariance* results) {
  const std::size_t n = 3 * triple_count;
  for (std::uint32_t first = 0; first < channels; first += kLanes) {
    const Group group(triples, first, channels);
    AggregateStep step;
    for (std::size_t at = 0; at < n; at += kChunk)
      walk(group, triples.dtype, at, std::min(kChunk, n - at), switches, step);
    const Lanes mean(step.mean), variance(step.variance);
    for (std::uint32_t c = 0; c < group.channels; ++c) results[first + c] = {mean[c], variance[c]};
  }
}

}  // namespace dve::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dve::kernels {

HWY_EXPORT(GradAccumulate);
HWY_EXPORT(Stats2);
HWY_EXPORT(Aggregate);

void grad_accumulate(const Rows& x, const Rows& dy, std::uint32_t channels, std::size_t n, const float* mean,
                     const float* inv_std, const numerics::Switches& switches, numerics::GradSums* sums) {
  HWY_DYNAMIC_DISPATCH(GradAccumulate)(x, dy, channels, n, mean, inv_std, switches, sums);
}

void stats2(const Rows& x, std::uint32_t channels, std::size_t n, float even_count, float odd_count,
            const numerics::ParamTable& table, const numerics::Switches& switches, numerics::Stats2Result* results) {
  HWY_DYNAMIC_DISPATCH(Stats2)(x, channels, n, even_count, odd_count, table, switches, results);
}

void aggregate(const Rows& triples, std::uint32_t channels, std::size_t triple_count,
               const numerics::Switches& switches, numerics::MeanVariance* results) {
  HWY_DYNAMIC_DISPATCH(Aggregate)(triples, channels, triple_count, switches, results);
}

}  // namespace dve::kernels
#endif
