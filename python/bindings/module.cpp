// dve._core: what the Python package takes from the plain blocks. The package itself checks arguments and documents.
#include <pybind11/pybind11.h>

#include "arithmetic.h"
#include "dve/config/config.h"
#include "programs.h"
#include "switches.h"

namespace {

namespace py = pybind11;

py::dict storage_bytes() {
  py::dict all;
  for (int code = 0; code < 256; ++code) {
    const auto dtype = static_cast<dve::isa::Dtype>(code);
    if (!dve::numerics::is_arithmetic(dtype)) continue;
    const std::string_view name = dve::isa::name(dtype);
    all[py::str(name.data(), name.size())] = dve::isa::storage_size(dtype).value;
  }
  return all;
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  using namespace dve::python;
  module.doc() = "The plain blocks of dve-tlm behind the package dve. Use the package.";
  module.attr("version") = DVE_VERSION;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const dve::config::Error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });

  module.def("storage_bytes", storage_bytes, "Bytes of an element of each dtype that has arithmetic.");
  module.def("describe_switches", describe_switches, "(allowed, default, help) of each switch of docs/numerics.md.");
  const auto exactly = [](const char* name) { return py::arg(name).noconvert(); };
  module.def("to_fp32", to_fp32, exactly("stored"), py::arg("dtype"), py::arg("switches"));
  module.def("from_fp32", from_fp32, exactly("values"), py::arg("dtype"), py::arg("switches"));
  module.def("grad_accumulate", grad_accumulate, exactly("x"), exactly("dy"), exactly("mean"), exactly("inv_std"),
             py::arg("switches"));
  module.def("back_propagate", back_propagate, exactly("src0"), exactly("dy"), exactly("parameters"),
             exactly("inv_std"), py::arg("switches"));
  module.def("stats2", stats2, exactly("x"), py::arg("switches"));
  module.def("aggregate", aggregate, exactly("triples"), py::arg("switches"));

  module.def("assemble", assemble, py::arg("text"), py::arg("generation"));
  module.def("disassemble", disassemble, py::arg("words"), py::arg("generation"));
  module.def("check", check, py::arg("words"), py::arg("engines"), py::arg("config"), py::arg("set"));
}
