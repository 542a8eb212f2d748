// Comma-separated values (RFC 4180).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dve::page {

// Rows of cells; lines end in LF or CRLF, a quoted cell may hold both, commas, and quotes written twice. A last line
// needs no end. layer::InputError names `file` and the line: a quote that is not closed or stands inside a cell, or a
// row with another number of cells than the first.
std::vector<std::vector<std::string>> parse_csv(const std::string& text, const std::filesystem::path& file);

}  // namespace dve::page
