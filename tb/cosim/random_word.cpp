#include "random_word.h"

#include <cstring>

#include "golden/golden.h"

namespace dve::cosim {

namespace {

enum class Special : std::uint8_t { none, zeros, subnormals, infinities, nans, largest, any_bits };
enum class Tail : std::uint8_t { whole_turns, partial_turn, single_channel };

constexpr golden::Dtype kDtypes[] = {golden::Dtype::fp32, golden::Dtype::bf16, golden::Dtype::fp16,
                                     golden::Dtype::fp8_e4m3, golden::Dtype::fp8_e5m2};
constexpr std::size_t kOperations = 2;
constexpr std::size_t kSteps = 3;
constexpr std::size_t kTails = 3;
constexpr std::size_t kSpecials = 7;
constexpr std::size_t kLengths = 5;

// The crossed dimensions of a word.
struct Plan {
  std::size_t operation, dtype, step, tail, special, operand_stalls;
};

Plan plan_of(std::uint64_t number) {
  // The factor has no divisor in common with the number of combinations: neighbours differ in many dimensions.
  std::size_t rest = static_cast<std::size_t>(number % lane_crosses() * 1009 % lane_crosses());
  const auto digit = [&](std::size_t values) {
    const std::size_t d = rest % values;
    rest /= values;
    return d;
  };
  Plan plan{};
  plan.operation = digit(kOperations);
  plan.dtype = digit(std::size(kDtypes));
  plan.step = digit(kSteps);
  plan.tail = digit(kTails);
  plan.special = digit(kSpecials);
  plan.operand_stalls = digit(kStallPatterns);
  return plan;
}

std::size_t below(std::size_t n, Rng& random) { return static_cast<std::size_t>(random() % n); }

// An element of a format as it stands in memory, converted to binary32. A binary32 NaN keeps its bits: the lanes must
// take any.
class Values {
 public:
  Values(golden::Dtype dtype, Special special, Rng& random)
      : format_(golden::format_of(dtype, golden::Options{})), special_(special), random_(random) {}

  float next() {
    const bool plain = special_ == Special::none || (special_ != Special::any_bits && random_() % 4 != 0);
    return converted(plain ? ordinary() : sign() | special_code());
  }

 private:
  std::uint32_t sign() { return (random_() & 1) != 0 ? 1U << (format_.exponent_bits + format_.mantissa_bits) : 0; }
  std::uint32_t ordinary() {
    const double value = std::normal_distribution<double>(0.25, 2.0)(random_);
    return golden::encode(value, format_, false);
  }
  std::uint32_t special_code() {
    const std::uint32_t fractions = 1U << format_.mantissa_bits;
    const std::uint32_t infinity = ((1U << format_.exponent_bits) - 1) << format_.mantissa_bits;
    const auto fraction = [&] { return 1 + static_cast<std::uint32_t>(below(fractions - 1, random_)); };
    switch (special_) {
      case Special::subnormals:
        return fraction();
      case Special::infinities:
        return infinity;
      case Special::nans:
        return infinity | fraction();
      case Special::largest:
        return infinity - 1 - static_cast<std::uint32_t>(below(2, random_));
      case Special::any_bits:
        return static_cast<std::uint32_t>(random_()) & (infinity | (fractions - 1));
      case Special::zeros:
      case Special::none:
        break;
    }
    return 0;
  }
  float converted(std::uint32_t code) const {
    return format_.exponent_bits == 8 && format_.mantissa_bits == 23
               ? golden::float_of_bits(code)
               : static_cast<float>(golden::decode(code, format_));
  }

  golden::FloatFormat format_;
  Special special_;
  Rng& random_;
};

// Elements start, start + step, .. of a row in memory: a step of 0 broadcasts one value, a negative one runs backwards.
std::vector<float> stream(Values& values, std::size_t elements, int step_sign, Rng& random) {
  const std::size_t distance = step_sign == 0 ? 0 : 1 + below(2, random);
  std::vector<float> row(elements * distance + 1);
  for (float& value : row) value = values.next();
  std::vector<float> elements_in_order;
  for (std::size_t i = 0; i < elements; ++i) {
    elements_in_order.push_back(row[step_sign < 0 ? row.size() - 1 - i * distance : i * distance]);
  }
  return elements_in_order;
}

std::size_t channels_of(Tail tail, const LaneShape& shape, Rng& random) {
  if (tail == Tail::single_channel) return 1;
  const std::size_t turns = 1 + below(shape.interleave, random);
  return turns * shape.lanes - (tail == Tail::partial_turn ? 1 + below(shape.lanes - 1, random) : 0);
}

std::size_t elements_of(std::size_t length, Rng& random) {
  constexpr std::size_t kFrom[kLengths + 1] = {0, 1, 2, 4, 17, 41};
  return kFrom[length] + below(kFrom[length + 1] - kFrom[length], random);
}

LaneBuild build_of(Tail tail, Rng& random) {
  constexpr LaneBuild kBuilds[] = {LaneBuild::lanes4, LaneBuild::lanes3x4, LaneBuild::lanes1x2};
  return kBuilds[below(tail == Tail::partial_turn ? 2 : 3, random)];
}

std::vector<std::string> stall_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kStallPatterns; ++i) names.emplace_back(name(static_cast<StallPattern>(i)));
  return names;
}

StallPattern any_stalls(Rng& random) { return static_cast<StallPattern>(below(kStallPatterns, random)); }

}  // namespace

Coverage lane_coverage() {
  Coverage coverage({{"operation", {"GradAccum", "BackProp"}, true},
                     {"dtype", {"fp32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2"}, true},
                     {"step", {"negative", "zero", "positive"}, true},
                     {"tail", {"whole_turns", "partial_turn", "single_channel"}, true},
                     {"special", {"none", "zeros", "subnormals", "infinities", "nans", "largest", "any_bits"}, true},
                     {"operand_stalls", stall_names(), true},
                     {"elements", {"0", "1", "2-3", "4-16", "17-40"}},
                     {"result_stalls", stall_names()},
                     {"orders", {"documented", "dst_interpreter", "product_interpreter", "both_interpreter"}}});
  for (const char* order : {"dst_interpreter", "product_interpreter", "both_interpreter"}) {
    coverage.exclude("operation", "BackProp", "orders", order);
  }
  return coverage;
}

std::size_t lane_crosses() { return kOperations * std::size(kDtypes) * kSteps * kTails * kSpecials * kStallPatterns; }

RandomWord random_word(std::uint64_t seed, std::uint64_t number) {
  const Plan plan = plan_of(number);
  Rng random(seed * 0x9E3779B97F4A7C15 + number);
  RandomWord made;
  const Tail tail = static_cast<Tail>(plan.tail);
  made.build = build_of(tail, random);
  const std::size_t channels = channels_of(tail, shape_of(made.build), random);
  const std::size_t length = below(kLengths, random);
  const std::size_t elements = elements_of(length, random);

  LaneWord& word = made.word;
  word.operation = static_cast<LaneOperation>(plan.operation);
  const bool accumulates = word.operation == LaneOperation::grad_accum;
  word.opcode = !accumulates ? 0x65 : random() % 2 == 0 ? 0x63 : 0x94;
  const std::size_t orders = accumulates ? below(4, random) : 0;
  word.dst_interpreter = (orders & 1) != 0;
  word.product_interpreter = (orders & 2) != 0;
  Values values(kDtypes[plan.dtype], static_cast<Special>(plan.special), random);
  const int step = static_cast<int>(plan.step) - 1;
  for (std::size_t c = 0; c < channels; ++c) {
    word.x.push_back(stream(values, elements, step, random));
    word.dy.push_back(stream(values, elements, step, random));
    LaneParameters parameters;
    for (float& parameter : parameters) parameter = values.next();
    word.parameters.push_back(parameters);
  }
  made.stalls = {any_stalls(random),
                 any_stalls(random),
                 static_cast<StallPattern>(plan.operand_stalls),
                 any_stalls(random),
                 {},
                 {}};
  made.point = {plan.operation, plan.dtype,          plan.step, plan.tail,
                plan.special,   plan.operand_stalls, length,    static_cast<std::size_t>(made.stalls.result),
                orders};
  return made;
}

LaneWord ordinary_word(LaneOperation operation, std::size_t channels, std::size_t elements, std::uint64_t seed) {
  Rng random(seed);
  Values values(golden::Dtype::fp32, Special::none, random);
  LaneWord word;
  word.operation = operation;
  word.opcode = operation == LaneOperation::grad_accum ? 0x63 : 0x65;
  for (std::size_t c = 0; c < channels; ++c) {
    word.x.push_back(stream(values, elements, 1, random));
    word.dy.push_back(stream(values, elements, 1, random));
    LaneParameters parameters;
    for (float& parameter : parameters) parameter = values.next();
    word.parameters.push_back(parameters);
  }
  return word;
}

}  // namespace dve::cosim
