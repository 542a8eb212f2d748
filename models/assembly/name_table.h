// Names of a fixed set, the numbers they stand for, and the name that a misspelt one was meant to be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dve::assembly {

class NameTable {
 public:
  // `name` must outlive the table. Of equal names the first counts.
  void add(std::string_view name, std::uint32_t number);
  std::optional<std::uint32_t> find(std::string_view name) const;
  const std::vector<std::string_view>& names() const { return names_; }

  // The name with the fewest edits (insert, remove, replace, exchange of neighbours), if they are few against the
  // length of `text`; else the first name that begins with `text`; else empty.
  std::string_view nearest(std::string_view text) const;

 private:
  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

// " (did you mean `fp32`?)", or nothing when no name is near.
std::string did_you_mean(const NameTable& table, std::string_view text);

// `text` shortened to what a message can hold, and the same between backquotes.
std::string shortened(std::string_view text);
std::string quoted(std::string_view text);

}  // namespace dve::assembly
