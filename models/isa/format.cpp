#include "format.h"

namespace dve::isa {
namespace {

using Fields = std::vector<FieldFormat>;

constexpr CodePlace whole(std::uint8_t byte) { return {byte, Part::whole}; }
constexpr CodePlace low(std::uint8_t byte) { return {byte, Part::low}; }
constexpr CodePlace high(std::uint8_t byte) { return {byte, Part::high}; }

FieldFormat field(std::string_view name, std::uint8_t byte, std::uint8_t size, FieldKind kind) {
  FieldFormat f;
  f.name = f.key = name;
  f.byte = byte;
  f.size = size;
  f.kind = kind;
  return f;
}
FieldFormat integer(std::string_view name, std::uint8_t byte, std::uint8_t size = 1) {
  return field(name, byte, size, FieldKind::integer);
}
FieldFormat reserved(std::string_view name, std::uint8_t byte, std::uint8_t size) {
  return field(name, byte, size, FieldKind::reserved);
}
// A field that follows from others in assembly text, and has a key only to override them.
FieldFormat derived(std::string_view name, std::uint8_t byte, FieldKind kind) {
  FieldFormat f = field(name, byte, 1, kind);
  f.key = {};
  return f;
}
FieldFormat channels(std::uint8_t byte) {
  FieldFormat f = integer("num_active_channels", byte);
  f.key = "channels";
  return f;
}
FieldFormat tensor(std::string_view name, OperandRole role, std::uint8_t byte, std::uint8_t dimensions,
                   CodePlace dtype) {
  FieldFormat f = field(name, byte, static_cast<std::uint8_t>(4 + 4 * dimensions), FieldKind::tensor);
  f.dimensions = dimensions;
  f.role = role;
  f.dtype = dtype;
  return f;
}
FieldFormat immediate(std::string_view name, OperandRole role, std::uint8_t byte, CodePlace dtype,
                      SourceEncoding encoding = SourceEncoding::none, CodePlace source = {}) {
  FieldFormat f = field(name, byte, 4, FieldKind::immediate);
  f.role = role;
  f.dtype = dtype;
  f.source_encoding = encoding;
  f.source = source;
  return f;
}
FieldFormat keyed(std::string_view name, std::string_view key, std::uint8_t byte, std::uint8_t size, FieldKind kind) {
  FieldFormat f = field(name, byte, size, kind);
  f.key = key;
  return f;
}

Format s4d2_bn() {
  return {"S4D2_BN",
          {tensor("src", OperandRole::src0, 12, 4, whole(32)), derived("in_dtype", 32, FieldKind::dtype),
           derived("out_dtype", 33, FieldKind::dtype), channels(34), reserved("reserved0", 35, 5),
           field("even_count", 40, 4, FieldKind::fp32), field("odd_count", 44, 4, FieldKind::fp32),
           tensor("dst", OperandRole::dst, 48, 2, whole(33)), reserved("reserved1", 60, 4)},
          34};
}

Format s3s3d1_bn() {
  return {"S3S3D1_BN",
          {immediate("imm0", OperandRole::imm0, 12, whole(61)), tensor("src0", OperandRole::src0, 16, 3, low(60)),
           tensor("src1", OperandRole::src1, 32, 3, high(60)), tensor("dst", OperandRole::dst, 48, 1, whole(62)),
           immediate("imm1", OperandRole::imm1, 56, whole(61)), derived("in0_in1_dtype", 60, FieldKind::dtype_pair),
           keyed("immediate_dtype", "imm_dtype", 61, 1, FieldKind::dtype), derived("out_dtype", 62, FieldKind::dtype),
           channels(63)},
          63};
}

Format s3s3d1_bn2() {
  return {
      "S3S3D1_BN2",
      {immediate("imm0", OperandRole::imm0, 12, low(61), SourceEncoding::zero_is_pointer, low(62)),
       tensor("src0", OperandRole::src0, 16, 3, low(60)), tensor("src1", OperandRole::src1, 32, 3, high(60)),
       tensor("dst", OperandRole::dst, 48, 1, high(61)),
       immediate("imm1", OperandRole::imm1, 56, low(61), SourceEncoding::zero_is_pointer, high(62)),
       derived("in0_in1_dtype", 60, FieldKind::dtype_pair), derived("immediate_out_dtype", 61, FieldKind::dtype_pair),
       derived("imm0_imm1_src", 62, FieldKind::imm_src_pair), channels(63)},
      63};
}

Format s2_bn() {
  return {"S2_BN",
          {reserved("reserved0", 12, 4), tensor("src", OperandRole::src0, 16, 2, whole(32)),
           field("element_count", 28, 4, FieldKind::fp32), derived("src_dtype", 32, FieldKind::dtype),
           reserved("reserved1", 33, 1), channels(34), reserved("reserved2", 35, 9),
           immediate("imm0", OperandRole::imm0, 44, {}, SourceEncoding::zero_is_pointer, whole(48)),
           derived("imm0_src", 48, FieldKind::integer), reserved("reserved3", 49, 15)},
          34};
}

Format s2_bnpl2() {
  return {"S2_BNPL2",
          {tensor("src", OperandRole::src0, 12, 2, whole(32)), reserved("reserved0", 24, 4),
           field("element_count", 28, 4, FieldKind::fp32), derived("src_dtype", 32, FieldKind::dtype),
           keyed("immediate_dtype", "imm_dtype", 33, 1, FieldKind::dtype), channels(34), reserved("reserved1", 35, 5),
           immediate("imm0", OperandRole::imm0, 40, whole(33), SourceEncoding::zero_is_pointer, whole(48)),
           immediate("imm1", OperandRole::imm1, 44, whole(33), SourceEncoding::zero_is_pointer, whole(49)),
           derived("imm0_src", 48, FieldKind::integer), derived("imm1_src", 49, FieldKind::integer),
           reserved("reserved2", 50, 14)},
          34};
}

Format s3s3d3_tt() {
  return {"S3S3D3_TT",
          {derived("in0_in1_dtype", 12, FieldKind::dtype_pair), derived("out_dtype", 13, FieldKind::dtype),
           field("op", 14, 1, FieldKind::alu_op), channels(15), tensor("src0", OperandRole::src0, 16, 3, low(12)),
           tensor("src1", OperandRole::src1, 32, 3, high(12)), tensor("dst", OperandRole::dst, 48, 3, whole(13))},
          15};
}

Format ctrl_im() {
  return {"CTRL_IM",
          {integer("param_ram_offset", 12, 2), integer("imm_ptr_select", 14), reserved("reserved0", 15, 17),
           field("immediate", 32, 32, FieldKind::words)}};
}

// A pointer scalar is fp32 for arithmetic, of the input's dtype for bit operations (isa-neighbours.md 2).
Format s3d3_ts(CodePlace scalar_dtype) {
  return {"S3D3_TS",
          {integer("accumulator_cmd", 12), reserved("reserved0", 13, 3),
           tensor("src", OperandRole::src0, 16, 3, whole(32)), derived("in_dtype", 32, FieldKind::dtype),
           derived("out_dtype", 33, FieldKind::dtype), channels(34), derived("imm0_src", 35, FieldKind::integer),
           field("op0", 36, 1, FieldKind::alu_op), field("op1", 37, 1, FieldKind::alu_op),
           integer("reverse_operands", 38), derived("imm1_src", 39, FieldKind::integer),
           immediate("imm0", OperandRole::imm0, 40, scalar_dtype, SourceEncoding::standard, whole(35)),
           immediate("imm1", OperandRole::imm1, 44, scalar_dtype, SourceEncoding::standard, whole(39)),
           tensor("dst", OperandRole::dst, 48, 3, whole(33))},
          34};
}

Format s4d4_tr() {
  return {"S4D4_TR",
          {tensor("src", OperandRole::src0, 12, 4, whole(32)), derived("in_dtype", 32, FieldKind::dtype),
           derived("out_dtype", 33, FieldKind::dtype), channels(34), integer("negated", 35),
           field("op", 36, 1, FieldKind::alu_op), integer("op_dim", 37), integer("mask_enable", 38),
           reserved("reserved0", 39, 5), tensor("dst", OperandRole::dst, 44, 4, whole(33))},
          34};
}

Format s4d4_cr() {
  return {"S4D4_CR",
          {tensor("src", OperandRole::src0, 12, 4, whole(32)), derived("in_dtype", 32, FieldKind::dtype),
           derived("out_dtype", 33, FieldKind::dtype), channels(34), integer("reduce_op", 35),
           integer("reduce_axis", 36), reserved("reserved0", 37, 3), field("scale", 40, 4, FieldKind::fp32),
           tensor("dst", OperandRole::dst, 44, 4, whole(33))},
          34};
}

Format d4_mr() {
  return {
      "D4_MR",
      {reserved("reserved0", 12, 16), integer("element_count", 28, 4), derived("dtype", 32, FieldKind::dtype),
       reserved("reserved1", 33, 1), channels(34), reserved("reserved2", 35, 1), integer("serialization_mode", 36),
       reserved("reserved3", 37, 3), integer("set_value", 40, 4), tensor("dst", OperandRole::dst, 44, 4, whole(32))},
      34};
}

Format s3d3_ac() {
  return {
      "S3D3_AC",
      {derived("imm_src", 12, FieldKind::integer), derived("scale_src", 13, FieldKind::integer),
       integer("accumulator_cmd", 14), derived("bias_src_n", 15, FieldKind::integer),
       tensor("src", OperandRole::src0, 16, 3, low(32)), derived("in_bias_dtype", 32, FieldKind::dtype_pair),
       derived("out_dtype", 33, FieldKind::dtype), channels(34), field("activation_func", 35, 1, FieldKind::function),
       immediate("scale", OperandRole::imm0, 36, {}, SourceEncoding::standard, whole(13)),
       immediate("bias", OperandRole::imm1, 40, high(32), SourceEncoding::inverted, whole(15)),
       immediate("imm", OperandRole::imm2, 44, {}, SourceEncoding::standard, whole(12)),
       tensor("dst", OperandRole::dst, 48, 3, whole(33))},
      34};
}

Format ctrl_table() {
  return {"CTRL_NO", {reserved("reserved0", 12, 23), integer("set_index", 35), reserved("reserved1", 36, 28)}};
}

Format d1_rd() {
  return {"D1_RD",
          {reserved("reserved0", 12, 16), integer("element_count", 28, 4), derived("dtype", 32, FieldKind::dtype),
           integer("negated", 33), channels(34), reserved("reserved1", 35, 9),
           tensor("dst", OperandRole::dst, 44, 1, whole(32)), reserved("reserved2", 52, 12)},
          34};
}

Format ctrl_es() {
  return {"CTRL_ES",
          {integer("setter_signature", 12), reserved("reserved0", 13, 19),
           keyed("wait_mode1", "wait1", 32, 1, FieldKind::wait_mode), derived("wait_idx1", 33, FieldKind::integer),
           keyed("update_mode1", "update1", 34, 1, FieldKind::update_mode),
           derived("update_idx1", 35, FieldKind::integer), keyed("sem_wait_value", {}, 36, 4, FieldKind::integer),
           keyed("sem_update_value", {}, 40, 4, FieldKind::integer), reserved("reserved1", 44, 20)}};
}

Format ctrl_empty() { return {"CTRL", {reserved("reserved0", 12, 52)}}; }

Format ctrl_drain() {
  return {"CTRL_DR", {reserved("reserved0", 12, 28), integer("count", 40, 4), reserved("reserved1", 44, 20)}};
}

Format ctrl_sr() {
  return {"CTRL_SR",
          {integer("mode", 12), integer("first", 13), integer("last", 14), reserved("reserved0", 15, 17),
           field("bitmask", 32, 32, FieldKind::bytes)}};
}

Format ctrl_mv() {
  return {"CTRL_MV",
          {integer("num_mov", 12), field("dtype", 13, 1, FieldKind::dtype), integer("source", 14),
           reserved("reserved0", 15, 1), field("src_regs", 16, 8, FieldKind::bytes),
           field("dst_regs", 24, 8, FieldKind::bytes), field("immediate", 32, 32, FieldKind::words)}};
}

Format mem_2d() {
  return {"MEM_2D",
          {field("dtype", 12, 1, FieldKind::dtype), integer("src_datasrc", 13),
           field("num_elem", 14, 2, FieldKind::bytes), field("start_addr", 16, 8, FieldKind::address8),
           field("step_elem", 24, 8, FieldKind::steps), field("data", 32, 32, FieldKind::bytes)}};
}

Format make(Opcode opcode) {
  switch (opcode) {
    case Opcode::batch_norm_stats:
    case Opcode::batch_norm_stats2:
    case Opcode::batch_norm_aggregate:
    case Opcode::transpose_batch_norm_stats2:
      return s4d2_bn();
    case Opcode::batch_norm_grad_accumulate:
      return s3s3d1_bn();
    case Opcode::batch_norm_grad_accumulate2:
      return s3s3d1_bn2();
    case Opcode::batch_norm_param_load:
      return s2_bn();
    case Opcode::batch_norm_param_load2:
      return s2_bnpl2();
    case Opcode::batch_norm_back_prop:
    case Opcode::tensor_tensor_arith_op:
    case Opcode::tensor_tensor_bitvec_op:
    case Opcode::copy_predicated:
    case Opcode::cast_predicated:
      return s3s3d3_tt();
    case Opcode::load_parameter_ram:
      return ctrl_im();
    case Opcode::tensor_scalar_arith_op:
      return s3d3_ts({});
    case Opcode::tensor_scalar_bitvec_op:
      return s3d3_ts(whole(32));
    case Opcode::tensor_reduce_arith_op:
    case Opcode::copy:
    case Opcode::cast:
    case Opcode::reciprocal:
      return s4d4_tr();
    case Opcode::cross_lane_reduce_arith_op:
    case Opcode::cross_lane_reduce_bitvec_op:
      return s4d4_cr();
    case Opcode::memset:
      return d4_mr();
    case Opcode::activate:
      return s3d3_ac();
    case Opcode::activation_table_load:
      return ctrl_table();
    case Opcode::activation_read_accumulator:
      return d1_rd();
    case Opcode::event_semaphore:
      return ctrl_es();
    case Opcode::halt:
    case Opcode::instruction_flush:
    case Opcode::nop:
      return ctrl_empty();
    case Opcode::drain:
      return ctrl_drain();
    case Opcode::semaphore_range_clear:
      return ctrl_sr();
    case Opcode::move:
      return ctrl_mv();
    case Opcode::tensor_load:
    case Opcode::tensor_store:
      return mem_2d();
  }
  return ctrl_empty();
}

}  // namespace

std::uint8_t code_at(const Word& word, CodePlace place) {
  const std::uint8_t byte = word.bytes[place.byte];
  if (place.part == Part::low) return byte & 0xF;
  return place.part == Part::high ? byte >> 4 : byte;
}

void put_code(Word& word, CodePlace place, std::uint8_t code) {
  std::uint8_t& byte = word.bytes[place.byte];
  if (place.part == Part::whole) byte = code;
  if (place.part == Part::low) byte = static_cast<std::uint8_t>((byte & 0xF0) | (code & 0xF));
  if (place.part == Part::high) byte = static_cast<std::uint8_t>((byte & 0x0F) | (code << 4));
}

const Format& format_of(Opcode opcode) {
  static const std::vector<Format> formats = [] {
    std::vector<Format> by_byte(256);
    for (const Opcode each : all_opcodes()) by_byte[code(each)] = make(each);
    return by_byte;
  }();
  return formats[code(opcode)];
}

const FieldFormat* find_field(const Format& format, std::string_view name) {
  for (const FieldFormat& field : format.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

}  // namespace dve::isa
