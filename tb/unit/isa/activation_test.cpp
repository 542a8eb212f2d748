// Activation functions against the table of isa-neighbours.md 5.2, and the model's own grouping into table sets.
#include <map>
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace activation_test {

struct Function {
  std::string name;
  bool resident = false;  // marked as needing no polynomial table
};

const std::map<unsigned, Function>& functions() {
  static const std::map<unsigned, Function> all = {
      {0x01, {"identity", true}},  {0x02, {"relu", true}}, {0x03, {"lrelu", true}}, {0x04, {"prelu", true}},
      {0x05, {"sigmoid"}},         {0x06, {"tanh"}},       {0x07, {"exp"}},         {0x08, {"sqrt"}},
      {0x09, {"softplus"}},        {0x0A, {"ln"}},         {0x13, {"sin"}},         {0x15, {"erf"}},
      {0x16, {"d_erf"}},           {0x17, {"gelu"}},       {0x18, {"mish"}},        {0x19, {"gelu_tanh"}},
      {0x1A, {"gelu_sigmoid"}},    {0x1C, {"arctan"}},     {0x1D, {"rsqrt"}},       {0x1E, {"square", true}},
      {0x1F, {"sign", true}},      {0x20, {"d_gelu"}},     {0x21, {"abs", true}},   {0x22, {"rsqrt_abs"}},
      {0x23, {"is_finite", true}}, {0x24, {"silu"}},       {0x25, {"d_silu"}},      {0x26, {"d_gelu_sigmoid"}},
      {0x80, {"copy", true}},      {0x81, {"reciprocal"}}};
  return all;
}

TEST(ActivationFunctions, NamesOfEveryCode) {
  for (unsigned b = 0; b < 256; ++b) {
    const auto f = static_cast<ActivationFunc>(b);
    const auto known = functions().find(b);
    const std::string hex = {'0', 'x', "0123456789abcdef"[b >> 4], "0123456789abcdef"[b & 0xF]};
    EXPECT_EQ(name(f), known != functions().end() ? known->second.name : hex);
    EXPECT_EQ(activation_func_from_string(name(f)), f);
    EXPECT_EQ(activation_func_from_string(hex), f);
    EXPECT_EQ(is_always_resident(f), known != functions().end() && known->second.resident) << b;
  }
  std::vector<unsigned> named, expected;
  for (const ActivationFunc f : named_activation_funcs()) named.push_back(code(f));
  for (const auto& entry : functions()) expected.push_back(entry.first);
  EXPECT_EQ(named, expected);
  for (const char* text : {"", "Exp", "rsqrt ", "29", "0x1", "cos"})
    EXPECT_EQ(activation_func_from_string(text), std::nullopt) << text;
}

// A set for each function that needs a table, none for the others; the sets are numbered from 0.
TEST(ActivationFunctions, TableSets) {
  std::map<unsigned, std::set<std::string>> sets;
  for (unsigned b = 0; b < 256; ++b) {
    const auto known = functions().find(b);
    const auto set = table_set_of(static_cast<ActivationFunc>(b));
    EXPECT_EQ(set.has_value(), known != functions().end() && !known->second.resident) << b;
    if (!set) continue;
    EXPECT_LT(*set, kTableSets);
    sets[*set].insert(known->second.name);
  }
  EXPECT_EQ(sets.size(), kTableSets);
  EXPECT_EQ(sets[0], (std::set<std::string>{"sqrt", "rsqrt", "rsqrt_abs", "reciprocal"}));
  EXPECT_EQ(sets[2], (std::set<std::string>{"sin", "arctan", "erf", "d_erf", "gelu", "d_gelu"}));
}

// isa-neighbours.md 2.
TEST(ActivationFunctions, AccumulatorCommands) {
  EXPECT_EQ(static_cast<int>(AccumCmd::idle), 0);
  EXPECT_EQ(static_cast<int>(AccumCmd::zero), 1);
  EXPECT_EQ(static_cast<int>(AccumCmd::accumulate), 2);
  EXPECT_EQ(static_cast<int>(AccumCmd::zero_accumulate), 3);
  EXPECT_EQ(static_cast<int>(AccumCmd::load_accumulate), 4);
}

}  // namespace activation_test
}  // namespace dve::isa::test
