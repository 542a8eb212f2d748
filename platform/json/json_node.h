// Checked access to a JSON document: every error names the file, the key, the value and what was expected.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dve::json {

using Json = nlohmann::ordered_json;

// The document in `path`. layer::InputError when it cannot be read, is no JSON, is nested deeper than 32
// levels or has a key twice in one object.
Json parse_json(const std::filesystem::path& path);

// A value and the way to it. The document and the path must outlive the node.
class JsonNode {
 public:
  JsonNode(const Json& value, const std::filesystem::path& file, std::string key)
      : value_(&value), file_(&file), key_(std::move(key)) {}

  // layer::InputError "<file>: <key> is <value>, expected <expected>".
  [[noreturn]] void fail(std::string_view expected) const;

  void expect_keys(std::initializer_list<std::string_view> keys) const;  // an object with exactly these
  // An object with all of the first, and any of the second.
  void allow_keys(std::initializer_list<std::string_view> required,
                  std::initializer_list<std::string_view> optional) const;
  bool has(std::string_view key) const;     // an object with this key
  JsonNode at(std::string_view key) const;  // of an object; the key must be there
  std::vector<JsonNode> list() const;       // elements of an array
  std::uint64_t integer(std::uint64_t least, std::uint64_t most) const;
  double number() const;  // finite
  std::string text() const;
  bool boolean() const;
  bool is_text() const { return value_->is_string(); }
  const Json& value() const { return *value_; }

  // The value whose name this string is, out of {name, value} pairs.
  template <class T>
  T one_of(std::initializer_list<std::pair<std::string_view, T>> names) const {
    const std::string given = text();
    std::string expected;
    for (const auto& [name, value] : names) {
      if (given == name) return value;
      expected += fmt::format("{}{}", expected.empty() ? "" : " or ", name);
    }
    fail(expected);
  }

 private:
  const Json* value_;
  const std::filesystem::path* file_;
  std::string key_;
};

}  // namespace dve::json
