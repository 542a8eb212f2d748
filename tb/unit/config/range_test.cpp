// Bounds of uncertain numbers: beside the value in a file, in what to_json writes, and gone with the value.
#include <nlohmann/json.hpp>

#include "scratch.h"

namespace dve::config {
namespace range_test {
namespace {

using test::error_of;
using test::expect_contains;
using test::Scratch;

const std::vector<std::string> kPresets = {"sunda", "cayman", "mariana", "mariana_plus", "maverick"};

std::string range_of(const Effective& effective, const std::string& key) {
  const auto it = effective.ranges.find(key);
  return it == effective.ranges.end() ? "none" : to_string(it->second);
}

std::string error_of_file(const std::string& text) {
  const Scratch scratch;
  return error_of(scratch.write("my.json", text), {});
}

TEST(Range, LiesAroundTheValueInEveryPreset) {
  for (const std::string& preset : kPresets) {
    const Effective effective = load(preset, {});
    EXPECT_GE(effective.ranges.size(), 9u) << preset;
    for (const auto& [name, range] : effective.ranges) {
      SCOPED_TRACE(preset + " " + name);
      const Key* key = find_key(name);
      ASSERT_NE(key, nullptr);
      const Value value = key->get(effective.config);
      EXPECT_TRUE(key->domain.contains(range.low));
      EXPECT_TRUE(key->domain.contains(range.high));
      EXPECT_LE(range.low, value);
      EXPECT_LE(value, range.high);
      EXPECT_LT(range.low, range.high);
      EXPECT_NE(range.source.find("microarchitecture.md"), std::string::npos) << range.source;
    }
  }
}

// microarchitecture.md 8, "Suggested parameters", column "Range seen"; L of 65 is seen from gen3 on only, c below 1 on
// trn2 only (section 9, V9).
TEST(Range, HoldsWhatTheReferenceGives) {
  for (const std::string& preset : kPresets) {
    SCOPED_TRACE(preset);
    const Effective effective = load(preset, {});
    for (const char* engine : {"dve", "pool", "act"}) {
      EXPECT_EQ(range_of(effective, std::string("timing.") + engine + ".min_ii"), "58..100");
      EXPECT_EQ(range_of(effective, std::string("timing.") + engine + ".issue_gap"), "64..75");
      EXPECT_EQ(range_of(effective, std::string("timing.") + engine + ".lanes"), "none");
    }
    const bool sunda = preset == "sunda";
    EXPECT_EQ(range_of(effective, "timing.dve.fill_drain"), sunda ? "100..400" : "65..400");
    EXPECT_EQ(range_of(effective, "timing.act.fill_drain"), sunda ? "100..400" : "65..400");
    EXPECT_EQ(range_of(effective, "timing.pool.fill_drain"), "none");
    EXPECT_EQ(range_of(effective, "timing.dve.two_source_cycles"), sunda ? "1..2" : "0.5..2");
    EXPECT_EQ(range_of(effective, "timing.sem_ns"), "10..100");
    EXPECT_EQ(range_of(effective, "timing.dve.clock_mhz"), "none");
  }
}

TEST(Range, GoesWithTheValueItBelongsTo) {
  const Scratch scratch;
  const std::string plain = scratch.write("plain.json", R"({"schema": 1, "timing.dve.min_ii": 64})");
  const std::string bounded = scratch.write(
      "bounded.json", R"({"schema": 1, "timing.dve.min_ii": {"value": 70, "low": 69, "high": 70, "source": "lab"}})");
  EXPECT_EQ(range_of(load("", {}), "timing.dve.min_ii"), "58..100");
  EXPECT_EQ(range_of(load("", {"timing.dve.min_ii=64"}), "timing.dve.min_ii"), "none");
  EXPECT_EQ(range_of(load("", {"timing.dve.min_ii=64"}), "timing.dve.issue_gap"), "64..75");
  EXPECT_EQ(range_of(load(plain, {}), "timing.dve.min_ii"), "none");
  EXPECT_EQ(range_of(load(bounded, {}), "timing.dve.min_ii"), "69..70");
  EXPECT_EQ(load(bounded, {}).ranges.at("timing.dve.min_ii").source, "lab");
  EXPECT_EQ(range_of(load(bounded, {"timing.dve.min_ii=69"}), "timing.dve.min_ii"), "none");
}

TEST(Range, ReadsBackFromWhatIsWritten) {
  const Scratch scratch;
  for (const std::string& preset : kPresets) {
    const Effective first = load(preset, {"timing.sem_ns=33"});
    const Effective second = load(scratch.write("config.json", to_json(first)), {});
    ASSERT_EQ(second.ranges.size(), first.ranges.size());
    for (const auto& [name, range] : first.ranges) {
      EXPECT_EQ(range_of(second, name), to_string(range)) << name;
      EXPECT_EQ(second.ranges.at(name).source, range.source) << name;
    }
    EXPECT_EQ(to_json(first), to_json(load(preset, {"timing.sem_ns=33"})));
  }
  Effective none = load("", {});
  none.ranges.clear();
  EXPECT_TRUE(nlohmann::json::parse(to_json(none))["ranges"].empty());
}

TEST(Range, ErrorsNameTheBoundAndWhatIsExpected) {
  struct Case {
    const char* member;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases = {
      {R"("timing.dve.min_ii": {"value": 64, "low": 65, "high": 70})", {"min_ii.low = 65", "low <= 64 <= high"}},
      {R"("timing.dve.min_ii": {"value": 64, "low": 60, "high": 63})", {"min_ii.high = 63", "low <= 64 <= high"}},
      {R"("timing.dve.min_ii": {"value": 64, "low": 60})", {"min_ii.high: missing", "low and high"}},
      {R"("timing.dve.min_ii": {"value": 64, "high": 70})", {"min_ii.low: missing", "low and high"}},
      {R"("timing.dve.min_ii": {"value": 64, "low": -1, "high": 70})", {"min_ii.low = -1", "an integer from 0"}},
      {R"("timing.dve.min_ii": {"value": 64, "low": 60.5, "high": 70})", {"min_ii.low = 60.5", "an integer"}},
      {R"("timing.dve.two_source_cycles": {"value": 2, "low": 1.5, "high": 2})", {"low = 1.5", "one of 2, 1, 0.5"}},
      {R"("dmi": {"value": true, "low": false, "high": true})", {"dmi.low", "no bounds"}},
      {R"("abstraction": {"value": "lt", "low": "lt", "high": "lt"})", {"abstraction.low", "no bounds"}},
      {R"("ranges": 1)", {"ranges = 1", "an object"}},
      {R"("ranges": {"timing.dve.min_ii": {"low": 1, "high": 99}})", {"ranges.timing.dve.min_ii", "gives a value"}},
      {R"("ranges": {"x": {}})", {"ranges.x", "gives a value"}},
      {R"("timing.sem_ns": 30, "ranges": {"timing.sem_ns": 5})", {"ranges.timing.sem_ns = 5", "low and high"}},
      {R"("timing.sem_ns": 30, "ranges": {"timing.sem_ns": {}})", {"ranges.timing.sem_ns = {}", "low and high"}},
      {R"("timing.sem_ns": 30, "ranges": {"timing.sem_ns": {"low": 40, "high": 50}})", {"low = 40", "low <= 30"}},
      {R"("timing.sem_ns": 30, "ranges": {"timing.sem_ns": {"low": 1, "high": 50, "source": 1}})", {"a string"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.member);
    expect_contains(error_of_file(std::string(R"({"schema": 1, )") + c.member + "}"), c.parts);
  }
}

}  // namespace
}  // namespace range_test
}  // namespace dve::config
