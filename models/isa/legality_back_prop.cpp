// BackProp 0x65 (isa.md 7.4) and LoadParameterRam 0x66 (isa.md 11.1).
#include "legality_report.h"

namespace dve::isa {

void check_back_prop(Report& report, const S3S3D3Tt& i) {
  const std::uint8_t channels = i.num_active_channels;
  const TensorField src0 = tensor_field("src0", 16, i.src0, i.in0_in1_dtype.lo, Access::read);
  const TensorField src1 = tensor_field("src1", 32, i.src1, i.in0_in1_dtype.hi, Access::read);
  const TensorField dst = tensor_field("dst", 48, i.dst, i.out_dtype, Access::write);

  check_valid_dtype(report, {"in0_in1_dtype", 12, code(i.in0_in1_dtype.lo), ".lo"}, false);
  check_valid_dtype(report, {"in0_in1_dtype", 12, code(i.in0_in1_dtype.hi), ".hi"}, false);
  check_valid_dtype(report, {"out_dtype", 13, code(i.out_dtype)}, true);
  report.require(s3s3d3_tt_is_zero_op(i), "s3s3d3_tt_is_zero_op", {"op", 14, i.op}, "0 (Bypass)");
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

void check_load_parameter_ram(Report& report, const CtrlIm& i) {
  const std::uint32_t unit = report.options().param_ram_offset_unit_bytes;
  report.require(ctrl_im_param_ram_bounds(i.param_ram_offset, unit), "ctrl_im_param_ram_bounds",
                 {"param_ram_offset", 12, i.param_ram_offset},
                 "eight whole entries inside the 256: offset times {} bytes at most 992, a multiple of 4", unit);
  report.require(ctrl_im_ptr_select_zero(i), "ctrl_im_ptr_select_zero", {"imm_ptr_select", 14, i.imm_ptr_select},
                 "0 (eight inline values)");
  check_reserved(report, "ctrl_im_reserved_zero", "reserved0", 15, i.reserved0);
}

}  // namespace dve::isa
