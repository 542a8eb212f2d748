// The signals of a VCD file: names, identifier codes, values as text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "events.h"

namespace dve::telemetry {

// A signal; `scope` is a module inside the module "core".
struct VcdSignal {
  std::string scope, name;
  unsigned width = 1;                 // bits
  bool count = false;                 // its value is how many things go on; one bit wide: whether anything does
  std::uint32_t order = 0;            // in the declarations; signals of a scope stand together
  std::optional<std::int64_t> value;  // nothing: unknown (x)
};

class VcdSignals {
 public:
  // What an engine does: `opcode` (8 bits) and `word` (32) of the word in its issue slot, x when there is none;
  // `in_flight` (8): words between start and completion.
  std::uint32_t opcode(isa::Engine engine);
  std::uint32_t word(isa::Engine engine);
  std::uint32_t in_flight(isa::Engine engine);
  std::uint32_t port(isa::Engine engine, std::size_t port);  // 1 bit: streaming
  std::uint32_t bank(isa::Space space, std::uint32_t bank);  // 8 bits: words that use it
  std::uint32_t semaphore(std::uint8_t index);               // 32 bits, two's complement
  std::uint32_t user(const std::string& name);               // 8 bits: transfers under way

  std::vector<VcdSignal>& all() { return signals_; }
  // $scope and $var of all signals.
  std::string declarations() const;
  // "1!", "b1010 !" or "bx !".
  std::string value_text(std::uint32_t signal) const;

 private:
  std::uint32_t find(std::uint32_t order, const std::string& scope, const std::string& name, unsigned width, bool count,
                     std::optional<std::int64_t> initial);

  std::map<std::uint32_t, std::uint32_t> by_order_;
  std::map<std::string, std::uint32_t> users_;
  std::vector<VcdSignal> signals_;
};

}  // namespace dve::telemetry
