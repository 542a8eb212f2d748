// Which points a sweep has, and what they change.
#include <gtest/gtest.h>

#include <set>

#include "dve/layer/layer.h"
#include "dve/sweep/sweep.h"

namespace dve::sweep {
namespace points_test {
namespace {

using json::Json;

struct Sweep {
  explicit Sweep(const Json& document) : spec(spec_of(document, "dir/s.json")), settings(spec) {
    setenv("DVE_CONFIG_DIR", DVE_SOURCE_DIR "/configs", 1);
    points = points_of(spec, settings);
  }
  Spec spec;
  Settings settings;
  std::vector<Point> points;
};

// "960 psum" a point.
std::vector<std::string> texts(const Sweep& sweep) {
  std::vector<std::string> list;
  for (const Point& point : sweep.points) {
    std::string text;
    for (const Json& value : point) text += (text.empty() ? "" : " ") + value_text(value);
    list.push_back(text);
  }
  return list;
}

using Texts = std::vector<std::string>;

Json two_axes(const char* mode) {
  return {
      {"schema", 1}, {"mode", mode}, {"axes", {{"timing.dve.clock_mhz", {960, 1200}}, {"place.x", {"sbuf", "psum"}}}}};
}

TEST(Points, OfAProductAreAllCombinationsTheLastAxisFastest) {
  EXPECT_EQ(texts(Sweep(two_axes("product"))), (Texts{"960 sbuf", "960 psum", "1200 sbuf", "1200 psum"}));
}

TEST(Points, OfAZipGoTogether) { EXPECT_EQ(texts(Sweep(two_axes("zip"))), (Texts{"960 sbuf", "1200 psum"})); }

TEST(Points, OfAListStandThere) {
  const Json list = {{"schema", 1},
                     {"mode", "list"},
                     {"points", {{{"place.x", "psum"}, {"dtype", "fp32"}}, {{"dtype", "bf16"}, {"place.x", "sbuf"}}}}};
  EXPECT_EQ(texts(Sweep(list)), (Texts{"psum fp32", "sbuf bf16"}));
}

TEST(Points, OneThatBreaksAConstraintIsLeftOut) {
  Json document = two_axes("product");
  document["constraints"] = {"timing.dve.clock_mhz < 1000 || place.x == 'sbuf'"};
  EXPECT_EQ(texts(Sweep(document)), (Texts{"960 sbuf", "960 psum", "1200 sbuf"}));
  document["constraints"].push_back("timing.dve.clock_mhz > 960");
  EXPECT_EQ(texts(Sweep(document)), (Texts{"1200 sbuf"}));
  document["constraints"].push_back("place.x != 'sbuf'");
  EXPECT_THROW(Sweep{document}, layer::InputError);
}

TEST(Points, ConstraintsMayNameKeysThatAreNoAxes) {
  Json document = {{"schema", 1}, {"mode", "product"}, {"axes", {{"generation", {"sunda", "cayman", "mariana"}}}}};
  document["constraints"] = {"timing.dve.clock_mhz < 1100"};  // of the generation's preset: 1120, 960, 1200
  EXPECT_EQ(texts(Sweep(document)), (Texts{"cayman"}));
}

TEST(Points, AContradictionBreaksNoConstraint) {
  Json document = two_axes("zip");
  document["base"]["set"] = {{"place.dy", "psum"}};
  document["constraints"] = {"quantum_ns >= 0"};
  Sweep sweep(document);
  EXPECT_EQ(sweep.points.size(), 2u);
  EXPECT_NO_THROW(sweep.settings.configuration(sweep.points[0]));
  EXPECT_THROW(sweep.settings.configuration(sweep.points[1]), config::Error);
}

TEST(Points, AConstraintThatDoesNotFitItsValuesIsAnError) {
  Json document = two_axes("product");
  document["constraints"] = {"place.x > 3"};
  try {
    Sweep sweep(document);
    FAIL();
  } catch (const layer::InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("dir/s.json: constraints[0] is \"place.x > 3\", expected", 0), 0u)
        << error.what();
  }
}

Json random_sweep(std::uint64_t seed) {
  return {{"schema", 1},
          {"mode", "random"},
          {"points", 400},
          {"seed", seed},
          {"axes",
           {{"timing.dve.fill_drain", {{"low", 60}, {"high", 63}}},
            {"quantum_ns", {{"low", 0.5}, {"high", 2000.0}, {"scale", "log"}}},
            {"place.x", {"sbuf", "psum"}}}}};
}

TEST(Points, RandomOnesComeFromTheSeedAndFillTheirSpans) {
  const Sweep sweep(random_sweep(5));
  EXPECT_EQ(texts(sweep), texts(Sweep(random_sweep(5))));
  EXPECT_NE(texts(sweep), texts(Sweep(random_sweep(6))));
  std::map<std::uint64_t, int> integers;
  std::map<std::string, int> places;
  int small = 0;
  for (const Point& point : sweep.points) {
    ++integers[point[0].get<std::uint64_t>()];
    const double quantum = point[1].get<double>();
    EXPECT_GE(quantum, 0.5);
    EXPECT_LE(quantum, 2000.0);
    small += quantum < std::sqrt(0.5 * 2000.0) ? 1 : 0;  // half of them: uniform in the logarithm
    ++places[point[2].get<std::string>()];
  }
  ASSERT_EQ(integers.size(), 4u);
  for (const auto& [value, count] : integers) EXPECT_NEAR(count, 100, 45) << value;
  EXPECT_NEAR(small, 200, 50);
  EXPECT_NEAR(places["psum"], 200, 50);
}

// From the definition of SplitMix64: the first outputs of seed 1234567.
TEST(Points, TheGeneratorIsSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(Points, RandomOnesThatNoConstraintLeavesAreAnError) {
  Json document = random_sweep(1);
  document["constraints"] = {"timing.dve.fill_drain > 63"};
  EXPECT_THROW(Sweep{document}, layer::InputError);
  document["constraints"] = {"timing.dve.fill_drain > 62"};
  EXPECT_EQ(Sweep(document).points.size(), 400u);
}

TEST(Points, MoreThanAMillionAreRefused) {
  Json document = {{"schema", 1}, {"mode", "product"}};
  Json values = Json::array();
  for (int k = 1; k <= 1001; ++k) values.push_back(k);
  document["axes"] = {{"timing.dve.fill_drain", values}, {"timing.dve.min_ii", values}};
  EXPECT_THROW(Sweep{document}, layer::InputError);
}

TEST(Settings, AxesCountAsSetOverTheBase) {
  Json document = two_axes("zip");
  document["base"] = {{"config", "sunda"}, {"set", {{"place.x", "psum"}, {"timing.dve.fill_drain", 99}}}};
  Sweep sweep(document);
  const config::Effective first = sweep.settings.configuration(sweep.points[0]);
  EXPECT_EQ(first.config.generation, isa::Generation::sunda);
  EXPECT_EQ(first.config.place.x, config::TensorPlace::sbuf);
  EXPECT_EQ(first.origins.at("place.x").layer, config::Origin::Layer::set);
  const config::Effective all =
      config::load("sunda", {"place.x=sbuf", "timing.dve.fill_drain=99", "timing.dve.clock_mhz=960"});
  EXPECT_EQ(config::to_json(first), config::to_json(all));
}

TEST(Settings, AGenerationBringsItsPreset) {
  Sweep sweep(
      {{"schema", 1}, {"mode", "zip"}, {"axes", {{"generation", {"mariana", "sunda"}}, {"quantum_ns", {7, 8}}}}});
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string generation = sweep.points[k][0].get<std::string>();
    EXPECT_EQ(config::to_json(sweep.settings.configuration(sweep.points[k])),
              config::to_json(config::load("", {"generation=" + generation, "quantum_ns=" + std::to_string(7 + k)})));
  }
}

TEST(Settings, OptionsAndWorkloadChangesOfAPoint) {
  Sweep sweep({{"schema", 1},
               {"mode", "zip"},
               {"base", {{"layer", "folder"}, {"eps", 0.5}}},
               {"axes", {{"microbatches", {3, 3}}, {"workload.batch", {5, 5}}, {"quantum_ns", {1, 2}}}}});
  const Options options = sweep.settings.options(sweep.points[0]);
  EXPECT_EQ(options.layer, "folder");  // not there: the error will name what was written
  EXPECT_EQ(options.eps, 0.5);
  EXPECT_EQ(options.microbatches, 3u);
  const auto changes = sweep.settings.workload_changes(sweep.points[0]);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].first, "batch");
  EXPECT_EQ(changes[0].second, 5);
  EXPECT_EQ(sweep.settings.subject(sweep.points[0]), sweep.settings.subject(sweep.points[1]));
}

}  // namespace
}  // namespace points_test
}  // namespace dve::sweep
