// Instruction words for the tests, built byte by byte from the tables of isa.md sections 8, 12, 13.1 and
// isa-neighbours.md 2 to 8, not with the block's encoder.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::isa::test {

// `size` little-endian bytes of `value` at `offset`.
struct Poke {
  std::uint32_t offset;
  std::uint32_t size;
  std::uint64_t value;
};
void poke(Word& word, const Poke& p);
Word with(Word word, std::initializer_list<Poke> pokes);

// A word of the opcode that is legal wherever the opcode exists: 128 channels, everything in SBUF from partition 0,
// fp32 (UINT32 for bit operations).
Word legal_word(Opcode opcode);
// Not so for 0x63 and 0x24 on v5.
bool exists_on(Opcode opcode, Generation generation);

// Addresses by the formulas of isa.md 2.1 and 3.
std::uint32_t sbuf_address(std::uint32_t partition, std::uint32_t offset, Generation generation = Generation::cayman);
std::uint32_t psum_address(std::uint32_t partition, std::uint32_t offset);

LegalityOptions on(Generation generation, std::optional<Engine> engine = {});

// What a finding must say. A value of -1 is not compared.
struct Expected {
  std::string predicate;
  std::string field;
  std::uint32_t byte;
  std::int64_t value = -1;
};
// The findings are exactly these, in any order.
testing::AssertionResult findings_are(const Word& word, const LegalityOptions& options,
                                      const std::vector<Expected>& expected);

// One broken rule: a legal word of the opcode, some bytes changed, and what check() must answer on all generations that
// have the opcode.
struct Breach {
  Opcode opcode;
  std::vector<Poke> pokes;
  std::vector<Expected> expected;
};
void expect_breaches(const std::vector<Breach>& breaches, const std::vector<Generation>& generations,
                     std::optional<Engine> engine = {});
std::vector<Generation> all_generations();

// A deterministic stream of numbers (splitmix64), the same on every host.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();

 private:
  std::uint64_t state_;
};
Word random_word(Random& random);
// A legal word of any opcode, in one of its forms, with up to three plausible values thrown in: near the border of
// legality, on both sides of it.
Word near_legal_word(Random& random);

}  // namespace dve::isa::test
