// GoldenCore: operands and arithmetic of a word (OperandPort and InstructionEngine do the same over sockets).
#include <array>
#include <cstring>

#include "golden_core.h"

namespace dve::golden_library {
namespace {

TensorPart part_of(const execute::Access& access) {
  return {isa::number(access.start.partition),
          access.start.offset,
          access.pattern,
          static_cast<std::uint32_t>(isa::storage_size(access.dtype).value),
          access.channels,
          {0, access.elements.value}};
}

}  // namespace

void GoldenCore::Operand::pack(const execute::Access& access) {
  copy.resize(access.packed_bytes().value);
  const std::size_t bytes = copy.size() / access.channels;
  for (std::uint32_t c = 0; c < access.channels; ++c) channels[c] = copy.data() + c * bytes;
}

// A source without gaps is used where it lies, unless a copy is asked for.
bool GoldenCore::read(const execute::Access& access, bool copy, Operand& operand, kernels::Rows& rows) {
  PartitionBytes* const memory = memories_.partitions(access.start.space);
  if (memory == nullptr) return false;
  if (!copy && access.elements.value != 0 && access.pattern.contiguous()) {
    rows = {operand.channels.data(), access.start.offset, access.dtype};
    return memory->rows(part_of(access), operand.channels.data());
  }
  operand.pack(access);
  rows = {operand.channels.data(), 0, access.dtype};
  return access.elements.value == 0 || memory->read(part_of(access), operand.copy.data());
}

bool GoldenCore::read_sources(Unit& u, const execute::Plan& plan, bool copies) {
  if (sources_.size() < plan.sources.size()) sources_.resize(plan.sources.size());
  inputs_.resize(plan.sources.size());
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    const execute::Access& source = plan.sources[i];
    if (read(source, copies, sources_[i], inputs_[i])) continue;
    fault(u, plan.word.opcode_byte(), execute::operand_response(source, settings_.generation));
    return false;
  }
  return true;
}

bool GoldenCore::compute(Unit& u, const execute::Plan& plan, bool in_place) {
  if (!plan.destination) return compute_in(u, plan, {});
  const execute::Access& access = *plan.destination;
  PartitionBytes* const memory = memories_.partitions(access.start.space);
  if (memory != nullptr && in_place && access.elements.value != 0 &&
      memory->rows(part_of(access), destination_.channels.data()))
    return compute_in(u, plan, {destination_.channels.data(), access.start.offset, access.dtype});
  destination_.pack(access);
  if (!compute_in(u, plan, {destination_.channels.data(), 0, access.dtype})) return false;
  if (access.elements.value == 0 || (memory != nullptr && memory->write(part_of(access), destination_.copy.data())))
    return true;
  fault(u, plan.word.opcode_byte(), execute::operand_response(access, settings_.generation));
  return false;
}

bool GoldenCore::compute_in(Unit& u, const execute::Plan& plan, const kernels::ResultRows& destination) {
  const execute::Outcome result = u.core.compute(plan, inputs_, destination, memories_.param_table());
  u.fp_status = result.fp_status.bits;
  for (const isa::Finding& finding : result.faults) fault(u, plan.word.opcode_byte(), finding);
  if (!result.faults.empty()) return false;
  if (result.param_ram) {
    std::array<std::uint8_t, sizeof(result.param_ram->values)> bytes{};
    std::memcpy(bytes.data(), result.param_ram->values.data(), bytes.size());
    memories_.write(isa::kParamRamAperture + 4 * std::uint64_t{result.param_ram->first_entry}, bytes.data(),
                    bytes.size());
  }
  return true;
}

bool GoldenCore::report_fp_status(Unit& u, std::uint8_t opcode, std::uint8_t status) {
  const auto several = firmware::fp_status_several(status);
  if (several && settings_.seq.fp_status == config::FpStatus::firmware) {
    fault(u, opcode, *several);
    return false;
  }
  for (const isa::Finding& finding : firmware::fp_status_findings(status, opcode)) warn(u, opcode, finding);
  return true;
}

}  // namespace dve::golden_library
