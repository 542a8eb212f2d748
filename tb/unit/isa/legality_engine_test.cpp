// Which engine's rules a word is judged by (isa-neighbours.md 1).
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace legality_engine_test {

constexpr auto kCayman = Generation::cayman;

// The table of isa-neighbours.md 1 and isa.md 8, 12, 13.1, by opcode byte. Control words run everywhere.
bool has(Engine engine, unsigned opcode) {
  const std::set<unsigned> dve = {0x41, 0x42, 0x43, 0x46, 0x47, 0x48, 0x49, 0x51, 0x53, 0x60, 0x61,
                                  0x62, 0x63, 0x64, 0x65, 0x66, 0x72, 0x82, 0x8E, 0x94, 0x99};
  const std::set<unsigned> pool = {0x41, 0x42, 0x43, 0x46, 0x47, 0x49, 0x51, 0x7C, 0x7D};
  const std::set<unsigned> act = {0x21, 0x23, 0x24, 0x43, 0x46, 0x47};
  if (opcode >= 0xA0) return true;
  return (engine == Engine::dve ? dve : engine == Engine::pool ? pool : act).count(opcode) == 1;
}

TEST(LegalityEngine, EveryOpcodeOnEveryEngine) {
  for (const Opcode opcode : all_opcodes()) {
    for (const Engine engine : kEngines) {
      const auto findings = check(legal_word(opcode), on(kCayman, engine));
      const bool refused = !findings.empty() && findings.front().predicate == "has_engine_opcode";
      EXPECT_EQ(refused, !has(engine, code(opcode))) << mnemonic(opcode) << " on " << to_string(engine);
    }
  }
}

TEST(LegalityEngine, TheFindingNamesTheOwners) {
  const std::vector<Expected> broken = {{"has_engine_opcode", "opcode", 0, 0x7C}};
  const Word word = legal_word(Opcode::cross_lane_reduce_arith_op);
  EXPECT_TRUE(findings_are(word, on(kCayman, Engine::dve), broken));
  EXPECT_TRUE(findings_are(word, on(kCayman, Engine::act), broken));
  EXPECT_TRUE(findings_are(word, on(kCayman, Engine::pool), {}));
  EXPECT_TRUE(findings_are(word, on(kCayman), {})) << "nobody said which engine";
  EXPECT_EQ(check(word, on(kCayman, Engine::act)).front().expected,
            "an opcode that act executes: cross_lane_reduce_arith_op is one of pool");
}

TEST(LegalityEngine, AWordOfAnotherEngineIsStillJudged) {
  const Word word = with(legal_word(Opcode::batch_norm_back_prop), {{14, 1, 4}});
  EXPECT_TRUE(findings_are(word, on(kCayman, Engine::pool),
                           {{"has_engine_opcode", "opcode", 0, 0x65}, {"s3s3d3_tt_is_zero_op", "op", 14, 4}}));
}

TEST(LegalityEngine, WordsWithoutALayoutHaveNoEngineRule) {
  for (const Engine engine : kEngines) {
    EXPECT_TRUE(findings_are(with(legal_word(Opcode::nop), {{0, 1, 0xA6}}), on(kCayman, engine), {}));
  }
}

TEST(LegalityEngine, WithoutAStreamDveDecidesWhereItHasTheOpcode) {
  // Rsqrt is POOL's, in TensorScalar; Pow too, in TensorTensor; Mult then Add is everybody's but POOL's.
  const Word rsqrt = with(legal_word(Opcode::tensor_scalar_arith_op), {{35, 3, 0x001D00}, {40, 8, 0}});
  EXPECT_TRUE(findings_are(rsqrt, on(kCayman, Engine::pool), {}));
  EXPECT_TRUE(findings_are(rsqrt, on(kCayman), {{"s3d3_ts_arith_op", "op0", 36, 0x1D}}));
  const Word pow = with(legal_word(Opcode::tensor_tensor_arith_op), {{14, 1, 0x1A}});
  EXPECT_TRUE(findings_are(pow, on(kCayman, Engine::pool), {}));
  EXPECT_TRUE(findings_are(pow, on(kCayman), {{"s3s3d3_tt_arith_op", "op", 14, 0x1A}}));
  EXPECT_TRUE(findings_are(legal_word(Opcode::activate), on(kCayman), {}));
}

// isa-neighbours.md 6 and 8: POOL reads and writes SBUF only, in the copies, in TensorReduce and across lanes.
TEST(LegalityEngine, PoolReachesSbufOnly) {
  const std::uint32_t psum = psum_address(0, 0x100);
  for (const Opcode op : {Opcode::copy, Opcode::cast, Opcode::tensor_reduce_arith_op,
                          Opcode::cross_lane_reduce_arith_op, Opcode::cross_lane_reduce_bitvec_op}) {
    for (const Engine engine : kEngines) {
      if (!has(engine, code(op))) continue;
      Word word = legal_word(op);
      if (op == Opcode::tensor_reduce_arith_op && engine == Engine::pool) {
        word = with(word, {{32, 2, 0x0808}, {36, 1, 0xC4}});
      }
      const bool pool = engine == Engine::pool;
      const auto broken = [pool, psum](const char* field, std::uint32_t byte) {
        return pool ? std::vector<Expected>{{"tensor_start_addr_valid", field, byte, psum}} : std::vector<Expected>{};
      };
      EXPECT_TRUE(findings_are(with(word, {{12, 4, psum}}), on(kCayman, engine), broken("src.start_addr", 12)))
          << mnemonic(op);
      EXPECT_TRUE(findings_are(with(word, {{44, 4, psum}}), on(kCayman, engine), broken("dst.start_addr", 44)))
          << mnemonic(op);
      // v5 has no PSUM: the same address is SBUF's partition 32.
      EXPECT_TRUE(findings_are(with(word, {{34, 1, 32}, {44, 4, 0x2000000}}), on(Generation::maverick, engine), {}));
      EXPECT_TRUE(findings_are(with(word, {{44, 4, 0x80000005}}), on(kCayman, engine), {})) << "a register";
    }
  }
  EXPECT_TRUE(findings_are(with(legal_word(Opcode::memset), {{44, 4, psum}}), on(kCayman, Engine::pool), {}));
}

}  // namespace legality_engine_test
}  // namespace dve::isa::test
