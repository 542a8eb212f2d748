#include "target.h"

#include <fmt/format.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace dve::kernels {
namespace {

// Better targets have lower bits.
std::string name_of(std::int64_t target) {
  if (target == HWY_SCALAR || target == HWY_EMU128) return "scalar";
  std::string name = hwy::TargetName(target);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name;
}

// What the processor has, whatever was chosen before.
std::vector<std::int64_t> supported() {
  static const std::vector<std::int64_t> found = [] {
    std::vector<std::int64_t> all = hwy::SupportedAndGeneratedTargets();
    std::reverse(all.begin(), all.end());
    return all;
  }();
  return found;
}

std::int64_t& chosen() {
  static std::int64_t target = supported().back();
  return target;
}

}  // namespace

std::vector<std::string> targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : supported()) names.push_back(name_of(target));
  return names;
}

std::string target() { return name_of(chosen()); }

void use_target(std::string_view name) {
  const std::vector<std::int64_t> all = supported();
  const auto found = name == "best"
                         ? all.end() - 1
                         : std::find_if(all.begin(), all.end(), [&](std::int64_t t) { return name_of(t) == name; });
  if (found == all.end())
    throw std::invalid_argument(fmt::format("vector target \"{}\", expected best or one that this processor has: {}",
                                            name, fmt::join(targets(), ", ")));
  chosen() = *found;
  hwy::SetSupportedTargetsForTest(*found);
  hwy::GetChosenTarget().DeInit();  // the next call takes the new target
}

}  // namespace dve::kernels
