// Keyword arguments of Python as configuration.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "dve/config/config.h"

namespace dve::python {

// "key=value" texts, as `--set` takes them: True and False in lower case, everything else as str() has it. `prefix`
// goes before each key.
std::vector<std::string> set_texts(const pybind11::dict& values, const std::string& prefix);

// The switches of docs/numerics.md by their names without "numerics.". config::Error names a wrong one.
numerics::Switches switches_of(const pybind11::dict& values);

// The name of a switch -> what it allows, its default, its help.
pybind11::dict describe_switches();

}  // namespace dve::python
