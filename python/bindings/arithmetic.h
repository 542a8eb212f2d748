// The arithmetic of the numerics block on arrays of one row a channel.
#pragma once

#include <pybind11/numpy.h>

namespace dve::python {

// Arrays without gaps, of exactly this type: nothing is converted on the way in. Rows are channels.
using Floats = pybind11::array_t<float, pybind11::array::c_style>;
using Bytes = pybind11::array_t<std::uint8_t, pybind11::array::c_style>;

// numerics::to_fp32 and from_fp32 of any number of elements.
Floats to_fp32(const Bytes& stored, const std::string& dtype, const pybind11::dict& switches);
Bytes from_fp32(const Floats& values, const std::string& dtype, const pybind11::dict& switches);

// [C, n] sources and [C] parameters; [C, 3] d_beta, d_gamma, coupling.
Floats grad_accumulate(const Floats& x, const Floats& dy, const Floats& mean, const Floats& inv_std,
                       const pybind11::dict& switches);

// [C, n] sources, [C, 5] element count, mean, A, B, C and [C] inv_std; [C, n] before rounding to a dtype.
Floats back_propagate(const Floats& src0, const Floats& dy, const Floats& parameters, const Floats& inv_std,
                      const pybind11::dict& switches);

// [C, n]; [C, 6] count, mean, n*var of the elements with even and with odd numbers.
Floats stats2(const Floats& x, const pybind11::dict& switches);

// [C, 3 t]; [C, 2] mean, variance.
Floats aggregate(const Floats& triples, const pybind11::dict& switches);

}  // namespace dve::python
