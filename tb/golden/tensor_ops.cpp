#include "tensor_ops.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

#include "formats.h"

namespace golden {
namespace {

// ---- Binary32 -----------------------------------------------------------------------------------------------------

// Binary64 holds products of binary32 numbers exactly, and is wide enough for one more rounding to binary32 to give the
// same as a single one after +, -, / and square root.
float round_once(double value) { return canonical(static_cast<float>(value)); }
float round_once(long double value) { return round_once(static_cast<double>(value)); }

double truth(bool value) { return value ? 1 : 0; }

double best(double a, double b, bool largest) {
  if (std::isnan(b)) return a;
  if (std::isnan(a)) return b;
  if (a == b) return a;
  return (a > b) == largest ? a : b;
}

double inverse_root(double a) {
  if (a == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(1 / std::sqrt(static_cast<long double>(a)));
}

// Exponents past 2^40, even ones all, change no result: of a binary32 a other than 1 and -1, that power is already
// infinite or 0. glibc's long double power is wrong at some exponents beyond 2^62.
double power(double a, double b) {
  const double exponent = std::clamp(b, -0x1p40, 0x1p40);
  return static_cast<double>(std::pow(static_cast<long double>(a), static_cast<long double>(exponent)));
}

double clamped(double a, double b) {
  if (std::isnan(a) || a == 0) return a;
  const double size = best(std::fabs(a), std::fabs(b), true);
  return a < 0 ? -size : size;
}

using Fp32Op = double (*)(double, double);

const std::map<std::uint8_t, Fp32Op> kFp32Ops{
    {0x00, [](double a, double) { return a; }},
    {0x04, [](double a, double b) { return a + b; }},
    {0x05, [](double a, double b) { return a - b; }},
    {0x06, [](double a, double b) { return a * b; }},
    {0x07, [](double a, double b) { return a / b; }},
    {0x08, [](double a, double b) { return best(a, b, true); }},
    {0x09, [](double a, double b) { return best(a, b, false); }},
    {0x0D, [](double a, double b) { return truth(a != 0) * truth(b != 0); }},
    {0x0E, [](double a, double b) { return truth(truth(a != 0) + truth(b != 0) > 0); }},
    {0x0F, [](double a, double b) { return truth(truth(a != 0) + truth(b != 0) == 1); }},
    {0x12, [](double a, double b) { return truth(a == b); }},
    {0x13, [](double a, double b) { return truth(a > b); }},
    {0x14, [](double a, double b) { return truth(a >= b); }},
    {0x15, [](double a, double b) { return truth(a <= b); }},
    {0x16, [](double a, double b) { return truth(a < b); }},
    {0x17, [](double a, double b) { return std::fabs(a - b); }},
    {0x18, [](double a, double b) { return 1 - truth(a == b); }},
    {0x19, [](double a, double) { return std::fabs(a); }},
    {0x1A, [](double a, double b) { return power(a, b); }},
    {0x1B, [](double a, double b) { return std::fmod(a, b); }},
    {0x1D, [](double a, double) { return inverse_root(a); }},
    {0x20, [](double a, double b) { return best(std::fabs(a), std::fabs(b), true); }},
    {0x21, [](double a, double b) { return best(std::fabs(a), std::fabs(b), false); }},
    {0x22, [](double a, double) { return std::isnan(a) ? a : best(a, 0, true); }},
    {0x23, [](double a, double) { return a * a; }},
    {0x24, [](double a, double b) { return clamped(a, b); }}};

// a*b + c rounded once. The product is exact; the sum is, as its binary64 value and a remainder. Where there is a
// remainder, the value is moved to the neighbour with an odd last digit on its side: then it lies on no tie of binary32
// and on the right side of each.
float multiply_add(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = static_cast<double>(c);
  const double sum = product + addend;
  if (!std::isfinite(sum)) return round_once(sum);
  const double addend_part = sum - product;
  const double remainder = (product - (sum - addend_part)) + (addend - addend_part);
  int exponent = 0;
  const double digits = std::ldexp(std::frexp(sum, &exponent), 53);
  const bool odd = std::fmod(digits, 2) != 0;
  if (remainder == 0 || odd) return round_once(sum);
  const double infinity = std::numeric_limits<double>::infinity();
  return round_once(std::nextafter(sum, remainder > 0 ? infinity : -infinity));
}

// ---- Integers -----------------------------------------------------------------------------------------------------

__extension__ using Wide = __int128;

Wide modulus(int bits) { return Wide{1} << bits; }

// The number that the low bits stand for.
Wide number(Wide value, int bits, bool is_signed) {
  const Wide m = modulus(bits);
  const Wide positive = ((value % m) + m) % m;
  return is_signed && positive >= m / 2 ? positive - m : positive;
}

Wide absolute(Wide a) { return a < 0 ? -a : a; }

// Right modulo 2^64. Two unsigned 64-bit numbers could overflow 128 bits with a sign; their signed readings cannot.
Wide product(Wide a, Wide b) { return number(a, 64, true) * number(b, 64, true); }

enum class Sign { plus_minus, plus, format };

struct IntOp {
  Sign sign;
  Wide (*result)(Wide, Wide);
  bool divides = false;
};

// clang-format off
const std::map<std::uint8_t, IntOp> kIntOps{
    {0x00, {Sign::format, [](Wide a, Wide) { return a; }}},
    {0x1B, {Sign::format, [](Wide a, Wide b) { return a % b; }, true}},
    {0xC4, {Sign::format, [](Wide a, Wide b) { return a + b; }}},
    {0xC5, {Sign::format, product}},
    {0xC6, {Sign::format, [](Wide a, Wide b) { return a - b; }}},
    {0xC7, {Sign::format, [](Wide a, Wide b) { return a / b; }, true}},
    {0xC8, {Sign::format, [](Wide a, Wide b) { return a % b; }, true}},
    {0xC9, {Sign::format, [](Wide a, Wide b) { return Wide{a == b}; }}},
    {0xCA, {Sign::format, [](Wide a, Wide b) { return Wide{a != b}; }}},
    {0xCB, {Sign::plus_minus, [](Wide a, Wide b) { return absolute(a) > absolute(b) ? absolute(a) : absolute(b); }}},
    {0xCC, {Sign::plus_minus, [](Wide a, Wide b) { return absolute(a) < absolute(b) ? absolute(a) : absolute(b); }}},
    {0xCD, {Sign::plus_minus, [](Wide a, Wide b) { return absolute(a - b); }}},
    {0xCE, {Sign::plus_minus, [](Wide a, Wide) { return absolute(a); }}},
    {0xCF, {Sign::plus_minus, [](Wide a, Wide b) { return a > b ? a : b; }}},
    {0xD0, {Sign::plus_minus, [](Wide a, Wide b) { return a < b ? a : b; }}},
    {0xD1, {Sign::plus_minus, [](Wide a, Wide b) { return Wide{a > b}; }}},
    {0xD2, {Sign::plus_minus, [](Wide a, Wide b) { return Wide{a >= b}; }}},
    {0xD3, {Sign::plus_minus, [](Wide a, Wide b) { return Wide{a <= b}; }}},
    {0xD4, {Sign::plus_minus, [](Wide a, Wide b) { return Wide{a < b}; }}},
    {0xD5, {Sign::plus, [](Wide a, Wide b) { return a > b ? a : b; }}},
    {0xD6, {Sign::plus, [](Wide a, Wide b) { return a < b ? a : b; }}},
    {0xD7, {Sign::plus, [](Wide a, Wide b) { return Wide{a > b}; }}},
    {0xD8, {Sign::plus, [](Wide a, Wide b) { return Wide{a >= b}; }}},
    {0xD9, {Sign::plus, [](Wide a, Wide b) { return Wide{a <= b}; }}},
    {0xDA, {Sign::plus, [](Wide a, Wide b) { return Wide{a < b}; }}},
    {0xDB, {Sign::plus, product}},
    {0xDC, {Sign::plus, [](Wide a, Wide b) { return a / b; }, true}},
    {0xDD, {Sign::plus, [](Wide a, Wide b) { return a % b; }, true}}};
// clang-format on

// ---- Bit patterns -------------------------------------------------------------------------------------------------

using Digits = std::vector<int>;  // lowest first

Digits digits_of(std::uint64_t value, int bits) {
  Digits digits;
  for (int i = 0; i < bits; ++i, value /= 2) digits.push_back(static_cast<int>(value % 2));
  return digits;
}

std::uint64_t value_of(const Digits& digits) {
  std::uint64_t value = 0;
  for (std::size_t i = digits.size(); i > 0; --i) value = value * 2 + static_cast<std::uint64_t>(digits[i - 1]);
  return value;
}

// Digit i of the result is digit i + distance of a, `fill` where a has none.
Digits moved(const Digits& a, std::int64_t distance, int fill) {
  Digits result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int64_t from = static_cast<std::int64_t>(i) + distance;
    const bool inside = from >= 0 && from < static_cast<std::int64_t>(a.size());
    result.push_back(inside ? a[static_cast<std::size_t>(from)] : fill);
  }
  return result;
}

std::int64_t distance_of(const Digits& b) {
  const std::uint64_t count = value_of(b);
  return count < 64 ? static_cast<std::int64_t>(count) : 64;
}

Digits joined(const Digits& a, const Digits& b, int (*digit)(int, int)) {
  Digits result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(digit(a[i], b[i]));
  return result;
}

using BitOp = Digits (*)(const Digits&, const Digits&);

Digits left(const Digits& a, const Digits& b) { return moved(a, -distance_of(b), 0); }

const std::map<std::uint8_t, BitOp> kBitOps{
    {0x00, [](const Digits& a, const Digits&) { return a; }},
    {0x01, [](const Digits& a, const Digits& b) { return joined(a, b, [](int x, int) { return 1 - x; }); }},
    {0x02, left},
    {0x03, [](const Digits& a, const Digits& b) { return moved(a, distance_of(b), a.back()); }},
    {0x0A, [](const Digits& a, const Digits& b) { return joined(a, b, [](int x, int y) { return x * y; }); }},
    {0x0B, [](const Digits& a, const Digits& b) { return joined(a, b, [](int x, int y) { return x + y - x * y; }); }},
    {0x0C, [](const Digits& a, const Digits& b) { return joined(a, b, [](int x, int y) { return (x + y) % 2; }); }},
    {0x10, left},
    {0x11, [](const Digits& a, const Digits& b) { return moved(a, distance_of(b), 0); }}};

// ---- Lanes --------------------------------------------------------------------------------------------------------

// What stands in `lane` once only the first `width` lanes are left.
std::optional<float> halved(std::uint8_t alu_op, const std::vector<float>& lanes, std::size_t lane, std::size_t width) {
  if (width >= lanes.size()) return lane < lanes.size() ? std::optional(lanes[lane]) : std::nullopt;
  const auto own = halved(alu_op, lanes, lane, 2 * width);
  const auto other = halved(alu_op, lanes, lane + width, 2 * width);
  return own && other ? fp32_op(alu_op, *own, *other) : own;
}

// ---- Activation functions -------------------------------------------------------------------------------------------

constexpr long double kPi = 3.14159265358979323846264338327950288L;

using Function = long double (*)(long double x, long double alpha);

long double sigmoid(long double x) {
  const long double e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

long double tanh_by_exponential(long double x) {
  const long double minus = std::expm1(-2 * std::fabs(x));
  return std::copysign(-minus / (2 + minus), x);
}

// tanh(ln(1 + e^x)) = n/(n + 2) with n = (1 + e^x)^2 - 1, here with both divided by e^2x where that could overflow.
long double tanh_of_softplus(long double x) {
  const long double e = std::exp(-std::fabs(x));
  if (x > 0) return (1 + 2 * e) / (1 + 2 * e + 2 * e * e);
  const long double n = e * (e + 2);
  return n / (n + 2);
}

long double normal_share(long double x) {
  const long double z = x / std::sqrt(2.0L);
  return x < 0 ? std::erfc(-z) / 2 : 0.5L + std::erf(z) / 2;
}

// x * share, with the limit at -infinity.
long double part(long double x, long double share) { return share == 0 ? -0.0L : x * share; }

long double root_inverted(long double x) {
  return x == 0 ? std::numeric_limits<long double>::infinity() : 1 / std::sqrt(x);
}

struct ActivationEntry {
  bool has_table;
  Function value;
};

const std::map<std::uint8_t, ActivationEntry> kActivations{
    {0x01, {false, [](long double x, long double) { return x; }}},
    {0x02, {false, [](long double x, long double) { return x < 0 ? 0.0L : x; }}},
    {0x04, {false, [](long double x, long double alpha) { return x < 0 || std::isnan(x) ? alpha * x : x; }}},
    {0x05, {true, [](long double x, long double) { return sigmoid(x); }}},
    {0x06, {true, [](long double x, long double) { return tanh_by_exponential(x); }}},
    {0x07, {true, [](long double x, long double) { return std::exp(x); }}},
    {0x08, {true, [](long double x, long double) { return std::sqrt(x); }}},
    {0x09, {true, [](long double x, long double) { return std::fmax(x, 0.0L) + std::log1p(std::exp(-std::fabs(x))); }}},
    {0x0A, {true, [](long double x, long double) { return std::log(x); }}},
    {0x13, {true, [](long double x, long double) { return std::sin(x); }}},
    {0x15, {true, [](long double x, long double) { return std::erf(x); }}},
    {0x17, {true, [](long double x, long double) { return part(x, normal_share(x)); }}},
    {0x18, {true, [](long double x, long double) { return part(x, tanh_of_softplus(x)); }}},
    {0x19,
     {true,
      [](long double x, long double) {
        const long double u = std::sqrt(2 / kPi) * (x + 0.044715L * x * x * x);
        return part(x, sigmoid(2 * u));
      }}},
    {0x1C, {true, [](long double x, long double) { return std::atan2(x, 1.0L); }}},
    {0x1D, {true, [](long double x, long double) { return root_inverted(x); }}},
    {0x1E, {false, [](long double x, long double) { return x * x; }}},
    {0x1F, {false, [](long double x, long double) { return std::isnan(x) ? x : truth(x > 0) - truth(x < 0); }}},
    {0x21, {false, [](long double x, long double) { return std::fabs(x); }}},
    {0x22, {true, [](long double x, long double) { return root_inverted(std::fabs(x)); }}},
    {0x23, {false, [](long double x, long double) { return x - x == 0 ? 1.0L : 0.0L; }}},
    {0x24, {true, [](long double x, long double) { return part(x, sigmoid(x)); }}},
    {0x80, {false, [](long double x, long double) { return x; }}},
    {0x81, {true, [](long double x, long double) { return 1 / x; }}}};

// The function's value, made wrong by the error where it comes from a table.
long double activation_value(std::uint8_t func, float x, float alpha, double relative_error) {
  const ActivationEntry& entry = kActivations.at(func);
  const long double value = entry.value(static_cast<long double>(x), static_cast<long double>(alpha));
  return entry.has_table && relative_error != 0 ? value * (1 + static_cast<long double>(relative_error)) : value;
}

}  // namespace

float fp32_op(std::uint8_t op, float a, float b) {
  return round_once(kFp32Ops.at(op)(static_cast<double>(a), static_cast<double>(b)));
}

float tensor_scalar(float x, std::uint8_t op0, float s0, std::uint8_t op1, float s1, unsigned reverse, bool fused) {
  const bool second_reversed = reverse / 2 == 1;
  if (fused && op0 == 0x06 && op1 == 0x04) return multiply_add(x, s0, s1);
  if (fused && op0 == 0x06 && op1 == 0x05) {
    return second_reversed ? multiply_add(x, -s0, s1) : multiply_add(s0, x, -s1);
  }
  const float first = reverse % 2 == 1 ? fp32_op(op0, s0, x) : fp32_op(op0, x, s0);
  if (op1 == 0x00) return first;
  return second_reversed ? fp32_op(op1, s1, first) : fp32_op(op1, first, s1);
}

std::optional<std::uint64_t> int_op(std::uint8_t op, std::uint64_t a, std::uint64_t b, int bits, bool is_signed) {
  const IntOp& entry = kIntOps.at(op);
  const bool with_sign = entry.sign == Sign::plus_minus || (entry.sign == Sign::format && is_signed);
  const Wide divisor = number(b, bits, with_sign);
  if (entry.divides && divisor == 0) return std::nullopt;
  return static_cast<std::uint64_t>(number(entry.result(number(a, bits, with_sign), divisor), bits, with_sign));
}

std::uint64_t bit_op(std::uint8_t op, std::uint64_t a, std::uint64_t b, int bits) {
  return value_of(kBitOps.at(op)(digits_of(a, bits), digits_of(b, bits)));
}

float fold(std::uint8_t op, const std::vector<float>& x) {
  if (x.empty()) return 0;
  return std::accumulate(x.begin() + 1, x.end(), canonical(x.front()),
                         [op](float so_far, float next) { return fp32_op(op, so_far, next); });
}

std::optional<std::uint64_t> fold_int(std::uint8_t op, const std::vector<std::uint64_t>& x, int bits, bool is_signed) {
  if (x.empty()) return 0;
  std::uint64_t so_far = x.front();
  for (std::size_t i = 1; i < x.size(); ++i) {
    const auto next = int_op(op, so_far, x[i], bits, is_signed);
    if (!next) return std::nullopt;
    so_far = *next;
  }
  return so_far;
}

float cross_lane(std::uint8_t reduce_op, const std::vector<float>& lanes, float scale, bool tree) {
  static const std::map<std::uint8_t, std::uint8_t> alu_ops{{0, 0x04}, {1, 0x04}, {2, 0x08}};
  const std::uint8_t alu_op = alu_ops.at(reduce_op);
  std::vector<float> terms = lanes;
  if (reduce_op == 1) {
    for (float& term : terms) term = fp32_op(0x06, term, scale);
  }
  if (!tree || terms.empty()) return fold(alu_op, terms);
  return canonical(*halved(alu_op, terms, 0, 1));
}

std::uint64_t cross_lane_bits(std::uint8_t reduce_op, const std::vector<std::uint64_t>& lanes) {
  static const std::map<std::uint8_t, bool (*)(std::size_t ones, std::size_t all)> rules{
      {3, [](std::size_t ones, std::size_t) { return ones > 0; }},
      {4, [](std::size_t ones, std::size_t all) { return ones == all && all > 0; }},
      {5, [](std::size_t ones, std::size_t) { return ones % 2 == 1; }}};
  const auto rule = rules.at(reduce_op);
  Digits result;
  for (int i = 0; i < 64; ++i) {
    std::size_t ones = 0;
    for (const std::uint64_t lane : lanes) ones += (lane >> i) % 2;
    result.push_back(rule(ones, lanes.size()) ? 1 : 0);
  }
  return value_of(result);
}

float activation(std::uint8_t func, float x, float alpha, double relative_error) {
  return round_once(activation_value(func, x, alpha, relative_error));
}

bool activation_matches(float result, std::uint8_t func, float x, float alpha, double relative_error) {
  const long double value = activation_value(func, x, alpha, relative_error);
  const float nearest = round_once(value);
  if (bits_of_float(result) == bits_of_float(nearest)) return true;
  if (!std::isfinite(result) || result == nearest || result != std::nextafter(nearest, result)) return false;
  const long double a = static_cast<long double>(result);
  const long double b = static_cast<long double>(nearest);
  return std::fabs(value - (a + b) / 2) <= 0x1p-20L * std::fabs(a - b);
}

float affine(float x, float scale, float bias, bool fused) {
  return fused ? multiply_add(x, scale, bias) : fp32_op(0x04, fp32_op(0x06, x, scale), bias);
}

}  // namespace golden
