// Value forms of the control words that hold lists: Move, TensorLoad, TensorStore, SemaphoreRangeClear (isa.md 13.1).
// One list sets several fields; the raw field keys can still say otherwise.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>

#include "dve/isa/isa.h"
#include "scanner.h"
#include "syntax.h"

namespace dve::assembly {

// The keys that a line has, by their index in Syntax::keys, and how many elements their lists have.
struct GivenKeys {
  std::bitset<kMostKeys> keys;
  std::array<std::size_t, kMostKeys> list_sizes{};

  bool has(const Syntax& syntax, std::string_view name) const;
  std::size_t list_size(const Syntax& syntax, std::string_view name) const;
};

// Reads the value of a key of Form::move_destinations to Form::semaphores into the word.
bool read_list_value(Scanner& in, const Key& key, isa::Generation generation, isa::Word& word, std::size_t& list_size);

// What a line of one of the four lacks, or has too much of; empty when it is whole. With a raw field key, or `mode=` of
// SemaphoreRangeClear, everything goes.
std::string group_fault(const Syntax& syntax, const GivenKeys& given, const isa::Word& word);

// Writes the value of a key of Presence::group. False, and nothing appended, where the word says it by other keys, or
// its fields are not what such a value gives.
bool append_group_value(std::string& out, const Key& key, isa::Generation generation, const isa::Word& word);

}  // namespace dve::assembly
