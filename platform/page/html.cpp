#include "html.h"

#include <string_view>

#include "assets.h"

namespace dve::page {
namespace {

// JSON stays JSON: < occurs in texts only.
std::string script_safe(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

void put(std::string& page, std::string_view mark, std::string_view value) {
  page.replace(page.find(mark), mark.size(), value);
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string html_of(const json::Json& data) {
  using json::Json;
  const auto text_of = [](const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); };
  // Through JSON, so that bytes which are no UTF-8 are replaced.
  const std::string title = Json::parse(text_of(data.at("title"))).get<std::string>();
  std::string page(kTemplate);
  // From the end: what is put in is not searched for marks.
  put(page, "@script@", kScript);
  put(page, "@uplot_script@", kUplotScript);
  put(page, "@uplot_licence@", kUplotLicence);
  put(page, "@data@", script_safe(text_of(data)));
  put(page, "@style@", kStyle);
  put(page, "@uplot_style@", kUplotStyle);
  put(page, "@title@", escaped(title));
  return page;
}

}  // namespace dve::page
