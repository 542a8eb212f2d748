#include "words.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace dve::isa::test {
namespace {

constexpr std::uint8_t kFp32 = 0x0A, kUint32 = 0x09;
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

// TensorTensor and predicated words: BackProp's operands.
Word tensor_tensor_word(Opcode opcode, std::uint8_t in0_in1, std::uint8_t out, std::uint8_t op) {
  Word word = back_prop_word();
  word.bytes[0] = static_cast<std::uint8_t>(opcode);
  word.bytes[12] = in0_in1;
  word.bytes[13] = out;
  word.bytes[14] = op;
  return word;
}

// imm0 is a pointer, imm1 a literal.
Word tensor_scalar_word(Opcode opcode, std::uint8_t dtype, std::uint8_t op0, std::uint8_t op1) {
  Word word = preamble(opcode);
  put_tensor(word, 16, 0x1000, {16, 4, 1});
  word.bytes[32] = dtype;
  word.bytes[33] = dtype;
  word.bytes[34] = 128;
  word.bytes[35] = 1;
  word.bytes[36] = op0;
  word.bytes[37] = op1;
  poke(word, {40, 4, 0x100});
  poke(word, {44, 4, kTen});
  put_tensor(word, 48, 0x3000, {64, 1, 1});
  return word;
}

// S4D4_TR and S4D4_CR share the places of their tensors.
Word four_dimensional_word(Opcode opcode, std::uint8_t dtype, std::vector<std::uint16_t> dst) {
  Word word = preamble(opcode);
  put_tensor(word, 12, 0x1000, {16, 4, 1, 1});
  word.bytes[32] = dtype;
  word.bytes[33] = dtype;
  word.bytes[34] = 128;
  put_tensor(word, 44, 0x3000, std::move(dst));
  return word;
}

Word tensor_reduce_word() {
  Word word = four_dimensional_word(Opcode::tensor_reduce_arith_op, kFp32, {4, 1, 1, 1});
  word.bytes[36] = 0x04;
  word.bytes[37] = 2;
  return word;
}

Word cross_lane_word(Opcode opcode, std::uint8_t dtype, std::uint8_t reduce_op) {
  Word word = four_dimensional_word(opcode, dtype, {64, 1, 1, 1});
  word.bytes[35] = reduce_op;
  word.bytes[36] = 1;
  poke(word, {40, 4, kTen});
  return word;
}

Word memset_word() {
  Word word = preamble(Opcode::memset);
  poke(word, {28, 4, 64});
  word.bytes[32] = kFp32;
  word.bytes[34] = 128;
  poke(word, {40, 4, kTen});
  put_tensor(word, 44, 0x3000, {16, 4, 1, 1});
  return word;
}

// scale and imm are literals, bias is a pointer; Identity.
Word activate_word() {
  Word word = preamble(Opcode::activate);
  put_tensor(word, 16, 0x1000, {16, 4, 1});
  word.bytes[14] = 3;
  word.bytes[32] = 0xAA;
  word.bytes[33] = kFp32;
  word.bytes[34] = 128;
  word.bytes[35] = 0x01;
  poke(word, {36, 4, kTen});
  poke(word, {40, 4, 0x100});
  put_tensor(word, 48, 0x3000, {64, 1, 1});
  return word;
}

Word read_accumulator_word() {
  Word word = preamble(Opcode::activation_read_accumulator);
  poke(word, {28, 4, 1});
  word.bytes[32] = kFp32;
  word.bytes[34] = 128;
  put_tensor(word, 44, 0x3000, {1});
  return word;
}

Word event_semaphore_word() {
  Word word = preamble(Opcode::event_semaphore);
  word.bytes[32] = 0x05;
  word.bytes[33] = 7;
  word.bytes[34] = 0x15;
  word.bytes[35] = 8;
  poke(word, {36, 4, 1000});
  poke(word, {40, 4, 2000});
  return word;
}

Word range_clear_word() {
  Word word = preamble(Opcode::semaphore_range_clear);
  word.bytes[13] = 3;
  word.bytes[14] = 9;
  return word;
}

// Registers 1, 2, 3 to 4, 5, 6.
Word move_word() {
  Word word = preamble(Opcode::move);
  word.bytes[12] = 3;
  word.bytes[13] = kUint32;
  poke(word, {16, 3, 0x030201});
  poke(word, {24, 3, 0x060504});
  return word;
}

// Two rows of three elements to or from registers 10 to 15.
Word memory_word(Opcode opcode) {
  Word word = preamble(opcode);
  word.bytes[12] = kUint32;
  word.bytes[14] = 3;
  word.bytes[15] = 2;
  poke(word, {16, 8, 0x2000001000});
  poke(word, {24, 4, 1});
  poke(word, {28, 4, 64});
  poke(word, {32, 6, 0x0F0E0D0C0B0A});
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
    case Opcode::tensor_tensor_arith_op:
      return tensor_tensor_word(opcode, 0xAA, kFp32, 0x04);
    case Opcode::tensor_tensor_bitvec_op:
      return tensor_tensor_word(opcode, 0x99, kUint32, 0x0A);
    case Opcode::copy_predicated:
    case Opcode::cast_predicated:
      return tensor_tensor_word(opcode, 0xA9, kFp32, 0x00);
    case Opcode::tensor_scalar_arith_op:
      return tensor_scalar_word(opcode, kFp32, 0x06, 0x04);
    case Opcode::tensor_scalar_bitvec_op:
      return tensor_scalar_word(opcode, kUint32, 0x0A, 0x0C);
    case Opcode::tensor_reduce_arith_op:
      return tensor_reduce_word();
    case Opcode::copy:
    case Opcode::cast:
    case Opcode::reciprocal:
      return four_dimensional_word(opcode, kFp32, {64, 1, 1, 1});
    case Opcode::cross_lane_reduce_arith_op:
      return cross_lane_word(opcode, kFp32, 0);
    case Opcode::cross_lane_reduce_bitvec_op:
      return cross_lane_word(opcode, kUint32, 3);
    case Opcode::memset:
      return memset_word();
    case Opcode::activate:
      return activate_word();
    case Opcode::activation_table_load:
    case Opcode::halt:
    case Opcode::drain:
    case Opcode::instruction_flush:
    case Opcode::nop:
      return preamble(opcode);
    case Opcode::activation_read_accumulator:
      return read_accumulator_word();
    case Opcode::event_semaphore:
      return event_semaphore_word();
    case Opcode::semaphore_range_clear:
      return range_clear_word();
    case Opcode::move:
      return move_word();
    case Opcode::tensor_load:
    case Opcode::tensor_store:
      return memory_word(opcode);
  }
  return {};
}

bool exists_on(Opcode opcode, Generation generation) {
  const bool until_v4 = opcode == Opcode::batch_norm_grad_accumulate || opcode == Opcode::activation_read_accumulator;
  return !until_v4 || generation != Generation::maverick;
}

std::uint32_t sbuf_address(std::uint32_t partition, std::uint32_t offset, Generation generation) {
  return partition * (generation == Generation::maverick ? 0x100000u : 0x40000u) + offset;
}

std::uint32_t psum_address(std::uint32_t partition, std::uint32_t offset) {
  return 0x2000000u + partition * 0x8000u + offset;
}

LegalityOptions on(Generation generation, std::optional<Engine> engine) {
  LegalityOptions options;
  options.generation = generation;
  options.engine = engine;
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
  return testing::AssertionFailure() << "on " << to_string(options.generation)
                                     << (options.engine ? std::string(", ") + std::string(to_string(*options.engine))
                                                        : std::string())
                                     << problems.str();
}

void expect_breaches(const std::vector<Breach>& breaches, const std::vector<Generation>& generations,
                     std::optional<Engine> engine) {
  for (const Breach& breach : breaches) {
    Word word = legal_word(breach.opcode);
    std::ostringstream text;
    text << mnemonic(breach.opcode);
    for (const Poke& p : breach.pokes) {
      poke(word, p);
      text << ", byte " << p.offset << " = 0x" << std::hex << p.value << std::dec;
    }
    SCOPED_TRACE(text.str());
    for (const Generation generation : generations) {
      if (!exists_on(breach.opcode, generation)) continue;
      EXPECT_TRUE(findings_are(word, on(generation, engine), breach.expected));
    }
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

namespace {

// The legal word of every opcode, and of some the forms that other engines, sources or modes have.
std::vector<Word> legal_forms() {
  std::vector<Word> words;
  for (const Opcode opcode : all_opcodes()) words.push_back(legal_word(opcode));
  const auto add = [&words](Opcode opcode, std::initializer_list<Poke> pokes) {
    words.push_back(with(legal_word(opcode), pokes));
  };
  add(Opcode::tensor_tensor_arith_op, {{12, 2, 0x0888}, {14, 1, 0xC4}});
  add(Opcode::tensor_tensor_bitvec_op, {{12, 2, 0x0C9C}, {14, 1, 0x11}});
  add(Opcode::tensor_scalar_arith_op, {{35, 3, 0x001D00}, {39, 1, 0}, {40, 8, 0}});
  add(Opcode::tensor_scalar_arith_op, {{32, 2, 0x0808}, {36, 2, 0xC4C5}});
  add(Opcode::tensor_scalar_bitvec_op, {{32, 2, 0x0303}, {35, 1, 0}, {40, 4, 0x55}, {44, 4, 0xAA}});
  add(Opcode::tensor_reduce_arith_op, {{32, 2, 0x0808}, {36, 1, 0xC4}});
  add(Opcode::tensor_reduce_arith_op, {{37, 1, 5}, {56, 2, 1}});
  add(Opcode::cross_lane_reduce_arith_op, {{36, 1, 0}, {56, 2, 1}});
  add(Opcode::memset, {{32, 1, 6}, {40, 4, 0x3F80}});
  add(Opcode::activate, {{35, 1, 0x04}, {12, 1, 1}, {44, 4, 0x200}});
  add(Opcode::activate, {{15, 1, 1}, {32, 1, 0x0A}});
  add(Opcode::semaphore_range_clear, {{12, 1, 1}, {13, 2, 0}, {40, 8, 0x123}});
  add(Opcode::move, {{14, 1, 1}, {16, 3, 0}, {32, 8, 0x12345678}});
  add(Opcode::tensor_store, {{12, 2, 0x0103}});
  add(Opcode::tensor_load, {{12, 1, 1}, {14, 2, 0x0102}, {32, 6, 0x0C0A}});
  add(Opcode::tensor_load, {{16, 8, 0x8000000000000005}});
  return words;
}

// Codes and sizes that some field somewhere has.
constexpr std::uint32_t kSmall[] = {0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    0x0A, 0x0B,
                                    0x0C, 0x0D, 0x10, 0x11, 0x1A, 0x1B, 0x1C, 0x1D, 0x20, 0x21, 0x22, 0x23,
                                    32,   33,   63,   64,   65,   0x80, 0x81, 0x82, 0x85, 0x99, 0x9C, 0xAA,
                                    0xC4, 0xC6, 0xCB, 0xCE, 0xCF, 0xD5, 0xDB, 0xDE, 0xFF};
constexpr std::uint32_t kLarge[] = {0x38000,    0x37FFC,    0x800000,   0x1000000,  0x2000000,  0x2003FFC,  0x2400000,
                                    0x80000005, 0xC0000005, 0x40001000, 0x20001000, 0x80000040, 0x7F800000, 0xFFFFFFFF,
                                    0x1001,     0x1002,     0x80000000, 0x00FFFFFF, 0xFFFFF000};

}  // namespace

Word near_legal_word(Random& random) {
  static const std::vector<Word> forms = legal_forms();
  Word word = forms[random.next() % forms.size()];
  const std::uint64_t changes = random.next() % 4;
  for (std::uint64_t k = 0; k < changes; ++k) {
    const bool small = random.next() % 4 != 0;
    const std::uint32_t value =
        small ? kSmall[random.next() % std::size(kSmall)] : kLarge[random.next() % std::size(kLarge)];
    const std::uint32_t size = small ? 1u << random.next() % 2 : 4;
    const auto slot = static_cast<std::uint32_t>(random.next() % (kWordBytes / size));
    if (slot == 0) continue;  // keep the opcode
    poke(word, {slot * size, size, value});
  }
  return word;
}

Word random_word(Random& random) {
  Word word;
  for (std::uint32_t k = 0; k < kWordBytes; k += 8) poke(word, {k, 8, random.next()});
  return word;
}

}  // namespace dve::isa::test
