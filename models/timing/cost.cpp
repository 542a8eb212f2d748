#include "cost.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace dve::timing {
namespace {

using isa::Operand;
using isa::OperandRole;

// An innermost stride of more bytes than this halves the rate of an SBUF interface (microarchitecture.md 3.1).
constexpr std::uint64_t kFullRateStrideBytes = 16;
constexpr std::uint64_t kAggregateCyclesPerTriple = 13;

const Operand* find(const std::vector<Operand>& operands, OperandRole role) {
  const auto it =
      std::find_if(operands.begin(), operands.end(), [role](const Operand& operand) { return operand.role == role; });
  return it == operands.end() ? nullptr : &*it;
}

std::uint64_t elements(const Operand* operand) {
  if (operand == nullptr) return 0;
  const std::uint64_t n = operand->pattern.count().value;
  if (n > kMaxStreamElements) throw std::length_error("an operand of more than 2^48 elements cannot be timed");
  return n;
}

// k: element time of one operand, 1 or 2.
std::uint64_t stride_factor(const Operand* operand, const Parameters& parameters) {
  if (operand == nullptr || !parameters.stride_penalty || operand->pattern.num_elem[0] <= 1) return 1;
  const auto step = static_cast<std::uint64_t>(std::abs(int{operand->pattern.step_elem[0]}));
  return step * isa::storage_size(operand->dtype).value > kFullRateStrideBytes ? 2 : 1;
}

bool in_psum(const Operand& operand, isa::Generation generation) {
  const auto place = isa::place_of(operand.address.partition_offset(), generation);
  return place && place->space == isa::Space::psum;
}

// 2c, which is a whole number for each value that c may have.
std::uint64_t twice_two_source_cycles(const Parameters& parameters) {
  for (const std::uint64_t twice : {1U, 2U, 4U}) {
    if (2 * parameters.two_source_cycles == static_cast<double>(twice)) return twice;
  }
  throw std::invalid_argument("two_source_cycles must be 2, 1 or 0.5");
}

// R: cycles to read the sources.
std::uint64_t read_cycles(const std::vector<Operand>& operands, isa::Generation generation,
                          const Parameters& parameters) {
  const Operand* src0 = find(operands, OperandRole::src0);
  const Operand* src1 = find(operands, OperandRole::src1);
  const std::uint64_t n = std::max(elements(src0), elements(src1));
  const std::uint64_t k0 = stride_factor(src0, parameters);
  if (src0 == nullptr || src1 == nullptr) return n * k0;
  const std::uint64_t k1 = stride_factor(src1, parameters);
  if (in_psum(*src0, generation) || in_psum(*src1, generation)) return n * std::max(k0, k1);
  return (twice_two_source_cycles(parameters) * n * (k0 + k1) + 3) / 4;  // ceil(c n (k0 + k1) / 2)
}

std::uint64_t stream_cycles(isa::Opcode opcode, const std::vector<Operand>& operands, isa::Generation generation,
                            const Parameters& parameters) {
  switch (opcode) {
    case isa::Opcode::batch_norm_aggregate:
      return (kAggregateCyclesPerTriple * elements(find(operands, OperandRole::src0)) + 2) / 3;
    case isa::Opcode::batch_norm_param_load:
    case isa::Opcode::batch_norm_param_load2:
    case isa::Opcode::load_parameter_ram:
      return parameters.min_ii.value;
    case isa::Opcode::batch_norm_stats:
    case isa::Opcode::batch_norm_stats2:
    case isa::Opcode::transpose_batch_norm_stats2:
    case isa::Opcode::batch_norm_grad_accumulate:
    case isa::Opcode::batch_norm_grad_accumulate2:
    case isa::Opcode::batch_norm_back_prop:
      break;
  }
  const Operand* dst = find(operands, OperandRole::dst);
  return std::max(read_cycles(operands, generation, parameters), elements(dst) * stride_factor(dst, parameters));
}

}  // namespace

Cost cost(isa::Opcode opcode, const std::vector<Operand>& operands, isa::Generation generation,
          const Parameters& parameters) {
  const isa::Cycles stream(stream_cycles(opcode, operands, generation, parameters));
  const isa::Cycles interval = stream >= parameters.min_ii ? stream + parameters.issue_gap : parameters.min_ii;
  return {stream, interval, stream + parameters.fill_drain};
}

}  // namespace dve::timing
