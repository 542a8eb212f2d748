// Predicates of single opcodes (isa.md 7.2 to 7.5 and 11.1).
#include "predicates.h"
#include "predicates_bytes.h"

namespace dve::isa {
namespace {

bool is(const Header& header, Opcode opcode) { return header.opcode == code(opcode); }

constexpr bool selects(std::uint8_t src, ImmSrc form) { return src == static_cast<std::uint8_t>(form); }

// ParamLoad and ParamLoad2 read selector 0 as pointer (isa.md 7.3).
constexpr bool selects_pointer(std::uint8_t src) {
  return selects(src, ImmSrc::instruction) || selects(src, ImmSrc::pointer);
}

bool is_plain_float(Dtype d) { return d == Dtype::fp32 || d == Dtype::fp16 || d == Dtype::bf16; }

bool one_dimension_of(const Tensor2D& t, std::uint16_t n) {
  return (t.num_elem[0] == n && t.num_elem[1] == 1) || (t.num_elem[0] == 1 && t.num_elem[1] == n);
}

}  // namespace

bool has_s3s3d1_bn_opcode(const Header& header) { return is(header, Opcode::batch_norm_grad_accumulate); }
bool has_s3s3d1_bn2_opcode(const Header& header) { return is(header, Opcode::batch_norm_grad_accumulate2); }
bool has_s2_bn_opcode(const Header& header) { return is(header, Opcode::batch_norm_param_load); }
bool has_s2_bnpl2_opcode(const Header& header) { return is(header, Opcode::batch_norm_param_load2); }
bool has_batchnorm_backprop_opcode(const Header& header) { return is(header, Opcode::batch_norm_back_prop); }
bool has_ctrl_im_opcode(const Header& header) { return is(header, Opcode::load_parameter_ram); }
bool has_s4d2_bn_opcode(const Header& header) { return stats_rule(header.opcode) != nullptr; }

// GradAccum

bool grad_accumulate_generation(Generation generation) { return core_version(generation) < 5; }
bool s3s3d1_bn_channels(std::uint32_t channels) { return has_valid_active_channel_range(channels, kPartitions); }
bool bnga_valid_input_type(Dtype d) { return is_plain_float(d) || d == Dtype::int32; }
bool bnga_valid_output_type(Dtype d) { return is_plain_float(d); }
bool bnga_valid_immediate_type(Dtype d) { return d == Dtype::invalid || bnga2_valid_immediate_type(d); }
bool bnga2_valid_input_type(Dtype d) { return bnga_valid_input_type(d); }
bool bnga2_valid_output_type(Dtype d) { return bnga_valid_output_type(d); }
bool bnga2_valid_immediate_type(Dtype d) { return is_plain_float(d) || d == Dtype::int32; }

bool bnga_src_element_cnt_check(const Tensor3D& src0, const Tensor3D& src1, Generation generation) {
  return equal_element_cnt(src0, src1, generation);
}

bool bnga_dst_element_cnt_check(const Tensor1D& dst) { return dst.num_elem[0] == 3; }

Dtype bnga_immediate_dtype(Dtype field) { return field == Dtype::invalid ? Dtype::fp32 : field; }

bool bnga_imm_check(ImmField imm, Dtype d, std::uint32_t channels, Generation generation, ActiveChannelRule rule) {
  return addr_aligned_dtype(imm.raw, bnga_immediate_dtype(d), generation) &&
         tpb_addr_active_channels(imm.raw, channels, generation, rule);
}

bool bnga2_imm_check(ImmField imm, std::uint8_t src, Dtype d, std::uint32_t channels, Generation generation,
                     ActiveChannelRule rule) {
  if (selects(src, ImmSrc::register_pointer)) return is_valid_imm_reg(imm);
  return selects(src, ImmSrc::pointer) && addr_aligned_dtype(imm.raw, d, generation) &&
         tpb_addr_active_channels(imm.raw, channels, generation, rule);
}

// ParamLoad

bool s2_bn_src_element_cnt_check(const Tensor2D& src, Generation generation) {
  return has_register_shape(src.start_addr, generation) || one_dimension_of(src, 3);
}
bool s2_bnpl2_src_element_cnt_check(const Tensor2D& src, Generation generation) {
  return has_register_shape(src.start_addr, generation) || one_dimension_of(src, 2);
}
bool s2_bn_valid_src_type(Dtype d) { return is_plain_float(d); }
bool s2_bnpl2_valid_src_type(Dtype d) { return is_plain_float(d); }
bool s2_bnpl2_valid_immediate_type(Dtype d) { return is_plain_float(d); }
bool s2_bn_valid_element_count(std::uint32_t bits) { return is_finite_literal(bits); }
bool s2_bnpl2_valid_element_count(std::uint32_t bits) { return is_finite_literal(bits); }

bool s2_bn_imm_check(ImmField imm, std::uint8_t src, std::uint32_t channels, Generation generation,
                     ActiveChannelRule rule) {
  if (selects(src, ImmSrc::register_pointer)) return is_valid_imm_reg(imm);
  return selects_pointer(src) && four_byte_aligned(imm.raw) &&
         tpb_addr_active_channels(imm.raw, channels, generation, rule);
}

bool s2_bnpl2_imm_check(ImmField imm, std::uint8_t src, Dtype d, std::uint32_t channels, Generation generation,
                        ActiveChannelRule rule) {
  if (selects(src, ImmSrc::register_pointer)) return is_valid_imm_reg(imm);
  return selects_pointer(src) && addr_aligned_dtype(imm.raw, d, generation) &&
         tpb_addr_active_channels(imm.raw, channels, generation, rule);
}

bool s2_bn_reserved_zero(const S2Bn& i) {
  return all_zero(i.reserved0) && i.reserved1 == 0 && all_zero(i.reserved2) && all_zero(i.reserved3);
}

bool s2_bnpl2_reserved_zero(const S2Bnpl2& i) {
  return all_zero(i.reserved0) && all_zero(i.reserved1) && all_zero(i.reserved2);
}

// BackProp

bool s3s3d3_tt_is_zero_op(const S3S3D3Tt& i) { return i.op == AluOp::bypass; }

bool s3s3d3_tt_src_element_cnt_check(const S3S3D3Tt& i, Generation generation) {
  return equal_element_cnt(i.src0, i.src1, generation);
}

bool s3s3d3_tt_dst_element_cnt_check(const S3S3D3Tt& i, Generation generation) {
  return equal_element_cnt(i.src0, i.dst, generation);
}

// Stats family

const StatsRule* stats_rule(std::uint8_t opcode) {
  static constexpr std::array kRules = {
      StatsRule{Opcode::batch_norm_stats, 256, 1, 3, false, false},
      StatsRule{Opcode::batch_norm_stats2, 512, 1, 6, false, false},
      StatsRule{Opcode::batch_norm_aggregate, 0, 3, 2, true, false},
      StatsRule{Opcode::transpose_batch_norm_stats2, 512, 32, 6, false, true},
  };
  for (const StatsRule& rule : kRules) {
    if (code(rule.opcode) == opcode) return &rule;
  }
  return nullptr;
}

bool s4d2_bn_src_element_cnt_check(const StatsRule& rule, const Tensor4D& src, Generation generation) {
  return rule.max_src_elements == 0 || has_register_shape(src.start_addr, generation) ||
         src.count() <= Elements(rule.max_src_elements);
}

bool s4d2_bn_src_element_multiple_check(const StatsRule& rule, const Tensor4D& src, Generation generation) {
  return has_register_shape(src.start_addr, generation) || src.count().value % rule.src_multiple == 0;
}

bool s4d2_bn_dst_element_cnt_check(const StatsRule& rule, const Tensor2D& dst) {
  return dst.count() == Elements(rule.dst_elements);
}

bool s4d2_bn_valid_output_type(Dtype d) { return is_plain_float(d); }

bool s4d2_bn_valid_count(const StatsRule& rule, std::uint32_t bits) {
  return rule.zero_counts ? bits == 0 : is_finite_literal(bits);
}

bool s4d2_bn_reserved_zero(const S4D2Bn& i) { return all_zero(i.reserved0) && all_zero(i.reserved1); }

// LoadParameterRam

bool ctrl_im_ptr_select_zero(const CtrlIm& i) { return i.imm_ptr_select == 0; }
bool ctrl_im_reserved_zero(const CtrlIm& i) { return all_zero(i.reserved0); }

bool ctrl_im_param_ram_bounds(std::uint16_t param_ram_offset, std::uint32_t unit_bytes) {
  constexpr std::uint64_t kEntryBytes = 4;
  constexpr std::uint64_t kValues = 8;
  const std::uint64_t start = std::uint64_t{param_ram_offset} * unit_bytes;
  return start % kEntryBytes == 0 && start + kValues * kEntryBytes <= kParamRamEntries * kEntryBytes;
}

}  // namespace dve::isa
