#include "activation.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "convert.h"

namespace dve::numerics {

namespace {

using isa::ActivationFunc;

constexpr double kSqrtHalf = 0.70710678118654752440;       // 1/sqrt(2)
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;  // sqrt(2/pi)
constexpr double kGeluCubic = 0.044715;

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// ln(1 + e^x) without the overflow of e^x.
double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

// The normal distribution function; erfc keeps the digits of its left tail.
double normal_cdf(double x) { return 0.5 * std::erfc(-x * kSqrtHalf); }

// x times a weight that vanishes faster than x grows: the product's limit where x is -inf.
double weighted(double x, double weight) { return weight == 0 ? std::copysign(0.0, x) : x * weight; }

double rsqrt(double x) { return x == 0 ? std::numeric_limits<double>::infinity() : 1.0 / std::sqrt(x); }

double sign(double x) {
  if (x == 0) return 0;
  return std::isnan(x) ? x : std::copysign(1.0, x);
}

double exact_value(ActivationFunc f, double x, double alpha) {
  switch (f) {
    case ActivationFunc::identity:
    case ActivationFunc::copy:
      return x;
    case ActivationFunc::relu:
      return x < 0 ? 0 : x;
    case ActivationFunc::prelu:
      return x >= 0 ? x : alpha * x;
    case ActivationFunc::sigmoid:
      return logistic(x);
    case ActivationFunc::tanh:
      return std::tanh(x);
    case ActivationFunc::exp:
      return std::exp(x);
    case ActivationFunc::sqrt:
      return std::sqrt(x);
    case ActivationFunc::softplus:
      return softplus(x);
    case ActivationFunc::ln:
      return std::log(x);
    case ActivationFunc::sin:
      return std::sin(x);
    case ActivationFunc::erf:
      return std::erf(x);
    case ActivationFunc::gelu:
      return weighted(x, normal_cdf(x));
    case ActivationFunc::mish:
      return weighted(x, std::tanh(softplus(x)));
    case ActivationFunc::gelu_tanh:  // (1 + tanh(u))/2 = logistic(2u)
      return weighted(x, logistic(2.0 * kSqrtTwoOverPi * (x + kGeluCubic * x * x * x)));
    case ActivationFunc::arctan:
      return std::atan(x);
    case ActivationFunc::rsqrt:
      return rsqrt(x);
    case ActivationFunc::square:
      return x * x;
    case ActivationFunc::sign:
      return sign(x);
    case ActivationFunc::abs:
      return std::fabs(x);
    case ActivationFunc::rsqrt_abs:
      return rsqrt(std::fabs(x));
    case ActivationFunc::is_finite:
      return std::isfinite(x) ? 1 : 0;
    case ActivationFunc::silu:
      return weighted(x, logistic(x));
    case ActivationFunc::reciprocal:
      return 1.0 / x;
    default:
      throw std::invalid_argument("activate: function " + std::string(isa::name(f)) +
                                  ", expected one with a published definition");
  }
}

}  // namespace

bool has_definition(ActivationFunc f) {
  switch (f) {
    case ActivationFunc::lrelu:
    case ActivationFunc::d_erf:
    case ActivationFunc::gelu_sigmoid:
    case ActivationFunc::d_gelu:
    case ActivationFunc::d_silu:
    case ActivationFunc::d_gelu_sigmoid:
      return false;
    default:
      return isa::is_always_resident(f) || isa::table_set_of(f).has_value();
  }
}

float activate(ActivationFunc f, float x, float alpha, const Switches& switches) {
  double y = exact_value(f, static_cast<double>(x), static_cast<double>(alpha));
  if (switches.act_relative_error != 0 && !isa::is_always_resident(f)) y = y * (1.0 + switches.act_relative_error);
  return canonical(static_cast<float>(y));
}

float act_affine(float x, float scale, float bias, const Switches& switches) {
  if (switches.act_affine_contraction == Contraction::fused) return canonical(std::fma(scale, x, bias));
  return canonical(scale * x + bias);
}

}  // namespace dve::numerics
