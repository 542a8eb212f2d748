#include "control_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "addresses.h"
#include "field_text.h"

namespace dve::assembly {
namespace {

using isa::CtrlMv;
using isa::CtrlSr;
using isa::Dtype;
using isa::Mem2D;
using isa::Opcode;
using isa::Word;

constexpr std::uint8_t kRegisters = 0, kImmediates = 1;  // Move's source, TensorStore's src_datasrc
constexpr std::uint8_t kRange = 0, kBitmask = 1;         // SemaphoreRangeClear's mode
constexpr std::size_t kMoves = 8;
constexpr std::size_t kDataBytes = 32;

// The offsets of isa.md 13.1.
constexpr std::size_t kNumMov = 12, kMoveDtype = 13, kMoveSource = 14, kSrcRegs = 16, kDstRegs = 24,
                      kMoveImmediate = 32;
constexpr std::size_t kMemDtype = 12, kDatasrc = 13, kNumElem = 14, kStartAddr = 16, kStepElem = 24, kData = 32;
constexpr std::size_t kMode = 12, kBitmaskBytes = 32;

std::uint8_t* at(Word& word, std::size_t offset) { return word.bytes.data() + offset; }
Dtype dtype_at(const Word& word, std::size_t offset) { return static_cast<Dtype>(word.bytes[offset]); }

bool read_destinations(Scanner& in, Word& word, std::size_t& size) {
  if (!read_registers(in, kMoves, false, at(word, kDstRegs), size)) return false;
  word.bytes[kNumMov] = static_cast<std::uint8_t>(size);
  return true;
}

bool read_sources(Scanner& in, Word& word, std::size_t& size) {
  word.bytes[kMoveSource] = kRegisters;
  return read_registers(in, kMoves, true, at(word, kSrcRegs), size);
}

// `bytes` each, at most `most`, from `offset` on.
bool read_values(Scanner& in, Dtype dtype, std::size_t bytes, std::size_t most, std::uint8_t* place,
                 std::size_t& size) {
  size = 0;
  do {
    if (size == most) return in.fail(fmt::format("at most {} values", most));
    std::uint64_t bits = 0;
    if (!read_value(in, dtype, bytes, bits)) return false;
    std::memcpy(place + size * bytes, &bits, bytes);
    ++size;
  } while (in.accept(','));
  return true;
}

bool read_move_values(Scanner& in, Word& word, std::size_t& size) {
  word.bytes[kMoveSource] = kImmediates;
  return read_values(in, dtype_at(word, kMoveDtype), 4, kMoves, at(word, kMoveImmediate), size);
}

bool read_data_values(Scanner& in, Word& word, std::size_t& size) {
  const Dtype dtype = dtype_at(word, kMemDtype);
  const auto bytes = static_cast<std::size_t>(storage_size(dtype).value);
  if (bytes == 0) return in.fail("a dtype of whole bytes in dst=");
  word.bytes[kDatasrc] = kImmediates;
  return read_values(in, dtype, bytes, kDataBytes / bytes, at(word, kData), size);
}

bool read_memory(Scanner& in, isa::Generation generation, Word& word) {
  std::uint64_t address = 0;
  Shape shape;
  if (!read_addr8(in, generation, address)) return false;
  if (!in.accept(':')) return in.fail("`:` and a dtype");
  if (!read_dtype(in, 255, word.bytes[kMemDtype]) || !read_shape(in, kMem2dLimits, shape)) return false;
  word.put(kStartAddr, address);
  for (std::size_t d = 0; d < 2; ++d) {
    word.bytes[kNumElem + d] = static_cast<std::uint8_t>(shape.counts[d]);
    word.put(kStepElem + 4 * d, static_cast<std::int32_t>(shape.steps[d]));
  }
  return true;
}

void append_memory(std::string& out, isa::Generation generation, const Word& word) {
  const auto i = isa::decode_as<Mem2D>(word);
  Shape shape;
  for (std::size_t d = 0; d < 2; ++d) {
    shape.counts[d] = i.num_elem[d];
    shape.steps[d] = i.step_elem[d];
  }
  append_addr8(out, i.start_addr.raw, generation);
  out += ':';
  append_dtype(out, code(i.dtype));
  append_shape(out, shape);
}

bool read_semaphores(Scanner& in, Word& word) {
  std::uint8_t* mask = at(word, kBitmaskBytes);
  word.bytes[kMode] = kBitmask;
  if (is_hex_digits(in.rest(), 2 * kDataBytes)) {
    read_hex_bytes(in.take_word(), mask);
    return true;
  }
  do {
    std::uint8_t semaphore = 0;
    if (!read_unsigned(in, 255, semaphore)) return false;
    mask[semaphore / 8] = static_cast<std::uint8_t>(mask[semaphore / 8] | (1u << (semaphore % 8)));
  } while (in.accept(','));
  return true;
}

std::vector<std::uint32_t> members(const CtrlSr& i) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t n = 0; n < 256; ++n) {
    if (((i.bitmask[n / 8] >> (n % 8)) & 1) != 0) list.push_back(n);
  }
  return list;
}

void append_semaphores(std::string& out, const CtrlSr& i) {
  constexpr std::size_t kListed = 16;
  const std::vector<std::uint32_t> list = members(i);
  if (list.size() > kListed) return append_hex_bytes(out, i.bitmask.data(), i.bitmask.size());
  for (const std::uint32_t n : list) {
    if (n != list.front()) out += ',';
    append_decimal(out, std::uint64_t{n});
  }
}

bool append_values(std::string& out, Dtype dtype, std::size_t bytes, const std::uint8_t* place, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    if (k > 0) out += ',';
    std::uint64_t bits = 0;
    std::memcpy(&bits, place + k * bytes, bytes);
    append_value(out, dtype, bytes, bits);
  }
  return true;
}

template <std::size_t N>
bool append_register_list(std::string& out, const std::array<std::uint8_t, N>& bytes, std::size_t size,
                          bool (*is_allowed)(std::uint8_t)) {
  if (size == 0 || size > N || !std::all_of(bytes.begin(), bytes.begin() + static_cast<long>(size), is_allowed))
    return false;
  append_registers(out, bytes.data(), size);
  return true;
}

bool is_register(std::uint8_t number) { return number < isa::kRegisters; }

bool append_move(std::string& out, Form form, const Word& word) {
  const auto i = isa::decode_as<CtrlMv>(word);
  if (form == Form::move_destinations) return append_register_list(out, i.dst_regs, i.num_mov, is_register);
  if (form == Form::move_sources)
    return i.source == kRegisters && append_register_list(out, i.src_regs, i.num_mov, is_move_source);
  if (i.source != kImmediates || i.num_mov == 0 || i.num_mov > kMoves) return false;
  return append_values(out, i.dtype, 4, word.bytes.data() + kMoveImmediate, i.num_mov);
}

bool append_data(std::string& out, Form form, const Word& word) {
  const auto i = isa::decode_as<Mem2D>(word);
  const std::size_t size = std::size_t{i.num_elem[0]} * i.num_elem[1];
  if (form == Form::data_registers)
    return i.src_datasrc == kRegisters && append_register_list(out, i.data, size, is_register);
  const auto bytes = static_cast<std::size_t>(storage_size(i.dtype).value);
  if (i.src_datasrc != kImmediates || bytes == 0 || size == 0 || size * bytes > kDataBytes) return false;
  return append_values(out, i.dtype, bytes, i.data.data(), size);
}

// A range by first= and last=, a set by bitmask=, anything else by all four keys.
bool append_range_clear(std::string& out, const Key& key, isa::Generation generation, const Word& word) {
  const auto i = isa::decode_as<CtrlSr>(word);
  const bool has_members = !members(i).empty();
  const bool is_range = i.mode == kRange && !has_members;
  const bool is_set = i.mode == kBitmask && has_members && i.first == 0 && i.last == 0;
  if (key.form == Form::semaphores) {
    if (has_members) append_semaphores(out, i);
    return has_members;
  }
  if (is_set || (is_range && key.name == "mode")) return false;
  append_field(out, *key.field, generation, word);
  return true;
}

bool any_override(const Syntax& syntax, const GivenKeys& given) {
  for (std::size_t k = 0; k < syntax.keys.size(); ++k) {
    const Key& key = syntax.keys[k];
    const bool in_payload = key.field->byte >= 12;
    if (key.presence == Presence::override && in_payload && given.keys[k]) return true;
  }
  return false;
}

std::string one_source(std::string_view list) {
  return fmt::format("expected src= or immediate=, {}, and not both", list);
}

std::string move_fault(const Syntax& syntax, const GivenKeys& given) {
  if (!given.has(syntax, "dst")) return "the key dst= is required: the registers written";
  const bool values = given.has(syntax, "immediate");
  if (given.has(syntax, "src") == values) return one_source("the registers or values read");
  const std::size_t moves = given.list_size(syntax, "dst");
  const std::string_view source = values ? "immediate" : "src";
  const std::size_t size = given.list_size(syntax, source);
  if (size == moves) return {};
  return fmt::format("{}= has {} elements, expected {}, one for each register of dst=", source, size, moves);
}

std::string data_fault(const Syntax& syntax, const GivenKeys& given, const Word& word) {
  const bool load = syntax.opcode == Opcode::tensor_load;
  const std::string_view memory = load ? "src" : "dst", registers = load ? "dst" : "src";
  if (!given.has(syntax, memory)) return fmt::format("the key {}= is required: address:dtype{{counts;steps}}", memory);
  const bool values = !load && given.has(syntax, "immediate");
  if (load && !given.has(syntax, registers)) return "the key dst= is required: the registers written";
  if (!load && given.has(syntax, registers) == values) return one_source("the registers or values stored");
  const std::size_t elements = std::size_t{word.bytes[kNumElem]} * word.bytes[kNumElem + 1];
  const std::string_view list = values ? "immediate" : registers;
  const std::size_t size = given.list_size(syntax, list);
  if (size == elements) return {};
  return fmt::format("{}= has {} elements, expected {}, one for each element of {}=", list, size, elements, memory);
}

std::string range_fault(const Syntax& syntax, const GivenKeys& given) {
  if (given.has(syntax, "mode")) return {};
  const bool first = given.has(syntax, "first"), last = given.has(syntax, "last");
  const bool range = first && last, set = given.has(syntax, "bitmask");
  if (first == last && range != set) return {};
  return "expected first= and last=, or bitmask= alone (anything else with mode=)";
}

}  // namespace

bool GivenKeys::has(const Syntax& syntax, std::string_view name) const {
  const auto index = syntax.names.find(name);
  return index && keys[*index];
}

std::size_t GivenKeys::list_size(const Syntax& syntax, std::string_view name) const {
  const auto index = syntax.names.find(name);
  return index ? list_sizes[*index] : 0;
}

bool read_list_value(Scanner& in, const Key& key, isa::Generation generation, Word& word, std::size_t& list_size) {
  switch (key.form) {
    case Form::move_destinations:
      return read_destinations(in, word, list_size);
    case Form::move_sources:
      return read_sources(in, word, list_size);
    case Form::move_values:
      return read_move_values(in, word, list_size);
    case Form::memory:
      return read_memory(in, generation, word);
    case Form::data_registers:
      return read_registers(in, kDataBytes, false, at(word, kData), list_size);
    case Form::data_values:
      return read_data_values(in, word, list_size);
    default:
      return read_semaphores(in, word);
  }
}

std::string group_fault(const Syntax& syntax, const GivenKeys& given, const Word& word) {
  if (any_override(syntax, given)) return {};
  switch (syntax.opcode) {
    case Opcode::move:
      return move_fault(syntax, given);
    case Opcode::tensor_load:
    case Opcode::tensor_store:
      return data_fault(syntax, given, word);
    case Opcode::semaphore_range_clear:
      return range_fault(syntax, given);
    default:
      return {};
  }
}

bool append_group_value(std::string& out, const Key& key, isa::Generation generation, const Word& word) {
  switch (key.form) {
    case Form::move_destinations:
    case Form::move_sources:
    case Form::move_values:
      return append_move(out, key.form, word);
    case Form::data_registers:
    case Form::data_values:
      return append_data(out, key.form, word);
    case Form::memory:
      append_memory(out, generation, word);
      return true;
    default:
      return append_range_clear(out, key, generation, word);
  }
}

}  // namespace dve::assembly
