// Printing that never throws: a closed or full stream is noticed at the end of the program, not in the middle of it.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace dve::app {

template <class... Arguments>
void say(std::FILE* stream, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace dve::app
