#include "compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference.h"

namespace dve::layer {
namespace {

constexpr double kUnitRoundoff = 0x1p-24;  // of binary32

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

  void add(double actual, double expected, double tolerance) {
    if (std::isfinite(expected)) largest_ = std::max(largest_, std::fabs(expected));
    if (std::isfinite(tolerance)) result_.tolerance = std::max(result_.tolerance, tolerance);
    if (std::isnan(actual) && std::isnan(expected)) return;
    if (actual == expected) return;
    if (!std::isfinite(actual) || !std::isfinite(expected)) {
      result_.max_abs = std::numeric_limits<double>::infinity();
      ++result_.mismatches;
      return;
    }
    const double difference = std::fabs(actual - expected);
    result_.max_abs = std::max(result_.max_abs, difference);
    if (!(difference <= tolerance)) ++result_.mismatches;  // a NaN tolerance admits nothing
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
    std::vector<double> reference;
    reference.reserve(layer_.channels * n_);
    for (std::uint32_t c = 0; c < layer_.channels; ++c) {
      const Gradients g = gradients64(device_channel(c));
      reference.insert(reference.end(), g.dx.begin(), g.dx.end());
      dgamma.add(results_.dgamma[c], g.dgamma, relative_ * g.abs_dgamma);
      dbeta.add(results_.dbeta[c], g.dbeta, relative_ * g.abs_dbeta);
    }
    const double scale = relative_ * largest_finite(reference);
    for (std::uint32_t c = 0; c < layer_.channels; ++c) {
      const std::vector<double> actual = device_stream(results_.dx, c);
      for (std::uint64_t i = 0; i < n_; ++i) {
        const double expected = reference[c * n_ + i];
        dx.add(actual[i], expected, scale + output_rounding(expected));
      }
    }
    return {dx.finish(), dgamma.finish(), dbeta.finish()};
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
    const double merging = 4 * std::sqrt(static_cast<double>(request_.triples));
    const double factor = request_.device_statistics ? merging : 2;
    t.relative = relative_ + factor * kUnitRoundoff * std::fabs(original.mean) * std::fabs(original.inv_std);
    t.mean_error = merging * kUnitRoundoff * std::fabs(original.mean);
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
      if (base == "y" || ((base == "mean" || base == "var") && results_.var.empty())) continue;
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
    const double expected = target.reference->values[c];
    const double file_rounding = half_ulp(target.reference->type, expected);
    const QuantisationBound& q = t.quantisation;
    if (target.base == "dgamma") {
      target.tally.add(results_.dgamma[c], expected, t.relative * t.gradients.abs_dgamma + q.dgamma + file_rounding);
    } else if (target.base == "dbeta") {
      target.tally.add(results_.dbeta[c], expected, t.relative * t.gradients.abs_dbeta + q.dbeta + file_rounding);
    } else if (target.base == "mean") {
      target.tally.add(results_.mean[c], expected, relative_ * t.mean_abs_x + t.mean_error + q.mean + file_rounding);
    } else {
      const double deviation = std::sqrt(std::max(expected, 0.0));
      const double shifted = 2 * deviation * t.mean_error + t.mean_error * t.mean_error;
      target.tally.add(results_.var[c], expected, relative_ * std::fabs(expected) + shifted + q.var + file_rounding);
    }
  }

  void compare_dx(Target& target, std::uint32_t c, const ChannelTerms& t) const {
    const std::vector<double> actual = device_stream(results_.dx, c);
    for (std::uint64_t i = 0; i < n_; ++i) {
      const double expected = target.reference->values[c * n_ + i];
      const double tolerance = t.relative * target.largest + output_rounding(expected) + t.quantisation.dx[i] +
                               half_ulp(target.reference->type, expected);
      target.tally.add(actual[i], expected, tolerance);
    }
  }

  const Layer& layer_;
  const Results& results_;
  const CompareRequest& request_;
  std::uint64_t n_;
  double relative_ = 0;
};

}  // namespace

std::vector<TensorComparison> compare(const Layer& layer, const Results& results, const CompareRequest& request) {
  return Comparer(layer, results, request).run();
}

bool all_match(const std::vector<TensorComparison>& comparisons) {
  return std::all_of(comparisons.begin(), comparisons.end(),
                     [](const TensorComparison& c) { return c.mismatches == 0; });
}

}  // namespace dve::layer
