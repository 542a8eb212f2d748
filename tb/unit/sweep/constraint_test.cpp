// Conditions on points.
#include <gtest/gtest.h>

#include "dve/sweep/sweep.h"

namespace dve::sweep {
namespace constraint_test {
namespace {

Scalar value_of(const std::string& name) {
  if (name == "clock") return 1200.0;
  if (name == "place.x") return std::string("psum");
  if (name == "dmi") return true;
  throw std::out_of_range(name);
}

bool holds(const std::string& text) { return Constraint(text).holds(value_of); }

TEST(Constraint, ComparesNumbersTextsAndTruths) {
  for (const char* text :
       {"clock == 1200", "clock != 1", "clock < 1201", "clock <= 1200", "clock > 1.1e3", "clock >= 1200",
        "place.x == 'psum'", "place.x != \"sbuf\"", "dmi", "!(!dmi)", "dmi == true", "false != dmi"})
    EXPECT_TRUE(holds(text)) << text;
  for (const char* text : {"clock == 1201", "clock != 1200", "clock < 1200", "clock <= 1199", "clock > 1200",
                           "clock >= 1201", "place.x == 'sbuf'", "!dmi", "dmi == false"})
    EXPECT_FALSE(holds(text)) << text;
}

TEST(Constraint, PrecedenceIsThatOfC) {
  EXPECT_TRUE(holds("1 + 2 * 3 == 7"));
  EXPECT_TRUE(holds("(1 + 2) * 3 == 9"));
  EXPECT_TRUE(holds("10 - 4 - 3 == 3"));
  EXPECT_TRUE(holds("12 / 3 / 2 == 2"));
  EXPECT_TRUE(holds("17 % 5 == 2"));
  EXPECT_TRUE(holds("-clock + 1200 == 0"));
  EXPECT_TRUE(holds("true || false && false"));
  EXPECT_FALSE(holds("(true || false) && false"));
  EXPECT_TRUE(holds("clock > 1 && place.x == 'psum' || false"));
}

TEST(Constraint, LooksAtTheRightSideOnlyWhenItMatters) {
  EXPECT_TRUE(holds("dmi || unknown > 1"));
  EXPECT_FALSE(holds("!dmi && unknown > 1"));
}

TEST(Constraint, KnowsItsNames) {
  EXPECT_EQ(Constraint("a.b_c > 1 || x == 'y' && true").names(), (std::vector<std::string>{"a.b_c", "x"}));
}

TEST(Constraint, WhatCannotBeReadSaysWhere) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      Constraint constraint(text);
    } catch (const ConstraintError& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_EQ(message("clock >"), "at column 8: expected a number, a text in quotes, a name or (");
  EXPECT_EQ(message("(clock > 1"), "at column 11: expected )");
  EXPECT_EQ(message("clock = 1"), "at column 7: expected an operator or the end");
  EXPECT_EQ(message("x == 'open"), "at column 6: expected ' at the end of the text");
  EXPECT_EQ(message(""), "at column 1: expected a number, a text in quotes, a name or (");
  EXPECT_EQ(message("1 < 2 < 3"), "at column 7: expected an operator or the end");
  EXPECT_NE(message(std::string(5000, '(')).find("at most 200 levels"), std::string::npos);
  EXPECT_NE(message(std::string(5000, '!')).find("at most 200 levels"), std::string::npos);
}

TEST(Constraint, ValuesThatDoNotFitAreErrors) {
  for (const char* text :
       {"clock", "place.x + 1 > 0", "place.x < 'z'", "clock == 'psum'", "!clock", "clock && dmi", "-dmi < 1"})
    EXPECT_THROW(holds(text), ConstraintError) << text;
}

}  // namespace
}  // namespace constraint_test
}  // namespace dve::sweep
