#include "tensor_operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <tuple>

#include "channels.h"

namespace dve::execute {
namespace {

using isa::AluOp;
using isa::Opcode;
using isa::OperandRole;

std::uint64_t integer(const Access& access, const std::uint8_t* channel, std::uint64_t element) {
  return numerics::integer_at(channel + element * isa::storage_size(access.dtype).value, access.dtype);
}

void store(const Access& access, std::uint8_t* channel, std::uint64_t element, std::uint64_t value) {
  numerics::store_integer(value, access.dtype, channel + element * isa::storage_size(access.dtype).value);
}

unsigned bits_of(isa::Dtype dtype) { return static_cast<unsigned>(8 * isa::storage_size(dtype).value); }

// The integer engine works in 64 bits when an operand has them, in the signedness of the first source.
numerics::IntFormat int_format(const Plan& plan) {
  bool wide = isa::is_valid_64b_int_dtype(plan.destination->dtype);
  for (const Access& source : plan.sources) wide = wide || isa::is_valid_64b_int_dtype(source.dtype);
  return {wide ? 64U : 32U, isa::is_signed_int(plan.sources[0].dtype)};
}

bool is_integer(const Access& access) { return isa::is_valid_int_dtype(access.dtype); }

// ---- TensorTensor ----

// Mod is an integer operation where all three operands are integers, as the other integer operations must be.
bool on_integers(AluOp op) { return isa::is_int_op(op) || op == AluOp::abs_value_int; }

isa::Finding divide_by_zero(std::string_view field, std::uint32_t byte, std::uint32_t channel, std::uint64_t element) {
  return {"integer_divide_by_zero", std::string(field), byte, 0,
          fmt::format("a divisor other than 0 (channel {}, element {})", channel, element)};
}

void tensor_tensor_int(const Plan& plan, const Inputs& inputs, AluOp op, Work& work) {
  const numerics::IntFormat format = int_format(plan);
  const Access &a = plan.sources[0], &b = plan.sources[1], &out = *plan.destination;
  for (std::uint32_t c = 0; c < a.channels; ++c) {
    const std::uint8_t *from_a = inputs[0].channel(c), *from_b = inputs[1].channel(c);
    std::uint8_t* to = work.destination.channel(c);
    for (std::uint64_t i = 0; i < out.elements.value; ++i) {
      const auto value = numerics::alu_int(op, integer(a, from_a, i), integer(b, from_b, i), format);
      if (!value) return work.outcome.faults.push_back(divide_by_zero("src1", 32, c, i));
      store(out, to, i, *value);
    }
  }
}

void tensor_tensor_fp32(const Plan& plan, const Inputs& inputs, AluOp op, const numerics::Switches& switches,
                        Work& work) {
  if (kernels::has_tensor_tensor(op)) {
    const bool special = kernels::tensor_tensor(op, inputs[0], inputs[1], plan.sources[0].channels,
                                                plan.destination->elements.value, switches, work.destination);
    work.status_known = !special && plan.destination->dtype == isa::Dtype::fp32;
    return;
  }
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    const auto a = channel_values(plan.sources[0], inputs[0], c, switches);
    const auto b = channel_values(plan.sources[1], inputs[1], c, switches);
    std::vector<float> values(plan.destination->elements.value);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = numerics::alu_fp32(op, a[i], b[i]);
    store_channel(*plan.destination, c, values.data(), switches, work.destination);
  }
}

void tensor_tensor_bits(const Plan& plan, const Inputs& inputs, AluOp op, Work& work) {
  const Access &a = plan.sources[0], &b = plan.sources[1], &out = *plan.destination;
  for (std::uint32_t c = 0; c < a.channels; ++c) {
    const std::uint8_t *from_a = inputs[0].channel(c), *from_b = inputs[1].channel(c);
    std::uint8_t* to = work.destination.channel(c);
    for (std::uint64_t i = 0; i < out.elements.value; ++i)
      store(out, to, i, numerics::alu_bitvec(op, integer(a, from_a, i), integer(b, from_b, i), bits_of(a.dtype)));
  }
}

void tensor_tensor(const Plan& plan, const Inputs& inputs, const numerics::Switches& switches, Work& work) {
  const AluOp op = isa::decode_as<isa::S3S3D3Tt>(plan.word).op;
  if (plan.opcode == Opcode::tensor_tensor_bitvec_op) return tensor_tensor_bits(plan, inputs, op, work);
  if (on_integers(op)) return tensor_tensor_int(plan, inputs, op, work);
  tensor_tensor_fp32(plan, inputs, op, switches, work);
}

// ---- Predicated copy and cast: src0 decides, src1 is written, the rest of the destination stays ----

// For each element of a stream, the one before it that lies in the same place; itself when there is none.
std::vector<std::size_t> earlier_in_place(const isa::AccessPattern& pattern, std::size_t count) {
  std::vector<std::int64_t> place(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t index = i;
    for (std::size_t d = 0; d < 4; ++d) {
      place[i] += static_cast<std::int64_t>(index % pattern.num_elem[d]) * pattern.step_elem[d];
      index /= pattern.num_elem[d];
    }
  }
  std::vector<std::size_t> by_place(count), earlier(count);
  std::iota(by_place.begin(), by_place.end(), 0);
  earlier = by_place;
  std::stable_sort(by_place.begin(), by_place.end(), [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
  for (std::size_t k = 1; k < count; ++k) {
    if (place[by_place[k]] == place[by_place[k - 1]]) earlier[by_place[k]] = by_place[k - 1];
  }
  return earlier;
}

void predicated(const Plan& plan, const Inputs& inputs, const numerics::Switches& switches, Work& work) {
  const Access &predicate = plan.sources[0], &source = plan.sources[1], &out = *plan.destination;
  const std::size_t size = isa::storage_size(out.dtype).value;
  const std::vector<std::size_t> earlier = earlier_in_place(out.pattern, out.elements.value);
  for (std::uint32_t c = 0; c < predicate.channels; ++c) {
    std::vector<std::uint8_t> values(channel_bytes(out));
    if (plan.opcode == Opcode::copy_predicated && source.dtype == out.dtype) {
      std::copy_n(inputs[1].channel(c), values.size(), values.data());
    } else {
      const auto converted = channel_values(source, inputs[1], c, switches);
      kernels::from_fp32(converted.data(), out.dtype, out.elements.value, values.data(), switches);
    }
    const std::uint8_t* decides = inputs[0].channel(c);
    std::uint8_t* to = work.destination.channel(c);
    std::copy_n(inputs.back().channel(c), values.size(), to);  // what stood there
    for (std::uint64_t i = 0; i < out.elements.value; ++i) {
      // What is kept is what stands there by then, which an earlier element of the stream may have written.
      const std::uint8_t* value =
          integer(predicate, decides, i) != 0 ? values.data() + i * size : to + earlier[i] * size;
      std::memmove(to + i * size, value, size);
    }
  }
}

// ---- TensorScalar ----

// The scalar of a bit operation: a literal of the word, or the value behind a pointer.
struct Scalar {
  std::optional<std::size_t> source;  // in plan.sources
  std::uint32_t literal = 0;
};

Scalar scalar_of(const Plan& plan, OperandRole role, isa::ImmField literal) {
  return {source_index(plan, role), literal.raw};
}

std::uint64_t bits_of(const Scalar& scalar, const Plan& plan, const Inputs& inputs, std::uint32_t channel) {
  if (!scalar.source) return scalar.literal;
  const Access& access = plan.sources[*scalar.source];
  return integer(access, inputs[*scalar.source].channel(channel), 0);
}

void tensor_scalar(const Plan& plan, const Inputs& inputs, const numerics::Switches& switches, Work& work) {
  const auto word = isa::decode_as<isa::S3D3Ts>(plan.word);
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    const float s0 = scalar_value(plan, inputs, OperandRole::imm0, word.imm0, c, switches);
    const float s1 = scalar_value(plan, inputs, OperandRole::imm1, word.imm1, c, switches);
    auto values = channel_values(plan.sources[0], inputs[0], c, switches);
    values.resize(plan.destination->elements.value);
    for (float& v : values)
      v = numerics::tensor_scalar(v, word.op0, s0, word.op1, s1, word.reverse_operands & 3U, switches);
    store_channel(*plan.destination, c, values.data(), switches, work.destination);
  }
}

void tensor_scalar_bits(const Plan& plan, const Inputs& inputs, Work& work) {
  const auto word = isa::decode_as<isa::S3D3Ts>(plan.word);
  const Access &source = plan.sources[0], &out = *plan.destination;
  const Scalar scalar0 = scalar_of(plan, OperandRole::imm0, word.imm0);
  const Scalar scalar1 = scalar_of(plan, OperandRole::imm1, word.imm1);
  const unsigned bits = bits_of(source.dtype);
  const auto apply = [bits](AluOp op, std::uint64_t a, std::uint64_t b, bool reversed) {
    return reversed ? numerics::alu_bitvec(op, b, a, bits) : numerics::alu_bitvec(op, a, b, bits);
  };
  for (std::uint32_t c = 0; c < source.channels; ++c) {
    const std::uint64_t s0 = bits_of(scalar0, plan, inputs, c), s1 = bits_of(scalar1, plan, inputs, c);
    const std::uint8_t* from = inputs[0].channel(c);
    std::uint8_t* to = work.destination.channel(c);
    for (std::uint64_t i = 0; i < out.elements.value; ++i) {
      std::uint64_t value = apply(word.op0, integer(source, from, i), s0, (word.reverse_operands & 1) != 0);
      if (word.op1 != AluOp::bypass) value = apply(word.op1, value, s1, (word.reverse_operands & 2) != 0);
      store(out, to, i, value);
    }
  }
}

// ---- TensorReduce, Copy, Cast, Reciprocal ----

void reduce_channel_int(const Plan& plan, const Inputs& inputs, const isa::S4D4Tr& word, std::uint32_t channel,
                        std::uint64_t run, Work& work) {
  const Access &source = plan.sources[0], &out = *plan.destination;
  const numerics::IntFormat format = int_format(plan);
  const std::uint8_t* from = inputs[0].channel(channel);
  std::vector<std::uint64_t> values(run);
  for (std::uint64_t r = 0; r < out.elements.value; ++r) {
    for (std::uint64_t i = 0; i < run; ++i) values[i] = integer(source, from, r * run + i);
    auto folded = numerics::fold_int(word.op, values.data(), run, format);
    if (!folded) return work.outcome.faults.push_back(divide_by_zero("src", 12, channel, r * run));
    if (word.negated != 0) folded = numerics::alu_int(AluOp::subtract_int, 0, *folded, format);
    store(out, work.destination.channel(channel), r, *folded);
  }
}

void tensor_reduce(const Plan& plan, const Inputs& inputs, const numerics::Switches& switches, Work& work) {
  const auto word = isa::decode_as<isa::S4D4Tr>(plan.word);
  std::uint64_t run = 1;  // elements folded into one result
  for (std::uint32_t d = 0; d < folded_dimensions(word.op_dim); ++d) run *= plan.sources[0].pattern.num_elem[d];
  for (std::uint32_t c = 0; c < plan.sources[0].channels && work.outcome.faults.empty(); ++c) {
    if (on_integers(word.op)) {
      reduce_channel_int(plan, inputs, word, c, run, work);
      continue;
    }
    const auto values = channel_values(plan.sources[0], inputs[0], c, switches);
    std::vector<float> folded(plan.destination->elements.value);
    for (std::size_t r = 0; r < folded.size(); ++r) {
      const float value = numerics::fold_fp32(word.op, values.data() + r * run, run);
      folded[r] = word.negated != 0 ? numerics::canonical(-value) : value;
    }
    store_channel(*plan.destination, c, folded.data(), switches, work.destination);
  }
}

// Copies keep every bit; a word that names two dtypes converts (relaxed legality only).
void copy(const Plan& plan, const Inputs& inputs, const numerics::Switches& switches, Work& work) {
  const bool same = plan.sources[0].dtype == plan.destination->dtype;
  for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
    if (same && plan.opcode == Opcode::copy) {
      std::copy_n(inputs[0].channel(c), channel_bytes(*plan.destination), work.destination.channel(c));
      continue;
    }
    auto values = channel_values(plan.sources[0], inputs[0], c, switches);
    if (plan.opcode == Opcode::reciprocal) {
      for (float& v : values) v = numerics::canonical(numerics::divide_reciprocal(v, switches.divide));
    }
    store_channel(*plan.destination, c, values.data(), switches, work.destination);
  }
}

void memset(const Plan& plan, Work& work) {
  const std::uint32_t value = isa::decode_as<isa::D4Mr>(plan.word).set_value;
  const std::size_t size = isa::storage_size(plan.destination->dtype).value;
  std::array<std::uint8_t, 8> element{};
  std::memcpy(element.data(), &value, sizeof value);
  for (std::uint32_t c = 0; c < plan.destination->channels; ++c) {
    for (std::size_t at = 0; at < channel_bytes(*plan.destination); at += size)
      std::memcpy(work.destination.channel(c) + at, element.data(), size);
  }
}

// ---- CrossLaneReduce ----

// All elements of all partitions to one value: one running fold, partition by partition; or each partition's own fold,
// the partitions then in a tree (isa-neighbours.md 8.2, DEFAULT and switch).
float fold_all(numerics::CrossLaneOp op, const std::vector<std::vector<float>>& channels, float scale,
               const numerics::Switches& switches) {
  numerics::Switches in_order = switches;
  in_order.clr_order = numerics::ClrOrder::ascending;
  std::vector<float> values;
  if (switches.clr_order == numerics::ClrOrder::ascending) {
    for (const auto& channel : channels) values.insert(values.end(), channel.begin(), channel.end());
    return numerics::cross_lane_fp32(op, values.data(), values.size(), scale, in_order);
  }
  for (const auto& channel : channels)
    values.push_back(numerics::cross_lane_fp32(op, channel.data(), channel.size(), scale, in_order));
  const auto across = op == numerics::CrossLaneOp::average ? numerics::CrossLaneOp::add : op;
  return numerics::cross_lane_fp32(across, values.data(), values.size(), scale, switches);
}

void cross_lane_fp32(const Plan& plan, const Inputs& inputs, const isa::S4D4Cr& word,
                     const numerics::Switches& switches, Work& work) {
  const auto op = static_cast<numerics::CrossLaneOp>(word.reduce_op);
  const float scale = numerics::float_from_bits(word.scale_bits);
  const Access& source = plan.sources[0];
  std::vector<std::vector<float>> channels;
  for (std::uint32_t c = 0; c < source.channels; ++c)
    channels.push_back(channel_values(source, inputs[0], c, switches));
  std::vector<float> values(plan.destination->elements.value), lanes(source.channels);
  if (word.reduce_axis == 0) {
    std::fill(values.begin(), values.end(), fold_all(op, channels, scale, switches));  // one value, or none
  } else {
    for (std::size_t e = 0; e < values.size(); ++e) {
      for (std::uint32_t c = 0; c < source.channels; ++c) lanes[c] = channels[c][e];
      values[e] = numerics::cross_lane_fp32(op, lanes.data(), lanes.size(), scale, switches);
    }
  }
  store_channel(*plan.destination, 0, values.data(), switches, work.destination);
}

void cross_lane_bits(const Plan& plan, const Inputs& inputs, const isa::S4D4Cr& word, Work& work) {
  const auto op = static_cast<numerics::CrossLaneOp>(word.reduce_op);
  const Access &source = plan.sources[0], &out = *plan.destination;
  const std::uint64_t run = word.reduce_axis == 0 ? source.elements.value : 1;
  std::vector<std::uint64_t> values;
  for (std::uint64_t e = 0; e < out.elements.value; ++e) {
    values.clear();
    for (std::uint32_t c = 0; c < source.channels; ++c) {
      const std::uint8_t* from = inputs[0].channel(c);
      for (std::uint64_t i = 0; i < run; ++i) values.push_back(integer(source, from, e * run + i));
    }
    store(out, work.destination.channel(0), e, numerics::cross_lane_bits(op, values.data(), values.size()));
  }
}

// ---- What has no definition ----

isa::Finding unsupported(std::string_view field, std::uint32_t byte, std::uint64_t value, std::string expected) {
  return {"unsupported_operation", std::string(field), byte, value, std::move(expected)};
}

bool all_integers(const Plan& plan) {
  return is_integer(*plan.destination) && std::all_of(plan.sources.begin(), plan.sources.end(), is_integer);
}

std::optional<isa::Finding> alu_refusal(const Plan& plan, AluOp op, std::string_view field, std::uint32_t byte,
                                        bool bitvec) {
  if (bitvec) {
    if (!isa::is_general_bitvec_op(op))
      return unsupported(field, byte, isa::code(op), "a bit operation with a published definition");
    if (!all_integers(plan)) return unsupported(field, byte, isa::code(op), "integer dtypes for a bit operation");
    return std::nullopt;
  }
  if (on_integers(op)) {
    if (!all_integers(plan)) return unsupported(field, byte, isa::code(op), "integer dtypes for an integer operation");
    return std::nullopt;
  }
  if (!numerics::has_fp32_meaning(op))
    return unsupported(field, byte, isa::code(op), "an ALU operation that the model defines");
  return std::nullopt;
}

std::optional<isa::Finding> tensor_scalar_refusal(const Plan& plan) {
  const auto word = isa::decode_as<isa::S3D3Ts>(plan.word);
  const bool bitvec = plan.opcode == Opcode::tensor_scalar_bitvec_op;
  if (word.accumulator_cmd != 0)
    return unsupported("accumulator_cmd", 12, word.accumulator_cmd, "0 (TensorScalar has no accumulator)");
  for (const auto& [op, name, byte] : {std::tuple{word.op0, "op0", 36U}, std::tuple{word.op1, "op1", 37U}}) {
    if (!bitvec && !numerics::has_fp32_meaning(op))
      return unsupported(name, byte, isa::code(op), "an fp32 operation that the model defines");
    if (bitvec) {
      if (auto refusal = alu_refusal(plan, op, name, byte, true)) return refusal;
    }
  }
  return std::nullopt;
}

std::optional<isa::Finding> reduce_refusal(const Plan& plan) {
  const auto word = isa::decode_as<isa::S4D4Tr>(plan.word);
  if (word.mask_enable != 0) return unsupported("mask_enable", 38, word.mask_enable, "0 (masks are not published)");
  if (plan.opcode != Opcode::tensor_reduce_arith_op) return std::nullopt;
  if (folded_dimensions(word.op_dim) == 0)
    return unsupported("op_dim", 37, word.op_dim, "2 (X), 3 (XY), 4 (XYZ) or 5 (XYZW)");
  return alu_refusal(plan, word.op, "op", 36, false);
}

std::optional<isa::Finding> cross_lane_refusal(const Plan& plan) {
  const auto word = isa::decode_as<isa::S4D4Cr>(plan.word);
  const bool bitvec = plan.opcode == Opcode::cross_lane_reduce_bitvec_op;
  const bool known = bitvec ? word.reduce_op >= 3 && word.reduce_op <= 5 : word.reduce_op <= 2;
  if (!known)
    return unsupported("reduce_op", 35, word.reduce_op,
                       bitvec ? "3 (or), 4 (and) or 5 (xor)" : "0 (add), 1 (average) or 2 (max)");
  if (word.reduce_axis > 1) return unsupported("reduce_axis", 36, word.reduce_axis, "0 (all) or 1 (partitions)");
  if (bitvec && !all_integers(plan))
    return unsupported("in_dtype", 32, isa::code(word.in_dtype), "integer dtypes for a bit operation");
  return std::nullopt;
}

std::optional<isa::Finding> activate_refusal(const Plan& plan) {
  const auto word = isa::decode_as<isa::S3D3Ac>(plan.word);
  if (!numerics::has_definition(word.activation_func))
    return unsupported("activation_func", 35, isa::code(word.activation_func),
                       "a function with a published definition");
  if (word.accumulator_cmd > static_cast<std::uint8_t>(isa::AccumCmd::zero_accumulate))
    return unsupported("accumulator_cmd", 14, word.accumulator_cmd,
                       "0 to 3 (what LoadAccumulate loads is not published)");
  return std::nullopt;
}

}  // namespace

std::uint32_t folded_dimensions(std::uint8_t op_dim) { return op_dim >= 2 && op_dim <= 5 ? op_dim - 1U : 0; }

std::optional<isa::Finding> unsupported_operation(const Plan& plan) {
  switch (plan.opcode) {
    case Opcode::tensor_tensor_arith_op:
      return alu_refusal(plan, isa::decode_as<isa::S3S3D3Tt>(plan.word).op, "op", 14, false);
    case Opcode::tensor_tensor_bitvec_op:
      return alu_refusal(plan, isa::decode_as<isa::S3S3D3Tt>(plan.word).op, "op", 14, true);
    case Opcode::copy_predicated:
    case Opcode::cast_predicated:
      if (is_integer(plan.sources[0])) return std::nullopt;
      return unsupported("in0_in1_dtype.lo", 12, isa::code(plan.sources[0].dtype), "an integer predicate");
    case Opcode::tensor_scalar_arith_op:
    case Opcode::tensor_scalar_bitvec_op:
      return tensor_scalar_refusal(plan);
    case Opcode::tensor_reduce_arith_op:
    case Opcode::copy:
    case Opcode::cast:
    case Opcode::reciprocal:
      return reduce_refusal(plan);
    case Opcode::cross_lane_reduce_arith_op:
    case Opcode::cross_lane_reduce_bitvec_op:
      return cross_lane_refusal(plan);
    case Opcode::activate:
      return activate_refusal(plan);
    default:
      return std::nullopt;
  }
}

void tensor_operation(const Plan& plan, const Inputs& inputs, const numerics::Switches& switches, Work& work) {
  switch (plan.opcode) {
    case Opcode::tensor_tensor_arith_op:
    case Opcode::tensor_tensor_bitvec_op:
      return tensor_tensor(plan, inputs, switches, work);
    case Opcode::copy_predicated:
    case Opcode::cast_predicated:
      return predicated(plan, inputs, switches, work);
    case Opcode::tensor_scalar_arith_op:
      return tensor_scalar(plan, inputs, switches, work);
    case Opcode::tensor_scalar_bitvec_op:
      return tensor_scalar_bits(plan, inputs, work);
    case Opcode::tensor_reduce_arith_op:
      return tensor_reduce(plan, inputs, switches, work);
    case Opcode::copy:
    case Opcode::cast:
    case Opcode::reciprocal:
      return copy(plan, inputs, switches, work);
    case Opcode::memset:
      return memset(plan, work);
    case Opcode::cross_lane_reduce_arith_op:
      return cross_lane_fp32(plan, inputs, isa::decode_as<isa::S4D4Cr>(plan.word), switches, work);
    case Opcode::cross_lane_reduce_bitvec_op:
      return cross_lane_bits(plan, inputs, isa::decode_as<isa::S4D4Cr>(plan.word), work);
    default:
      return;
  }
}

}  // namespace dve::execute
