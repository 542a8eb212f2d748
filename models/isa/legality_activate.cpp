// Activate 0x21, ActivationTableLoad 0x23, ActivationReadAccumulator 0x24 (isa-neighbours.md 2, 5).
#include "legality_report.h"

namespace dve::isa {
namespace {

constexpr std::uint32_t kActivateChannelsByte = 34;
constexpr std::string_view kImmCheck = "imm_check";

void check_bias(Report& report, const S3D3Ac& i) {
  const ImmediateField bias{
      {"bias", 40, i.bias.raw}, {"bias_src_n", 15, i.bias_src_n}, SourceEncoding::inverted, i.in_bias_dtype.hi};
  check_immediate(report, kImmCheck, bias, i.num_active_channels);
  const ImmediateSource source = immediate_source_of(i.bias_src_n, SourceEncoding::inverted);
  if (source != ImmediateSource::pointer && source != ImmediateSource::register_pointer) return;
  report.require(s3d3_ac_valid_bias_type(i.in_bias_dtype.hi), "s3d3_ac_valid_bias_type",
                 {"in_bias_dtype", 32, code(i.in_bias_dtype.hi), ".hi"}, "fp16, bf16 or fp32, not {}",
                 name(i.in_bias_dtype.hi));
}

void check_third_immediate(Report& report, const S3D3Ac& i) {
  ImmediateField imm{{"imm", 44, i.imm.raw}, {"imm_src", 12, i.imm_src}, SourceEncoding::standard, Dtype::fp32};
  const bool valid_selector = immediate_source_of(i.imm_src, imm.encoding) != ImmediateSource::invalid;
  if (valid_selector && !s3d3_ac_reads_imm(i)) return;
  check_immediate(report, kImmCheck, imm, i.num_active_channels);
}

}  // namespace

void check_instruction(Report& report, const S3D3Ac& i) {
  const std::uint8_t channels = i.num_active_channels;
  const TensorField src = tensor_field("src", 16, i.src, i.in_bias_dtype.lo, Access::read);
  const TensorField dst = tensor_field("dst", 48, i.dst, i.out_dtype, Access::write);

  check_valid_dtype(report, {"in_bias_dtype", 32, code(i.in_bias_dtype.lo), ".lo"}, false);
  check_valid_dtype(report, {"out_dtype", 33, code(i.out_dtype)}, true);
  report.require(s3d3_ac_valid_func(i.activation_func), "s3d3_ac_valid_func",
                 {"activation_func", 35, code(i.activation_func)}, "the code of a function");
  report.require(s3d3_ac_accumulator_cmd(i), "s3d3_ac_accumulator_cmd", {"accumulator_cmd", 14, i.accumulator_cmd},
                 "0 (idle), 1 (zero), 2 (accumulate), 3 (zero and accumulate) or 4 (load and accumulate)");
  check_immediate(report, kImmCheck,
                  {{"scale", 36, i.scale.raw}, {"scale_src", 13, i.scale_src}, SourceEncoding::standard, Dtype::fp32},
                  channels);
  check_bias(report, i);
  check_third_immediate(report, i);
  check_channels(report, "check_active_channels", kActivateChannelsByte, channels);
  check_tensor(report, src, channels);
  check_tensor(report, dst, channels);
  check_equal_element_cnt(report, src, dst, equal_element_cnt(i.src, i.dst, report.generation()));
}

void check_instruction(Report& report, const CtrlTable& i) {
  report.require(ctrl_table_set_index(i), "ctrl_table_set_index", {"set_index", 35, i.set_index}, "a set 0 to {}",
                 kTableSets - 1);
  check_reserved(report, "reserved_zero", "reserved0", 12, i.reserved0);
  check_reserved(report, "reserved_zero", "reserved1", 36, i.reserved1);
}

void check_instruction(Report& report, const D1Rd& i) {
  const TensorField dst = tensor_field("dst", 44, i.dst, i.dtype, Access::write);
  report.require(act_read_accumulator_generation(report.generation()), "act_read_accumulator_generation",
                 {"opcode", 0, i.header.opcode}, "another opcode: {} has no {}", to_string(report.generation()),
                 opcode_name(i.header.opcode));
  report.require(d1_rd_valid_type(i.dtype), "d1_rd_valid_type", {"dtype", 32, code(i.dtype)},
                 "fp16, bf16, fp32 or fp32r, not {}", name(i.dtype));
  report.require(d1_rd_negated_zero(i), "d1_rd_negated_zero", {"negated", 33, i.negated}, "0 on act");
  check_channels(report, "check_active_channels", kActivateChannelsByte, i.num_active_channels);
  check_tensor(report, dst, i.num_active_channels);
  report.require(d1_rd_one_element(i.element_count), "d1_rd_one_element", {"element_count", 28, i.element_count}, "1");
  report.require(d1_rd_one_element(i.dst.num_elem[0]), "d1_rd_one_element", dst.num_elem(0), "1");
  check_reserved(report, "reserved_zero", "reserved0", 12, i.reserved0);
  check_reserved(report, "reserved_zero", "reserved1", 35, i.reserved1);
  check_reserved(report, "reserved_zero", "reserved2", 52, i.reserved2);
}

}  // namespace dve::isa
