// Every datum of the firmware images against the numbers printed on the two seed pages, and the rules that those
// numbers keep among themselves.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dve/firmware/firmware.h"

namespace dve::firmware {
namespace firmware_image_test {

using isa::Bytes;
using Word = std::optional<std::uint32_t>;

const FirmwareRow& row(int opcode) {
  const FirmwareRow* found = firmware_row(static_cast<std::uint8_t>(opcode));
  if (found == nullptr) throw std::out_of_range("no row of opcode " + std::to_string(opcode));
  return *found;
}

// Opcodes for which a page prints something.
const std::vector<int> kKnown = {0x41, 0x51, 0x61, 0x63, 0x64, 0x65, 0x66, 0x72, 0x8E, 0x94, 0x99, 0xA7};

TEST(FirmwareImage, Carves) {
  EXPECT_EQ(instruction_image(Build::debug).name, "DVE_DEBUG_IRAM");
  EXPECT_EQ(instruction_image(Build::debug).so_offset, 0x16f660U);
  EXPECT_EQ(instruction_image(Build::debug).size, Bytes(0x1bcc0));
  EXPECT_EQ(instruction_image(Build::debug).sha256_prefix, "259769ff");
  EXPECT_EQ(instruction_image(Build::debug).disassembly_lines, 44989U);
  EXPECT_EQ(data_image(Build::debug).name, "DVE_DEBUG_DRAM");
  EXPECT_EQ(data_image(Build::debug).so_offset, 0x18b320U);
  EXPECT_EQ(data_image(Build::debug).size, Bytes(0x6d60));
  EXPECT_EQ(data_image(Build::debug).sha256_prefix, "c106642d");
  EXPECT_EQ(data_image(Build::debug).disassembly_lines, 0U);
  EXPECT_EQ(instruction_image(Build::perf).name, "DVE_PERF_IRAM");
  EXPECT_EQ(instruction_image(Build::perf).sha256_prefix, "9fa066f4");
  EXPECT_EQ(instruction_image(Build::perf).disassembly_lines, 35342U);
  EXPECT_EQ(instruction_image(Build::perf).so_offset, std::nullopt);
  EXPECT_EQ(instruction_image(Build::perf).size, std::nullopt);
  EXPECT_EQ(data_image(Build::perf).name, "DVE_PERF_DRAM");
  EXPECT_EQ(data_image(Build::perf).sha256_prefix, "eb980f98");
  EXPECT_EQ(data_image(Build::perf).size, Bytes(0x2fc0));
  EXPECT_EQ(data_image(Build::perf).so_offset, std::nullopt);
  EXPECT_EQ(data_image(Build::perf).disassembly_lines, 0U);
}

TEST(FirmwareImage, DebugDataFollowsDebugInstructionsInTheLibrary) {
  const Image& code = instruction_image(Build::debug);
  EXPECT_EQ(*code.so_offset + code.size->value, *data_image(Build::debug).so_offset);
}

TEST(FirmwareImage, TableAndCommonAddresses) {
  EXPECT_EQ(kTableOffset, 0x814U);
  EXPECT_EQ(kTableAddress, 0x80814U);
  EXPECT_EQ(kDispatchRows, 178U);
  EXPECT_EQ(kHandlerInvoke, 0x3212U);
  EXPECT_EQ(kHandlerExecute, 0x2e87U);
  EXPECT_EQ(kHandlerRegister, 0x951cU);
  EXPECT_EQ(kSelfNameLog, 0x18010U);
  EXPECT_EQ(kBodyInThunkFrame, 12U);
  EXPECT_EQ(kThunkFrame, Bytes(48));
  EXPECT_EQ(kDeprecatedCluster, 0x9090U);
  EXPECT_EQ(kLastTrustedPerfIndex, 0x40U);
}

TEST(FirmwareImage, RowOffsets) {
  EXPECT_EQ(row_offset(0x41), 0x814U);
  EXPECT_EQ(row_offset(0x51), 0x854U);
  EXPECT_EQ(row_offset(0x63), 0x89cU);
  EXPECT_EQ(row_offset(0x65), 0x8a4U);
  EXPECT_EQ(row_offset(0x94), 0x960U);
  EXPECT_EQ(row_offset(0x40), std::nullopt);
  EXPECT_EQ(row_offset(0x00), std::nullopt);
  EXPECT_EQ(row_offset(0xF3), std::nullopt);
  EXPECT_EQ(row_offset(0xFF), std::nullopt);
  for (int opcode = 0x41; opcode <= 0xF2; ++opcode)
    EXPECT_EQ(row_offset(static_cast<std::uint8_t>(opcode)), 0x814U + 4U * static_cast<unsigned>(opcode - 0x41));
  EXPECT_LE(*row_offset(0xF2) + 4, data_image(Build::debug).size->value);
}

TEST(FirmwareImage, DispatchIndex) {
  EXPECT_EQ(dispatch_index(0x41), 0U);
  EXPECT_EQ(dispatch_index(0x51), 0x10U);
  EXPECT_EQ(dispatch_index(0x65), 0x24U);
  EXPECT_EQ(dispatch_index(0x94), 0x53U);
  EXPECT_EQ(dispatch_index(0xF2), 177U);
  EXPECT_GE(dispatch_index(0x40), kDispatchRows);  // wraps past the bound
  EXPECT_GE(dispatch_index(0xF3), kDispatchRows);
}

TEST(FirmwareImage, OnlyOpcodesThatThePagesMentionHaveData) {
  std::vector<int> known;
  for (int opcode = 0; opcode < 256; ++opcode) {
    const FirmwareRow* found = firmware_row(static_cast<std::uint8_t>(opcode));
    if (found == nullptr) continue;
    known.push_back(opcode);
    EXPECT_EQ(found->opcode, opcode);
  }
  EXPECT_EQ(known, kKnown);
}

TEST(FirmwareImage, DispatchWords) {
  const std::map<int, std::uint32_t> debug = {{0x41, 0x31e6}, {0x51, 0x31ee}, {0x63, 0x309e}, {0x64, 0x30b6},
                                              {0x65, 0x30ae}, {0x66, 0x30e6}, {0x8E, 0x30be}, {0x94, 0x30a6}};
  const std::map<int, std::uint32_t> perf = {
      {0x61, 0x835a}, {0x63, 0x9090}, {0x64, 0x9090}, {0x65, 0x9090}, {0x94, 0x000c}};
  const auto expected = [](const std::map<int, std::uint32_t>& words, int opcode) {
    const auto at = words.find(opcode);
    return at == words.end() ? Word() : Word(at->second);
  };
  for (int opcode = 0; opcode < 256; ++opcode) {
    const auto byte = static_cast<std::uint8_t>(opcode);
    EXPECT_EQ(dispatch_word(byte, Build::debug), expected(debug, opcode)) << opcode;
    EXPECT_EQ(dispatch_word(byte, Build::perf), expected(perf, opcode)) << opcode;
    EXPECT_EQ(in_deprecated_cluster(byte), opcode >= 0x63 && opcode <= 0x65) << opcode;
  }
}

TEST(FirmwareImage, TrustedRows) {
  EXPECT_TRUE(is_trusted_row(0x81, Build::perf));  // index 0x40
  EXPECT_FALSE(is_trusted_row(0x82, Build::perf));
  EXPECT_FALSE(is_trusted_row(0x94, Build::perf));
  EXPECT_TRUE(is_trusted_row(0x94, Build::debug));
}

TEST(FirmwareImage, Thunks) {
  const std::map<int, std::uint32_t> thunks = {
      {0x63, 0x1fac}, {0x94, 0x1fc8}, {0x65, 0x1fe4}, {0x64, 0x2000}, {0x8E, 0x201c}};
  for (const int opcode : kKnown) {
    const auto at = thunks.find(opcode);
    EXPECT_EQ(row(opcode).thunk, at == thunks.end() ? Word() : Word(at->second)) << opcode;
  }
}

TEST(FirmwareImage, BodiesSizesFrames) {
  struct Body {
    Word address;
    std::optional<Bytes> size, frame;
  };
  const std::map<int, Body> bodies = {
      {0x61, {std::nullopt, std::nullopt, Bytes(96)}}, {0x63, {0xb518, Bytes(68), Bytes(48)}},
      {0x64, {0xb62c, std::nullopt, Bytes(48)}},       {0x65, {0xb6f0, std::nullopt, Bytes(32)}},
      {0x8E, {0xb694, std::nullopt, std::nullopt}},    {0x94, {0xb55c, Bytes(208), Bytes(64)}}};
  for (const int opcode : kKnown) {
    const auto at = bodies.find(opcode);
    ASSERT_EQ(row(opcode).body.has_value(), at != bodies.end()) << opcode;
    if (at == bodies.end()) continue;
    EXPECT_EQ(row(opcode).body->address, at->second.address) << opcode;
    EXPECT_EQ(row(opcode).body->size, at->second.size) << opcode;
    EXPECT_EQ(row(opcode).body->frame, at->second.frame) << opcode;
  }
}

TEST(FirmwareImage, SelfNames) {
  struct Name {
    std::string text;
    std::uint32_t address;
    Word so_offset;
  };
  const std::map<int, Name> names = {{0x41, {"S: Tensor-Tensor", 0x2060, std::nullopt}},
                                     {0x51, {"S: Tensor-Tensor", 0x2060, std::nullopt}},
                                     {0x61, {"S: BatchNormalize", 0x2261, std::nullopt}},
                                     {0x63, {"S: BatchNormalizeGradAccum", 0x22a0, 0x18d5c0}},
                                     {0x64, {"S: BatchNormalizeParamLoad", 0x22f0, std::nullopt}},
                                     {0x65, {"S: BatchNormalizeBackProp", 0x2350, std::nullopt}},
                                     {0x72, {"S: CopyPredicated", 0x2900, std::nullopt}},
                                     {0x8E, {"S: BatchNormalizeParamLoad2", 0x230c, std::nullopt}},
                                     {0x94, {"S: BatchNormalizeGradAccum2", 0x22bc, 0x18d5dc}},
                                     {0x99, {"S: CastPredicated", 0x2913, std::nullopt}},
                                     {0xA7, {"S: MOVE", 0x23b0, std::nullopt}}};
  for (const int opcode : kKnown) {
    const auto at = names.find(opcode);
    ASSERT_EQ(row(opcode).self_name.has_value(), at != names.end()) << opcode;
    if (at == names.end()) continue;
    EXPECT_EQ(row(opcode).self_name->text, at->second.text) << opcode;
    EXPECT_EQ(row(opcode).self_name->address, at->second.address) << opcode;
    EXPECT_EQ(row(opcode).self_name->so_offset, at->second.so_offset) << opcode;
  }
}

TEST(FirmwareImage, Descriptors) {
  using Words = std::array<std::uint32_t, 4>;
  for (const int opcode : kKnown)
    EXPECT_EQ(row(opcode).descriptor.has_value(), opcode == 0x63 || opcode == 0x65 || opcode == 0x94) << opcode;
  EXPECT_EQ(row(0x63).descriptor->address, 0x2290U);
  EXPECT_EQ(row(0x63).descriptor->words, (Words{3, 0x78000000, 0xffcfbfa6, 0x0f421061}));
  EXPECT_EQ(row(0x94).descriptor->address, 0x22e0U);
  EXPECT_EQ(row(0x94).descriptor->words, (Words{3, 0x78000000, 0xffc00026, 0x0f421061}));
  EXPECT_EQ(row(0x65).descriptor->address, 0x2370U);
  EXPECT_EQ(row(0x65).descriptor->words, std::nullopt);
}

TEST(FirmwareImage, PointerFetches) {
  for (const int opcode : kKnown) EXPECT_EQ(row(opcode).pointer_fetch.has_value(), opcode == 0x94) << opcode;
  EXPECT_EQ(row(0x94).pointer_fetch->imm0, 0xb5e4U);
  EXPECT_EQ(row(0x94).pointer_fetch->imm1, 0xb608U);
  EXPECT_EQ(row(0x94).pointer_fetch->frame, Bytes(48));
}

// Targets of two Xtensa instructions of three bytes, little-endian, decoded here from the instruction set's definition:
// both hold a signed 18-bit distance in bits 6..23. j: from the following byte but one, pc + 4. call8: in words, from
// the aligned pc.
std::int32_t distance(std::uint32_t instruction) {
  const auto value = static_cast<std::int32_t>(instruction >> 6);
  return value >= 0x20000 ? value - 0x40000 : value;
}
std::uint32_t little_endian(const std::uint8_t* bytes) {
  return bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16;
}
std::uint32_t jump_target(std::uint32_t pc, const std::uint8_t* bytes) {
  const std::uint32_t instruction = little_endian(bytes);
  EXPECT_EQ(instruction & 0x3F, 0x06U) << "not a jump";
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(pc) + 4 + distance(instruction));
}
std::uint32_t call8_target(std::uint32_t pc, const std::uint8_t* bytes) {
  const std::uint32_t instruction = little_endian(bytes);
  EXPECT_EQ(instruction & 0x3F, 0x25U) << "not a call8";
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(pc & ~3U) + 4 + 4 * distance(instruction));
}

TEST(FirmwareImage, TrampolineBytes) {
  using Bytes6 = std::array<std::uint8_t, 6>;
  for (const int opcode : kKnown)
    EXPECT_EQ(row(opcode).trampoline_bytes.has_value(), opcode == 0x63 || opcode == 0x65 || opcode == 0x94) << opcode;
  EXPECT_EQ(row(0x63).trampoline_bytes, (Bytes6{0xe5, 0xf0, 0xfe, 0x46, 0x5b, 0x00}));
  EXPECT_EQ(row(0x65).trampoline_bytes, (Bytes6{0x65, 0xf3, 0xfe, 0x46, 0x57, 0x00}));
  EXPECT_EQ(row(0x94).trampoline_bytes, (Bytes6{0x25, 0xf2, 0xfe, 0x46, 0x59, 0x00}));
}

TEST(FirmwareImage, TrampolineBytesCallTheThunkAndJumpToTheCommonInvoke) {
  for (const int opcode : {0x63, 0x65, 0x94}) {
    const FirmwareRow& r = row(opcode);
    EXPECT_EQ(call8_target(*r.trampoline, r.trampoline_bytes->data()), *r.thunk) << opcode;
    EXPECT_EQ(jump_target(*r.trampoline + 3, r.trampoline_bytes->data() + 3), kHandlerInvoke) << opcode;
  }
}

TEST(FirmwareImage, ResetVectorJumpsToTheBootPath) {
  EXPECT_EQ(kResetVector, (std::array<std::uint8_t, 4>{0x06, 0x76, 0x00, 0x00}));
  EXPECT_EQ(jump_target(0, kResetVector.data()), 0x1dcU);
  EXPECT_EQ(kResetTarget, 0x1dcU);
}

// The five batch-norm handlers with a trampoline of their own, in the order of their thunks.
const std::vector<int> kOwnHandlers = {0x63, 0x94, 0x65, 0x64, 0x8E};

TEST(FirmwareImage, TrampolinesAndThunksStandAtEqualDistances) {
  for (std::size_t i = 1; i < kOwnHandlers.size(); ++i) {
    const FirmwareRow &before = row(kOwnHandlers[i - 1]), &after = row(kOwnHandlers[i]);
    EXPECT_EQ(*after.trampoline - *before.trampoline, 8U) << kOwnHandlers[i];
    EXPECT_EQ(*after.thunk - *before.thunk, kThunkStride) << kOwnHandlers[i];
  }
  EXPECT_EQ(kThunkStride, 0x1cU);
}

TEST(FirmwareImage, BodiesWithASizeEndWhereTheNextBegins) {
  EXPECT_EQ(*row(0x63).body->address + row(0x63).body->size->value, *row(0x94).body->address);
  EXPECT_EQ(*row(0x94).body->address + row(0x94).body->size->value, *row(0x64).body->address);
  EXPECT_LT(row(0x94).pointer_fetch->imm1, *row(0x64).body->address);
  EXPECT_GT(row(0x94).pointer_fetch->imm0, *row(0x94).body->address);
}

TEST(FirmwareImage, SelfNameOffsetsInTheLibraryAreCarveBasePlusAddress) {
  for (const int opcode : {0x63, 0x94}) {
    const SelfName& name = *row(opcode).self_name;
    EXPECT_EQ(*name.so_offset - *data_image(Build::debug).so_offset, name.address) << opcode;
  }
}

TEST(FirmwareImage, StringsAndDescriptorsFollowEachOtherInTheDataImage) {
  // A string ends with a line end and a zero byte; a descriptor has 16 bytes.
  const auto end = [](int opcode) { return row(opcode).self_name->address + row(opcode).self_name->text.size() + 2; };
  EXPECT_EQ(row(0x63).descriptor->address + 16, row(0x63).self_name->address);
  EXPECT_EQ(end(0x63), row(0x94).self_name->address);
  EXPECT_LE(end(0x94), row(0x94).descriptor->address);
  EXPECT_EQ(row(0x94).descriptor->address + 16, row(0x64).self_name->address);
  EXPECT_EQ(end(0x64), row(0x8E).self_name->address);
  EXPECT_LE(end(0x65), row(0x65).descriptor->address);
  EXPECT_EQ(end(0x72), row(0x99).self_name->address);
  EXPECT_EQ(row(0x65).self_name->text.size() + 1, 26U);  // BP 2.1: 26 bytes with the line end
}

TEST(FirmwareImage, AddressesLieInTheirImages) {
  const std::uint64_t code = instruction_image(Build::debug).size->value, data = data_image(Build::debug).size->value;
  for (const int opcode : kKnown) {
    const FirmwareRow& r = row(opcode);
    EXPECT_LT(r.trampoline.value_or(0), code) << opcode;
    EXPECT_LT(r.thunk.value_or(0), code) << opcode;
    const HandlerBody body = r.body.value_or(HandlerBody{});
    EXPECT_LT(body.address.value_or(0) + body.size.value_or(Bytes(0)).value, code) << opcode;
    const SelfName name = r.self_name.value_or(SelfName{});
    EXPECT_LT(name.address + name.text.size(), data) << opcode;
    EXPECT_LE(r.descriptor.value_or(Descriptor{}).address + 16, data) << opcode;
  }
  EXPECT_LT(kSelfNameLog, code);
}

TEST(FirmwareImage, BackPropHasItsOwnTrampolineAndTheThinnestFrame) {
  for (const int opcode : kKnown) {
    if (opcode == 0x65) continue;
    EXPECT_NE(row(opcode).trampoline, row(0x65).trampoline) << opcode;
    const HandlerBody body = row(opcode).body.value_or(HandlerBody{});
    EXPECT_GT(body.frame.value_or(Bytes(48)), *row(0x65).body->frame) << opcode;
  }
}

}  // namespace firmware_image_test
}  // namespace dve::firmware
