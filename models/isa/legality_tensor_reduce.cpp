// TensorReduce 0x42, Copy 0x46, Cast 0x47, Reciprocal 0x48, CrossLaneReduce 0x7C and 0x7D, Memset 0x49
// (isa-neighbours.md 6 to 8).
#include "legality_report.h"

namespace dve::isa {
namespace {

constexpr std::uint32_t kReduceChannelsByte = 34;

template <class Layout>
Field in_dtype(const Layout& i) {
  return {"in_dtype", 32, code(i.in_dtype)};
}
template <class Layout>
Field out_dtype(const Layout& i) {
  return {"out_dtype", 33, code(i.out_dtype)};
}

void check_fold(Report& report, const S4D4Tr& i) {
  const Field op{"op", 36, code(i.op)};
  const Engine engine = report.engine();
  if (engine == Engine::pool) {
    check_valid_dtype_64(report, in_dtype(i), false);
    check_valid_dtype_64(report, out_dtype(i), true);
  } else {
    check_valid_dtype(report, in_dtype(i), false);
    check_valid_dtype(report, out_dtype(i), true);
  }
  if (!check_alu_op_member(report, op)) return;
  const bool valid = s4d4_tr_arith_op(i.op, report.generation(), engine);
  report.require(valid, "s4d4_tr_arith_op", op, "{} on {}, not {}",
                 engine == Engine::pool ? "an integer operation" : "a general arithmetic operation", to_string(engine),
                 name(i.op));
  if (!valid) return;
  check_int_operand(report, in_dtype(i), i.op, i.in_dtype);
  check_int_operand(report, out_dtype(i), i.op, i.in_dtype);
}

void check_element_wise(Report& report, const S4D4Tr& i) {
  if (i.header.opcode == code(Opcode::copy)) {
    check_valid_dtype_64(report, in_dtype(i), false);
    check_equal_dtypes(report, out_dtype(i), i.in_dtype, "in_dtype");
  } else {
    check_valid_dtype(report, in_dtype(i), false);
    check_valid_dtype(report, out_dtype(i), true);
  }
  report.require(s4d4_tr_is_zero_op(i), "s4d4_tr_is_zero_op", {"op", 36, code(i.op)}, "0 (Bypass)");
}

void check_cross_lane_dtypes(Report& report, const S4D4Cr& i) {
  if (i.header.opcode == code(Opcode::cross_lane_reduce_bitvec_op)) {
    check_int_dtype(report, in_dtype(i));
    return check_equal_dtypes(report, out_dtype(i), i.in_dtype, "in_dtype");
  }
  check_valid_dtype(report, in_dtype(i), false);
  check_valid_dtype(report, out_dtype(i), true);
}

}  // namespace

void check_instruction(Report& report, const S4D4Tr& i) {
  const bool fold = i.header.opcode == code(Opcode::tensor_reduce_arith_op);
  const std::uint8_t channels = i.num_active_channels;
  const bool psum = s4d4_tr_allows_psum(report.engine());
  const TensorField src = tensor_field("src", 12, i.src, i.in_dtype, Access::read, psum);
  const TensorField dst = tensor_field("dst", 44, i.dst, i.out_dtype, Access::write, psum);

  if (fold) {
    check_fold(report, i);
  } else {
    check_element_wise(report, i);
  }
  check_channels(report, "check_active_channels", kReduceChannelsByte, channels);
  report.require(s4d4_tr_negated(i), "s4d4_tr_negated", {"negated", 35, i.negated}, "{}", fold ? "0 or 1" : "0");
  report.require(s4d4_tr_op_dim(i), "s4d4_tr_op_dim", {"op_dim", 37, i.op_dim}, "{}",
                 fold ? "2 (X), 3 (XY), 4 (XYZ) or 5 (XYZW)" : "0 or 2");
  report.require(s4d4_tr_mask_zero(i), "s4d4_tr_mask_zero", {"mask_enable", 38, i.mask_enable}, "0");
  check_tensor(report, src, channels);
  check_tensor(report, dst, channels);
  report.require(s4d4_tr_element_cnt_check(i, report.generation()), "s4d4_tr_element_cnt_check", dst.num_elem_product(),
                 "a product of {}{}", s4d4_tr_result_count(i).value,
                 fold ? ", the dimensions of src that are not folded" : ", as in src");
  check_reserved(report, "reserved_zero", "reserved0", 39, i.reserved0);
}

void check_instruction(Report& report, const S4D4Cr& i) {
  const bool bitvec = i.header.opcode == code(Opcode::cross_lane_reduce_bitvec_op);
  const TensorField src = tensor_field("src", 12, i.src, i.in_dtype, Access::read, false);
  const TensorField dst = tensor_field("dst", 44, i.dst, i.out_dtype, Access::write, false);

  check_cross_lane_dtypes(report, i);
  check_channels(report, "check_active_channels", kReduceChannelsByte, i.num_active_channels);
  report.require(s4d4_cr_reduce_op(i), "s4d4_cr_reduce_op", {"reduce_op", 35, i.reduce_op}, "{} for {}",
                 bitvec ? "3 (or), 4 (and) or 5 (xor)" : "0 (add), 1 (average) or 2 (max)",
                 opcode_name(i.header.opcode));
  report.require(s4d4_cr_reduce_axis(i), "s4d4_cr_reduce_axis", {"reduce_axis", 36, i.reduce_axis},
                 "0 (all) or 1 (partitions)");
  check_tensor(report, src, i.num_active_channels);
  check_tensor(report, dst, 1);  // the result stands in one partition
  report.require(s4d4_cr_element_cnt_check(i, report.generation()), "s4d4_cr_element_cnt_check", dst.num_elem_product(),
                 "a product of {}", i.reduce_axis == 1 ? src.pattern.count().value : 1);
  check_reserved(report, "reserved_zero", "reserved0", 37, i.reserved0);
}

void check_instruction(Report& report, const D4Mr& i) {
  const TensorField dst = tensor_field("dst", 44, i.dst, i.dtype, Access::write);
  check_valid_dtype(report, {"dtype", 32, code(i.dtype)}, true);
  check_channels(report, "check_active_channels", kReduceChannelsByte, i.num_active_channels);
  check_tensor(report, dst, i.num_active_channels);
  report.require(d4_mr_element_cnt_check(i, report.generation()), "d4_mr_element_cnt_check",
                 {"element_count", 28, i.element_count}, "{}, the elements of dst", dst.pattern.count().value);
  report.require(d4_mr_serial(i), "d4_mr_serial", {"serialization_mode", 36, i.serialization_mode}, "0 (serial)");
  report.require(d4_mr_set_value_bits(i), "d4_mr_set_value_bits", {"set_value", 40, i.set_value},
                 "a value of {} bits for {}, the rest 0", 8 * storage_size(i.dtype).value, name(i.dtype));
  check_reserved(report, "reserved_zero", "reserved0", 12, i.reserved0);
  check_reserved(report, "reserved_zero", "reserved1", 33, std::array{i.reserved1});
  check_reserved(report, "reserved_zero", "reserved2", 35, std::array{i.reserved2});
  check_reserved(report, "reserved_zero", "reserved3", 37, i.reserved3);
}

}  // namespace dve::isa
