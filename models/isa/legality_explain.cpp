#include "legality_explain.h"

#include <algorithm>
#include <array>

namespace dve::isa {
namespace {

struct Explanation {
  std::string_view predicate;
  std::string_view sentence;
};

constexpr std::string_view kReserved =
    "Reserved bytes are written as zero, so that a later meaning of them cannot change what today's words do.";
constexpr std::string_view kCounts =
    "A tensor has at least one element in each dimension; a count of zero would make an operation without any data.";
constexpr std::string_view kChannels =
    "An operation works on 1 to 128 partitions: there are no lanes beyond, and none at all is no operation.";
constexpr std::string_view kFinite =
    "The count of elements is a number that the arithmetic divides or multiplies by: infinity and NaN are none.";
constexpr std::string_view kPointerImmediate =
    "A value in memory is found by an aligned pointer or by a pointer in a register, and by nothing else here.";

// clang-format off
// Sorted by name.
constexpr std::array kExplanations = {
    Explanation{"act_read_accumulator_generation", "The read of the activation accumulator is an instruction of v2 to v4; the compiler refuses to emit it for v5."},
    Explanation{"addr8_register", "A start address from a register names one of the 64 registers and has no other bits set, or it would be a different address."},
    Explanation{"addr_aligned_dtype", "Elements are read and written whole, so an address is a multiple of the element's size."},
    Explanation{"bnga2_imm_check", kPointerImmediate},
    Explanation{"bnga2_valid_immediate_type", "Mean and inverse standard deviation are read as fp16, bf16, fp32 or int32, and the word must say which."},
    Explanation{"bnga2_valid_input_type", "The gradient sums take fp16, bf16, fp32 or int32 data; the operation has no conversion for other types."},
    Explanation{"bnga2_valid_output_type", "The three sums are written as fp32, fp16 or bf16; nothing else holds them with a meaning."},
    Explanation{"bnga_dst_element_cnt_check", "The operation writes three sums per channel, so its destination has exactly three elements."},
    Explanation{"bnga_imm_check", kPointerImmediate},
    Explanation{"bnga_src_element_cnt_check", "Activation and gradient are read in step, element by element, so both have the same number of elements."},
    Explanation{"bnga_valid_immediate_type", "Mean and inverse standard deviation are read as fp16, bf16, fp32 or int32; 0 stands for fp32."},
    Explanation{"bnga_valid_input_type", "The gradient sums take fp16, bf16, fp32 or int32 data; the operation has no conversion for other types."},
    Explanation{"bnga_valid_output_type", "The three sums are written as fp32, fp16 or bf16; nothing else holds them with a meaning."},
    Explanation{"check_active_channels", kChannels},
    Explanation{"ctrl_im_param_ram_bounds", "The eight values lie inside the 256 entries of the Parameter-RAM; writing past them would overwrite others or nothing."},
    Explanation{"ctrl_im_ptr_select_zero", "LoadParameterRam has inline values only; a pointer mask belongs to another opcode of the same layout."},
    Explanation{"ctrl_im_reserved_zero", kReserved},
    Explanation{"ctrl_mv_disjoint_destination", "The moves of one word have no order, so no register is both read and written."},
    Explanation{"ctrl_mv_dtype", "Move copies 32 bits as they are, which only the three 32-bit types describe."},
    Explanation{"ctrl_mv_num_mov", "A word has eight slots for moves, and one without any does nothing."},
    Explanation{"ctrl_mv_register", "The sequencer has registers 0 to 63 and the two halves of the program counter; other numbers name nothing."},
    Explanation{"ctrl_mv_source", "Moves take their values from registers or from the word, and one code of the two says from where."},
    Explanation{"ctrl_mv_unique_destination", "The moves of one word have no order, so no register is written twice."},
    Explanation{"ctrl_mv_unused_zero", "Slots that the word does not use are zero: anything else is a sign of a wrong count of moves."},
    Explanation{"ctrl_sr_mode", "Semaphores are cleared by range or by bitmask, and one code of the two says how."},
    Explanation{"ctrl_sr_range", "A range ends at or after its start; the other way round it would clear nothing or everything."},
    Explanation{"ctrl_sr_unused_zero", "The fields of the other mode are zero: a word that fills both does not say what it clears."},
    Explanation{"ctrl_table_set_index", "There is a fixed number of function sets; loading another would leave functions undefined."},
    Explanation{"d1_rd_negated_zero", "The activation engine has no negation on the way out of its accumulator."},
    Explanation{"d1_rd_one_element", "An accumulator is one value per lane, so exactly one element is read and written."},
    Explanation{"d1_rd_valid_type", "The accumulator is a binary32 number, written as fp16, bf16, fp32 or fp32r."},
    Explanation{"d4_mr_element_cnt_check", "The word says twice how many elements are set, in a count and in the destination's shape, and both agree."},
    Explanation{"d4_mr_serial", "Serial is the only mode of Memset that is known."},
    Explanation{"d4_mr_set_value_bits", "The value fits the element: bits above its size would be lost."},
    Explanation{"equal_element_cnt", "Every source element gives one destination element, so both tensors have the same number of them."},
    Explanation{"grad_accumulate_generation", "On v5 the old form of GradAccumulate is an error of the compiler; the newer opcode replaces it."},
    Explanation{"has_engine_opcode", "Each engine executes its own opcodes; any other stops it with an unknown-opcode fault."},
    Explanation{"has_equal_dtypes", "Bits are moved as they are here, without a conversion, so both sides have the same type."},
    Explanation{"has_multiple_32_channels", "The transpose works in blocks of 32 by 32, so it takes whole blocks of partitions."},
    Explanation{"has_valid_event_register", "A semaphore value from a register names one of the sequencer's 64 registers."},
    Explanation{"has_valid_neuron_events", "Wait and update are codes that the sequencer knows; another code has no defined wait and could block forever."},
    Explanation{"has_valid_neuron_header", "The opcode is a known one and the word is 16 dwords long, so that the stream stays in step."},
    Explanation{"imm_check", "The code of an immediate's source is a known one, and a pointer is aligned to the value that it points to."},
    Explanation{"int_op_operand_valid", "The integer engine takes integers, all signed or all unsigned as the operation needs: mixed, a result has no single meaning."},
    Explanation{"is_alu_op_member", "The operation exists on this generation; the integer and clamp operations came later than the others."},
    Explanation{"is_arithmetic_dtype", "Sub-byte, transport and scale-only types pass the general rule on later chips, but no conversion to binary32 is known for them."},
    Explanation{"is_valid_dtype", "The type exists on this generation and fits the place: 64-bit integers do not pass through binary32, and fp32r is for outputs."},
    Explanation{"is_valid_dtype_64", "The type exists on this generation and fits the place: fp32r is for outputs."},
    Explanation{"is_valid_imm_reg", "A pointer in a register names one of the 64 registers and has zero in the rest of the field."},
    Explanation{"is_valid_int_dtype", "Bit operations work on integers; the bits of a floating-point number have no arithmetic of their own."},
    Explanation{"is_valid_int_dtype_datapath", "A predicate or bit pattern is an integer of at most 32 bits, which is what passes through a lane at once."},
    Explanation{"mem_2d_aligned", "Elements are read and written whole, so the start address is a multiple of the element's size."},
    Explanation{"mem_2d_dtype", "Registers are 32 bits wide: integers up to that size, fp32, and uint64 in a pair are the types that fit."},
    Explanation{"mem_2d_element_cnt", "Register numbers and immediate values stand in the word's 32 data bytes, and not more elements than fit there."},
    Explanation{"mem_2d_num_elem", "Each dimension has 1 to 32 elements, the most that the data bytes can name."},
    Explanation{"mem_2d_region", "The whole tensor lies in one aligned block of 16 MiB, as only the low address bits are stepped."},
    Explanation{"mem_2d_register", "The sequencer has registers 0 to 63; other numbers name nothing."},
    Explanation{"mem_2d_register_pair", "A 64-bit element fills an even register and the next one."},
    Explanation{"mem_2d_source", "Only a store takes values from the word; a load's data bytes are register numbers."},
    Explanation{"mem_2d_unused_zero", "Data bytes past the last element are zero: anything else is a sign of a wrong count."},
    Explanation{"pool_int_operand_size", "The integer engine of POOL works on 32-bit or on 64-bit operands and does not mix or widen them."},
    Explanation{"reserved_zero", kReserved},
    Explanation{"s2_bn_imm_check", kPointerImmediate},
    Explanation{"s2_bn_reserved_zero", kReserved},
    Explanation{"s2_bn_src_element_cnt_check", "The operation takes the three coefficients A, B and C per channel, no more and no fewer."},
    Explanation{"s2_bn_valid_element_count", kFinite},
    Explanation{"s2_bn_valid_src_type", "Coefficients are floating-point numbers: fp32, fp16 or bf16."},
    Explanation{"s2_bnpl2_imm_check", kPointerImmediate},
    Explanation{"s2_bnpl2_reserved_zero", kReserved},
    Explanation{"s2_bnpl2_src_element_cnt_check", "The operation takes the two coefficients B and C per channel, no more and no fewer."},
    Explanation{"s2_bnpl2_valid_element_count", kFinite},
    Explanation{"s2_bnpl2_valid_immediate_type", "Scale and mean are floating-point numbers: fp32, fp16 or bf16."},
    Explanation{"s2_bnpl2_valid_src_type", "Coefficients are floating-point numbers: fp32, fp16 or bf16."},
    Explanation{"s3d3_ac_accumulator_cmd", "The accumulator knows five commands; another code would leave its content undefined."},
    Explanation{"s3d3_ac_valid_bias_type", "A bias in memory is read as fp16, bf16 or fp32, the types its path converts."},
    Explanation{"s3d3_ac_valid_func", "The function code is one that is known; hardware would match another against whatever table is loaded."},
    Explanation{"s3d3_ts_accumulator_idle", "Plain TensorScalar leaves the accumulator alone; other opcodes of the layout use it."},
    Explanation{"s3d3_ts_act_ops", "The activation engine evaluates scale times x plus bias, so it takes mult then add, mult alone or add alone."},
    Explanation{"s3d3_ts_arith_op", "The vector engine's lanes have the general arithmetic operations only: no divide, power, modulo or square root."},
    Explanation{"s3d3_ts_bitvec_op", "The opcode works on bit patterns, and takes bit operations only."},
    Explanation{"s3d3_ts_literal_bits", "A literal fits the element: bits above its size would be lost."},
    Explanation{"s3d3_ts_op_class", "Both operations run on the same unit, the floating-point or the integer one."},
    Explanation{"s3d3_ts_op_order", "A single operation stands first; the second slot alone is not a form that the engine has."},
    Explanation{"s3d3_ts_reverse_operands", "The order of operands is one of four codes."},
    Explanation{"s3d3_ts_rsqrt_form", "The only TensorScalar of POOL is the reciprocal square root, which takes no scalar and no second operation."},
    Explanation{"s3d3_ts_shift_dtype", "Shifts run on 32 bits: to the right with a sign, or left and back, they are right for 4-byte types only."},
    Explanation{"s3s3d1_bn_channels", kChannels},
    Explanation{"s3s3d3_tt_arith_op", "The operation is one that this engine has for two tensors: no engine divides here, and POOL has a short list."},
    Explanation{"s3s3d3_tt_bitvec_op", "The opcode works on bit patterns of two tensors, and takes bit operations other than crc32 only."},
    Explanation{"s3s3d3_tt_bitvec_src1", "Bit patterns are combined without conversion, so both have one type; only a shift count may be narrower than its data."},
    Explanation{"s3s3d3_tt_dst_element_cnt_check", "Every pair of source elements gives one destination element, so the tensors have the same number of them."},
    Explanation{"s3s3d3_tt_is_zero_op", "The opcode says all about the operation; the field for one belongs to TensorTensor alone."},
    Explanation{"s3s3d3_tt_src_element_cnt_check", "Both sources are read in step, element by element, so they have the same number of elements."},
    Explanation{"s4d2_bn_dst_element_cnt_check", "The statistics are a fixed number of values per channel, and the destination holds just these."},
    Explanation{"s4d2_bn_reserved_zero", kReserved},
    Explanation{"s4d2_bn_src_element_cnt_check", "Running means take their reciprocals from a table of 256, which limits how many elements one word can take."},
    Explanation{"s4d2_bn_src_element_multiple_check", "The source consists of whole groups: triples of statistics, or blocks of 32 for the transpose."},
    Explanation{"s4d2_bn_valid_count", "The two count fields are finite numbers that go into the result, or zero where the opcode has no use for them."},
    Explanation{"s4d2_bn_valid_output_type", "Statistics are written as fp32, bf16 or fp16; nothing else holds them with a meaning."},
    Explanation{"s4d4_cr_element_cnt_check", "Folding everything gives one element, folding partitions gives one for each of the source's; the destination holds just these."},
    Explanation{"s4d4_cr_reduce_axis", "The fold runs over partitions, or over everything, and one code of the two says which."},
    Explanation{"s4d4_cr_reduce_op", "Sums and maxima belong to the arithmetic opcode, or, and, xor to the bit opcode."},
    Explanation{"s4d4_tr_arith_op", "The vector engine folds with the general arithmetic operations, POOL with those on integers."},
    Explanation{"s4d4_tr_element_cnt_check", "The destination holds as many elements as the operation leaves: the dimensions that are not folded, or all."},
    Explanation{"s4d4_tr_is_zero_op", "The opcode says all about the operation; the field for one belongs to TensorReduce alone."},
    Explanation{"s4d4_tr_mask_zero", "Masked reduction is not described anywhere, so a mask is refused."},
    Explanation{"s4d4_tr_negated", "Only TensorReduce can negate its result, and the flag is 0 or 1."},
    Explanation{"s4d4_tr_op_dim", "A reduction folds one to four of the innermost dimensions; an element-wise opcode folds none."},
    Explanation{"start_addr_active_channels", "Partitions come in quadrants of 32: the first one of an operation fits its number of channels, so that lanes and memory line up."},
    Explanation{"tensor1d_valid", kCounts},
    Explanation{"tensor2d_valid", kCounts},
    Explanation{"tensor3d_valid", kCounts},
    Explanation{"tensor4d_valid", kCounts},
    Explanation{"tensor_extent_in_partition", "All elements lie in the usable bytes of a partition; past them is another partition's data or no memory at all."},
    Explanation{"tensor_start_addr_valid", "The address is of a form that this chip has, in a memory that the engine reaches; PSUM is written in 4-byte elements only."},
    Explanation{"tpb_addr_active_channels", "A pointer stands for one value in each active partition, so its partition and its offset fit the channels and the memory."},
    Explanation{"tt_valid_partitions", "Two sources are read at once through two ports: one from SBUF and one from PSUM, or both from the same quadrant of SBUF."},
};
// clang-format on

}  // namespace

std::string_view explain(std::string_view predicate) {
  const auto* at =
      std::lower_bound(kExplanations.begin(), kExplanations.end(), predicate,
                       [](const Explanation& entry, std::string_view name) { return entry.predicate < name; });
  return at != kExplanations.end() && at->predicate == predicate ? at->sentence : std::string_view();
}

const std::vector<std::string_view>& explained_predicates() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names;
    names.reserve(kExplanations.size());
    for (const Explanation& entry : kExplanations) names.push_back(entry.predicate);
    return names;
  }();
  return all;
}

}  // namespace dve::isa
