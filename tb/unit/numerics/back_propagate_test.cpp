// BackProp: both forms bit-exact against loops written from the formulas, and their use of the table.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace back_propagate_test {

using namespace dve::numerics;
using oracle::bits;

constexpr float kInf = std::numeric_limits<float>::infinity();

const ParamTable kTable = reciprocal_table(ParamRamIndex::i_plus_1);

std::vector<float> run(const std::vector<float>& x, const std::vector<float>& dy, const LaneParameters& parameters,
                       const Switches& switches, const ParamTable& table = kTable) {
  std::vector<float> dx(x.size());
  back_propagate(x.data(), dy.data(), x.size(), parameters, table, switches, dx.data());
  return dx;
}

LaneParameters random_parameters(std::mt19937& rng, float element_count) {
  return {element_count,
          oracle::random_in(rng, -1.0F, 1.0F),
          oracle::random_in(rng, -2.0F, 2.0F),
          oracle::random_in(rng, -5.0F, 5.0F),
          oracle::random_in(rng, -5.0F, 5.0F),
          oracle::random_in(rng, 0.1F, 4.0F)};
}

Switches textbook(Src0Is src0_is = Src0Is::ofmap) {
  Switches switches;
  switches.backprop_form = BackpropForm::textbook;
  switches.src0_is = src0_is;
  return switches;
}

TEST(BackPropagate, StagedFollowsTheFormulaBitForBit) {
  std::mt19937 rng(1);
  for (std::size_t n = 0; n < 200; ++n) {
    const std::vector<float> x = oracle::random_vector(rng, n, -3.0F, 3.0F);
    const std::vector<float> dy = oracle::random_vector(rng, n, -3.0F, 3.0F);
    const LaneParameters p = random_parameters(rng, static_cast<float>(n));
    const std::vector<float> dx = run(x, dy, p, {});
    for (std::size_t i = 0; i < n; ++i) {
      const float scaled = dy[i] * p.element_count;
      const float deviation = x[i] - p.mean;
      const float coupled = deviation * p.c;
      const float correction = coupled + p.b;
      const float difference = scaled - correction;
      ASSERT_EQ(bits(dx[i]), bits(difference * p.a)) << n << ", " << i;
    }
  }
}

TEST(BackPropagate, TextbookFollowsTheFormulaBitForBit) {
  std::mt19937 rng(2);
  for (const Src0Is src0_is : {Src0Is::ofmap, Src0Is::x_norm}) {
    for (const float count : {1.0F, 3.0F, 200.0F, 256.0F, 257.0F, 1000.0F, 2.5F}) {
      const std::vector<float> x = oracle::random_vector(rng, 50, -3.0F, 3.0F);
      const std::vector<float> dy = oracle::random_vector(rng, 50, -3.0F, 3.0F);
      const LaneParameters p = random_parameters(rng, count);
      const std::vector<float> dx = run(x, dy, p, textbook(src0_is));
      const float prefactor = p.a * (1.0F / count);  // table and exact divider agree
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float deviation = x[i] - p.mean;
        const float xn = src0_is == Src0Is::ofmap ? deviation * p.inv_std : x[i];
        const float scaled = dy[i] * p.element_count;
        const float centred = scaled - p.b;
        const float coupled = xn * p.c;
        const float difference = centred - coupled;
        ASSERT_EQ(bits(dx[i]), bits(prefactor * difference)) << count << ", " << i;
      }
    }
  }
}

// A table of marker values shows where the reciprocal came from.
ParamTable marker_table() {
  ParamTable table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = 1000.0F + static_cast<float>(i);
  return table;
}

TEST(BackPropagate, ReciprocalComesFromTheTableWhileItCoversN) {
  struct Row {
    float count;
    ParamRamIndex index;
    float reciprocal;
  };
  const std::vector<Row> rows{{1, ParamRamIndex::i_plus_1, 1000},
                              {256, ParamRamIndex::i_plus_1, 1255},
                              {512, ParamRamIndex::i_plus_1, 1.0F / 512},
                              {1, ParamRamIndex::i, 1001},
                              {255, ParamRamIndex::i, 1255},
                              {256, ParamRamIndex::i, 1.0F / 256},
                              {2.5F, ParamRamIndex::i_plus_1, 0.4F},
                              {0.5F, ParamRamIndex::i_plus_1, 2},
                              {-4, ParamRamIndex::i_plus_1, -0.25F},
                              {1e30F, ParamRamIndex::i_plus_1, 1e-30F},
                              {kInf, ParamRamIndex::i_plus_1, 0},
                              {0, ParamRamIndex::i_plus_1, kInf}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.count);
    Switches switches = textbook(Src0Is::x_norm);
    switches.param_ram_index = row.index;
    // dy = 0, B = -1, C = 0, A = 1: dx = r exactly (N = infinity makes dy*N NaN).
    const LaneParameters p{row.count, 0.0F, 1.0F, -1.0F, 0.0F, 1.0F};
    const float dx = run({0.0F}, {0.0F}, p, switches, marker_table())[0];
    if (std::isinf(row.count)) {
      EXPECT_EQ(bits(dx), oracle::kNan);
    } else {
      EXPECT_EQ(dx, row.reciprocal);
    }
    EXPECT_EQ(back_propagate_reads_table(row.count, switches), row.reciprocal >= 1000 && row.count > 0);
    EXPECT_FALSE(back_propagate_reads_table(row.count, {})) << "staged never reads the table";
  }
  EXPECT_FALSE(back_propagate_reads_table(std::nanf(""), textbook()));
}

TEST(BackPropagate, StagedIgnoresTableAndInverseStd) {
  LaneParameters p{4.0F, 0.5F, 0.25F, 1.0F, 2.0F, 3.0F};
  const std::vector<float> x{1.0F, 2.0F};
  const std::vector<float> dy{0.5F, -1.0F};
  const std::vector<float> expected = run(x, dy, p, {});
  p.inv_std = 77.0F;
  EXPECT_EQ(run(x, dy, p, {}, marker_table()), expected);
}

TEST(BackPropagate, TextbookBeyondTheTableUsesTheDivider) {
  // Find a count whose Newton reciprocal is not the exact one; then the two dividers must be told apart in dx.
  float count = 257.0F;
  while (divide_reciprocal(count, Divide::newton) == 1.0F / count) count += 1.0F;
  Switches switches = textbook(Src0Is::x_norm);
  switches.divide = Divide::newton;
  const LaneParameters p{count, 0.0F, 1.0F, -1.0F, 0.0F, 1.0F};
  EXPECT_EQ(run({0.0F}, {0.0F}, p, switches)[0], divide_reciprocal(count, Divide::newton));
  switches.divide = Divide::exact;
  EXPECT_EQ(run({0.0F}, {0.0F}, p, switches)[0], 1.0F / count);
}

TEST(BackPropagate, InPlaceOverEitherSource) {
  std::mt19937 rng(3);
  for (const BackpropForm form : {BackpropForm::staged, BackpropForm::textbook}) {
    Switches switches;
    switches.backprop_form = form;
    const std::vector<float> x = oracle::random_vector(rng, 64, -3.0F, 3.0F);
    const std::vector<float> dy = oracle::random_vector(rng, 64, -3.0F, 3.0F);
    const LaneParameters p = random_parameters(rng, 64.0F);
    const std::vector<float> expected = run(x, dy, p, switches);
    std::vector<float> over_dy = dy;
    back_propagate(x.data(), over_dy.data(), 64, p, kTable, switches, over_dy.data());
    EXPECT_EQ(over_dy, expected);
    std::vector<float> over_x = x;
    back_propagate(over_x.data(), dy.data(), 64, p, kTable, switches, over_x.data());
    EXPECT_EQ(over_x, expected);
  }
}

TEST(BackPropagate, NansAreCanonical) {
  const LaneParameters p{2.0F, 0.0F, 1.0F, 0.0F, 0.0F, 1.0F};
  for (const Switches& switches : {Switches{}, textbook()}) {
    EXPECT_EQ(bits(run({1.0F}, {oracle::from_bits(0xFF800001)}, p, switches)[0]), oracle::kNan);
    EXPECT_EQ(bits(run({kInf}, {1.0F}, p, switches)[0]), oracle::kNan);  // inf * 0
    EXPECT_EQ(run({1.0F}, {-kInf}, p, switches)[0], -kInf);
  }
}

}  // namespace back_propagate_test
