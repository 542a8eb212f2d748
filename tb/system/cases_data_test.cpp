// The published examples are read completely, and the golden's float64 textbook agrees with them.
#include "system/cases_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/golden.h"

namespace dve::cases {
namespace {

const std::string kFolder = std::string(DVE_TEST_DATA_DIR) + "/cases";

const PublishedCase& find(const std::vector<PublishedCase>& cases, const std::string& id) {
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const PublishedCase& c) { return c.id == id; });
  if (found == cases.end()) throw std::runtime_error("no case " + id);
  return *found;
}

std::vector<double> slice(const std::vector<double>& values, std::size_t channel, std::size_t count) {
  if (values.empty()) return {};
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(channel * count);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

TEST(PublishedCases, AllAreRead) {
  const auto cases = read_published_cases(kFolder);
  EXPECT_EQ(cases.size(), 19U);
  std::size_t backward = 0;
  for (const PublishedCase& c : cases) {
    SCOPED_TRACE(c.id);
    EXPECT_EQ(c.x.size(), c.channels * c.elements);
    EXPECT_EQ(c.gamma.size(), c.channels);
    EXPECT_EQ(c.beta.size(), c.channels);
    EXPECT_FALSE(c.expected.empty());
    EXPECT_FALSE(c.source.empty());
    EXPECT_EQ(c.dy.empty(), c.expected.count("dx") == 0);
    EXPECT_EQ(c.float64.at("stats2").size(), 6 * c.channels);
    if (!c.dy.empty()) ++backward;
  }
  EXPECT_EQ(backward, 7U);
}

TEST(PublishedCases, StandInStreamOrder) {
  const auto cases = read_published_cases(kFolder);
  // Channel axis 2 of [2, 2, 2, 1]: channel 0 holds the even positions.
  const PublishedCase& xla = find(cases, "xla_training_dim2");
  EXPECT_EQ(xla.channels, 2U);
  EXPECT_EQ(xla.x, (std::vector<double>{1, 3, 5, 7, 2, 4, 6, 8}));
  EXPECT_EQ(slice(xla.expected.at("y"), 1, 4), (std::vector<double>{-2.0, 0.6, 3.3, 6.0}));
  EXPECT_EQ(xla.eps, 0.001);
  // Channel axis 0: rows as they are. Axis 1 of four: the batch outermost.
  EXPECT_EQ(slice(find(cases, "mlpack_BatchNormTest").x, 1, 3), (std::vector<double>{4.9, 3.0, 1.4}));
  EXPECT_EQ(slice(find(cases, "mlpack_MinBatches").x, 1, 12),
            (std::vector<double>{1, 32, 22, 32, 13, 45, 16, 13, 11, 42, 63, 42}));
}

TEST(PublishedCases, CarryGivenStatisticsAndTolerances) {
  const auto cases = read_published_cases(kFolder);
  const PublishedCase& given = find(cases, "xla_grad_basic");
  ASSERT_TRUE(given.given_mean && given.given_var);
  EXPECT_EQ(*given.given_var, (std::vector<double>{1, 1}));
  EXPECT_EQ(given.beta, (std::vector<double>{0, 0}));
  EXPECT_FALSE(find(cases, "xla_training_dim2").given_mean);
  const PublishedCase& ngraph = find(cases, "ngraph_bprop_n4c3h2w2");
  EXPECT_EQ(ngraph.tolerance("dgamma").atol, 0.001);
  EXPECT_DOUBLE_EQ(ngraph.tolerance("dbeta").of(-320), 0.03200001);
  EXPECT_EQ(ngraph.tolerance("mean").atol, 0.0001);
}

TEST(PublishedCases, DeriveGradientsFromAStepOfSgd) {
  const auto cases = read_published_cases(kFolder);
  const PublishedCase& sgd = find(cases, "mindspore_1d_train_step1");
  EXPECT_NEAR(sgd.expected.at("dgamma")[0], 1.79, 1e-9);
  EXPECT_NEAR(sgd.expected.at("dbeta")[1], -3.84, 1e-9);
  EXPECT_NEAR(sgd.tolerance("dgamma").of(1.79), 0.01, 1e-12);
  EXPECT_EQ(sgd.expected.count("gamma_after_sgd"), 0U);
}

golden::TextbookResult textbook_of(const PublishedCase& c, std::size_t channel) {
  golden::TextbookInput input;
  input.x = slice(c.x, channel, c.elements);
  input.dy = slice(c.dy, channel, c.elements);
  input.gamma = c.gamma[channel];
  input.beta = c.beta[channel];
  input.eps = c.eps;
  if (c.given_mean) {
    input.mean = (*c.given_mean)[channel];
    input.var = (*c.given_var)[channel];
  }
  return golden::textbook(input);
}

// Value of a per-channel output, and the scale against which cancellation makes a relative error meaningful.
struct Scaled {
  double value = 0;
  double scale = 0;
};

Scaled channel_output(const std::string& name, const golden::TextbookResult& r) {
  if (name == "mean") return {r.mean, 0};
  if (name == "var") return {r.var, 0};
  if (name == "invstd") return {r.inv_std, 0};
  if (name == "dgamma") return {r.dgamma, r.abs_dgamma};
  if (name == "dbeta") return {r.dbeta, r.abs_dbeta};
  throw std::runtime_error("no output " + name);
}

TEST(PublishedCases, Float64BlocksAgreeWithTheTextbook) {
  constexpr double kRelative = 1e-9;
  for (const PublishedCase& c : read_published_cases(kFolder)) {
    for (std::size_t channel = 0; channel < c.channels; ++channel) {
      SCOPED_TRACE(c.id + ", channel " + std::to_string(channel));
      const golden::TextbookResult r = textbook_of(c, channel);
      for (const char* name : {"mean", "var", "invstd", "dgamma", "dbeta"}) {
        if (c.float64.count(name) == 0) continue;
        const double reference = c.float64.at(name)[channel];
        const Scaled own = channel_output(name, r);
        EXPECT_NEAR(own.value, reference, kRelative * std::max(std::fabs(reference), own.scale)) << name;
      }
      // dx of a constant dy is rounding noise of terms as large as gamma * inv_std * dy.
      double dx_scale = 0;
      for (const double dy : slice(c.dy, channel, c.elements)) {
        dx_scale = std::max(dx_scale, std::fabs(c.gamma[channel] * r.inv_std * dy));
      }
      for (std::size_t i = 0; i < c.elements; ++i) {
        const std::size_t at = channel * c.elements + i;
        if (c.float64.count("y") != 0) {
          const double reference = c.float64.at("y")[at];
          EXPECT_NEAR(r.y[i], reference, kRelative * std::max(1.0, std::fabs(reference))) << "y " << i;
        }
        if (c.float64.count("dx") != 0) {
          EXPECT_NEAR(r.dx[i], c.float64.at("dx")[at], kRelative * dx_scale) << "dx " << i;
        }
      }
    }
  }
}

// mean and n*var of the batch and of its even and odd halves.
TEST(PublishedCases, Float64StatisticsAgreeWithTheTextbook) {
  for (const PublishedCase& c : read_published_cases(kFolder)) {
    for (std::size_t channel = 0; channel < c.channels; ++channel) {
      SCOPED_TRACE(c.id + ", channel " + std::to_string(channel));
      golden::TextbookInput whole;
      whole.x = slice(c.x, channel, c.elements);
      golden::TextbookInput halves[2];
      for (std::size_t i = 0; i < c.elements; ++i) halves[i % 2].x.push_back(whole.x[i]);
      const auto batch = golden::textbook(whole);
      EXPECT_NEAR(batch.mean, c.float64.at("batch_mean")[channel], 1e-9 * std::max(1.0, std::fabs(batch.mean)));
      EXPECT_NEAR(batch.var, c.float64.at("batch_var")[channel], 1e-9 * batch.var);
      EXPECT_NEAR(batch.var * static_cast<double>(c.elements), c.float64.at("nvar")[channel],
                  1e-9 * c.float64.at("nvar")[channel]);
      for (std::size_t half = 0; half < 2; ++half) {
        const double* reference = c.float64.at("stats2").data() + 6 * channel + 3 * half;
        EXPECT_EQ(static_cast<double>(halves[half].x.size()), reference[0]);
        const auto moments = golden::textbook(halves[half]);
        EXPECT_NEAR(moments.mean, reference[1], 1e-9 * std::max(1.0, std::fabs(reference[1])));
        EXPECT_NEAR(moments.var * reference[0], reference[2], 1e-9 * reference[2] + 1e-15);
      }
    }
  }
}

TEST(PublishedCases, PublishedResultsLieWithinTheirTolerances) {
  for (const PublishedCase& c : read_published_cases(kFolder)) {
    for (std::size_t channel = 0; channel < c.channels; ++channel) {
      const golden::TextbookResult r = textbook_of(c, channel);
      for (const auto& [name, values] : c.expected) {
        SCOPED_TRACE(c.id + ", " + name + ", channel " + std::to_string(channel));
        if (name != "dx" && name != "y") {
          const double own = channel_output(name, r).value;
          EXPECT_NEAR(own, values[channel], c.tolerance(name).of(values[channel]));
          continue;
        }
        const std::vector<double>& own = name == "dx" ? r.dx : r.y;
        ASSERT_EQ(own.size(), c.elements);
        for (std::size_t i = 0; i < c.elements; ++i) {
          const double expected = values[channel * c.elements + i];
          EXPECT_NEAR(own[i], expected, c.tolerance(name).of(expected)) << i;
        }
      }
    }
  }
}

// Every complaint names the file, the case and the key.
TEST(PublishedCases, BadFilesAreRefused) {
  const std::string good = R"({"id": "a", "source": {"repo": "r", "path": "p", "test": "t"}, "dtype": "f32",
    "shape": [2, 1], "channel_axis": 1, "inputs": {"x": [1, 2], "gamma": [1], "eps": 0}, "expected": {"mean": [1.5]},
    "tolerance": {"rtol": 0, "atol": 0}, "f64": {"mean": [1.5]}})";
  struct Edit {
    std::string from, to, message;
  };
  const std::vector<Edit> edits{
      {"", "", ""},
      {"\"x\": [1, 2]", "\"x\": [1, 2, 3]", "case a: \"x\" must be an array of 2 numbers"},
      {"\"x\": [1, 2]", "\"x\": [1, \"b\"]", "case a: \"x\" holds \"b\""},
      {"\"eps\": 0", "\"epsilon\": 0", "case a: key \"eps\" is missing"},
      {"\"eps\": 0", "\"eps\": 0, \"mean\": [1]", "must be given together"},
      {"\"channel_axis\": 1", "\"channel_axis\": 2", "\"channel_axis\" lies outside"},
      {"\"shape\": [2, 1]", "\"shape\": [0, 1]", "holds no elements"},
      {"\"mean\": [1.5]}", "\"median\": [1.5]}", "unknown expected output \"median\""},
      {"\"dtype\": \"f32\"", "\"dtype\": 32", "bad.json: "},
  };
  const std::string folder = ::testing::TempDir();
  const std::string file = "dve_cases_bad.json";
  for (const Edit& edit : edits) {
    SCOPED_TRACE(edit.to);
    std::string text = good;
    const std::size_t at = text.find(edit.from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, edit.from.size(), edit.to);
    std::ofstream(folder + "/" + file) << "{\"cases\": [" << text << "]}";
    std::string message;
    try {
      EXPECT_EQ(read_case_file(folder, file).size(), 1U);
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    EXPECT_NE(message.find(edit.message), std::string::npos) << message;
    EXPECT_EQ(message.empty(), edit.message.empty()) << message;
  }
  std::remove((folder + "/" + file).c_str());
  EXPECT_THROW(read_case_file(folder, "nowhere.json"), std::runtime_error);
}

}  // namespace
}  // namespace dve::cases
