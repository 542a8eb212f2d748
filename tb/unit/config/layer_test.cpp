// Defaults, preset, file, --set: which wins, and what the origin says.
#include "scratch.h"

namespace dve::config {
namespace {

using isa::Generation;
using test::Scratch;

std::string origin(const Effective& effective, const std::string& key) { return to_string(effective.origins.at(key)); }

TEST(Layer, EachReplacesTheOneBelow) {
  const Scratch scratch;
  const std::string file = scratch.write("mine.json", R"({"schema": 1, "name": "study", "generation": "sunda",
    "timing": {"dve": {"min_ii": 58, "issue_gap": {"value": 75, "source": "measured in the lab"}}}, "dmi": false})");
  const Effective effective = load(file, {"timing.dve.min_ii=100", "seq.build=perf"});
  EXPECT_EQ(effective.name, "study");
  EXPECT_EQ(effective.config.generation, Generation::sunda);
  EXPECT_EQ(effective.config.timing.clock_hz, 1'120'000'000u);  // preset
  EXPECT_EQ(effective.config.timing.issue_gap.value, 75u);      // file
  EXPECT_EQ(effective.config.timing.min_ii.value, 100u);        // --set over file
  EXPECT_FALSE(effective.config.dmi);
  EXPECT_EQ(effective.config.seq.build, SeqBuild::perf);

  EXPECT_EQ(origin(effective, "timing.dve.clock_mhz"), "preset sunda: documented for trn1 (microarchitecture.md 2)");
  EXPECT_EQ(origin(effective, "timing.dve.issue_gap"), "file " + file + ": measured in the lab");
  EXPECT_EQ(origin(effective, "generation"), "file " + file);
  EXPECT_EQ(origin(effective, "timing.dve.min_ii"), "--set");
  EXPECT_EQ(origin(effective, "seq.legality"), "default: design.md 3");
  EXPECT_EQ(effective.origins.size(), keys().size());
}

TEST(Layer, NestedDottedAndMixedKeysMeanTheSame) {
  const Scratch scratch;
  for (const char* body :
       {R"("timing": {"dve": {"min_ii": 58}})", R"("timing.dve.min_ii": 58)", R"("timing": {"dve.min_ii": 58})",
        R"("timing.dve": {"min_ii": {"value": 58}})", R"("timing.dve.min_ii": {"value": 58, "source": "x"})"}) {
    const std::string file = scratch.write("a.json", std::string(R"({"schema":1,)") + body + "}");
    EXPECT_EQ(load(file, {}).config.timing.min_ii.value, 58u) << body;
  }
}

TEST(Layer, SetsOnTopOfALoadedConfigurationAreThoseOfLoad) {
  const std::vector<std::string> sets = {"timing.dve.min_ii=100", "place.x=psum", "timing.dve.min_ii=90"};
  EXPECT_EQ(to_json(with_sets(load("sunda", {}), sets)), to_json(load("sunda", sets)));
  const Effective effective = with_sets(load("sunda", {}), sets);
  EXPECT_EQ(origin(effective, "timing.dve.min_ii"), "--set");
  EXPECT_EQ(effective.ranges.count("timing.dve.min_ii"), 0u);
}

TEST(Layer, SetsOnTopAreCheckedAndDoNotChangeTheGeneration) {
  EXPECT_THROW(with_sets(load("", {}), {"timing.dve.min_ii=-1"}), Error);
  EXPECT_THROW(with_sets(load("", {}), {"place.x=psum", "place.dy=psum"}), Error);
  EXPECT_THROW(with_sets(load("", {}), {"generation=sunda"}), Error);
}

TEST(Layer, FileChoosesThePresetUnderneath) {
  const Scratch scratch;
  struct Case {
    const char* body;
    Generation generation;
    std::uint64_t hz;
  };
  for (const Case& c :
       std::vector<Case>{{"", Generation::cayman, 960'000'000},
                         {R"(,"base":"sunda")", Generation::sunda, 1'120'000'000},
                         {R"(,"generation":"mariana")", Generation::mariana, 1'200'000'000},
                         {R"(,"base":"sunda","generation":"sunda")", Generation::sunda, 1'120'000'000}}) {
    SCOPED_TRACE(c.body);
    const std::string file = scratch.write("a.json", std::string(R"({"schema":1)") + c.body + "}");
    const Effective effective = load(file, {});
    EXPECT_EQ(effective.config.generation, c.generation);
    EXPECT_EQ(effective.config.timing.clock_hz, c.hz);
    EXPECT_EQ(effective.name, file);  // the file has no name
  }
}

TEST(Layer, SetGenerationSwitchesThePresetToo) {
  const Scratch scratch;
  const std::string file = scratch.write("a.json", R"({"schema":1,"base":"mariana","timing.dve.min_ii":58})");
  for (const std::string& start : {std::string(), std::string("mariana"), file}) {
    const Effective effective = load(start, {"generation=cayman", "generation=sunda"});  // the last one counts
    EXPECT_EQ(effective.config.generation, Generation::sunda);
    EXPECT_EQ(effective.config.timing.clock_hz, 1'120'000'000u);
    EXPECT_EQ(effective.config.timing.min_ii.value, start == file ? 58u : 64u);
    EXPECT_EQ(origin(effective, "generation"), "--set");
  }
}

TEST(Layer, LaterSetWins) {
  EXPECT_EQ(load("", {"timing.dve.min_ii=1", "timing.dve.min_ii=2"}).config.timing.min_ii.value, 2u);
}

TEST(Layer, PresetNameIsNotShadowedByAFile) {
  const Scratch scratch;
  const auto before = std::filesystem::current_path();
  scratch.write("cayman", "not JSON");
  std::filesystem::current_path(scratch.path(""));
  EXPECT_EQ(load("cayman", {}).config.timing.clock_hz, 960'000'000u);
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace dve::config
