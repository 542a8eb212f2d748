#include "words.h"

#include <algorithm>
#include <sstream>

namespace dve::isa::test {
namespace {

constexpr std::uint8_t kFp32 = 0x0A;
constexpr std::uint32_t kTen = 0x41200000;  // binary32 10.0

// ADDR4, then the steps, then the counts.
void put_tensor(Word& word, std::uint32_t offset, std::uint32_t address, const std::vector<std::uint16_t>& counts) {
  const auto n = static_cast<std::uint32_t>(counts.size());
  poke(word, {offset, 4, address});
  for (std::uint32_t d = 0; d < n; ++d) {
    poke(word, {offset + 4 + 2 * d, 2, d == 0 ? 1u : counts[0]});
    poke(word, {offset + 4 + 2 * n + 2 * d, 2, counts[d]});
  }
}

Word preamble(Opcode opcode) {
  Word word;
  word.bytes[0] = static_cast<std::uint8_t>(opcode);
  word.bytes[1] = 0x10;
  return word;
}

Word stats_word(Opcode opcode, std::uint16_t src, std::uint16_t dst, std::uint32_t count_bits) {
  Word word = preamble(opcode);
  put_tensor(word, 12, 0x1000, {src, 1, 1, 1});
  word.bytes[32] = kFp32;
  word.bytes[33] = kFp32;
  word.bytes[34] = 128;
  poke(word, {40, 4, count_bits});
  poke(word, {44, 4, count_bits});
  put_tensor(word, 48, 0x8000, {dst, 1});
  return word;
}

Word grad_word(Opcode opcode) {
  Word word = preamble(opcode);
  poke(word, {12, 4, 0x100});
  put_tensor(word, 16, 0x1000, {16, 4, 1});
  put_tensor(word, 32, 0x2000, {64, 1, 1});
  put_tensor(word, 48, 0x8000, {3});
  poke(word, {56, 4, 0x200});
  word.bytes[60] = 0xAA;
  word.bytes[63] = 128;
  return word;
}

Word grad1_word() {
  Word word = grad_word(Opcode::batch_norm_grad_accumulate);
  word.bytes[61] = kFp32;
  word.bytes[62] = kFp32;
  return word;
}

Word grad2_word() {
  Word word = grad_word(Opcode::batch_norm_grad_accumulate2);
  word.bytes[61] = 0xAA;
  word.bytes[62] = 0x11;
  return word;
}

Word param_load_word() {
  Word word = preamble(Opcode::batch_norm_param_load);
  put_tensor(word, 16, 0x8000, {3, 1});
  poke(word, {28, 4, kTen});
  word.bytes[32] = kFp32;
  word.bytes[34] = 128;
  poke(word, {44, 4, 0x100});
  word.bytes[48] = 1;
  return word;
}

Word param_load2_word() {
  Word word = preamble(Opcode::batch_norm_param_load2);
  put_tensor(word, 12, 0x8000, {2, 1});
  poke(word, {28, 4, kTen});
  word.bytes[32] = kFp32;
  word.bytes[33] = kFp32;
  word.bytes[34] = 128;
  poke(word, {40, 4, 0x100});
  poke(word, {44, 4, 0x200});
  word.bytes[48] = 1;
  word.bytes[49] = 1;
  return word;
}

Word back_prop_word() {
  Word word = preamble(Opcode::batch_norm_back_prop);
  word.bytes[12] = 0xAA;
  word.bytes[13] = kFp32;
  word.bytes[15] = 128;
  put_tensor(word, 16, 0x1000, {16, 4, 1});
  put_tensor(word, 32, 0x2000, {64, 1, 1});
  put_tensor(word, 48, 0x3000, {8, 8, 1});
  return word;
}

Word parameter_ram_word() {
  Word word = preamble(Opcode::load_parameter_ram);
  poke(word, {12, 2, 248});
  for (std::uint32_t k = 0; k < 8; ++k) poke(word, {32 + 4 * k, 4, kTen});
  return word;
}

bool matches(const Finding& finding, const Expected& e) {
  return finding.predicate == e.predicate && finding.field == e.field && finding.byte == e.byte &&
         (e.value < 0 || finding.value == static_cast<std::uint64_t>(e.value));
}

}  // namespace

void poke(Word& word, const Poke& p) {
  for (std::uint32_t k = 0; k < p.size; ++k) {
    word.bytes.at(p.offset + k) = static_cast<std::uint8_t>(p.value >> (8 * k));
  }
}

Word with(Word word, std::initializer_list<Poke> pokes) {
  for (const Poke& p : pokes) poke(word, p);
  return word;
}

Word legal_word(Opcode opcode) {
  switch (opcode) {
    case Opcode::batch_norm_stats:
      return stats_word(opcode, 256, 3, kTen);
    case Opcode::batch_norm_stats2:
      return stats_word(opcode, 512, 6, kTen);
    case Opcode::batch_norm_aggregate:
      return stats_word(opcode, 12, 2, 0);
    case Opcode::transpose_batch_norm_stats2:
      return stats_word(opcode, 512, 6, kTen);
    case Opcode::batch_norm_grad_accumulate:
      return grad1_word();
    case Opcode::batch_norm_grad_accumulate2:
      return grad2_word();
    case Opcode::batch_norm_param_load:
      return param_load_word();
    case Opcode::batch_norm_param_load2:
      return param_load2_word();
    case Opcode::batch_norm_back_prop:
      return back_prop_word();
    case Opcode::load_parameter_ram:
      return parameter_ram_word();
  }
  return {};
}

std::uint32_t sbuf_address(std::uint32_t partition, std::uint32_t offset, Generation generation) {
  return partition * (generation == Generation::maverick ? 0x100000u : 0x40000u) + offset;
}

std::uint32_t psum_address(std::uint32_t partition, std::uint32_t offset) {
  return 0x2000000u + partition * 0x8000u + offset;
}

LegalityOptions on(Generation generation) {
  LegalityOptions options;
  options.generation = generation;
  return options;
}

testing::AssertionResult findings_are(const Word& word, const LegalityOptions& options,
                                      const std::vector<Expected>& expected) {
  std::vector<Finding> left = check(word, options);
  std::ostringstream problems;
  for (const Expected& e : expected) {
    const auto found = std::find_if(left.begin(), left.end(), [&e](const Finding& f) { return matches(f, e); });
    if (found == left.end()) {
      problems << "\n  missing: " << e.predicate << " at " << e.field << ", byte " << e.byte;
    } else {
      if (found->expected.empty()) problems << "\n  no expectation: " << to_string(*found);
      left.erase(found);
    }
  }
  for (const Finding& f : left) problems << "\n  unexpected: " << to_string(f);
  if (problems.str().empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "on " << to_string(options.generation) << problems.str();
}

void expect_breaches(const std::vector<Breach>& breaches, const std::vector<Generation>& generations) {
  for (const Breach& breach : breaches) {
    Word word = legal_word(breach.opcode);
    std::ostringstream text;
    text << mnemonic(breach.opcode);
    for (const Poke& p : breach.pokes) {
      poke(word, p);
      text << ", byte " << p.offset << " = 0x" << std::hex << p.value << std::dec;
    }
    SCOPED_TRACE(text.str());
    for (const Generation generation : generations) EXPECT_TRUE(findings_are(word, on(generation), breach.expected));
  }
}

std::vector<Generation> all_generations() { return {kGenerations.begin(), kGenerations.end()}; }

std::uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

Word random_word(Random& random) {
  Word word;
  for (std::uint32_t k = 0; k < kWordBytes; k += 8) poke(word, {k, 8, random.next()});
  return word;
}

}  // namespace dve::isa::test
