// Text to bytes for the tests of the assembler. Expected words are put together byte by byte from the tables of isa.md
// 8 and isa-neighbours.md, not with the encoder of the isa block.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "dve/assembly/assembly.h"

namespace dve::assembly::test {

// An expected word: opcode, inst_word_len 0x10, everything else 0 until said.
class Bytes {
 public:
  explicit Bytes(std::uint8_t opcode);
  // `size` little-endian bytes.
  Bytes& at(std::size_t offset, std::size_t size, std::uint64_t value);
  // ADDR4, steps, counts of n dimensions; those not given have step 1, count 1.
  Bytes& tensor(std::size_t offset, std::size_t n, std::uint32_t address, const std::vector<std::uint16_t>& counts,
                const std::vector<std::int16_t>& steps);
  std::string hex() const;
  const isa::Word& word() const { return word_; }

 private:
  isa::Word word_;
};

std::string hex(const isa::Word& word);

// The one word of the text as hexadecimal digits; "line:column: message" of all errors when there are any.
std::string bytes_of(std::string_view text, isa::Generation generation = isa::Generation::cayman);

// Exactly one error, at this place, whose message has all the parts.
testing::AssertionResult one_error(std::string_view text, std::uint32_t line, std::uint32_t column,
                                   std::initializer_list<std::string_view> parts,
                                   isa::Generation generation = isa::Generation::cayman);

// The text assembles to the word's bytes, and so does the text that they disassemble to, which is no `.word`.
testing::AssertionResult assembles_to(std::string_view text, const Bytes& expected,
                                      isa::Generation generation = isa::Generation::cayman);

// A deterministic stream of numbers (splitmix64), the same on every host.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

 private:
  std::uint64_t state_;
};

}  // namespace dve::assembly::test
