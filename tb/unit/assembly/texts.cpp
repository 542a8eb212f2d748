#include "texts.h"

#include <cstring>
#include <sstream>

namespace dve::assembly::test {
namespace {

std::string all_errors(const Assembled& assembled) {
  std::ostringstream text;
  for (const SourceError& e : assembled.errors) text << e.line << ":" << e.column << ": " << e.message << "\n";
  return text.str();
}

}  // namespace

Bytes::Bytes(std::uint8_t opcode) {
  word_.bytes[0] = opcode;
  word_.bytes[1] = 0x10;
}

Bytes& Bytes::at(std::size_t offset, std::size_t size, std::uint64_t value) {
  for (std::size_t k = 0; k < size; ++k) word_.bytes.at(offset + k) = static_cast<std::uint8_t>(value >> (8 * k));
  return *this;
}

Bytes& Bytes::tensor(std::size_t offset, std::size_t n, std::uint32_t address, const std::vector<std::uint16_t>& counts,
                     const std::vector<std::int16_t>& steps) {
  at(offset, 4, address);
  for (std::size_t d = 0; d < n; ++d) {
    at(offset + 4 + 2 * d, 2, d < steps.size() ? static_cast<std::uint16_t>(steps[d]) : 1u);
    at(offset + 4 + 2 * n + 2 * d, 2, d < counts.size() ? counts[d] : 1u);
  }
  return *this;
}

std::string Bytes::hex() const { return test::hex(word_); }

std::string hex(const isa::Word& word) {
  std::string text;
  for (const std::uint8_t byte : word.bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 0xF];
  }
  return text;
}

std::string bytes_of(std::string_view text, isa::Generation generation) {
  const Assembled assembled = assemble(text, generation);
  if (!assembled.errors.empty()) return all_errors(assembled);
  return assembled.words.size() == 1 ? hex(assembled.words[0].word)
                                     : std::to_string(assembled.words.size()) + " words, not one";
}

testing::AssertionResult one_error(std::string_view text, std::uint32_t line, std::uint32_t column,
                                   std::initializer_list<std::string_view> parts, isa::Generation generation) {
  const Assembled assembled = assemble(text, generation);
  bool right = assembled.errors.size() == 1 && assembled.errors[0].line == line && assembled.errors[0].column == column;
  for (const std::string_view part : parts)
    right = right && assembled.errors[0].message.find(part) != std::string::npos;
  if (right) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "`" << text << "` gives\n"
                                     << all_errors(assembled) << "expected one error at " << line << ":" << column;
}

testing::AssertionResult assembles_to(std::string_view text, const Bytes& expected, isa::Generation generation) {
  const std::string bytes = bytes_of(text, generation);
  if (bytes != expected.hex())
    return testing::AssertionFailure() << "`" << text << "` gives\n" << bytes << "\nexpected\n" << expected.hex();
  const std::string back = disassemble(expected.word(), generation);
  if (back.substr(0, 5) == ".word") return testing::AssertionFailure() << "`" << text << "` has no text back: " << back;
  const std::string again = bytes_of(back, generation);
  if (again == bytes) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "`" << back << "`, the text of `" << text << "`, gives\n" << again;
}

std::uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace dve::assembly::test
