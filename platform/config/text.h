// Text helpers of messages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dve::config {

std::string join(const std::vector<std::string>& words);  // "a, b, c"

// `text` fit for one line of a message: control characters escaped.
std::string one_line(std::string_view text);
// one_line() of its first `limit` characters: for values, which can be anything.
std::string printable(std::string_view text, std::size_t limit = 80);

// The candidate with the smallest edit distance to `text`. A candidate's last dotted part may match as well, so that a
// forgotten prefix is found. The first one wins a tie; candidates must not be empty.
std::string nearest(std::string_view text, const std::vector<std::string>& candidates);

}  // namespace dve::config
