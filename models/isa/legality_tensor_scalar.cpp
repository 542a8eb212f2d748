// TensorScalar 0x43, 0x53 (isa-neighbours.md 2).
#include "legality_report.h"

namespace dve::isa {
namespace {

Field op0_field(const S3D3Ts& i) { return {"op0", 36, code(i.op0)}; }
Field op1_field(const S3D3Ts& i) { return {"op1", 37, code(i.op1)}; }
Field in_field(const S3D3Ts& i) { return {"in_dtype", 32, code(i.in_dtype)}; }
Field out_field(const S3D3Ts& i) { return {"out_dtype", 33, code(i.out_dtype)}; }

void check_op_order(Report& report, const S3D3Ts& i) {
  report.require(s3d3_ts_op_order(i.op0, i.op1), "s3d3_ts_op_order", op1_field(i), "0 (Bypass) after Bypass in op0");
}

bool check_arith_op(Report& report, const Field& field) {
  const auto op = static_cast<AluOp>(field.value);
  const bool valid = s3d3_ts_arith_op(op, report.generation());
  report.require(valid, "s3d3_ts_arith_op", field, "a general arithmetic operation{}, not {}",
                 core_version(report.generation()) >= 5 ? " or an integer operation of DVE" : "", name(op));
  return valid;
}

void check_dve_ops(Report& report, const S3D3Ts& i) {
  const bool valid0 = check_arith_op(report, op0_field(i));
  const bool valid1 = check_arith_op(report, op1_field(i));
  if (!valid0 || !valid1) return;
  report.require(s3d3_ts_op_class(i.op0, i.op1, report.generation()), "s3d3_ts_op_class", op1_field(i),
                 "an operation of op0's kind: integer or not, like {}", name(i.op0));
  check_op_order(report, i);
  const AluOp op = is_int_op(i.op0) ? i.op0 : i.op1;
  check_int_operand(report, in_field(i), op, i.in_dtype);
  check_int_operand(report, out_field(i), op, i.in_dtype);
}

// POOL has this one operation of TensorScalar, and it takes no scalar.
void check_rsqrt_form(Report& report, const S3D3Ts& i) {
  if (s3d3_ts_rsqrt_form(i)) return;
  constexpr std::string_view kName = "s3d3_ts_rsqrt_form";
  report.require(i.op0 == AluOp::rsqrt, kName, op0_field(i), "0x1d (rsqrt) on pool, not {}", name(i.op0));
  report.require(i.op1 == AluOp::bypass, kName, op1_field(i), "0 (Bypass) on pool, not {}", name(i.op1));
  for (const Field& field : {Field{"imm0_src", 35, i.imm0_src}, Field{"imm1_src", 39, i.imm1_src},
                             Field{"imm0", 40, i.imm0.raw}, Field{"imm1", 44, i.imm1.raw}}) {
    report.require(field.value == 0, kName, field, "0 for rsqrt");
  }
}

void check_act_ops(Report& report, const S3D3Ts& i) {
  if (s3d3_ts_act_ops(i.op0, i.op1)) return;
  const bool starts = i.op0 == AluOp::mult || i.op0 == AluOp::add;
  report.add("s3d3_ts_act_ops", starts ? op1_field(i) : op0_field(i),
             fmt::format("mult then add, mult alone or add alone on act, not {} then {}", name(i.op0), name(i.op1)));
}

void check_arith(Report& report, const S3D3Ts& i) {
  check_valid_dtype(report, in_field(i), false);
  check_valid_dtype(report, out_field(i), true);
  const bool member0 = check_alu_op_member(report, op0_field(i));
  const bool member1 = check_alu_op_member(report, op1_field(i));
  if (!member0 || !member1) return;
  switch (report.engine()) {
    case Engine::dve:
      return check_dve_ops(report, i);
    case Engine::pool:
      return check_rsqrt_form(report, i);
    case Engine::act:
      return check_act_ops(report, i);
  }
}

void check_bitvec_op(Report& report, const Field& field) {
  const auto op = static_cast<AluOp>(field.value);
  if (!check_alu_op_member(report, field)) return;
  report.require(s3d3_ts_bitvec_op(op), "s3d3_ts_bitvec_op", field, "a bit operation, not {}", name(op));
}

void check_literal_bits(Report& report, const Field& field, std::uint8_t source, Dtype dtype) {
  if (immediate_source_of(source, SourceEncoding::standard) != ImmediateSource::literal) return;
  report.require(s3d3_ts_literal_bits({static_cast<std::uint32_t>(field.value)}, dtype), "s3d3_ts_literal_bits", field,
                 "a literal of {} bits for {}, the rest 0", 8 * storage_size(dtype).value, name(dtype));
}

void check_bitvec(Report& report, const S3D3Ts& i) {
  check_int_dtype(report, in_field(i));
  check_equal_dtypes(report, out_field(i), i.in_dtype, "in_dtype");
  check_bitvec_op(report, op0_field(i));
  check_bitvec_op(report, op1_field(i));
  check_op_order(report, i);
  report.require(!is_valid_int_dtype_datapath(i.in_dtype) || s3d3_ts_shift_dtype(i.op0, i.op1, i.in_dtype),
                 "s3d3_ts_shift_dtype", in_field(i), "a 4-byte dtype for {} then {}, not {}", name(i.op0), name(i.op1),
                 name(i.in_dtype));
  check_literal_bits(report, {"imm0", 40, i.imm0.raw}, i.imm0_src, i.in_dtype);
  check_literal_bits(report, {"imm1", 44, i.imm1.raw}, i.imm1_src, i.in_dtype);
}

}  // namespace

void check_instruction(Report& report, const S3D3Ts& i) {
  const bool bitvec = i.header.opcode == code(Opcode::tensor_scalar_bitvec_op);
  const Dtype scalar = bitvec ? i.in_dtype : Dtype::fp32;
  const std::uint8_t channels = i.num_active_channels;
  const TensorField src = tensor_field("src", 16, i.src, i.in_dtype, Access::read);
  const TensorField dst = tensor_field("dst", 48, i.dst, i.out_dtype, Access::write);

  report.require(s3d3_ts_accumulator_idle(i), "s3d3_ts_accumulator_idle", {"accumulator_cmd", 12, i.accumulator_cmd},
                 "0 (Idle)");
  if (bitvec) {
    check_bitvec(report, i);
  } else {
    check_arith(report, i);
  }
  report.require(s3d3_ts_reverse_operands(i), "s3d3_ts_reverse_operands", {"reverse_operands", 38, i.reverse_operands},
                 "0 (none), 1 (first), 2 (second) or 3 (both)");
  check_immediate(report, "imm_check",
                  {{"imm0", 40, i.imm0.raw}, {"imm0_src", 35, i.imm0_src}, SourceEncoding::standard, scalar}, channels);
  check_immediate(report, "imm_check",
                  {{"imm1", 44, i.imm1.raw}, {"imm1_src", 39, i.imm1_src}, SourceEncoding::standard, scalar}, channels);
  check_channels(report, "check_active_channels", 34, channels);
  check_tensor(report, src, channels);
  check_tensor(report, dst, channels);
  check_equal_element_cnt(report, src, dst, equal_element_cnt(i.src, i.dst, report.generation()));
  check_reserved(report, "reserved_zero", "reserved0", 13, i.reserved0);
}

}  // namespace dve::isa
