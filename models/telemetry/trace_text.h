// Text of a trace, put together piece by piece: a trace has a thousand characters a word, so pieces must cost little.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace dve::telemetry {

class TraceText {
 public:
  template <std::size_t kSize>
  TraceText& operator<<(const char (&literal)[kSize]) {
    std::memcpy(room(kSize - 1), literal, kSize - 1);
    return *this;
  }
  TraceText& operator<<(std::string_view piece) {
    std::memcpy(room(piece.size()), piece.data(), piece.size());
    return *this;
  }
  TraceText& operator<<(std::uint64_t value) { return number<10>(value); }
  TraceText& hexadecimal(std::uint64_t value) { return number<16>(value); }
  // A time in femtoseconds with all its digits: in microseconds with nine decimals, in nanoseconds with six.
  TraceText& microseconds(std::uint64_t fs);
  TraceText& nanoseconds(std::uint64_t fs) { return *this << decimal<6>(fs, 1'000'000).text(); }

  std::string_view text() const { return {bytes_.data(), size_}; }
  void clear() { size_ = 0; }

 private:
  struct Decimal {
    std::uint64_t fs = 0;
    std::size_t size = 0;  // 0: empty
    std::array<char, 30> digits;
    std::string_view text() const { return {digits.data(), size}; }
  };

  // Where the next `size` characters go.
  char* room(std::size_t size) {
    if (bytes_.size() - size_ < size) bytes_.resize(2 * (size_ + size));
    char* const at = bytes_.data() + size_;
    size_ += size;
    return at;
  }
  template <int kBase>
  TraceText& number(std::uint64_t value) {
    constexpr std::size_t kMost = 20;
    char* const at = room(kMost);
    const auto end = std::to_chars(at, at + kMost, value, kBase);
    size_ -= static_cast<std::size_t>(at + kMost - end.ptr);
    return *this;
  }
  template <std::size_t kDecimals>
  static Decimal decimal(std::uint64_t fs, std::uint64_t unit) {
    Decimal d;
    d.fs = fs;
    char* point = std::to_chars(d.digits.data(), d.digits.data() + 20, fs / unit).ptr;
    std::uint64_t rest = fs % unit;
    for (std::size_t k = kDecimals; k > 0; --k, rest /= 10) point[k] = static_cast<char>('0' + rest % 10);
    *point = '.';
    d.size = static_cast<std::size_t>(point - d.digits.data()) + 1 + kDecimals;
    return d;
  }

  std::vector<char> bytes_;
  std::size_t size_ = 0;
  std::array<Decimal, 8> recent_;  // the events of a word have few different times
};

inline TraceText& TraceText::microseconds(std::uint64_t fs) {
  Decimal& known = recent_[(fs * 0x9E3779B97F4A7C15u) >> 61];
  if (known.size == 0 || known.fs != fs) known = decimal<9>(fs, 1'000'000'000);
  return *this << known.text();
}

}  // namespace dve::telemetry
