#include <gtest/gtest.h>

#include <map>
#include <string>

#include "dve/seq/seq.h"

namespace dve {
namespace {

// Self-names of the DEBUG image as the seed pages print them; 0x66 carries its opcode name.
const std::map<int, std::string> kSelfNames = {
    {0x60, "S: BatchNormalize"},          {0x61, "S: BatchNormalize"},          {0x62, "S: BatchNormalize"},
    {0x63, "S: BatchNormalizeGradAccum"}, {0x64, "S: BatchNormalizeParamLoad"}, {0x65, "S: BatchNormalizeBackProp"},
    {0x66, "S: LoadParameterRam"},        {0x82, "S: BatchNormalize"},          {0x8E, "S: BatchNormalizeParamLoad2"},
    {0x94, "S: BatchNormalizeGradAccum2"}};

std::string outcome(int opcode, SeqBuild build) {
  const auto row = dispatch_dve(static_cast<std::uint8_t>(opcode), build);
  if (const auto* handler = std::get_if<Handler>(&row)) return std::string(handler->self_name);
  return std::string(std::get<DispatchRefusal>(row).predicate);
}

TEST(Dispatch, DebugBuildHandlesExactlyTheBatchNormOpcodes) {
  for (int opcode = 0; opcode < 256; ++opcode) {
    const auto named = kSelfNames.find(opcode);
    EXPECT_EQ(outcome(opcode, SeqBuild::debug), named == kSelfNames.end() ? "unknown_opcode" : named->second) << opcode;
  }
}

TEST(Dispatch, KeyIsOpcodeMinus0x41WithOneUnsignedBound) {
  EXPECT_EQ(dispatch_index(0x41), 0u);
  EXPECT_EQ(dispatch_index(0x65), 0x24u);  // seed page: BackProp idx 0x24
  EXPECT_EQ(dispatch_index(0x94), 0x53u);  // seed page: GradAccum2 idx 0x53
  EXPECT_EQ(dispatch_index(0xF2), kDispatchRows - 1);
  EXPECT_GE(dispatch_index(0x40), kDispatchRows);  // below the table: wraps past the bound
}

TEST(Dispatch, PerfBuildFaultsOnTheDeprecatedClusterAndOnUntrustedRows) {
  for (int opcode : {0x63, 0x64, 0x65}) EXPECT_EQ(outcome(opcode, SeqBuild::perf), "deprecated_opcode") << opcode;
  for (int opcode : {0x82, 0x8E, 0x94}) EXPECT_EQ(outcome(opcode, SeqBuild::perf), "untrusted_dispatch_row") << opcode;
  for (int opcode : {0x60, 0x61, 0x62, 0x66})
    EXPECT_EQ(outcome(opcode, SeqBuild::perf), kSelfNames.at(opcode)) << opcode;
}

}  // namespace
}  // namespace dve
