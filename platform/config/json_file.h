// One configuration file, checked key by key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keys.h"

namespace dve::config {

struct Entry {
  const Key* key = nullptr;
  Value value;                 // in the key's domain
  std::string source;          // "source" beside the value in a file; may be empty
  std::optional<Range> range;  // "low" and "high" beside the value, or in "ranges"; numbers only
};

struct ConfigFile {
  std::string path;
  std::string name;                 // "name", or empty
  std::optional<std::string> base;  // "base": preset underneath
  std::vector<Entry> entries;       // each key at most once

  const Entry* find(const std::string& key) const;
};

// Throws Error for anything but a regular file of valid JSON with "schema": 1, known keys and allowed values.
ConfigFile read_config_file(const std::string& path);

}  // namespace dve::config
