#include "switches.h"

namespace dve::python {
namespace {

namespace py = pybind11;

const std::string kNumerics = "numerics.";

}  // namespace

std::vector<std::string> set_texts(const py::dict& values, const std::string& prefix) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : values) {
    const bool boolean = py::isinstance<py::bool_>(value);
    const std::string text = boolean ? (value.cast<bool>() ? "true" : "false") : py::str(value).cast<std::string>();
    texts.push_back(prefix + py::str(name).cast<std::string>() + "=" + text);
  }
  return texts;
}

numerics::Switches switches_of(const py::dict& values) {
  return config::with_sets({}, set_texts(values, kNumerics)).config.numerics;
}

py::dict describe_switches() {
  py::dict all;
  for (const config::Key& key : config::keys()) {
    if (key.name.rfind(kNumerics, 0) != 0) continue;
    all[py::str(key.name.substr(kNumerics.size()))] =
        py::make_tuple(key.domain.allowed(), config::to_string(key.get({})), key.help);
  }
  return all;
}

}  // namespace dve::python
