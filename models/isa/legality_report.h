// Inside the isa block: how the rule files note what is broken, and the checks that several opcodes share.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "layouts.h"
#include "legality.h"
#include "predicates.h"

namespace dve::isa {

// Where a rule looks: field name, byte offset in the word, the value found.
struct Field {
  std::string_view name;
  std::uint32_t byte = 0;
  std::uint64_t value = 0;
  std::string_view member = {};  // appended to the name, e.g. ".start_addr"
};

// Collects findings. Texts are built only when a rule is broken.
class Report {
 public:
  explicit Report(const LegalityOptions& options) : options_(options) {}

  Generation generation() const { return options_.generation; }
  ActiveChannelRule channel_rule() const { return options_.active_channel_rule; }
  const LegalityOptions& options() const { return options_; }

  template <class... Args>
  void require(bool holds, std::string_view predicate, const Field& field, fmt::format_string<Args...> expected,
               Args&&... args) {
    if (!holds) add(predicate, field, fmt::format(expected, std::forward<Args>(args)...));
  }
  void add(std::string_view predicate, const Field& field, std::string expected);
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  LegalityOptions options_;
  std::vector<Finding> findings_;
};

// A tensor operand of any number of dimensions with its place in the word.
struct TensorField {
  std::string_view name;
  std::uint32_t byte = 0;
  std::uint32_t dimensions = 1;
  Addr4 start{};
  AccessPattern pattern{};
  Dtype dtype = Dtype::invalid;
  bool write = false;

  Field start_addr() const { return {name, byte, start.raw, ".start_addr"}; }
  Field num_elem(std::uint32_t dimension) const;
  Field num_elem_product() const;
};

enum class Access : std::uint8_t { read, write };

template <std::size_t N>
TensorField tensor_field(std::string_view name, std::uint32_t byte, const Tensor<N>& t, Dtype dtype, Access access) {
  return {name, byte, N, t.start_addr, t.pattern(), dtype, access == Access::write};
}

// Checks that several opcodes share (legality_common.cpp).
void check_preamble(Report& report, const Word& word);
void check_valid_dtype(Report& report, const Field& field, bool allow_fp32r);
void check_tensor(Report& report, const TensorField& tensor, std::uint32_t channels);
void check_pointer_window(Report& report, const Field& field, ImmField imm, std::uint32_t channels);
void check_imm_reg(Report& report, const Field& field, ImmField imm);
void check_source_partitions(Report& report, const TensorField& src0, const TensorField& src1);
void check_channels(Report& report, std::string_view predicate, std::uint32_t byte, std::uint32_t channels);

// One finding at the first non-zero byte of a reserved field.
template <std::size_t N>
void check_reserved(Report& report, std::string_view predicate, std::string_view name, std::uint32_t byte,
                    const std::array<std::uint8_t, N>& reserved) {
  for (std::uint32_t k = 0; k < N; ++k) {
    if (reserved[k] != 0) return report.add(predicate, {name, byte + k, reserved[k]}, "0 in every reserved byte");
  }
}

// Rules of the opcodes, each in its own file.
void check_stats(Report& report, const S4D2Bn& i);
void check_grad_accumulate(Report& report, const S3S3D1Bn& i);
void check_grad_accumulate2(Report& report, const S3S3D1Bn2& i);
void check_param_load(Report& report, const S2Bn& i);
void check_param_load2(Report& report, const S2Bnpl2& i);
void check_back_prop(Report& report, const S3S3D3Tt& i);
void check_load_parameter_ram(Report& report, const CtrlIm& i);

}  // namespace dve::isa
