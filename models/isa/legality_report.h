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
  // `engine`: the one whose rules apply, options.engine or its substitute.
  Report(const LegalityOptions& options, Engine engine) : options_(options), engine_(engine) {}

  Generation generation() const { return options_.generation; }
  Engine engine() const { return engine_; }
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
  Engine engine_;
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
  bool allow_psum = true;

  Field start_addr() const { return {name, byte, start.raw, ".start_addr"}; }
  Field num_elem(std::uint32_t dimension) const;
  Field num_elem_product() const;
};

enum class Access : std::uint8_t { read, write };

template <std::size_t N>
TensorField tensor_field(std::string_view name, std::uint32_t byte, const Tensor<N>& t, Dtype dtype, Access access,
                         bool allow_psum = true) {
  return {name, byte, N, t.start_addr, t.pattern(), dtype, access == Access::write, allow_psum};
}

// An immediate with its selector.
struct ImmediateField {
  Field value;
  Field selector;
  SourceEncoding encoding = SourceEncoding::standard;
  Dtype dtype = Dtype::fp32;  // of the value in memory
};

// Checks that several opcodes share (legality_common.cpp).
void check_preamble(Report& report, const Word& word);
void check_event_modes(Report& report, const Field& wait, const Field& update);
void check_valid_dtype(Report& report, const Field& field, bool allow_fp32r);
void check_valid_dtype_64(Report& report, const Field& field, bool allow_fp32r);  // UINT64 and INT64 allowed
void check_int_dtype(Report& report, const Field& field);                         // is_valid_int_dtype_datapath
void check_equal_dtypes(Report& report, const Field& field, Dtype other, std::string_view other_name);
// A code of the generation's ALU_OP enumeration; false: it is not, and has a finding.
bool check_alu_op_member(Report& report, const Field& field);
// What an integer operation asks of one operand's dtype; nothing for other operations. POOL also asks for its size.
void check_int_operand(Report& report, const Field& field, AluOp op, Dtype first);
void check_tensor(Report& report, const TensorField& tensor, std::uint32_t channels);
// A pointer: `predicate` names the alignment to the dtype, which is not asked for when the dtype has none.
void check_pointer(Report& report, std::string_view predicate, const Field& field, Dtype dtype, std::uint32_t channels);
void check_imm_reg(Report& report, const Field& field);
// A literal passes; pointer and register pointer as above. `predicate` also names a selector out of range.
void check_immediate(Report& report, std::string_view predicate, const ImmediateField& imm, std::uint32_t channels);
// `equal`: what equal_element_cnt says of the two.
void check_equal_element_cnt(Report& report, const TensorField& src, const TensorField& dst, bool equal);
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

// Rules of the layouts, each in the file of its opcodes.
void check_instruction(Report& report, const S4D2Bn& i);
void check_instruction(Report& report, const S3S3D1Bn& i);
void check_instruction(Report& report, const S3S3D1Bn2& i);
void check_instruction(Report& report, const S2Bn& i);
void check_instruction(Report& report, const S2Bnpl2& i);
void check_instruction(Report& report, const S3S3D3Tt& i);
void check_instruction(Report& report, const CtrlIm& i);
void check_instruction(Report& report, const S3D3Ts& i);
void check_instruction(Report& report, const S4D4Tr& i);
void check_instruction(Report& report, const S4D4Cr& i);
void check_instruction(Report& report, const D4Mr& i);
void check_instruction(Report& report, const S3D3Ac& i);
void check_instruction(Report& report, const CtrlTable& i);
void check_instruction(Report& report, const D1Rd& i);
void check_instruction(Report& report, const CtrlEs& i);
void check_instruction(Report& report, const CtrlEmpty& i);
void check_instruction(Report& report, const CtrlDrain& i);
void check_instruction(Report& report, const CtrlSr& i);
void check_instruction(Report& report, const CtrlMv& i);
void check_instruction(Report& report, const Mem2D& i);

}  // namespace dve::isa
