// Data and the page around them as one HTML text.
#pragma once

#include <string>

#include "dve/json/json.h"

namespace dve::page {

// A page that loads nothing: style, script, uPlot (MIT licence, in the text) and data are in it. The data stand in a
// script element as JSON in which nothing can end that element; the script writes them as text, never as markup.
// Requires data["title"].
std::string html_of(const json::Json& data);

// For text between tags.
std::string escaped(const std::string& text);

}  // namespace dve::page
