// A word executed twice, by the Core and by the golden, on the same memory contents.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "dve/execute/execute.h"
#include "golden/golden.h"
#include "support/random_operands.h"
#include "support/tensor_word_builder.h"

namespace dve::execute_test {

// Bytes at the start of every partition that words may touch.
inline constexpr std::uint32_t kSbufBytes = 8192, kPsumBytes = 4096;

// Values for a loop to go through.
using Codes = std::initializer_list<std::uint8_t>;
using Counts = std::initializer_list<std::uint16_t>;

// The 12 dtypes of a source, FP32R too for a destination (isa.md 4), and what 64-bit words take beside them.
inline constexpr isa::Dtype kPlainDtypes[] = {isa::Dtype::int8,     isa::Dtype::uint8,    isa::Dtype::int16,
                                              isa::Dtype::uint16,   isa::Dtype::bf16,     isa::Dtype::fp16,
                                              isa::Dtype::int32,    isa::Dtype::uint32,   isa::Dtype::fp32,
                                              isa::Dtype::fp8_e3m4, isa::Dtype::fp8_e4m3, isa::Dtype::fp8_e5m2};
inline constexpr isa::Dtype kOutputDtypes[] = {
    isa::Dtype::int8,     isa::Dtype::uint8,    isa::Dtype::int16,  isa::Dtype::uint16, isa::Dtype::bf16,
    isa::Dtype::fp16,     isa::Dtype::int32,    isa::Dtype::uint32, isa::Dtype::fp32,   isa::Dtype::fp8_e3m4,
    isa::Dtype::fp8_e4m3, isa::Dtype::fp8_e5m2, isa::Dtype::fp32r};
inline constexpr isa::Dtype kLongDtypes[] = {isa::Dtype::int64, isa::Dtype::uint64};
inline constexpr isa::Dtype kIntegerDtypes[] = {isa::Dtype::int8,   isa::Dtype::uint8, isa::Dtype::int16,
                                                isa::Dtype::uint16, isa::Dtype::int32, isa::Dtype::uint32,
                                                isa::Dtype::int64,  isa::Dtype::uint64};
inline constexpr isa::Dtype kPredicateDtypes[] = {isa::Dtype::int8,   isa::Dtype::uint8, isa::Dtype::int16,
                                                  isa::Dtype::uint16, isa::Dtype::int32, isa::Dtype::uint32};

// The switches that the golden's options stand for.
numerics::Switches switches_of(const golden::TensorOptions& options);

class SideBySide {
 public:
  // The options' address map follows from the generation.
  explicit SideBySide(isa::Generation generation = isa::Generation::cayman, golden::TensorOptions options = {});

  // Every byte of both memories anew.
  void fill(std::uint64_t seed);
  // One channel of a tensor, stored in its dtype.
  void put(const testing_support::TensorSpec& tensor, std::uint32_t channel, const std::vector<float>& values);
  void put_bytes(const isa::Place& place, const std::vector<std::uint8_t>& bytes);
  std::vector<float> get(const testing_support::TensorSpec& tensor, std::uint32_t channel);

  // Executes the word on both. Success: the plan is not refused; and both leave the same memory (every byte of it), the
  // same accumulators, the same flags, and agree whether an integer was divided by zero.
  testing::AssertionResult same(const isa::Word& word);
  // As well, the word breaks no rule on that engine.
  testing::AssertionResult legal_and_same(const isa::Word& word, isa::Engine engine = isa::Engine::dve);
  bool legal(const isa::Word& word, isa::Engine engine) const;

  // What plan() says of a word that it refuses, "predicate field"; empty when it does not.
  std::string refusal(const isa::Word& word) const;
  // What state_findings() says, predicates only.
  std::string state_finding(const isa::Word& word) const;
  // Flags and faults of the last word that same() executed.
  std::uint8_t flags() const { return flags_; }
  const std::vector<isa::Finding>& faults() const { return faults_; }

  const execute::Core& core() const { return core_; }
  const testing_support::TensorWordBuilder& build() const { return builder_; }
  isa::Generation generation() const { return generation_; }
  execute::Registers registers{};

 private:
  testing::AssertionResult compare(const golden::WordOutcome& expected) const;

  isa::Generation generation_;
  golden::TensorDevice golden_;
  golden::Memory memory_;  // the Core's
  execute::Core core_;
  testing_support::TensorWordBuilder builder_;
  std::uint8_t flags_ = 0;
  std::vector<isa::Finding> faults_;
};

}  // namespace dve::execute_test
