#include "word_reach.h"

#include <algorithm>
#include <map>

namespace dve::random_stream {
namespace {

using Part = CodeAt::Part;
using Opcodes = std::vector<std::uint8_t>;

struct Memory {
  std::uint64_t base, stride, active;
};
constexpr std::uint32_t kPartitions = 128;
constexpr std::uint64_t kKiB = 1024, kPsumBase = 0x2000000;

Memory sbuf_of(isa::Generation generation) {
  switch (generation) {
    case isa::Generation::sunda:
      return {0, 256 * kKiB, 192 * kKiB};
    case isa::Generation::cayman:
      return {0, 256 * kKiB, 224 * kKiB};
    case isa::Generation::maverick:
      return {0, 1024 * kKiB, 512 * kKiB};
    default:
      return {0, 256 * kKiB, 256 * kKiB};
  }
}
constexpr Memory kPsum = {kPsumBase, 32 * kKiB, 16 * kKiB};

Memory memory_of(const Block& block, isa::Generation generation) { return block.psum ? kPsum : sbuf_of(generation); }

// Memory, partition and offset of a 29-bit address; false when it is in no memory.
bool place(std::uint64_t address, isa::Generation generation, Block& block) {
  const Memory sbuf = sbuf_of(generation);
  block.psum = address >= sbuf.stride * kPartitions;
  if (block.psum && generation == isa::Generation::maverick) return false;
  const Memory memory = memory_of(block, generation);
  if (address < memory.base || address >= memory.base + memory.stride * kPartitions) return false;
  block.partition = static_cast<std::uint32_t>((address - memory.base) / memory.stride);
  block.offset = static_cast<std::uint32_t>((address - memory.base) % memory.stride);
  return true;
}

// Offset in the partition of an element of the stream.
std::int64_t byte_of(const Block& block, std::uint64_t element) {
  std::int64_t steps = 0;
  for (std::size_t d = 0; d < 4; ++d) {
    steps += static_cast<std::int64_t>(element % block.counts[d]) * block.steps[d];
    element /= block.counts[d];
  }
  return block.offset + steps * static_cast<std::int64_t>(block.element_bytes);
}

std::uint64_t whole_stream(const Block& block) {
  std::uint64_t count = 1;
  for (const std::uint16_t n : block.counts) count *= n;
  return count;
}

std::vector<std::int64_t> touched_bytes(const Block& block) {
  std::vector<std::int64_t> bytes;
  for (std::uint64_t e = block.first; e < block.first + block.elements; ++e) {
    const std::int64_t start = byte_of(block, e);
    for (unsigned b = 0; b < block.element_bytes; ++b) bytes.push_back(start + b);
  }
  std::sort(bytes.begin(), bytes.end());
  return bytes;
}

bool same_stream(const Block& a, const Block& b) {
  return a.offset == b.offset && a.element_bytes == b.element_bytes && a.steps == b.steps && a.counts == b.counts;
}

bool covers(const Block& operand, const Block& access) {
  if (access.psum != operand.psum || access.partition < operand.partition ||
      access.partition + access.channels > operand.partition + operand.channels)
    return false;
  if (same_stream(operand, access)) return access.first + access.elements <= operand.elements;
  const auto all = touched_bytes(operand), some = touched_bytes(access);
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// Every byte lies in memory that exists.
bool in_memory(const Block& block, isa::Generation generation) {
  const auto active = static_cast<std::int64_t>(memory_of(block, generation).active);
  if (block.channels == 0 || block.partition + block.channels > kPartitions) return false;
  if (block.elements == 0 || block.first + block.elements > whole_stream(block)) return false;
  std::int64_t lowest = block.offset, highest = block.offset;
  for (std::size_t d = 0; d < 4; ++d) {
    const std::int64_t span = std::int64_t{block.steps[d]} * (block.counts[d] - 1) * block.element_bytes;
    (span < 0 ? lowest : highest) += span;
  }
  if (lowest >= 0 && highest + block.element_bytes <= active) return true;
  const auto bytes = touched_bytes(block);  // a part of the stream may stay inside where the whole does not
  return bytes.front() >= 0 && bytes.back() < active;
}

// ADDR4: an address, or the register that holds it; nothing for the forms that gather or take the shape elsewhere. The
// tests are those of isa.md 2.1; markers that it does not name fall through all of them.
std::optional<std::uint32_t> resolve(std::uint32_t addr4, const ReadRegister& registers) {
  const std::uint32_t top = addr4 >> 24;
  const bool indirect = (top & 0x60) == 0x20, shaped = (top & 0xE0) == 0x40 || (top & 0xE0) == 0xC0;
  if (indirect || shaped) return std::nullopt;
  if ((top & 0xA0) != 0x80) return addr4 & 0x1FFFFFFF;
  return (addr4 & 0xFF) < 64 ? std::optional(registers(addr4 & 0xFF)) : std::nullopt;
}

// Address of an immediate; nothing for a literal.
std::optional<std::uint32_t> resolve_immediate(const WordBytes& word, const OperandField& field,
                                               const ReadRegister& registers) {
  const std::uint32_t raw = bytes_at(word, field.byte, 4);
  if (field.selector == Selector::always_pointer) return resolve(raw, registers);
  const unsigned source = code_in(word, field.source);
  if (source == 2) return (raw & 0xFF) < 64 ? std::optional(registers(raw & 0xFF)) : std::nullopt;
  const bool pointer = source == 0 ? field.selector != Selector::zero_literal : field.selector != Selector::one_literal;
  return source < 2 && pointer ? resolve(raw, registers) : std::nullopt;
}

unsigned operand_dtype(const WordBytes& word, const OperandField& field) {
  constexpr unsigned kFp32 = 0x0A;
  if (!field.dtype) return kFp32;
  const unsigned dtype = code_in(word, *field.dtype);
  return field.dimensions == 0 && word[0] == 0x63 && dtype == 0 ? kFp32 : dtype;  // isa.md 7.2
}

std::optional<Block> block_of(const WordBytes& word, const WordFormat& format, const OperandField& field,
                              isa::Generation generation, const ReadRegister& registers) {
  const auto address = field.dimensions == 0 ? resolve_immediate(word, field, registers)
                                             : resolve(bytes_at(word, field.byte, 4), registers);
  Block block;
  block.element_bytes = element_bytes(operand_dtype(word, field));
  if (!address || block.element_bytes == 0 || !place(*address, generation, block)) return std::nullopt;
  block.channels = field.one_channel ? 1 : word[format.channels_byte];
  for (unsigned d = 0; d < field.dimensions; ++d) {
    block.steps[d] = static_cast<std::int16_t>(bytes_at(word, field.byte + 4 + 2 * d, 2));
    block.counts[d] = static_cast<std::uint16_t>(bytes_at(word, field.byte + 4 + 2 * (field.dimensions + d), 2));
  }
  block.elements = whole_stream(block);
  return block;
}

// ---- Formats ----

CodeAt byte(unsigned b) { return {b, Part::byte}; }
CodeAt low(unsigned b) { return {b, Part::low}; }
CodeAt high(unsigned b) { return {b, Part::high}; }

OperandField tensor(OperandField::Use use, unsigned at, unsigned dimensions, CodeAt dtype) {
  OperandField field;
  field.use = use;
  field.byte = at;
  field.dimensions = dimensions;
  field.dtype = dtype;
  return field;
}
OperandField pointer(unsigned at, std::optional<CodeAt> dtype, Selector selector = Selector::always_pointer,
                     CodeAt source = {}) {
  OperandField field;
  field.byte = at;
  field.dtype = dtype;
  field.selector = selector;
  field.source = source;
  return field;
}

constexpr auto kReads = OperandField::reads, kWrites = OperandField::writes, kKeeps = OperandField::keeps;

WordFormat s4d2_bn() { return {34, {tensor(kReads, 12, 4, byte(32)), tensor(kWrites, 48, 2, byte(33))}}; }

WordFormat s3s3d1_bn() {
  return {63,
          {pointer(12, byte(61)), pointer(56, byte(61)), tensor(kReads, 16, 3, low(60)),
           tensor(kReads, 32, 3, high(60)), tensor(kWrites, 48, 1, byte(62))}};
}

WordFormat s3s3d1_bn2() {
  return {
      63,
      {pointer(12, low(61), Selector::zero_pointer, low(62)), pointer(56, low(61), Selector::zero_pointer, high(62)),
       tensor(kReads, 16, 3, low(60)), tensor(kReads, 32, 3, high(60)), tensor(kWrites, 48, 1, high(61))}};
}

WordFormat s2_bn() {
  return {34, {tensor(kReads, 16, 2, byte(32)), pointer(44, std::nullopt, Selector::zero_pointer, byte(48))}};
}

WordFormat s2_bnpl2() {
  return {34,
          {tensor(kReads, 12, 2, byte(32)), pointer(40, byte(33), Selector::zero_pointer, byte(48)),
           pointer(44, byte(33), Selector::zero_pointer, byte(49))}};
}

WordFormat s3s3d3_tt(OperandField::Use destination) {
  return {15, {tensor(kReads, 16, 3, low(12)), tensor(kReads, 32, 3, high(12)), tensor(destination, 48, 3, byte(13))}};
}

WordFormat s3d3_ts(std::optional<CodeAt> scalar_dtype) {
  return {34,
          {tensor(kReads, 16, 3, byte(32)), tensor(kWrites, 48, 3, byte(33)),
           pointer(40, scalar_dtype, Selector::zero_literal, byte(35)),
           pointer(44, scalar_dtype, Selector::zero_literal, byte(39))}};
}

WordFormat s4d4(bool one_partition) {
  WordFormat format = {34, {tensor(kReads, 12, 4, byte(32)), tensor(kWrites, 44, 4, byte(33))}};
  format.operands[1].one_channel = one_partition;
  return format;
}

WordFormat s3d3_ac() {
  return {34,
          {tensor(kReads, 16, 3, low(32)), tensor(kWrites, 48, 3, byte(33)),
           pointer(36, std::nullopt, Selector::zero_literal, byte(13)),
           pointer(40, high(32), Selector::one_literal, byte(15)),
           pointer(44, std::nullopt, Selector::zero_literal, byte(12))}};
}

std::map<std::uint8_t, WordFormat> make_formats() {
  std::map<std::uint8_t, WordFormat> formats;
  for (const std::uint8_t opcode : Opcodes{0x60, 0x61, 0x62, 0x82}) formats[opcode] = s4d2_bn();
  for (const std::uint8_t opcode : Opcodes{0x41, 0x51, 0x65}) formats[opcode] = s3s3d3_tt(kWrites);
  for (const std::uint8_t opcode : Opcodes{0x72, 0x99}) formats[opcode] = s3s3d3_tt(kKeeps);
  for (const std::uint8_t opcode : Opcodes{0x42, 0x46, 0x47, 0x48}) formats[opcode] = s4d4(false);
  for (const std::uint8_t opcode : Opcodes{0x7C, 0x7D}) formats[opcode] = s4d4(true);
  formats[0x43] = s3d3_ts(std::nullopt);
  formats[0x53] = s3d3_ts(byte(32));
  formats[0x49] = {34, {tensor(kWrites, 44, 4, byte(32))}};
  formats[0x63] = s3s3d1_bn();
  formats[0x94] = s3s3d1_bn2();
  formats[0x64] = s2_bn();
  formats[0x8E] = s2_bnpl2();
  formats[0x21] = s3d3_ac();
  formats[0x24] = {34, {tensor(kWrites, 44, 1, byte(32))}};
  return formats;
}

bool is(const WordBytes& word, const Opcodes& opcodes) {
  return std::find(opcodes.begin(), opcodes.end(), word[0]) != opcodes.end();
}

}  // namespace

std::uint32_t bytes_at(const WordBytes& word, unsigned at, unsigned size) {
  std::uint32_t value = 0;
  for (unsigned b = size; b-- > 0;) value = (value << 8) | word[at + b];
  return value;
}

unsigned code_in(const WordBytes& word, CodeAt at) {
  const unsigned value = word[at.byte];
  return at.part == Part::byte ? value : at.part == Part::low ? value & 0xF : value >> 4;
}

const WordFormat& format_of(std::uint8_t opcode) {
  static const auto formats = make_formats();
  static const WordFormat none;
  const auto found = formats.find(opcode);
  return found == formats.end() ? none : found->second;
}

unsigned element_bytes(unsigned dtype) {
  constexpr unsigned kBytes[] = {0, 8, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 1, 1, 1};
  return dtype < std::size(kBytes) ? kBytes[dtype] : 0;
}

const std::vector<std::uint8_t>& opcodes_of(isa::Engine engine) {
  static const Opcodes dve = {0x41, 0x42, 0x43, 0x46, 0x47, 0x48, 0x49, 0x51, 0x53, 0x60, 0x61,
                              0x62, 0x63, 0x64, 0x65, 0x66, 0x72, 0x82, 0x8E, 0x94, 0x99};
  static const Opcodes pool = {0x41, 0x42, 0x43, 0x46, 0x47, 0x49, 0x51, 0x7C, 0x7D};
  static const Opcodes act = {0x21, 0x23, 0x24, 0x43, 0x46, 0x47};
  return engine == isa::Engine::dve ? dve : engine == isa::Engine::pool ? pool : act;
}

const std::vector<std::uint8_t>& control_opcodes() {
  static const Opcodes control = {0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA7, 0xAA, 0xAB, 0xB0};
  return control;
}

std::string objection(const WordBytes& word, Access access, isa::Generation generation, const ReadRegister& registers) {
  Block& block = access.block;
  if (!place(access.address, generation, block)) return "an address in no memory";
  if (!in_memory(block, generation)) return "bytes outside the memory's active bytes";
  const WordFormat& format = format_of(word[0]);
  for (const OperandField& field : format.operands) {
    if (access.write ? field.use == kReads : field.use == kWrites) continue;
    const auto operand = block_of(word, format, field, generation, registers);
    if (operand && covers(*operand, block)) return {};
  }
  return access.write ? "a write that no destination covers" : "a read that no source covers";
}

std::string param_ram_objection(const WordBytes& word, bool write, std::uint64_t offset, std::uint64_t length) {
  constexpr std::uint64_t kBytes = 1024;
  if (offset > kBytes || length > kBytes - offset) return "bytes outside the Parameter-RAM";
  if (!write) return is(word, {0x60, 0x61, 0x65, 0x82}) ? "" : "a read by a word that takes no reciprocal";
  const std::uint64_t entry = bytes_at(word, 12, 2);
  const bool loads = is(word, {0x66}) && offset >= 4 * entry && offset + length <= 4 * (entry + 8);
  return loads ? "" : "a write that LoadParameterRam does not ask for";
}

std::string transfer_objection(const WordBytes& word, bool write, std::uint64_t address, std::uint64_t length,
                               const ReadRegister& registers) {
  if (!is(word, {0xAA, 0xAB}) || write != is(word, {0xAB})) return "no transfer of this direction";
  const unsigned bytes = element_bytes(word[12]);
  std::uint64_t start = bytes_at(word, 16, 4) | (std::uint64_t{bytes_at(word, 20, 4)} << 32);
  if ((start >> 63) != 0) {
    if ((start & 0xFF) >= 64) return "a start in a register that does not exist";
    start = registers(start & 0xFF);
  }
  for (unsigned y = 0; y < word[15]; ++y) {
    for (unsigned x = 0; x < word[14]; ++x) {
      const std::int64_t element = std::int64_t{static_cast<std::int32_t>(bytes_at(word, 24, 4))} * x +
                                   std::int64_t{static_cast<std::int32_t>(bytes_at(word, 28, 4))} * y;
      if (address == start + static_cast<std::uint64_t>(element) * bytes && length == bytes) return {};
    }
  }
  return "an address that is no element's";
}

}  // namespace dve::random_stream
