// The opcode table against lists written from isa.md 1.1, 8, 8.3, 11.1, 12, 13.1 and isa-neighbours.md 1, 2, 5 to 9.
#include <map>
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace opcode_test {

struct Expected {
  std::string mnemonic;
  std::string format;
  std::string engines;  // letters: d, p, a
};

const std::map<unsigned, Expected>& opcodes_with_layout() {
  static const std::map<unsigned, Expected> all = {{0x21, {"activate", "S3D3_AC", "a"}},
                                                   {0x23, {"activation_table_load", "CTRL_NO", "a"}},
                                                   {0x24, {"activation_read_accumulator", "D1_RD", "a"}},
                                                   {0x41, {"tensor_tensor_arith_op", "S3S3D3_TT", "dp"}},
                                                   {0x42, {"tensor_reduce_arith_op", "S4D4_TR", "dp"}},
                                                   {0x43, {"tensor_scalar_arith_op", "S3D3_TS", "dpa"}},
                                                   {0x46, {"copy", "S4D4_TR", "dpa"}},
                                                   {0x47, {"cast", "S4D4_TR", "dpa"}},
                                                   {0x48, {"reciprocal", "S4D4_TR", "d"}},
                                                   {0x49, {"memset", "D4_MR", "dp"}},
                                                   {0x51, {"tensor_tensor_bitvec_op", "S3S3D3_TT", "dp"}},
                                                   {0x53, {"tensor_scalar_bitvec_op", "S3D3_TS", "d"}},
                                                   {0x60, {"batch_norm_stats", "S4D2_BN", "d"}},
                                                   {0x61, {"batch_norm_stats2", "S4D2_BN", "d"}},
                                                   {0x62, {"batch_norm_aggregate", "S4D2_BN", "d"}},
                                                   {0x63, {"batch_norm_grad_accumulate", "S3S3D1_BN", "d"}},
                                                   {0x64, {"batch_norm_param_load", "S2_BN", "d"}},
                                                   {0x65, {"batch_norm_back_prop", "S3S3D3_TT", "d"}},
                                                   {0x66, {"load_parameter_ram", "CTRL_IM", "d"}},
                                                   {0x72, {"copy_predicated", "S3S3D3_TT", "d"}},
                                                   {0x7C, {"cross_lane_reduce_arith_op", "S4D4_CR", "p"}},
                                                   {0x7D, {"cross_lane_reduce_bitvec_op", "S4D4_CR", "p"}},
                                                   {0x82, {"transpose_batch_norm_stats2", "S4D2_BN", "d"}},
                                                   {0x8E, {"batch_norm_param_load2", "S2_BNPL2", "d"}},
                                                   {0x94, {"batch_norm_grad_accumulate2", "S3S3D1_BN2", "d"}},
                                                   {0x99, {"cast_predicated", "S3S3D3_TT", "d"}},
                                                   {0xA0, {"event_semaphore", "CTRL_ES", "dpa"}},
                                                   {0xA1, {"halt", "CTRL", "dpa"}},
                                                   {0xA2, {"drain", "CTRL_DR", "dpa"}},
                                                   {0xA3, {"instruction_flush", "CTRL", "dpa"}},
                                                   {0xA4, {"nop", "CTRL", "dpa"}},
                                                   {0xA7, {"move", "CTRL_MV", "dpa"}},
                                                   {0xAA, {"tensor_load", "MEM_2D", "dpa"}},
                                                   {0xAB, {"tensor_store", "MEM_2D", "dpa"}},
                                                   {0xB0, {"semaphore_range_clear", "CTRL_SR", "dpa"}}};
  return all;
}

// Empty: listed without a name.
const std::map<unsigned, std::string> kWithoutLayout = {{0x22, "activate_quantize"},
                                                        {0x25, "activate2"},
                                                        {0x30, ""},
                                                        {0x44, "tensor_scalar_ptr_arith_op"},
                                                        {0x4B, "reg_store"},
                                                        {0x4D, "rng"},
                                                        {0x4F, "tensor_scalar_ptr_multi_arith_op"},
                                                        {0x52, "tensor_reduce_bitvec_op"},
                                                        {0x54, "tensor_scalar_ptr_bitvec_op"},
                                                        {0x5F, "tensor_scalar_ptr_multi_bitvec_op"},
                                                        {0x69, ""},
                                                        {0x6C, "max8"},
                                                        {0x6D, "match_value_load"},
                                                        {0x6E, "find_index8"},
                                                        {0x70, "tensor_scalar_imm_ld_arith_op"},
                                                        {0x71, "tensor_scalar_imm_ld_bitvec_op"},
                                                        {0x7A, ""},
                                                        {0x7E, "iota"},
                                                        {0x83, "transpose_tensor_reduce_arith_op"},
                                                        {0x84, "transpose_tensor_reduce_bitvec_op"},
                                                        {0x93, "transpose_tensor_scalar_arith_op"},
                                                        {0x9A, "tensor_scalar_cache_reduce"},
                                                        {0x9B, "dve_read_accumulator"},
                                                        {0x9D, "scalar_tensor_tensor_arith_op"},
                                                        {0x9E, "scalar_tensor_tensor_bitvec_op"},
                                                        {0x9F, "engine_nop"},
                                                        {0xA5, "write"},
                                                        {0xA6, "notify"},
                                                        {0xA8, "alu_op"},
                                                        {0xA9, "compare_branch"},
                                                        {0xB1, "set_ordering_mode"},
                                                        {0xB2, "move_shape"},
                                                        {0xB3, "poll_sem"},
                                                        {0xB5, "branch_prefetch_hint"},
                                                        {0xB8, "dma_memcpy"},
                                                        {0xC1, "pseudo_dma_trigger"},
                                                        {0xD4, "pseudo_dma_direct2d"},
                                                        {0xE3, "quantize_mx"},
                                                        {0xE6, ""}};

std::string letters(EngineSet engines) {
  std::string text;
  if (engines.contains(Engine::dve)) text += 'd';
  if (engines.contains(Engine::pool)) text += 'p';
  if (engines.contains(Engine::act)) text += 'a';
  return text;
}

TEST(Opcode, MnemonicsOfTheBatchNormPath) {
  const std::map<unsigned, std::string> names = {
      {0x60, "batch_norm_stats"},           {0x61, "batch_norm_stats2"},           {0x62, "batch_norm_aggregate"},
      {0x63, "batch_norm_grad_accumulate"}, {0x64, "batch_norm_param_load"},       {0x65, "batch_norm_back_prop"},
      {0x66, "load_parameter_ram"},         {0x82, "transpose_batch_norm_stats2"}, {0x8E, "batch_norm_param_load2"},
      {0x94, "batch_norm_grad_accumulate2"}};
  ASSERT_EQ(kBatchNormOpcodes.size(), names.size());
  for (const Opcode opcode : kBatchNormOpcodes) EXPECT_EQ(mnemonic(opcode), names.at(code(opcode)));
}

TEST(Opcode, EveryByteOfTheTable) {
  for (unsigned b = 0; b < 256; ++b) {
    const auto byte = static_cast<std::uint8_t>(b);
    const auto known = opcodes_with_layout().find(b);
    const std::optional<Opcode> opcode = opcode_from_byte(byte);
    ASSERT_EQ(opcode.has_value(), known != opcodes_with_layout().end()) << b;
    EXPECT_EQ(is_opcode_member(byte), opcode || kWithoutLayout.count(b) == 1) << b;
    if (!opcode) {
      EXPECT_EQ(engines_of(byte).bits, 0) << b;
      continue;
    }
    EXPECT_EQ(code(*opcode), b);
    EXPECT_EQ(mnemonic(*opcode), known->second.mnemonic);
    EXPECT_EQ(opcode_name(byte), known->second.mnemonic);
    EXPECT_EQ(opcode_from_mnemonic(known->second.mnemonic), opcode);
    EXPECT_EQ(format_of(*opcode).name, known->second.format) << known->second.mnemonic;
    EXPECT_EQ(letters(engines_of(byte)), known->second.engines) << known->second.mnemonic;
  }
}

TEST(Opcode, AllOfThemAscending) {
  std::vector<unsigned> bytes;
  for (const Opcode opcode : all_opcodes()) bytes.push_back(code(opcode));
  std::vector<unsigned> expected;
  for (const auto& entry : opcodes_with_layout()) expected.push_back(entry.first);
  EXPECT_EQ(bytes, expected);
}

TEST(Opcode, NamesWithoutALayout) {
  std::vector<unsigned> expected;
  for (const auto& [byte, name] : kWithoutLayout) {
    expected.push_back(byte);
    const std::string hex = {'0', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 0xF]};
    EXPECT_EQ(opcode_name(static_cast<std::uint8_t>(byte)), name.empty() ? hex : name);
    EXPECT_EQ(opcode_from_mnemonic(name), std::nullopt) << name;
  }
  const std::vector<std::uint8_t> bytes = opcodes_without_layout();
  EXPECT_EQ(std::vector<unsigned>(bytes.begin(), bytes.end()), expected);
}

TEST(Opcode, MembersAreThoseTheReferencesName) {
  // Members, whether they have a layout or not (isa.md 12 and 13.1, isa-neighbours.md 1), and bytes that no list has.
  for (const unsigned b : {0x41, 0x51, 0x72, 0x99, 0x43, 0x53, 0x42, 0x52, 0x46, 0x47, 0x48, 0x49, 0x7C, 0x7D, 0x21,
                           0x23, 0x24, 0x25, 0x6C, 0x6D, 0x6E, 0x70, 0x71, 0x69, 0x7A, 0x9F, 0xA0, 0xA1, 0xA2, 0xA3,
                           0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xB0, 0xB1, 0xB2, 0xB3, 0xB5, 0xB8, 0xE3}) {
    EXPECT_TRUE(is_opcode_member(static_cast<std::uint8_t>(b))) << b;
  }
  for (const unsigned b : {0x00, 0x01, 0x1F, 0x40, 0x45, 0x67, 0x68, 0x90, 0xAC, 0xBF, 0xF2, 0xFF}) {
    EXPECT_FALSE(is_opcode_member(static_cast<std::uint8_t>(b))) << b;
    EXPECT_EQ(opcode_name(static_cast<std::uint8_t>(b)).substr(0, 2), "0x") << b;
  }
}

// isa.md 13.1: the sequencer's own, whatever engine it serves.
TEST(Opcode, ControlWords) {
  const std::set<unsigned> control = {0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA7, 0xAA, 0xAB, 0xB0};
  for (unsigned b = 0; b < 256; ++b)
    EXPECT_EQ(is_control_opcode(static_cast<std::uint8_t>(b)), control.count(b) == 1) << b;
}

TEST(Opcode, OtherTextIsNoMnemonic) {
  for (const char* text : {"", "NOP", "nop ", "batch_norm", "0x61", "compare_branch", "unknown opcode"})
    EXPECT_EQ(opcode_from_mnemonic(text), std::nullopt) << text;
}

}  // namespace opcode_test
}  // namespace dve::isa::test
