#include "lane_streams.h"

namespace dve::record {
namespace {

using isa::Opcode;

// Words of a lane record.
enum Field : std::size_t {
  kOperation,
  kChannels,
  kElements,
  kFirstLane,
  kFlags,
  kParametersPerChannel,
  kParametersAt,
  kXAt,
  kDyAt,
  kExpectedAt,
  kExpectedPerChannel
};

std::uint32_t flags_of(const numerics::Switches& s) {
  std::uint32_t flags = 0;
  if (s.dst_order == numerics::DstOrder::interpreter) flags |= kLaneDstInterpreter;
  if (s.product_order == numerics::ProductOrder::interpreter) flags |= kLaneProductInterpreter;
  if (s.backprop_form == numerics::BackpropForm::textbook) flags |= kLaneTextbook;
  if (s.src0_is == numerics::Src0Is::x_norm) flags |= kLaneNormalisedSource;
  if (s.accumulator == numerics::Accumulator::wide) flags |= kLaneWideAccumulator;
  return flags;
}

}  // namespace

std::optional<LaneRecord> LaneStreams::operands(const execute::Core& core, const execute::Plan& plan,
                                                const execute::Inputs& inputs, const numerics::ParamTable& table) {
  switch (plan.opcode) {
    case Opcode::batch_norm_grad_accumulate:
    case Opcode::batch_norm_grad_accumulate2:
      return grad_accumulate(core, plan, inputs);
    case Opcode::batch_norm_back_prop:
      return back_prop(core, plan, inputs, table);
    default:
      return std::nullopt;
  }
}

LaneRecord LaneStreams::begin(LaneOperation operation, const execute::Core& core, const execute::Plan& plan) const {
  LaneRecord record{};
  record[kOperation] = static_cast<std::uint32_t>(operation);
  record[kChannels] = plan.sources[0].channels;
  record[kFirstLane] = core.flop_of(plan.sources[0], 0);
  record[kFlags] = flags_of(switches_);
  return record;
}

void LaneStreams::convert(const kernels::Rows& rows, std::uint32_t channel, std::vector<float>& values) const {
  numerics::to_fp32(rows.channel(channel), rows.dtype, values.size(), values.data(), switches_);
}

void LaneStreams::write_row(const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) text_.value(values[i]);
}

void LaneStreams::write_streams(const execute::Plan& plan, const execute::Inputs& inputs, LaneRecord& record) {
  const std::uint64_t n = plan.sources[0].elements.value;
  record[kElements] = static_cast<std::uint32_t>(n);
  for (std::vector<float>* row : {&x_, &dy_, &dx_}) row->resize(n);
  for (const std::size_t source : {0, 1}) {
    text_.comment(source == 0 ? "x of each channel, binary32" : "dy of each channel, binary32");
    record[source == 0 ? kXAt : kDyAt] = text_.position();
    for (std::uint32_t c = 0; c < record[kChannels]; ++c) {
      convert(inputs[source], c, x_);
      write_row(x_.data(), n);
    }
  }
}

LaneRecord LaneStreams::grad_accumulate(const execute::Core& core, const execute::Plan& plan,
                                        const execute::Inputs& inputs) {
  LaneRecord record = begin(LaneOperation::grad_accumulate, core, plan);
  const std::uint32_t channels = record[kChannels];
  std::vector<float> scalar(1), parameters;
  for (std::uint32_t c = 0; c < channels; ++c) {
    for (const std::size_t source : {2, 3}) {
      convert(inputs[source], c, scalar);
      parameters.push_back(scalar[0]);
    }
  }
  text_.comment("m, v of each channel");
  record[kParametersPerChannel] = 2;
  record[kParametersAt] = text_.position();
  write_row(parameters.data(), parameters.size());
  write_streams(plan, inputs, record);
  text_.comment("expected: three sums of each channel, in the destination's order");
  record[kExpectedPerChannel] = 3;
  record[kExpectedAt] = text_.position();
  for (std::uint32_t c = 0; c < channels; ++c) {
    convert(inputs[0], c, x_);
    convert(inputs[1], c, dy_);
    const numerics::GradSums sums = numerics::grad_accumulate(x_.data(), dy_.data(), x_.size(), parameters[2 * c],
                                                              parameters[2 * c + 1], switches_);
    write_row(numerics::in_dst_order(sums, switches_.dst_order).data(), 3);
  }
  return record;
}

LaneRecord LaneStreams::back_prop(const execute::Core& core, const execute::Plan& plan, const execute::Inputs& inputs,
                                  const numerics::ParamTable& table) {
  LaneRecord record = begin(LaneOperation::back_prop, core, plan);
  const std::uint32_t channels = record[kChannels], first = record[kFirstLane];
  text_.comment("N, m, A, B, C as staged, v of the last GradAccum, of each channel");
  record[kParametersPerChannel] = 6;
  record[kParametersAt] = text_.position();
  for (std::uint32_t c = 0; c < channels; ++c) {
    const numerics::LaneParameters& lane = core.lane(first + c);
    for (const float value : {lane.element_count, lane.mean, lane.a, lane.b, lane.c, lane.inv_std}) text_.value(value);
  }
  write_streams(plan, inputs, record);
  text_.comment("expected: dx of each channel before it is rounded to the dtype");
  record[kExpectedPerChannel] = record[kElements];
  record[kExpectedAt] = text_.position();
  for (std::uint32_t c = 0; c < channels; ++c) {
    convert(inputs[0], c, x_);
    convert(inputs[1], c, dy_);
    numerics::back_propagate(x_.data(), dy_.data(), x_.size(), core.lane(first + c), table, switches_, dx_.data());
    write_row(dx_.data(), dx_.size());
  }
  return record;
}

std::optional<LaneRecord> LaneStreams::staged(const execute::Core& core, const execute::Plan& plan) {
  if (plan.opcode != Opcode::batch_norm_param_load && plan.opcode != Opcode::batch_norm_param_load2)
    return std::nullopt;
  LaneRecord record = begin(LaneOperation::param_load, core, plan);
  text_.comment("N, m, A, B, C of each channel");
  record[kParametersPerChannel] = 5;
  record[kParametersAt] = text_.position();
  for (std::uint32_t c = 0; c < record[kChannels]; ++c) {
    const numerics::LaneParameters& lane = core.lane(record[kFirstLane] + c);
    for (const float value : {lane.element_count, lane.mean, lane.a, lane.b, lane.c}) text_.value(value);
  }
  return record;
}

}  // namespace dve::record
