#include "fp_status.h"

#include <algorithm>
#include <cmath>

#include "channels.h"

namespace dve::execute {
namespace {

bool computes_in_fp32(isa::Opcode opcode) {
  switch (opcode) {
    case isa::Opcode::copy:
    case isa::Opcode::memset:
    case isa::Opcode::copy_predicated:
    case isa::Opcode::cast_predicated:
    case isa::Opcode::tensor_tensor_bitvec_op:
    case isa::Opcode::tensor_scalar_bitvec_op:
    case isa::Opcode::cross_lane_reduce_bitvec_op:
      return false;
    default:
      return true;
  }
}

bool divides(const Plan& plan) {
  if (plan.opcode == isa::Opcode::reciprocal || plan.opcode == isa::Opcode::batch_norm_aggregate) return true;
  if (plan.opcode != isa::Opcode::activate) return false;
  const isa::ActivationFunc f = isa::decode_as<isa::S3D3Ac>(plan.word).activation_func;
  return f == isa::ActivationFunc::rsqrt || f == isa::ActivationFunc::reciprocal ||
         f == isa::ActivationFunc::rsqrt_abs || f == isa::ActivationFunc::ln;
}

struct NonFinite {
  bool nan = false;
  bool infinite = false;
};

NonFinite non_finite(const std::vector<float>& values) {
  NonFinite found;
  for (const float v : values) {
    found.nan = found.nan || std::isnan(v);
    found.infinite = found.infinite || std::isinf(v);
  }
  return found;
}

NonFinite operands(const Plan& plan, const Inputs& inputs, std::uint32_t channel, const numerics::Switches& switches) {
  NonFinite found;
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    // One destination channel of CrossLaneReduce has every source channel as its operand.
    const bool folds_lanes = plan.sources[i].channels != plan.destination->channels;
    const std::uint32_t first = folds_lanes ? 0 : channel;
    const std::uint32_t last = folds_lanes ? plan.sources[i].channels - 1 : channel;
    for (std::uint32_t c = first; c <= last; ++c) {
      const NonFinite here = non_finite(channel_values(plan.sources[i], inputs[i], c, switches));
      found.nan = found.nan || here.nan;
      found.infinite = found.infinite || here.infinite;
    }
  }
  return found;
}

bool is_float(isa::Dtype dtype) { return isa::is_valid_fp_dtype_datapath(dtype, true); }

}  // namespace

FpStatus fp_status(const Plan& plan, const Inputs& inputs, const Result& result, const numerics::Switches& switches) {
  FpStatus status;
  const Access& out = *plan.destination;
  if (!is_float(out.dtype) || !computes_in_fp32(plan.opcode)) return status;
  for (std::uint32_t c = 0; c < out.channels; ++c) {
    const NonFinite results = non_finite(channel_values(out, result.destination, c, switches));
    if (!results.nan && !results.infinite) continue;
    const NonFinite before = operands(plan, inputs, c, switches);
    if (results.nan && !before.nan) status.bits |= FpStatus::kInvalid;
    if (results.infinite && !before.infinite && !before.nan)
      status.bits |= divides(plan) ? FpStatus::kDivideByZero : FpStatus::kOverflow;
  }
  return status;
}

}  // namespace dve::execute
