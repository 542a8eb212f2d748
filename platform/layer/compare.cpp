#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference.h"

namespace dve::layer {
namespace {

constexpr double kUnitRoundoff = 0x1p-24;  // of binary32
constexpr double kCancellation = 0.1;      // largest dx below this share of the largest term: dx cancels
constexpr double kSmallest = 0x1p-149;     // subnormal spacing of binary32: what a product may lose to underflow

double half_ulp(isa::Dtype dtype, double value) {
  if (dtype == isa::Dtype::bf16) return 0x1p-8 * std::fabs(value);
  if (dtype == isa::Dtype::fp16) return 0x1p-11 * std::fabs(value) + 0x1p-25;
  return 0;  // binary32: far inside the relative bound
}

double half_ulp(NpyType type, double value) {
  const std::optional<isa::Dtype> dtype = layer_dtype(type);
  return dtype ? half_ulp(*dtype, value) : 0;
}

// Collects one tensor's comparison element by element.
class Tally {
 public:
  explicit Tally(std::string name) { result_.name = std::move(name); }

  void add(double actual, double expected, double tolerance, std::uint64_t channel, std::uint64_t element = 0) {
    if (std::isfinite(expected)) largest_ = std::max(largest_, std::fabs(expected));
    if (std::isfinite(tolerance)) result_.tolerance = std::max(result_.tolerance, tolerance);
    if (!std::isfinite(actual)) ++result_.non_finite;
    if ((std::isnan(actual) && std::isnan(expected)) || actual == expected) return;
    const bool finite = std::isfinite(actual) && std::isfinite(expected);
    const double difference = finite ? std::fabs(actual - expected) : std::numeric_limits<double>::infinity();
    result_.max_abs = std::max(result_.max_abs, difference);
    if (finite && difference <= tolerance) return;  // a NaN tolerance admits nothing
    if (result_.mismatches++ == 0) result_.first_mismatch = {channel, element, actual, expected, tolerance};
  }
  TensorComparison finish() {
    if (result_.max_abs > 0) result_.max_rel = result_.max_abs / largest_;  // infinite when every reference is 0
    return result_;
  }

 private:
  TensorComparison result_;
  double largest_ = 0;
};

double largest_finite(const std::vector<double>& values) {
  double largest = 0;
  for (const double v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
  }
  return largest;
}

class Comparer {
 public:
  Comparer(const Layer& layer, const Results& results, const CompareRequest& request)
      : layer_(layer), results_(results), request_(request), n_(layer.elements) {
    const auto n = static_cast<double>(request.longest_stream);
    relative_ = std::max(2e-6, (8 + std::sqrt(n)) * kUnitRoundoff);
  }

  std::vector<TensorComparison> run() {
    std::vector<TensorComparison> comparisons = against_device_inputs();
    if (!layer_.references.empty()) {
      for (TensorComparison& c : against_references()) comparisons.push_back(std::move(c));
    }
    return comparisons;
  }

 private:
  bool has_y() const { return !results_.y.empty(); }
  float mean(std::uint32_t c) const { return request_.device_statistics ? results_.mean[c] : layer_.mean[c]; }
  float inv_std(std::uint32_t c) const { return request_.device_statistics ? results_.inv_std[c] : layer_.inv_std[c]; }

  // `count` elements of a device tensor from element `first` on, as float64.
  std::vector<double> device_stream(const std::vector<std::uint8_t>& tensor, std::uint32_t c) const {
    std::vector<float> values(n_);
    const std::size_t bytes = isa::storage_size(layer_.dtype).value;
    numerics::to_fp32(tensor.data() + c * n_ * bytes, layer_.dtype, n_, values.data(), {});
    return {values.begin(), values.end()};
  }
  std::vector<double> file_stream(const std::vector<float>& tensor, std::uint32_t c) const {
    const auto first = tensor.begin() + static_cast<std::ptrdiff_t>(c * n_);
    return {first, first + static_cast<std::ptrdiff_t>(n_)};
  }
  Channel parameters(std::uint32_t c) const {
    Channel channel;
    channel.gamma = layer_.gamma[c];
    if (has_y()) channel.beta = layer_.beta[c];
    channel.mean = mean(c);
    channel.inv_std = inv_std(c);
    return channel;
  }
  Channel device_channel(std::uint32_t c) const {
    Channel channel = parameters(c);
    channel.x = device_stream(layer_.x, c);
    channel.dy = device_stream(layer_.dy, c);
    for (double& dy : channel.dy) dy /= layer_.loss_scale;
    return channel;
  }
  Channel file_channel(std::uint32_t c) const {
    Channel channel = parameters(c);
    channel.x = file_stream(layer_.file_x, c);
    channel.dy = file_stream(layer_.file_dy, c);
    return channel;
  }
  double output_rounding(double dx) const {
    const double scale = layer_.loss_scale;
    return half_ulp(layer_.dtype, dx) + (scale == 1 ? 0 : half_ulp(layer_.dtype, dx * scale) / scale);
  }

  std::vector<TensorComparison> against_device_inputs() {
    Tally dx("dx_device64"), dgamma("dgamma_device64"), dbeta("dbeta_device64");
    std::vector<Gradients> gradients;
    gradients.reserve(layer_.channels);
    double largest = 0;
    for (std::uint32_t c = 0; c < layer_.channels; ++c) {
      gradients.push_back(gradients64(device_channel(c)));
      const Gradients& g = gradients.back();
      largest = std::max(largest, largest_finite(g.dx));
      dgamma.add(results_.dgamma[c], g.dgamma, relative_ * g.abs_dgamma + underflow(), c);
      dbeta.add(results_.dbeta[c], g.dbeta, relative_ * g.abs_dbeta + underflow(), c);
    }
    cancels_ = largest < kCancellation * largest_term();
    for (std::uint32_t c = 0; c < layer_.channels; ++c) {
      const Channel inputs = device_channel(c);
      const Gradients& g = gradients[c];
      const std::vector<double> actual = device_stream(results_.dx, c);
      for (std::uint64_t i = 0; i < n_; ++i) {
        const double tolerance = element_tolerance(relative_ * largest, inputs, g, i) + output_rounding(g.dx[i]);
        dx.add(actual[i], g.dx[i], tolerance, c, i);
      }
    }
    std::vector<TensorComparison> comparisons = {dx.finish(), dgamma.finish(), dbeta.finish()};
    if (has_y()) comparisons.push_back(compare_y());
    if (request_.device_statistics) compare_statistics(comparisons);
    return comparisons;
  }

  // Products may lose up to half a subnormal each.
  double underflow() const { return static_cast<double>(n_ + 8) * kSmallest; }

  // Largest |P * dy| of the device's inputs, P = gamma * inv_std: what dx would be if nothing cancelled.
  double largest_term() const {
    double largest = 0;
    for (std::uint32_t c = 0; c < layer_.channels; ++c) {
      const double p = std::fabs(static_cast<double>(layer_.gamma[c]) * inv_std(c));
      for (const double dy : device_stream(layer_.dy, c))
        largest = std::max(largest, p * std::fabs(dy / layer_.loss_scale));
    }
    return largest;
  }

  // Tolerance of an element of dx = P * (dy - dbeta/n - xn*dgamma/n) before rounding to the output dtype: `scale`, the
  // documented share of the largest dx. Where the terms cancel all over the tensor, the largest dx says nothing: what
  // the tolerances of the two sums and a handful of binary32 roundings of the largest term leave.
  double element_tolerance(double scale, const Channel& channel, const Gradients& g, std::uint64_t i) const {
    const double n = static_cast<double>(n_);
    const double p = std::fabs(channel.gamma * channel.inv_std);
    const double xn = std::fabs((channel.x[i] - channel.mean) * channel.inv_std);
    const double source = request_.normalised_source ? p * half_ulp(layer_.dtype, xn) * std::fabs(g.dgamma) / n : 0;
    const double additional = source + (1 + p) * underflow();
    if (!cancels_) return scale + additional;
    const double sums = relative_ * (g.abs_dbeta + xn * g.abs_dgamma) / n;
    const double largest = std::max({std::fabs(channel.dy[i]), std::fabs(g.dbeta) / n, xn * std::fabs(g.dgamma) / n});
    return std::max(scale, p * (sums + 8 * kUnitRoundoff * largest)) + additional;
  }

  TensorComparison compare_y() const {
    Tally y("y_device64");
    for (std::uint32_t c = 0; c < layer_.channels; ++c) {
      const Channel inputs = device_channel(c);
      const std::vector<double> expected = forward64(inputs), actual = device_stream(results_.y, c);
      for (std::uint64_t i = 0; i < n_; ++i)
        y.add(actual[i], expected[i], y_tolerance(inputs, i) + half_ulp(layer_.dtype, expected[i]), c, i);
    }
    return y.finish();
  }
  double y_tolerance(const Channel& channel, std::uint64_t i) const {
    const double scale = std::fabs(channel.gamma * channel.inv_std);
    return 8 * kUnitRoundoff * (scale * (std::fabs(channel.x[i]) + std::fabs(channel.mean)) + std::fabs(channel.beta)) +
           8 * kSmallest;
  }

  // mean and var of the device against float64 statistics of the device's x.
  void compare_statistics(std::vector<TensorComparison>& comparisons) const {
    Tally mean("mean_device64"), var("var_device64");
    for (std::uint32_t c = 0; c < layer_.channels; ++c) {
      const std::vector<double> x = device_stream(layer_.x, c);
      const double n = static_cast<double>(n_);
      double sum = 0, sum_abs = 0, squares = 0;
      for (const double v : x) sum += v, sum_abs += std::fabs(v);
      for (const double v : x) squares += (v - sum / n) * (v - sum / n);
      const double q = merging() * kUnitRoundoff * std::fabs(sum / n);
      mean.add(results_.mean[c], sum / n, mean_tolerance(sum_abs / n, q), c);
      var.add(results_.var[c], squares / n, var_tolerance(squares / n, q), c);
    }
    comparisons.push_back(mean.finish());
    comparisons.push_back(var.finish());
  }
  double merging() const { return 4 * std::sqrt(static_cast<double>(request_.triples)); }
  double mean_tolerance(double mean_abs_x, double q) const { return relative_ * mean_abs_x + q; }
  // Deviations from a mean that is off by q.
  double var_tolerance(double var, double q) const {
    const double deviation = std::sqrt(std::max(var, 0.0));
    return relative_ * std::fabs(var) + 2 * deviation * q + q * q;
  }

  // What the tolerances of one channel are made of.
  struct ChannelTerms {
    double relative = 0;    // r + e
    double mean_error = 0;  // q
    double mean_abs_x = 0;
    Gradients gradients;
    QuantisationBound quantisation;
  };
  ChannelTerms terms(std::uint32_t c) const {
    const Channel original = file_channel(c);
    ChannelTerms t;
    t.gradients = gradients64(original);
    t.quantisation = quantisation_bound(original, device_channel(c), t.gradients, request_.device_statistics);
    const double factor = request_.device_statistics ? merging() : 2;
    t.relative = relative_ + factor * kUnitRoundoff * std::fabs(original.mean) * std::fabs(original.inv_std);
    t.mean_error = merging() * kUnitRoundoff * std::fabs(original.mean);
    for (const double x : original.x) t.mean_abs_x += std::fabs(x) / static_cast<double>(n_);
    return t;
  }

  // One reference file that is compared, its largest value and its tally.
  struct Target {
    std::string base;  // name without 64
    const Layer::Reference* reference;
    double largest;
    Tally tally;
  };

  std::vector<TensorComparison> against_references() {
    std::vector<Target> targets;
    for (const auto& [name, reference] : layer_.references) {
      std::string base = name;
      if (base.size() > 2 && base.compare(base.size() - 2, 2, "64") == 0) base.resize(base.size() - 2);
      if ((base == "y" && !has_y()) || ((base == "mean" || base == "var") && results_.var.empty())) continue;
      targets.push_back({base, &reference, largest_finite(reference.values), Tally(name)});
    }
    for (std::uint32_t c = 0; c < layer_.channels; ++c) {
      const ChannelTerms t = terms(c);
      for (Target& target : targets) compare_channel(target, c, t);
    }
    std::vector<TensorComparison> comparisons;
    comparisons.reserve(targets.size());
    for (Target& target : targets) comparisons.push_back(target.tally.finish());
    return comparisons;
  }

  void compare_channel(Target& target, std::uint32_t c, const ChannelTerms& t) const {
    if (target.base == "dx") return compare_dx(target, c, t);
    if (target.base == "y") return compare_y(target, c, t);
    const double expected = target.reference->values[c];
    const double file_rounding = half_ulp(target.reference->type, expected);
    const QuantisationBound& q = t.quantisation;
    if (target.base == "dgamma") {
      const double sum = t.relative * t.gradients.abs_dgamma + underflow();
      target.tally.add(results_.dgamma[c], expected, sum + q.dgamma + file_rounding, c);
    } else if (target.base == "dbeta") {
      const double sum = t.relative * t.gradients.abs_dbeta + underflow();
      target.tally.add(results_.dbeta[c], expected, sum + q.dbeta + file_rounding, c);
    } else if (target.base == "mean") {
      const double tolerance = mean_tolerance(t.mean_abs_x, t.mean_error) + q.mean + file_rounding;
      target.tally.add(results_.mean[c], expected, tolerance, c);
    } else {
      target.tally.add(results_.var[c], expected, var_tolerance(expected, t.mean_error) + q.var + file_rounding, c);
    }
  }

  void compare_dx(Target& target, std::uint32_t c, const ChannelTerms& t) const {
    const std::vector<double> actual = device_stream(results_.dx, c);
    const Channel original = file_channel(c);
    for (std::uint64_t i = 0; i < n_; ++i) {
      const double expected = target.reference->values[c * n_ + i];
      const double tolerance = element_tolerance(t.relative * target.largest, original, t.gradients, i) +
                               output_rounding(expected) + t.quantisation.dx[i] +
                               half_ulp(target.reference->type, expected);
      target.tally.add(actual[i], expected, tolerance, c, i);
    }
  }

  void compare_y(Target& target, std::uint32_t c, const ChannelTerms& t) const {
    const std::vector<double> actual = device_stream(results_.y, c);
    const Channel original = file_channel(c);
    for (std::uint64_t i = 0; i < n_; ++i) {
      const double expected = target.reference->values[c * n_ + i];
      const double h = std::fabs((original.x[i] - original.mean) * original.inv_std);
      const double statistics = std::fabs(original.gamma) * (1 + h) * t.relative;
      const double tolerance = y_tolerance(original, i) + statistics + half_ulp(layer_.dtype, expected) +
                               t.quantisation.y[i] + half_ulp(target.reference->type, expected);
      target.tally.add(actual[i], expected, tolerance, c, i);
    }
  }

  const Layer& layer_;
  const Results& results_;
  const CompareRequest& request_;
  std::uint64_t n_;
  double relative_ = 0;
  bool cancels_ = false;  // dx is small against its terms all over the tensor
};

}  // namespace

std::vector<TensorComparison> compare(const Layer& layer, const Results& results, const CompareRequest& request) {
  return Comparer(layer, results, request).run();
}

std::string to_string(const TensorComparison::Mismatch& m) {
  return fmt::format("channel {}, element {}: found {:.9g}, expected {:.9g}, tolerance {:.3g}", m.channel, m.element,
                     m.found, m.expected, m.tolerance);
}

bool all_match(const std::vector<TensorComparison>& comparisons) {
  return std::all_of(comparisons.begin(), comparisons.end(),
                     [](const TensorComparison& c) { return c.mismatches == 0; });
}

}  // namespace dve::layer
