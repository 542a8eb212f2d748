// Alignment, and the hole between the active bytes of a partition and the next one, on each generation.
#include "words.h"

namespace dve::isa::test {
namespace legality_bounds_test {

constexpr auto kBackProp = Opcode::batch_norm_back_prop;
constexpr auto kLoad = Opcode::batch_norm_param_load;

std::uint32_t active_bytes(Generation generation) {
  switch (generation) {
    case Generation::sunda:
      return 192 * 1024;
    case Generation::cayman:
      return 224 * 1024;
    case Generation::mariana:
    case Generation::mariana_plus:
      return 256 * 1024;
    default:
      return 512 * 1024;
  }
}
std::uint32_t stride(Generation generation) { return generation == Generation::maverick ? 1024 * 1024 : 256 * 1024; }

// src of ParamLoad: three elements of dtype `d` at `address`.
Word load_at(std::uint32_t address, unsigned d, unsigned channels = 128) {
  return with(legal_word(kLoad), {{16, 4, address}, {32, 1, d}, {34, 1, channels}});
}

TEST(LegalityBounds, AlignmentOfEveryDtype) {
  for (const Generation generation : kGenerations) {
    for (unsigned d = 2; d <= 0xF; ++d) {
      if (d == 0xB || d == 0xC) continue;
      const unsigned size = d == 2 || d == 3 || d >= 0xD ? 1 : d <= 7 ? 2 : 4;
      for (unsigned offset = 0; offset < 16; ++offset) {
        const Word word = with(legal_word(kBackProp), {{12, 1, 0xA0 | d}, {16, 4, 0x1000 + offset}});
        const std::vector<Expected> broken = {{"addr_aligned_dtype", "src0.start_addr", 16, 0x1000 + offset}};
        EXPECT_TRUE(findings_are(word, on(generation), offset % size == 0 ? std::vector<Expected>{} : broken)) << d;
      }
    }
  }
}

TEST(LegalityBounds, LastActiveByteOfSbuf) {
  for (const Generation generation : kGenerations) {
    for (const unsigned partition : {0u, 96u}) {
      const std::uint32_t end = sbuf_address(partition, active_bytes(generation), generation);
      const unsigned channels = partition == 0 ? 128 : 32;
      SCOPED_TRACE(partition);
      // Three fp32 end 12 bytes after the start, three bf16 6.
      const auto at = [&](std::uint32_t before_end, unsigned d) {
        return with(load_at(end - before_end, d, channels), {{44, 4, sbuf_address(partition, 0, generation)}});
      };
      EXPECT_TRUE(findings_are(at(12, 0xA), on(generation), {}));
      EXPECT_TRUE(findings_are(at(6, 6), on(generation), {}));
      EXPECT_TRUE(findings_are(at(8, 0xA), on(generation), {{"tensor_extent_in_partition", "src.start_addr", 16}}));
      EXPECT_TRUE(findings_are(at(4, 6), on(generation), {{"tensor_extent_in_partition", "src.start_addr", 16}}));
    }
  }
}

TEST(LegalityBounds, OneByteOver) {
  for (const Generation generation : kGenerations) {  // 64 one-byte elements
    const std::uint32_t start = active_bytes(generation) - 64;
    EXPECT_TRUE(findings_are(with(legal_word(kBackProp), {{13, 1, 2}, {48, 4, start}}), on(generation), {}));
    EXPECT_TRUE(findings_are(with(legal_word(kBackProp), {{13, 1, 2}, {48, 4, start + 1}}), on(generation),
                             {{"tensor_extent_in_partition", "dst.start_addr", 48, start + 1}}));
  }
}

TEST(LegalityBounds, TheHoleIsNoMemory) {
  for (const Generation generation : kGenerations) {
    if (active_bytes(generation) == stride(generation)) continue;
    for (const std::uint32_t offset : {active_bytes(generation), stride(generation) - 12}) {
      EXPECT_TRUE(findings_are(load_at(offset, 0xA), on(generation),
                               {{"tensor_extent_in_partition", "src.start_addr", 16, offset}}));
      EXPECT_TRUE(findings_are(with(legal_word(kLoad), {{44, 4, offset}}), on(generation),
                               {{"tpb_addr_active_channels", "imm0", 44, offset}}));
    }
    EXPECT_TRUE(findings_are(with(legal_word(kLoad), {{44, 4, active_bytes(generation) - 4}}), on(generation), {}));
  }
}

TEST(LegalityBounds, OverTheEndOfAPartitionWithoutAHole) {
  // mariana: partition 1 starts where partition 0 ends; the walk must still stop.
  EXPECT_TRUE(findings_are(load_at(256 * 1024 - 8, 0xA), on(Generation::mariana),
                           {{"tensor_extent_in_partition", "src.start_addr", 16}}));
}

TEST(LegalityBounds, LastActiveByteOfPsum) {
  for (const Generation generation : {Generation::sunda, Generation::cayman, Generation::mariana}) {
    EXPECT_TRUE(findings_are(load_at(psum_address(0, 0x4000 - 12), 0xA), on(generation), {}));
    for (const std::uint32_t offset : {0x4000u - 8u, 0x4000u, 0x7FF0u}) {
      EXPECT_TRUE(findings_are(load_at(psum_address(0, offset), 0xA), on(generation),
                               {{"tensor_extent_in_partition", "src.start_addr", 16, psum_address(0, offset)}}));
    }
    EXPECT_TRUE(findings_are(with(legal_word(kLoad), {{44, 4, psum_address(0, 0x3FFC)}}), on(generation), {}));
    EXPECT_TRUE(findings_are(with(legal_word(kLoad), {{44, 4, psum_address(0, 0x4000)}}), on(generation),
                             {{"tpb_addr_active_channels", "imm0", 44}}));
  }
}

TEST(LegalityBounds, StepsReachBothWays) {
  const auto word = [](std::uint32_t start, int step) {
    return with(legal_word(kLoad), {{16, 4, start}, {20, 2, static_cast<std::uint16_t>(step)}});
  };
  const std::vector<Expected> broken = {{"tensor_extent_in_partition", "src.start_addr", 16}};
  for (const Generation generation : kGenerations) {
    EXPECT_TRUE(findings_are(word(8, -1), on(generation), {})) << "ends at offset 0";
    EXPECT_TRUE(findings_are(word(4, -1), on(generation), broken)) << "one element before the partition";
    EXPECT_TRUE(findings_are(word(0, 0), on(generation), {})) << "broadcast";
    const std::uint32_t end = active_bytes(generation);
    EXPECT_TRUE(findings_are(word(end - 2 * 100 * 4 - 4, 100), on(generation), {}));
    EXPECT_TRUE(findings_are(word(end - 2 * 100 * 4, 100), on(generation), broken));
    EXPECT_TRUE(findings_are(word(0, -32768), on(generation), broken));
  }
}

TEST(LegalityBounds, EveryTensorOfEveryOpcodeIsBounded) {
  struct Case {
    Opcode opcode;
    std::uint32_t byte;
    const char* field;
  };
  const Case cases[] = {{Opcode::batch_norm_stats, 12, "src"},
                        {Opcode::batch_norm_stats2, 12, "src"},
                        {Opcode::batch_norm_aggregate, 48, "dst"},
                        {Opcode::transpose_batch_norm_stats2, 48, "dst"},
                        {Opcode::batch_norm_grad_accumulate, 48, "dst"},
                        {Opcode::batch_norm_grad_accumulate2, 48, "dst"},
                        {Opcode::batch_norm_param_load, 16, "src"},
                        {Opcode::batch_norm_param_load2, 12, "src"},
                        {kBackProp, 48, "dst"},
                        {Opcode::tensor_tensor_arith_op, 32, "src1"},
                        {Opcode::tensor_tensor_bitvec_op, 48, "dst"},
                        {Opcode::copy_predicated, 16, "src0"},
                        {Opcode::cast_predicated, 48, "dst"},
                        {Opcode::tensor_scalar_arith_op, 16, "src"},
                        {Opcode::tensor_scalar_bitvec_op, 48, "dst"},
                        {Opcode::tensor_reduce_arith_op, 12, "src"},
                        {Opcode::copy, 44, "dst"},
                        {Opcode::cast, 12, "src"},
                        {Opcode::reciprocal, 44, "dst"},
                        {Opcode::cross_lane_reduce_arith_op, 12, "src"},
                        {Opcode::cross_lane_reduce_bitvec_op, 44, "dst"},
                        {Opcode::memset, 44, "dst"},
                        {Opcode::activate, 16, "src"},
                        {Opcode::activate, 48, "dst"}};
  for (const Generation generation : kGenerations) {
    for (const Case& c : cases) {
      if (!exists_on(c.opcode, generation)) continue;
      const std::uint32_t start = active_bytes(generation) - 4;  // one element fits, the second does not
      EXPECT_TRUE(findings_are(with(legal_word(c.opcode), {{c.byte, 4, start}}), on(generation),
                               {{"tensor_extent_in_partition", std::string(c.field) + ".start_addr", c.byte, start}}));
    }
  }
}

TEST(LegalityBounds, SourcesPastTheEnd) {
  for (const std::uint32_t byte : {16u, 32u}) {
    const Word word = with(legal_word(kBackProp), {{byte, 4, 0x38000 - 4}});
    EXPECT_TRUE(
        findings_are(word, on(Generation::cayman),
                     {{"tensor_extent_in_partition", byte == 16 ? "src0.start_addr" : "src1.start_addr", byte}}));
  }
  // In the hole the address also belongs to no quadrant (isa.md 7.1: a partition's window is its active bytes).
  EXPECT_TRUE(findings_are(
      with(legal_word(kBackProp), {{16, 4, 0x38000}}), on(Generation::cayman),
      {{"tensor_extent_in_partition", "src0.start_addr", 16}, {"tt_valid_partitions", "src1.start_addr", 32}}));
}

}  // namespace legality_bounds_test
}  // namespace dve::isa::test
