// ParamLoad 0x64, ParamLoad2 0x8E (isa.md 7.3), LoadParameterRam 0x66 (isa.md 11.1).
#include "legality_report.h"

namespace dve::isa {
namespace {

constexpr std::uint32_t kParamLoadChannelsByte = 34;

void check_element_count(Report& report, std::string_view predicate, std::uint32_t bits) {
  report.require(is_finite_literal(bits), predicate, {"element_count_bits", 28, bits}, "a finite binary32 literal");
}

}  // namespace

void check_instruction(Report& report, const S2Bn& i) {
  const TensorField src = tensor_field("src", 16, i.src, i.src_dtype, Access::read);
  check_channels(report, "check_active_channels", kParamLoadChannelsByte, i.num_active_channels);
  check_tensor(report, src, i.num_active_channels);
  report.require(s2_bn_src_element_cnt_check(i.src, report.generation()), "s2_bn_src_element_cnt_check",
                 src.num_elem_product(), "counts 3,1 or 1,3");
  report.require(s2_bn_valid_src_type(i.src_dtype), "s2_bn_valid_src_type", {"src_dtype", 32, code(i.src_dtype)},
                 "fp32, fp16 or bf16, not {}", name(i.src_dtype));
  check_element_count(report, "s2_bn_valid_element_count", i.element_count_bits);
  check_immediate(
      report, "s2_bn_imm_check",
      {{"imm0", 44, i.imm0.raw}, {"imm0_src", 48, i.imm0_src}, SourceEncoding::zero_is_pointer, Dtype::fp32},
      i.num_active_channels);
  check_reserved(report, "s2_bn_reserved_zero", "reserved0", 12, i.reserved0);
  check_reserved(report, "s2_bn_reserved_zero", "reserved1", 33, std::array{i.reserved1});
  check_reserved(report, "s2_bn_reserved_zero", "reserved2", 35, i.reserved2);
  check_reserved(report, "s2_bn_reserved_zero", "reserved3", 49, i.reserved3);
}

void check_instruction(Report& report, const S2Bnpl2& i) {
  const TensorField src = tensor_field("src", 12, i.src, i.src_dtype, Access::read);
  check_channels(report, "check_active_channels", kParamLoadChannelsByte, i.num_active_channels);
  check_tensor(report, src, i.num_active_channels);
  report.require(s2_bnpl2_src_element_cnt_check(i.src, report.generation()), "s2_bnpl2_src_element_cnt_check",
                 src.num_elem_product(), "counts 2,1 or 1,2");
  report.require(s2_bnpl2_valid_src_type(i.src_dtype), "s2_bnpl2_valid_src_type", {"src_dtype", 32, code(i.src_dtype)},
                 "fp32, fp16 or bf16, not {}", name(i.src_dtype));
  check_element_count(report, "s2_bnpl2_valid_element_count", i.element_count_bits);
  check_immediate(
      report, "s2_bnpl2_imm_check",
      {{"imm0", 40, i.imm0.raw}, {"imm0_src", 48, i.imm0_src}, SourceEncoding::zero_is_pointer, i.immediate_dtype},
      i.num_active_channels);
  check_immediate(
      report, "s2_bnpl2_imm_check",
      {{"imm1", 44, i.imm1.raw}, {"imm1_src", 49, i.imm1_src}, SourceEncoding::zero_is_pointer, i.immediate_dtype},
      i.num_active_channels);
  report.require(s2_bnpl2_valid_immediate_type(i.immediate_dtype), "s2_bnpl2_valid_immediate_type",
                 {"immediate_dtype", 33, code(i.immediate_dtype)}, "fp32, fp16 or bf16, not {}",
                 name(i.immediate_dtype));
  check_reserved(report, "s2_bnpl2_reserved_zero", "reserved0", 24, i.reserved0);
  check_reserved(report, "s2_bnpl2_reserved_zero", "reserved1", 35, i.reserved1);
  check_reserved(report, "s2_bnpl2_reserved_zero", "reserved2", 50, i.reserved2);
}

void check_instruction(Report& report, const CtrlIm& i) {
  const std::uint32_t unit = report.options().param_ram_offset_unit_bytes;
  report.require(ctrl_im_param_ram_bounds(i.param_ram_offset, unit), "ctrl_im_param_ram_bounds",
                 {"param_ram_offset", 12, i.param_ram_offset},
                 "eight whole entries inside the 256: offset times {} bytes at most 992, a multiple of 4", unit);
  report.require(ctrl_im_ptr_select_zero(i), "ctrl_im_ptr_select_zero", {"imm_ptr_select", 14, i.imm_ptr_select},
                 "0 (eight inline values)");
  check_reserved(report, "ctrl_im_reserved_zero", "reserved0", 15, i.reserved0);
}

}  // namespace dve::isa
