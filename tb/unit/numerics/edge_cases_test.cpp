// Hard cases from public bug reports: tb/data/cases/edge_numeric.json. Its expected values are float64; where binary32
// in the documented order must differ, the documented outcome is pinned here bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace edge_cases_test {

using namespace dve::numerics;
using nlohmann::json;
using oracle::bits;

constexpr float kInf = std::numeric_limits<float>::infinity();

double number(const json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::map<std::string, double> special{{"inf", HUGE_VAL}, {"-inf", -HUGE_VAL}, {"nan", std::nan("")}};
  return special.at(value.get<std::string>());
}

std::vector<float> floats(const json& values) {
  std::vector<float> result;
  for (const json& value : values) result.push_back(static_cast<float>(number(value)));
  return result;
}

json cases() {
  std::ifstream file(DVE_TEST_DATA_DIR "/cases/edge_numeric.json");
  return json::parse(file).at("cases");
}

json find_case(const std::string& id) {
  for (const json& entry : cases()) {
    if (entry.at("id") == id) return entry;
  }
  throw std::out_of_range("no edge case " + id);
}

// Default tolerance: these inputs need a handful of roundings of 2^-24 = 6e-8 relative each.
double relative_tolerance(const json& entry) { return entry.value("rtol_model", 1e-6); }

void expect_close(double got, const json& expected_value, double relative, double absolute = 0) {
  const double expected = number(expected_value);
  if (std::isnan(expected)) {
    EXPECT_EQ(bits(static_cast<float>(got)), oracle::kNan);
  } else if (std::isinf(expected)) {
    EXPECT_EQ(got, expected);
  } else {
    EXPECT_NEAR(got, expected, relative * std::fabs(expected) + absolute);
  }
}

std::vector<float> run_stats2(const std::vector<float>& x) {
  const std::size_t n = x.size();
  const Stats2Result got = stats2(x.data(), n, static_cast<float>(n - n / 2), static_cast<float>(n / 2),
                                  reciprocal_table(ParamRamIndex::i_plus_1), {});
  return {got.even.count, got.even.mean, got.even.nvar, got.odd.count, got.odd.mean, got.odd.nvar};
}

MeanVariance run_merge(const json& entry) {
  std::vector<float> triples;
  for (const json& part : entry.at("inputs").at("parts")) {
    for (const float value : floats(part)) triples.push_back(value);
  }
  return aggregate(triples.data(), triples.size() / 3, {});
}

GradSums run_sums(const json& inputs) {
  const std::vector<float> x = floats(inputs.at("x"));
  const std::vector<float> dy = floats(inputs.at("dy"));
  return grad_accumulate(x.data(), dy.data(), x.size(), static_cast<float>(number(inputs.at("mean"))),
                         static_cast<float>(number(inputs.at("invstd"))), {});
}

// dx in the staged form, from the case's own sums where it states them.
std::vector<float> run_dx(const json& inputs) {
  const std::vector<float> x = floats(inputs.at("x"));
  const std::vector<float> dy = floats(inputs.at("dy"));
  const float v = static_cast<float>(number(inputs.at("invstd")));
  GradSums sums = run_sums(inputs);
  if (inputs.contains("sum_dy")) {
    sums.d_beta = static_cast<float>(number(inputs.at("sum_dy")));
    sums.coupling = v * static_cast<float>(number(inputs.at("sum_dy_xhat")));
  }
  const float n = inputs.value("N", static_cast<float>(x.size()));
  const float a = static_cast<float>(number(inputs.at("gamma"))) * v / n;
  const LaneParameters parameters{n, static_cast<float>(number(inputs.at("mean"))), a, sums.d_beta, sums.coupling, v};
  std::vector<float> dx(x.size());
  back_propagate(x.data(), dy.data(), x.size(), parameters, reciprocal_table(ParamRamIndex::i_plus_1), {}, dx.data());
  return dx;
}

// Cases whose documented outcome differs from float64; each has a test of its own below.
bool is_pinned(const std::string& id) {
  const std::vector<std::string> pinned{
      "merge_empty_pieces",     "merge_first_two_empty", "merge_delta_square_overflow_finite_result",
      "dx_n_times_dy_overflow", "int32_sum_past_2_24",   "mean_1e8_spread_24"};
  return std::find(pinned.begin(), pinned.end(), id) != pinned.end();
}

void check_stats(const json& entry) {
  const double relative = relative_tolerance(entry);
  const json& expected = entry.at("expected");
  const std::vector<float> got = run_stats2(floats(entry.at("inputs").at("x")));
  for (std::size_t i = 0; i < 6; ++i) expect_close(double{got[i]}, expected.at("stats2").at(i), relative);
  const MeanVariance merged = aggregate(got.data(), 2, {});
  expect_close(double{merged.mean}, expected.at("mean"), relative);
  expect_close(double{merged.variance}, expected.at("var"), relative);
}

void check_merge(const json& entry) {
  const MeanVariance got = run_merge(entry);
  expect_close(double{got.mean}, entry.at("expected").at("mean"), relative_tolerance(entry));
  expect_close(double{got.variance}, entry.at("expected").at("var"), relative_tolerance(entry));
}

void check_sums(const json& entry) {
  const GradSums got = run_sums(entry.at("inputs"));
  const json& expected = entry.at("expected");
  expect_close(double{got.d_beta}, expected.at("sum_dy"), relative_tolerance(entry));
  if (expected.contains("sum_dy_xhat")) {
    expect_close(double{got.d_gamma}, expected.at("sum_dy_xhat"), relative_tolerance(entry));
  }
}

void check_dx(const json& entry) {
  check_sums(entry);
  const json& inputs = entry.at("inputs");
  const std::vector<float> got = run_dx(inputs);
  if (entry.at("expected").contains("dx")) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      expect_close(double{got[i]}, entry.at("expected").at("dx").at(i), relative_tolerance(entry));
    }
    return;
  }
  // Constant dy: the true dx is 0. What is left is the rounding of the three terms, each about gamma*invstd*dy.
  const double scale = number(inputs.at("gamma")) * number(inputs.at("invstd")) * number(inputs.at("dy").at(0));
  for (const float value : got) EXPECT_NEAR(double{value}, 0.0, 1e-6 * scale);
}

TEST(EdgeCases, EveryCaseAgainstFloat64) {
  int checked = 0;
  int pinned = 0;
  int legality = 0;  // op "reject": refused before any arithmetic, the legality checker's business
  for (const json& entry : cases()) {
    const std::string id = entry.at("id");
    const std::string op = entry.at("op");
    SCOPED_TRACE(id);
    if (op == "reject") {
      ++legality;
    } else if (is_pinned(id)) {
      ++pinned;
    } else {
      ++checked;
      if (op == "stats")
        check_stats(entry);
      else if (op == "merge")
        check_merge(entry);
      else if (op == "sums")
        check_sums(entry);
      else if (op == "dx")
        check_dx(entry);
      else
        ADD_FAILURE() << "unknown op " << op;
    }
  }
  EXPECT_EQ(checked, 8);
  EXPECT_EQ(pinned, 6);
  EXPECT_EQ(legality, 2);
}

TEST(EdgeCases, ConstantChannelIsExact) {
  EXPECT_EQ(run_stats2(floats(find_case("constant_100_n9").at("inputs").at("x"))),
            (std::vector<float>{5, 100, 0, 4, 100, 0}));
}

// A first triple of count 0 makes N = 0, r = 1/0 = inf and the mean 0 * inf = NaN, which nothing removes (isa.md 9.2).
TEST(EdgeCases, EmptyFirstPieceIsNan) {
  for (const char* id : {"merge_empty_pieces", "merge_first_two_empty"}) {
    SCOPED_TRACE(id);
    const MeanVariance got = run_merge(find_case(id));
    EXPECT_EQ(bits(got.mean), 0x7FC00000U);
    EXPECT_EQ(bits(got.variance), 0x7FC00000U);
  }
}

// ((n_t*n)*d)*d reaches 1e6 * 4e38 before the reciprocals bring it back: infinity. The mean stays finite.
TEST(EdgeCases, DeltaSquareOverflowIsInfinite) {
  const MeanVariance got = run_merge(find_case("merge_delta_square_overflow_finite_result"));
  EXPECT_EQ(bits(got.variance), 0x7F800000U);
  EXPECT_NEAR(double{got.mean}, 19999980000020.0, 1e-6 * 2e13);
}

// dy*N is formed before A divides by N: 1e38 * 512 overflows.
TEST(EdgeCases, CountTimesGradientOverflows) {
  EXPECT_EQ(run_dx(find_case("dx_n_times_dy_overflow").at("inputs")), (std::vector<float>{kInf, -kInf}));
}

// 2^24 + 1 is a tie that rounds back to 2^24, four times over.
TEST(EdgeCases, SequentialSumSticksAtTwoToThe24) {
  const GradSums got = run_sums(find_case("int32_sum_past_2_24").at("inputs"));
  EXPECT_EQ(bits(got.d_beta), 0x4B800000U);  // 16777216
  EXPECT_EQ(bits(got.d_gamma), 0U);
}

// At 1e8 binary32 values lie 8 apart, as far as the data. (1-r)*mean and r*x are rounded apart from each other, so the
// running mean drifts by a spacing now and then and ends at 99999984, below every element; n*var then sums squares of
// (x - mean) of 16 to 40 where 4 was due.
TEST(EdgeCases, MeanOf1e8FollowsTheRecurrence) {
  const std::vector<float> x = floats(find_case("mean_1e8_spread_24").at("inputs").at("x"));
  const std::vector<float> got = run_stats2(x);
  for (std::size_t half = 0; half < 2; ++half) {
    float mean = 0;
    float nvar = 0;
    float k = 0;
    for (std::size_t i = half; i < x.size(); i += 2) {
      k += 1;
      const float r = 1.0F / k;
      const float kept = (1.0F - r) * mean;
      const float added = r * x[i];
      const float next = kept + added;
      const float product = (x[i] - next) * (x[i] - mean);
      nvar += product;
      mean = next;
    }
    EXPECT_EQ(bits(got[3 * half + 1]), bits(mean));
    EXPECT_EQ(bits(got[3 * half + 2]), bits(nvar));
  }
  EXPECT_EQ(bits(got[1]), 0x4CBEBC1EU);  // even mean 99999984
  EXPECT_EQ(bits(got[2]), 0x46828000U);  // even n*var 16704
  EXPECT_EQ(bits(got[4]), 0x4CBEBC1EU);  // odd mean 99999984
  EXPECT_EQ(bits(got[5]), 0x47190000U);  // odd n*var 39168
  const MeanVariance merged = aggregate(got.data(), 2, {});
  EXPECT_EQ(bits(merged.mean), 0x4CBEBC1EU);
  EXPECT_EQ(bits(merged.variance), 0x435A4000U);  // 218.25
}

}  // namespace edge_cases_test
