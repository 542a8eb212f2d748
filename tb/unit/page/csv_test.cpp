// Comma-separated values.
#include <gtest/gtest.h>

#include "dve/layer/layer.h"
#include "dve/page/page.h"

namespace dve::page {
namespace csv_test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows parsed(const std::string& text) { return parse_csv(text, "t.csv"); }

std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const layer::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Csv, CellsEndAtCommasAndLinesEitherWay) {
  EXPECT_EQ(parsed("a,b\n1,\r\n,2"), (Rows{{"a", "b"}, {"1", ""}, {"", "2"}}));
  EXPECT_EQ(parsed(""), Rows{});
}

TEST(Csv, QuotedCellsHoldAnything) {
  EXPECT_EQ(parsed("\"a,\"\"b\"\"\r\nc\",d\n\"\",e\n"), (Rows{{"a,\"b\"\r\nc", "d"}, {"", "e"}}));
}

TEST(Csv, DamagedTextIsRefusedWithItsLine) {
  EXPECT_EQ(refusal("a,b\n1\n"), "t.csv: line 2 has 1 cells, expected 2 as in the first line");
  EXPECT_EQ(refusal("a\n\"b\n"), "t.csv: line 2 has a quote that is never closed, expected another one");
  EXPECT_EQ(refusal("a\nb\"c\n"), "t.csv: line 2 has a quote inside a cell, expected the whole cell in quotes");
  EXPECT_EQ(refusal("\"a\nb\"c\n"),
            "t.csv: line 2 has text behind a closing quote, expected a comma or the end of the line");
}

}  // namespace
}  // namespace csv_test
}  // namespace dve::page
