// Predicates of the arithmetic words around the batch-norm path (isa.md 12; isa-neighbours.md 2, 4, 6 to 8).
#include "predicates.h"
#include "predicates_bytes.h"

namespace dve::isa {
namespace {

bool is_left_shift(AluOp op) { return op == AluOp::arith_shift_left || op == AluOp::logical_shift_left; }
bool is_right_shift(AluOp op) { return op == AluOp::arith_shift_right || op == AluOp::logical_shift_right; }

// DVE's integer operations in 0x41 and 0x43, which v5 restricts and alone has in 0x43 (isa.md 12, isa-neighbours.md 2).
bool is_dve_int_op(AluOp op, Generation generation) {
  return core_version(generation) >= 5 ? is_maverick_dve_int_op(op) : is_int_op(op);
}

bool is_tensor_scalar_int_op(AluOp op, Generation generation) {
  return core_version(generation) >= 5 && is_maverick_dve_int_op(op);
}

// The bits of `value` above the element's size are zero. True for dtypes of 4 bytes and more, and of no size.
bool fits_element(std::uint32_t value, Dtype d) {
  const std::uint64_t bytes = storage_size(d).value;
  return bytes == 0 || bytes >= 4 || value >> (8 * bytes) == 0;
}

bool folds(const S4D4Tr& i) { return i.header.opcode == code(Opcode::tensor_reduce_arith_op); }

}  // namespace

// Shared

bool has_equal_dtypes(Dtype a, Dtype b) { return a == b; }

bool int_op_operand_valid(AluOp op, Dtype operand, Dtype first) {
  if (!is_int_op(op)) return true;
  if (!is_valid_int_dtype(operand)) return false;
  if (is_signed_int_op(op)) return is_signed_int(operand);
  if (is_unsigned_int_op(op)) return is_unsigned_int(operand);
  return !is_valid_int_dtype(first) || is_signed_int(operand) == is_signed_int(first);
}

bool pool_int_operand_size(AluOp op, Dtype operand, Dtype first) {
  if (!is_int_op(op)) return true;
  const auto allowed = [](Bytes size) { return size == Bytes(4) || size == Bytes(8); };
  const Bytes size = storage_size(operand), of_first = storage_size(first);
  return allowed(size) && (size == of_first || !allowed(of_first));
}

bool imm_check(ImmField imm, std::uint8_t selector, SourceEncoding encoding, Dtype d, std::uint32_t channels,
               Generation generation, ActiveChannelRule rule) {
  switch (immediate_source_of(selector, encoding)) {
    case ImmediateSource::literal:
      return true;
    case ImmediateSource::pointer:
      return addr_aligned_dtype(imm.raw, d, generation) &&
             tpb_addr_active_channels(imm.raw, channels, generation, rule);
    case ImmediateSource::register_pointer:
      return is_valid_imm_reg(imm);
    case ImmediateSource::invalid:
      break;
  }
  return false;
}

bool reserved_zero(const S3D3Ts& i) { return all_zero(i.reserved0); }
bool reserved_zero(const S4D4Tr& i) { return all_zero(i.reserved0); }
bool reserved_zero(const S4D4Cr& i) { return all_zero(i.reserved0); }
bool reserved_zero(const D4Mr& i) {
  return all_zero(i.reserved0) && i.reserved1 == 0 && i.reserved2 == 0 && all_zero(i.reserved3);
}

// TensorTensor

bool s3s3d3_tt_arith_op(AluOp op, Generation generation, Engine engine) {
  if (!is_alu_op_member(op, generation)) return false;
  if (engine != Engine::pool) return is_general_arith_op(op, generation) || is_dve_int_op(op, generation);
  return op == AluOp::pow || op == AluOp::add || op == AluOp::subtract || op == AluOp::mult || is_int_op(op);
}

bool s3s3d3_tt_bitvec_op(AluOp op) { return is_general_bitvec_op(op); }

bool s3s3d3_tt_bitvec_src1(AluOp op, Dtype src0, Dtype src1) {
  return src1 == src0 || (is_shift_op(op) && is_valid_64b_int_dtype(src0) && src1 == Dtype::uint32);
}

// TensorScalar

bool s3d3_ts_accumulator_idle(const S3D3Ts& i) {
  return i.accumulator_cmd == static_cast<std::uint8_t>(AccumCmd::idle);
}
bool s3d3_ts_reverse_operands(const S3D3Ts& i) { return i.reverse_operands <= 3; }

bool s3d3_ts_arith_op(AluOp op, Generation generation) {
  return is_general_arith_op(op, generation) || is_tensor_scalar_int_op(op, generation);
}

bool s3d3_ts_op_class(AluOp op0, AluOp op1, Generation generation) {
  return (is_general_arith_op(op0, generation) && is_general_arith_op(op1, generation)) ||
         (is_tensor_scalar_int_op(op0, generation) && is_tensor_scalar_int_op(op1, generation));
}

bool s3d3_ts_bitvec_op(AluOp op) { return is_bitvec_op(op); }

bool s3d3_ts_op_order(AluOp op0, AluOp op1) { return op0 != AluOp::bypass || op1 == AluOp::bypass; }

bool s3d3_ts_rsqrt_form(const S3D3Ts& i) {
  return i.op0 == AluOp::rsqrt && i.op1 == AluOp::bypass && i.imm0.raw == 0 && i.imm1.raw == 0 && i.imm0_src == 0 &&
         i.imm1_src == 0;
}

bool s3d3_ts_act_ops(AluOp op0, AluOp op1) {
  if (op0 == AluOp::mult) return op1 == AluOp::add || op1 == AluOp::bypass;
  return op0 == AluOp::add && op1 == AluOp::bypass;
}

bool s3d3_ts_literal_bits(ImmField imm, Dtype d) { return fits_element(imm.raw, d); }

bool s3d3_ts_shift_dtype(AluOp op0, AluOp op1, Dtype d) {
  const bool pair = is_left_shift(op0) && is_right_shift(op1);
  const bool arithmetic = op0 == AluOp::arith_shift_right || op1 == AluOp::arith_shift_right;
  return (!pair && !arithmetic) || type_size_check(d, Bytes(4));
}

// TensorReduce, Copy, Cast, Reciprocal

bool s4d4_tr_arith_op(AluOp op, Generation generation, Engine engine) {
  if (!is_alu_op_member(op, generation)) return false;
  return engine == Engine::pool ? is_int_op(op) : is_general_arith_op(op, generation);
}

bool s4d4_tr_is_zero_op(const S4D4Tr& i) { return i.op == AluOp::bypass; }

bool s4d4_tr_op_dim(const S4D4Tr& i) {
  return folds(i) ? i.op_dim >= 2 && i.op_dim <= 5 : i.op_dim == 0 || i.op_dim == 2;
}

bool s4d4_tr_negated(const S4D4Tr& i) { return i.negated <= (folds(i) ? 1 : 0); }
bool s4d4_tr_mask_zero(const S4D4Tr& i) { return i.mask_enable == 0; }
bool s4d4_tr_allows_psum(Engine engine) { return engine != Engine::pool; }

Elements s4d4_tr_result_count(const S4D4Tr& i) {
  AccessPattern kept = i.src.pattern();
  if (folds(i) && s4d4_tr_op_dim(i)) {
    for (std::size_t d = 0; d + 1 < i.op_dim; ++d) kept.num_elem[d] = 1;
  }
  return kept.count();
}

bool s4d4_tr_element_cnt_check(const S4D4Tr& i, Generation generation) {
  return has_register_shape(i.src.start_addr, generation) || has_register_shape(i.dst.start_addr, generation) ||
         (folds(i) && !s4d4_tr_op_dim(i)) || i.dst.count() == s4d4_tr_result_count(i);
}

// CrossLaneReduce

bool s4d4_cr_reduce_op(const S4D4Cr& i) {
  return i.header.opcode == code(Opcode::cross_lane_reduce_bitvec_op) ? i.reduce_op >= 3 && i.reduce_op <= 5
                                                                      : i.reduce_op <= 2;
}

bool s4d4_cr_reduce_axis(const S4D4Cr& i) { return i.reduce_axis <= 1; }

bool s4d4_cr_element_cnt_check(const S4D4Cr& i, Generation generation) {
  if (i.reduce_axis == 1) return equal_element_cnt(i.src, i.dst, generation);
  return i.reduce_axis != 0 || has_register_shape(i.dst.start_addr, generation) || i.dst.count() == Elements(1);
}

// Memset

bool d4_mr_element_cnt_check(const D4Mr& i, Generation generation) {
  return has_register_shape(i.dst.start_addr, generation) || i.dst.count() == Elements(i.element_count);
}

bool d4_mr_set_value_bits(const D4Mr& i) { return fits_element(i.set_value, i.dtype); }
bool d4_mr_serial(const D4Mr& i) { return i.serialization_mode == 0; }

}  // namespace dve::isa
