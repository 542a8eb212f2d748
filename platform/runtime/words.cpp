#include "words.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace dve::runtime {
namespace {

isa::Header header(isa::Opcode opcode) {
  isa::Header h;
  h.opcode = isa::code(opcode);
  return h;
}

template <std::size_t N>
isa::Tensor<N> stream(const WordContext& context, const isa::Place& place, std::uint64_t count) {
  return isa::contiguous_tensor<N>(isa::address_of(place, context.generation), static_cast<std::uint16_t>(count));
}

isa::ImmField pointer(const WordContext& context, const isa::Place& place) {
  return {isa::address_of(place, context.generation).raw};
}

isa::Word await_two(const SemaphoreWait& first, const SemaphoreWait& second) {
  isa::CtrlEs w;
  w.header = header(isa::Opcode::event_semaphore);
  w.events.wait_mode = w.wait_mode1 = isa::WaitMode::sem_ge_imm;
  w.events.wait_idx = static_cast<std::uint8_t>(first.semaphore);
  w.events.semaphore_value = first.at_least;
  w.wait_idx1 = static_cast<std::uint8_t>(second.semaphore);
  w.sem_wait_value = second.at_least;
  return isa::encode(w);
}

}  // namespace

isa::Place shifted(isa::Place place, std::int64_t bytes) {
  place.offset = static_cast<std::uint32_t>(place.offset + bytes);
  return place;
}

std::vector<isa::Word> load_parameter_ram(const numerics::Switches& switches) {
  const numerics::ParamTable table = numerics::reciprocal_table(switches.param_ram_index);
  const std::size_t unit = switches.param_ram_offset_unit == numerics::ParamRamOffsetUnit::byte ? sizeof(float) : 1;
  std::vector<isa::Word> words;
  for (std::size_t first = 0; first < table.size(); first += 8) {
    isa::CtrlIm w;
    w.header = header(isa::Opcode::load_parameter_ram);
    w.param_ram_offset = static_cast<std::uint16_t>(first * unit);
    for (std::size_t i = 0; i < 8; ++i) w.immediate[i] = numerics::bits_of(table[first + i]);
    words.push_back(isa::encode(w));
  }
  return words;
}

isa::Word stats2(const WordContext& context, const isa::Place& src, std::uint64_t count, const isa::Place& dst) {
  isa::S4D2Bn w;
  w.header = header(isa::Opcode::batch_norm_stats2);
  w.src = stream<4>(context, src, count);
  w.in_dtype = context.dtype;
  w.out_dtype = isa::Dtype::fp32;
  w.num_active_channels = static_cast<std::uint8_t>(context.channels);
  const std::uint64_t odd_count = count / 2;
  w.even_count_bits = numerics::bits_of(static_cast<float>(count - odd_count));
  w.odd_count_bits = numerics::bits_of(static_cast<float>(odd_count));
  w.dst = stream<2>(context, dst, 6);
  return isa::encode(w);
}

isa::Word aggregate(const WordContext& context, const isa::Place& src, std::uint64_t triples, const isa::Place& dst) {
  isa::S4D2Bn w;
  w.header = header(isa::Opcode::batch_norm_aggregate);
  if (3 * triples <= kMaxTile) {
    w.src = stream<4>(context, src, 3 * triples);
  } else {
    w.src = stream<4>(context, src, 3);
    w.src.num_elem[1] = static_cast<std::uint16_t>(triples);
    w.src.step_elem[1] = 3;
  }
  w.in_dtype = isa::Dtype::fp32;
  w.out_dtype = isa::Dtype::fp32;
  w.num_active_channels = static_cast<std::uint8_t>(context.channels);
  w.dst = stream<2>(context, dst, 2);
  return isa::encode(w);
}

isa::Word grad_accumulate2(const WordContext& context, const Regions& regions, const isa::Place& x,
                           const isa::Place& dy, std::uint64_t count, const isa::Place& dst) {
  isa::S3S3D1Bn2 w;
  w.header = header(isa::Opcode::batch_norm_grad_accumulate2);
  w.imm0 = pointer(context, regions.mean);
  w.imm1 = pointer(context, regions.inv_std);
  w.src0 = stream<3>(context, x, count);
  w.src1 = stream<3>(context, dy, count);
  w.dst = stream<1>(context, dst, 3);
  w.in0_in1_dtype = {context.dtype, context.dtype};
  w.immediate_out_dtype = {isa::Dtype::fp32, isa::Dtype::fp32};
  w.imm0_imm1_src = {static_cast<std::uint8_t>(isa::ImmSrc::pointer), static_cast<std::uint8_t>(isa::ImmSrc::pointer)};
  w.num_active_channels = static_cast<std::uint8_t>(context.channels);
  return isa::encode(w);
}

isa::Word param_load(const WordContext& context, const Regions& regions, const numerics::Switches& switches) {
  const bool documented = switches.dst_order == numerics::DstOrder::documented;
  const bool staged = switches.backprop_form == numerics::BackpropForm::staged;
  const int c_slot = documented == staged ? 2 : 1;
  isa::S2Bn w;
  w.header = header(isa::Opcode::batch_norm_param_load);
  w.src = stream<2>(context, shifted(regions.sums, c_slot == 2 ? -8 : -4), 3);
  w.src.step_elem[0] = static_cast<std::int16_t>(c_slot);
  w.element_count_bits = numerics::bits_of(context.element_count);
  w.src_dtype = isa::Dtype::fp32;
  w.num_active_channels = static_cast<std::uint8_t>(context.channels);
  w.imm0 = pointer(context, regions.mean);
  w.imm0_src = static_cast<std::uint8_t>(isa::ImmSrc::pointer);
  return isa::encode(w);
}

isa::Word back_prop(const WordContext& context, const isa::Place& x, const isa::Place& dy, const isa::Place& dx,
                    std::uint64_t count) {
  isa::S3S3D3Tt w;
  w.header = header(isa::Opcode::batch_norm_back_prop);
  w.in0_in1_dtype = {context.dtype, context.dtype};
  w.out_dtype = context.dtype;
  w.num_active_channels = static_cast<std::uint8_t>(context.channels);
  w.src0 = stream<3>(context, x, count);
  w.src1 = stream<3>(context, dy, count);
  w.dst = stream<3>(context, dx, count);
  return isa::encode(w);
}

isa::Word tensor_tensor(const WordContext& context, isa::AluOp op, const isa::Place& a, const isa::Place& b,
                        const isa::Place& dst, std::uint64_t count) {
  isa::S3S3D3Tt w;
  w.header = header(isa::Opcode::tensor_tensor_arith_op);
  w.in0_in1_dtype = {isa::Dtype::fp32, isa::Dtype::fp32};
  w.out_dtype = isa::Dtype::fp32;
  w.op = op;
  w.num_active_channels = static_cast<std::uint8_t>(context.channels);
  w.src0 = stream<3>(context, a, count);
  w.src1 = stream<3>(context, b, count);
  w.dst = stream<3>(context, dst, count);
  return isa::encode(w);
}

namespace {

// TensorScalar from `src` to `dst`; both slots empty.
isa::S3D3Ts tensor_scalar(const WordContext& context, isa::Dtype dtype, const isa::Place& src, const isa::Place& dst,
                          std::uint64_t count) {
  isa::S3D3Ts w;
  w.header = header(isa::Opcode::tensor_scalar_arith_op);
  w.in_dtype = w.out_dtype = dtype;
  w.num_active_channels = static_cast<std::uint8_t>(context.channels);
  w.src = stream<3>(context, src, count);
  w.dst = stream<3>(context, dst, count);
  return w;
}

constexpr std::uint8_t kPointer = static_cast<std::uint8_t>(isa::ImmSrc::pointer);
constexpr std::uint8_t kReverseSecond = 2;

isa::S3D3Ac activation(const WordContext& context, isa::ActivationFunc function, isa::Dtype dtype,
                       const isa::Place& src, const isa::Place& dst, std::uint64_t count) {
  isa::S3D3Ac w;
  w.header = header(isa::Opcode::activate);
  w.activation_func = function;
  w.in_bias_dtype = {dtype, isa::Dtype::fp32};
  w.out_dtype = dtype;
  w.num_active_channels = static_cast<std::uint8_t>(context.channels);
  w.src = stream<3>(context, src, count);
  w.dst = stream<3>(context, dst, count);
  return w;
}

}  // namespace

isa::Word scaled(const WordContext& context, const isa::Place& src, float factor, const isa::Place& dst,
                 std::uint64_t copies) {
  isa::S3D3Ts w = tensor_scalar(context, isa::Dtype::fp32, src, dst, copies);
  w.src.step_elem[0] = 0;
  w.op0 = isa::AluOp::mult;
  w.imm0.raw = numerics::bits_of(factor);
  return isa::encode(w);
}

isa::Word shift(const WordContext& context, const Regions& regions) {
  isa::S3D3Ts w = tensor_scalar(context, isa::Dtype::fp32, regions.mean, regions.shift, 1);
  w.op0 = isa::AluOp::mult;
  w.imm0_src = kPointer;
  w.imm0 = pointer(context, regions.scale);
  w.op1 = isa::AluOp::subtract;
  w.imm1_src = kPointer;
  w.imm1 = pointer(context, regions.beta);
  w.reverse_operands = kReverseSecond;
  return isa::encode(w);
}

isa::Word normalise(const WordContext& context, const Regions& regions, const isa::Place& x, std::uint64_t count) {
  isa::S3D3Ts w = tensor_scalar(context, context.dtype, x, x, count);
  w.op0 = isa::AluOp::subtract;
  w.imm0_src = kPointer;
  w.imm0 = pointer(context, regions.mean);
  w.op1 = isa::AluOp::mult;
  w.imm1_src = kPointer;
  w.imm1 = pointer(context, regions.inv_std);
  return isa::encode(w);
}

isa::Word load_root_functions() {
  isa::CtrlTable w;
  w.header = header(isa::Opcode::activation_table_load);
  w.set_index = *isa::table_set_of(isa::ActivationFunc::rsqrt);
  return isa::encode(w);
}

isa::Word inverse_root(const WordContext& context, const Regions& regions, double eps) {
  const isa::Place var = shifted(regions.mean, sizeof(float));
  isa::S3D3Ac w = activation(context, isa::ActivationFunc::rsqrt, isa::Dtype::fp32, var, regions.inv_std, 1);
  w.scale.raw = numerics::bits_of(1.0F);
  w.bias_src_n = static_cast<std::uint8_t>(isa::ImmSrcN::instruction);
  w.bias.raw = numerics::bits_of(static_cast<float>(eps));
  return isa::encode(w);
}

isa::Word affine(const WordContext& context, const Regions& regions, const isa::Place& x, const isa::Place& y,
                 std::uint64_t count) {
  isa::S3D3Ac w = activation(context, isa::ActivationFunc::identity, context.dtype, x, y, count);
  w.scale_src = kPointer;
  w.scale = pointer(context, regions.scale);
  w.bias_src_n = static_cast<std::uint8_t>(isa::ImmSrcN::pointer);
  w.bias = pointer(context, regions.shift);
  return isa::encode(w);
}

isa::Word drain() {
  isa::CtrlDrain w;
  w.header = header(isa::Opcode::drain);
  return isa::encode(w);
}

void set_wait(isa::Word& word, const SemaphoreWait& wait) {
  isa::Events events = isa::read_events(word);
  events.wait_mode = isa::WaitMode::sem_ge_imm;
  events.wait_idx = static_cast<std::uint8_t>(wait.semaphore);
  events.semaphore_value = wait.at_least;
  isa::write_events(word, events);
}

void set_increment(isa::Word& word, isa::SemaphoreIndex semaphore) {
  isa::Events events = isa::read_events(word);
  events.update_mode = isa::UpdateMode::sem_inc_complete;
  events.update_idx = static_cast<std::uint8_t>(semaphore);
  isa::write_events(word, events);
}

void append_waiting(std::vector<isa::Word>& words, isa::Word word, std::vector<SemaphoreWait> waits) {
  while (waits.size() > 1) {
    words.push_back(await_two(waits[waits.size() - 2], waits.back()));
    waits.resize(waits.size() - 2);
  }
  if (!waits.empty()) set_wait(word, waits.front());
  words.push_back(word);
}

}  // namespace dve::runtime
