// Resolution of a word's operands: registers, places, extents, and how many results the word writes.
#include <fmt/format.h>

#include <algorithm>

#include "core.h"
#include "in_place.h"
#include "stream.h"
#include "tensor_operation.h"

namespace dve::execute {
namespace {

using isa::Opcode;

// What is wrong with one operand, in the words of a finding.
struct Refusal {
  std::string predicate;
  std::string field;
  std::uint64_t value;
  std::string expected;
};

isa::Finding finding(const isa::Operand& operand, const Refusal& refusal) {
  return {refusal.predicate, fmt::format("{}.{}", operand.field, refusal.field), operand.byte, refusal.value,
          refusal.expected};
}

std::optional<Refusal> resolve_address(isa::Operand& operand, const Registers& registers) {
  const isa::Addr4 address = operand.address;
  if (address.indirect() || address.shape_from_register())
    return Refusal{"indirect_operand", "start_addr", address.raw, "an immediate address or an address register"};
  if (!address.from_register()) return std::nullopt;
  if (address.register_number() >= isa::kRegisters)
    return Refusal{"operand_address", "start_addr", address.raw, "a register number 0..63"};
  const std::uint32_t value = registers[address.register_number()];
  if (value > isa::kPartitionAddressMask)
    return Refusal{"operand_address", fmt::format("start_addr (register r{})", address.register_number()), value,
                   "a register value of at most 29 bits"};
  operand.address.raw = value;
  return std::nullopt;
}

std::optional<Refusal> resolve_place(const isa::Operand& operand, isa::Generation generation, Access& access) {
  const auto place = isa::place_of(operand.address.partition_offset(), generation);
  if (!place)
    return Refusal{"operand_address", "start_addr", operand.address.raw,
                   fmt::format("an address in SBUF or PSUM of {}", isa::to_string(generation))};
  if (operand.channels == 0 || isa::number(place->partition) + operand.channels > isa::kPartitions)
    return Refusal{"operand_address", "start_addr", operand.address.raw,
                   fmt::format("partition {} + {} channels within 1..{} partitions", isa::number(place->partition),
                               operand.channels, isa::kPartitions)};
  access.start = *place;
  return std::nullopt;
}

std::optional<Refusal> resolve_stream(const isa::Operand& operand, isa::Generation generation, Access& access) {
  if (!numerics::is_arithmetic(operand.dtype))
    return Refusal{"operand_dtype", "dtype", isa::code(operand.dtype), "a dtype with arithmetic meaning"};
  access.elements = operand.pattern.count();
  if (access.elements > kMaxStream)
    return Refusal{"stream_length_limit", "num_elem", access.elements.value,
                   fmt::format("at most {} elements a partition (a limit of the model)", kMaxStream.value)};
  const isa::Bytes active = isa::geometry(generation, access.start.space).active_per_partition;
  const auto element_bytes = static_cast<std::uint32_t>(isa::storage_size(operand.dtype).value);
  if (access.elements.value > 0 && !inside_partition(access.start.offset, operand.pattern, element_bytes, active))
    return Refusal{"operand_extent", "start_addr", operand.address.raw,
                   fmt::format("all elements within the {} active bytes of the partition", active.value)};
  return std::nullopt;
}

std::optional<Refusal> resolve(isa::Operand& operand, const Registers& registers, isa::Generation generation,
                               Access& access) {
  access.role = operand.role;
  access.pattern = operand.pattern;
  access.dtype = operand.dtype;
  access.channels = operand.channels;
  if (auto refusal = resolve_address(operand, registers)) return refusal;
  if (auto refusal = resolve_place(operand, generation, access)) return refusal;
  return resolve_stream(operand, generation, access);
}

bool is_predicated(Opcode opcode) { return opcode == Opcode::copy_predicated || opcode == Opcode::cast_predicated; }

bool is_two_stream(Opcode opcode) {
  switch (opcode) {
    case Opcode::batch_norm_grad_accumulate:
    case Opcode::batch_norm_grad_accumulate2:
    case Opcode::batch_norm_back_prop:
    case Opcode::tensor_tensor_arith_op:
    case Opcode::tensor_tensor_bitvec_op:
      return true;
    default:
      return is_predicated(opcode);
  }
}

// Results of TensorReduce: the product of the dimensions that are not folded.
std::uint64_t reduced_count(const Plan& plan) {
  std::uint64_t results = 1;
  for (std::size_t d = folded_dimensions(isa::decode_as<isa::S4D4Tr>(plan.word).op_dim); d < 4; ++d)
    results *= plan.sources[0].pattern.num_elem[d];
  return plan.sources[0].elements.value == 0 ? 0 : results;
}

// Values per channel that the word produces.
std::uint64_t result_count(const Plan& plan) {
  switch (plan.opcode) {
    case Opcode::batch_norm_stats:
    case Opcode::batch_norm_grad_accumulate:
    case Opcode::batch_norm_grad_accumulate2:
      return 3;
    case Opcode::batch_norm_stats2:
    case Opcode::transpose_batch_norm_stats2:
      return 6;
    case Opcode::batch_norm_aggregate:
      return 2;
    case Opcode::tensor_reduce_arith_op:
      return reduced_count(plan);
    case Opcode::cross_lane_reduce_arith_op:
    case Opcode::cross_lane_reduce_bitvec_op:
      return isa::decode_as<isa::S4D4Cr>(plan.word).reduce_axis == 0 ? 1 : plan.sources[0].elements.value;
    case Opcode::memset:
    case Opcode::activation_read_accumulator:
      return plan.destination->elements.value;
    default:
      return plan.sources[0].elements.value;
  }
}

// Streams of illegal words may differ in length: the shorter one counts. Predicated words read what they may keep.
void clip_streams(Plan& plan) {
  if (is_two_stream(plan.opcode)) {
    const isa::Elements n = std::min(plan.sources[0].elements, plan.sources[1].elements);
    plan.sources[0].elements = plan.sources[1].elements = n;
  }
  if (!plan.destination) return;
  plan.destination->elements = std::min(plan.destination->elements, isa::Elements(result_count(plan)));
  if (is_predicated(plan.opcode)) plan.sources.push_back(*plan.destination);
}

// Immediates whose source code means nothing; legality would have named them.
std::optional<isa::Finding> immediate_refusal(const isa::Word& word, Opcode opcode) {
  for (const isa::FieldFormat& field : isa::format_of(opcode).fields) {
    if (field.kind != isa::FieldKind::immediate) continue;
    if (isa::immediate_source(word, field) != isa::ImmediateSource::invalid) continue;
    return isa::Finding{"operand_source", fmt::format("{} source", field.name), field.source.byte,
                        isa::code_at(word, field.source), "0, 1 or 2"};
  }
  return std::nullopt;
}

std::optional<Refusal> check_counts(const Plan& plan) {
  const std::uint64_t n = plan.sources.empty() ? 0 : plan.sources[0].elements.value;
  switch (plan.opcode) {
    case Opcode::batch_norm_param_load:
      if (n < 3) return Refusal{"operand_count", "num_elem", n, "three coefficients A, B, C"};
      break;
    case Opcode::batch_norm_param_load2:
      if (n < 2) return Refusal{"operand_count", "num_elem", n, "two coefficients B, C"};
      break;
    case Opcode::transpose_batch_norm_stats2:
      if (n % 32 != 0 || plan.sources[0].channels % 32 != 0)
        return Refusal{"operand_count", "num_elem", n, "elements and channels in multiples of 32"};
      break;
    default:
      break;
  }
  return std::nullopt;
}

// Whether registers and lane state have no part in the plan.
bool is_pure(const isa::Word& word, Opcode opcode, const numerics::Switches& switches) {
  if (opcode == Opcode::batch_norm_back_prop && switches.backprop_form == numerics::BackpropForm::textbook)
    return false;
  const std::vector<isa::Operand> operands = isa::operands(word);
  return std::none_of(operands.begin(), operands.end(),
                      [](const isa::Operand& operand) { return operand.address.from_register(); });
}

// First Parameter-RAM entry that LoadParameterRam writes, when its eight entries fit.
std::optional<std::uint32_t> first_param_entry(const isa::CtrlIm& word, numerics::ParamRamOffsetUnit unit) {
  std::uint32_t entry = word.param_ram_offset;
  if (unit == numerics::ParamRamOffsetUnit::byte) {
    if (entry % 4 != 0) return std::nullopt;
    entry /= 4;
  }
  if (entry + 8 > isa::kParamRamEntries) return std::nullopt;
  return entry;
}

}  // namespace

std::optional<Plan> Core::plan(const isa::Word& word, const Registers& registers,
                               std::vector<isa::Finding>& findings) const {
  const auto opcode = isa::opcode_from_byte(word.opcode_byte());
  if (!opcode || isa::is_control_opcode(word.opcode_byte())) {
    findings.push_back({"unknown_opcode", "opcode", 0, word.opcode_byte(), "an opcode that an engine executes"});
    return std::nullopt;
  }
  if (const auto refusal = immediate_refusal(word, *opcode)) {
    findings.push_back(*refusal);
    return std::nullopt;
  }
  Plan plan;
  plan.word = word;
  plan.opcode = *opcode;
  const std::size_t findings_before = findings.size();
  if (*opcode == Opcode::load_parameter_ram) {
    const auto ctrl = isa::decode_as<isa::CtrlIm>(word);
    const auto entry = first_param_entry(ctrl, config_.switches.param_ram_offset_unit);
    if (entry)
      plan.param_ram_first_entry = *entry;
    else
      findings.push_back(
          {"param_ram_bounds", "param_ram_offset", 12, ctrl.param_ram_offset, "eight entries within 0..255"});
  }
  plan.resolved_operands = isa::operands(word);
  for (isa::Operand& operand : plan.resolved_operands) {
    Access access;
    if (const auto refusal = resolve(operand, registers, config_.legality.generation, access)) {
      findings.push_back(finding(operand, *refusal));
      continue;
    }
    if (operand.role == isa::OperandRole::dst)
      plan.destination = access;
    else
      plan.sources.push_back(access);
  }
  if (findings.size() != findings_before) return std::nullopt;
  if (const auto refusal = check_counts(plan)) {
    findings.push_back(finding(plan.resolved_operands[0], *refusal));
    return std::nullopt;
  }
  clip_streams(plan);
  if (const auto refusal = unsupported_operation(plan)) {
    findings.push_back(*refusal);
    return std::nullopt;
  }
  plan.param_entries = table_entries(plan);
  plan.in_place = writes_in_place(plan, config_.switches);
  plan.pure = is_pure(plan.word, *opcode, config_.switches);
  return plan;
}

}  // namespace dve::execute
