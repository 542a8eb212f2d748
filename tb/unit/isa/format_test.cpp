// The field tables: complete, in step with the typed layouts, and with the places of dtypes and sources that the
// references give.
#include <cstring>

#include "words.h"

namespace dve::isa::test {
namespace format_test {

// The bytes that a member of a layout occupies, against the table's field of that name.
template <class Layout>
class LayoutAgainst {
 public:
  explicit LayoutAgainst(Opcode opcode) : format_(format_of(opcode)) {}
  ~LayoutAgainst() { EXPECT_EQ(compared_, format_.fields.size()) << format_.name; }
  LayoutAgainst(const LayoutAgainst&) = delete;
  LayoutAgainst& operator=(const LayoutAgainst&) = delete;

  template <class Member>
  LayoutAgainst& field(std::string_view name, Member Layout::*member) {
    ++compared_;
    const FieldFormat* field = find_field(format_, name);
    if (field == nullptr) {
      ADD_FAILURE() << format_.name << " has no field " << name;
      return *this;
    }
    Layout layout;
    std::memset(static_cast<void*>(&(layout.*member)), 0xFF, sizeof(Member));
    const Word word = encode(layout);
    for (std::size_t k = 12; k < kWordBytes; ++k) {
      const bool inside = k >= field->byte && k < std::size_t{field->byte} + field->size;
      EXPECT_EQ(word.bytes[k], inside ? 0xFF : 0) << format_.name << "." << name << " byte " << k;
    }
    return *this;
  }

 private:
  const Format& format_;
  std::size_t compared_ = 0;
};

TEST(Format, FieldsCoverEveryByteOnce) {
  for (const Opcode opcode : all_opcodes()) {
    std::size_t next = 12;
    for (const FieldFormat& field : format_of(opcode).fields) {
      EXPECT_EQ(field.byte, next) << mnemonic(opcode) << " " << field.name;
      EXPECT_GT(field.size, 0) << mnemonic(opcode) << " " << field.name;
      next = std::size_t{field.byte} + field.size;
    }
    EXPECT_EQ(next, kWordBytes) << mnemonic(opcode);
  }
}

TEST(Format, FieldsHaveNamesOfTheirOwn) {
  for (const Opcode opcode : all_opcodes()) {
    const Format& format = format_of(opcode);
    EXPECT_FALSE(format.name.empty());
    for (const FieldFormat& field : format.fields) EXPECT_EQ(find_field(format, field.name), &field) << field.name;
    EXPECT_EQ(find_field(format, "opcode"), nullptr);
  }
}

TEST(Format, SizesFollowFromTheKind) {
  for (const Opcode opcode : all_opcodes()) {
    for (const FieldFormat& field : format_of(opcode).fields) {
      SCOPED_TRACE(std::string(mnemonic(opcode)) + " " + std::string(field.name));
      switch (field.kind) {
        case FieldKind::integer:
          EXPECT_TRUE(field.size == 1 || field.size == 2 || field.size == 4);
          break;
        case FieldKind::fp32:
        case FieldKind::immediate:
          EXPECT_EQ(field.size, 4);
          break;
        case FieldKind::tensor:
          EXPECT_EQ(field.size, 4 + 4 * field.dimensions);
          EXPECT_TRUE(field.dtype.exists());
          break;
        case FieldKind::address8:
        case FieldKind::steps:
          EXPECT_EQ(field.size, 8);
          break;
        case FieldKind::words:
          EXPECT_EQ(field.size, 32);
          break;
        case FieldKind::bytes:
        case FieldKind::reserved:
          break;
        default:
          EXPECT_EQ(field.size, 1);
      }
    }
  }
}

TEST(Format, ChannelsStandWhereTheFieldDoes) {
  for (const Opcode opcode : all_opcodes()) {
    const Format& format = format_of(opcode);
    const FieldFormat* channels = find_field(format, "num_active_channels");
    EXPECT_EQ(format.channels_byte, channels != nullptr ? channels->byte : 0) << format.name;
    EXPECT_TRUE(channels == nullptr || channels->key == "channels");
  }
}

TEST(Format, AgreesWithTheBatchNormLayouts) {
  for (const Opcode opcode : {Opcode::batch_norm_stats, Opcode::batch_norm_stats2, Opcode::batch_norm_aggregate,
                              Opcode::transpose_batch_norm_stats2}) {
    LayoutAgainst<S4D2Bn>(opcode)
        .field("src", &S4D2Bn::src)
        .field("in_dtype", &S4D2Bn::in_dtype)
        .field("out_dtype", &S4D2Bn::out_dtype)
        .field("num_active_channels", &S4D2Bn::num_active_channels)
        .field("reserved0", &S4D2Bn::reserved0)
        .field("even_count", &S4D2Bn::even_count_bits)
        .field("odd_count", &S4D2Bn::odd_count_bits)
        .field("dst", &S4D2Bn::dst)
        .field("reserved1", &S4D2Bn::reserved1);
  }
  LayoutAgainst<S3S3D1Bn>(Opcode::batch_norm_grad_accumulate)
      .field("imm0", &S3S3D1Bn::imm0)
      .field("src0", &S3S3D1Bn::src0)
      .field("src1", &S3S3D1Bn::src1)
      .field("dst", &S3S3D1Bn::dst)
      .field("imm1", &S3S3D1Bn::imm1)
      .field("in0_in1_dtype", &S3S3D1Bn::in0_in1_dtype)
      .field("immediate_dtype", &S3S3D1Bn::immediate_dtype)
      .field("out_dtype", &S3S3D1Bn::out_dtype)
      .field("num_active_channels", &S3S3D1Bn::num_active_channels);
  LayoutAgainst<S3S3D1Bn2>(Opcode::batch_norm_grad_accumulate2)
      .field("imm0", &S3S3D1Bn2::imm0)
      .field("src0", &S3S3D1Bn2::src0)
      .field("src1", &S3S3D1Bn2::src1)
      .field("dst", &S3S3D1Bn2::dst)
      .field("imm1", &S3S3D1Bn2::imm1)
      .field("in0_in1_dtype", &S3S3D1Bn2::in0_in1_dtype)
      .field("immediate_out_dtype", &S3S3D1Bn2::immediate_out_dtype)
      .field("imm0_imm1_src", &S3S3D1Bn2::imm0_imm1_src)
      .field("num_active_channels", &S3S3D1Bn2::num_active_channels);
  LayoutAgainst<S2Bn>(Opcode::batch_norm_param_load)
      .field("reserved0", &S2Bn::reserved0)
      .field("src", &S2Bn::src)
      .field("element_count", &S2Bn::element_count_bits)
      .field("src_dtype", &S2Bn::src_dtype)
      .field("reserved1", &S2Bn::reserved1)
      .field("num_active_channels", &S2Bn::num_active_channels)
      .field("reserved2", &S2Bn::reserved2)
      .field("imm0", &S2Bn::imm0)
      .field("imm0_src", &S2Bn::imm0_src)
      .field("reserved3", &S2Bn::reserved3);
  LayoutAgainst<S2Bnpl2>(Opcode::batch_norm_param_load2)
      .field("src", &S2Bnpl2::src)
      .field("reserved0", &S2Bnpl2::reserved0)
      .field("element_count", &S2Bnpl2::element_count_bits)
      .field("src_dtype", &S2Bnpl2::src_dtype)
      .field("immediate_dtype", &S2Bnpl2::immediate_dtype)
      .field("num_active_channels", &S2Bnpl2::num_active_channels)
      .field("reserved1", &S2Bnpl2::reserved1)
      .field("imm0", &S2Bnpl2::imm0)
      .field("imm1", &S2Bnpl2::imm1)
      .field("imm0_src", &S2Bnpl2::imm0_src)
      .field("imm1_src", &S2Bnpl2::imm1_src)
      .field("reserved2", &S2Bnpl2::reserved2);
  LayoutAgainst<CtrlIm>(Opcode::load_parameter_ram)
      .field("param_ram_offset", &CtrlIm::param_ram_offset)
      .field("imm_ptr_select", &CtrlIm::imm_ptr_select)
      .field("reserved0", &CtrlIm::reserved0)
      .field("immediate", &CtrlIm::immediate);
}

TEST(Format, AgreesWithTheTensorLayouts) {
  for (const Opcode opcode : {Opcode::batch_norm_back_prop, Opcode::tensor_tensor_arith_op,
                              Opcode::tensor_tensor_bitvec_op, Opcode::copy_predicated, Opcode::cast_predicated}) {
    LayoutAgainst<S3S3D3Tt>(opcode)
        .field("in0_in1_dtype", &S3S3D3Tt::in0_in1_dtype)
        .field("out_dtype", &S3S3D3Tt::out_dtype)
        .field("op", &S3S3D3Tt::op)
        .field("num_active_channels", &S3S3D3Tt::num_active_channels)
        .field("src0", &S3S3D3Tt::src0)
        .field("src1", &S3S3D3Tt::src1)
        .field("dst", &S3S3D3Tt::dst);
  }
  for (const Opcode opcode : {Opcode::tensor_scalar_arith_op, Opcode::tensor_scalar_bitvec_op}) {
    LayoutAgainst<S3D3Ts>(opcode)
        .field("accumulator_cmd", &S3D3Ts::accumulator_cmd)
        .field("reserved0", &S3D3Ts::reserved0)
        .field("src", &S3D3Ts::src)
        .field("in_dtype", &S3D3Ts::in_dtype)
        .field("out_dtype", &S3D3Ts::out_dtype)
        .field("num_active_channels", &S3D3Ts::num_active_channels)
        .field("imm0_src", &S3D3Ts::imm0_src)
        .field("op0", &S3D3Ts::op0)
        .field("op1", &S3D3Ts::op1)
        .field("reverse_operands", &S3D3Ts::reverse_operands)
        .field("imm1_src", &S3D3Ts::imm1_src)
        .field("imm0", &S3D3Ts::imm0)
        .field("imm1", &S3D3Ts::imm1)
        .field("dst", &S3D3Ts::dst);
  }
  for (const Opcode opcode : {Opcode::tensor_reduce_arith_op, Opcode::copy, Opcode::cast, Opcode::reciprocal}) {
    LayoutAgainst<S4D4Tr>(opcode)
        .field("src", &S4D4Tr::src)
        .field("in_dtype", &S4D4Tr::in_dtype)
        .field("out_dtype", &S4D4Tr::out_dtype)
        .field("num_active_channels", &S4D4Tr::num_active_channels)
        .field("negated", &S4D4Tr::negated)
        .field("op", &S4D4Tr::op)
        .field("op_dim", &S4D4Tr::op_dim)
        .field("mask_enable", &S4D4Tr::mask_enable)
        .field("reserved0", &S4D4Tr::reserved0)
        .field("dst", &S4D4Tr::dst);
  }
  for (const Opcode opcode : {Opcode::cross_lane_reduce_arith_op, Opcode::cross_lane_reduce_bitvec_op}) {
    LayoutAgainst<S4D4Cr>(opcode)
        .field("src", &S4D4Cr::src)
        .field("in_dtype", &S4D4Cr::in_dtype)
        .field("out_dtype", &S4D4Cr::out_dtype)
        .field("num_active_channels", &S4D4Cr::num_active_channels)
        .field("reduce_op", &S4D4Cr::reduce_op)
        .field("reduce_axis", &S4D4Cr::reduce_axis)
        .field("reserved0", &S4D4Cr::reserved0)
        .field("scale", &S4D4Cr::scale_bits)
        .field("dst", &S4D4Cr::dst);
  }
  LayoutAgainst<D4Mr>(Opcode::memset)
      .field("reserved0", &D4Mr::reserved0)
      .field("element_count", &D4Mr::element_count)
      .field("dtype", &D4Mr::dtype)
      .field("reserved1", &D4Mr::reserved1)
      .field("num_active_channels", &D4Mr::num_active_channels)
      .field("reserved2", &D4Mr::reserved2)
      .field("serialization_mode", &D4Mr::serialization_mode)
      .field("reserved3", &D4Mr::reserved3)
      .field("set_value", &D4Mr::set_value)
      .field("dst", &D4Mr::dst);
}

TEST(Format, AgreesWithTheActivationLayouts) {
  LayoutAgainst<S3D3Ac>(Opcode::activate)
      .field("imm_src", &S3D3Ac::imm_src)
      .field("scale_src", &S3D3Ac::scale_src)
      .field("accumulator_cmd", &S3D3Ac::accumulator_cmd)
      .field("bias_src_n", &S3D3Ac::bias_src_n)
      .field("src", &S3D3Ac::src)
      .field("in_bias_dtype", &S3D3Ac::in_bias_dtype)
      .field("out_dtype", &S3D3Ac::out_dtype)
      .field("num_active_channels", &S3D3Ac::num_active_channels)
      .field("activation_func", &S3D3Ac::activation_func)
      .field("scale", &S3D3Ac::scale)
      .field("bias", &S3D3Ac::bias)
      .field("imm", &S3D3Ac::imm)
      .field("dst", &S3D3Ac::dst);
  LayoutAgainst<CtrlTable>(Opcode::activation_table_load)
      .field("reserved0", &CtrlTable::reserved0)
      .field("set_index", &CtrlTable::set_index)
      .field("reserved1", &CtrlTable::reserved1);
  LayoutAgainst<D1Rd>(Opcode::activation_read_accumulator)
      .field("reserved0", &D1Rd::reserved0)
      .field("element_count", &D1Rd::element_count)
      .field("dtype", &D1Rd::dtype)
      .field("negated", &D1Rd::negated)
      .field("num_active_channels", &D1Rd::num_active_channels)
      .field("reserved1", &D1Rd::reserved1)
      .field("dst", &D1Rd::dst)
      .field("reserved2", &D1Rd::reserved2);
}

TEST(Format, AgreesWithTheControlLayouts) {
  LayoutAgainst<CtrlEs>(Opcode::event_semaphore)
      .field("setter_signature", &CtrlEs::setter_signature)
      .field("reserved0", &CtrlEs::reserved0)
      .field("wait_mode1", &CtrlEs::wait_mode1)
      .field("wait_idx1", &CtrlEs::wait_idx1)
      .field("update_mode1", &CtrlEs::update_mode1)
      .field("update_idx1", &CtrlEs::update_idx1)
      .field("sem_wait_value", &CtrlEs::sem_wait_value)
      .field("sem_update_value", &CtrlEs::sem_update_value)
      .field("reserved1", &CtrlEs::reserved1);
  for (const Opcode opcode : {Opcode::halt, Opcode::instruction_flush, Opcode::nop})
    LayoutAgainst<CtrlEmpty>(opcode).field("reserved0", &CtrlEmpty::reserved0);
  LayoutAgainst<CtrlDrain>(Opcode::drain)
      .field("reserved0", &CtrlDrain::reserved0)
      .field("count", &CtrlDrain::count)
      .field("reserved1", &CtrlDrain::reserved1);
  LayoutAgainst<CtrlSr>(Opcode::semaphore_range_clear)
      .field("mode", &CtrlSr::mode)
      .field("first", &CtrlSr::first)
      .field("last", &CtrlSr::last)
      .field("reserved0", &CtrlSr::reserved0)
      .field("bitmask", &CtrlSr::bitmask);
  LayoutAgainst<CtrlMv>(Opcode::move)
      .field("num_mov", &CtrlMv::num_mov)
      .field("dtype", &CtrlMv::dtype)
      .field("source", &CtrlMv::source)
      .field("reserved0", &CtrlMv::reserved0)
      .field("src_regs", &CtrlMv::src_regs)
      .field("dst_regs", &CtrlMv::dst_regs)
      .field("immediate", &CtrlMv::immediate);
  for (const Opcode opcode : {Opcode::tensor_load, Opcode::tensor_store}) {
    LayoutAgainst<Mem2D>(opcode)
        .field("dtype", &Mem2D::dtype)
        .field("src_datasrc", &Mem2D::src_datasrc)
        .field("num_elem", &Mem2D::num_elem)
        .field("start_addr", &Mem2D::start_addr)
        .field("step_elem", &Mem2D::step_elem)
        .field("data", &Mem2D::data);
  }
}

// One tensor or immediate: where its dtype and its source stand. Bytes 0: no such field.
struct Operand {
  Opcode opcode;
  std::string_view name;
  OperandRole role;
  CodePlace dtype;
  SourceEncoding encoding;
  CodePlace source;
};

constexpr CodePlace whole(std::uint8_t byte) { return {byte, Part::whole}; }
constexpr CodePlace low(std::uint8_t byte) { return {byte, Part::low}; }
constexpr CodePlace high(std::uint8_t byte) { return {byte, Part::high}; }

bool same(CodePlace a, CodePlace b) { return a.part == b.part && (a.part == Part::none || a.byte == b.byte); }

// isa.md 8.1 to 8.5, 5.2, 7.3; isa-neighbours.md 2, 5.1, 6, 7, 8.1.
TEST(Format, PlacesOfDtypesAndSources) {
  constexpr auto none = SourceEncoding::none;
  constexpr auto standard = SourceEncoding::standard;
  constexpr auto pointers = SourceEncoding::zero_is_pointer;
  const std::vector<Operand> operands = {
      {Opcode::batch_norm_stats2, "src", OperandRole::src0, whole(32), none, {}},
      {Opcode::batch_norm_stats2, "dst", OperandRole::dst, whole(33), none, {}},
      {Opcode::batch_norm_grad_accumulate, "src0", OperandRole::src0, low(60), none, {}},
      {Opcode::batch_norm_grad_accumulate, "src1", OperandRole::src1, high(60), none, {}},
      {Opcode::batch_norm_grad_accumulate, "dst", OperandRole::dst, whole(62), none, {}},
      {Opcode::batch_norm_grad_accumulate, "imm0", OperandRole::imm0, whole(61), none, {}},
      {Opcode::batch_norm_grad_accumulate, "imm1", OperandRole::imm1, whole(61), none, {}},
      {Opcode::batch_norm_grad_accumulate2, "src0", OperandRole::src0, low(60), none, {}},
      {Opcode::batch_norm_grad_accumulate2, "src1", OperandRole::src1, high(60), none, {}},
      {Opcode::batch_norm_grad_accumulate2, "dst", OperandRole::dst, high(61), none, {}},
      {Opcode::batch_norm_grad_accumulate2, "imm0", OperandRole::imm0, low(61), pointers, low(62)},
      {Opcode::batch_norm_grad_accumulate2, "imm1", OperandRole::imm1, low(61), pointers, high(62)},
      {Opcode::batch_norm_param_load, "src", OperandRole::src0, whole(32), none, {}},
      {Opcode::batch_norm_param_load, "imm0", OperandRole::imm0, {}, pointers, whole(48)},
      {Opcode::batch_norm_param_load2, "src", OperandRole::src0, whole(32), none, {}},
      {Opcode::batch_norm_param_load2, "imm0", OperandRole::imm0, whole(33), pointers, whole(48)},
      {Opcode::batch_norm_param_load2, "imm1", OperandRole::imm1, whole(33), pointers, whole(49)},
      {Opcode::batch_norm_back_prop, "src0", OperandRole::src0, low(12), none, {}},
      {Opcode::batch_norm_back_prop, "src1", OperandRole::src1, high(12), none, {}},
      {Opcode::batch_norm_back_prop, "dst", OperandRole::dst, whole(13), none, {}},
      {Opcode::tensor_scalar_arith_op, "src", OperandRole::src0, whole(32), none, {}},
      {Opcode::tensor_scalar_arith_op, "dst", OperandRole::dst, whole(33), none, {}},
      {Opcode::tensor_scalar_arith_op, "imm0", OperandRole::imm0, {}, standard, whole(35)},
      {Opcode::tensor_scalar_arith_op, "imm1", OperandRole::imm1, {}, standard, whole(39)},
      {Opcode::tensor_scalar_bitvec_op, "imm0", OperandRole::imm0, whole(32), standard, whole(35)},
      {Opcode::tensor_scalar_bitvec_op, "imm1", OperandRole::imm1, whole(32), standard, whole(39)},
      {Opcode::copy, "src", OperandRole::src0, whole(32), none, {}},
      {Opcode::copy, "dst", OperandRole::dst, whole(33), none, {}},
      {Opcode::cross_lane_reduce_arith_op, "src", OperandRole::src0, whole(32), none, {}},
      {Opcode::cross_lane_reduce_arith_op, "dst", OperandRole::dst, whole(33), none, {}},
      {Opcode::memset, "dst", OperandRole::dst, whole(32), none, {}},
      {Opcode::activate, "src", OperandRole::src0, low(32), none, {}},
      {Opcode::activate, "dst", OperandRole::dst, whole(33), none, {}},
      {Opcode::activate, "scale", OperandRole::imm0, {}, standard, whole(13)},
      {Opcode::activate, "bias", OperandRole::imm1, high(32), SourceEncoding::inverted, whole(15)},
      {Opcode::activate, "imm", OperandRole::imm2, {}, standard, whole(12)},
      {Opcode::activation_read_accumulator, "dst", OperandRole::dst, whole(32), none, {}}};
  for (const Operand& operand : operands) {
    SCOPED_TRACE(std::string(mnemonic(operand.opcode)) + " " + std::string(operand.name));
    const FieldFormat* field = find_field(format_of(operand.opcode), operand.name);
    ASSERT_NE(field, nullptr);
    EXPECT_EQ(field->role, operand.role);
    EXPECT_TRUE(same(field->dtype, operand.dtype));
    EXPECT_EQ(field->source_encoding, operand.encoding);
    EXPECT_TRUE(same(field->source, operand.source));
  }
}

// interfaces.md 3 lists the keys of the batch-norm words.
TEST(Format, KeysOfTheFields) {
  const auto keys = [](Opcode opcode) {
    std::vector<std::string> list;
    for (const FieldFormat& field : format_of(opcode).fields) {
      if (field.kind != FieldKind::reserved && !field.key.empty()) list.emplace_back(field.key);
    }
    return list;
  };
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys(Opcode::batch_norm_stats2), (Keys{"src", "channels", "even_count", "odd_count", "dst"}));
  EXPECT_EQ(keys(Opcode::batch_norm_grad_accumulate),
            (Keys{"imm0", "src0", "src1", "dst", "imm1", "imm_dtype", "channels"}));
  EXPECT_EQ(keys(Opcode::batch_norm_param_load), (Keys{"src", "element_count", "channels", "imm0"}));
  EXPECT_EQ(keys(Opcode::batch_norm_param_load2),
            (Keys{"src", "element_count", "imm_dtype", "channels", "imm0", "imm1"}));
  EXPECT_EQ(keys(Opcode::batch_norm_back_prop), (Keys{"op", "channels", "src0", "src1", "dst"}));
  EXPECT_EQ(keys(Opcode::load_parameter_ram), (Keys{"param_ram_offset", "imm_ptr_select", "immediate"}));
}

TEST(CodePlaces, NibblesAndBytes) {
  Word word;
  put_code(word, whole(20), 0xA5);
  EXPECT_EQ(word.bytes[20], 0xA5);
  EXPECT_EQ(code_at(word, low(20)), 5);
  EXPECT_EQ(code_at(word, high(20)), 0xA);
  put_code(word, low(20), 0xF3);
  EXPECT_EQ(word.bytes[20], 0xA3) << "the low four bits of the code, the other nibble stays";
  put_code(word, high(20), 0x0C);
  EXPECT_EQ(word.bytes[20], 0xC3);
  EXPECT_EQ(code_at(word, whole(20)), 0xC3);
  EXPECT_FALSE(CodePlace{}.exists());
}

}  // namespace format_test
}  // namespace dve::isa::test
