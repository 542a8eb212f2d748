// Data in the page, whatever they hold.
#include <gtest/gtest.h>

#include "dve/page/page.h"

namespace dve::page {
namespace html_test {
namespace {

using json::Json;

// The JSON in the page's data element, as a browser finds it: up to the first end tag.
std::string data_of(const std::string& html) {
  const std::string begin = "<script id=\"data\" type=\"application/json\">";
  const std::size_t at = html.find(begin) + begin.size();
  return html.substr(at, html.find("</script", at) - at);
}

TEST(Html, NoTextLeavesItsElement) {
  const Json data = {{"title", "</title><script>&"}, {"text", "</script><!-- <b> \" ' \\ ü \u2028 @script@ @style@"}};
  const std::string html = html_of(data);
  EXPECT_EQ(Json::parse(data_of(html)), data);
  EXPECT_EQ(data_of(html).find('<'), std::string::npos);
  EXPECT_NE(html.find("<title>&lt;/title&gt;&lt;script&gt;&amp; - dve-sim</title>"), std::string::npos);
}

TEST(Html, BytesThatAreNoTextAreReplaced) {
  const std::string html = html_of({{"title", "a\xFFz"}});
  EXPECT_EQ(Json::parse(data_of(html))["title"], "a\xEF\xBF\xBDz");
  EXPECT_NE(html.find("<title>a\xEF\xBF\xBDz"), std::string::npos);
}

TEST(Html, EverythingIsInThePage) {
  const std::string html = html_of({{"title", "t"}});
  for (const char* mark :
       {"@title@", "@style@", "@data@", "@script@", "@uplot_script@", "@uplot_style@", "@uplot_licence@"})
    EXPECT_EQ(html.find(mark), std::string::npos) << mark;
  EXPECT_NE(html.find("The MIT License (MIT)"), std::string::npos);
  EXPECT_EQ(html.find(" src="), std::string::npos);
  EXPECT_EQ(html.find("<link rel=\"stylesheet\""), std::string::npos);
}

TEST(Numbers, HaveThreeDigitsAndAUnit) {
  EXPECT_EQ(time_text(0), "0 ns");
  EXPECT_EQ(time_text(0.25), "0.250 ns");
  EXPECT_EQ(time_text(999), "999 ns");
  EXPECT_EQ(time_text(2790), "2.79 µs");
  EXPECT_EQ(time_text(35075782.294), "35.1 ms");
  EXPECT_EQ(time_text(2.5e9), "2.50 s");
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(percent_text(0.0004), "< 0.1 %");
  EXPECT_EQ(percent_text(0.034), "3.4 %");
  EXPECT_EQ(percent_text(0.0996), "10 %");
  EXPECT_EQ(percent_text(1), "100 %");
  EXPECT_EQ(times_text(1.25), "1.25 times");
}

}  // namespace
}  // namespace html_test
}  // namespace dve::page
