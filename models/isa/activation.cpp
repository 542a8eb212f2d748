#include "activation.h"

#include <array>

#include "code_name.h"

namespace dve::isa {
namespace {

constexpr std::uint8_t kResident = 0xFF;
constexpr std::uint8_t kRoots = 0, kExponentials = 1, kTrigonometric = 2;

struct Function {
  ActivationFunc code;
  std::string_view name;
  std::uint8_t set;
};

// clang-format off
constexpr std::array kFunctions = {
    Function{ActivationFunc::identity, "identity", kResident}, Function{ActivationFunc::relu, "relu", kResident},
    Function{ActivationFunc::lrelu, "lrelu", kResident}, Function{ActivationFunc::prelu, "prelu", kResident},
    Function{ActivationFunc::sigmoid, "sigmoid", kExponentials}, Function{ActivationFunc::tanh, "tanh", kExponentials},
    Function{ActivationFunc::exp, "exp", kExponentials}, Function{ActivationFunc::sqrt, "sqrt", kRoots},
    Function{ActivationFunc::softplus, "softplus", kExponentials}, Function{ActivationFunc::ln, "ln", kExponentials},
    Function{ActivationFunc::sin, "sin", kTrigonometric}, Function{ActivationFunc::erf, "erf", kTrigonometric},
    Function{ActivationFunc::d_erf, "d_erf", kTrigonometric}, Function{ActivationFunc::gelu, "gelu", kTrigonometric},
    Function{ActivationFunc::mish, "mish", kExponentials},
    Function{ActivationFunc::gelu_tanh, "gelu_tanh", kExponentials},
    Function{ActivationFunc::gelu_sigmoid, "gelu_sigmoid", kExponentials},
    Function{ActivationFunc::arctan, "arctan", kTrigonometric}, Function{ActivationFunc::rsqrt, "rsqrt", kRoots},
    Function{ActivationFunc::square, "square", kResident}, Function{ActivationFunc::sign, "sign", kResident},
    Function{ActivationFunc::d_gelu, "d_gelu", kTrigonometric}, Function{ActivationFunc::abs, "abs", kResident},
    Function{ActivationFunc::rsqrt_abs, "rsqrt_abs", kRoots},
    Function{ActivationFunc::is_finite, "is_finite", kResident}, Function{ActivationFunc::silu, "silu", kExponentials},
    Function{ActivationFunc::d_silu, "d_silu", kExponentials},
    Function{ActivationFunc::d_gelu_sigmoid, "d_gelu_sigmoid", kExponentials},
    Function{ActivationFunc::copy, "copy", kResident}, Function{ActivationFunc::reciprocal, "reciprocal", kRoots}};
// clang-format on

}  // namespace

std::string_view name(ActivationFunc f) { return name_in(kFunctions, f); }

std::optional<ActivationFunc> activation_func_from_string(std::string_view text) { return code_in(kFunctions, text); }

const std::vector<ActivationFunc>& named_activation_funcs() {
  static const std::vector<ActivationFunc> all = [] {
    std::vector<ActivationFunc> functions;
    for (const Function& entry : kFunctions) functions.push_back(entry.code);
    return functions;
  }();
  return all;
}

bool is_always_resident(ActivationFunc f) {
  const Function* entry = find_code(kFunctions, f);
  return entry != nullptr && entry->set == kResident;
}

std::optional<std::uint8_t> table_set_of(ActivationFunc f) {
  const Function* entry = find_code(kFunctions, f);
  if (entry == nullptr || entry->set == kResident) return std::nullopt;
  return entry->set;
}

}  // namespace dve::isa
