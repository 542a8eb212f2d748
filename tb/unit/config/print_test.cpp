#include <nlohmann/json.hpp>
#include <sstream>

#include "scratch.h"

namespace dve::config {
namespace {

using test::Scratch;
using test::values;

TEST(Print, EffectiveConfigurationReadsBackToItself) {
  const Scratch scratch;
  const std::vector<std::vector<std::string>> changes = {
      {},
      {"timing.dve.clock_mhz=1234.567891", "timing.sem_ns=0.1", "quantum_ns=1e-7", "poison_seed=18446744073709551615",
       "host_step_ns=123456789.125"},
      {"place.dx=psum", "seq.build=perf", "numerics.divide=newton", "timing.dve.two_source_cycles=0.5", "dmi=false"}};
  for (const char* preset : {"sunda", "cayman", "mariana", "mariana_plus"}) {
    for (const auto& sets : changes) {
      const Effective first = load(preset, sets);
      const std::string text = to_json(first);
      const Effective second = load(scratch.write("config.json", text), {});
      EXPECT_EQ(values(second.config), values(first.config));
      EXPECT_EQ(second.name, first.name);
      for (const auto& [key, origin] : second.origins) EXPECT_EQ(origin.layer, Origin::Layer::file) << key;
    }
  }
}

TEST(Print, EachSingleValueReadsBack) {
  const Scratch scratch;
  for (const Key& key : keys()) {
    for (const std::string& choice : key.domain.choices) {
      const Effective first = load("", {key.name + "=" + choice});
      const Effective second = load(scratch.write("config.json", to_json(first)), {});
      EXPECT_EQ(values(second.config), values(first.config)) << key.name << "=" << choice;
    }
  }
}

TEST(Print, JsonCarriesValuesAndOrigins) {
  const Effective effective = load("sunda", {"timing.dve.min_ii=58"});
  const nlohmann::json json = nlohmann::json::parse(to_json(effective));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["name"], "sunda");
  EXPECT_EQ(json["timing.dve.clock_mhz"], 1120);
  EXPECT_EQ(json["timing.dve.min_ii"], 58);
  EXPECT_EQ(json["dmi"], true);
  EXPECT_EQ(json["generation"], "sunda");
  EXPECT_EQ(json["origins"]["timing.dve.min_ii"], "--set");
  EXPECT_EQ(json["origins"]["timing.dve.clock_mhz"], "preset sunda: documented for trn1 (microarchitecture.md 2)");
  EXPECT_EQ(json["origins"].size(), keys().size());
}

TEST(Print, NumbersAreTheShortestTextThatReadsBack) {
  const auto line = [](const std::string& set) {
    const std::string text = to_json(load("", {set}));
    const std::string key = "\"" + set.substr(0, set.find('=')) + "\": ";
    const std::size_t at = text.find(key) + key.size();
    return text.substr(at, text.find(',', at) - at);
  };
  EXPECT_EQ(line("timing.sem_ns=0.1"), "0.1");
  EXPECT_EQ(line("timing.sem_ns=30"), "30");
  EXPECT_EQ(line("timing.sem_ns=30.000"), "30");
  EXPECT_EQ(line("timing.sem_ns=-0"), "0");
  EXPECT_EQ(line("timing.sem_ns=5e-324"), "5e-324");
  EXPECT_EQ(line("quantum_ns=0.30000000000000004"), "0.30000000000000004");
  EXPECT_EQ(line("timing.dve.clock_mhz=1200.5"), "1200.5");
}

TEST(Print, SameInputSameBytes) {
  EXPECT_EQ(to_json(load("mariana", {"dmi=false"})), to_json(load("mariana", {"dmi=false"})));
  EXPECT_EQ(describe(load("mariana", {"dmi=false"})), describe(load("mariana", {"dmi=false"})));
}

TEST(Print, TextInJsonIsEscaped) {
  const Scratch scratch;
  const std::string file =
      scratch.write("q.json", R"({"schema":1,"name":"a \"b\"\n","dmi":{"value":true,"source":"\\ \"\t"}})");
  const nlohmann::json json = nlohmann::json::parse(to_json(load(file, {})));
  EXPECT_EQ(json["name"], "a \"b\"\n");
  EXPECT_EQ(json["origins"]["dmi"], "file " + file + ": \\ \"\t");
}

TEST(Print, TableHasEachKeyWithValueUnitAndOrigin) {
  const Effective effective = load("cayman", {"timing.sem_ns=33.5"});
  std::istringstream lines(describe(effective));
  std::string line;
  std::getline(lines, line);
  std::istringstream head(line);
  std::string key, value, unit, range, origin;
  head >> key >> value >> unit >> range >> origin;
  EXPECT_EQ(key + value + unit + range + origin, "keyvalueunitrangeorigin");
  for (const Key& expected : keys()) {
    ASSERT_TRUE(std::getline(lines, line)) << expected.name;
    std::istringstream row(line);
    row >> key >> value >> unit >> range;
    std::getline(row >> std::ws, origin);
    EXPECT_EQ(key, expected.name);
    EXPECT_EQ(value, to_string(expected.get(effective.config)));
    EXPECT_EQ(unit, expected.domain.unit.empty() ? "-" : expected.domain.unit);
    const auto known = effective.ranges.find(key);
    EXPECT_EQ(range, known == effective.ranges.end() ? "-" : to_string(known->second)) << key;
    EXPECT_EQ(origin, to_string(effective.origins.at(key)));
  }
  EXPECT_FALSE(std::getline(lines, line));
  EXPECT_NE(describe(effective).find("33.5"), std::string::npos);
}

TEST(Print, HelpNamesEachKeyItsDefaultAndWhatIsAllowed) {
  const std::string text = help();
  for (const Key& key : keys()) {
    test::expect_contains(text, {key.name + "\n", key.help, "allowed: " + key.domain.allowed()});
  }
  test::expect_contains(text, {"Default 960 (", "an integer from 0 to 1000000 cycles", "one of functional, lt"});
}

}  // namespace
}  // namespace dve::config
