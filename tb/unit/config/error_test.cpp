// Each thing that can be wrong, and the one line it ends in.
#include "scratch.h"

namespace dve::config {
namespace {

using test::error_of;
using test::expect_contains;
using test::Scratch;

TEST(ConfigError, WrongFilesNameFileKeyValueAndWhatIsAllowed) {
  struct Case {
    std::string text;
    std::vector<std::string> expected;
  };
  const std::vector<Case> cases = {
      {R"({})", {"schema is missing", "\"schema\": 1"}},
      {R"({"schema": 2})", {"schema = 2", "expected 1"}},
      {R"({"schema": "1"})", {"schema = \"1\"", "expected 1"}},
      {R"({"schema": 1.0})", {"schema = 1.0", "expected 1"}},
      {R"({"schema": true})", {"schema = true", "expected 1"}},
      {R"([1])", {"expected a JSON object"}},
      {R"(3)", {"expected a JSON object"}},
      // broken JSON, with line and column
      {"", {"not valid JSON", "line 1, column 1"}},
      {"{\n  \"schema\": 1,\n  \"dmi\": tru\n}", {"not valid JSON", "line 3, column 13"}},
      {"{\"schema\": 1} trailing", {"not valid JSON", "line 1, column 17"}},
      {"{\"schema\": 1, // note\n}", {"not valid JSON", "line 1, column 15"}},
      {"{\"schema\": 1, \"timing.sem_ns\": NaN}", {"not valid JSON", "line 1"}},
      {"{\"schema\": 1, \"timing.sem_ns\": 1e999}", {"not valid JSON", "1e999"}},
      {"{\"schema\": 1, \"name\": \"\xff\"}", {"not valid JSON", "line 1"}},
      {std::string("{\"sch\0ema\": 1}", 14), {"not valid JSON", "line 1"}},
      // duplicates
      {R"({"schema": 1, "dmi": true, "dmi": true})", {"dmi", "given twice"}},
      {R"({"schema": 1, "schema": 1})", {"schema", "given twice"}},
      {R"({"schema": 1, "timing": {"sem_ns": 1, "sem_ns": 2}})", {"sem_ns", "given twice"}},
      {R"({"schema": 1, "timing": {"sem_ns": 1}, "timing.sem_ns": 2})", {"timing.sem_ns", "given twice"}},
      // unknown keys
      {R"({"schema": 1, "timing": {"dve": {"min_i": 64}}})", {"timing.dve.min_i = 64", "timing.dve.min_ii"}},
      {R"({"schema": 1, "min_ii": 64})", {"min_ii = 64", "unknown key", "timing.dve.min_ii"}},
      {R"({"schema": 1, "tming": {"sem_ns": 3}})", {"tming = {\"sem_ns\":3}", "unknown key"}},
      {R"({"schema": 1, "": 1})", {"unknown key"}},
      {R"({"schema": 1, "timing.": 1})", {"timing. = 1", "unknown key"}},
      {R"({"schema": 1, "dmi": {"on": true}})", {"dmi = {\"on\":true}", "true or false"}},
      {R"({"schema": 1, "a\nb": 1})", {"a\\x0ab = 1", "unknown key"}},
      // wrong types
      {R"({"schema": 1, "timing": 3})", {"timing = 3", "expected an object"}},
      {R"({"schema": 1, "timing": {"dve": null}})", {"timing.dve = null", "expected an object"}},
      {R"({"schema": 1, "dmi": 1})", {"dmi = 1", "true or false"}},
      {R"({"schema": 1, "dmi": "true"})", {"dmi = \"true\"", "true or false"}},
      {R"({"schema": 1, "timing.dve.min_ii": 64.0})",
       {"timing.dve.min_ii = 64.0", "an integer from 0 to 1000000 cycles"}},
      {R"({"schema": 1, "timing.dve.min_ii": "64"})", {"timing.dve.min_ii = \"64\"", "an integer"}},
      {R"({"schema": 1, "timing.sem_ns": [30]})", {"timing.sem_ns = [30]", "a number from 0 to 1000000000 ns"}},
      {R"({"schema": 1, "generation": 3})", {"generation = 3", "sunda, cayman, mariana, mariana_plus, maverick"}},
      {R"({"schema": 1, "name": 3})", {"name = 3", "a string"}},
      {R"({"schema": 1, "base": 3})", {"base = 3", "a string"}},
      {R"({"schema": 1, "origins": 3})", {"origins = 3", "an object"}},
      // out of range
      {R"({"schema": 1, "timing.dve.min_ii": -1})", {"timing.dve.min_ii = -1", "0 to 1000000"}},
      {R"({"schema": 1, "timing.dve.min_ii": 1000001})", {"timing.dve.min_ii = 1000001"}},
      {R"({"schema": 1, "poison_seed": 18446744073709551616})",
       {"poison_seed = ", "an integer from 0 to 18446744073709551615"}},
      {R"({"schema": 1, "timing.dve.clock_mhz": 0})", {"timing.dve.clock_mhz = 0", "1 to 10000 MHz"}},
      {R"({"schema": 1, "timing.dve.clock_mhz": 1e300})", {"timing.dve.clock_mhz = 1e+300"}},
      {R"({"schema": 1, "timing.dve.two_source_cycles": 1.5})", {"timing.dve.two_source_cycles = 1.5", "2, 1, 0.5"}},
      {R"({"schema": 1, "generation": "trn2"})", {"generation = \"trn2\"", "one of sunda"}},
      {R"({"schema": 1, "abstraction": "rtl"})", {"abstraction = \"rtl\"", "functional, lt, at"}},
      {R"({"schema": 1, "base": "trn2"})", {"base = trn2", "one of sunda"}},
      {R"({"schema": 1, "base": "sunda", "generation": "cayman"})", {"base = sunda", "generation = cayman"}},
      // value with its source
      {R"({"schema": 1, "dmi": {"value": 1, "source": "x"}})", {"dmi = 1", "true or false"}},
      {R"({"schema": 1, "dmi": {"value": true, "source": 1}})", {"dmi.source = 1", "a string"}},
      {R"({"schema": 1, "dmi": {"value": true, "unit": "x"}})", {"dmi.unit = \"x\"", "only value and source"}},
  };
  const Scratch scratch;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const std::string file = scratch.write("wrong.json", c.text);
    const std::string what = error_of(file, {});
    EXPECT_EQ(what.rfind(file + ": ", 0), 0u) << what;
    expect_contains(what, c.expected);
  }
}

TEST(ConfigError, DeepNestingAndLongTextAreRefusedCalmly) {
  const Scratch scratch;
  const std::string brackets = R"({"schema": 1, "x": )" + std::string(400'000, '[');
  expect_contains(error_of(scratch.write("deep.json", brackets), {}), {"nested deeper than 8 levels"});
  const std::string long_key = R"({"schema": 1, ")" + std::string(900'000, 'k') + R"(": 1})";
  expect_contains(error_of(scratch.write("long.json", long_key), {}), {"unknown key", "kkk..."});
  const std::string long_word = R"({"schema": 1, "dmi": ")" + std::string(900'000, 'w');
  expect_contains(error_of(scratch.write("word.json", long_word), {}), {"not valid JSON", "line 1, column 900023"});
  expect_contains(error_of(scratch.write("large.json", std::string(2'000'000, ' ')), {}), {"larger than 1 MiB"});
}

TEST(ConfigError, FilesThatCannotBeRead) {
  const Scratch scratch;
  expect_contains(error_of(scratch.path("absent.json"), {}), {"absent.json", "no such file", "sunda, cayman"});
  expect_contains(error_of("caymn", {}), {"--config caymn", "the nearest is cayman"});
  expect_contains(error_of(scratch.path(""), {}), {"not a regular file"});
  expect_contains(error_of("/dev/zero", {}), {"/dev/zero", "not a regular file"});
}

TEST(ConfigError, SetTexts) {
  for (const char* text : {"timing.sem_ns", "", "=3", "dmi:true"}) {
    expect_contains(error_of("", {text}), {std::string("--set ") + text, "expected key=value"});
  }
  expect_contains(error_of("", {"timing.semns=3"}), {"--set: timing.semns = 3", "unknown key", "timing.sem_ns"});
  expect_contains(error_of("", {"numerics.acumulator=wide"}), {"nearest is numerics.accumulator"});
  expect_contains(error_of("", {"dve.timing.min_ii=3"}), {"unknown key"});
  expect_contains(error_of("", {"schema=1"}), {"unknown key"});
  expect_contains(error_of("", {"base=sunda"}), {"unknown key"});
  expect_contains(error_of("", {"dmi=true=false"}), {"dmi = true=false", "true or false"});
  expect_contains(error_of("", {"dmi=a\nb"}), {"dmi = a\\x0ab"});
  expect_contains(error_of("", {"dmi=true", "generation=trn1"}), {"generation = trn1", "sunda"});
}

TEST(ConfigError, ContradictionsNameBothKeysAndWhereTheyCameFrom) {
  expect_contains(error_of("", {"place.x=psum", "place.dy=psum"}),
                  {"place.x = psum (--set)", "place.dy = psum (--set)", "two PSUM sources"});
  const Scratch scratch;
  const std::string file = scratch.write("x.json", R"({"schema":1,"place":{"x":"psum"}})");
  expect_contains(error_of(file, {"place.dy=psum"}), {"place.x = psum (file " + file + ")", "place.dy = psum (--set)"});
  EXPECT_EQ(load(file, {"place.dy=psum", "place.x=sbuf"}).config.place.dy, TensorPlace::psum);  // resolved by --set

  for (const std::string key : {"place.x", "place.dy", "place.dx", "place.sums"}) {
    expect_contains(error_of("maverick", {key + "=psum"}),
                    {key + " = psum (--set)", "generation = maverick (preset maverick)", "no PSUM"});
    EXPECT_NO_THROW(load("mariana_plus", {key + "=psum"}));
  }
}

TEST(ConfigError, ValidateChecksAConfigurationMadeByHand) {
  Effective effective = load("", {});
  EXPECT_NO_THROW(validate(effective));
  effective.config.place.x = effective.config.place.dy = TensorPlace::psum;
  EXPECT_THROW(validate(effective), Error);
}

}  // namespace
}  // namespace dve::config
