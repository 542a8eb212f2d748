#include "random_stream_words.h"

namespace dve::random_stream {
namespace {

using Codes = std::vector<std::uint8_t>;

// ALU operations by class (isa.md 6), functions (isa-neighbours.md 5.2), dtypes (isa.md 4.1).
const Codes kArith = {0x00, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0D, 0x0E, 0x0F, 0x12, 0x13, 0x14,
                      0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1D, 0x20, 0x21, 0x22, 0x23, 0x24};
const Codes kBitvec = {0x00, 0x01, 0x02, 0x03, 0x10, 0x11, 0x0A, 0x0B, 0x0C, 0x1C};
const Codes kFunctions = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x13, 0x15, 0x16, 0x17, 0x18,
                          0x19, 0x1A, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x80, 0x81};
const Codes kIntegers = {0x02, 0x03, 0x04, 0x05, 0x08, 0x09, 0x01, 0x0C};
const Codes kWide = {0x08, 0x09, 0x01, 0x0C};
const Codes kFloats = {0x0A, 0x0A, 0x06, 0x07, 0x0B, 0x0D, 0x0E, 0x0F};

void put(WordBytes& word, unsigned at, unsigned size, std::uint64_t value) {
  for (unsigned b = 0; b < size; ++b) word[at + b] = static_cast<std::uint8_t>(value >> (8 * b));
}

void put_code(WordBytes& word, CodeAt at, std::uint8_t code) {
  std::uint8_t& byte = word[at.byte];
  if (at.part == CodeAt::Part::byte) byte = code;
  if (at.part == CodeAt::Part::low) byte = static_cast<std::uint8_t>((byte & 0xF0) | (code & 0xF));
  if (at.part == CodeAt::Part::high) byte = static_cast<std::uint8_t>((byte & 0x0F) | (code << 4));
}

bool is_semaphore_wait(std::uint8_t mode) { return (mode & 0x7F) >= 1 && (mode & 0x7F) <= 5; }
bool is_event_wait(std::uint8_t mode) { return mode == 0x06 || mode == 0x07 || mode == 0x0E || mode == 0x0F; }
bool is_event_update(std::uint8_t mode) { return mode == 0x01 || mode == 0x02 || mode == 0x11 || mode == 0x12; }

constexpr std::uint8_t kNop = 0xA4, kHalt = 0xA1, kEventSemaphore = 0xA0;

}  // namespace

WordBytes RandomWords::next() {
  const Codes &engine = opcodes_of(engine_), &control = control_opcodes();
  const std::uint32_t kind = below(100);
  WordBytes word;
  if (kind < 65) {
    word = plausible(some(engine));
    if (kind >= 40) mutate(word);
  } else if (kind < 75) {
    word = plausible_control(some(control));
    if (kind >= 72) mutate(word);
  } else {
    word = noise();
    if (kind < 90) word[0] = kind < 88 ? some(engine) : some(control);
  }
  tame(word);
  if (word[0] == kNop && chance(50)) put_event_update(word);
  return word;
}

WordBytes RandomWords::noise() {
  WordBytes word;
  for (unsigned at = 0; at < word.size(); at += 8) put(word, at, 8, random_());
  return word;
}

std::uint32_t RandomWords::address() {
  if (chance(3)) return static_cast<std::uint32_t>(random_()) & 0x1FFFFFFF;
  const std::uint32_t partition = below(8) == 0 ? below(128) : 32 * below(4);
  const bool psum = generation_ != isa::Generation::maverick && chance(30);
  if (psum) return 0x2000000 + partition * 0x8000 + 4 * below(0x1000);
  const std::uint32_t stride = generation_ == isa::Generation::maverick ? 0x100000 : 0x40000;
  return partition * stride + (chance(5) ? below(stride) : 4 * (0x2000 + below(0x4000)));
}

// ---- Words of the engines ----

WordBytes RandomWords::plausible(std::uint8_t opcode) {
  WordBytes word{};
  word[0] = opcode;
  word[1] = 0x10;
  word[2] = chance(90) ? 0 : some({1, 3, 5, 7, 9});
  word[3] = static_cast<std::uint8_t>(below(256));
  if (chance(20)) put(word, 4, 8, random_());  // events, to be tamed
  const WordFormat& format = format_of(opcode);
  const bool blocks = opcode == 0x82;
  const std::uint32_t channels = blocks ? 32 : 1 + below(chance(80) ? 6 : chance(90) ? 32 : 128);
  put_dtypes(word, format);
  for (const OperandField& field : format.operands) put_operand(word, field, channels);
  if (format.channels_byte != 0) word[format.channels_byte] = static_cast<std::uint8_t>(channels);
  if (blocks) put(word, 24, 8, 0x0001000100010020);  // counts {32, 1, 1, 1}
  put_operation(word);
  put_selectors(word);
  return word;
}

void RandomWords::put_operand(WordBytes& word, const OperandField& field, std::uint32_t channels) {
  std::uint32_t where = chance(10) ? 0x80000000 | below(64) : address();
  if (chance(2)) where |= below(8) << 29;
  if (where < 0x2000000 && channels > 32 && chance(95)) where &= 0x3FFFF;  // room for the channels
  put(word, field.byte, 4, where);
  for (unsigned d = 0; d < field.dimensions; ++d) {
    const std::uint32_t count = chance(2) ? below(3) : 1 + below(d == 0 ? 12 : 3);
    const std::uint32_t step = chance(50) ? 1 + d * 12 : below(81) - 40;
    put(word, field.byte + 4 + 2 * d, 2, step);
    put(word, field.byte + 4 + 2 * (field.dimensions + d), 2, count);
  }
}

// One dtype for the whole word, or one for each operand.
void RandomWords::put_dtypes(WordBytes& word, const WordFormat& format) {
  const std::uint8_t opcode = word[0];
  const bool bits = opcode == 0x51 || opcode == 0x53 || opcode == 0x7D;
  const Codes& codes = bits || chance(35) ? kIntegers : chance(20) ? kWide : kFloats;
  const bool same = bits || chance(60);
  const std::uint8_t common = some(codes);
  bool first = true;
  for (const OperandField& field : format.operands) {
    if (field.dtype) put_code(word, *field.dtype, same ? common : some(chance(50) ? codes : kFloats));
    if (first && (opcode == 0x72 || opcode == 0x99)) put_code(word, *field.dtype, some(kIntegers));  // the predicate
    first = false;
  }
  if (opcode == 0x49) word[32] = some(kFloats);
}

void RandomWords::put_selectors(WordBytes& word) {
  for (const OperandField& field : format_of(word[0]).operands) {
    if (field.selector == Selector::always_pointer) continue;
    put_code(word, field.source, static_cast<std::uint8_t>(chance(98) ? below(3) : below(16)));
    if (code_in(word, field.source) == 2 && chance(95)) put(word, field.byte, 4, below(64));
  }
}

// Operation bytes, by format.
void RandomWords::put_operation(WordBytes& word) {
  const auto integer = [this] { return static_cast<std::uint8_t>(0xC4 + below(30)); };
  const auto byte = [this](std::uint32_t n) { return static_cast<std::uint8_t>(below(n)); };
  switch (word[0]) {
    case 0x41:
      word[14] = chance(40) ? integer() : some(kArith);
      break;
    case 0x51:
      word[14] = some(kBitvec);
      break;
    case 0x42:
      word[35] = byte(2);
      word[36] = chance(40) ? integer() : some(kArith);
      word[37] = static_cast<std::uint8_t>(2 + below(4));
      break;
    case 0x43:
    case 0x53:
      word[36] = word[0] == 0x53 ? some(kBitvec) : chance(10) ? integer() : some(kArith);
      word[37] = word[0] == 0x53 ? some(kBitvec) : chance(30) ? std::uint8_t{0} : some(kArith);
      word[38] = byte(4);
      break;
    case 0x49:
      put(word, 40, 4, random_());
      break;
    case 0x66:
      put(word, 12, 2, 8 * below(chance(95) ? 32 : 40));
      for (unsigned at = 32; at < 64; at += 4) put(word, at, 4, 0x3F000000 + below(0x1000000));
      break;
    case 0x7C:
    case 0x7D:
      word[35] = static_cast<std::uint8_t>(below(3) + (word[0] == 0x7D ? 3 : 0));
      word[36] = byte(2);
      put(word, 40, 4, 0x3E000000);
      break;
    case 0x21:
      word[14] = byte(5);
      word[35] = some(kFunctions);
      break;
    case 0x23:
      word[35] = byte(3);
      break;
    case 0x64:
    case 0x8E:
      put(word, 28, 4, chance(50) ? 0x43000000 : random_());  // N: 128, or anything
      break;
    default:
      break;
  }
}

// ---- Words of the sequencer ----

WordBytes RandomWords::plausible_control(std::uint8_t opcode) {
  if (opcode == kHalt && chance(80)) opcode = kNop;  // the end of the program, as far as the sequencer knows
  WordBytes word{};
  word[0] = opcode;
  word[1] = 0x10;
  if (chance(30)) put(word, 4, 8, random_());
  if (opcode == kEventSemaphore) put(word, 32, 8, random_());
  if (opcode == 0xA7) put_move(word);
  if (opcode == 0xAA || opcode == 0xAB) put_transfer(word);
  if (opcode == 0xB0) put(word, 13, 2, random_());
  return word;
}

void RandomWords::put_move(WordBytes& word) {
  word[12] = static_cast<std::uint8_t>(1 + below(8));
  word[13] = 0x09;
  word[14] = chance(80) ? 1 : 0;
  for (unsigned k = 0; k < 8; ++k) {
    word[16 + k] = static_cast<std::uint8_t>(chance(95) ? below(64) : 128 + below(2));
    word[24 + k] = static_cast<std::uint8_t>(chance(99) ? below(64) : below(256));
    put(word, 32 + 4 * k, 4, address());
  }
}

void RandomWords::put_transfer(WordBytes& word) {
  word[12] = some(chance(50) ? Codes{0x09} : kIntegers);
  word[13] = static_cast<std::uint8_t>(word[0] == 0xAB ? below(2) : 0);
  word[14] = static_cast<std::uint8_t>(1 + below(5));
  word[15] = static_cast<std::uint8_t>(1 + below(5));
  put(word, 16, 8, chance(20) ? (std::uint64_t{1} << 63) | below(64) : address());
  put(word, 24, 4, below(41) - 20);
  put(word, 28, 4, below(41) - 20);
  for (unsigned k = 0; k < 32; ++k) word[32 + k] = static_cast<std::uint8_t>(2 * below(32) + (chance(10) ? 1 : 0));
}

// Sets events one after the other, then clears them in the same order, and so on.
void RandomWords::put_event_update(WordBytes& word) {
  const bool set = event_updates_ / kFirstFreeEvent % 2 == 0;
  word[6] = static_cast<std::uint8_t>((set ? 0x01 : 0x02) + (chance(50) ? 0x10 : 0));
  word[7] = static_cast<std::uint8_t>(event_updates_++ % kFirstFreeEvent);
}

// ---- Wrong bytes, and their limits ----

void RandomWords::mutate(WordBytes& word) {
  for (std::uint32_t n = 1 + below(3); n > 0; --n) {
    const unsigned at = 1 + below(63);
    switch (below(3)) {
      case 0:
        word[at] = static_cast<std::uint8_t>(below(256));
        break;
      case 1:
        word[at] = static_cast<std::uint8_t>(word[at] ^ (1U << below(8)));
        break;
      default:
        word[at] = some({0x00, 0x01, 0x20, 0x3F, 0x40, 0x7F, 0x80, 0xC0, 0xFF});
        break;
    }
  }
}

// Updates of events go, as do most waits; the other waits ask for what the host can bring about.
void RandomWords::tame(WordBytes& word) {
  tame_wait(word, 4, 5, 8);
  if (is_event_update(word[6])) word[6] = 0;
  if (word[0] != kEventSemaphore) return;
  tame_wait(word, 32, 33, 36);
  if (is_event_update(word[34])) word[34] = 0;
}

void RandomWords::tame_wait(WordBytes& word, unsigned mode, unsigned index, unsigned value) {
  if (!is_semaphore_wait(word[mode]) && !is_event_wait(word[mode])) return;
  if (chance(60)) {
    word[mode] = 0;
  } else if (is_event_wait(word[mode])) {
    word[index] = static_cast<std::uint8_t>(kFirstFreeEvent + below(kFreeEvents));
  } else {
    word[mode] &= 0x7F;
    put(word, value, 4, below(1000));
  }
}

}  // namespace dve::random_stream
