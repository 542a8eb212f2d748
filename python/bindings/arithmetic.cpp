#include "arithmetic.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "switches.h"

namespace dve::python {
namespace {

namespace py = pybind11;

isa::Dtype dtype_of(const std::string& name) {
  const auto dtype = isa::dtype_from_string(name);
  if (!dtype || !numerics::is_arithmetic(*dtype))
    throw std::invalid_argument(fmt::format("dtype is '{}', which has no arithmetic", name));
  return *dtype;
}

// Rows and columns of a matrix.
struct Shape {
  py::ssize_t rows, columns;
};

Shape matrix(const char* name, const Floats& array) {
  if (array.ndim() != 2)
    throw std::invalid_argument(fmt::format("{} has {} dimensions, expected 2", name, array.ndim()));
  return {array.shape(0), array.shape(1)};
}

void expect_shape(const char* name, const Floats& array, const std::vector<py::ssize_t>& shape) {
  if (std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim()) != shape)
    throw std::invalid_argument(fmt::format("{} has another shape than its operation needs", name));
}

// Calls `body(row)` for each row, in the model's floating-point environment and without the interpreter's lock.
template <class Body>
void for_each_row(py::ssize_t rows, Body&& body) {
  const py::gil_scoped_release unlocked;
  const numerics::FloatingPointDefaults arithmetic;
  for (py::ssize_t row = 0; row < rows; ++row) body(row);
}

std::size_t count(py::ssize_t columns) { return static_cast<std::size_t>(columns); }

}  // namespace

Floats to_fp32(const Bytes& stored, const std::string& dtype, const py::dict& switches) {
  const isa::Dtype type = dtype_of(dtype);
  const numerics::Switches chosen = switches_of(switches);
  const auto elements = count(stored.size()) / isa::storage_size(type).value;
  Floats result(static_cast<py::ssize_t>(elements));
  float* const out = result.mutable_data();
  for_each_row(1, [&, in = stored.data()](py::ssize_t) { numerics::to_fp32(in, type, elements, out, chosen); });
  return result;
}

Bytes from_fp32(const Floats& values, const std::string& dtype, const py::dict& switches) {
  const isa::Dtype type = dtype_of(dtype);
  const numerics::Switches chosen = switches_of(switches);
  const auto elements = count(values.size());
  Bytes result(static_cast<py::ssize_t>(elements * isa::storage_size(type).value));
  std::uint8_t* const out = result.mutable_data();
  for_each_row(1, [&, in = values.data()](py::ssize_t) { numerics::from_fp32(in, type, elements, out, chosen); });
  return result;
}

Floats grad_accumulate(const Floats& x, const Floats& dy, const Floats& mean, const Floats& inv_std,
                       const py::dict& switches) {
  const Shape shape = matrix("x", x);
  expect_shape("dy", dy, {shape.rows, shape.columns});
  expect_shape("mean", mean, {shape.rows});
  expect_shape("inv_std", inv_std, {shape.rows});
  const numerics::Switches chosen = switches_of(switches);
  Floats result({shape.rows, py::ssize_t{3}});
  float* const out = result.mutable_data();
  const float *const xs = x.data(), *const dys = dy.data(), *const m = mean.data(), *const v = inv_std.data();
  for_each_row(shape.rows, [&](py::ssize_t c) {
    const py::ssize_t at = c * shape.columns;
    const auto sums = numerics::grad_accumulate(xs + at, dys + at, count(shape.columns), m[c], v[c], chosen);
    out[3 * c] = sums.d_beta;
    out[3 * c + 1] = sums.d_gamma;
    out[3 * c + 2] = sums.coupling;
  });
  return result;
}

Floats back_propagate(const Floats& src0, const Floats& dy, const Floats& parameters, const Floats& inv_std,
                      const py::dict& switches) {
  const Shape shape = matrix("src0", src0);
  expect_shape("dy", dy, {shape.rows, shape.columns});
  expect_shape("parameters", parameters, {shape.rows, 5});
  expect_shape("inv_std", inv_std, {shape.rows});
  const numerics::Switches chosen = switches_of(switches);
  const numerics::ParamTable table = numerics::reciprocal_table(chosen.param_ram_index);
  Floats result({shape.rows, shape.columns});
  float* const out = result.mutable_data();
  const float *const xs = src0.data(), *const dys = dy.data(), *const p = parameters.data(), *const v = inv_std.data();
  for_each_row(shape.rows, [&](py::ssize_t c) {
    const py::ssize_t at = c * shape.columns;
    const float* const lane = p + 5 * c;
    const numerics::LaneParameters staged{lane[0], lane[1], lane[2], lane[3], lane[4], v[c]};
    numerics::back_propagate(xs + at, dys + at, count(shape.columns), staged, table, chosen, out + at);
  });
  return result;
}

Floats stats2(const Floats& x, const py::dict& switches) {
  const Shape shape = matrix("x", x);
  const numerics::Switches chosen = switches_of(switches);
  const numerics::ParamTable table = numerics::reciprocal_table(chosen.param_ram_index);
  const auto even = static_cast<float>((shape.columns + 1) / 2), odd = static_cast<float>(shape.columns / 2);
  Floats result({shape.rows, py::ssize_t{6}});
  float* const out = result.mutable_data();
  for_each_row(shape.rows, [&, xs = x.data()](py::ssize_t c) {
    const auto halves = numerics::stats2(xs + c * shape.columns, count(shape.columns), even, odd, table, chosen);
    float* to = out + 6 * c;
    for (const numerics::Moments& half : {halves.even, halves.odd}) {
      *to++ = half.count;
      *to++ = half.mean;
      *to++ = half.nvar;
    }
  });
  return result;
}

Floats aggregate(const Floats& triples, const py::dict& switches) {
  const Shape shape = matrix("triples", triples);
  if (shape.columns % 3 != 0) throw std::invalid_argument("triples are not in threes");
  const numerics::Switches chosen = switches_of(switches);
  Floats result({shape.rows, py::ssize_t{2}});
  float* const out = result.mutable_data();
  for_each_row(shape.rows, [&, in = triples.data()](py::ssize_t c) {
    const auto merged = numerics::aggregate(in + c * shape.columns, count(shape.columns / 3), chosen);
    out[2 * c] = merged.mean;
    out[2 * c + 1] = merged.variance;
  });
  return result;
}

}  // namespace dve::python
