#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "dve/firmware/firmware.h"

namespace dve::firmware {
namespace dispatch_test {

using isa::Engine;
using Names = std::map<int, std::string>;

// Batch-norm self-names, Tensor-Tensor and the predicated ones as the seed pages print them; 0x66 and the others carry
// their opcode's name.
const Names kDveNames = {{0x41, "S: Tensor-Tensor"},
                         {0x42, "S: TensorReduceArith"},
                         {0x43, "S: TensorScalarArith"},
                         {0x46, "S: Copy"},
                         {0x47, "S: Cast"},
                         {0x48, "S: Reciprocal"},
                         {0x49, "S: Memset"},
                         {0x51, "S: Tensor-Tensor"},
                         {0x53, "S: TensorScalarBitvec"},
                         {0x60, "S: BatchNormalize"},
                         {0x61, "S: BatchNormalize"},
                         {0x62, "S: BatchNormalize"},
                         {0x63, "S: BatchNormalizeGradAccum"},
                         {0x64, "S: BatchNormalizeParamLoad"},
                         {0x65, "S: BatchNormalizeBackProp"},
                         {0x66, "S: LoadParameterRam"},
                         {0x72, "S: CopyPredicated"},
                         {0x82, "S: BatchNormalize"},
                         {0x8E, "S: BatchNormalizeParamLoad2"},
                         {0x94, "S: BatchNormalizeGradAccum2"},
                         {0x99, "S: CastPredicated"}};
const Names kPoolNames = {{0x41, "S: TensorTensorArith"},
                          {0x42, "S: TensorReduceArith"},
                          {0x43, "S: TensorScalarArith"},
                          {0x46, "S: Copy"},
                          {0x47, "S: Cast"},
                          {0x49, "S: Memset"},
                          {0x51, "S: TensorTensorBitvec"},
                          {0x7C, "S: CrossLaneReduce"},
                          {0x7D, "S: CrossLaneReduce"}};
const Names kActNames = {{0x21, "S: Activate"},
                         {0x23, "S: ActivationTableLoad"},
                         {0x24, "S: ActivationReadAccumulator"},
                         {0x43, "S: TensorScalarArith"},
                         {0x46, "S: Copy"},
                         {0x47, "S: Cast"}};

const Names& names_of(Engine engine) {
  if (engine == Engine::dve) return kDveNames;
  return engine == Engine::pool ? kPoolNames : kActNames;
}

std::variant<Handler, DispatchRefusal> outcome(Engine engine, int opcode, Build build) {
  return dispatch(engine, static_cast<std::uint8_t>(opcode), build);
}

// Self-name or predicate.
std::string brief(Engine engine, int opcode, Build build) {
  const auto result = outcome(engine, opcode, build);
  if (const auto* handler = std::get_if<Handler>(&result)) return std::string(handler->self_name);
  return std::string(std::get<DispatchRefusal>(result).predicate);
}

std::string expected_text(Engine engine, int opcode, Build build) {
  return std::get<DispatchRefusal>(outcome(engine, opcode, build)).expected;
}

TEST(FirmwareDispatch, DebugBuildHandlesExactlyTheListedOpcodes) {
  for (const Engine engine : isa::kEngines) {
    for (int opcode = 0; opcode < 256; ++opcode) {
      const auto named = names_of(engine).find(opcode);
      EXPECT_EQ(brief(engine, opcode, Build::debug), named == names_of(engine).end() ? "unknown_opcode" : named->second)
          << to_string(engine) << ' ' << opcode;
    }
  }
}

TEST(FirmwareDispatch, PerfBuildOfTheDveRefusesDeprecatedAndUntrustedRows) {
  const Names refused = {{0x63, "deprecated_opcode"},      {0x64, "deprecated_opcode"},
                         {0x65, "deprecated_opcode"},      {0x82, "untrusted_dispatch_row"},
                         {0x8E, "untrusted_dispatch_row"}, {0x94, "untrusted_dispatch_row"},
                         {0x99, "untrusted_dispatch_row"}};
  for (int opcode = 0; opcode < 256; ++opcode) {
    const auto at = refused.find(opcode);
    EXPECT_EQ(brief(Engine::dve, opcode, Build::perf),
              at == refused.end() ? brief(Engine::dve, opcode, Build::debug) : at->second)
        << opcode;
  }
}

TEST(FirmwareDispatch, PerfBuildOfPoolAndActHandlesWhatDebugDoes) {
  for (const Engine engine : {Engine::pool, Engine::act}) {
    for (int opcode = 0; opcode < 256; ++opcode)
      EXPECT_EQ(brief(engine, opcode, Build::perf), brief(engine, opcode, Build::debug)) << opcode;
  }
}

TEST(FirmwareDispatch, EveryHandledOpcodeBelongsToTheEngineAndIsNoControlOpcode) {
  for (const Engine engine : isa::kEngines) {
    for (const auto& [opcode, name] : names_of(engine)) {
      const auto byte = static_cast<std::uint8_t>(opcode);
      EXPECT_TRUE(isa::engines_of(byte).contains(engine)) << to_string(engine) << ' ' << opcode;
      EXPECT_FALSE(isa::is_control_opcode(byte)) << opcode;
    }
  }
}

TEST(FirmwareDispatch, SelfNamesOfTheDveAreTheImagesWhereItHasOne) {
  for (const auto& [opcode, name] : kDveNames) {
    const FirmwareRow* row = firmware_row(static_cast<std::uint8_t>(opcode));
    if (row == nullptr || !row->self_name) continue;
    EXPECT_EQ(brief(Engine::dve, opcode, Build::debug), row->self_name->text);
  }
}

TEST(FirmwareDispatch, RefusalNamesTheEngineAndWhoHandlesTheOpcode) {
  EXPECT_EQ(expected_text(Engine::act, 0x65, Build::debug),
            "an opcode that the firmware of act handles (batch_norm_back_prop runs on dve)");
  EXPECT_EQ(expected_text(Engine::act, 0x41, Build::debug),
            "an opcode that the firmware of act handles (tensor_tensor_arith_op runs on dve, pool)");
  EXPECT_EQ(expected_text(Engine::dve, 0x21, Build::debug),
            "an opcode that the firmware of dve handles (activate runs on act)");
}

TEST(FirmwareDispatch, RefusalOfANamedOpcodeWithoutLayoutSaysSo) {
  EXPECT_EQ(expected_text(Engine::pool, 0xA8, Build::debug),
            "an opcode that the firmware of pool handles (no reference gives the layout of alu_op)");
  EXPECT_EQ(expected_text(Engine::dve, 0x30, Build::debug),
            "an opcode that the firmware of dve handles (no reference gives the layout of 0x30)");
}

TEST(FirmwareDispatch, RefusalOfAnUnlistedByteOrAControlOpcode) {
  EXPECT_EQ(expected_text(Engine::dve, 0xFF, Build::debug), "an opcode that the firmware of dve handles");
  EXPECT_EQ(expected_text(Engine::dve, 0x00, Build::debug), "an opcode that the firmware of dve handles");
  EXPECT_EQ(expected_text(Engine::pool, 0xA7, Build::debug),
            "an opcode that the firmware of pool handles (move is executed by the sequencer itself)");
}

TEST(FirmwareDispatch, PerfRefusalsSayWhatIsExpected) {
  EXPECT_EQ(expected_text(Engine::dve, 0x63, Build::perf),
            "an opcode outside the PERF build's deprecated cluster 0x63..0x65");
  EXPECT_EQ(expected_text(Engine::dve, 0x94, Build::perf), "a dispatch row up to index 0x40 of the PERF build");
}

}  // namespace dispatch_test
}  // namespace dve::firmware
