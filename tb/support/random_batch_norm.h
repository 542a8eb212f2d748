// Random legal batch-norm words against the independent golden: random shapes and strides (negative, zero, large), a
// different immediate in every partition, destinations full of garbage.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "golden/golden.h"
#include "support/words.h"

namespace dve::testing_support {

// Numerics switches that the words depend on, for both sides.
struct BatchNormVariant {
  bool interpreter_dst = false, interpreter_product = false, textbook = false, wide = false;
};
golden::Options golden_options(const BatchNormVariant& variant);
std::vector<std::string> settings_of(const BatchNormVariant& variant);

golden::Tensor to_golden(const TensorSpec& spec);
golden::Pointer to_golden_pointer(const TensorSpec& spec);

// Window of each partition that the words use, in bytes.
inline constexpr std::uint32_t kBatchNormSbufBytes = 96 * 1024, kBatchNormPsumBytes = 16 * 1024;

// GradAccum, ParamLoad, BackProp, Stats2 and Aggregate when the streams are short, ParamLoad2, and BackProp of the same
// bytes as other dtypes.
class BatchNormRound {
 public:
  // Puts operands and garbage into the golden's memory, which has the windows' sizes.
  BatchNormRound(unsigned seed, isa::Generation generation, const golden::Options& options, golden::Device& device);

  std::uint32_t partition() const { return partition_; }  // of the first channel
  std::uint8_t channels() const { return channels_; }
  std::uint64_t elements() const { return elements_; }
  const std::vector<isa::Word>& words() const { return words_; }
  // What the words do.
  void apply(golden::Device& device) const;

 private:
  std::uint32_t partition_ = 0;
  std::uint8_t channels_ = 0;
  std::uint64_t elements_ = 0;
  TensorSpec x_, dy_, dx_, mean_, inv_std_, sums_, abc_, mean32_, scale_, bc_, triples_, moments_;
  TensorSpec other_x_, other_dy_, other_dx_;
  bool statistics_ = false;
  std::vector<isa::Word> words_;
};

}  // namespace dve::testing_support
