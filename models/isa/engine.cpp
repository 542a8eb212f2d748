#include "engine.h"

namespace dve::isa {

std::string_view to_string(Engine engine) {
  switch (engine) {
    case Engine::dve:
      return "dve";
    case Engine::pool:
      return "pool";
    case Engine::act:
      return "act";
  }
  return "unknown engine";
}

std::optional<Engine> engine_from_string(std::string_view name) {
  for (const Engine engine : kEngines) {
    if (to_string(engine) == name) return engine;
  }
  return std::nullopt;
}

std::uint8_t firmware_index(Engine engine) {
  switch (engine) {
    case Engine::act:
      return 1;
    case Engine::pool:
      return 2;
    case Engine::dve:
      return 3;
  }
  return 0;
}

}  // namespace dve::isa
