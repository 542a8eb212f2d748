// Names of enumeration bytes: from a table, or "0x2a" for those that have none.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dve::isa {

// Lower-case hexadecimal text of a byte; the storage lives as long as the program.
inline std::string_view hex_name(std::uint8_t byte) {
  using Text = std::array<char, 4>;
  static const std::array<Text, 256> texts = [] {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<Text, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = {'0', 'x', digits[i >> 4], digits[i & 0xF]};
    return all;
  }();
  return {texts[byte].data(), texts[byte].size()};
}

// The entry of a table of {code, name, ...} with this code; nullptr when there is none.
template <class Table, class Code>
const typename Table::value_type* find_code(const Table& table, Code code) {
  for (const auto& entry : table) {
    if (entry.code == code) return &entry;
  }
  return nullptr;
}

// Name of a code in such a table, hexadecimal for one without.
template <class Table, class Code>
std::string_view name_in(const Table& table, Code code) {
  const auto* entry = find_code(table, code);
  return entry != nullptr ? entry->name : hex_name(static_cast<std::uint8_t>(code));
}

// The inverse, hexadecimal forms included. Empty for any other text.
template <class Table>
auto code_in(const Table& table, std::string_view text) -> std::optional<decltype(Table::value_type::code)> {
  for (const auto& entry : table) {
    if (entry.name == text) return entry.code;
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (hex_name(static_cast<std::uint8_t>(byte)) == text) return static_cast<decltype(Table::value_type::code)>(byte);
  }
  return std::nullopt;
}

}  // namespace dve::isa
