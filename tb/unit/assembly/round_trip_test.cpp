// Words of every kind through text and back: the bytes stay, on every generation.
#include <cstring>

#include "texts.h"
#include "unit/isa/words.h"

namespace dve::assembly::test {
namespace round_trip_test {

using isa::FieldFormat;
using isa::FieldKind;
using isa::Opcode;
using isa::Word;

// Instrumented builds are some ten times slower.
#ifdef __SANITIZE_ADDRESS__
constexpr int kWords = 60000;
#else
constexpr int kWords = 600000;
#endif

Word random_bytes(Random& random) {
  Word word;
  for (std::size_t k = 0; k < isa::kWordBytes; k += 8) word.put(k, random.next());
  return word;
}

Opcode random_opcode(Random& random) { return isa::all_opcodes()[random.below(isa::all_opcodes().size())]; }

void clear(Word& word, const FieldFormat& field) { std::memset(word.bytes.data() + field.byte, 0, field.size); }

// An address that decodes on the generation.
std::uint32_t random_place(Random& random, isa::Generation generation) {
  const isa::Space space = random.below(4) == 0 ? isa::Space::psum : isa::Space::sbuf;
  const isa::SpaceGeometry& memory = geometry(generation, space);
  if (!memory.exists()) return static_cast<std::uint32_t>(random.below(0x8000000));
  return memory.base + static_cast<std::uint32_t>(random.below(memory.region.value));
}

void make_tensor(Random& random, isa::Generation generation, const FieldFormat& field, Word& word) {
  word.put(field.byte, random_place(random, generation));
  if (random.below(8) == 0) word.put(field.byte, isa::Addr4::in_register(isa::RegisterIndex(random.below(64))).raw);
  std::size_t product = 1;
  for (std::size_t d = 0; d < field.dimensions; ++d) {
    const std::size_t count = random.below(2) == 0 ? 1 : 1 + random.below(12);
    const auto step = static_cast<std::int16_t>(random.below(4) == 0 ? random.next() : count == 1 ? 1 : product);
    word.put(field.byte + 4 + 2 * d, step);
    word.put(field.byte + 4 + 2 * (field.dimensions + d), static_cast<std::uint16_t>(count));
    product *= count;
  }
  put_code(word, field.dtype, static_cast<std::uint8_t>(1 + random.below(15)));
}

void make_immediate(Random& random, isa::Generation generation, const FieldFormat& field, Word& word) {
  const std::uint64_t source = random.below(3);
  word.put(field.byte, source == 2 ? static_cast<std::uint32_t>(random.below(64)) : random_place(random, generation));
  if (field.source.exists()) put_code(word, field.source, static_cast<std::uint8_t>(source));
}

// A word as programs have them: places that decode, registers that exist, codes in range, reserved bytes 0. Control
// words with lists get consistent ones.
Word legal_word(Random& random, isa::Generation generation) {
  const Opcode opcode = random_opcode(random);
  Word word = random_bytes(random);
  std::memset(word.bytes.data(), 0, 12);
  word.bytes[0] = code(opcode);
  word.bytes[1] = isa::kInstWordLen;
  const isa::Format& format = format_of(opcode);
  for (const FieldFormat& field : format.fields) {
    if (field.kind == FieldKind::reserved) clear(word, field);
    if (field.kind == FieldKind::wait_mode) word.bytes[field.byte] = 0x05;
    if (field.kind == FieldKind::update_mode) word.bytes[field.byte] = 0x13;
    if (field.kind == FieldKind::dtype) word.bytes[field.byte] = isa::code(isa::Dtype::fp32);
  }
  for (const FieldFormat& field : format.fields) {
    if (field.kind == FieldKind::tensor) make_tensor(random, generation, field, word);
    if (field.kind == FieldKind::immediate) make_immediate(random, generation, field, word);
  }
  if (opcode == Opcode::event_semaphore) word.put(40, 0);  // an increment takes no value
  if (opcode == Opcode::move) {
    word.bytes[12] = static_cast<std::uint8_t>(1 + random.below(8));
    word.bytes[14] = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const bool used = k < word.bytes[12];
      word.bytes[16 + k] = static_cast<std::uint8_t>(used ? random.below(64) : 0);
      word.bytes[24 + k] = static_cast<std::uint8_t>(used ? random.below(64) : 0);
    }
    std::memset(word.bytes.data() + 32, 0, 32);
  }
  if (opcode == Opcode::tensor_load || opcode == Opcode::tensor_store) {
    const std::size_t rows = 1 + random.below(5), columns = 1 + random.below(6);
    word.bytes[13] = 0;
    word.bytes[14] = static_cast<std::uint8_t>(columns);
    word.bytes[15] = static_cast<std::uint8_t>(rows);
    for (std::size_t k = 0; k < 32; ++k)
      word.bytes[32 + k] = static_cast<std::uint8_t>(k < rows * columns ? random.below(64) : 0);
  }
  return word;
}

testing::AssertionResult keeps_its_bytes(const Word& word, isa::Generation generation, std::string& text) {
  text = disassemble(word, generation);
  const Assembled assembled = assemble(text, generation);
  if (assembled.errors.empty() && assembled.words.size() == 1 && assembled.words[0].word == word)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << hex(word) << " on " << to_string(generation) << " became `" << text << "`"
                                     << (assembled.errors.empty() ? "" : ": " + assembled.errors[0].message);
}

template <class MakeWord>
std::size_t run(std::uint64_t seed, int words, MakeWord make_word) {
  Random random(seed);
  std::string text;
  std::size_t raw = 0;
  for (int round = 0; round < words; ++round) {
    const isa::Generation generation = isa::kGenerations[random.below(isa::kGenerations.size())];
    const Word word = make_word(random, generation);
    const auto kept = keeps_its_bytes(word, generation, text);
    if (!kept) {
      ADD_FAILURE() << kept.message();
      return raw;
    }
    raw += text[0] == '.' ? 1 : 0;
  }
  return raw;
}

TEST(RoundTrip, RandomBytes) {
  const std::size_t raw = run(1, kWords / 3, [](Random& random, isa::Generation) { return random_bytes(random); });
  EXPECT_GT(raw, 0u);
}

TEST(RoundTrip, RandomBytesOfEveryOpcode) {
  const std::size_t raw = run(2, kWords / 3, [](Random& random, isa::Generation) {
    Word word = random_bytes(random);
    const Opcode opcode = random_opcode(random);
    word.bytes[0] = code(opcode);
    const bool keep_reserved = random.below(8) == 0;
    for (const FieldFormat& field : format_of(opcode).fields) {
      if (field.kind == FieldKind::reserved && !keep_reserved) clear(word, field);
    }
    return word;
  });
  EXPECT_LT(raw, static_cast<std::size_t>(kWords / 15)) << "most bytes have a text";
}

TEST(RoundTrip, LegalWordsHaveAText) { EXPECT_EQ(run(3, kWords / 3, legal_word), 0u); }

// The words of the legality tests, those that check() accepts.
TEST(RoundTrip, WordsThatTheCheckerAcceptsHaveAText) {
  isa::test::Random random(7);
  std::string text;
  int legal = 0;
  for (int round = 0; round < kWords / 4; ++round) {
    const Word word = isa::test::near_legal_word(random);
    const isa::Generation generation = isa::kGenerations[static_cast<std::size_t>(round) % isa::kGenerations.size()];
    if (!isa::check(word, isa::test::on(generation)).empty()) continue;
    ++legal;
    ASSERT_TRUE(keeps_its_bytes(word, generation, text));
    const bool has_layout = isa::opcode_from_byte(word.opcode_byte()).has_value();
    ASSERT_TRUE(!has_layout || text[0] != '.') << text;
  }
  EXPECT_GT(legal, kWords / 40);
}

TEST(RoundTrip, MutatedLegalWords) {
  run(4, kWords / 2, [](Random& random, isa::Generation generation) {
    Word word = legal_word(random, generation);
    for (std::uint64_t k = 0; k <= random.below(3); ++k) {
      const std::uint64_t edges[] = {0, 1, 2, 3, 0x7F, 0x80, 0xFF, random.next()};
      word.bytes[random.below(isa::kWordBytes)] = static_cast<std::uint8_t>(edges[random.below(8)]);
    }
    return word;
  });
}

TEST(RoundTrip, EveryByteOfEveryOpcode) {
  std::string text;
  Random random(6);
  for (const Opcode opcode : isa::all_opcodes()) {
    Word base = legal_word(random, isa::Generation::cayman);
    while (base.bytes[0] != code(opcode)) base = legal_word(random, isa::Generation::cayman);
    for (std::size_t byte = 1; byte < isa::kWordBytes; ++byte) {
      for (const unsigned value : {0u, 1u, 0x10u, 0x7Fu, 0x80u, 0xFFu}) {
        Word word = base;
        word.bytes[byte] = static_cast<std::uint8_t>(value);
        ASSERT_TRUE(keeps_its_bytes(word, isa::Generation::cayman, text)) << mnemonic(opcode) << " byte " << byte;
      }
    }
  }
}

}  // namespace round_trip_test
}  // namespace dve::assembly::test
