// Legality predicates of the arithmetic words around the batch-norm path: TensorTensor (isa.md 6, 12; isa-neighbours.md
// 4), TensorScalar, TensorReduce and the copies, Memset, CrossLaneReduce, Activate (isa-neighbours.md 2, 5 to 8).
//
// The references give the rules of these words without names: all names here are ours. Style and use as in
// predicates.h, which includes this file.
//
// Choices where the references stop: Copy moves 64-bit integers too, as it converts nothing; CopyPredicated's data is
// no FP32R, an output-only type (isa.md 4.1); integer operations in TensorReduce and in v5's TensorScalar ask of input
// and output what TensorTensor asks of its three operands; POOL reaches PSUM except where isa-neighbours.md 6 and 8
// deny it.
#pragma once

#include <cstdint>

#include "activation.h"
#include "alu_op.h"
#include "dtype.h"
#include "engine.h"
#include "format.h"
#include "generation.h"
#include "layouts.h"
#include "legality.h"
#include "operands.h"

namespace dve::isa {

// --- Shared ----------------------------------------------------------------------------------------------------------

bool has_equal_dtypes(Dtype a, Dtype b);

// An integer operation (is_int_op) asks every operand to be an integer of the operation's signedness, or of the first
// operand's where the operation takes both kinds (isa-neighbours.md 4). Other operations: true.
bool int_op_operand_valid(AluOp op, Dtype operand, Dtype first);
// POOL's integer operations: 32-bit operands all, or 64-bit all (isa-neighbours.md 4, 6). Other operations: true.
bool pool_int_operand_size(AluOp op, Dtype operand, Dtype first);

// A literal passes; a pointer is aligned to `d`, the dtype of the value in memory, and lies where
// tpb_addr_active_channels wants it; a register pointer is is_valid_imm_reg.
bool imm_check(ImmField imm, std::uint8_t selector, SourceEncoding encoding, Dtype d, std::uint32_t channels,
               Generation generation, ActiveChannelRule rule);

// Everything reserved is 0, of the layouts in this header.
bool reserved_zero(const S3D3Ts& i);
bool reserved_zero(const S4D4Tr& i);
bool reserved_zero(const S4D4Cr& i);
bool reserved_zero(const D4Mr& i);
bool reserved_zero(const CtrlTable& i);
bool reserved_zero(const D1Rd& i);

// --- TensorTensor 0x41, 0x51 (isa.md 12, isa-neighbours.md 4) --------------------------------------------------------

// DVE: the general arithmetic and the integer set, of the latter on v5 only what isa.md 12 leaves it. POOL: Pow, Add,
// Subtract, Mult and the integer set. Operations that the generation does not have: is_alu_op_member.
bool s3s3d3_tt_arith_op(AluOp op, Generation generation, Engine engine);
bool s3s3d3_tt_bitvec_op(AluOp op);
// src1 of a bit operation has src0's dtype; a shift of 64-bit integers takes UINT32 too.
bool s3s3d3_tt_bitvec_src1(AluOp op, Dtype src0, Dtype src1);

// --- TensorScalar 0x43, 0x53 (isa-neighbours.md 2) -------------------------------------------------------------------

bool s3d3_ts_accumulator_idle(const S3D3Ts& i);
bool s3d3_ts_reverse_operands(const S3D3Ts& i);  // 0 to 3
// 0x43 on DVE: general arithmetic; on v5 also DVE's integer operations. Divide, Pow, Mod, Rsqrt are in neither.
bool s3d3_ts_arith_op(AluOp op, Generation generation);
// Both operations are of the same of those two sets; Bypass is in both.
bool s3d3_ts_op_class(AluOp op0, AluOp op1, Generation generation);
bool s3d3_ts_bitvec_op(AluOp op);             // 0x53: ten, CRC32 included
bool s3d3_ts_op_order(AluOp op0, AluOp op1);  // Bypass is not followed by an operation
// 0x43 on POOL: op0 Rsqrt, op1 Bypass, both immediates and both selectors zero. isa.md 6 and 11 give Rsqrt to no other
// engine.
bool s3d3_ts_rsqrt_form(const S3D3Ts& i);
// 0x43 on ACT: mult then add, mult, or add. The source says so of v3 and of no other generation: taken for all.
bool s3d3_ts_act_ops(AluOp op0, AluOp op1);
// 0x53: bits of a literal above the element's size are zero.
bool s3d3_ts_literal_bits(ImmField imm, Dtype d);
// 0x53: a left shift followed by a right shift, and any arithmetic right shift, need a 4-byte dtype.
bool s3d3_ts_shift_dtype(AluOp op0, AluOp op1, Dtype d);

// --- TensorReduce 0x42, Copy 0x46, Cast 0x47, Reciprocal 0x48 (isa-neighbours.md 6) ----------------------------------

// 0x42. DVE: general arithmetic. POOL: the integer set.
bool s4d4_tr_arith_op(AluOp op, Generation generation, Engine engine);
bool s4d4_tr_is_zero_op(const S4D4Tr& i);  // of the other three
bool s4d4_tr_op_dim(const S4D4Tr& i);      // 0x42: 2 to 5; others: 0 or 2
bool s4d4_tr_negated(const S4D4Tr& i);     // 0x42: 0 or 1; others: 0
bool s4d4_tr_mask_zero(const S4D4Tr& i);
// POOL reaches SBUF only.
bool s4d4_tr_allows_psum(Engine engine);
// Elements that dst holds: in 0x42 the product of the dimensions that op_dim does not fold, else the source's count.
Elements s4d4_tr_result_count(const S4D4Tr& i);
// Waived for a shape in a register, and in 0x42 without a valid op_dim.
bool s4d4_tr_element_cnt_check(const S4D4Tr& i, Generation generation);

// --- CrossLaneReduce 0x7C, 0x7D (isa-neighbours.md 8) ----------------------------------------------------------------

bool s4d4_cr_reduce_op(const S4D4Cr& i);    // 0x7C: 0 to 2; 0x7D: 3 to 5
bool s4d4_cr_reduce_axis(const S4D4Cr& i);  // 0 or 1
// Axis 0: every count of dst is 1. Axis 1: as many elements as src. Waived for a shape in a register or another axis.
bool s4d4_cr_element_cnt_check(const S4D4Cr& i, Generation generation);

// --- Memset 0x49 (isa-neighbours.md 7) -------------------------------------------------------------------------------

// The element count is that of dst, unless its shape is in a register. The source gives the field no rule.
bool d4_mr_element_cnt_check(const D4Mr& i, Generation generation);
bool d4_mr_set_value_bits(const D4Mr& i);  // bits above the element's size are zero
bool d4_mr_serial(const D4Mr& i);          // serialization mode 0

// --- Activate 0x21, ActivationTableLoad 0x23, ActivationReadAccumulator 0x24 (isa-neighbours.md 2, 5) ----------------

bool s3d3_ac_valid_func(ActivationFunc f);  // a function with a name
bool s3d3_ac_accumulator_cmd(const S3D3Ac& i);
bool s3d3_ac_valid_bias_type(Dtype d);  // of a bias in memory: fp16, bf16 or fp32
// Of functions that do not read it, the third immediate is asked for a selector only (isa-neighbours.md 13).
bool s3d3_ac_reads_imm(const S3D3Ac& i);

bool ctrl_table_set_index(const CtrlTable& i);  // a set of activation.h: project rule

bool act_read_accumulator_generation(Generation generation);  // not on v5
bool d1_rd_one_element(std::uint32_t count);                  // of the count field and of dst
bool d1_rd_valid_type(Dtype d);                               // fp16, bf16, fp32, fp32r
bool d1_rd_negated_zero(const D1Rd& i);                       // ACT does not negate

}  // namespace dve::isa
