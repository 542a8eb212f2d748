#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "dve/firmware/firmware.h"

namespace dve::firmware {
namespace fault_record_test {

using isa::Engine;

isa::Finding finding(const std::string& predicate) { return {predicate, "field", 0, 0, "something else"}; }

void expect_effect(const Fault& fault, FaultCause cause, int code, int severity, bool halts, int aux) {
  const FaultEffect effect = effect_of(fault);
  SCOPED_TRACE("cause " + std::to_string(static_cast<int>(fault.cause)) + " detail " + std::to_string(fault.detail));
  EXPECT_EQ(effect.cause, cause);
  EXPECT_EQ(effect.code, code);
  EXPECT_EQ(effect.severity, severity);
  EXPECT_EQ(effect.halts, halts);
  EXPECT_EQ(effect.aux, aux);
}

TEST(FaultEffect, TableOfTheErrorUnit) {
  expect_effect({FaultCause::unknown_opcode, 0}, FaultCause::unknown_opcode, 0, 2, true, 0);
  expect_effect({FaultCause::illegal_instruction, 0x65}, FaultCause::illegal_instruction, 0, 2, true, 0x65);
  expect_effect({FaultCause::integer_divide_by_zero, 0}, FaultCause::integer_divide_by_zero, 2, 2, true, 0);
  expect_effect({FaultCause::assertion, 0}, FaultCause::assertion, 0, 2, true, 0);
  for (const int signal : {2, 4, 6, 8, 11, 15})
    expect_effect({FaultCause::signal, static_cast<std::uint16_t>(signal)}, FaultCause::signal, 0x41, 2, true, signal);
  for (const int cause : {1, 3, 4})
    expect_effect({FaultCause::exception_vector, static_cast<std::uint16_t>(cause)}, FaultCause::exception_vector, 0x42,
                  2, true, cause);
}

TEST(FaultEffect, ExceptionCauseHasTwelveBits) {
  expect_effect({FaultCause::exception_vector, 0xFABC}, FaultCause::exception_vector, 0x42, 2, true, 0xABC);
}

TEST(FaultEffect, OneFloatingPointStatusBitIsReportedAndGoesOn) {
  const std::array<std::pair<int, int>, 5> codes = {{{1, 16}, {2, 8}, {4, 4}, {8, 2}, {16, 1}}};
  for (const auto& [status, code] : codes)
    expect_effect({FaultCause::fp_exception, static_cast<std::uint16_t>(status)}, FaultCause::fp_exception, code, 1,
                  false, 0);
}

TEST(FaultEffect, AnyOtherFloatingPointStatusIsAFailedAssertion) {
  for (std::uint16_t status = 0; status <= 256; ++status) {
    if (status == 1 || status == 2 || status == 4 || status == 8 || status == 16) continue;
    expect_effect({FaultCause::fp_exception, status}, FaultCause::assertion, 0, 2, true, 0);
  }
}

TEST(FaultOf, DispatchRefusalsAreUnknownOpcodes) {
  for (const char* name : {"unknown_opcode", "deprecated_opcode", "untrusted_dispatch_row"}) {
    const Fault fault = fault_of(finding(name), 0x63);
    EXPECT_EQ(fault.cause, FaultCause::unknown_opcode) << name;
    EXPECT_EQ(fault.detail, 0) << name;
  }
}

TEST(FaultOf, ArithmeticFindings) {
  EXPECT_EQ(fault_of(finding("integer_divide_by_zero"), 0x41).cause, FaultCause::integer_divide_by_zero);
  const std::map<std::string, int> statuses = {{"fp_status_inexact", 1},
                                               {"fp_status_underflow", 2},
                                               {"fp_status_overflow", 4},
                                               {"fp_status_divide_by_zero", 8},
                                               {"fp_status_invalid", 16}};
  for (const auto& [name, status] : statuses) {
    EXPECT_EQ(fault_of(finding(name), 0x41).cause, FaultCause::fp_exception) << name;
    EXPECT_EQ(fault_of(finding(name), 0x41).detail, status) << name;
    EXPECT_EQ(fp_status_predicate(static_cast<std::uint8_t>(status)), name);
  }
  EXPECT_EQ(fault_of(finding("fp_status_several"), 0x41).cause, FaultCause::assertion);
  for (const int several : {0, 3, 31, 32})
    EXPECT_EQ(fp_status_predicate(static_cast<std::uint8_t>(several)), "fp_status_several");
}

TEST(FaultOf, EverythingElseIsAnIllegalInstructionWithItsOpcode) {
  for (const char* name : {"bnga_dst_element_cnt_check", "bnga2_imm_check", "fetch_response", "fp_status", ""}) {
    const Fault fault = fault_of(finding(name), 0x94);
    EXPECT_EQ(fault.cause, FaultCause::illegal_instruction) << name;
    EXPECT_EQ(fault.detail, 0x94) << name;
  }
}

TEST(FaultRecord, BlockIds) {
  EXPECT_EQ(block_id(Engine::act, {9}), 1);
  EXPECT_EQ(block_id(Engine::pool, {9}), 3);
  EXPECT_EQ(block_id(Engine::dve, {9}), 9);
  EXPECT_EQ(block_id(Engine::dve, {}), 0);
}

TEST(FaultRecord, ByteOrder) {
  EXPECT_EQ(pack({0x41, 5, 3, 0x0B}), 0x0B003541U);
  EXPECT_EQ(pack({0x42, 6, 0xF, 0xABC}), 0xBC0AF642U);
  EXPECT_EQ(pack({0, 0, 0, 0}), 0U);
  EXPECT_EQ(pack({0xFF, 0xF, 0xF, 0xFFFF}), 0xFFFFFFFFU);
}

TEST(FaultRecord, OfFindings) {
  EXPECT_EQ(pack(record_of(finding("unknown_opcode"), Engine::act, 0xFF, {})), 0x00001000U);
  EXPECT_EQ(pack(record_of(finding("s2_bn_imm_check"), Engine::dve, 0x64, {7})), 0x64007100U);
  EXPECT_EQ(pack(record_of(finding("integer_divide_by_zero"), Engine::pool, 0x41, {})), 0x00003202U);
  EXPECT_EQ(pack(record_of(finding("fp_status_invalid"), Engine::pool, 0x41, {})), 0x00003301U);
  EXPECT_EQ(pack(record_of(finding("fp_status_several"), Engine::pool, 0x41, {})), 0x00003400U);
}

TEST(FaultRecord, OfSignalsAndExceptions) {
  EXPECT_EQ(pack(record_of(effect_of({FaultCause::signal, 11}), 1)), 0x0B001541U);
  EXPECT_EQ(pack(record_of(effect_of({FaultCause::exception_vector, 0x103}), 1)), 0x03011642U);
}

TEST(FaultRecord, UnpackInvertsPack) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    EXPECT_EQ(pack(unpack_fault_record(bits)), bits);
  }
  const FaultRecord record{0x10, 3, 1, 0x1234};
  EXPECT_EQ(unpack_fault_record(pack(record)), record);
}

TEST(FaultRecord, WhereItIsPublished) {
  EXPECT_EQ(kFaultUserRegister, 0x15U);
  EXPECT_EQ(kHaltAddress, 0x80400U);
}

}  // namespace fault_record_test
}  // namespace dve::firmware
