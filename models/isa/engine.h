// The instruction-executing engines of a NeuronCore that the model has (isa.md 13, 15.1; isa-neighbours.md 1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dve::isa {

// DVE: vector engine, all batch-norm opcodes. POOL: general-purpose engine (GpSimd). ACT: activation engine.
enum class Engine : std::uint8_t { dve, pool, act };
inline constexpr std::array kEngines = {Engine::dve, Engine::pool, Engine::act};

constexpr std::size_t index_of(Engine engine) { return static_cast<std::size_t>(engine); }
std::string_view to_string(Engine engine);  // "dve", "pool", "act"
std::optional<Engine> engine_from_string(std::string_view name);

// Index in the firmware's tables and error records: ACT 1, POOL 2, DVE 3 (isa.md 15.1).
std::uint8_t firmware_index(Engine engine);

// A set of engines.
struct EngineSet {
  std::uint8_t bits = 0;
  constexpr bool contains(Engine engine) const { return ((bits >> index_of(engine)) & 1) != 0; }
  friend constexpr EngineSet operator|(EngineSet a, EngineSet b) {
    return {static_cast<std::uint8_t>(a.bits | b.bits)};
  }
};
constexpr EngineSet only(Engine engine) { return {static_cast<std::uint8_t>(1U << index_of(engine))}; }

}  // namespace dve::isa
