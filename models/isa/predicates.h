// The legality predicates of isa.md 4.2 and 7, one function each, under the names of that document: what all words
// share, and the batch-norm opcodes. predicates_tensor.h has those of the other arithmetic words, predicates_control.h
// those of control words; both are included here.
//
// Plain yes-or-no functions on decoded fields; none of them fails on any value. check() in legality.h applies them to a
// word and words the findings. Names that isa.md does not give are marked "ours". Where a rule depends on the
// generation it takes one.
#pragma once

#include <array>
#include <cstdint>

#include "address.h"
#include "dtype.h"
#include "engine.h"
#include "events.h"
#include "generation.h"
#include "layouts.h"
#include "legality.h"
#include "opcode.h"
#include "predicates_control.h"
#include "predicates_tensor.h"
#include "tensor.h"

namespace dve::isa {

// --- Dtypes (isa.md 4.2) ---------------------------------------------------------------------------------------------

// Member of the generation's enumeration, not INVALID, not a 64-bit integer, FP32R only when allowed. v5 also refuses
// the half-byte and scale-only codes.
bool is_valid_dtype(Dtype d, bool allow_fp32r, Generation generation);
// As above, each of FP32R, UINT64, INT64 admitted by its flag; no half-byte or scale test on any generation.
bool is_valid_dtype_64(Dtype d, bool allow_fp32r, bool allow_uint64, bool allow_int64, Generation generation);
bool is_valid_int_dtype(Dtype d);
bool is_valid_int_dtype_datapath(Dtype d);
bool is_valid_fp_dtype_datapath(Dtype d, bool allow_fp32r);
bool is_signed_int(Dtype d);
bool is_unsigned_int(Dtype d);
bool is_valid_64b_int_dtype(Dtype d);
bool type_size_check(Dtype d, Bytes bytes);
// Ours: one of the fifteen dtypes of 1 to 8 whole bytes that every generation has. is_valid_dtype also lets 4-bit,
// transport and MX codes of v4 and v5 through, which no conversion is known for (isa.md 4.1, 4.3).
bool is_arithmetic_dtype(Dtype d);

// --- Header, events, channels (isa.md 7.1) ---------------------------------------------------------------------------

bool has_valid_inst_word_len(
    const Header& header);  // ours, second half of the next: 16; 17 too in QuantizeMX (isa.md 1.1)
bool has_valid_neuron_header(const Header& header);
// Both modes are members. A wait and an update by immediate may share the value field (isa.md 1.4 DEFAULT).
bool has_valid_neuron_events(const Events& events, Generation generation);
// Ours: the register forms of wait and update name a register 0..63 in semaphore_value (isa.md 1.3, 1.4, 5.3).
bool has_valid_event_register(const Events& events);
bool check_active_channels(std::uint32_t channels);
bool has_valid_active_channel_range(std::uint32_t channels, std::uint32_t max);
bool has_multiple_32_channels(std::uint32_t channels);
// Ours: the engine executes the opcode (isa-neighbours.md 1). False for bytes without a layout.
bool has_engine_opcode(const Header& header, Engine engine);

// --- Addresses (isa.md 2.1, 7.1) -------------------------------------------------------------------------------------

// Ours: the marker bits are a form that the model's words of the generation have: immediate and address register;
// from v3 also the two shape-register forms. Never the indirect forms, nor 0x60 and 0xE0, which no header names.
bool addr_marker_valid(Addr4 address, Generation generation);
// The count fields are waived: the shape comes from a register, which v2 does not have.
bool has_register_shape(Addr4 address, Generation generation);
// Ours: the register form's bits. v2: everything but marker 0x80 and a number below 64 is zero; from v3 bits 8..23 are.
bool addr_register_valid(Addr4 address, Generation generation);
bool four_byte_aligned(std::uint32_t address);
bool addr_aligned_dtype(std::uint32_t address, Dtype d, Generation generation);
bool addr_in_sbuf_partition(Partition partition, std::uint32_t address, Generation generation);
// Ours, part of the next: only 4-byte dtypes can be written to PSUM.
bool psum_write_dtype_valid(Dtype d);
bool tensor_start_addr_valid(Addr4 address, Dtype d, bool write, bool allow_psum, bool allow_sbuf,
                             Generation generation);

// Ours: `channels` partitions may start here. Quadrant rule: 0 for 65..128; 0, 64 for 33..64; 0, 32, 64, 96 for 1..32.
bool start_partition_valid(Partition partition, std::uint32_t channels, ActiveChannelRule rule);
// False for an address in neither memory. Register addresses pass.
bool start_addr_active_channels(Addr4 address, std::uint32_t channels, Generation generation, ActiveChannelRule rule);
// The pointer form: a plain 29-bit address (marker bits fail) that also lies in the active bytes of its partition.
bool tpb_addr_active_channels(std::uint32_t pointer, std::uint32_t channels, Generation generation,
                              ActiveChannelRule rule);
bool addresses_in_same_sbuf_quadrant(std::uint32_t a, std::uint32_t b, Generation generation);
bool tt_valid_partitions(Addr4 a, Addr4 b, Generation generation);

// First and last byte that a pattern touches, relative to its partition's start.
struct ByteExtent {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
// `offset` as in Place. With the shape in a register only the first element is known.
ByteExtent byte_extent(std::uint32_t offset, const AccessPattern& pattern, Dtype d);
// Strict mode's rule (isa.md 7.1 DEFAULT): first and last touched byte lie in the active bytes of the partition. True
// for register addresses; false for an address in neither memory or a dtype without whole bytes.
bool tensor_extent_in_partition(Addr4 address, const AccessPattern& pattern, Dtype d, Generation generation);

// Every count is at least 1 unless the shape is in a register, and tensor_start_addr_valid.
template <std::size_t N>
bool tensor_valid(const Tensor<N>& t, Dtype d, bool write, bool allow_psum, bool allow_sbuf, Generation generation) {
  if (!has_register_shape(t.start_addr, generation)) {
    for (const std::uint16_t n : t.num_elem) {
      if (n == 0) return false;
    }
  }
  return tensor_start_addr_valid(t.start_addr, d, write, allow_psum, allow_sbuf, generation);
}
bool tensor1d_valid(const Tensor1D& t, Dtype d, bool write, bool allow_psum, bool allow_sbuf, Generation generation);
bool tensor2d_valid(const Tensor2D& t, Dtype d, bool write, bool allow_psum, bool allow_sbuf, Generation generation);
bool tensor3d_valid(const Tensor3D& t, Dtype d, bool write, bool allow_psum, bool allow_sbuf, Generation generation);
bool tensor4d_valid(const Tensor4D& t, Dtype d, bool write, bool allow_psum, bool allow_sbuf, Generation generation);

// Pointer register of an immediate: number below 64, reserved bytes 0 (isa.md 5.2).
bool is_valid_imm_reg(ImmField imm);
bool is_finite_literal(std::uint32_t bits);  // ours: binary32 that is neither infinite nor NaN

// Ours: as many elements in a as in b, unless a shape comes from a register.
template <std::size_t N, std::size_t M>
bool equal_element_cnt(const Tensor<N>& a, const Tensor<M>& b, Generation generation) {
  return has_register_shape(a.start_addr, generation) || has_register_shape(b.start_addr, generation) ||
         a.count() == b.count();
}

// --- GradAccum 0x63, 0x94 (isa.md 7.2) -------------------------------------------------------------------------------

// Ours: 0x63 is an opcode of v2 to v4; on v5 the compiler takes it for an error (isa.md 8, 16).
bool grad_accumulate_generation(Generation generation);
bool has_s3s3d1_bn_opcode(const Header& header);
bool has_s3s3d1_bn2_opcode(const Header& header);
bool s3s3d1_bn_channels(std::uint32_t channels);
bool bnga_valid_input_type(Dtype d);
bool bnga_valid_output_type(Dtype d);
bool bnga_valid_immediate_type(Dtype d);
bool bnga2_valid_input_type(Dtype d);
bool bnga2_valid_output_type(Dtype d);
bool bnga2_valid_immediate_type(Dtype d);
bool bnga_src_element_cnt_check(const Tensor3D& src0, const Tensor3D& src1, Generation generation);
bool bnga_dst_element_cnt_check(const Tensor1D& dst);
Dtype bnga_immediate_dtype(Dtype field);  // ours: what the v1 field stands for, Invalid = fp32
bool bnga_imm_check(ImmField imm, Dtype d, std::uint32_t channels, Generation generation, ActiveChannelRule rule);
bool bnga2_imm_check(ImmField imm, std::uint8_t src, Dtype d, std::uint32_t channels, Generation generation,
                     ActiveChannelRule rule);

// --- ParamLoad 0x64, ParamLoad2 0x8E (isa.md 7.3; ours) --------------------------------------------------------------

bool has_s2_bn_opcode(const Header& header);
bool has_s2_bnpl2_opcode(const Header& header);
bool s2_bn_src_element_cnt_check(const Tensor2D& src, Generation generation);
bool s2_bnpl2_src_element_cnt_check(const Tensor2D& src, Generation generation);
bool s2_bn_valid_src_type(Dtype d);
bool s2_bnpl2_valid_src_type(Dtype d);
bool s2_bnpl2_valid_immediate_type(Dtype d);
bool s2_bn_valid_element_count(std::uint32_t bits);
bool s2_bnpl2_valid_element_count(std::uint32_t bits);
bool s2_bn_imm_check(ImmField imm, std::uint8_t src, std::uint32_t channels, Generation generation,
                     ActiveChannelRule rule);
bool s2_bnpl2_imm_check(ImmField imm, std::uint8_t src, Dtype d, std::uint32_t channels, Generation generation,
                        ActiveChannelRule rule);
bool s2_bn_reserved_zero(const S2Bn& i);
bool s2_bnpl2_reserved_zero(const S2Bnpl2& i);

// --- BackProp 0x65 and the other S3S3D3_TT (isa.md 7.4, 12) ----------------------------------------------------------

bool has_batchnorm_backprop_opcode(const Header& header);
// Of all S3S3D3_TT but 0x41 and 0x51.
bool s3s3d3_tt_is_zero_op(const S3S3D3Tt& i);
bool s3s3d3_tt_src_element_cnt_check(const S3S3D3Tt& i, Generation generation);
bool s3s3d3_tt_dst_element_cnt_check(const S3S3D3Tt& i, Generation generation);  // dst against src0

// --- Stats family 0x60, 0x61, 0x62, 0x82 (isa.md 7.5; ours) ----------------------------------------------------------

// What the four opcodes of S4D2_BN ask for, one row each.
struct StatsRule {
  Opcode opcode = Opcode::batch_norm_stats2;
  std::uint32_t max_src_elements = 0;  // 0: no limit
  std::uint32_t src_multiple = 1;      // source elements are a multiple of this
  std::uint32_t dst_elements = 0;
  bool zero_counts = false;  // both count literals are 0; otherwise finite
  bool multiple_32_channels = false;
};
const StatsRule* stats_rule(std::uint8_t opcode);  // nullptr for other opcodes

bool has_s4d2_bn_opcode(const Header& header);
bool s4d2_bn_src_element_cnt_check(const StatsRule& rule, const Tensor4D& src, Generation generation);
bool s4d2_bn_src_element_multiple_check(const StatsRule& rule, const Tensor4D& src, Generation generation);
bool s4d2_bn_dst_element_cnt_check(const StatsRule& rule, const Tensor2D& dst);
bool s4d2_bn_valid_output_type(Dtype d);
bool s4d2_bn_valid_count(const StatsRule& rule, std::uint32_t bits);
bool s4d2_bn_reserved_zero(const S4D2Bn& i);

// --- LoadParameterRam 0x66 (isa.md 11.1; ours) -----------------------------------------------------------------------

bool has_ctrl_im_opcode(const Header& header);
bool ctrl_im_ptr_select_zero(const CtrlIm& i);
bool ctrl_im_reserved_zero(const CtrlIm& i);
// The eight values fit the 256 entries. `unit_bytes`: bytes of one step of the offset (LegalityOptions).
bool ctrl_im_param_ram_bounds(std::uint16_t param_ram_offset, std::uint32_t unit_bytes);

}  // namespace dve::isa
