// Sweep files: every way to say it wrong.
#include <gtest/gtest.h>

#include "dve/layer/layer.h"
#include "dve/sweep/sweep.h"

namespace dve::sweep {
namespace spec_test {
namespace {

using json::Json;

Json document() {
  return Json::parse(R"({"schema": 1, "mode": "product", "seed": 3,
    "base": {"config": "sunda", "dtype": "bf16", "no_data": true, "microbatches": 2, "set": {"place.dx": "psum", "quantum_ns": 5}},
    "axes": {"timing.dve.clock_mhz": [960, 1200], "step": ["backward"], "workload.batch": [1]},
    "constraints": ["timing.dve.clock_mhz > 1 && quantum_ns > 0"]})");
}

TEST(Spec, ReadsBaseAxesAndConstraints) {
  const Spec spec = spec_of(document(), "s.json");
  EXPECT_EQ(spec.base.config, "sunda");
  EXPECT_EQ(spec.base.dtype, isa::Dtype::bf16);
  EXPECT_TRUE(spec.base.no_data);
  EXPECT_EQ(spec.base.microbatches, 2u);
  EXPECT_EQ(spec.sets, (std::vector<std::string>{"place.dx=psum", "quantum_ns=5"}));
  EXPECT_EQ(spec.seed, 3u);
  ASSERT_EQ(spec.axes.size(), 3u);
  EXPECT_EQ(spec.axes[0].kind, AxisKind::configuration);
  EXPECT_EQ(spec.axes[1].kind, AxisKind::option);
  EXPECT_EQ(spec.axes[2].kind, AxisKind::workload);
  EXPECT_EQ(spec.constraints.size(), 1u);
}

struct Wrong {
  const char* pointer;
  const char* value;
  const char* message;
};
void PrintTo(const Wrong& k, std::ostream* out) { *out << k.pointer << " " << k.value; }
class WrongSpec : public testing::TestWithParam<Wrong> {};

TEST_P(WrongSpec, NamesFileKeyValueAndWhatIsExpected) {
  Json wrong = document();
  wrong[Json::json_pointer(GetParam().pointer)] = Json::parse(GetParam().value);
  try {
    spec_of(wrong, "s.json");
    FAIL() << GetParam().pointer;
  } catch (const layer::InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind(std::string("s.json: ") + GetParam().message, 0), 0u) << what;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongSpec,
    testing::Values(
        Wrong{"/schema", "2", "schema is 2, expected"},
        Wrong{"/mode", "\"grid\"", "mode is \"grid\", expected product or zip or list or random"},
        Wrong{"/axis", "{}", "axis is an object, expected no such key; known are schema, mode, "},
        Wrong{"/axes", "{}", "axes is an object, expected an object with at least one axis"},
        Wrong{"/axes/timing.dve.clock_mhz", "[]",
              "axes.timing.dve.clock_mhz is a list of 0, expected at least one value"},
        Wrong{"/axes/timing.dve.clock_mhz", "960", "axes.timing.dve.clock_mhz is 960, expected a list"},
        Wrong{"/axes/timing.dve.clock_mhz/1", "-1", "axes.timing.dve.clock_mhz[1] is -1, expected a number"},
        Wrong{"/axes/timing.dve.clock_mhz/1", "[1]",
              "axes.timing.dve.clock_mhz[1] is a list of 1, expected a text, a number, true or false"},
        Wrong{"/axes/timing.dve.clock", "[1]", "axes.timing.dve.clock is a list of 1, expected a configuration key"},
        Wrong{"/axes/step/0", "\"forward\"", "axes.step[0] is \"forward\", expected backward or full"},
        Wrong{"/base/dtype", "\"fp8\"", "base.dtype is \"fp8\", expected fp32 or bf16 or fp16"},
        Wrong{"/base/loss_scale", "0", "base.loss_scale is 0, expected a positive number within binary32"},
        Wrong{"/base/no_data", "1", "base.no_data is 1, expected true or false"},
        Wrong{"/base/max_cycles", "0", "base.max_cycles is 0, expected an integer from 1"},
        Wrong{"/base/jobs", "1", "base.jobs is 1, expected no such key"},
        Wrong{"/base/set/place.dx", "\"hdm\"", "base.set.place.dx is \"hdm\", expected one of"},
        Wrong{"/base/set/dtype", "\"bf16\"", "base.set.dtype is \"bf16\", expected a configuration key"},
        Wrong{"/base/set", "[]", "base.set is a list of 0, expected an object of configuration keys"},
        Wrong{"/points", "5", "points is 5, expected null: mode is neither random nor list"},
        Wrong{"/seed", "-1", "seed is -1, expected an integer from 0"},
        Wrong{"/constraints/0", "\"1 +\"", "constraints[0] is \"1 +\", expected a constraint: at column 4"},
        Wrong{"/constraints/0", "\"clock > 1\"",
              "constraints[0] is \"clock > 1\", expected names of axes and configuration keys; clock is neither"},
        Wrong{"/constraints/0", "3", "constraints[0] is 3, expected a string"}));

TEST(Spec, WorkloadAndLayerExcludeEachOther) {
  Json both = document();
  both["base"]["workload"] = "unet";
  both["base"]["layer"] = "folder";
  EXPECT_THROW(spec_of(both, "s.json"), layer::InputError);
}

TEST(Spec, ZipNeedsAxesOfOneLength) {
  Json zip = document();
  zip["mode"] = "zip";
  EXPECT_THROW(spec_of(zip, "s.json"), layer::InputError);
  zip["axes"] = {{"place.x", {"sbuf", "psum"}}, {"dtype", {"fp32", "bf16"}}};
  zip.erase("constraints");
  EXPECT_EQ(spec_of(zip, "s.json").axes[1].values.size(), 2u);
}

TEST(Spec, RandomNeedsPointsAndOrderedSpans) {
  Json random = document();
  random["mode"] = "random";
  EXPECT_THROW(spec_of(random, "s.json"), layer::InputError);
  random["points"] = 5;
  random["axes"]["timing.dve.clock_mhz"] = {{"low", 900}, {"high", 1200}};
  const Spec spec = spec_of(random, "s.json");
  EXPECT_TRUE(spec.axes[0].span->integers);
  EXPECT_EQ(spec.points, 5u);
  random["axes"]["timing.dve.clock_mhz"] = {{"low", 1200.5}, {"high", 900}};
  EXPECT_THROW(spec_of(random, "s.json"), layer::InputError);
  random["axes"]["timing.dve.clock_mhz"] = {{"low", -5}, {"high", 900}};
  EXPECT_THROW(spec_of(random, "s.json"), layer::InputError);  // outside the key's range
  random["axes"] = {{"quantum_ns", {{"low", 0}, {"high", 900}, {"scale", "log"}}}};
  EXPECT_THROW(spec_of(random, "s.json"), layer::InputError);
}

TEST(Spec, PointsOfAListHaveTheSameKeys) {
  Json list = {{"schema", 1},
               {"mode", "list"},
               {"points", {{{"place.x", "psum"}, {"dtype", "fp32"}}, {{"dtype", "bf16"}, {"place.x", "sbuf"}}}}};
  const Spec spec = spec_of(list, "s.json");
  EXPECT_EQ(spec.axes[0].values, (std::vector<Json>{"psum", "sbuf"}));
  list["points"][1].erase("dtype");
  EXPECT_THROW(spec_of(list, "s.json"), layer::InputError);
  list["points"] = Json::array();
  EXPECT_THROW(spec_of(list, "s.json"), layer::InputError);
}

}  // namespace
}  // namespace spec_test
}  // namespace dve::sweep
