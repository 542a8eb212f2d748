// Inside a word: what becomes of each element, against formulas computed here (docs/numerics.md), and that a word
// executed in pieces leaves what a whole one leaves.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "golden/formats.h"
#include "handle.h"

namespace dve::golden_tests {
namespace {

using namespace testing_support;
using isa::Dtype;

std::uint32_t bits(float value) { return golden::bits_of_float(value); }
float canonical(float value) { return std::isnan(value) ? golden::float_of_bits(0x7FC00000) : value; }

constexpr std::uint32_t kChannels = 3;
constexpr std::uint16_t kElements = 40;
constexpr std::uint32_t kX = 0, kDy = 0x400, kSums = 0x800, kDx = 0xC00, kMean = 0x1000, kInvStd = 0x1004,
                        kAbc = 0x1010;

// Streams and parameters of the channels, in partitions 0 to 2; values with few bits, so that exact sums fit binary64.
struct Streams {
  std::vector<float> x[kChannels], dy[kChannels];
  float mean[kChannels], inv_std[kChannels], abc[kChannels][3];

  explicit Streams(unsigned seed, bool special = false) {
    std::mt19937 random(seed);
    const auto value = [&random] { return static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 1024; };
    for (std::uint32_t c = 0; c < kChannels; ++c) {
      for (std::uint16_t i = 0; i < kElements; ++i) {
        x[c].push_back(value());
        dy[c].push_back(value());
      }
      mean[c] = value();
      inv_std[c] = 0.7F + static_cast<float>(c);
      for (float& p : abc[c]) p = value() / 3;
    }
    if (!special) return;
    x[0][5] = golden::float_of_bits(0xFFC12345);  // NaN with a sign and a payload
    dy[1][7] = INFINITY;
    x[2][3] = 1e-41F;
    dy[2][3] = 1e-3F;
  }
  void put(Golden& g) const {
    for (std::uint32_t c = 0; c < kChannels; ++c) {
      g.write(sbuf(c, kX), x[c]);
      g.write(sbuf(c, kDy), dy[c]);
      g.write(sbuf(c, kMean), {mean[c], inv_std[c]});
      g.write(sbuf(c, kAbc), {abc[c][0], abc[c][1], abc[c][2]});
    }
  }
};

const WordBuilder kBuild(isa::Generation::cayman);

isa::Word grad_accumulate() {
  return isa::encode(kBuild.grad_accumulate(row(sbuf(0, kX), kElements), row(sbuf(0, kDy), kElements),
                                            row(sbuf(0, kSums), 3), row(sbuf(0, kMean), 1), row(sbuf(0, kInvStd), 1),
                                            kChannels));
}
isa::Word param_load(float n) {
  return isa::encode(kBuild.param_load(row(sbuf(0, kAbc), 3), row(sbuf(0, kMean), 1), n, kChannels));
}
isa::Word back_prop() {
  return isa::encode(kBuild.back_prop(row(sbuf(0, kX), kElements), row(sbuf(0, kDy), kElements),
                                      row(sbuf(0, kDx), kElements), kChannels));
}

void begin(Golden& g, const isa::Word& word) {
  std::uint64_t elements = 0;
  std::uint32_t channels = 0;
  ASSERT_EQ(dve_golden_begin(g.get(), DVE_GOLDEN_DVE, word.bytes.data(), &elements, &channels), DVE_GOLDEN_OK)
      << g.message();
  EXPECT_EQ(elements, kElements);
  EXPECT_EQ(channels, kChannels);
}
dve_golden_element element_of(Golden& g, std::uint32_t channel) {
  dve_golden_element element{};
  EXPECT_EQ(dve_golden_element_of(g.get(), channel, &element), DVE_GOLDEN_OK) << g.message();
  return element;
}

struct GradCase {
  bool product_interpreter, dst_interpreter, wide, special;
};
class GradAccumSteps : public testing::TestWithParam<GradCase> {};

// The three sums after each element: in binary32 one by one, or exactly and rounded once.
struct Sums {
  bool wide;
  float single[3] = {};
  double exact[3] = {};
  float add(int which, float term) {
    single[which] = single[which] + term;
    exact[which] += static_cast<double>(term);
    return canonical(wide ? static_cast<float>(exact[which]) : single[which]);
  }
};

TEST_P(GradAccumSteps, FollowTheFormulas) {
  const GradCase c = GetParam();
  Golden g("cayman", {std::string("numerics.product_order=") + (c.product_interpreter ? "interpreter" : "documented"),
                      std::string("numerics.dst_order=") + (c.dst_interpreter ? "interpreter" : "documented"),
                      std::string("numerics.accumulator=") + (c.wide ? "wide" : "sequential")});
  const Streams s(1, c.special);
  s.put(g);
  begin(g, grad_accumulate());
  Sums sums[kChannels] = {{c.wide}, {c.wide}, {c.wide}};
  float last[kChannels][3] = {};
  for (std::uint16_t i = 0; i < kElements; ++i) {
    ASSERT_EQ(dve_golden_step(g.get()), DVE_GOLDEN_OK);
    for (std::uint32_t ch = 0; ch < kChannels; ++ch) {
      SCOPED_TRACE(testing::Message() << "element " << i << ", channel " << ch);
      const float x = s.x[ch][i], dy = s.dy[ch][i], v = s.inv_std[ch];
      const float centred = x - s.mean[ch];
      const float xn = c.product_interpreter ? centred * dy : centred * v;
      const float t = c.product_interpreter ? xn * v : dy * xn;
      const float tv = t * v;
      const dve_golden_element e = element_of(g, ch);
      EXPECT_EQ(e.element, i);
      EXPECT_EQ(bits(e.x), bits(canonical(x)));
      EXPECT_EQ(bits(e.dy), bits(dy));
      EXPECT_EQ(bits(e.xn), bits(canonical(xn)));
      EXPECT_EQ(bits(e.t), bits(canonical(t)));
      EXPECT_EQ(bits(e.tv), bits(canonical(tv)));
      EXPECT_EQ(bits(e.dx), 0u);
      const float terms[3] = {dy, t, tv};
      for (int k = 0; k < 3; ++k) {
        last[ch][k] = sums[ch].add(k, terms[k]);
        EXPECT_EQ(bits(e.sums[k]), bits(last[ch][k])) << "sum " << k;
      }
    }
  }
  EXPECT_EQ(dve_golden_step(g.get()), DVE_GOLDEN_DONE);
  EXPECT_EQ(element_of(g, 0).element, kElements - 1u) << "DONE takes nothing away";
  ASSERT_EQ(dve_golden_finish(g.get()), DVE_GOLDEN_OK) << g.message();
  for (std::uint32_t ch = 0; ch < kChannels; ++ch) {
    const std::vector<float> stored = g.floats(sbuf(ch, kSums), 3);
    const int order[3] = {0, c.dst_interpreter ? 2 : 1, c.dst_interpreter ? 1 : 2};
    for (int k = 0; k < 3; ++k) EXPECT_EQ(bits(stored[static_cast<std::size_t>(k)]), bits(last[ch][order[k]]));
  }
}

INSTANTIATE_TEST_SUITE_P(EverySwitch, GradAccumSteps,
                         testing::Values(GradCase{false, false, false, false}, GradCase{true, false, false, false},
                                         GradCase{false, true, false, false}, GradCase{false, false, true, false},
                                         GradCase{true, true, true, false}, GradCase{false, false, false, true},
                                         GradCase{true, false, false, true}));

enum class Form { staged, textbook, textbook_normalised };
class BackPropSteps : public testing::TestWithParam<std::tuple<Form, bool>> {};

TEST_P(BackPropSteps, FollowTheFormulas) {
  const auto [form, special] = GetParam();
  Golden g("cayman", {std::string("numerics.backprop_form=") + (form == Form::staged ? "staged" : "textbook"),
                      std::string("numerics.src0_is=") + (form == Form::textbook_normalised ? "x_norm" : "ofmap")});
  const Streams s(2, special);
  s.put(g);
  constexpr float kN = 40;
  g.run_all(kBuild.load_reciprocals());
  g.run_all({grad_accumulate(), param_load(kN)});
  begin(g, back_prop());
  for (std::uint16_t i = 0; i < kElements; ++i) {
    ASSERT_EQ(dve_golden_step(g.get()), DVE_GOLDEN_OK);
    for (std::uint32_t ch = 0; ch < kChannels; ++ch) {
      SCOPED_TRACE(testing::Message() << "element " << i << ", channel " << ch);
      const float x = s.x[ch][i], dy = s.dy[ch][i], m = s.mean[ch];
      const float a = s.abc[ch][0], b = s.abc[ch][1], c = s.abc[ch][2];
      const float scaled = dy * kN;
      float centred = x - m, correction = 0, dx = 0;
      if (form == Form::staged) {
        const float product = centred * c;
        correction = product + b;
        const float difference = scaled - correction;
        dx = difference * a;
      } else {
        centred = form == Form::textbook ? centred * s.inv_std[ch] : x;
        correction = centred * c;
        const float prefactor = a * (1.0F / kN);
        const float first = scaled - b;
        dx = prefactor * (first - correction);
      }
      const dve_golden_element e = element_of(g, ch);
      EXPECT_EQ(e.element, i);
      EXPECT_EQ(bits(e.x), bits(canonical(x)));
      EXPECT_EQ(bits(e.xn), bits(canonical(centred)));
      EXPECT_EQ(bits(e.t), bits(canonical(scaled)));
      EXPECT_EQ(bits(e.tv), bits(canonical(correction)));
      EXPECT_EQ(bits(e.dx), bits(canonical(dx)));
      for (const float sum : e.sums) EXPECT_EQ(bits(sum), 0u);
    }
  }
  EXPECT_EQ(dve_golden_step(g.get()), DVE_GOLDEN_DONE);
  ASSERT_EQ(dve_golden_finish(g.get()), DVE_GOLDEN_OK) << g.message();
  Golden whole("cayman", {std::string("numerics.backprop_form=") + (form == Form::staged ? "staged" : "textbook"),
                          std::string("numerics.src0_is=") + (form == Form::textbook_normalised ? "x_norm" : "ofmap")});
  s.put(whole);
  whole.run_all(kBuild.load_reciprocals());
  whole.run_all({grad_accumulate(), param_load(kN), back_prop()});
  for (std::uint32_t ch = 0; ch < kChannels; ++ch) {
    const auto pieces = g.floats(sbuf(ch, kDx), kElements), once = whole.floats(sbuf(ch, kDx), kElements);
    EXPECT_EQ(std::memcmp(pieces.data(), once.data(), kElements * sizeof(float)), 0);
  }
  EXPECT_EQ(g.schedule().complete, whole.schedule().complete);
}

INSTANTIATE_TEST_SUITE_P(EveryForm, BackPropSteps,
                         testing::Combine(testing::Values(Form::staged, Form::textbook, Form::textbook_normalised),
                                          testing::Bool()));

TEST(Steps, ReadConvertedElementsInStreamOrder) {
  Golden g;
  Streams(3).put(g);
  // x backwards as bf16 from PSUM, two dimensions; dy as int32.
  TensorSpec x{psum(0, 0x40), Dtype::bf16, {4, 3}, {-1, 4}};
  TensorSpec dy{sbuf(0, kDy), Dtype::int32, {12}, {1}};
  std::vector<std::uint16_t> psum_bits(64);
  std::vector<std::int32_t> integers(12);
  for (std::uint16_t i = 0; i < 64; ++i) psum_bits[i] = static_cast<std::uint16_t>(0x3F80 + 3 * i);
  for (std::int32_t i = 0; i < 12; ++i) integers[static_cast<std::size_t>(i)] = i * 7 - 30;
  g.write(psum(0, 0), psum_bits.data(), 128);
  g.write(sbuf(0, kDy), integers.data(), 48);
  const isa::Word word = isa::encode(
      kBuild.grad_accumulate2(x, dy, row(sbuf(0, kSums), 3), row(sbuf(0, kMean), 1), row(sbuf(0, kInvStd), 1), 1));
  std::uint64_t elements = 0;
  std::uint32_t channels = 0;
  ASSERT_EQ(dve_golden_begin(g.get(), DVE_GOLDEN_DVE, word.bytes.data(), &elements, &channels), DVE_GOLDEN_OK)
      << g.message();
  EXPECT_EQ(elements, 12u);
  EXPECT_EQ(channels, 1u);
  for (int i = 0; i < 12; ++i) {
    ASSERT_EQ(dve_golden_step(g.get()), DVE_GOLDEN_OK);
    const dve_golden_element e = element_of(g, 0);
    const int at = 0x20 - i % 4 + 4 * (i / 4);  // element of the partition
    EXPECT_EQ(bits(e.x), std::uint32_t{psum_bits[static_cast<std::size_t>(at)]} << 16) << i;
    EXPECT_EQ(e.dy, static_cast<float>(i * 7 - 30)) << i;
  }
}

// ---- Order of calls ----

TEST(Steps, FinishAtAnyPointLeavesWhatExecuteLeaves) {
  for (const int steps : {0, 1, 17, 40, 45}) {
    SCOPED_TRACE(steps);
    Golden pieces, whole;
    for (Golden* g : {&pieces, &whole}) Streams(4).put(*g);
    begin(pieces, grad_accumulate());
    for (int i = 0; i < steps; ++i) dve_golden_step(pieces.get());
    ASSERT_EQ(dve_golden_finish(pieces.get()), DVE_GOLDEN_OK);
    whole.run_all({grad_accumulate()});
    for (std::uint32_t ch = 0; ch < kChannels; ++ch)
      EXPECT_EQ(pieces.floats(sbuf(ch, kSums), 3), whole.floats(sbuf(ch, kSums), 3));
    dve_golden_lane a{}, b{};
    dve_golden_lane_of(pieces.get(), 1, &a);
    dve_golden_lane_of(whole.get(), 1, &b);
    EXPECT_EQ(a.inv_std, b.inv_std);
    EXPECT_EQ(pieces.schedule().next_issue, whole.schedule().next_issue);
  }
}

TEST(Steps, AnOpenWordKeepsOthersOut) {
  Golden g;
  Streams(5).put(g);
  begin(g, grad_accumulate());
  const auto is_refused = [&](dve_golden_status status) {
    EXPECT_EQ(status, DVE_GOLDEN_BAD_ARGUMENT);
    EXPECT_EQ(g.message(), "a word is open: dve_golden_finish or dve_golden_reset comes first");
  };
  const isa::Word word = grad_accumulate();
  is_refused(g.run(word));
  is_refused(dve_golden_run(g.get(), 0, word.bytes.data(), 1, nullptr));
  is_refused(dve_golden_begin(g.get(), 0, word.bytes.data(), nullptr, nullptr));
  ASSERT_EQ(dve_golden_finish(g.get()), DVE_GOLDEN_OK);
  EXPECT_EQ(g.run(word), DVE_GOLDEN_OK);
}

TEST(Steps, NoWordIsOpen) {
  Golden g;
  Streams(5).put(g);
  dve_golden_element element;
  const auto is_refused = [&](dve_golden_status status) {
    EXPECT_EQ(status, DVE_GOLDEN_BAD_ARGUMENT);
    EXPECT_EQ(g.message(), "no word is open: dve_golden_begin comes first");
  };
  const auto all_are_refused = [&] {
    is_refused(dve_golden_step(g.get()));
    is_refused(dve_golden_element_of(g.get(), 0, &element));
    is_refused(dve_golden_finish(g.get()));
  };
  all_are_refused();
  begin(g, grad_accumulate());
  EXPECT_EQ(dve_golden_element_of(g.get(), 0, &element), DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(g.message(), "no element yet: dve_golden_step comes first");
  dve_golden_step(g.get());
  EXPECT_EQ(dve_golden_element_of(g.get(), kChannels, &element), DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(g.message(), "channel is 3, expected 0 to 2");
  ASSERT_EQ(dve_golden_reset(g.get()), DVE_GOLDEN_OK);  // in the middle of the word
  all_are_refused();
  EXPECT_EQ(g.schedule().complete, 0u);
  g.run_all({grad_accumulate()});
}

TEST(Steps, AreOfGradAccumAndBackPropOnly) {
  Golden g;
  Streams(6).put(g);
  for (const isa::Word& word : {param_load(40), g.assemble("nop"), isa::Word{}}) {
    EXPECT_EQ(dve_golden_begin(g.get(), 0, word.bytes.data(), nullptr, nullptr), DVE_GOLDEN_NO_ELEMENTS);
    EXPECT_NE(g.message().find("GradAccum (0x63, 0x94)"), std::string::npos) << g.message();
  }
  EXPECT_EQ(g.findings().size(), 0u) << "nothing was executed";
}

TEST(Steps, ABadWordFaultsAtBegin) {
  Golden g;
  const isa::Word word = back_prop();  // without ParamLoad
  EXPECT_EQ(dve_golden_begin(g.get(), 0, word.bytes.data(), nullptr, nullptr), DVE_GOLDEN_FAULT);
  ASSERT_EQ(g.findings().size(), 1u);
  EXPECT_STREQ(g.findings()[0].predicate, "param_load_missing");
  EXPECT_EQ(dve_golden_finish(g.get()), DVE_GOLDEN_BAD_ARGUMENT) << "it has not opened";
}

TEST(Steps, ARelaxedWordWithoutAMeaningHasNone) {
  Golden g("cayman", {"seq.legality=relaxed"});
  auto bad = kBuild.grad_accumulate(row(sbuf(0, kX), kElements), row(sbuf(0, kDy), kElements), row(sbuf(0, kSums), 3),
                                    row(sbuf(0, kMean), 1), row(sbuf(0, kInvStd), 1), 0);  // no channels
  const isa::Word word = isa::encode(bad);
  std::uint64_t elements = 9;
  std::uint32_t channels = 9;
  ASSERT_EQ(dve_golden_begin(g.get(), 0, word.bytes.data(), &elements, &channels), DVE_GOLDEN_OK) << g.message();
  EXPECT_EQ(elements, 0u);
  EXPECT_EQ(channels, 0u);
  EXPECT_EQ(dve_golden_step(g.get()), DVE_GOLDEN_DONE);
  EXPECT_EQ(dve_golden_finish(g.get()), DVE_GOLDEN_OK);
  for (const auto& finding : g.findings()) EXPECT_EQ(finding.fault, 0);
  EXPECT_STREQ(g.findings().back().predicate, "not_executed");
  g.run_all({grad_accumulate()});
}

}  // namespace
}  // namespace dve::golden_tests
