// Functions of the activation engine (isa-neighbours.md 5).
#pragma once

#include "dve/isa/isa.h"
#include "switches.h"

namespace dve::numerics {

// activate() knows the function. Not known are those whose formula no source settles: lrelu (slope), gelu_sigmoid
// (constants), the derivatives d_erf, d_gelu, d_silu and d_gelu_sigmoid; and codes without a name.
bool has_definition(isa::ActivationFunc f);

// f(x), evaluated in binary64 and rounded once to binary32 (isa-neighbours.md 5.3 DEFAULT). act_relative_error e
// multiplies it by 1 + e before that rounding, for the functions that are evaluated from a table. `alpha` is read by
// prelu only. Throws std::invalid_argument unless has_definition(f).
//
//   identity, copy x     relu max(x, 0)     prelu x, below 0 alpha*x     sigmoid 1/(1 + e^-x)     softplus ln(1 + e^x)
//   gelu x*Phi(x), Phi the normal distribution     gelu_tanh x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))
//   mish x*tanh(softplus(x))     silu x*sigmoid(x)     rsqrt 1/sqrt(x)     rsqrt_abs 1/sqrt(|x|)
//   sign -1, 0, 1     is_finite 1, or 0 for infinities and NaN     the rest as named
//
// Special values (project choices except rsqrt): rsqrt(+-0) = rsqrt_abs(+-0) = +inf, rsqrt, sqrt and ln of a negative
// are NaN (sqrt(-0) = -0), ln(+-0) = -inf, reciprocal(+-0) = +-inf, sin of an infinity is NaN, sign(-0) = +0, relu(-0)
// = prelu(-0) = -0. gelu, gelu_tanh, mish and silu take their limits at the infinities: -0 and +inf. NaN gives NaN, in
// relu and sign too.
float activate(isa::ActivationFunc f, float x, float alpha, const Switches& switches);

// What the function is applied to: scale*x + bias in binary32, with two roundings or one (act_affine_contraction;
// isa-neighbours.md 5.1).
float act_affine(float x, float scale, float bias, const Switches& switches);

}  // namespace dve::numerics
