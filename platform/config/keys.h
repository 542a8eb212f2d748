// The one table of configuration keys: loader, `--set`, printing and help all walk it (interfaces.md 4).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "settings.h"
#include "value.h"

namespace dve::config {

struct Key {
  std::string name;    // dotted; a unit is part of it where needed
  Domain domain;       // type, range or choices, unit
  std::string help;    // one sentence
  std::string source;  // where the default comes from
  std::function<Value(const Config&)> get;
  std::function<void(Config&, const Value&)> set;  // the value must be in the domain
};

// All keys in the order they are printed.
const std::vector<Key>& keys();

// nullptr when there is no such key.
const Key* find_key(std::string_view name);

}  // namespace dve::config
