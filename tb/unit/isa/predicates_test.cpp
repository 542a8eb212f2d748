// The predicate functions one by one. Their use on whole words is in the legality tests, which also sweep the operation
// and dtype sets of the arithmetic words.
#include <limits>
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace predicates_test {

constexpr auto kCayman = Generation::cayman;
constexpr auto kQuadrant = ActiveChannelRule::quadrant;

TEST(Predicates, Header) {
  EXPECT_TRUE(has_valid_neuron_header({0x65, 0x10, 0, 0}));
  EXPECT_FALSE(has_valid_neuron_header({0x65, 0x11, 0, 0}));
  EXPECT_FALSE(has_valid_neuron_header({0x65, 0x00, 0, 0}));
  EXPECT_FALSE(has_valid_neuron_header({0x67, 0x10, 0, 0}));
  EXPECT_TRUE(has_valid_neuron_header({0xE3, 0x11, 0, 0})) << "QuantizeMX alone may say 17";
  EXPECT_FALSE(has_valid_neuron_header({0xE3, 0x12, 0, 0}));
}

TEST(Predicates, EventRegister) {
  Events events;
  events.semaphore_value = 64;
  EXPECT_TRUE(has_valid_event_register(events));
  events.wait_mode = WaitMode::sem_ge_imm;
  events.update_mode = UpdateMode::sem_add_imm_complete;
  EXPECT_TRUE(has_valid_event_register(events));
  events.wait_mode = WaitMode::sem_ge_reg;
  EXPECT_FALSE(has_valid_event_register(events));
  events.semaphore_value = 63;
  EXPECT_TRUE(has_valid_event_register(events));
}

TEST(Predicates, Channels) {
  for (std::uint32_t n = 0; n < 256; ++n) {
    EXPECT_EQ(check_active_channels(n), n != 0 && n <= 128) << n;
    EXPECT_EQ(s3s3d1_bn_channels(n), n != 0 && n <= 128) << n;
    EXPECT_EQ(has_valid_active_channel_range(n, 50), n != 0 && n <= 50) << n;
    EXPECT_EQ(has_multiple_32_channels(n), n == 32 || n == 64 || n == 96 || n == 128) << n;
  }
}

TEST(Predicates, MarkersPerGeneration) {
  for (const Generation generation : kGenerations) {
    const bool v2 = generation == Generation::sunda;
    const std::set<std::uint32_t> legal =
        v2 ? std::set<std::uint32_t>{0x00, 0x80} : std::set<std::uint32_t>{0x00, 0x40, 0x80, 0xC0};
    for (std::uint32_t marker = 0; marker < 256; marker += 32) {
      EXPECT_EQ(addr_marker_valid({marker << 24}, generation), legal.count(marker) == 1) << marker;
      EXPECT_EQ(has_register_shape({marker << 24}, generation), !v2 && (marker == 0x40 || marker == 0xC0)) << marker;
    }
  }
}

TEST(Predicates, RegisterAddressBitsPerGeneration) {
  struct Case {
    std::uint32_t raw;
    bool v2, later;
  };
  const Case cases[] = {{0x80000000, true, true},   {0x8000003F, true, true},   {0x80000040, false, false},
                        {0x80000100, false, false}, {0x80800005, false, false}, {0x81000005, false, true},
                        {0x9F000005, false, true},  {0xC0000005, false, true},  {0xC0000105, false, false},
                        {0x00000005, false, false}, {0xA0000005, false, false}};
  for (const Generation generation : kGenerations) {
    for (const Case& c : cases) {
      EXPECT_EQ(addr_register_valid({c.raw}, generation), generation == Generation::sunda ? c.v2 : c.later)
          << to_string(generation) << std::hex << c.raw;
    }
  }
}

TEST(Predicates, SbufPartitionWindow) {
  EXPECT_TRUE(addr_in_sbuf_partition(Partition(32), 0x800000, kCayman));
  EXPECT_TRUE(addr_in_sbuf_partition(Partition(32), 0x837FFF, kCayman));
  EXPECT_FALSE(addr_in_sbuf_partition(Partition(32), 0x838000, kCayman));
  EXPECT_FALSE(addr_in_sbuf_partition(Partition(32), 0x7FFFFF, kCayman));
  EXPECT_TRUE(addr_in_sbuf_partition(Partition(32), 0x83FFFF, Generation::mariana));
  EXPECT_FALSE(addr_in_sbuf_partition(Partition(32), 0x830000, Generation::sunda));
  EXPECT_TRUE(addr_in_sbuf_partition(Partition(32), 0x207FFFF, Generation::maverick));
}

TEST(Predicates, TensorStartAddress) {
  const auto valid = [](std::uint32_t raw, Dtype d, bool write, bool psum, bool sbuf) {
    return tensor_start_addr_valid({raw}, d, write, psum, sbuf, kCayman);
  };
  EXPECT_TRUE(valid(0x1000, Dtype::fp32, false, true, true));
  EXPECT_FALSE(valid(0x1002, Dtype::fp32, false, true, true)) << "alignment";
  EXPECT_FALSE(valid(0x1000, Dtype::invalid, false, true, true)) << "no dtype, no alignment";
  EXPECT_FALSE(valid(0x1000, Dtype::fp32, false, true, false)) << "SBUF not allowed";
  EXPECT_TRUE(valid(0x2000000, Dtype::bf16, false, true, true)) << "PSUM read";
  EXPECT_FALSE(valid(0x2000000, Dtype::bf16, false, false, true)) << "PSUM not allowed";
  EXPECT_FALSE(valid(0x2000000, Dtype::bf16, true, true, true)) << "PSUM write of 2 bytes";
  for (const Dtype d : {Dtype::int32, Dtype::uint32, Dtype::fp32, Dtype::fp32r}) {
    EXPECT_TRUE(valid(0x2000000, d, true, true, true)) << name(d);
  }
  for (const Dtype d : {Dtype::int8, Dtype::fp16, Dtype::fp8_e4m3, Dtype::int64}) {
    EXPECT_FALSE(valid(0x2000000, d, true, true, true)) << name(d);
  }
  EXPECT_FALSE(valid(0x2400000, Dtype::fp32, false, true, true)) << "in neither memory";
  EXPECT_TRUE(valid(0x80000005, Dtype::bf16, true, false, false)) << "a register passes everything";
  EXPECT_FALSE(valid(0x80000040, Dtype::fp32, false, true, true));
  EXPECT_FALSE(valid(0x20001000, Dtype::fp32, false, true, true)) << "indirect";
  EXPECT_TRUE(valid(0x40001000, Dtype::fp32, false, true, true)) << "shape register";
  EXPECT_FALSE(tensor_start_addr_valid({0x40001000}, Dtype::fp32, false, true, true, Generation::sunda));
}

TEST(Predicates, TensorValidAsksForCounts) {
  Tensor3D t = contiguous_tensor<3>({0x1000}, 8);
  EXPECT_TRUE(tensor3d_valid(t, Dtype::fp32, false, true, true, kCayman));
  t.num_elem[1] = 0;
  EXPECT_FALSE(tensor3d_valid(t, Dtype::fp32, false, true, true, kCayman));
  t.start_addr = {0x40001000};
  EXPECT_TRUE(tensor3d_valid(t, Dtype::fp32, false, true, true, kCayman)) << "the shape is in a register";
  EXPECT_FALSE(tensor3d_valid(t, Dtype::fp32, false, true, true, Generation::sunda));
  EXPECT_FALSE(tensor1d_valid(contiguous_tensor<1>({0x1000}, 0), Dtype::fp32, false, true, true, kCayman));
  EXPECT_FALSE(tensor2d_valid(contiguous_tensor<2>({0x1001}, 1), Dtype::fp32, false, true, true, kCayman));
  EXPECT_FALSE(tensor4d_valid(contiguous_tensor<4>({0x1000}, 1), Dtype::fp32, false, true, false, kCayman));
  EXPECT_TRUE(tensor4d_valid(contiguous_tensor<4>({0x1000}, 1), Dtype::fp32, false, true, true, kCayman));
}

// isa.md 7.1's table, every channel count and partition.
TEST(Predicates, StartPartitionTable) {
  for (std::uint32_t n = 0; n <= 130; ++n) {
    for (std::uint32_t p = 0; p < 128; ++p) {
      bool quadrant = false;
      if (n >= 65 && n <= 128) quadrant = p == 0;
      if (n >= 33 && n <= 64) quadrant = p == 0 || p == 64;
      if (n >= 1 && n <= 32) quadrant = p == 0 || p == 32 || p == 64 || p == 96;
      const bool sum = n >= 1 && n <= 128 && p + n <= 128;
      ASSERT_EQ(start_partition_valid(Partition(p), n, kQuadrant), quadrant) << n << " at " << p;
      ASSERT_EQ(start_partition_valid(Partition(p), n, ActiveChannelRule::sum128), sum) << n << " at " << p;
      const Addr4 sbuf{sbuf_address(p, 0)};
      ASSERT_EQ(start_addr_active_channels(sbuf, n, kCayman, kQuadrant), quadrant);
      ASSERT_EQ(tpb_addr_active_channels(psum_address(p, 0x3FFC), n, kCayman, kQuadrant), quadrant);
      ASSERT_FALSE(tpb_addr_active_channels(psum_address(p, 0x4000), n, kCayman, kQuadrant)) << "pad";
    }
  }
}

TEST(Predicates, ActiveChannelsOfRegistersAndNoMemory) {
  EXPECT_TRUE(start_addr_active_channels({0x80000003}, 128, kCayman, kQuadrant));
  EXPECT_TRUE(start_addr_active_channels({0xC0000003}, 128, kCayman, kQuadrant));
  EXPECT_FALSE(start_addr_active_channels({0x2400000}, 1, kCayman, kQuadrant));
  EXPECT_FALSE(tpb_addr_active_channels(0x2400000, 1, kCayman, kQuadrant));
  EXPECT_FALSE(tpb_addr_active_channels(0x80000003, 1, kCayman, kQuadrant)) << "a pointer is a plain address";
}

TEST(Predicates, SourcePartitions) {
  const auto valid = [](std::uint32_t a, std::uint32_t b) { return tt_valid_partitions({a}, {b}, kCayman); };
  EXPECT_TRUE(valid(psum_address(0, 0), sbuf_address(64, 0)));
  EXPECT_TRUE(valid(sbuf_address(64, 0), psum_address(0, 0)));
  EXPECT_FALSE(valid(psum_address(0, 0), psum_address(0, 64))) << "two PSUM sources";
  for (std::uint32_t p = 0; p < 128; p += 16) {
    for (std::uint32_t q = 0; q < 128; q += 16) {
      EXPECT_EQ(valid(sbuf_address(p, 8), sbuf_address(q, 16)), p == q && p % 32 == 0) << p << ", " << q;
    }
  }
  EXPECT_TRUE(valid(0x80000001, psum_address(0, 0)));
  EXPECT_TRUE(valid(psum_address(0, 0), 0x80000001));
  EXPECT_FALSE(valid(0x2400000, sbuf_address(0, 0))) << "in no memory";
  EXPECT_FALSE(valid(sbuf_address(0, 0x38000), sbuf_address(0, 0))) << "the pad is no quadrant";
  EXPECT_TRUE(addresses_in_same_sbuf_quadrant(0x800000, 0x837FFF, kCayman));
  EXPECT_FALSE(addresses_in_same_sbuf_quadrant(0x800000, 0x1000000, kCayman));
}

TEST(Predicates, ExtentInPartition) {
  const auto inside = [](std::uint32_t raw, std::uint16_t n, std::int16_t step, Dtype d, Generation generation) {
    AccessPattern p;
    p.num_elem[0] = n;
    p.step_elem[0] = step;
    return tensor_extent_in_partition({raw}, p, d, generation);
  };
  EXPECT_TRUE(inside(0x38000 - 64, 16, 1, Dtype::fp32, kCayman));
  EXPECT_FALSE(inside(0x38000 - 60, 16, 1, Dtype::fp32, kCayman));
  EXPECT_TRUE(inside(0x38000 - 16, 16, 1, Dtype::fp8_e4m3, kCayman));
  EXPECT_FALSE(inside(0x38000 - 15, 16, 1, Dtype::fp8_e4m3, kCayman)) << "one byte over";
  EXPECT_TRUE(inside(60, 16, -1, Dtype::fp32, kCayman));
  EXPECT_FALSE(inside(56, 16, -1, Dtype::fp32, kCayman));
  EXPECT_TRUE(inside(0x38000 - 2, 65535, 0, Dtype::bf16, kCayman)) << "broadcast";
  EXPECT_TRUE(inside(0x80000001, 65535, 32767, Dtype::fp32, kCayman)) << "register";
  EXPECT_TRUE(inside(0x40038000 - 4, 65535, 32767, Dtype::fp32, kCayman)) << "shape unknown: only the start";
  EXPECT_FALSE(inside(0x40038000, 1, 1, Dtype::fp32, kCayman));
  EXPECT_FALSE(inside(0x2400000, 1, 1, Dtype::fp32, kCayman));
  EXPECT_FALSE(inside(0x1000, 1, 1, Dtype::fp4_e2m1, Generation::mariana));
  EXPECT_TRUE(inside(0x2003FFC, 1, 1, Dtype::fp32, kCayman));
  EXPECT_FALSE(inside(0x2003FFC, 2, 1, Dtype::fp32, kCayman));
  const ByteExtent extent = byte_extent(100, contiguous_tensor<1>({0}, 3).pattern(), Dtype::fp16);
  EXPECT_EQ(extent.first, 100);
  EXPECT_EQ(extent.last, 105);
}

TEST(Predicates, ImmediateRegister) {
  for (std::uint32_t r = 0; r < 256; ++r) EXPECT_EQ(is_valid_imm_reg({r}), r < 64) << r;
  for (const std::uint32_t raw : {0x100u, 0x10000u, 0x1000000u, 0x80000001u}) EXPECT_FALSE(is_valid_imm_reg({raw}));
}

TEST(Predicates, FiniteLiteral) {
  for (const std::uint32_t bits : {0u, 0x80000000u, 1u, 0x7F7FFFFFu, 0xFF7FFFFFu}) EXPECT_TRUE(is_finite_literal(bits));
  for (const std::uint32_t bits : {0x7F800000u, 0xFF800000u, 0x7F800001u, 0x7FC00000u, 0xFFFFFFFFu}) {
    EXPECT_FALSE(is_finite_literal(bits));
    EXPECT_FALSE(s2_bn_valid_element_count(bits));
    EXPECT_FALSE(s2_bnpl2_valid_element_count(bits));
  }
}

TEST(Predicates, OpcodesOfTheLayouts) {
  for (unsigned b = 0; b < 256; ++b) {
    Header header;
    header.opcode = static_cast<std::uint8_t>(b);
    EXPECT_EQ(has_s3s3d1_bn_opcode(header), b == 0x63);
    EXPECT_EQ(has_s3s3d1_bn2_opcode(header), b == 0x94);
    EXPECT_EQ(has_s2_bn_opcode(header), b == 0x64);
    EXPECT_EQ(has_s2_bnpl2_opcode(header), b == 0x8E);
    EXPECT_EQ(has_batchnorm_backprop_opcode(header), b == 0x65);
    EXPECT_EQ(has_s4d2_bn_opcode(header), b == 0x60 || b == 0x61 || b == 0x62 || b == 0x82);
    EXPECT_EQ(has_ctrl_im_opcode(header), b == 0x66);
    const std::set<unsigned> act = {0x21, 0x23, 0x24, 0x43, 0x46, 0x47, 0xA0, 0xA1,
                                    0xA2, 0xA3, 0xA4, 0xA7, 0xAA, 0xAB, 0xB0};
    EXPECT_EQ(has_engine_opcode(header, Engine::act), act.count(b) == 1) << b;
  }
}

TEST(Predicates, TypeLists) {
  const std::set<unsigned> floats = {6, 7, 0xA}, inputs = {6, 7, 0xA, 8}, immediates1 = {0, 6, 7, 0xA, 8};
  for (unsigned c = 0; c < 256; ++c) {
    const auto d = static_cast<Dtype>(c);
    SCOPED_TRACE(c);
    EXPECT_EQ(bnga_valid_input_type(d), inputs.count(c) == 1);
    EXPECT_EQ(bnga2_valid_input_type(d), inputs.count(c) == 1);
    EXPECT_EQ(bnga_valid_immediate_type(d), immediates1.count(c) == 1);
    EXPECT_EQ(bnga2_valid_immediate_type(d), inputs.count(c) == 1) << "v2 has no Invalid";
    EXPECT_EQ(bnga_valid_output_type(d), floats.count(c) == 1);
    EXPECT_EQ(bnga2_valid_output_type(d), floats.count(c) == 1);
    EXPECT_EQ(s2_bn_valid_src_type(d), floats.count(c) == 1);
    EXPECT_EQ(s2_bnpl2_valid_src_type(d), floats.count(c) == 1);
    EXPECT_EQ(s2_bnpl2_valid_immediate_type(d), floats.count(c) == 1);
    EXPECT_EQ(s4d2_bn_valid_output_type(d), floats.count(c) == 1);
  }
  EXPECT_EQ(bnga_immediate_dtype(Dtype::invalid), Dtype::fp32);
  EXPECT_EQ(bnga_immediate_dtype(Dtype::bf16), Dtype::bf16);
}

TEST(Predicates, ImmediateChecks) {
  const ImmField even{0x102}, word{0x104}, odd{0x101}, reg{5};
  EXPECT_TRUE(bnga_imm_check(word, Dtype::invalid, 128, kCayman, kQuadrant));
  EXPECT_FALSE(bnga_imm_check(even, Dtype::invalid, 128, kCayman, kQuadrant)) << "Invalid means fp32";
  EXPECT_TRUE(bnga_imm_check(even, Dtype::bf16, 128, kCayman, kQuadrant));
  EXPECT_FALSE(bnga_imm_check({sbuf_address(32, 4)}, Dtype::fp32, 128, kCayman, kQuadrant));
  EXPECT_TRUE(bnga2_imm_check(even, 1, Dtype::fp16, 128, kCayman, kQuadrant));
  EXPECT_FALSE(bnga2_imm_check(even, 1, Dtype::invalid, 128, kCayman, kQuadrant));
  EXPECT_TRUE(bnga2_imm_check(reg, 2, Dtype::fp32, 128, kCayman, kQuadrant));
  EXPECT_TRUE(s2_bn_imm_check(word, 0, 128, kCayman, kQuadrant));
  EXPECT_TRUE(s2_bn_imm_check(reg, 2, 128, kCayman, kQuadrant));
  EXPECT_FALSE(s2_bn_imm_check(even, 1, 128, kCayman, kQuadrant));
  EXPECT_TRUE(s2_bnpl2_imm_check(even, 0, Dtype::bf16, 128, kCayman, kQuadrant));
  EXPECT_FALSE(s2_bnpl2_imm_check(odd, 1, Dtype::bf16, 128, kCayman, kQuadrant));
  EXPECT_FALSE(s2_bnpl2_imm_check({0x40}, 2, Dtype::bf16, 128, kCayman, kQuadrant)) << "register 64";
  for (std::uint8_t src = 0; src < 16; ++src) {
    EXPECT_EQ(bnga2_imm_check({0}, src, Dtype::fp32, 128, kCayman, kQuadrant), src == 1 || src == 2);
    EXPECT_EQ(s2_bn_imm_check({0}, src, 128, kCayman, kQuadrant), src <= 2);
    EXPECT_EQ(s2_bnpl2_imm_check({0}, src, Dtype::fp32, 128, kCayman, kQuadrant), src <= 2);
  }
  for (std::uint32_t a = 0; a < 16; ++a) EXPECT_EQ(four_byte_aligned(a), a % 4 == 0);
}

TEST(Predicates, ParamRamBounds) {
  for (std::uint32_t offset = 0; offset < 65536; ++offset) {
    const auto o = static_cast<std::uint16_t>(offset);
    ASSERT_EQ(ctrl_im_param_ram_bounds(o, 4), offset + 8 <= 256) << offset;
    ASSERT_EQ(ctrl_im_param_ram_bounds(o, 1), offset % 4 == 0 && offset + 32 <= 1024) << offset;
  }
}

TEST(Predicates, ReservedBytes) {
  const auto all_zero = [](const Instruction& instruction) {
    if (const auto* i = std::get_if<S4D2Bn>(&instruction)) return s4d2_bn_reserved_zero(*i);
    if (const auto* i = std::get_if<S2Bn>(&instruction)) return s2_bn_reserved_zero(*i);
    if (const auto* i = std::get_if<S2Bnpl2>(&instruction)) return s2_bnpl2_reserved_zero(*i);
    if (const auto* i = std::get_if<CtrlIm>(&instruction))
      return ctrl_im_reserved_zero(*i) && ctrl_im_ptr_select_zero(*i);
    return true;
  };
  const auto in = [](std::uint32_t k, std::uint32_t first, std::uint32_t size) {
    return k >= first && k < first + size;
  };
  for (std::uint32_t k = 12; k < 64; ++k) {  // the reserved rows of isa.md 8.1, 8.3, 8.4, 11.1
    const auto flipped = [k](Opcode opcode) {
      Word word = legal_word(opcode);
      word.bytes[k] = static_cast<std::uint8_t>(word.bytes[k] ^ 0x10);
      return decode(word);
    };
    EXPECT_EQ(all_zero(flipped(Opcode::batch_norm_stats2)), !(in(k, 35, 5) || in(k, 60, 4))) << k;
    EXPECT_EQ(all_zero(flipped(Opcode::batch_norm_param_load)),
              !(in(k, 12, 4) || k == 33 || in(k, 35, 9) || in(k, 49, 15)))
        << k;
    EXPECT_EQ(all_zero(flipped(Opcode::batch_norm_param_load2)), !(in(k, 24, 4) || in(k, 35, 5) || in(k, 50, 14))) << k;
    EXPECT_EQ(all_zero(flipped(Opcode::load_parameter_ram)), !in(k, 14, 18)) << k;
  }
}

TEST(Predicates, EqualElementCounts) {
  const Tensor3D a = contiguous_tensor<3>({0x1000}, 12);
  Tensor4D b = contiguous_tensor<4>({0x2000}, 3);
  b.num_elem[3] = 4;
  EXPECT_TRUE(equal_element_cnt(a, b, kCayman));
  b.num_elem[2] = 2;
  EXPECT_FALSE(equal_element_cnt(a, b, kCayman));
  b.start_addr = {0xC0000001};
  EXPECT_TRUE(equal_element_cnt(a, b, kCayman)) << "the shape is in a register";
  EXPECT_TRUE(equal_element_cnt(b, a, kCayman));
  EXPECT_FALSE(equal_element_cnt(a, b, Generation::sunda));
}

// The tables of isa.md 5.2, 7.3 and isa-neighbours.md 5.1.
TEST(Predicates, ImmediateSources) {
  using Source = ImmediateSource;
  const auto expect = [](SourceEncoding encoding, Source zero, Source one, Source two, Source other) {
    EXPECT_EQ(immediate_source_of(0, encoding), zero);
    EXPECT_EQ(immediate_source_of(1, encoding), one);
    EXPECT_EQ(immediate_source_of(2, encoding), two);
    for (unsigned s = 3; s < 256; ++s) EXPECT_EQ(immediate_source_of(static_cast<std::uint8_t>(s), encoding), other);
  };
  expect(SourceEncoding::standard, Source::literal, Source::pointer, Source::register_pointer, Source::invalid);
  expect(SourceEncoding::inverted, Source::pointer, Source::literal, Source::register_pointer, Source::invalid);
  expect(SourceEncoding::zero_is_pointer, Source::pointer, Source::pointer, Source::register_pointer, Source::invalid);
  expect(SourceEncoding::none, Source::pointer, Source::pointer, Source::pointer, Source::pointer);
}

TEST(Predicates, ImmediatesOfArithmeticWords) {
  const auto valid = [](std::uint32_t raw, std::uint8_t src, SourceEncoding encoding, Dtype d) {
    return imm_check({raw}, src, encoding, d, 128, kCayman, kQuadrant);
  };
  EXPECT_TRUE(valid(0xFFFFFFFF, 0, SourceEncoding::standard, Dtype::fp32));
  EXPECT_TRUE(valid(0xFFFFFFFF, 1, SourceEncoding::inverted, Dtype::invalid));
  EXPECT_TRUE(valid(0x104, 1, SourceEncoding::standard, Dtype::fp32));
  EXPECT_FALSE(valid(0x102, 1, SourceEncoding::standard, Dtype::fp32));
  EXPECT_TRUE(valid(0x102, 0, SourceEncoding::inverted, Dtype::bf16));
  EXPECT_FALSE(valid(0x104, 1, SourceEncoding::standard, Dtype::invalid)) << "no dtype, no alignment";
  EXPECT_FALSE(valid(sbuf_address(32, 0), 1, SourceEncoding::standard, Dtype::fp32)) << "128 channels start at 0";
  EXPECT_TRUE(valid(63, 2, SourceEncoding::standard, Dtype::invalid));
  EXPECT_FALSE(valid(64, 2, SourceEncoding::inverted, Dtype::fp32));
  EXPECT_FALSE(valid(0, 3, SourceEncoding::standard, Dtype::fp32));
}

// isa-neighbours.md 4: what an integer operation asks of its operands, all pairs of dtypes.
TEST(Predicates, OperandsOfIntegerOperations) {
  const std::set<unsigned> with_sign = {2, 4, 8, 0xC}, without = {3, 5, 9, 1};
  for (unsigned a = 0; a < 16; ++a) {
    for (unsigned b = 0; b < 16; ++b) {
      const auto d = static_cast<Dtype>(a), first = static_cast<Dtype>(b);
      const bool is_int = with_sign.count(a) + without.count(a) == 1;
      const bool alike = with_sign.count(b) == 1 ? with_sign.count(a) == 1
                         : without.count(b) == 1 ? without.count(a) == 1
                                                 : is_int;
      EXPECT_EQ(int_op_operand_valid(AluOp::add_int, d, first), alike) << a << ", " << b;
      EXPECT_EQ(int_op_operand_valid(AluOp::mod, d, first), alike) << a << ", " << b;
      EXPECT_EQ(int_op_operand_valid(AluOp::max_int, d, first), with_sign.count(a) == 1);
      EXPECT_EQ(int_op_operand_valid(AluOp::mult_uint, d, first), without.count(a) == 1);
      EXPECT_TRUE(int_op_operand_valid(AluOp::add, d, first)) << "converts";
      EXPECT_TRUE(pool_int_operand_size(AluOp::mult, d, first));
    }
  }
  const auto sized = [](Dtype d, Dtype first) { return pool_int_operand_size(AluOp::add_int, d, first); };
  EXPECT_TRUE(sized(Dtype::int32, Dtype::uint32));
  EXPECT_TRUE(sized(Dtype::int64, Dtype::int64));
  EXPECT_FALSE(sized(Dtype::int64, Dtype::int32));
  EXPECT_FALSE(sized(Dtype::int16, Dtype::int16));
  EXPECT_TRUE(sized(Dtype::int64, Dtype::int16)) << "the first operand is at fault";
}

TEST(Predicates, LiteralsFitTheElement) {
  const std::uint32_t values[] = {0, 0xFF, 0x100, 0xFFFF, 0x10000, 0xFFFFFFFF};
  for (unsigned d = 0; d < 16; ++d) {
    const unsigned bits = d == 2 || d == 3 || d >= 0xD ? 8 : d >= 4 && d <= 7 ? 16 : 32;
    for (const std::uint32_t value : values) {
      const bool fits = bits == 32 || value < 1u << bits;
      EXPECT_EQ(s3d3_ts_literal_bits({value}, static_cast<Dtype>(d)), fits) << d << ", " << value;
      D4Mr memset;
      memset.dtype = static_cast<Dtype>(d);
      memset.set_value = value;
      EXPECT_EQ(d4_mr_set_value_bits(memset), fits) << d << ", " << value;
    }
  }
}

TEST(Predicates, ElementsThatTensorReduceLeaves) {
  S4D4Tr i;
  i.header.opcode = 0x42;
  i.src.num_elem = {3, 5, 7, 2};
  const std::uint64_t left[] = {210, 210, 70, 14, 2, 1, 210};
  for (unsigned dim = 0; dim < std::size(left); ++dim) {
    i.op_dim = static_cast<std::uint8_t>(dim);
    EXPECT_EQ(s4d4_tr_result_count(i).value, left[dim]) << dim;
  }
  i.header.opcode = 0x46;
  for (unsigned dim = 0; dim < 256; ++dim) {
    i.op_dim = static_cast<std::uint8_t>(dim);
    EXPECT_EQ(s4d4_tr_result_count(i).value, 210u) << "a copy folds nothing";
  }
}

TEST(Predicates, RegistersOfControlWords) {
  for (unsigned r = 0; r < 256; ++r) {
    const auto number = static_cast<std::uint8_t>(r);
    EXPECT_EQ(ctrl_mv_register(number), r < 64 || r == 128 || r == 129) << r;
    EXPECT_EQ(mem_2d_register(number), r < 64) << r;
    EXPECT_EQ(mem_2d_register_pair(Dtype::uint64, number), r % 2 == 0) << r;
    EXPECT_TRUE(mem_2d_register_pair(Dtype::uint32, number));
    EXPECT_EQ(addr8_register({1ull << 63 | r}), r < 64) << r;
    EXPECT_TRUE(addr8_register({r})) << "an address";
  }
  EXPECT_FALSE(addr8_register({1ull << 63 | 1ull << 62}));
}

TEST(Predicates, DataOfMemoryWords) {
  Mem2D i;
  i.header.opcode = 0xAB;
  i.num_elem = {2, 2};
  for (const auto& [dtype, capacity] : {std::pair(Dtype::int8, 32u), std::pair(Dtype::uint16, 16u),
                                        std::pair(Dtype::fp32, 8u), std::pair(Dtype::uint64, 4u)}) {
    i.dtype = dtype;
    i.src_datasrc = 1;
    EXPECT_EQ(mem_2d_capacity(i), capacity);
    EXPECT_EQ(mem_2d_used_data(i), 4 * 32 / capacity);
    i.src_datasrc = 0;
    EXPECT_EQ(mem_2d_capacity(i), 32u);
    EXPECT_EQ(mem_2d_used_data(i), 4u);
  }
  i.num_elem = {0, 2};
  EXPECT_EQ(mem_2d_used_data(i), std::nullopt);
  i.num_elem = {32, 2};
  EXPECT_EQ(mem_2d_used_data(i), std::nullopt);
}

}  // namespace predicates_test
}  // namespace dve::isa::test
