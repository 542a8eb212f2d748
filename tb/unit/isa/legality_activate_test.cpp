// Activate 0x21, ActivationTableLoad 0x23, ActivationReadAccumulator 0x24 (isa-neighbours.md 2, 5, 13): each rule
// broken once.
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace legality_activate_test {

constexpr auto kActivate = Opcode::activate;
constexpr auto kTable = Opcode::activation_table_load;
constexpr auto kRead = Opcode::activation_read_accumulator;

TEST(LegalityActivate, Functions) {
  // The codes of isa-neighbours.md 5.2.
  const std::set<unsigned> functions = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A,
                                        0x13, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1C, 0x1D, 0x1E,
                                        0x1F, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x80, 0x81};
  for (const Generation g : kGenerations) {
    for (unsigned f = 0; f < 256; ++f) {
      const std::vector<Expected> broken = {{"s3d3_ac_valid_func", "activation_func", 35, f}};
      EXPECT_TRUE(findings_are(with(legal_word(kActivate), {{35, 1, f}}), on(g),
                               functions.count(f) == 1 ? std::vector<Expected>{} : broken));
    }
  }
}

TEST(LegalityActivate, Dtypes) {
  for (const Generation g : kGenerations) {
    for (unsigned d = 0; d <= 0xF; ++d) {
      const bool plain = d >= 2 && d != 0xB && d != 0xC;
      const std::vector<Expected> none;
      EXPECT_TRUE(findings_are(with(legal_word(kActivate), {{32, 1, 0xA0 | d}}), on(g),
                               plain ? none : std::vector<Expected>{{"is_valid_dtype", "in_bias_dtype.lo", 32, d}}));
      EXPECT_TRUE(
          findings_are(with(legal_word(kActivate), {{33, 1, d}}), on(g),
                       plain || d == 0xB ? none : std::vector<Expected>{{"is_valid_dtype", "out_dtype", 33, d}}));
      // The bias has a dtype where it is in memory.
      const bool bias = d == 6 || d == 7 || d == 0xA;
      const std::vector<Expected> broken = {{"s3d3_ac_valid_bias_type", "in_bias_dtype.hi", 32, d}};
      const Word pointer = with(legal_word(kActivate), {{32, 1, 0x0A | d << 4}});
      EXPECT_TRUE(findings_are(pointer, on(g), bias ? none : broken)) << d;
      EXPECT_TRUE(findings_are(with(pointer, {{15, 1, 2}, {40, 4, 5}}), on(g), bias ? none : broken)) << d;
      EXPECT_TRUE(findings_are(with(pointer, {{15, 1, 1}}), on(g), {})) << "a literal is fp32";
    }
  }
}

TEST(LegalityActivate, Immediates) {
  std::vector<Breach> breaches = {
      {kActivate, {{40, 4, 0x102}}, {{"imm_check", "bias", 40, 0x102}}},
      {kActivate, {{40, 4, 0x102}, {32, 1, 0x6A}}, {}},
      {kActivate, {{40, 4, 0x101}, {32, 1, 0x7A}}, {{"imm_check", "bias", 40, 0x101}}},
      {kActivate, {{40, 4, 0x8000000}}, {{"tpb_addr_active_channels", "bias", 40, 0x8000000}}},
      {kActivate, {{15, 1, 1}, {40, 4, 0xFFFFFFFF}}, {}},
      {kActivate, {{15, 1, 2}, {40, 4, 63}}, {}},
      {kActivate, {{15, 1, 2}}, {{"is_valid_imm_reg", "bias", 40, 0x100}}},
      {kActivate, {{15, 1, 3}}, {{"imm_check", "bias_src_n", 15, 3}}},
      {kActivate, {{13, 1, 1}, {36, 4, 0x200}}, {}},
      {kActivate, {{13, 1, 1}, {36, 4, 0x202}}, {{"imm_check", "scale", 36, 0x202}}},
      {kActivate, {{13, 1, 1}, {36, 4, 0x1FFFFFFC}}, {{"tpb_addr_active_channels", "scale", 36}}},
      {kActivate, {{13, 1, 2}, {36, 4, 64}}, {{"is_valid_imm_reg", "scale", 36, 64}}},
      {kActivate, {{13, 1, 3}}, {{"imm_check", "scale_src", 13, 3}}},
      {kActivate, {{13, 1, 255}}, {{"imm_check", "scale_src", 13, 255}}},
      // The third immediate: selectors 0 to 2 always; its value matters to Prelu alone.
      {kActivate, {{12, 1, 1}, {44, 4, 0x203}}, {}},
      {kActivate, {{12, 1, 2}, {44, 4, 0xFFFF}}, {}},
      {kActivate, {{12, 1, 3}}, {{"imm_check", "imm_src", 12, 3}}},
      {kActivate, {{35, 1, 4}, {44, 4, 0x3DCCCCCD}}, {}},
      {kActivate, {{35, 1, 4}, {12, 1, 1}, {44, 4, 0x200}}, {}},
      {kActivate, {{35, 1, 4}, {12, 1, 1}, {44, 4, 0x203}}, {{"imm_check", "imm", 44, 0x203}}},
      {kActivate, {{35, 1, 4}, {12, 1, 1}, {44, 4, 0x8000000}}, {{"tpb_addr_active_channels", "imm", 44}}},
      {kActivate, {{35, 1, 4}, {12, 1, 2}, {44, 4, 0xFFFF}}, {{"is_valid_imm_reg", "imm", 44, 0xFFFF}}},
      {kActivate, {{35, 1, 4}, {12, 1, 9}}, {{"imm_check", "imm_src", 12, 9}}}};
  expect_breaches(breaches, all_generations());
}

TEST(LegalityActivate, OtherFields) {
  std::vector<Breach> breaches = {
      {kActivate, {{34, 1, 0}}, {{"check_active_channels", "num_active_channels", 34, 0}}},
      {kActivate, {{34, 1, 129}}, {{"check_active_channels", "num_active_channels", 34, 129}}},
      {kActivate, {{58, 2, 65}}, {{"equal_element_cnt", "dst.num_elem", 58, 65}}},
      {kActivate, {{16, 4, 0x1002}}, {{"addr_aligned_dtype", "src.start_addr", 16, 0x1002}}},
      {kActivate, {{48, 4, 0x3001}}, {{"addr_aligned_dtype", "dst.start_addr", 48, 0x3001}}},
      {kActivate,
       {{26, 2, 0}},
       {{"tensor3d_valid", "src.num_elem[0]", 26, 0}, {"equal_element_cnt", "dst.num_elem", 58}}}};
  for (unsigned cmd = 0; cmd <= 4; ++cmd) breaches.push_back({kActivate, {{14, 1, cmd}}, {}});
  breaches.push_back({kActivate, {{14, 1, 5}}, {{"s3d3_ac_accumulator_cmd", "accumulator_cmd", 14, 5}}});
  breaches.push_back({kActivate, {{14, 1, 255}}, {{"s3d3_ac_accumulator_cmd", "accumulator_cmd", 14, 255}}});
  expect_breaches(breaches, all_generations());
}

// The words F4 and F7 of isa-neighbours.md 12.
TEST(LegalityActivate, TheReferencesExamples) {
  const Word f4 = with(legal_word(kActivate), {{12, 4, 0x01000000},
                                               {16, 4, 0x104},
                                               {26, 4, 0x00010001},
                                               {35, 1, 0x1D},
                                               {36, 4, 0x3F800000},
                                               {40, 4, 0x3727C5AC},
                                               {48, 4, 0x108},
                                               {58, 2, 1}});
  const Word f7 = with(legal_word(kActivate), {{12, 4, 0x00000100},
                                               {26, 4, 0x00010200},
                                               {32, 2, 0x06A6},
                                               {36, 4, 0x10C},
                                               {40, 4, 0x110},
                                               {44, 4, 0},
                                               {48, 4, 0x2000},
                                               {58, 2, 512}});
  for (const Generation g : kGenerations) {
    EXPECT_TRUE(findings_are(f4, on(g, Engine::act), {}));
    EXPECT_TRUE(findings_are(f7, on(g, Engine::act), {}));
  }
}

TEST(LegalityActivate, TableLoad) {
  std::vector<Breach> breaches;
  for (unsigned set = 0; set < kTableSets; ++set) breaches.push_back({kTable, {{35, 1, set}}, {}});
  breaches.push_back({kTable, {{35, 1, kTableSets}}, {{"ctrl_table_set_index", "set_index", 35, kTableSets}}});
  breaches.push_back({kTable, {{35, 1, 255}}, {{"ctrl_table_set_index", "set_index", 35, 255}}});
  expect_breaches(breaches, all_generations());
}

TEST(LegalityActivate, ReadAccumulator) {
  std::vector<Breach> breaches = {{kRead, {{28, 4, 0}}, {{"d1_rd_one_element", "element_count", 28, 0}}},
                                  {kRead, {{28, 4, 2}}, {{"d1_rd_one_element", "element_count", 28, 2}}},
                                  {kRead, {{50, 2, 2}}, {{"d1_rd_one_element", "dst.num_elem[0]", 50, 2}}},
                                  {kRead, {{33, 1, 1}}, {{"d1_rd_negated_zero", "negated", 33, 1}}},
                                  {kRead, {{34, 1, 0}}, {{"check_active_channels", "num_active_channels", 34, 0}}},
                                  {kRead, {{34, 1, 129}}, {{"check_active_channels", "num_active_channels", 34, 129}}},
                                  {kRead, {{44, 4, 0x3002}}, {{"addr_aligned_dtype", "dst.start_addr", 44, 0x3002}}},
                                  {kRead, {{44, 4, 0x1FFFFFFC}}, {{"tensor_start_addr_valid", "dst.start_addr", 44}}}};
  for (unsigned d = 0; d < 0x18; ++d) {
    const bool legal = d == 6 || d == 7 || d == 0xA || d == 0xB;
    const std::vector<Expected> broken = {{"d1_rd_valid_type", "dtype", 32, d}};
    breaches.push_back({kRead, {{32, 1, d}}, legal ? std::vector<Expected>{} : broken});
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityActivate, TheAccumulatorIsReadUpToV4) {
  for (const Generation g : kGenerations) {
    const std::vector<Expected> broken = {{"act_read_accumulator_generation", "opcode", 0, 0x24}};
    EXPECT_TRUE(findings_are(legal_word(kRead), on(g), core_version(g) == 5 ? broken : std::vector<Expected>{}));
  }
}

}  // namespace legality_activate_test
}  // namespace dve::isa::test
