// ParamLoad 0x64 and ParamLoad2 0x8E (isa.md 7.3).
#include "legality_report.h"

namespace dve::isa {
namespace {

constexpr std::uint32_t kParamLoadChannelsByte = 34;

// A pointer or register pointer, by its selector. `predicate` names selector and alignment.
void check_immediate(Report& report, std::string_view predicate, const Field& field, const Field& src_field,
                     Dtype dtype, std::uint32_t channels) {
  const ImmField imm{static_cast<std::uint32_t>(field.value)};
  if (src_field.value == static_cast<std::uint8_t>(ImmSrc::register_pointer)) return check_imm_reg(report, field, imm);
  if (src_field.value > static_cast<std::uint8_t>(ImmSrc::pointer)) {
    return report.add(predicate, src_field, "0 or 1 (pointer) or 2 (register pointer)");
  }
  const std::uint64_t alignment = dtype_alignment(dtype, report.generation()).value;
  if (alignment != 0) {  // otherwise the immediate's dtype is what is wrong
    report.require(addr_aligned_dtype(imm.raw, dtype, report.generation()), predicate, field,
                   "a pointer that is a multiple of {} for {} ({})", alignment, name(dtype),
                   predicate == "s2_bn_imm_check" ? "four_byte_aligned" : "addr_aligned_dtype");
  }
  check_pointer_window(report, field, imm, channels);
}

void check_element_count(Report& report, std::string_view predicate, std::uint32_t bits) {
  report.require(is_finite_literal(bits), predicate, {"element_count_bits", 28, bits}, "a finite binary32 literal");
}

}  // namespace

void check_param_load(Report& report, const S2Bn& i) {
  const TensorField src = tensor_field("src", 16, i.src, i.src_dtype, Access::read);
  check_channels(report, "check_active_channels", kParamLoadChannelsByte, i.num_active_channels);
  check_tensor(report, src, i.num_active_channels);
  report.require(s2_bn_src_element_cnt_check(i.src, report.generation()), "s2_bn_src_element_cnt_check",
                 src.num_elem_product(), "counts 3,1 or 1,3");
  report.require(s2_bn_valid_src_type(i.src_dtype), "s2_bn_valid_src_type", {"src_dtype", 32, code(i.src_dtype)},
                 "fp32, fp16 or bf16, not {}", name(i.src_dtype));
  check_element_count(report, "s2_bn_valid_element_count", i.element_count_bits);
  check_immediate(report, "s2_bn_imm_check", {"imm0", 44, i.imm0.raw}, {"imm0_src", 48, i.imm0_src}, Dtype::fp32,
                  i.num_active_channels);
  check_reserved(report, "s2_bn_reserved_zero", "reserved0", 12, i.reserved0);
  check_reserved(report, "s2_bn_reserved_zero", "reserved1", 33, std::array{i.reserved1});
  check_reserved(report, "s2_bn_reserved_zero", "reserved2", 35, i.reserved2);
  check_reserved(report, "s2_bn_reserved_zero", "reserved3", 49, i.reserved3);
}

void check_param_load2(Report& report, const S2Bnpl2& i) {
  const TensorField src = tensor_field("src", 12, i.src, i.src_dtype, Access::read);
  check_channels(report, "check_active_channels", kParamLoadChannelsByte, i.num_active_channels);
  check_tensor(report, src, i.num_active_channels);
  report.require(s2_bnpl2_src_element_cnt_check(i.src, report.generation()), "s2_bnpl2_src_element_cnt_check",
                 src.num_elem_product(), "counts 2,1 or 1,2");
  report.require(s2_bnpl2_valid_src_type(i.src_dtype), "s2_bnpl2_valid_src_type", {"src_dtype", 32, code(i.src_dtype)},
                 "fp32, fp16 or bf16, not {}", name(i.src_dtype));
  check_element_count(report, "s2_bnpl2_valid_element_count", i.element_count_bits);
  check_immediate(report, "s2_bnpl2_imm_check", {"imm0", 40, i.imm0.raw}, {"imm0_src", 48, i.imm0_src},
                  i.immediate_dtype, i.num_active_channels);
  check_immediate(report, "s2_bnpl2_imm_check", {"imm1", 44, i.imm1.raw}, {"imm1_src", 49, i.imm1_src},
                  i.immediate_dtype, i.num_active_channels);
  report.require(s2_bnpl2_valid_immediate_type(i.immediate_dtype), "s2_bnpl2_valid_immediate_type",
                 {"immediate_dtype", 33, code(i.immediate_dtype)}, "fp32, fp16 or bf16, not {}",
                 name(i.immediate_dtype));
  check_reserved(report, "s2_bnpl2_reserved_zero", "reserved0", 24, i.reserved0);
  check_reserved(report, "s2_bnpl2_reserved_zero", "reserved1", 35, i.reserved1);
  check_reserved(report, "s2_bnpl2_reserved_zero", "reserved2", 50, i.reserved2);
}

}  // namespace dve::isa
