// GoldenCore: words that the sequencer executes itself.
#include <array>
#include <cstring>
#include <variant>
#include <vector>

#include "golden_core.h"

namespace dve::golden_library {

bool GoldenCore::execute_control(Unit& u, const isa::Word& word) {
  const auto opcode = static_cast<isa::Opcode>(word.opcode_byte());
  u.stream = {};
  switch (opcode) {
    case isa::Opcode::tensor_load:
    case isa::Opcode::tensor_store:
      return transfer(u, word, opcode == isa::Opcode::tensor_load);
    case isa::Opcode::move:
      if (const auto refusal =
              execute_move(isa::decode_as<isa::CtrlMv>(word), u.words * isa::kWordBytes, u.registers)) {
        if (!report(u, word.opcode_byte(), {*refusal})) return false;
      }
      break;
    case isa::Opcode::halt:
      u.halted = true;
      break;
    default:
      break;
  }
  if (timed_) u.schedule = u.pipeline.control({}, u.wait_holds, opcode == isa::Opcode::drain);
  return true;
}

bool GoldenCore::transfer(Unit& u, const isa::Word& word, bool load) {
  const auto layout = isa::decode_as<isa::Mem2D>(word);
  auto plan = plan_transfer(layout, load, u.registers);
  if (const auto* refusal = std::get_if<isa::Finding>(&plan)) {
    if (!report(u, word.opcode_byte(), {*refusal})) return false;
    if (timed_) u.schedule = u.pipeline.control({}, u.wait_holds, false);
    return true;
  }
  const auto& elements = std::get<TensorTransfer>(plan);
  if (timed_)
    u.schedule =
        u.pipeline.control(on_chip_operands(elements, load, layout.dtype, settings_.generation), u.wait_holds, false);
  std::vector<std::uint64_t> values = elements.values;
  values.resize(elements.addresses.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    std::array<std::uint8_t, sizeof(std::uint64_t)> bytes{};
    std::memcpy(bytes.data(), &values[k], bytes.size());
    const bool moved = load ? memories_.read(elements.addresses[k], bytes.data(), elements.element_bytes)
                            : memories_.write(elements.addresses[k], bytes.data(), elements.element_bytes);
    if (!moved) {
      fault(u, word.opcode_byte(), transfer_response(elements.addresses[k]));
      return false;
    }
    std::memcpy(&values[k], bytes.data(), bytes.size());
  }
  if (load) load_registers(elements, layout.dtype, values, u.registers);
  return true;
}

}  // namespace dve::golden_library
