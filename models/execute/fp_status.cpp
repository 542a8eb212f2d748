#include "fp_status.h"

#include <algorithm>
#include <cmath>

#include "channels.h"

namespace dve::execute {
namespace {

using isa::ActivationFunc;
using isa::AluOp;
using isa::Opcode;
using isa::OperandRole;

using Accumulators = std::array<float, isa::kPartitions>;

bool computes_in_fp32(Opcode opcode) {
  switch (opcode) {
    case Opcode::copy:
    case Opcode::memset:
    case Opcode::copy_predicated:
    case Opcode::cast_predicated:
    case Opcode::tensor_tensor_bitvec_op:
    case Opcode::tensor_scalar_bitvec_op:
    case Opcode::cross_lane_reduce_bitvec_op:
      return false;
    default:
      return true;
  }
}

// ---- Operands ----

struct NonFinite {
  bool nan = false;
  bool infinite = false;

  void add(float value) {
    nan = nan || std::isnan(value);
    infinite = infinite || std::isinf(value);
  }
  void add(const std::vector<float>& values) {
    for (const float v : values) add(v);
  }
};

bool is_literal(const Plan& plan, const isa::FieldFormat& field) {
  if (field.kind == isa::FieldKind::fp32)  // the scale of CrossLaneReduce, which only averages read
    return plan.opcode == Opcode::cross_lane_reduce_arith_op &&
           isa::decode_as<isa::S4D4Cr>(plan.word).reduce_op ==
               static_cast<std::uint8_t>(numerics::CrossLaneOp::average);
  if (field.kind != isa::FieldKind::immediate) return false;
  const bool used = field.role != OperandRole::imm2 ||
                    isa::decode_as<isa::S3D3Ac>(plan.word).activation_func == ActivationFunc::prelu;
  return used && isa::immediate_source(plan.word, field) == isa::ImmediateSource::literal;
}

NonFinite operands(const Plan& plan, const Inputs& inputs, const Accumulators& accumulators, std::uint32_t channel,
                   const numerics::Switches& switches) {
  NonFinite found;
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    // One destination channel of CrossLaneReduce has every source channel as its operand.
    const bool folds_lanes = plan.sources[i].channels != plan.destination->channels;
    const std::uint32_t first = folds_lanes ? 0 : channel;
    const std::uint32_t last = folds_lanes ? plan.sources[i].channels - 1 : channel;
    for (std::uint32_t c = first; c <= last; ++c) found.add(channel_values(plan.sources[i], inputs[i], c, switches));
  }
  for (const isa::FieldFormat& field : isa::format_of(plan.opcode).fields) {
    if (is_literal(plan, field)) found.add(numerics::float_from_bits(plan.word.get<std::uint32_t>(field.byte)));
  }
  if (plan.opcode == Opcode::activation_read_accumulator)
    found.add(accumulators[isa::number(plan.destination->start.partition) + channel]);
  return found;
}

// ---- Quotients by zero ----

bool divides_by_zero(AluOp op, float a, float b) {
  switch (op) {
    case AluOp::divide:
      return b == 0;
    case AluOp::pow:
      return a == 0 && b < 0;
    case AluOp::rsqrt:
      return a == 0;
    default:
      return false;
  }
}

bool is_infinite_at_zero(ActivationFunc f) {
  return f == ActivationFunc::rsqrt || f == ActivationFunc::reciprocal || f == ActivationFunc::rsqrt_abs ||
         f == ActivationFunc::ln;
}

// TensorScalar: in either of its operations.
bool divides_by_zero(const isa::S3D3Ts& word, float x, float s0, float s1, const numerics::Switches& switches) {
  const bool reverse0 = (word.reverse_operands & 1) != 0, reverse1 = (word.reverse_operands & 2) != 0;
  if (reverse0 ? divides_by_zero(word.op0, s0, x) : divides_by_zero(word.op0, x, s0)) return true;
  const float first = numerics::tensor_scalar(x, word.op0, s0, AluOp::bypass, s1, word.reverse_operands & 3U, switches);
  return reverse1 ? divides_by_zero(word.op1, s1, first) : divides_by_zero(word.op1, first, s1);
}

// Aggregate: the counts of its triples so far add up to 0 somewhere.
bool running_count_vanishes(const std::vector<float>& triples) {
  float count = 0;
  for (std::size_t i = 0; i + 2 < triples.size(); i += 3) {
    count = count + triples[i];
    if (count == 0) return true;
  }
  return false;
}

// Of each result of the channel, whether it is a quotient by zero.
std::vector<bool> quotients_by_zero(const Plan& plan, const Inputs& inputs, std::uint32_t channel,
                                    const numerics::Switches& switches) {
  const std::size_t n = plan.destination->elements.value;
  std::vector<bool> found(n);
  const auto values = [&](std::size_t source) {
    return channel_values(plan.sources[source], inputs[source], channel, switches);
  };
  const auto scalar = [&](OperandRole role, isa::ImmField literal) {
    return scalar_value(plan, inputs, role, literal, channel, switches);
  };
  switch (plan.opcode) {
    case Opcode::reciprocal: {
      const auto x = values(0);
      for (std::size_t i = 0; i < n; ++i) found[i] = x[i] == 0;
      break;
    }
    case Opcode::activate: {
      const auto word = isa::decode_as<isa::S3D3Ac>(plan.word);
      const auto x = values(0);
      const float scale = scalar(OperandRole::imm0, word.scale), bias = scalar(OperandRole::imm1, word.bias);
      for (std::size_t i = 0; i < n; ++i)
        found[i] = is_infinite_at_zero(word.activation_func) && numerics::act_affine(x[i], scale, bias, switches) == 0;
      break;
    }
    case Opcode::tensor_tensor_arith_op: {
      const AluOp op = isa::decode_as<isa::S3S3D3Tt>(plan.word).op;
      const auto a = values(0), b = values(1);
      for (std::size_t i = 0; i < n; ++i) found[i] = divides_by_zero(op, a[i], b[i]);
      break;
    }
    case Opcode::tensor_scalar_arith_op: {
      const auto word = isa::decode_as<isa::S3D3Ts>(plan.word);
      const auto x = values(0);
      const float s0 = scalar(OperandRole::imm0, word.imm0), s1 = scalar(OperandRole::imm1, word.imm1);
      for (std::size_t i = 0; i < n; ++i) found[i] = divides_by_zero(word, x[i], s0, s1, switches);
      break;
    }
    case Opcode::batch_norm_aggregate:
      found.assign(n, running_count_vanishes(values(0)));
      break;
    default:
      break;
  }
  return found;
}

std::uint8_t infinity_flags(const Plan& plan, const Inputs& inputs, std::uint32_t channel,
                            const std::vector<float>& results, const numerics::Switches& switches) {
  const std::vector<bool> by_zero = quotients_by_zero(plan, inputs, channel, switches);
  std::uint8_t flags = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (std::isinf(results[i])) flags |= by_zero[i] ? FpStatus::kDivideByZero : FpStatus::kOverflow;
  }
  return flags;
}

bool is_float(isa::Dtype dtype) { return isa::is_valid_fp_dtype_datapath(dtype, true); }

}  // namespace

FpStatus fp_status(const Plan& plan, const Inputs& inputs, const Accumulators& accumulators,
                   const kernels::ResultRows& results, const numerics::Switches& switches) {
  FpStatus status;
  const Access& out = *plan.destination;
  if (!is_float(out.dtype) || !computes_in_fp32(plan.opcode)) return status;
  const kernels::Rows written{results.partitions, results.offset, out.dtype};
  if (!kernels::any_non_finite(written, out.channels, out.elements.value, switches)) return status;
  for (std::uint32_t c = 0; c < out.channels; ++c) {
    const std::vector<float> values = channel_values(out, written, c, switches);
    NonFinite found;
    found.add(values);
    if (!found.nan && !found.infinite) continue;
    const NonFinite before = operands(plan, inputs, accumulators, c, switches);
    if (found.nan && !before.nan) status.bits |= FpStatus::kInvalid;
    if (found.infinite && !before.infinite && !before.nan)
      status.bits |= infinity_flags(plan, inputs, c, values, switches);
  }
  return status;
}

FpStatus status_of(const kernels::Exceptions* exceptions, std::uint32_t channels, isa::Dtype dtype) {
  FpStatus status;
  if (!is_float(dtype)) return status;
  for (std::uint32_t c = 0; c < channels; ++c) {
    const kernels::Exceptions& e = exceptions[c];
    if (e.result_nan && !e.operand_nan) status.bits |= FpStatus::kInvalid;
    if (e.result_infinite && !e.operand_infinite && !e.operand_nan) status.bits |= FpStatus::kOverflow;
  }
  return status;
}

}  // namespace dve::execute
