// The Stats family 0x60, 0x61, 0x62, 0x82 (isa.md 7.5): each rule broken once, and its limits.
#include "words.h"

namespace dve::isa::test {
namespace legality_stats_test {

constexpr auto kStats = Opcode::batch_norm_stats;
constexpr auto kStats2 = Opcode::batch_norm_stats2;
constexpr auto kAggregate = Opcode::batch_norm_aggregate;
constexpr auto kTranspose = Opcode::transpose_batch_norm_stats2;
const Opcode kAll[] = {kStats, kStats2, kAggregate, kTranspose};

TEST(LegalityStats, RulesOfAllFour) {
  std::vector<Breach> breaches;
  for (const Opcode op : kAll) {
    breaches.push_back({op, {{34, 1, 0}}, {{"check_active_channels", "num_active_channels", 34, 0}}});
    breaches.push_back({op, {{34, 1, 129}}, {{"check_active_channels", "num_active_channels", 34, 129}}});
    for (const unsigned d : {0u, 1u, 0xBu, 0xCu, 0x80u}) {
      breaches.push_back({op, {{32, 1, d}}, {{"is_valid_dtype", "in_dtype", 32, d}}});
    }
    for (const unsigned d : {0u, 1u, 2u, 8u, 9u, 0xBu, 0xEu, 0x40u}) {
      breaches.push_back({op, {{33, 1, d}}, {{"s4d2_bn_valid_output_type", "out_dtype", 33, d}}});
    }
    breaches.push_back({op, {{12, 4, 0x1001}}, {{"addr_aligned_dtype", "src.start_addr", 12, 0x1001}}});
    breaches.push_back({op, {{48, 4, 0x8002}}, {{"addr_aligned_dtype", "dst.start_addr", 48, 0x8002}}});
    breaches.push_back({op, {{12, 4, 0x1FFFFFF0}}, {{"tensor_start_addr_valid", "src.start_addr", 12}}});
    breaches.push_back({op, {{30, 2, 0}}, {{"tensor4d_valid", "src.num_elem[3]", 30, 0}}});
    breaches.push_back(
        {op,
         {{58, 2, 0}},
         {{"tensor2d_valid", "dst.num_elem[1]", 58, 0}, {"s4d2_bn_dst_element_cnt_check", "dst.num_elem", 56, 0}}});
    breaches.push_back({op, {{56, 2, 5}}, {{"s4d2_bn_dst_element_cnt_check", "dst.num_elem", 56, 5}}});
    breaches.push_back({op, {{56, 2, 1}}, {{"s4d2_bn_dst_element_cnt_check", "dst.num_elem", 56, 1}}});
    for (const unsigned k : {35u, 39u}) {
      breaches.push_back({op, {{k, 1, 1}}, {{"s4d2_bn_reserved_zero", "reserved0", k, 1}}});
    }
    for (const unsigned k : {60u, 63u}) {
      breaches.push_back({op, {{k, 1, 1}}, {{"s4d2_bn_reserved_zero", "reserved1", k, 1}}});
    }
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityStats, CountLiterals) {
  std::vector<Breach> breaches;
  for (const Opcode op : {kStats, kStats2, kTranspose}) {
    for (const std::uint32_t bits : {0x7F800000u, 0xFF800000u, 0x7FC00001u}) {
      breaches.push_back({op, {{40, 4, bits}}, {{"s4d2_bn_valid_count", "even_count_bits", 40, bits}}});
      breaches.push_back({op, {{44, 4, bits}}, {{"s4d2_bn_valid_count", "odd_count_bits", 44, bits}}});
    }
    breaches.push_back({op, {{40, 4, 0}, {44, 4, 0xC0000000}}, {}});
  }
  breaches.push_back({kAggregate, {{40, 4, 0x3F800000}}, {{"s4d2_bn_valid_count", "even_count_bits", 40, 0x3F800000}}});
  breaches.push_back({kAggregate, {{44, 4, 1}}, {{"s4d2_bn_valid_count", "odd_count_bits", 44, 1}}});
  expect_breaches(breaches, all_generations());
}

TEST(LegalityStats, SourceElementLimits) {
  const auto too_many = [](std::int64_t n) { return Expected{"s4d2_bn_src_element_cnt_check", "src.num_elem", 24, n}; };
  const auto no_multiple = [](std::int64_t n) {
    return Expected{"s4d2_bn_src_element_multiple_check", "src.num_elem", 24, n};
  };
  expect_breaches({{kStats, {{24, 2, 256}}, {}},
                   {kStats, {{24, 2, 257}}, {too_many(257)}},
                   {kStats, {{24, 2, 1}}, {}},
                   {kStats, {{24, 2, 16}, {26, 2, 16}}, {}},
                   {kStats, {{24, 2, 16}, {26, 2, 17}}, {too_many(272)}},
                   {kStats2, {{24, 2, 512}}, {}},
                   {kStats2, {{24, 2, 513}}, {too_many(513)}},
                   {kStats2, {{24, 2, 3}, {26, 2, 19}, {28, 2, 9}}, {too_many(513)}},
                   {kAggregate, {{24, 2, 1}}, {no_multiple(1)}},
                   {kAggregate, {{24, 2, 3}}, {}},
                   {kAggregate, {{24, 2, 4}}, {no_multiple(4)}},
                   {kAggregate, {{24, 2, 6144}}, {}},
                   {kAggregate, {{24, 2, 5}, {26, 2, 3}}, {}},
                   {kTranspose, {{24, 2, 32}}, {}},
                   {kTranspose, {{24, 2, 8}, {26, 2, 4}}, {}},
                   {kTranspose, {{24, 2, 31}}, {no_multiple(31)}},
                   {kTranspose, {{24, 2, 33}}, {no_multiple(33)}},
                   {kTranspose, {{24, 2, 513}}, {too_many(513), no_multiple(513)}},
                   {kTranspose, {{24, 2, 544}}, {too_many(544)}}},
                  all_generations());
}

TEST(LegalityStats, HugeProductsDoNotWrap) {
  // 65536^4 would be 0 in 64 bits; the largest product that fits is counted in full.
  expect_breaches({{kStats2,
                    {{24, 2, 0xFFFF}, {26, 2, 0xFFFF}, {28, 2, 0xFFFF}, {30, 2, 0xFFFF}, {16, 8, 0}},
                    {{"s4d2_bn_src_element_cnt_check", "src.num_elem", 24}}}},
                  all_generations());
}

TEST(LegalityStats, ChannelsOfTranspose) {
  for (unsigned n = 1; n <= 128; ++n) {
    const Word word = with(legal_word(kTranspose), {{34, 1, n}});
    const std::vector<Expected> broken = {{"has_multiple_32_channels", "num_active_channels", 34, n}};
    EXPECT_TRUE(findings_are(word, on(Generation::cayman), n % 32 == 0 ? std::vector<Expected>{} : broken)) << n;
    EXPECT_TRUE(findings_are(with(legal_word(kStats2), {{34, 1, n}}), on(Generation::cayman), {})) << n;
  }
}

TEST(LegalityStats, LegalTypes) {
  for (const Generation generation : kGenerations) {
    for (const Opcode op : kAll) {
      for (unsigned in = 2; in <= 0xF; ++in) {
        if (in == 0xB || in == 0xC) continue;
        for (const unsigned out : {6u, 7u, 0xAu}) {
          EXPECT_TRUE(findings_are(with(legal_word(op), {{32, 1, in}, {33, 1, out}}), on(generation), {})) << in << out;
        }
      }
    }
  }
}

}  // namespace legality_stats_test
}  // namespace dve::isa::test
