// Stats 0x60, Stats2 0x61, Aggregate 0x62, TransposeStats2 0x82 (isa.md 7.5).
#include "legality_report.h"

namespace dve::isa {
namespace {

void check_element_counts(Report& report, const StatsRule& rule, const S4D2Bn& i, const TensorField& src,
                          const TensorField& dst) {
  const Generation generation = report.generation();
  report.require(s4d2_bn_src_element_cnt_check(rule, i.src, generation), "s4d2_bn_src_element_cnt_check",
                 src.num_elem_product(), "a product of at most {} source elements for {}", rule.max_src_elements,
                 mnemonic(rule.opcode));
  report.require(s4d2_bn_src_element_multiple_check(rule, i.src, generation), "s4d2_bn_src_element_multiple_check",
                 src.num_elem_product(), "a product that is a multiple of {} for {}", rule.src_multiple,
                 mnemonic(rule.opcode));
  report.require(s4d2_bn_dst_element_cnt_check(rule, i.dst), "s4d2_bn_dst_element_cnt_check", dst.num_elem_product(),
                 "a product of {} for {}", rule.dst_elements, mnemonic(rule.opcode));
}

void check_count(Report& report, const StatsRule& rule, const Field& field) {
  const auto bits = static_cast<std::uint32_t>(field.value);
  report.require(s4d2_bn_valid_count(rule, bits), "s4d2_bn_valid_count", field, "{} for {}",
                 rule.zero_counts ? "0" : "a finite binary32 literal", mnemonic(rule.opcode));
}

}  // namespace

void check_instruction(Report& report, const S4D2Bn& i) {
  const StatsRule* rule = stats_rule(i.header.opcode);
  if (rule == nullptr) return;  // decode() gives this layout to those four opcodes only
  const std::uint8_t channels = i.num_active_channels;
  const TensorField src = tensor_field("src", 12, i.src, i.in_dtype, Access::read);
  const TensorField dst = tensor_field("dst", 48, i.dst, i.out_dtype, Access::write);

  check_valid_dtype(report, {"in_dtype", 32, code(i.in_dtype)}, false);
  report.require(s4d2_bn_valid_output_type(i.out_dtype), "s4d2_bn_valid_output_type",
                 {"out_dtype", 33, code(i.out_dtype)}, "fp32, bf16 or fp16, not {}", name(i.out_dtype));
  check_channels(report, "check_active_channels", 34, channels);
  report.require(!rule->multiple_32_channels || !check_active_channels(channels) || has_multiple_32_channels(channels),
                 "has_multiple_32_channels", {"num_active_channels", 34, channels}, "32, 64, 96 or 128 for {}",
                 mnemonic(rule->opcode));
  check_tensor(report, src, channels);
  check_tensor(report, dst, channels);
  check_element_counts(report, *rule, i, src, dst);
  check_count(report, *rule, {"even_count_bits", 40, i.even_count_bits});
  check_count(report, *rule, {"odd_count_bits", 44, i.odd_count_bits});
  check_reserved(report, "s4d2_bn_reserved_zero", "reserved0", 35, i.reserved0);
  check_reserved(report, "s4d2_bn_reserved_zero", "reserved1", 60, i.reserved1);
}

}  // namespace dve::isa
