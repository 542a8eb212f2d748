// ADDR4: the four address bytes of a tensor descriptor or pointer immediate (isa.md 2.1).
#pragma once

#include <cstdint>
#include <optional>

#include "generation.h"
#include "quantities.h"

namespace dve::isa {

// Where the start address and the shape come from: the top three bits (isa.md 2.1).
// clang-format off
enum class AddressMarker : std::uint8_t {
  immediate = 0x00, indirect_immediate = 0x20, shape_register = 0x40, address_register = 0x80,
  indirect_register = 0xA0, address_shape_register = 0xC0
};
// clang-format on

// A place in SBUF or PSUM: partition and byte offset inside it.
struct Place {
  Space space = Space::sbuf;
  Partition partition{};
  std::uint32_t offset = 0;  // bytes from the start of the partition; may lie in the hole past the active bytes
  friend bool operator==(const Place& a, const Place& b) {
    return a.space == b.space && a.partition == b.partition && a.offset == b.offset;
  }
};

struct Addr4 {
  std::uint32_t raw = 0;

  constexpr std::uint8_t top_byte() const { return static_cast<std::uint8_t>(raw >> 24); }
  constexpr std::uint8_t marker() const { return static_cast<std::uint8_t>(top_byte() & 0xE0); }
  constexpr std::uint32_t partition_offset() const { return raw & kPartitionAddressMask; }
  // The address comes from a sequencer register; bits 0-7 name it, the rest must be zero.
  constexpr bool from_register() const { return (top_byte() & 0xA0) == 0x80; }
  constexpr bool indirect() const { return (top_byte() & 0x60) == 0x20; }
  constexpr bool shape_from_register() const { return marker() == 0x40 || marker() == 0xC0; }
  constexpr std::uint8_t register_number() const { return static_cast<std::uint8_t>(raw & 0xFF); }
  friend constexpr bool operator==(Addr4 a, Addr4 b) { return a.raw == b.raw; }

  // ADDR4 with marker 0x80: the address is what register r holds when the word executes.
  static constexpr Addr4 in_register(RegisterIndex r) { return {0x80000000u | number(r)}; }
};

// Decodes a 29-bit on-chip address. Empty when it lies in neither memory of the generation. The offset is not checked
// against the active bytes: holes decode, and fail where they are accessed or checked.
std::optional<Place> place_of(std::uint32_t partition_offset, Generation generation);

// Encodes a place as an immediate ADDR4. Partition and offset must fit the geometry (offset < partition stride).
Addr4 address_of(const Place& place, Generation generation);

}  // namespace dve::isa
