// Names of enumeration bytes that have none: "0x2a".
#pragma once

#include <array>
#include <cstdint>
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

}  // namespace dve::isa
