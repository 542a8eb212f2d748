// Independent reference for the numerics tests: exact integers and rational comparisons, nothing of the block itself.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <random>
#include <vector>

namespace oracle {

using boost::multiprecision::cpp_int;

std::uint32_t bits(float value);
float from_bits(std::uint32_t bits);
inline constexpr std::uint32_t kNan = 0x7FC00000;

// Any bit pattern; infinities and NaN included.
float random_pattern(std::mt19937& rng);
float random_finite(std::mt19937& rng);
// Uniform in [low, high), on a grid of 2^-24 of the range.
float random_in(std::mt19937& rng, float low, float high);
std::vector<float> random_vector(std::mt19937& rng, std::size_t n, float low, float high);

// A finite binary32 value in units of 2^-149, and back with one rounding (nearest, ties to even; infinity past the
// end).
cpp_int units(float value);
float nearest_float(const cpp_int& units);
// Sum of finite values, rounded once.
float exact_sum(const std::vector<float>& values);

// A format narrower than binary32; ieee = false has no infinities and all ones for NaN.
struct Format {
  const char* name;
  int exponent_bits;
  int mantissa_bits;
  bool ieee = true;

  std::uint32_t sign() const { return 1U << (exponent_bits + mantissa_bits); }
  std::uint32_t first_special() const;  // smallest positive code that is not finite
  std::uint32_t canonical_nan() const;
};

// Value of a positive code, as if no code were special.
double value_of(const Format& format, std::uint32_t code);

// Nearest-even narrowing by comparison with the list of representable values.
class Narrower {
 public:
  explicit Narrower(const Format& format);
  std::uint32_t operator()(float value, bool saturate) const;
  const std::vector<double>& values() const { return values_; }

 private:
  Format format_;
  std::vector<double> values_;  // of code 0, 1, .. first_special(), the last standing for the overflow threshold
};

}  // namespace oracle
