#include <functional>

#include "words.h"

namespace dve::isa::test {
namespace layouts_test {

// A word whose byte k is k + 1, except the opcode: so a field's value tells which bytes it read.
Word numbered(Opcode opcode) {
  Word word;
  for (std::uint32_t k = 0; k < kWordBytes; ++k) word.bytes[k] = static_cast<std::uint8_t>(k + 1);
  word.bytes[0] = static_cast<std::uint8_t>(opcode);
  return word;
}

constexpr std::uint32_t u16_at(std::uint32_t offset) { return (offset + 1) | (offset + 2) << 8; }
constexpr std::uint32_t u32_at(std::uint32_t offset) { return u16_at(offset) | u16_at(offset + 2) << 16; }

template <std::size_t N>
void expect_tensor(const Tensor<N>& t, std::uint32_t offset) {
  EXPECT_EQ(t.start_addr.raw, u32_at(offset));
  for (std::uint32_t d = 0; d < N; ++d) {
    EXPECT_EQ(t.step_elem[d], static_cast<std::int16_t>(u16_at(offset + 4 + 2 * d)));
    EXPECT_EQ(t.num_elem[d], u16_at(offset + 4 + 2 * static_cast<std::uint32_t>(N) + 2 * d));
  }
}

template <std::size_t N>
void expect_bytes(const std::array<std::uint8_t, N>& bytes, std::uint32_t offset, std::size_t size) {
  ASSERT_EQ(N, size);
  for (std::uint32_t k = 0; k < N; ++k) EXPECT_EQ(bytes[k], offset + k + 1);
}

template <class Layout>
void expect_preamble(const Layout& i, Opcode opcode) {
  EXPECT_EQ(i.header, (Header{code(opcode), 2, 3, 4}));
  EXPECT_EQ(i.events.wait_mode, static_cast<WaitMode>(5));
  EXPECT_EQ(i.events.wait_idx, 6);
  EXPECT_EQ(i.events.update_mode, static_cast<UpdateMode>(7));
  EXPECT_EQ(i.events.update_idx, 8);
  EXPECT_EQ(i.events.semaphore_value, u32_at(8));
}

// The table of isa.md 8.1.
TEST(Layout, S4D2Bn) {
  for (const Opcode opcode : {Opcode::batch_norm_stats, Opcode::batch_norm_stats2, Opcode::batch_norm_aggregate,
                              Opcode::transpose_batch_norm_stats2}) {
    const auto i = std::get<S4D2Bn>(decode(numbered(opcode)));
    expect_preamble(i, opcode);
    expect_tensor(i.src, 12);
    EXPECT_EQ(code(i.in_dtype), 33);
    EXPECT_EQ(code(i.out_dtype), 34);
    EXPECT_EQ(i.num_active_channels, 35);
    expect_bytes(i.reserved0, 35, 5);
    EXPECT_EQ(i.even_count_bits, u32_at(40));
    EXPECT_EQ(i.odd_count_bits, u32_at(44));
    expect_tensor(i.dst, 48);
    expect_bytes(i.reserved1, 60, 4);
  }
}

// isa.md 8.2.
TEST(Layout, S3S3D1Bn) {
  const auto i = std::get<S3S3D1Bn>(decode(numbered(Opcode::batch_norm_grad_accumulate)));
  expect_preamble(i, Opcode::batch_norm_grad_accumulate);
  EXPECT_EQ(i.imm0.raw, u32_at(12));
  expect_tensor(i.src0, 16);
  expect_tensor(i.src1, 32);
  expect_tensor(i.dst, 48);
  EXPECT_EQ(i.imm1.raw, u32_at(56));
  EXPECT_EQ(i.in0_in1_dtype.byte(), 61);
  EXPECT_EQ(code(i.in0_in1_dtype.lo), 61 & 0xF);
  EXPECT_EQ(code(i.immediate_dtype), 62);
  EXPECT_EQ(code(i.out_dtype), 63);
  EXPECT_EQ(i.num_active_channels, 64);
}

TEST(Layout, S3S3D1Bn2) {
  const auto i = std::get<S3S3D1Bn2>(decode(numbered(Opcode::batch_norm_grad_accumulate2)));
  expect_preamble(i, Opcode::batch_norm_grad_accumulate2);
  EXPECT_EQ(i.imm0.raw, u32_at(12));
  expect_tensor(i.src0, 16);
  expect_tensor(i.src1, 32);
  expect_tensor(i.dst, 48);
  EXPECT_EQ(i.imm1.raw, u32_at(56));
  EXPECT_EQ(i.in0_in1_dtype.byte(), 61);
  EXPECT_EQ(code(i.immediate_out_dtype.lo), 62 & 0xF);
  EXPECT_EQ(code(i.immediate_out_dtype.hi), 62 >> 4);
  EXPECT_EQ(i.imm0_imm1_src.imm0, 63 & 0xF);
  EXPECT_EQ(i.imm0_imm1_src.imm1, 63 >> 4);
  EXPECT_EQ(i.num_active_channels, 64);
}

// isa.md 8.3.
TEST(Layout, S2Bn) {
  const auto i = std::get<S2Bn>(decode(numbered(Opcode::batch_norm_param_load)));
  expect_preamble(i, Opcode::batch_norm_param_load);
  expect_bytes(i.reserved0, 12, 4);
  expect_tensor(i.src, 16);
  EXPECT_EQ(i.element_count_bits, u32_at(28));
  EXPECT_EQ(code(i.src_dtype), 33);
  EXPECT_EQ(i.reserved1, 34);
  EXPECT_EQ(i.num_active_channels, 35);
  expect_bytes(i.reserved2, 35, 9);
  EXPECT_EQ(i.imm0.raw, u32_at(44));
  EXPECT_EQ(i.imm0_src, 49);
  expect_bytes(i.reserved3, 49, 15);
}

// isa.md 8.4.
TEST(Layout, S2Bnpl2) {
  const auto i = std::get<S2Bnpl2>(decode(numbered(Opcode::batch_norm_param_load2)));
  expect_preamble(i, Opcode::batch_norm_param_load2);
  expect_tensor(i.src, 12);
  expect_bytes(i.reserved0, 24, 4);
  EXPECT_EQ(i.element_count_bits, u32_at(28));
  EXPECT_EQ(code(i.src_dtype), 33);
  EXPECT_EQ(code(i.immediate_dtype), 34);
  EXPECT_EQ(i.num_active_channels, 35);
  expect_bytes(i.reserved1, 35, 5);
  EXPECT_EQ(i.imm0.raw, u32_at(40));
  EXPECT_EQ(i.imm1.raw, u32_at(44));
  EXPECT_EQ(i.imm0_src, 49);
  EXPECT_EQ(i.imm1_src, 50);
  expect_bytes(i.reserved2, 50, 14);
}

// isa.md 8.5 and 12.
TEST(Layout, S3S3D3Tt) {
  for (const Opcode opcode : {Opcode::batch_norm_back_prop, Opcode::tensor_tensor_arith_op,
                              Opcode::tensor_tensor_bitvec_op, Opcode::copy_predicated, Opcode::cast_predicated}) {
    const auto i = std::get<S3S3D3Tt>(decode(numbered(opcode)));
    expect_preamble(i, opcode);
    EXPECT_EQ(i.in0_in1_dtype.byte(), 13);
    EXPECT_EQ(code(i.out_dtype), 14);
    EXPECT_EQ(code(i.op), 15);
    EXPECT_EQ(i.num_active_channels, 16);
    expect_tensor(i.src0, 16);
    expect_tensor(i.src1, 32);
    expect_tensor(i.dst, 48);
  }
}

// isa.md 11.1.
TEST(Layout, CtrlIm) {
  const auto i = std::get<CtrlIm>(decode(numbered(Opcode::load_parameter_ram)));
  expect_preamble(i, Opcode::load_parameter_ram);
  EXPECT_EQ(i.param_ram_offset, u16_at(12));
  EXPECT_EQ(i.imm_ptr_select, 15);
  expect_bytes(i.reserved0, 15, 17);
  for (std::uint32_t k = 0; k < 8; ++k) EXPECT_EQ(i.immediate[k], u32_at(32 + 4 * k));
}

// isa-neighbours.md 2.
TEST(Layout, S3D3Ts) {
  for (const Opcode opcode : {Opcode::tensor_scalar_arith_op, Opcode::tensor_scalar_bitvec_op}) {
    const auto i = std::get<S3D3Ts>(decode(numbered(opcode)));
    expect_preamble(i, opcode);
    EXPECT_EQ(i.accumulator_cmd, 13);
    expect_bytes(i.reserved0, 13, 3);
    expect_tensor(i.src, 16);
    EXPECT_EQ(code(i.in_dtype), 33);
    EXPECT_EQ(code(i.out_dtype), 34);
    EXPECT_EQ(i.num_active_channels, 35);
    EXPECT_EQ(i.imm0_src, 36);
    EXPECT_EQ(code(i.op0), 37);
    EXPECT_EQ(code(i.op1), 38);
    EXPECT_EQ(i.reverse_operands, 39);
    EXPECT_EQ(i.imm1_src, 40);
    EXPECT_EQ(i.imm0.raw, u32_at(40));
    EXPECT_EQ(i.imm1.raw, u32_at(44));
    expect_tensor(i.dst, 48);
  }
}

// isa-neighbours.md 6.
TEST(Layout, S4D4Tr) {
  for (const Opcode opcode : {Opcode::tensor_reduce_arith_op, Opcode::copy, Opcode::cast, Opcode::reciprocal}) {
    const auto i = std::get<S4D4Tr>(decode(numbered(opcode)));
    expect_preamble(i, opcode);
    expect_tensor(i.src, 12);
    EXPECT_EQ(code(i.in_dtype), 33);
    EXPECT_EQ(code(i.out_dtype), 34);
    EXPECT_EQ(i.num_active_channels, 35);
    EXPECT_EQ(i.negated, 36);
    EXPECT_EQ(code(i.op), 37);
    EXPECT_EQ(i.op_dim, 38);
    EXPECT_EQ(i.mask_enable, 39);
    expect_bytes(i.reserved0, 39, 5);
    expect_tensor(i.dst, 44);
  }
}

// isa-neighbours.md 8.1.
TEST(Layout, S4D4Cr) {
  for (const Opcode opcode : {Opcode::cross_lane_reduce_arith_op, Opcode::cross_lane_reduce_bitvec_op}) {
    const auto i = std::get<S4D4Cr>(decode(numbered(opcode)));
    expect_preamble(i, opcode);
    expect_tensor(i.src, 12);
    EXPECT_EQ(code(i.in_dtype), 33);
    EXPECT_EQ(code(i.out_dtype), 34);
    EXPECT_EQ(i.num_active_channels, 35);
    EXPECT_EQ(i.reduce_op, 36);
    EXPECT_EQ(i.reduce_axis, 37);
    expect_bytes(i.reserved0, 37, 3);
    EXPECT_EQ(i.scale_bits, u32_at(40));
    expect_tensor(i.dst, 44);
  }
}

// isa-neighbours.md 7.
TEST(Layout, D4Mr) {
  const auto i = std::get<D4Mr>(decode(numbered(Opcode::memset)));
  expect_preamble(i, Opcode::memset);
  expect_bytes(i.reserved0, 12, 16);
  EXPECT_EQ(i.element_count, u32_at(28));
  EXPECT_EQ(code(i.dtype), 33);
  EXPECT_EQ(i.reserved1, 34);
  EXPECT_EQ(i.num_active_channels, 35);
  EXPECT_EQ(i.reserved2, 36);
  EXPECT_EQ(i.serialization_mode, 37);
  expect_bytes(i.reserved3, 37, 3);
  EXPECT_EQ(i.set_value, u32_at(40));
  expect_tensor(i.dst, 44);
}

// isa-neighbours.md 5.1.
TEST(Layout, S3D3Ac) {
  const auto i = std::get<S3D3Ac>(decode(numbered(Opcode::activate)));
  expect_preamble(i, Opcode::activate);
  EXPECT_EQ(i.imm_src, 13);
  EXPECT_EQ(i.scale_src, 14);
  EXPECT_EQ(i.accumulator_cmd, 15);
  EXPECT_EQ(i.bias_src_n, 16);
  expect_tensor(i.src, 16);
  EXPECT_EQ(i.in_bias_dtype.byte(), 33);
  EXPECT_EQ(code(i.in_bias_dtype.lo), 33 & 0xF) << "the input's dtype";
  EXPECT_EQ(code(i.in_bias_dtype.hi), 33 >> 4) << "the bias's dtype";
  EXPECT_EQ(code(i.out_dtype), 34);
  EXPECT_EQ(i.num_active_channels, 35);
  EXPECT_EQ(code(i.activation_func), 36);
  EXPECT_EQ(i.scale.raw, u32_at(36));
  EXPECT_EQ(i.bias.raw, u32_at(40));
  EXPECT_EQ(i.imm.raw, u32_at(44));
  expect_tensor(i.dst, 48);
}

// isa-neighbours.md 5.3 and 2.
TEST(Layout, ActivationTableAndAccumulator) {
  const auto table = std::get<CtrlTable>(decode(numbered(Opcode::activation_table_load)));
  expect_preamble(table, Opcode::activation_table_load);
  expect_bytes(table.reserved0, 12, 23);
  EXPECT_EQ(table.set_index, 36);
  expect_bytes(table.reserved1, 36, 28);

  const auto read = std::get<D1Rd>(decode(numbered(Opcode::activation_read_accumulator)));
  expect_preamble(read, Opcode::activation_read_accumulator);
  expect_bytes(read.reserved0, 12, 16);
  EXPECT_EQ(read.element_count, u32_at(28));
  EXPECT_EQ(code(read.dtype), 33);
  EXPECT_EQ(read.negated, 34);
  EXPECT_EQ(read.num_active_channels, 35);
  expect_bytes(read.reserved1, 35, 9);
  expect_tensor(read.dst, 44);
  expect_bytes(read.reserved2, 52, 12);
}

// isa.md 13.1.
TEST(Layout, EventSemaphore) {
  const auto i = std::get<CtrlEs>(decode(numbered(Opcode::event_semaphore)));
  expect_preamble(i, Opcode::event_semaphore);
  EXPECT_EQ(i.setter_signature, 13);
  expect_bytes(i.reserved0, 13, 19);
  EXPECT_EQ(i.wait_mode1, static_cast<WaitMode>(33));
  EXPECT_EQ(i.wait_idx1, 34);
  EXPECT_EQ(i.update_mode1, static_cast<UpdateMode>(35));
  EXPECT_EQ(i.update_idx1, 36);
  EXPECT_EQ(i.sem_wait_value, u32_at(36));
  EXPECT_EQ(i.sem_update_value, u32_at(40));
  expect_bytes(i.reserved1, 44, 20);
}

TEST(Layout, ControlWordsWithLittleInThem) {
  for (const Opcode opcode : {Opcode::halt, Opcode::instruction_flush, Opcode::nop}) {
    const auto i = std::get<CtrlEmpty>(decode(numbered(opcode)));
    expect_preamble(i, opcode);
    expect_bytes(i.reserved0, 12, 52);
  }
  const auto drain = std::get<CtrlDrain>(decode(numbered(Opcode::drain)));
  expect_preamble(drain, Opcode::drain);
  expect_bytes(drain.reserved0, 12, 28);
  EXPECT_EQ(drain.count, u32_at(40));
  expect_bytes(drain.reserved1, 44, 20);

  const auto clear = std::get<CtrlSr>(decode(numbered(Opcode::semaphore_range_clear)));
  expect_preamble(clear, Opcode::semaphore_range_clear);
  EXPECT_EQ(clear.mode, 13);
  EXPECT_EQ(clear.first, 14);
  EXPECT_EQ(clear.last, 15);
  expect_bytes(clear.reserved0, 15, 17);
  expect_bytes(clear.bitmask, 32, 32);
}

TEST(Layout, Move) {
  const auto i = std::get<CtrlMv>(decode(numbered(Opcode::move)));
  expect_preamble(i, Opcode::move);
  EXPECT_EQ(i.num_mov, 13);
  EXPECT_EQ(code(i.dtype), 14);
  EXPECT_EQ(i.source, 15);
  EXPECT_EQ(i.reserved0, 16);
  expect_bytes(i.src_regs, 16, 8);
  expect_bytes(i.dst_regs, 24, 8);
  for (std::uint32_t k = 0; k < 8; ++k) EXPECT_EQ(i.immediate[k], u32_at(32 + 4 * k));
}

TEST(Layout, Mem2D) {
  for (const Opcode opcode : {Opcode::tensor_load, Opcode::tensor_store}) {
    const auto i = std::get<Mem2D>(decode(numbered(opcode)));
    expect_preamble(i, opcode);
    EXPECT_EQ(code(i.dtype), 13);
    EXPECT_EQ(i.src_datasrc, 14);
    expect_bytes(i.num_elem, 14, 2);
    EXPECT_EQ(i.start_addr.raw, std::uint64_t{u32_at(20)} << 32 | u32_at(16));
    EXPECT_EQ(i.step_elem[0], static_cast<std::int32_t>(u32_at(24)));
    EXPECT_EQ(i.step_elem[1], static_cast<std::int32_t>(u32_at(28)));
    expect_bytes(i.data, 32, 32);
  }
}

TEST(Layout, RandomWordsOfEveryOpcodeRoundTrip) {
  Random random(20240501);
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    for (int round = 0; round < 200; ++round) {
      Word word = random_word(random);
      word.bytes[0] = static_cast<std::uint8_t>(opcode);
      const Instruction instruction = decode(word);
      ASSERT_EQ(encode(instruction), word) << "opcode " << opcode << " round " << round;
      ASSERT_EQ(std::holds_alternative<RawWord>(instruction), !opcode_from_byte(word.bytes[0]).has_value());
    }
  }
}

// No byte of any layout is lost or duplicated: flipping it changes the decoded instruction's encoding in that byte
// only.
TEST(Layout, EveryByteIsHeldByExactlyOneField) {
  for (const Opcode opcode : all_opcodes()) {
    const Word word = numbered(opcode);
    for (std::uint32_t k = 1; k < kWordBytes; ++k) {
      Word changed = word;
      changed.bytes[k] = static_cast<std::uint8_t>(~word.bytes[k]);
      ASSERT_EQ(encode(decode(changed)), changed) << mnemonic(opcode) << " byte " << k;
    }
  }
}

TEST(Layout, DecodeAsIgnoresTheOpcode) {
  Word word = numbered(Opcode::batch_norm_back_prop);
  word.bytes[0] = 0xA9;
  EXPECT_EQ(encode(decode_as<S3S3D3Tt>(word)), word);
  EXPECT_TRUE(std::holds_alternative<RawWord>(decode(word)));
}

TEST(Layout, ImmediateViews) {
  const ImmField imm{0xA0B0C03F};
  EXPECT_EQ(imm.pointer().raw, 0xA0B0C03Fu);
  EXPECT_EQ(imm.register_number(), 0x3F);
  EXPECT_EQ(imm.register_reserved(), 0xA0B0C0u);
  EXPECT_EQ(ImmField::in_register(RegisterIndex(7)).raw, 7u);
  for (unsigned b = 0; b < 256; ++b) {
    EXPECT_EQ(ImmSrcPair::from_byte(static_cast<std::uint8_t>(b)).byte(), b);
  }
}

}  // namespace layouts_test
}  // namespace dve::isa::test
