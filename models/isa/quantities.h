// Strong types for numbers that must not be mixed: amounts (which can be added) and ordinals (which cannot).
#pragma once

#include <cstdint>

namespace dve::isa {

// An amount of one kind of thing. Amounts of the same kind add, subtract and compare; different kinds do not mix.
template <class Tag>
struct Quantity {
  std::uint64_t value = 0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(std::uint64_t v) : value(v) {}

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
  friend constexpr Quantity operator*(Quantity a, std::uint64_t k) { return Quantity(a.value * k); }
  constexpr Quantity& operator+=(Quantity b) {
    value += b.value;
    return *this;
  }
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.value == b.value; }
  friend constexpr bool operator!=(Quantity a, Quantity b) { return a.value != b.value; }
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.value < b.value; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.value <= b.value; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return a.value > b.value; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return a.value >= b.value; }
};

using Cycles = Quantity<struct CyclesTag>;      // clock cycles of one engine
using Bytes = Quantity<struct BytesTag>;        // storage or traffic
using Elements = Quantity<struct ElementsTag>;  // tensor elements of one partition (one channel's stream)

// Ordinals: which one, not how many.
enum class Partition : std::uint32_t {};      // SBUF or PSUM partition, 0..127 (isa.md 3)
enum class SemaphoreIndex : std::uint8_t {};  // 0..255 (isa.md 14)
enum class EventIndex : std::uint8_t {};      // 0..255 (isa.md 14)
enum class RegisterIndex : std::uint8_t {};   // sequencer general register, 0..63 (isa.md 5.3)

constexpr std::uint32_t number(Partition p) { return static_cast<std::uint32_t>(p); }
constexpr std::uint32_t number(SemaphoreIndex s) { return static_cast<std::uint32_t>(s); }
constexpr std::uint32_t number(EventIndex e) { return static_cast<std::uint32_t>(e); }
constexpr std::uint32_t number(RegisterIndex r) { return static_cast<std::uint32_t>(r); }

}  // namespace dve::isa
