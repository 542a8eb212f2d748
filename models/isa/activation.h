// Functions of the activation engine: byte 35 of Activate words (isa-neighbours.md 5.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dve::isa {

// Codes as they stand in words. Any other byte can be held too.
// clang-format off
enum class ActivationFunc : std::uint8_t {
  identity = 0x01, relu = 0x02, lrelu = 0x03, prelu = 0x04, sigmoid = 0x05, tanh = 0x06, exp = 0x07, sqrt = 0x08,
  softplus = 0x09, ln = 0x0A, sin = 0x13, erf = 0x15, d_erf = 0x16, gelu = 0x17, mish = 0x18, gelu_tanh = 0x19,
  gelu_sigmoid = 0x1A, arctan = 0x1C, rsqrt = 0x1D, square = 0x1E, sign = 0x1F, d_gelu = 0x20, abs = 0x21,
  rsqrt_abs = 0x22, is_finite = 0x23, silu = 0x24, d_silu = 0x25, d_gelu_sigmoid = 0x26, copy = 0x80, reciprocal = 0x81
};
// clang-format on

constexpr std::uint8_t code(ActivationFunc f) { return static_cast<std::uint8_t>(f); }

// Name in assembly text: the enumerator; "0x2a" style for codes without one. And its inverse.
std::string_view name(ActivationFunc f);
std::optional<ActivationFunc> activation_func_from_string(std::string_view text);
// All codes that have a name, ascending.
const std::vector<ActivationFunc>& named_activation_funcs();

// Needs no polynomial table, so it is resident in every function set (isa-neighbours.md 5.2, marked there).
bool is_always_resident(ActivationFunc f);

// Function sets that ActivationTableLoad installs, one at a time (isa-neighbours.md 5.3). Which functions share a set
// is not published: this grouping and its numbers are the model's own (roots; exponentials; trigonometric and error
// functions). Empty for functions that are always resident, and for codes without a name.
std::optional<std::uint8_t> table_set_of(ActivationFunc f);
inline constexpr std::uint8_t kTableSets = 3;

// ACCUM_CMD of Activate words (isa-neighbours.md 2, 5.4).
enum class AccumCmd : std::uint8_t { idle = 0, zero = 1, accumulate = 2, zero_accumulate = 3, load_accumulate = 4 };

}  // namespace dve::isa
