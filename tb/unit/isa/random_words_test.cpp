// Any 64 bytes: check() and operands() come back, decode and encode lose nothing, and check() agrees with the gates of
// isa.md 7 composed from the predicate functions.
#include "words.h"

namespace dve::isa::test {
namespace random_words_test {

constexpr bool kRead = false, kWrite = true;

struct Gate {
  Generation g;
  ActiveChannelRule rule;
  std::uint32_t unit;

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
    return grad_operands(i, i.out_dtype) && bnga_valid_input_type(i.in0_in1_dtype.lo) &&
           bnga_valid_input_type(i.in0_in1_dtype.hi) && bnga_valid_output_type(i.out_dtype) &&
           bnga_valid_immediate_type(i.immediate_dtype) &&
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
  bool operator()(const S3S3D3Tt& i) const {
    const std::uint32_t n = i.num_active_channels;
    return element_type(i.in0_in1_dtype.lo, false) && element_type(i.in0_in1_dtype.hi, false) &&
           element_type(i.out_dtype, true) && s3s3d3_tt_is_zero_op(i) && tensor(i.src0, i.in0_in1_dtype.lo, kRead, n) &&
           tensor(i.src1, i.in0_in1_dtype.hi, kRead, n) && tensor(i.dst, i.out_dtype, kWrite, n) &&
           s3s3d3_tt_src_element_cnt_check(i, g) && s3s3d3_tt_dst_element_cnt_check(i, g) && check_active_channels(n) &&
           tt_valid_partitions(i.src0.start_addr, i.src1.start_addr, g);
  }
  bool operator()(const CtrlIm& i) const {
    return ctrl_im_ptr_select_zero(i) && ctrl_im_reserved_zero(i) && ctrl_im_param_ram_bounds(i.param_ram_offset, unit);
  }
};

LegalityOptions random_options(Random& random) {
  LegalityOptions options;
  options.generation = kGenerations[random.next() % kGenerations.size()];
  options.active_channel_rule = random.next() % 2 == 0 ? ActiveChannelRule::quadrant : ActiveChannelRule::sum128;
  options.param_ram_offset_unit_bytes = random.next() % 2 == 0 ? 4 : 1;
  return options;
}

// Instrumented builds are some ten times slower.
#ifdef __SANITIZE_ADDRESS__
constexpr int kWords = 200000;
#else
constexpr int kWords = 1000000;
#endif

// Every other word has an opcode of the path.
TEST(RandomWords, NothingBreaksAndNothingIsLost) {
  Random random(0x5EED);
  std::size_t findings = 0;
  for (int round = 0; round < kWords; ++round) {
    Word word = random_word(random);
    if (round % 2 == 0) {
      word.bytes[0] = code(kBatchNormOpcodes[random.next() % kBatchNormOpcodes.size()]);
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

// A legal word with a few plausible values thrown in: near the border of legality, on both sides of it.
Word near_legal_word(Random& random) {
  Word word = legal_word(kBatchNormOpcodes[random.next() % kBatchNormOpcodes.size()]);
  const std::uint32_t values[] = {0,          1,          2,          3,          4,           32,         64,
                                  128,        129,        0x0A,       0x06,       0xAA,        0x38000,    0x37FFC,
                                  0x800000,   0x1000000,  0x2000000,  0x2003FFC,  0x2400000,   0x80000005, 0xC0000005,
                                  0x40001000, 0x20001000, 0x80000040, 0x7F800000, 0xFFFFFFFFu, 0x22,       0x11};
  const std::uint64_t changes = random.next() % 4;
  for (std::uint64_t k = 0; k < changes; ++k) {
    const std::uint32_t value = values[random.next() % std::size(values)];
    const std::uint32_t size = 1u << random.next() % 3;
    const auto slot = static_cast<std::uint32_t>(random.next() % (kWordBytes / size));
    if (slot * size == 0) continue;  // keep the opcode
    poke(word, {slot * size, size, value});
  }
  return word;
}

TEST(RandomWords, CheckAgreesWithTheComposedPredicates) {
  Random random(77);
  std::size_t legal = 0, illegal = 0;
  for (int round = 0; round < 300000; ++round) {
    const Word word = near_legal_word(random);
    const LegalityOptions options = random_options(random);
    const Gate gate{options.generation, options.active_channel_rule, options.param_ram_offset_unit_bytes};
    const bool expected = gate.preamble(word) && std::visit(gate, decode(word));
    const auto findings = check(word, options);
    ASSERT_EQ(findings.empty(), expected) << "round " << round << " on " << to_string(options.generation) << ": "
                                          << (findings.empty() ? "no finding" : to_string(findings.front()));
    ++(expected ? legal : illegal);
  }
  EXPECT_GT(legal, 30000u) << "the words must reach both sides";
  EXPECT_GT(illegal, 30000u);
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
