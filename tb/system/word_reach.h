// Which bytes of memory an instruction word may touch, from the tables of isa.md 2, 3, 4, 8, 12, 13.1 and
// isa-neighbours.md 2 to 8. Shares nothing with the models but the generations' names.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::random_stream {

using WordBytes = std::array<std::uint8_t, 64>;
using ReadRegister = std::function<std::uint32_t(unsigned)>;

std::uint32_t bytes_at(const WordBytes& word, unsigned byte, unsigned size);  // little-endian, up to 4

// Where a code stands in a word: a byte, or its low or high nibble.
struct CodeAt {
  enum class Part { byte, low, high };
  unsigned byte = 0;
  Part part = Part::byte;
};
unsigned code_in(const WordBytes& word, CodeAt at);

// What a selector says of an immediate: the place of its value in 0, 1, 2.
enum class Selector {
  always_pointer,  // there is no selector
  zero_literal,    // literal, pointer, register
  zero_pointer,    // pointer, pointer, register (ParamLoad and GradAccum2)
  one_literal      // pointer, literal, register (bias of Activate)
};

// One memory operand of a format: a tensor of 1 to 4 dimensions, or with 0 a pointer to one value a partition.
struct OperandField {
  enum Use { reads, writes, keeps };  // keeps: the destination of predicated words is read as well
  Use use = reads;
  unsigned byte = 0;  // of its ADDR4
  unsigned dimensions = 0;
  std::optional<CodeAt> dtype;  // none: fp32
  Selector selector = Selector::always_pointer;
  CodeAt source{};           // of the selector
  bool one_channel = false;  // whatever num_active_channels says
};
struct WordFormat {
  unsigned channels_byte = 0;
  std::vector<OperandField> operands;
};
const WordFormat& format_of(std::uint8_t opcode);  // without operands for every other byte

// Bytes of one element, 0 for codes whose elements nothing can touch.
unsigned element_bytes(unsigned dtype);

// Opcodes of an engine's stream without those that the sequencer executes itself, and those.
const std::vector<std::uint8_t>& opcodes_of(isa::Engine engine);
const std::vector<std::uint8_t>& control_opcodes();

// A strided block of elements over neighbouring partitions: what an operand covers, or what an access moves.
struct Block {
  bool psum = false;
  std::uint32_t partition = 0, channels = 0;
  std::uint32_t offset = 0;  // bytes
  unsigned element_bytes = 0;
  std::array<std::int16_t, 4> steps{1, 1, 1, 1};
  std::array<std::uint16_t, 4> counts{1, 1, 1, 1};
  std::uint64_t first = 0, elements = 0;  // the part of the stream that counts
};
struct Access {
  bool write = false;
  std::uint64_t address = 0;  // on chip
  Block block;                // memory, partition and offset follow from the address
};

// Why the access is not the word's; empty when it is.
std::string objection(const WordBytes& word, Access access, isa::Generation generation, const ReadRegister& registers);

// The same for the Parameter-RAM (isa.md 11): `offset` in bytes.
std::string param_ram_objection(const WordBytes& word, bool write, std::uint64_t offset, std::uint64_t length);

// The same for what the sequencer itself moves, TensorLoad and TensorStore (isa.md 13.1).
std::string transfer_objection(const WordBytes& word, bool write, std::uint64_t address, std::uint64_t length,
                               const ReadRegister& registers);

}  // namespace dve::random_stream
