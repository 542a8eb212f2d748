// ParamLoad 0x64, ParamLoad2 0x8E (isa.md 7.3), LoadParameterRam 0x66 (isa.md 11.1): each rule broken once.
#include "words.h"

namespace dve::isa::test {
namespace legality_param_load_test {

constexpr auto kLoad1 = Opcode::batch_norm_param_load;
constexpr auto kLoad2 = Opcode::batch_norm_param_load2;
constexpr auto kRam = Opcode::load_parameter_ram;

TEST(LegalityParamLoad, ParamLoad) {
  std::vector<Breach> breaches = {
      {kLoad1, {{34, 1, 0}}, {{"check_active_channels", "num_active_channels", 34, 0}}},
      {kLoad1, {{34, 1, 129}}, {{"check_active_channels", "num_active_channels", 34, 129}}},
      {kLoad1, {{24, 2, 2}}, {{"s2_bn_src_element_cnt_check", "src.num_elem", 24, 2}}},
      {kLoad1, {{24, 2, 3}, {26, 2, 3}}, {{"s2_bn_src_element_cnt_check", "src.num_elem", 24, 9}}},
      {kLoad1, {{24, 2, 1}, {26, 2, 3}}, {}},
      {kLoad1,
       {{26, 2, 0}},
       {{"tensor2d_valid", "src.num_elem[1]", 26, 0}, {"s2_bn_src_element_cnt_check", "src.num_elem", 24, 0}}},
      {kLoad1, {{16, 4, 0x8001}}, {{"addr_aligned_dtype", "src.start_addr", 16, 0x8001}}},
      {kLoad1, {{48, 1, 0}}, {}},
      {kLoad1, {{48, 1, 3}}, {{"s2_bn_imm_check", "imm0_src", 48, 3}}},
      {kLoad1, {{48, 1, 0x12}}, {{"s2_bn_imm_check", "imm0_src", 48, 0x12}}},
      {kLoad1, {{44, 4, 0x102}}, {{"s2_bn_imm_check", "imm0", 44, 0x102}}},
      {kLoad1, {{44, 4, 0x102}, {48, 1, 0}, {32, 1, 6}}, {{"s2_bn_imm_check", "imm0", 44, 0x102}}},
      {kLoad1, {{48, 1, 2}, {44, 4, 63}}, {}},
      {kLoad1, {{48, 1, 2}, {44, 4, 64}}, {{"is_valid_imm_reg", "imm0", 44, 64}}},
      {kLoad1, {{44, 4, 0x8000000}}, {{"tpb_addr_active_channels", "imm0", 44, 0x8000000}}},
      {kLoad1, {{12, 1, 1}}, {{"s2_bn_reserved_zero", "reserved0", 12, 1}}},
      {kLoad1, {{15, 1, 1}}, {{"s2_bn_reserved_zero", "reserved0", 15, 1}}},
      {kLoad1, {{33, 1, 0x80}}, {{"s2_bn_reserved_zero", "reserved1", 33, 0x80}}},
      {kLoad1, {{35, 1, 2}}, {{"s2_bn_reserved_zero", "reserved2", 35, 2}}},
      {kLoad1, {{43, 1, 2}}, {{"s2_bn_reserved_zero", "reserved2", 43, 2}}},
      {kLoad1, {{49, 1, 3}}, {{"s2_bn_reserved_zero", "reserved3", 49, 3}}},
      {kLoad1, {{63, 1, 3}}, {{"s2_bn_reserved_zero", "reserved3", 63, 3}}}};
  for (const std::uint32_t bits : {0x7F800000u, 0xFF800000u, 0x7FC00000u}) {
    breaches.push_back({kLoad1, {{28, 4, bits}}, {{"s2_bn_valid_element_count", "element_count_bits", 28, bits}}});
  }
  for (const unsigned d : {0u, 2u, 8u, 0xBu, 0x77u}) {
    breaches.push_back({kLoad1, {{32, 1, d}}, {{"s2_bn_valid_src_type", "src_dtype", 32, d}}});
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityParamLoad, ParamLoad2) {
  std::vector<Breach> breaches = {
      {kLoad2, {{34, 1, 0}}, {{"check_active_channels", "num_active_channels", 34, 0}}},
      {kLoad2, {{34, 1, 129}}, {{"check_active_channels", "num_active_channels", 34, 129}}},
      {kLoad2, {{20, 2, 3}}, {{"s2_bnpl2_src_element_cnt_check", "src.num_elem", 20, 3}}},
      {kLoad2, {{20, 2, 1}}, {{"s2_bnpl2_src_element_cnt_check", "src.num_elem", 20, 1}}},
      {kLoad2, {{20, 2, 1}, {22, 2, 2}}, {}},
      {kLoad2,
       {{20, 2, 0}},
       {{"tensor2d_valid", "src.num_elem[0]", 20, 0}, {"s2_bnpl2_src_element_cnt_check", "src.num_elem", 20, 0}}},
      {kLoad2, {{28, 4, 0x7F800000}}, {{"s2_bnpl2_valid_element_count", "element_count_bits", 28}}},
      {kLoad2, {{32, 1, 8}}, {{"s2_bnpl2_valid_src_type", "src_dtype", 32, 8}}},
      {kLoad2, {{33, 1, 0}}, {{"s2_bnpl2_valid_immediate_type", "immediate_dtype", 33, 0}}},
      {kLoad2, {{33, 1, 8}}, {{"s2_bnpl2_valid_immediate_type", "immediate_dtype", 33, 8}}},
      {kLoad2, {{12, 4, 0x8002}}, {{"addr_aligned_dtype", "src.start_addr", 12, 0x8002}}},
      {kLoad2, {{48, 1, 0}, {49, 1, 0}}, {}},
      {kLoad2, {{48, 1, 3}}, {{"s2_bnpl2_imm_check", "imm0_src", 48, 3}}},
      {kLoad2, {{49, 1, 255}}, {{"s2_bnpl2_imm_check", "imm1_src", 49, 255}}},
      {kLoad2, {{40, 4, 0x102}}, {{"s2_bnpl2_imm_check", "imm0", 40, 0x102}}},
      {kLoad2, {{40, 4, 0x102}, {33, 1, 6}}, {}},
      {kLoad2, {{44, 4, 0x101}, {33, 1, 6}}, {{"s2_bnpl2_imm_check", "imm1", 44, 0x101}}},
      {kLoad2, {{48, 1, 2}}, {{"is_valid_imm_reg", "imm0", 40, 0x100}}},
      {kLoad2, {{49, 1, 2}, {44, 4, 5}}, {}},
      {kLoad2, {{49, 1, 2}, {44, 4, 64}}, {{"is_valid_imm_reg", "imm1", 44, 64}}},
      {kLoad2, {{40, 4, 0x8000000}}, {{"tpb_addr_active_channels", "imm0", 40}}},
      {kLoad2, {{44, 4, 0x1FFFFFFC}}, {{"tpb_addr_active_channels", "imm1", 44}}},
      {kLoad2, {{24, 1, 1}}, {{"s2_bnpl2_reserved_zero", "reserved0", 24, 1}}},
      {kLoad2, {{27, 1, 1}}, {{"s2_bnpl2_reserved_zero", "reserved0", 27, 1}}},
      {kLoad2, {{35, 1, 1}}, {{"s2_bnpl2_reserved_zero", "reserved1", 35, 1}}},
      {kLoad2, {{39, 1, 1}}, {{"s2_bnpl2_reserved_zero", "reserved1", 39, 1}}},
      {kLoad2, {{50, 1, 1}}, {{"s2_bnpl2_reserved_zero", "reserved2", 50, 1}}},
      {kLoad2, {{63, 1, 1}}, {{"s2_bnpl2_reserved_zero", "reserved2", 63, 1}}}};
  expect_breaches(breaches, all_generations());
}

TEST(LegalityParamLoad, FiniteCountsOfAnySignAreAccepted) {
  for (const std::uint32_t bits : {0u, 0x80000000u, 0x7F7FFFFFu, 0xC1200000u, 1u}) {
    EXPECT_TRUE(findings_are(with(legal_word(kLoad1), {{28, 4, bits}}), on(Generation::cayman), {})) << bits;
    EXPECT_TRUE(findings_are(with(legal_word(kLoad2), {{28, 4, bits}}), on(Generation::cayman), {})) << bits;
  }
}

TEST(LegalityParamLoad, LoadParameterRam) {
  std::vector<Breach> breaches = {
      {kRam, {{12, 2, 0}}, {}},
      {kRam, {{12, 2, 1}}, {}},
      {kRam, {{12, 2, 249}}, {{"ctrl_im_param_ram_bounds", "param_ram_offset", 12, 249}}},
      {kRam, {{12, 2, 0xFFFF}}, {{"ctrl_im_param_ram_bounds", "param_ram_offset", 12, 0xFFFF}}},
      {kRam, {{14, 1, 1}}, {{"ctrl_im_ptr_select_zero", "imm_ptr_select", 14, 1}}},
      {kRam, {{32, 4, 0x7FC00000}}, {}}};
  for (const unsigned k : {15u, 20u, 31u}) {
    breaches.push_back({kRam, {{k, 1, 4}}, {{"ctrl_im_reserved_zero", "reserved0", k, 4}}});
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityParamLoad, LoadParameterRamInBytes) {
  LegalityOptions options = on(Generation::cayman);
  options.param_ram_offset_unit_bytes = 1;
  EXPECT_TRUE(findings_are(with(legal_word(kRam), {{12, 2, 992}}), options, {}));
  for (const unsigned offset : {993u, 996u, 2u}) {
    EXPECT_TRUE(findings_are(with(legal_word(kRam), {{12, 2, offset}}), options,
                             {{"ctrl_im_param_ram_bounds", "param_ram_offset", 12, offset}}));
  }
}

}  // namespace legality_param_load_test
}  // namespace dve::isa::test
