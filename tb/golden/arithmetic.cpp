#include "arithmetic.h"

#include <cmath>

#include "exact_sum.h"
#include "formats.h"

namespace golden {
namespace {

constexpr FloatFormat kBinary16{5, 10, true};

std::uint64_t entry_of(std::uint64_t k, const Options& options) { return options.param_ram_index_i ? k : k - 1; }

bool in_table(std::uint64_t k, const Options& options) { return k >= 1 && entry_of(k, options) < ParamRam{}.size(); }

float square_sum_mean(const std::vector<float>& x, const ParamRam& ram, const Options& options, float* nvar) {
  float sum = 0;
  float squares = 0;
  for (const float value : x) {
    sum = sum + value;
    const float square = value * value;
    squares = squares + square;
  }
  const auto n = static_cast<float>(x.size());
  const float mean = sum * reciprocal(x.size(), ram, options);
  const float scaled = n * mean;
  const float correction = scaled * mean;
  *nvar = squares - correction;
  return mean;
}

}  // namespace

ParamRam full_param_ram(const Options& options) {
  ParamRam ram{};
  for (std::size_t i = 0; i < ram.size(); ++i) {
    const std::size_t k = options.param_ram_index_i ? (i == 0 ? 1 : i) : i + 1;
    ram[i] = 1.0F / static_cast<float>(k);
  }
  return ram;
}

// Newton (docs/numerics.md): d = s * 2^e with 1 <= |s| < 2; the binary32 quotient 1/s rounded to binary16 is the seed,
// two steps in binary32, then the exact scaling by 2^-e. 0, infinities and NaN have no such s: the quotient itself.
float divider(float d, const Options& options) {
  if (!options.newton || d == 0 || std::isinf(d) || std::isnan(d)) return 1.0F / d;
  const int e = std::ilogb(d);
  const float s = std::scalbn(d, -e);
  const float quotient = 1.0F / s;
  auto x = static_cast<float>(decode(encode(quotient, kBinary16, false), kBinary16));
  for (int step = 0; step < 2; ++step) {
    const float product = s * x;
    const float correction = 2.0F - product;
    x = x * correction;
  }
  return std::scalbn(x, -e);
}

float reciprocal(std::uint64_t k, const ParamRam& ram, const Options& options) {
  if (in_table(k, options)) return ram[entry_of(k, options)];
  return divider(static_cast<float>(k), options);
}

Sums grad_sums(const std::vector<float>& x, const std::vector<float>& dy, float m, float v, const Options& options) {
  Sums plain;
  ExactSum exact[3];
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float centred = x[i] - m;
    const float inner = options.product_order_interpreter ? centred * dy[i] : centred * v;
    const float t = options.product_order_interpreter ? inner * v : dy[i] * inner;
    const float tv = t * v;
    if (options.wide_accumulator) {
      exact[0].add(dy[i]);
      exact[1].add(t);
      exact[2].add(tv);
    } else {
      plain.d_beta = plain.d_beta + dy[i];
      plain.d_gamma = plain.d_gamma + t;
      plain.coupling = plain.coupling + tv;
    }
  }
  if (options.wide_accumulator) return {exact[0].result(), exact[1].result(), exact[2].result()};
  return plain;
}

std::vector<float> in_destination_order(const Sums& sums, const Options& options) {
  if (options.dst_order_interpreter) return {sums.d_beta, sums.coupling, sums.d_gamma};
  return {sums.d_beta, sums.d_gamma, sums.coupling};
}

std::vector<float> back_propagate(const std::vector<float>& src0, const std::vector<float>& dy, const Lane& lane,
                                  const ParamRam& ram, const Options& options) {
  float prefactor = lane.a;
  if (options.textbook) {
    const bool whole = lane.n >= 1 && lane.n <= 256 && std::trunc(lane.n) == lane.n;
    const float r = whole ? reciprocal(static_cast<std::uint64_t>(lane.n), ram, options) : divider(lane.n, options);
    prefactor = lane.a * r;
  }
  std::vector<float> dx;
  for (std::size_t i = 0; i < src0.size(); ++i) {
    const float scaled = dy[i] * lane.n;
    const float centred = src0[i] - lane.mean;
    if (options.textbook) {
      const float xn = options.src0_is_x_norm ? src0[i] : centred * lane.inv_std;
      const float without_mean = scaled - lane.b;
      const float slope = xn * lane.c;
      const float inner = without_mean - slope;
      dx.push_back(prefactor * inner);
    } else {
      const float slope = centred * lane.c;
      const float line = slope + lane.b;
      const float inner = scaled - line;
      dx.push_back(inner * prefactor);
    }
  }
  return dx;
}

Moments moments(const std::vector<float>& x, const ParamRam& ram, const Options& options) {
  Moments result;
  if (x.empty()) return result;
  if (options.sumsq) {
    result.mean = square_sum_mean(x, ram, options, &result.nvar);
    return result;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float r = reciprocal(i + 1, ram, options);
    const float rest = 1.0F - r;
    const float kept = rest * result.mean;
    const float gained = r * x[i];
    const float updated = kept + gained;
    const float to_new = x[i] - updated;
    const float to_old = x[i] - result.mean;
    const float product = to_new * to_old;
    result.nvar = result.nvar + product;
    result.mean = updated;
  }
  return result;
}

std::vector<float> stats2_values(const std::vector<float>& x, float even_count, float odd_count, const ParamRam& ram,
                                 const Options& options) {
  std::vector<float> halves[2];
  for (std::size_t i = 0; i < x.size(); ++i) halves[i % 2].push_back(x[i]);
  const Moments even = moments(halves[0], ram, options);
  const Moments odd = moments(halves[1], ram, options);
  return {even_count, even.mean, even.nvar, odd_count, odd.mean, odd.nvar};
}

MeanVariance aggregate_triples(const std::vector<float>& triples, const Options& options) {
  float n = 0;
  float mean = 0;
  float var = 0;
  for (std::size_t i = 0; i + 2 < triples.size(); i += 3) {
    const float count = triples[i];
    const float total = count + n;
    const float r = divider(total, options);
    const float d = mean - triples[i + 1];
    const float old_sum = mean * n;
    const float new_sum = count * triples[i + 1];
    const float old_nvar = var * n;
    const float within = (old_nvar + triples[i + 2]) * r;
    float between = count * n;
    between = between * d;
    between = between * d;
    between = between * r;
    between = between * r;
    mean = (old_sum + new_sum) * r;
    var = within + between;
    n = total;
  }
  return {mean, var};
}

}  // namespace golden
