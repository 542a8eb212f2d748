// S3S3D3_TT: BackProp 0x65 (isa.md 7.4), TensorTensor 0x41 and 0x51, CopyPredicated 0x72, CastPredicated 0x99 (isa.md
// 12, isa-neighbours.md 4).
#include "legality_report.h"

namespace dve::isa {
namespace {

Field src0_dtype(const S3S3D3Tt& i) { return {"in0_in1_dtype", 12, code(i.in0_in1_dtype.lo), ".lo"}; }
Field src1_dtype(const S3S3D3Tt& i) { return {"in0_in1_dtype", 12, code(i.in0_in1_dtype.hi), ".hi"}; }
Field out_dtype(const S3S3D3Tt& i) { return {"out_dtype", 13, code(i.out_dtype)}; }
Field op_field(const S3S3D3Tt& i) { return {"op", 14, code(i.op)}; }

void check_zero_op(Report& report, const S3S3D3Tt& i) {
  report.require(s3s3d3_tt_is_zero_op(i), "s3s3d3_tt_is_zero_op", op_field(i), "0 (Bypass)");
}

void check_back_prop(Report& report, const S3S3D3Tt& i) {
  check_valid_dtype(report, src0_dtype(i), false);
  check_valid_dtype(report, src1_dtype(i), false);
  check_valid_dtype(report, out_dtype(i), true);
  check_zero_op(report, i);
}

void check_arith(Report& report, const S3S3D3Tt& i) {
  check_valid_dtype_64(report, src0_dtype(i), false);
  check_valid_dtype_64(report, src1_dtype(i), false);
  check_valid_dtype_64(report, out_dtype(i), true);
  if (!check_alu_op_member(report, op_field(i))) return;
  const Engine engine = report.engine();
  report.require(s3s3d3_tt_arith_op(i.op, report.generation(), engine), "s3s3d3_tt_arith_op", op_field(i),
                 "{} on {}: {} is not one of them",
                 engine == Engine::pool ? "pow, add, subtract, mult or an integer operation"
                                        : "a general arithmetic or an integer operation",
                 to_string(engine), name(i.op));
  for (const Field& dtype : {src0_dtype(i), src1_dtype(i), out_dtype(i)}) {
    check_int_operand(report, dtype, i.op, i.in0_in1_dtype.lo);
  }
}

void check_bitvec(Report& report, const S3S3D3Tt& i) {
  const Dtype src0 = i.in0_in1_dtype.lo, src1 = i.in0_in1_dtype.hi;
  report.require(is_valid_int_dtype(src0), "is_valid_int_dtype", src0_dtype(i), "an integer, not {}", name(src0));
  report.require(s3s3d3_tt_bitvec_src1(i.op, src0, src1), "s3s3d3_tt_bitvec_src1", src1_dtype(i),
                 "{}, as src0 (or uint32 to shift 64-bit integers by), not {}", name(src0), name(src1));
  check_equal_dtypes(report, out_dtype(i), src0, "src0");
  if (!check_alu_op_member(report, op_field(i))) return;
  report.require(s3s3d3_tt_bitvec_op(i.op), "s3s3d3_tt_bitvec_op", op_field(i),
                 "a bit operation other than crc32, not {}", name(i.op));
}

void check_copy_predicated(Report& report, const S3S3D3Tt& i) {
  check_int_dtype(report, src0_dtype(i));
  check_valid_dtype(report, src1_dtype(i), false);
  check_equal_dtypes(report, out_dtype(i), i.in0_in1_dtype.hi, "src1");
  check_zero_op(report, i);
}

void check_cast_predicated(Report& report, const S3S3D3Tt& i) {
  check_int_dtype(report, src0_dtype(i));
  check_valid_dtype(report, src1_dtype(i), false);
  check_valid_dtype(report, out_dtype(i), false);
  check_zero_op(report, i);
}

void check_operands(Report& report, const S3S3D3Tt& i) {
  const std::uint8_t channels = i.num_active_channels;
  const TensorField src0 = tensor_field("src0", 16, i.src0, i.in0_in1_dtype.lo, Access::read);
  const TensorField src1 = tensor_field("src1", 32, i.src1, i.in0_in1_dtype.hi, Access::read);
  const TensorField dst = tensor_field("dst", 48, i.dst, i.out_dtype, Access::write);
  check_tensor(report, src0, channels);
  check_tensor(report, src1, channels);
  check_tensor(report, dst, channels);
  report.require(s3s3d3_tt_src_element_cnt_check(i, report.generation()), "s3s3d3_tt_src_element_cnt_check",
                 src1.num_elem_product(), "a product of {}, as in src0", src0.pattern.count().value);
  report.require(s3s3d3_tt_dst_element_cnt_check(i, report.generation()), "s3s3d3_tt_dst_element_cnt_check",
                 dst.num_elem_product(), "a product of {}, as in src0", src0.pattern.count().value);
  check_channels(report, "check_active_channels", 15, channels);
  check_source_partitions(report, src0, src1);
}

}  // namespace

void check_instruction(Report& report, const S3S3D3Tt& i) {
  switch (static_cast<Opcode>(i.header.opcode)) {
    case Opcode::tensor_tensor_arith_op:
      check_arith(report, i);
      break;
    case Opcode::tensor_tensor_bitvec_op:
      check_bitvec(report, i);
      break;
    case Opcode::copy_predicated:
      check_copy_predicated(report, i);
      break;
    case Opcode::cast_predicated:
      check_cast_predicated(report, i);
      break;
    default:  // decode() gives this layout to BackProp and those four only
      check_back_prop(report, i);
  }
  check_operands(report, i);
}

}  // namespace dve::isa
