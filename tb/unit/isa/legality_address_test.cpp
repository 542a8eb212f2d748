// Where operands may lie: start partitions, PSUM, two sources, registers (isa.md 7.1).
#include "words.h"

namespace dve::isa::test {
namespace legality_address_test {

constexpr auto kCayman = Generation::cayman;
constexpr auto kBackProp = Opcode::batch_norm_back_prop;

// Tensor and pointer fields of each opcode, and where its channel count stands.
struct Place4 {
  std::uint32_t byte;
  const char* field;
  bool pointer;
};
struct OpcodePlaces {
  Opcode opcode;
  std::uint32_t channels_byte;
  std::vector<Place4> places;
};
const std::vector<OpcodePlaces>& opcode_places() {
  static const std::vector<OpcodePlaces> all = [] {
    const std::vector<Place4> stats = {{12, "src", false}, {48, "dst", false}};
    const std::vector<Place4> pair = {{16, "src0", false}, {32, "src1", false}, {48, "dst", false}};
    const std::vector<Place4> reduce = {{12, "src", false}, {44, "dst", false}};
    const std::vector<Place4> grad = {
        {16, "src0", false}, {32, "src1", false}, {48, "dst", false}, {12, "imm0", true}, {56, "imm1", true}};
    return std::vector<OpcodePlaces>{
        {Opcode::batch_norm_stats, 34, stats},
        {Opcode::batch_norm_stats2, 34, stats},
        {Opcode::batch_norm_aggregate, 34, stats},
        {Opcode::transpose_batch_norm_stats2, 34, stats},
        {Opcode::batch_norm_grad_accumulate, 63, grad},
        {Opcode::batch_norm_grad_accumulate2, 63, grad},
        {Opcode::batch_norm_param_load, 34, {{16, "src", false}, {44, "imm0", true}}},
        {Opcode::batch_norm_param_load2, 34, {{12, "src", false}, {40, "imm0", true}, {44, "imm1", true}}},
        {kBackProp, 15, pair},
        {Opcode::tensor_tensor_arith_op, 15, pair},
        {Opcode::tensor_tensor_bitvec_op, 15, pair},
        {Opcode::copy_predicated, 15, pair},
        {Opcode::cast_predicated, 15, pair},
        {Opcode::tensor_scalar_arith_op, 34, {{16, "src", false}, {48, "dst", false}, {40, "imm0", true}}},
        {Opcode::tensor_scalar_bitvec_op, 34, {{16, "src", false}, {48, "dst", false}, {40, "imm0", true}}},
        {Opcode::tensor_reduce_arith_op, 34, reduce},
        {Opcode::copy, 34, reduce},
        {Opcode::cast, 34, reduce},
        {Opcode::reciprocal, 34, reduce},
        {Opcode::cross_lane_reduce_arith_op, 34, {{12, "src", false}}},
        {Opcode::cross_lane_reduce_bitvec_op, 34, {{12, "src", false}}},
        {Opcode::memset, 34, {{44, "dst", false}}},
        {Opcode::activate, 34, {{16, "src", false}, {48, "dst", false}, {40, "bias", true}}},
        {Opcode::activation_read_accumulator, 34, {{44, "dst", false}}}};
  }();
  return all;
}

bool has(const std::vector<Finding>& findings, const std::string& predicate, std::uint32_t byte) {
  for (const Finding& f : findings) {
    if (f.predicate == predicate && f.byte == byte) return true;
  }
  return false;
}

TEST(LegalityAddress, StartPartitionOfEveryOperand) {
  for (const Generation generation : kGenerations) {
    for (const OpcodePlaces& op : opcode_places()) {
      for (const Place4& place : op.places) {
        const char* predicate = place.pointer ? "tpb_addr_active_channels" : "start_addr_active_channels";
        for (const unsigned n : {1u, 32u, 33u, 64u, 65u, 128u}) {
          for (const unsigned p : {0u, 1u, 16u, 32u, 48u, 64u, 96u, 127u}) {
            const bool legal = n <= 32 ? p % 32 == 0 : n <= 64 ? p % 64 == 0 : p == 0;
            const Word word = with(legal_word(op.opcode),
                                   {{op.channels_byte, 1, n}, {place.byte, 4, sbuf_address(p, 0x400, generation)}});
            EXPECT_EQ(has(check(word, on(generation)), predicate, place.byte), !legal)
                << to_string(generation) << " " << mnemonic(op.opcode) << " " << place.field << " of " << n
                << " channels at partition " << p;
          }
        }
      }
    }
  }
}

TEST(LegalityAddress, CrossLaneReduceWritesOnePartition) {
  for (const Opcode op : {Opcode::cross_lane_reduce_arith_op, Opcode::cross_lane_reduce_bitvec_op}) {
    for (const unsigned n : {1u, 64u, 128u}) {
      for (const unsigned p : {0u, 1u, 32u, 48u, 64u, 96u, 127u}) {
        const Word word = with(legal_word(op), {{34, 1, n}, {44, 4, sbuf_address(p, 0x400)}});
        const std::vector<Expected> broken = {{"start_addr_active_channels", "dst.start_addr", 44}};
        EXPECT_TRUE(findings_are(word, on(kCayman), p % 32 == 0 ? std::vector<Expected>{} : broken)) << n << " " << p;
      }
    }
  }
}

TEST(LegalityAddress, CrossLaneReduceWritesTheLastPartitionUnderSum128) {
  LegalityOptions options = on(kCayman);
  options.active_channel_rule = ActiveChannelRule::sum128;
  const Word word = with(legal_word(Opcode::cross_lane_reduce_arith_op), {{44, 4, sbuf_address(127, 0x400)}});
  EXPECT_TRUE(findings_are(word, options, {}));
}

TEST(LegalityAddress, StartPartition48AlsoWithBadChannels) {
  for (const unsigned n : {0u, 1u, 32u, 129u}) {
    const Word word = with(legal_word(kBackProp), {{15, 1, n}, {48, 4, sbuf_address(48, 0)}});
    EXPECT_TRUE(has(check(word, on(kCayman)), "start_addr_active_channels", 48)) << n;
    EXPECT_EQ(has(check(word, on(kCayman)), "check_active_channels", 15), n == 0 || n == 129) << n;
  }
}

TEST(LegalityAddress, Sum128RuleCountsPartitionsOnly) {
  LegalityOptions options = on(kCayman);
  options.active_channel_rule = ActiveChannelRule::sum128;
  const auto word = [](unsigned channels, unsigned partition) {
    return with(legal_word(Opcode::batch_norm_param_load),
                {{34, 1, channels}, {16, 4, sbuf_address(partition, 0)}, {44, 4, sbuf_address(partition, 0x40)}});
  };
  EXPECT_TRUE(findings_are(word(80, 48), options, {}));
  EXPECT_TRUE(findings_are(word(1, 127), options, {}));
  EXPECT_TRUE(findings_are(word(128, 0), options, {}));
  EXPECT_TRUE(
      findings_are(word(81, 48), options,
                   {{"start_addr_active_channels", "src.start_addr", 16}, {"tpb_addr_active_channels", "imm0", 44}}));
  EXPECT_TRUE(
      findings_are(word(80, 48), on(kCayman),
                   {{"start_addr_active_channels", "src.start_addr", 16}, {"tpb_addr_active_channels", "imm0", 44}}));
}

TEST(LegalityAddress, PsumWritesTakeFourByteDtypesOnly) {
  const auto psum = psum_address(0, 0x100);
  for (const Generation generation : {Generation::sunda, kCayman, Generation::mariana, Generation::mariana_plus}) {
    for (unsigned d = 2; d <= 0xF; ++d) {
      if (d == 0xC) continue;
      const bool four_bytes = d >= 8 && d <= 0xB;
      const std::vector<Expected> broken = {{"tensor_start_addr_valid", "dst.start_addr", 48, psum}};
      EXPECT_TRUE(findings_are(with(legal_word(kBackProp), {{48, 4, psum}, {13, 1, d}}), on(generation),
                               four_bytes ? std::vector<Expected>{} : broken))
          << d;
      EXPECT_TRUE(findings_are(with(legal_word(kBackProp), {{16, 4, psum}, {12, 1, 0xA0 | (d == 0xB ? 0xA : d)}}),
                               on(generation), {}))
          << "reads are free, " << d;
    }
    for (const unsigned d : {6u, 7u}) {
      const std::vector<Expected> broken = {{"tensor_start_addr_valid", "dst.start_addr", 48, psum}};
      EXPECT_TRUE(findings_are(with(legal_word(Opcode::batch_norm_grad_accumulate), {{48, 4, psum}, {62, 1, d}}),
                               on(generation), broken));
      EXPECT_TRUE(
          findings_are(with(legal_word(Opcode::batch_norm_grad_accumulate2), {{48, 4, psum}, {61, 1, 0xA | d << 4}}),
                       on(generation), broken));
      EXPECT_TRUE(findings_are(with(legal_word(Opcode::batch_norm_stats2), {{48, 4, psum}, {33, 1, d}}), on(generation),
                               broken));
    }
  }
}

TEST(LegalityAddress, SourcePartitions) {
  for (const Opcode op : {Opcode::batch_norm_grad_accumulate, Opcode::batch_norm_grad_accumulate2, kBackProp,
                          Opcode::tensor_tensor_arith_op, Opcode::tensor_tensor_bitvec_op, Opcode::copy_predicated,
                          Opcode::cast_predicated}) {
    const bool grad = op == Opcode::batch_norm_grad_accumulate || op == Opcode::batch_norm_grad_accumulate2;
    const std::uint32_t channels = grad ? 63 : 15;
    const auto word = [&](std::uint32_t a, std::uint32_t b) {
      return with(legal_word(op), {{channels, 1, 32}, {16, 4, a}, {32, 4, b}});
    };
    const std::vector<Expected> broken = {{"tt_valid_partitions", "src1.start_addr", 32}};
    EXPECT_TRUE(findings_are(word(psum_address(0, 0), psum_address(0, 0x400)), on(kCayman), broken));
    EXPECT_TRUE(findings_are(word(psum_address(0, 0), psum_address(32, 0x400)), on(kCayman), broken));
    EXPECT_TRUE(findings_are(word(psum_address(64, 0), sbuf_address(32, 0)), on(kCayman), {}));
    EXPECT_TRUE(findings_are(word(sbuf_address(96, 0), psum_address(0, 0)), on(kCayman), {}));
    EXPECT_TRUE(findings_are(word(sbuf_address(96, 0), sbuf_address(96, 0x400)), on(kCayman), {}));
    EXPECT_TRUE(findings_are(word(sbuf_address(0, 0), sbuf_address(32, 0)), on(kCayman), broken));
    EXPECT_TRUE(findings_are(word(0x80000001, psum_address(0, 0)), on(kCayman), {}));
    EXPECT_TRUE(findings_are(word(psum_address(0, 0), 0x80000001), on(kCayman), {}));
  }
}

TEST(LegalityAddress, RegistersBypassAlignmentPartitionAndExtent) {
  for (const Generation generation : kGenerations) {
    for (const OpcodePlaces& op : opcode_places()) {
      if (!exists_on(op.opcode, generation)) continue;
      for (const Place4& place : op.places) {
        if (place.pointer) continue;
        SCOPED_TRACE(testing::Message() << mnemonic(op.opcode) << " " << place.field);
        const std::string field = std::string(place.field) + ".start_addr";
        const auto word = [&](std::uint32_t raw) { return with(legal_word(op.opcode), {{place.byte, 4, raw}}); };
        EXPECT_TRUE(findings_are(word(0x8000003F), on(generation), {}));
        for (const std::uint32_t raw : {0x80000040u, 0x80000101u, 0x80800001u}) {
          EXPECT_TRUE(findings_are(word(raw), on(generation), {{"tensor_start_addr_valid", field, place.byte, raw}}));
        }
      }
    }
  }
}

}  // namespace legality_address_test
}  // namespace dve::isa::test
