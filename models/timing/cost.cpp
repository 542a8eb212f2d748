#include "cost.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "clock.h"

namespace dve::timing {
namespace {

using isa::Operand;
using isa::OperandRole;

// An innermost stride of more bytes than this halves the rate of an SBUF interface (microarchitecture.md 3.1).
constexpr std::uint64_t kFullRateStrideBytes = 16;
constexpr std::uint64_t kAggregateCyclesPerTriple = 13;
constexpr std::uint64_t kReciprocalCyclesPerElement = 8;

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

// An operand that a performance mode can take: fp16 or bf16 (fp8 as well from v4 on).
bool is_narrow_float(const Operand& operand, isa::Generation generation) {
  const isa::Dtype d = operand.dtype;
  if (d == isa::Dtype::bf16 || d == isa::Dtype::fp16) return true;
  const bool fp8 = d == isa::Dtype::fp8_e3m4 || d == isa::Dtype::fp8_e4m3 || d == isa::Dtype::fp8_e5m2;
  return fp8 && isa::core_version(generation) >= 4;
}

bool innermost_contiguous(const Operand& operand) {
  return operand.pattern.num_elem[0] <= 1 || operand.pattern.step_elem[0] == 1;
}

// The words of a cost computation and what it needs to know of them.
struct Stream {
  const Operand* src0;
  const Operand* src1;
  const Operand* dst;
  isa::Generation generation;
  const Parameters& parameters;

  bool has_modes() const { return parameters.engine == isa::Engine::dve && isa::core_version(generation) >= 3; }
  bool psum(const Operand* operand) const { return operand != nullptr && in_psum(*operand, generation); }
  std::uint64_t factor(const Operand* operand) const { return stride_factor(operand, parameters); }
};

// R: cycles to read the sources, with `twice_c` for 2c.
std::uint64_t read_cycles(const Stream& s, std::uint64_t twice_c) {
  const std::uint64_t n = std::max(elements(s.src0), elements(s.src1));
  const std::uint64_t k0 = s.factor(s.src0);
  if (s.src0 == nullptr || s.src1 == nullptr) return n * k0;
  const std::uint64_t k1 = s.factor(s.src1);
  if (s.psum(s.src0) || s.psum(s.src1)) return n * std::max(k0, k1);
  return (twice_c * n * (k0 + k1) + 3) / 4;  // ceil(c n (k0 + k1) / 2)
}

std::uint64_t write_cycles(const Stream& s) { return elements(s.dst) * s.factor(s.dst); }

std::uint64_t plain_cycles(const Stream& s) {
  return std::max(read_cycles(s, twice_two_source_cycles(s.parameters)), write_cycles(s));
}

// TensorTensor of two SBUF sources: one element a cycle where both halves of the two-source rate are documented, else c
// (microarchitecture.md 7.1, 7.2).
std::uint64_t tensor_tensor_cycles(const Stream& s, isa::AluOp op) {
  const auto all = [&s](auto holds) { return holds(*s.src0) && holds(*s.src1) && holds(*s.dst); };
  const bool simple = op == isa::AluOp::add || op == isa::AluOp::subtract || op == isa::AluOp::mult;
  const bool bf16_unit = all([](const Operand& o) { return o.dtype == isa::Dtype::bf16 && innermost_contiguous(o); });
  const bool narrow = all([&s](const Operand& o) { return is_narrow_float(o, s.generation); });
  const bool both_sbuf = !s.psum(s.src0) && !s.psum(s.src1);
  const std::uint64_t twice_c = twice_two_source_cycles(s.parameters);
  if (both_sbuf && s.parameters.engine == isa::Engine::dve && ((simple && bf16_unit) || (narrow && s.has_modes())))
    return std::max(read_cycles(s, std::min<std::uint64_t>(twice_c, 2)), write_cycles(s));
  return plain_cycles(s);
}

// TensorScalar, Copy, Cast: up to four elements a cycle (microarchitecture.md 7.2).
std::uint64_t one_source_cycles(const Stream& s) {
  const std::uint64_t cycles = plain_cycles(s);
  if (!s.has_modes() || !is_narrow_float(*s.src0, s.generation) || !is_narrow_float(*s.dst, s.generation))
    return cycles;
  const bool contiguous = innermost_contiguous(*s.src0) && innermost_contiguous(*s.dst);
  const int in_sbuf = (s.psum(s.src0) ? 0 : 1) + (s.psum(s.dst) ? 0 : 1);
  if (in_sbuf == 2) return contiguous ? (cycles + 3) / 4 : (cycles + 1) / 2;
  return in_sbuf == 1 && contiguous ? (cycles + 1) / 2 : cycles;
}

std::uint64_t reduce_cycles(const Stream& s, isa::AluOp op) {
  const bool bf16 = s.src0->dtype == isa::Dtype::bf16 && s.dst->dtype == isa::Dtype::bf16;
  const bool halved =
      bf16 && (op == isa::AluOp::add || op == isa::AluOp::max) && s.parameters.engine == isa::Engine::dve;
  const std::uint64_t cycles = plain_cycles(s);
  return halved ? (cycles + 1) / 2 : cycles;
}

std::uint64_t memset_cycles(const Stream& s, std::uint32_t value) {
  const bool halved =
      value == 0 && isa::storage_size(s.dst->dtype) == isa::Bytes(2) && s.parameters.engine == isa::Engine::dve;
  return halved ? (write_cycles(s) + 1) / 2 : write_cycles(s);
}

std::uint64_t stream_cycles(const isa::Word& word, const Stream& s) {
  const Parameters& parameters = s.parameters;
  switch (static_cast<isa::Opcode>(word.opcode_byte())) {
    case isa::Opcode::batch_norm_aggregate:
      return (kAggregateCyclesPerTriple * elements(s.src0) + 2) / 3;
    case isa::Opcode::batch_norm_param_load:
    case isa::Opcode::batch_norm_param_load2:
    case isa::Opcode::load_parameter_ram:
    case isa::Opcode::activation_read_accumulator:
      return parameters.min_ii.value;
    case isa::Opcode::activation_table_load:
      return Clock(parameters.clock_hz).cycles_of_ns(parameters.table_load_ns).value;
    case isa::Opcode::tensor_tensor_arith_op:
    case isa::Opcode::tensor_tensor_bitvec_op:
      return tensor_tensor_cycles(s, isa::decode_as<isa::S3S3D3Tt>(word).op);
    case isa::Opcode::tensor_scalar_arith_op:
    case isa::Opcode::tensor_scalar_bitvec_op:
    case isa::Opcode::copy:
    case isa::Opcode::cast:
      return one_source_cycles(s);
    case isa::Opcode::reciprocal:
      return std::max(kReciprocalCyclesPerElement * read_cycles(s, 2), write_cycles(s));
    case isa::Opcode::tensor_reduce_arith_op:
      return reduce_cycles(s, isa::decode_as<isa::S4D4Tr>(word).op);
    case isa::Opcode::memset:
      return memset_cycles(s, isa::decode_as<isa::D4Mr>(word).set_value);
    default:
      return plain_cycles(s);
  }
}

// Times that a word's channels go through the lanes, each pass a whole stream of its own.
std::uint64_t lane_passes(const std::vector<Operand>& operands, const Parameters& parameters) {
  if (parameters.lanes == 0) throw std::invalid_argument("lanes must be 1 or more");
  std::uint64_t channels = 1;
  for (const Operand& operand : operands) channels = std::max<std::uint64_t>(channels, operand.channels);
  channels = std::min<std::uint64_t>(channels, isa::kPartitions);  // more can only stand in an illegal word
  return (channels + parameters.lanes - 1) / parameters.lanes;
}

}  // namespace

Cost cost(const isa::Word& word, const std::vector<Operand>& operands, isa::Generation generation,
          const Parameters& parameters) {
  const Stream s{find(operands, OperandRole::src0), find(operands, OperandRole::src1), find(operands, OperandRole::dst),
                 generation, parameters};
  const isa::Cycles stream(stream_cycles(word, s) * lane_passes(operands, parameters));
  const isa::Cycles interval = stream >= parameters.min_ii ? stream + parameters.issue_gap : parameters.min_ii;
  return {stream, interval, stream + parameters.fill_drain};
}

Cost control_cost(const Parameters& parameters) {
  const isa::Cycles cycles = parameters.event_issue_cycles;
  return {cycles, cycles, cycles};
}

}  // namespace dve::timing
