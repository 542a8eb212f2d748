// One line `mnemonic key=value ...` becomes one word.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control_words.h"
#include "dve/isa/isa.h"
#include "scanner.h"
#include "syntax.h"

namespace dve::assembly {

// Column counts from 1.
struct LineError {
  std::size_t column = 0;
  std::string message;
};

// A part of a line without spaces, and its place.
struct Token {
  std::string_view text;
  std::size_t column = 0;
};
// The next token from `at` on, which moves behind it; empty text at the end of the line.
Token next_token(std::string_view line, std::size_t& at);

class LineAssembler {
 public:
  explicit LineAssembler(isa::Generation generation) : generation_(generation) {}

  // The line holds no comment. The word is what could be made of it when there are errors.
  isa::Word assemble(std::string_view line);
  // Of the last line, by column; at most kMaxErrors.
  const std::vector<LineError>& errors() const { return errors_; }

 private:
  struct Given {
    std::string_view value;
    std::size_t column = 0;  // of the value
  };

  void assemble_word_directive(const Token& directive, std::string_view line, std::size_t at);
  void collect(std::string_view line, std::size_t at);
  void take_key(const Token& token);
  void apply_keys(const Token& mnemonic);
  void apply_key(std::size_t index, const Token& mnemonic);
  void apply_default(const Key& key, const Token& mnemonic);
  void apply_value(std::size_t index);
  bool read(Scanner& in, const Key& key, std::size_t& list_size);
  bool read_tensor(Scanner& in, const isa::FieldFormat& field);
  bool read_immediate(Scanner& in, const isa::FieldFormat& field);
  bool read_wait_value(Scanner& in, const Key& key);
  bool read_update_value(Scanner& in, const Key& key);
  bool has_override_of(const isa::FieldFormat& field) const;
  void add_error(std::size_t column, std::string message);

  isa::Generation generation_;
  isa::Word word_;
  const Syntax* syntax_ = nullptr;
  std::array<Given, kMostKeys> values_{};
  GivenKeys given_;
  std::optional<std::uint32_t> wait_value_;  // in the field that update= shares
  std::vector<LineError> errors_;
};

}  // namespace dve::assembly
