// The predicate functions one by one. Their use on whole words is in the legality tests.
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

}  // namespace predicates_test
}  // namespace dve::isa::test
