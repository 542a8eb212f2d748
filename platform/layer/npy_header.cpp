#include "npy_header.h"

#include <fmt/format.h>

#include "files.h"

namespace dve::layer {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::filesystem::path& path) : text_(text), path_(path) {}

  NpyHeader parse() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !descr) {
        header.descr = string();
        descr = true;
      } else if (key == "fortran_order" && !order) {
        header.fortran_order = boolean();
        order = true;
      } else if (key == "shape" && !shape) {
        header.shape = tuple();
        shape = true;
      } else {
        fail(fmt::format("header key '{}', expected descr, fortran_order, shape, each once", key));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (position_ != text_.size()) fail(fmt::format("header has text after the dictionary at character {}", position_));
    if (!descr || !order || !shape) fail("header lacks a key, expected descr, fortran_order and shape");
    return header;
  }

 private:
  [[noreturn]] void fail(std::string_view problem) const {
    throw InputError(fmt::format("{}: .npy {}", path_.string(), problem));
  }
  void skip_space() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }
  bool accept(char c) {
    skip_space();
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("header is malformed at character {}, expected '{}'", position_, c));
  }
  std::string string() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = text_.find(quote, position_);
    if (end == std::string_view::npos)
      fail(fmt::format("header has an unterminated string at character {}", position_));
    const std::string_view content = text_.substr(position_, end - position_);
    for (const char c : content) {
      if (c < ' ' || c > '~') fail(fmt::format("header has an unprintable string at character {}", position_));
    }
    position_ = end + 1;
    return std::string(content);
  }
  bool boolean() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(position_, word.size()) == word) {
        position_ += word.size();
        return value;
      }
    }
    fail(fmt::format("header is malformed at character {}, expected True or False", position_));
  }
  std::uint64_t integer() {
    skip_space();
    const std::size_t start = position_;
    std::uint64_t value = 0;
    while (position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9') {
      const auto digit = static_cast<std::uint64_t>(text_[position_] - '0');
      if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) || __builtin_add_overflow(value, digit, &value)) {
        fail("header has a shape number that overflows 64 bits");
      }
      ++position_;
    }
    if (position_ == start) {
      fail(fmt::format("header has a shape that is not of non-negative integers at character {}", position_));
    }
    if (position_ < text_.size() && text_[position_] == 'L') ++position_;  // Python 2 wrote long integers so
    return value;
  }
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> shape;
    expect('(');
    bool comma = true;
    while (!accept(')')) {
      if (!comma)
        fail(fmt::format("header has a shape that is not of non-negative integers at character {}", position_));
      if (shape.size() == 32) fail("header has a shape of more than 32 dimensions");  // numpy's own limit
      shape.push_back(integer());
      comma = accept(',');
    }
    if (shape.size() == 1 && !comma) fail("header has a shape that is a number, expected a tuple");
    return shape;
  }

  std::string_view text_;
  const std::filesystem::path& path_;
  std::size_t position_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::filesystem::path& path) {
  return Parser(text, path).parse();
}

}  // namespace dve::layer
