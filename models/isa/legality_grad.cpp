// GradAccumulate 0x63 and GradAccumulate2 0x94 (isa.md 7.2).
#include "legality_report.h"

namespace dve::isa {
namespace {

constexpr std::uint32_t kChannelsByte = 63;

// The operands both layouts have at the same bytes.
struct GradOperands {
  TensorField src0;
  TensorField src1;
  TensorField dst;
};

template <class Layout>
GradOperands operands_of(const Layout& i, Dtype out) {
  return {tensor_field("src0", 16, i.src0, i.in0_in1_dtype.lo, Access::read),
          tensor_field("src1", 32, i.src1, i.in0_in1_dtype.hi, Access::read),
          tensor_field("dst", 48, i.dst, out, Access::write)};
}

void check_source_type(Report& report, std::string_view predicate, const Field& field) {
  const auto dtype = static_cast<Dtype>(field.value);
  check_valid_dtype(report, field, false);
  report.require(bnga_valid_input_type(dtype), predicate, field, "fp16, bf16, fp32 or int32, not {}", name(dtype));
}

void check_output_type(Report& report, std::string_view predicate, const Field& field) {
  const auto dtype = static_cast<Dtype>(field.value);
  check_valid_dtype(report, field, true);
  report.require(bnga_valid_output_type(dtype), predicate, field, "fp32, fp16 or bf16, not {}", name(dtype));
}

template <class Layout>
void check_operands(Report& report, const Layout& i, const GradOperands& o) {
  check_channels(report, "s3s3d1_bn_channels", kChannelsByte, i.num_active_channels);
  check_tensor(report, o.src0, i.num_active_channels);
  check_tensor(report, o.src1, i.num_active_channels);
  check_tensor(report, o.dst, i.num_active_channels);
  report.require(bnga_src_element_cnt_check(i.src0, i.src1, report.generation()), "bnga_src_element_cnt_check",
                 o.src1.num_elem_product(), "a product of {}, as in src0", o.src0.pattern.count().value);
  report.require(bnga_dst_element_cnt_check(i.dst), "bnga_dst_element_cnt_check", o.dst.num_elem(0), "3");
}

void check_immediate2(Report& report, const Field& field, const Field& src_field, const S3S3D1Bn2& i) {
  if (src_field.value == static_cast<std::uint8_t>(ImmSrc::register_pointer)) return check_imm_reg(report, field);
  if (src_field.value != static_cast<std::uint8_t>(ImmSrc::pointer)) {
    return report.add("bnga2_imm_check", src_field, "1 (pointer) or 2 (register pointer)");
  }
  check_pointer(report, "bnga2_imm_check", field, i.immediate_out_dtype.lo, i.num_active_channels);
}

}  // namespace

void check_instruction(Report& report, const S3S3D1Bn& i) {
  const GradOperands o = operands_of(i, i.out_dtype);
  report.require(grad_accumulate_generation(report.generation()), "grad_accumulate_generation",
                 {"opcode", 0, i.header.opcode}, "{} (0x94) on {}", mnemonic(Opcode::batch_norm_grad_accumulate2),
                 to_string(report.generation()));
  check_source_type(report, "bnga_valid_input_type", {"in0_in1_dtype", 60, code(i.in0_in1_dtype.lo), ".lo"});
  check_source_type(report, "bnga_valid_input_type", {"in0_in1_dtype", 60, code(i.in0_in1_dtype.hi), ".hi"});
  check_output_type(report, "bnga_valid_output_type", {"out_dtype", 62, code(i.out_dtype)});
  report.require(bnga_valid_immediate_type(i.immediate_dtype), "bnga_valid_immediate_type",
                 {"immediate_dtype", 61, code(i.immediate_dtype)},
                 "invalid (0, meaning fp32), fp16, bf16, fp32 or int32");
  check_operands(report, i, o);
  const Dtype imm = bnga_immediate_dtype(i.immediate_dtype);
  check_pointer(report, "bnga_imm_check", {"imm0", 12, i.imm0.raw}, imm, i.num_active_channels);
  check_pointer(report, "bnga_imm_check", {"imm1", 56, i.imm1.raw}, imm, i.num_active_channels);
  check_source_partitions(report, o.src0, o.src1);
}

void check_instruction(Report& report, const S3S3D1Bn2& i) {
  const Dtype imm = i.immediate_out_dtype.lo;
  const Dtype out = i.immediate_out_dtype.hi;
  const GradOperands o = operands_of(i, out);
  check_source_type(report, "bnga2_valid_input_type", {"in0_in1_dtype", 60, code(i.in0_in1_dtype.lo), ".lo"});
  check_source_type(report, "bnga2_valid_input_type", {"in0_in1_dtype", 60, code(i.in0_in1_dtype.hi), ".hi"});
  check_output_type(report, "bnga2_valid_output_type", {"immediate_out_dtype", 61, code(out), ".hi"});
  report.require(bnga2_valid_immediate_type(imm), "bnga2_valid_immediate_type",
                 {"immediate_out_dtype", 61, code(imm), ".lo"}, "fp16, bf16, fp32 or int32, not {}", name(imm));
  check_operands(report, i, o);
  check_immediate2(report, {"imm0", 12, i.imm0.raw}, {"imm0_imm1_src", 62, i.imm0_imm1_src.imm0, ".imm0"}, i);
  check_immediate2(report, {"imm1", 56, i.imm1.raw}, {"imm0_imm1_src", 62, i.imm0_imm1_src.imm1, ".imm1"}, i);
  check_source_partitions(report, o.src0, o.src1);
}

}  // namespace dve::isa
