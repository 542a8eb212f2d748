#include "scanner.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "dve/isa/isa.h"

namespace dve::assembly {
namespace {

constexpr std::uint32_t kNan = 0x7FC00000;
constexpr std::uint32_t kInfinity = 0x7F800000;
constexpr std::uint32_t kSign = 0x80000000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool starts_hex(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

// The whole text as a number; false for anything else and for what 64 bits do not hold.
bool to_unsigned(std::string_view text, std::uint64_t& value) {
  const int base = starts_hex(text) ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  return !text.empty() && stop == end && error == std::errc();
}

bool to_fp32(std::string_view text, std::uint32_t& bits) {
  const bool negative = !text.empty() && text.front() == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits == "inf") {
    bits = negative ? kInfinity | kSign : kInfinity;
    return true;
  }
  if (digits.empty() || !(is_digit(digits.front()) || digits.front() == '.')) return false;
  float value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error != std::errc()) return false;
  std::memcpy(&bits, &value, sizeof bits);
  return true;
}

template <class Number>
void append_chars(std::string& out, Number value, int base) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value, base).ptr;
  out.append(text, end);
}

std::uint8_t nibble(char c) { return static_cast<std::uint8_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10); }

}  // namespace

std::string_view Scanner::take_word(std::string_view more) {
  const std::size_t start = at_;
  const auto belongs = [more](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || (!more.empty() && more.find(c) != more.npos);
  };
  while (at_ < text_.size() && belongs(text_[at_])) ++at_;
  return text_.substr(start, at_ - start);
}

bool Scanner::fail_at(std::size_t position, std::string expected) {
  if (!failed()) {
    failed_at_ = position;
    expected_ = std::move(expected);
  }
  return false;
}

bool read_number(Scanner& in, std::uint64_t most, std::uint64_t& value) {
  const std::size_t start = in.at();
  if (to_unsigned(in.take_word(), value) && value <= most) return true;
  return in.fail_at(start, fmt::format("a number from 0 to {}", most));
}

bool read_number(Scanner& in, std::int64_t least, std::int64_t most, std::int64_t& value) {
  const std::size_t start = in.at();
  const bool negative = least < 0 && in.accept('-');
  const std::uint64_t limit =
      negative ? std::uint64_t{0} - static_cast<std::uint64_t>(least) : static_cast<std::uint64_t>(most);
  std::uint64_t magnitude = 0;
  if (!to_unsigned(in.take_word(), magnitude) || magnitude > limit)
    return in.fail_at(start, fmt::format("a number from {} to {}", least, most));
  value = static_cast<std::int64_t>(negative ? std::uint64_t{0} - magnitude : magnitude);
  return true;
}

void append_decimal(std::string& out, std::int64_t value) { append_chars(out, value, 10); }
void append_decimal(std::string& out, std::uint64_t value) { append_chars(out, value, 10); }
void append_hex(std::string& out, std::uint64_t value) {
  out += "0x";
  append_chars(out, value, 16);
}

bool read_fp32(Scanner& in, std::uint32_t& bits) {
  const std::size_t start = in.at();
  const std::string_view text = in.take_word(".+-");
  if (text == "nan") {
    bits = kNan;
    return true;
  }
  if (starts_hex(text)) {
    std::uint64_t pattern = 0;
    if (to_unsigned(text, pattern) && pattern <= 0xFFFFFFFF) {
      bits = static_cast<std::uint32_t>(pattern);
      return true;
    }
  } else if (to_fp32(text, bits)) {
    return true;
  }
  return in.fail_at(start, "a binary32 number such as 0.5, 1e-5, inf, nan or the bit pattern 0x3f000000");
}

void append_fp32(std::string& out, std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  if (bits == kNan) {
    out += "nan";
  } else if (std::isnan(value)) {
    append_hex(out, bits);
  } else {
    char text[24];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
  }
}

bool read_register(Scanner& in, std::uint8_t& number) {
  const std::size_t start = in.at();
  const std::string_view text = in.take_word();
  std::uint64_t value = 0;
  const bool named = text.size() > 1 && text[0] == 'r' && is_digit(text[1]) && !starts_hex(text.substr(1));
  if (!named || !to_unsigned(text.substr(1), value) || value >= isa::kRegisters)
    return in.fail_at(start, "a register r0 to r63");
  number = static_cast<std::uint8_t>(value);
  return true;
}

void append_register(std::string& out, std::uint8_t number) {
  out += 'r';
  append_decimal(out, std::uint64_t{number});
}

bool is_hex_digits(std::string_view text, std::size_t digits) {
  if (text.size() != digits) return false;
  for (const char c : text) {
    if (!is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'f')) return false;
  }
  return true;
}

void read_hex_bytes(std::string_view digits, std::uint8_t* bytes) {
  for (std::size_t k = 0; k + 1 < digits.size(); k += 2)
    bytes[k / 2] = static_cast<std::uint8_t>((nibble(digits[k]) << 4) | nibble(digits[k + 1]));
}

void append_hex_bytes(std::string& out, const std::uint8_t* bytes, std::size_t size) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (std::size_t k = 0; k < size; ++k) {
    out += kDigits[bytes[k] >> 4];
    out += kDigits[bytes[k] & 0xF];
  }
}

}  // namespace dve::assembly
