#include "findings.h"

#include <fmt/format.h>

namespace dve::execute {

isa::Finding not_executed(std::uint8_t opcode) {
  return {"not_executed", "opcode", 0, opcode, "a word whose operands can be resolved"};
}

isa::Finding operand_response(const Access& access, isa::Generation generation) {
  return {"operand_response", fmt::format("{}.start_addr", isa::name(access.role)), 0,
          isa::address_of(access.start, generation).raw, "an operand that its memory serves"};
}

isa::Finding param_ram_not_loaded(std::size_t entry) {
  return {"param_ram_not_loaded", "entry", 0, entry, "a Parameter-RAM entry that LoadParameterRam has written"};
}

}  // namespace dve::execute
