// Any 64 bytes: check() and operands() come back, decode and encode lose nothing, and check() agrees with the gates of
// isa.md 7, 12, 13.1 and isa-neighbours.md composed from the predicate functions.
#include <map>
#include <utility>

#include "words.h"

namespace dve::isa::test {
namespace random_words_test {

constexpr bool kRead = false, kWrite = true;

struct Gate {
  Generation g;
  ActiveChannelRule rule;
  std::uint32_t unit;
  Engine engine;

  bool preamble(const Word& word) const {
    return has_valid_neuron_header(read_header(word)) && has_valid_neuron_events(read_events(word), g) &&
           has_valid_event_register(read_events(word));
  }
  bool element_type(Dtype d, bool fp32r) const { return is_valid_dtype(d, fp32r, g) && is_arithmetic_dtype(d); }
  template <std::size_t N>
  bool tensor(const Tensor<N>& t, Dtype d, bool write, std::uint32_t n) const {
    return tensor_valid(t, d, write, true, true, g) && start_addr_active_channels(t.start_addr, n, g, rule) &&
           tensor_extent_in_partition(t.start_addr, t.pattern(), d, g);
  }

  bool operator()(const RawWord&) const { return true; }
  bool operator()(const S4D2Bn& i) const {
    const StatsRule* stats = stats_rule(i.header.opcode);
    return element_type(i.in_dtype, false) && s4d2_bn_valid_output_type(i.out_dtype) &&
           check_active_channels(i.num_active_channels) &&
           (!stats->multiple_32_channels || has_multiple_32_channels(i.num_active_channels)) &&
           tensor(i.src, i.in_dtype, kRead, i.num_active_channels) &&
           tensor(i.dst, i.out_dtype, kWrite, i.num_active_channels) &&
           s4d2_bn_src_element_cnt_check(*stats, i.src, g) && s4d2_bn_src_element_multiple_check(*stats, i.src, g) &&
           s4d2_bn_dst_element_cnt_check(*stats, i.dst) && s4d2_bn_valid_count(*stats, i.even_count_bits) &&
           s4d2_bn_valid_count(*stats, i.odd_count_bits) && s4d2_bn_reserved_zero(i);
  }
  template <class Layout>
  bool grad_operands(const Layout& i, Dtype out) const {
    const std::uint32_t n = i.num_active_channels;
    return element_type(i.in0_in1_dtype.lo, false) && element_type(i.in0_in1_dtype.hi, false) &&
           element_type(out, true) && s3s3d1_bn_channels(n) && tensor(i.src0, i.in0_in1_dtype.lo, kRead, n) &&
           tensor(i.src1, i.in0_in1_dtype.hi, kRead, n) && tensor(i.dst, out, kWrite, n) &&
           bnga_src_element_cnt_check(i.src0, i.src1, g) && bnga_dst_element_cnt_check(i.dst) &&
           tt_valid_partitions(i.src0.start_addr, i.src1.start_addr, g);
  }
  bool operator()(const S3S3D1Bn& i) const {
    return grad_accumulate_generation(g) && grad_operands(i, i.out_dtype) &&
           bnga_valid_input_type(i.in0_in1_dtype.lo) && bnga_valid_input_type(i.in0_in1_dtype.hi) &&
           bnga_valid_output_type(i.out_dtype) && bnga_valid_immediate_type(i.immediate_dtype) &&
           bnga_imm_check(i.imm0, i.immediate_dtype, i.num_active_channels, g, rule) &&
           bnga_imm_check(i.imm1, i.immediate_dtype, i.num_active_channels, g, rule);
  }
  bool operator()(const S3S3D1Bn2& i) const {
    const Dtype imm = i.immediate_out_dtype.lo, out = i.immediate_out_dtype.hi;
    return grad_operands(i, out) && bnga2_valid_input_type(i.in0_in1_dtype.lo) &&
           bnga2_valid_input_type(i.in0_in1_dtype.hi) && bnga2_valid_output_type(out) &&
           bnga2_valid_immediate_type(imm) &&
           bnga2_imm_check(i.imm0, i.imm0_imm1_src.imm0, imm, i.num_active_channels, g, rule) &&
           bnga2_imm_check(i.imm1, i.imm0_imm1_src.imm1, imm, i.num_active_channels, g, rule);
  }
  bool operator()(const S2Bn& i) const {
    return check_active_channels(i.num_active_channels) && tensor(i.src, i.src_dtype, kRead, i.num_active_channels) &&
           s2_bn_src_element_cnt_check(i.src, g) && s2_bn_valid_src_type(i.src_dtype) &&
           s2_bn_valid_element_count(i.element_count_bits) &&
           s2_bn_imm_check(i.imm0, i.imm0_src, i.num_active_channels, g, rule) && s2_bn_reserved_zero(i);
  }
  bool operator()(const S2Bnpl2& i) const {
    return check_active_channels(i.num_active_channels) && tensor(i.src, i.src_dtype, kRead, i.num_active_channels) &&
           s2_bnpl2_src_element_cnt_check(i.src, g) && s2_bnpl2_valid_src_type(i.src_dtype) &&
           s2_bnpl2_valid_immediate_type(i.immediate_dtype) && s2_bnpl2_valid_element_count(i.element_count_bits) &&
           s2_bnpl2_imm_check(i.imm0, i.imm0_src, i.immediate_dtype, i.num_active_channels, g, rule) &&
           s2_bnpl2_imm_check(i.imm1, i.imm1_src, i.immediate_dtype, i.num_active_channels, g, rule) &&
           s2_bnpl2_reserved_zero(i);
  }
  bool predicate_type(Dtype d) const { return is_valid_int_dtype_datapath(d); }
  bool plain_types(Dtype in, Dtype out) const { return element_type(in, false) && element_type(out, true); }
  bool long_type(Dtype d, bool fp32r) const {
    return is_valid_dtype_64(d, fp32r, true, true, g) && is_arithmetic_dtype(d);
  }
  bool long_types(Dtype in, Dtype out) const { return long_type(in, false) && long_type(out, true); }
  bool int_operand(AluOp op, Dtype d, Dtype first) const {
    return int_op_operand_valid(op, d, first) && (engine != Engine::pool || pool_int_operand_size(op, d, first));
  }
  bool tensor_tensor_rules(const S3S3D3Tt& i) const {
    const Dtype in0 = i.in0_in1_dtype.lo, in1 = i.in0_in1_dtype.hi, out = i.out_dtype;
    switch (i.header.opcode) {
      case 0x41:
        return long_type(in0, false) && long_types(in1, out) && is_alu_op_member(i.op, g) &&
               s3s3d3_tt_arith_op(i.op, g, engine) && int_operand(i.op, in0, in0) && int_operand(i.op, in1, in0) &&
               int_operand(i.op, out, in0);
      case 0x51:
        return is_valid_int_dtype(in0) && s3s3d3_tt_bitvec_src1(i.op, in0, in1) && has_equal_dtypes(out, in0) &&
               is_alu_op_member(i.op, g) && s3s3d3_tt_bitvec_op(i.op);
      case 0x72:
        return predicate_type(in0) && element_type(in1, false) && has_equal_dtypes(out, in1) && s3s3d3_tt_is_zero_op(i);
      case 0x99:
        return predicate_type(in0) && element_type(in1, false) && element_type(out, false) && s3s3d3_tt_is_zero_op(i);
      default:
        return element_type(in0, false) && plain_types(in1, out) && s3s3d3_tt_is_zero_op(i);
    }
  }
  bool operator()(const S3S3D3Tt& i) const {
    const std::uint32_t n = i.num_active_channels;
    return tensor_tensor_rules(i) && tensor(i.src0, i.in0_in1_dtype.lo, kRead, n) &&
           tensor(i.src1, i.in0_in1_dtype.hi, kRead, n) && tensor(i.dst, i.out_dtype, kWrite, n) &&
           s3s3d3_tt_src_element_cnt_check(i, g) && s3s3d3_tt_dst_element_cnt_check(i, g) && check_active_channels(n) &&
           tt_valid_partitions(i.src0.start_addr, i.src1.start_addr, g);
  }
  bool operator()(const CtrlIm& i) const {
    return ctrl_im_ptr_select_zero(i) && ctrl_im_reserved_zero(i) && ctrl_im_param_ram_bounds(i.param_ram_offset, unit);
  }

  bool tensor_scalar_ops(const S3D3Ts& i) const {
    if (engine == Engine::pool) return s3d3_ts_rsqrt_form(i);
    if (engine == Engine::act) return s3d3_ts_act_ops(i.op0, i.op1);
    return s3d3_ts_arith_op(i.op0, g) && s3d3_ts_arith_op(i.op1, g) && s3d3_ts_op_class(i.op0, i.op1, g) &&
           s3d3_ts_op_order(i.op0, i.op1) && int_op_operand_valid(i.op0, i.in_dtype, i.in_dtype) &&
           int_op_operand_valid(i.op1, i.in_dtype, i.in_dtype) &&
           int_op_operand_valid(i.op0, i.out_dtype, i.in_dtype) && int_op_operand_valid(i.op1, i.out_dtype, i.in_dtype);
  }
  bool literal_fits(ImmField imm, std::uint8_t src, Dtype d) const { return src != 0 || s3d3_ts_literal_bits(imm, d); }
  bool tensor_scalar_rules(const S3D3Ts& i) const {
    if (!is_alu_op_member(i.op0, g) || !is_alu_op_member(i.op1, g)) return false;
    if (i.header.opcode == 0x43) return plain_types(i.in_dtype, i.out_dtype) && tensor_scalar_ops(i);
    return predicate_type(i.in_dtype) && has_equal_dtypes(i.in_dtype, i.out_dtype) && s3d3_ts_bitvec_op(i.op0) &&
           s3d3_ts_bitvec_op(i.op1) && s3d3_ts_op_order(i.op0, i.op1) &&
           s3d3_ts_shift_dtype(i.op0, i.op1, i.in_dtype) && literal_fits(i.imm0, i.imm0_src, i.in_dtype) &&
           literal_fits(i.imm1, i.imm1_src, i.in_dtype);
  }
  bool immediate(ImmField imm, std::uint8_t src, SourceEncoding encoding, Dtype d, std::uint32_t n) const {
    return imm_check(imm, src, encoding, d, n, g, rule);
  }
  bool operator()(const S3D3Ts& i) const {
    const std::uint32_t n = i.num_active_channels;
    const Dtype scalar = i.header.opcode == 0x53 ? i.in_dtype : Dtype::fp32;
    return s3d3_ts_accumulator_idle(i) && s3d3_ts_reverse_operands(i) && tensor_scalar_rules(i) &&
           immediate(i.imm0, i.imm0_src, SourceEncoding::standard, scalar, n) &&
           immediate(i.imm1, i.imm1_src, SourceEncoding::standard, scalar, n) && check_active_channels(n) &&
           tensor(i.src, i.in_dtype, kRead, n) && tensor(i.dst, i.out_dtype, kWrite, n) &&
           equal_element_cnt(i.src, i.dst, g) && reserved_zero(i);
  }

  // As tensor(), in SBUF only.
  bool sbuf_tensor(const Tensor4D& t, Dtype d, bool write, std::uint32_t n) const {
    return tensor(t, d, write, n) && tensor4d_valid(t, d, write, false, true, g);
  }
  bool tensor_reduce_rules(const S4D4Tr& i) const {
    switch (i.header.opcode) {
      case 0x42:
        return (engine == Engine::pool ? long_types(i.in_dtype, i.out_dtype) : plain_types(i.in_dtype, i.out_dtype)) &&
               is_alu_op_member(i.op, g) && s4d4_tr_arith_op(i.op, g, engine) &&
               int_operand(i.op, i.in_dtype, i.in_dtype) && int_operand(i.op, i.out_dtype, i.in_dtype);
      case 0x46:
        return long_type(i.in_dtype, false) && has_equal_dtypes(i.in_dtype, i.out_dtype) && s4d4_tr_is_zero_op(i);
      default:
        return plain_types(i.in_dtype, i.out_dtype) && s4d4_tr_is_zero_op(i);
    }
  }
  bool operator()(const S4D4Tr& i) const {
    const std::uint32_t n = i.num_active_channels;
    const bool reached = s4d4_tr_allows_psum(engine)
                             ? tensor(i.src, i.in_dtype, kRead, n) && tensor(i.dst, i.out_dtype, kWrite, n)
                             : sbuf_tensor(i.src, i.in_dtype, kRead, n) && sbuf_tensor(i.dst, i.out_dtype, kWrite, n);
    return reached && tensor_reduce_rules(i) && check_active_channels(n) && s4d4_tr_negated(i) && s4d4_tr_op_dim(i) &&
           s4d4_tr_mask_zero(i) && s4d4_tr_element_cnt_check(i, g) && reserved_zero(i);
  }
  bool operator()(const S4D4Cr& i) const {
    const bool types = i.header.opcode == 0x7C
                           ? plain_types(i.in_dtype, i.out_dtype)
                           : predicate_type(i.in_dtype) && has_equal_dtypes(i.in_dtype, i.out_dtype);
    return types && check_active_channels(i.num_active_channels) && s4d4_cr_reduce_op(i) && s4d4_cr_reduce_axis(i) &&
           sbuf_tensor(i.src, i.in_dtype, kRead, i.num_active_channels) && sbuf_tensor(i.dst, i.out_dtype, kWrite, 1) &&
           s4d4_cr_element_cnt_check(i, g) && reserved_zero(i);
  }
  bool operator()(const D4Mr& i) const {
    return element_type(i.dtype, true) && check_active_channels(i.num_active_channels) &&
           tensor(i.dst, i.dtype, kWrite, i.num_active_channels) && d4_mr_element_cnt_check(i, g) && d4_mr_serial(i) &&
           d4_mr_set_value_bits(i) && reserved_zero(i);
  }
  bool operator()(const S3D3Ac& i) const {
    const std::uint32_t n = i.num_active_channels;
    const bool alpha =
        s3d3_ac_reads_imm(i) ? immediate(i.imm, i.imm_src, SourceEncoding::standard, Dtype::fp32, n) : i.imm_src <= 2;
    return alpha && plain_types(i.in_bias_dtype.lo, i.out_dtype) && s3d3_ac_valid_func(i.activation_func) &&
           s3d3_ac_accumulator_cmd(i) && immediate(i.scale, i.scale_src, SourceEncoding::standard, Dtype::fp32, n) &&
           immediate(i.bias, i.bias_src_n, SourceEncoding::inverted, i.in_bias_dtype.hi, n) &&
           (i.bias_src_n == 1 || s3d3_ac_valid_bias_type(i.in_bias_dtype.hi)) && check_active_channels(n) &&
           tensor(i.src, i.in_bias_dtype.lo, kRead, n) && tensor(i.dst, i.out_dtype, kWrite, n) &&
           equal_element_cnt(i.src, i.dst, g);
  }
  bool operator()(const CtrlTable& i) const { return ctrl_table_set_index(i) && reserved_zero(i); }
  bool operator()(const D1Rd& i) const {
    return act_read_accumulator_generation(g) && d1_rd_valid_type(i.dtype) && d1_rd_negated_zero(i) &&
           check_active_channels(i.num_active_channels) && tensor(i.dst, i.dtype, kWrite, i.num_active_channels) &&
           d1_rd_one_element(i.element_count) && d1_rd_one_element(i.dst.num_elem[0]) && reserved_zero(i);
  }

  bool operator()(const CtrlEs& i) const {
    return is_wait_mode_member(i.wait_mode1, g) && is_update_mode_member(i.update_mode1) && ctrl_es_wait_register(i) &&
           ctrl_es_update_register(i) && reserved_zero(i);
  }
  bool operator()(const CtrlEmpty& i) const { return reserved_zero(i); }
  bool operator()(const CtrlDrain& i) const { return reserved_zero(i); }
  bool operator()(const CtrlSr& i) const {
    return ctrl_sr_mode(i) && ctrl_sr_range(i) && ctrl_sr_unused_zero(i) && reserved_zero(i);
  }
  bool operator()(const CtrlMv& i) const {
    if (!ctrl_mv_num_mov(i) || !ctrl_mv_dtype(i) || !ctrl_mv_source(i) || !ctrl_mv_unused_zero(i)) return false;
    for (std::uint32_t k = 0; k < i.num_mov; ++k) {
      if (!ctrl_mv_register(i.dst_regs[k]) || (i.source == 0 && !ctrl_mv_register(i.src_regs[k]))) return false;
      if (!ctrl_mv_unique_destination(i, k) || !ctrl_mv_disjoint_destination(i, k)) return false;
    }
    return reserved_zero(i);
  }
  bool operator()(const Mem2D& i) const {
    if (!mem_2d_dtype(i.dtype) || !mem_2d_source(i) || !mem_2d_num_elem(i.num_elem[0]) ||
        !mem_2d_num_elem(i.num_elem[1]) || !mem_2d_element_cnt(i) || !mem_2d_unused_zero(i)) {
      return false;
    }
    for (int k = 0; i.src_datasrc == 0 && k < i.num_elem[0] * i.num_elem[1]; ++k) {
      if (!mem_2d_register(i.data[k]) || !mem_2d_register_pair(i.dtype, i.data[k])) return false;
    }
    return addr8_register(i.start_addr) && mem_2d_aligned(i) && mem_2d_region(i);
  }
};

// Whose rules a word follows: the stream's engine if it has the opcode, else DVE, POOL or ACT, the first that has it.
Engine judge(const Word& word, std::optional<Engine> stream) {
  const EngineSet owners = engines_of(word.opcode_byte());
  if (stream && owners.contains(*stream)) return *stream;
  if (owners.contains(Engine::dve)) return Engine::dve;
  return owners.contains(Engine::pool) ? Engine::pool : Engine::act;
}

bool runs_on(const Word& word, std::optional<Engine> stream) {
  return !stream || !opcode_from_byte(word.opcode_byte()) || has_engine_opcode(read_header(word), *stream);
}

LegalityOptions random_options(Random& random) {
  LegalityOptions options;
  options.generation = kGenerations[random.next() % kGenerations.size()];
  options.active_channel_rule = random.next() % 2 == 0 ? ActiveChannelRule::quadrant : ActiveChannelRule::sum128;
  options.param_ram_offset_unit_bytes = random.next() % 2 == 0 ? 4 : 1;
  if (random.next() % 2 == 0) options.engine = kEngines[random.next() % kEngines.size()];
  return options;
}

// Instrumented builds are some ten times slower.
#ifdef __SANITIZE_ADDRESS__
constexpr int kWords = 200000;
#else
constexpr int kWords = 1000000;
#endif

// Every other word has an opcode with a layout.
TEST(RandomWords, NothingBreaksAndNothingIsLost) {
  Random random(0x5EED);
  std::size_t findings = 0;
  for (int round = 0; round < kWords; ++round) {
    Word word = random_word(random);
    if (round % 2 == 0) {
      word.bytes[0] = code(all_opcodes()[random.next() % all_opcodes().size()]);
      word.bytes[1] = kInstWordLen;
    }
    ASSERT_EQ(encode(decode(word)), word) << "round " << round;
    ASSERT_LE(operands(word).size(), 5u);
    const auto list = check(word, random_options(random));
    findings += list.size();
    for (const Finding& f : list) {
      ASSERT_LT(f.byte, kWordBytes) << to_string(f);
      ASSERT_FALSE(f.predicate.empty() || f.field.empty() || f.expected.empty());
    }
  }
  EXPECT_GT(findings, std::size_t{kWords});
}

TEST(RandomWords, CheckAgreesWithTheComposedPredicates) {
  Random random(77);
  std::map<std::uint8_t, std::pair<int, int>> seen;  // legal and illegal words of each opcode
  for (int round = 0; round < kWords; ++round) {
    const Word word = near_legal_word(random);
    const LegalityOptions options = random_options(random);
    const Gate gate{options.generation, options.active_channel_rule, options.param_ram_offset_unit_bytes,
                    judge(word, options.engine)};
    const bool expected = gate.preamble(word) && runs_on(word, options.engine) && std::visit(gate, decode(word));
    const auto findings = check(word, options);
    ASSERT_EQ(findings.empty(), expected) << "round " << round << " on " << to_string(options.generation) << ": "
                                          << (findings.empty() ? "no finding" : to_string(findings.front()));
    auto& [legal, illegal] = seen[word.opcode_byte()];
    ++(expected ? legal : illegal);
  }
  for (const Opcode opcode : all_opcodes()) {
    EXPECT_GT(seen[code(opcode)].first, kWords / 1000) << mnemonic(opcode);
    EXPECT_GT(seen[code(opcode)].second, kWords / 1000) << mnemonic(opcode);
  }
}

TEST(RandomWords, CheckIsDeterministic) {
  Random random(3);
  for (int round = 0; round < 1000; ++round) {
    const Word word = random_word(random);
    const auto a = check(word, on(Generation::cayman)), b = check(word, on(Generation::cayman));
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) ASSERT_EQ(to_string(a[k]), to_string(b[k]));
  }
}

}  // namespace random_words_test
}  // namespace dve::isa::test
