#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "dve/isa/isa.h"

namespace dve::isa {
namespace opcode_test {

TEST(Opcode, MnemonicsOfTheBatchNormPath) {
  const std::map<unsigned, std::string> names = {
      {0x60, "batch_norm_stats"},           {0x61, "batch_norm_stats2"},           {0x62, "batch_norm_aggregate"},
      {0x63, "batch_norm_grad_accumulate"}, {0x64, "batch_norm_param_load"},       {0x65, "batch_norm_back_prop"},
      {0x66, "load_parameter_ram"},         {0x82, "transpose_batch_norm_stats2"}, {0x8E, "batch_norm_param_load2"},
      {0x94, "batch_norm_grad_accumulate2"}};
  EXPECT_EQ(kBatchNormOpcodes.size(), names.size());
  for (unsigned b = 0; b < 256; ++b) {
    const std::optional<Opcode> opcode = opcode_from_byte(static_cast<std::uint8_t>(b));
    ASSERT_EQ(opcode.has_value(), names.count(b) == 1) << b;
    if (!opcode) continue;
    EXPECT_EQ(code(*opcode), b);
    EXPECT_EQ(mnemonic(*opcode), names.at(b));
    EXPECT_TRUE(is_opcode_member(static_cast<std::uint8_t>(b)));
  }
}

TEST(Opcode, MembersAreThoseTheReferencesName) {
  // isa.md 12 and 13.1, the assembly list, and the sixteen engine opcodes of isa-neighbours.md 1.
  for (const unsigned b : {0x41, 0x51, 0x72, 0x99, 0x43, 0x53, 0x42, 0x52, 0x46, 0x47, 0x48, 0x49, 0x7C, 0x7D, 0x21,
                           0x23, 0x24, 0x25, 0x6C, 0x6D, 0x6E, 0x70, 0x71, 0x69, 0x7A, 0x9F, 0xA0, 0xA1, 0xA2, 0xA3,
                           0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xB0, 0xB1, 0xB2, 0xB3, 0xB5, 0xB8, 0xE3}) {
    EXPECT_TRUE(is_opcode_member(static_cast<std::uint8_t>(b))) << b;
  }
  for (const unsigned b : {0x00, 0x01, 0x1F, 0x40, 0x45, 0x67, 0x68, 0x90, 0xAC, 0xBF, 0xF2, 0xFF}) {
    EXPECT_FALSE(is_opcode_member(static_cast<std::uint8_t>(b))) << b;
  }
}

}  // namespace opcode_test
}  // namespace dve::isa
