// A cursor over one value, and the forms of numbers: each read_ function has the append_ function that writes what it
// reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dve::assembly {

// Reads a value from left to right and keeps the first thing that did not fit. Functions that read return false after
// a failure.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  std::size_t at() const { return at_; }
  std::string_view rest() const { return text_.substr(at_); }

  bool accept(char c) {
    if (peek() != c || at_end()) return false;
    ++at_;
    return true;
  }
  bool accept(std::string_view word) {
    if (rest().substr(0, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  // The longest run of letters, digits, '_' and the characters of `more`.
  std::string_view take_word(std::string_view more = {});

  // What was expected here, or at `position`. Always false.
  bool fail(std::string expected) { return fail_at(at_, std::move(expected)); }
  bool fail_at(std::size_t position, std::string expected);
  bool failed() const { return !expected_.empty(); }
  const std::string& expected() const { return expected_; }
  std::size_t failed_at() const { return failed_at_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::string expected_;
  std::size_t failed_at_ = 0;
};

// Decimal or 0x hexadecimal, `least` to `most`; a minus sign may stand before either when `least` is negative.
bool read_number(Scanner& in, std::int64_t least, std::int64_t most, std::int64_t& value);
bool read_number(Scanner& in, std::uint64_t most, std::uint64_t& value);
template <class T>
bool read_unsigned(Scanner& in, std::uint64_t most, T& value) {
  std::uint64_t number = 0;
  if (!read_number(in, most, number)) return false;
  value = static_cast<T>(number);
  return true;
}
void append_decimal(std::string& out, std::int64_t value);
void append_decimal(std::string& out, std::uint64_t value);
void append_hex(std::string& out, std::uint64_t value);  // "0x2000"

// A binary32: decimal, inf, -inf, nan (0x7FC00000), or the bit pattern in hexadecimal. The text written is the shortest
// that reads back as the same bits.
bool read_fp32(Scanner& in, std::uint32_t& bits);
void append_fp32(std::string& out, std::uint32_t bits);

// "r7", 0 to 63 (isa.md 5.3).
bool read_register(Scanner& in, std::uint8_t& number);
void append_register(std::string& out, std::uint8_t number);

// Exactly 2 * size hexadecimal digits, the bytes in memory order. False, and nothing read, for anything else.
bool is_hex_digits(std::string_view text, std::size_t digits);
void read_hex_bytes(std::string_view digits, std::uint8_t* bytes);
void append_hex_bytes(std::string& out, const std::uint8_t* bytes, std::size_t size);

}  // namespace dve::assembly
