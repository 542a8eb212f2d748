#include "reciprocal.h"

#include <cmath>

#include "convert.h"

namespace dve::numerics {

ParamTable reciprocal_table(ParamRamIndex index) {
  ParamTable table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t k = index == ParamRamIndex::i_plus_1 ? i + 1 : i;
    table[i] = k == 0 ? 1.0F : 1.0F / static_cast<float>(k);
  }
  return table;
}

int table_entry(std::uint64_t k, ParamRamIndex index) {
  const std::uint64_t largest = index == ParamRamIndex::i_plus_1 ? 256 : 255;
  if (k == 0 || k > largest) return -1;
  return static_cast<int>(index == ParamRamIndex::i_plus_1 ? k - 1 : k);
}

float divide_reciprocal(float d, Divide divide) {
  const bool special = d == 0 || !std::isfinite(d);
  if (special || divide == Divide::exact) return canonical(1.0F / d);

  int exponent = 0;
  const float s = 2.0F * std::frexp(d, &exponent);  // d = s * 2^(exponent - 1), 1 <= |s| < 2
  float x = fp16_to_fp32(fp32_to_fp16(1.0F / s));
  for (int step = 0; step < 2; ++step) x = x * (2.0F - s * x);
  return std::ldexp(x, 1 - exponent);
}

float reciprocal(std::uint64_t k, const ParamTable& table, const Switches& switches) {
  const int entry = table_entry(k, switches.param_ram_index);
  if (entry >= 0) return table[static_cast<std::size_t>(entry)];
  return divide_reciprocal(static_cast<float>(k), switches.divide);
}

}  // namespace dve::numerics
