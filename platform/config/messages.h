// The wording of configuration errors, the same for files and --set.
#pragma once

#include <fmt/format.h>

#include <string>

#include "config.h"
#include "text.h"

namespace dve::config {

inline Error bad_value(const std::string& where, const std::string& key, const std::string& value,
                       const std::string& allowed) {
  return Error(fmt::format("{}: {} = {}: expected {}", one_line(where), printable(key), printable(value), allowed));
}

inline Error unknown_key(const std::string& where, const std::string& key, const std::string& value) {
  std::vector<std::string> names;
  for (const Key& known : keys()) names.push_back(known.name);
  return Error(fmt::format("{}: {} = {}: unknown key; the nearest is {}", one_line(where), printable(key),
                           printable(value), nearest(key, names)));
}

}  // namespace dve::config
