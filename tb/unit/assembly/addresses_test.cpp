// Places, registers and raw addresses; shapes and their default steps (isa.md 2 and 3).
#include "texts.h"

namespace dve::assembly::test {
namespace addresses_text_test {

using isa::Generation;

// A Copy from `tensor` to SBUF 0: the source descriptor begins at byte 12.
std::string copy_of(const std::string& tensor) { return "copy src=" + tensor + " dst=sbuf[0]+0x0:fp32{1} channels=1"; }
Bytes copied(std::uint32_t address, const std::vector<std::uint16_t>& counts = {1},
             const std::vector<std::int16_t>& steps = {1}) {
  return Bytes(0x46).tensor(12, 4, address, counts, steps).tensor(44, 4, 0, {1}, {1}).at(32, 3, 0x010A0A);
}

TEST(Addresses, PlacesDependOnTheGeneration) {
  const std::string sbuf = copy_of("sbuf[3]+0x40:fp32{1}"), psum = copy_of("psum[127]+32767:fp32{1}");
  for (const Generation g : {Generation::sunda, Generation::cayman, Generation::mariana, Generation::mariana_plus}) {
    EXPECT_TRUE(assembles_to(sbuf, copied(3 * 0x40000 + 0x40), g));
    EXPECT_TRUE(assembles_to(psum, copied(0x2000000 + 127 * 0x8000 + 0x7FFF), g));
  }
  EXPECT_TRUE(assembles_to(sbuf, copied(3 * 0x100000 + 0x40), Generation::maverick));
  EXPECT_TRUE(one_error(psum, 1, 10, {"maverick has no psum"}, Generation::maverick));
}

TEST(Addresses, OffsetsReachTheStride) {
  EXPECT_TRUE(assembles_to(copy_of("sbuf[127]+0x3ffff:fp32{1}"), copied(0x1FFFFFF)));
  EXPECT_TRUE(one_error(copy_of("sbuf[127]+0x40000:fp32{1}"), 1, 20, {"from 0 to 262143"}));
  EXPECT_TRUE(one_error(copy_of("psum[0]+0x8000:fp32{1}"), 1, 18, {"from 0 to 32767"}));
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0xfffff:fp32{1}"), copied(0xFFFFF), Generation::maverick));
  EXPECT_TRUE(one_error(copy_of("sbuf[128]+0x0:fp32{1}"), 1, 15, {"from 0 to 127"}));
}

TEST(Addresses, RegistersAndRawForms) {
  EXPECT_TRUE(assembles_to(copy_of("[r0]:fp32{1}"), copied(0x80000000)));
  EXPECT_TRUE(assembles_to(copy_of("[r63]:fp32{1}"), copied(0x8000003F)));
  EXPECT_TRUE(one_error(copy_of("[r64]:fp32{1}"), 1, 11, {"r0 to r63"}));
  EXPECT_TRUE(assembles_to(copy_of("addr4[0x80000040]:fp32{1}"), copied(0x80000040)));
  EXPECT_TRUE(assembles_to(copy_of("addr4[0x40000100]:fp32{1}"), copied(0x40000100))) << "shape register marker";
  EXPECT_TRUE(assembles_to(copy_of("addr4[0xffffffff]:fp32{1}"), copied(0xFFFFFFFF)));
  EXPECT_TRUE(assembles_to(copy_of("addr4[0x2400000]:fp32{1}"), copied(0x2400000))) << "in neither memory";
  EXPECT_EQ(disassemble(copied(0x2400000).word(), Generation::maverick).substr(0, 26), "copy src=sbuf[36]+0x0:fp32");
}

TEST(Shapes, StepsDefaultToRunningProducts) {
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0x0:fp32{7}"), copied(0, {7}, {1})));
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0x0:fp32{2,3,4,5}"), copied(0, {2, 3, 4, 5}, {1, 2, 6, 24})));
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0x0:fp32{2,3,4,5;1,2,6,24}"), copied(0, {2, 3, 4, 5}, {1, 2, 6, 24})));
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0x0:fp32{4,1}"), copied(0, {4, 1}, {1, 4})));
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0x0:fp32{0,5}"), copied(0, {0, 5}, {1, 0})));
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0x0:fp32{65535}"), copied(0, {65535}, {1})));
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0x0:fp32{32767,2}"), copied(0, {32767, 2}, {1, 32767})));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{32768,2}"), 1, 34, {"explicit steps", "dimension 1 is 32768"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{256,256,1}"), 1, 36, {"dimension 2 is 65536"}));
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0x0:fp32{256,256,1;1,256,1}"), copied(0, {256, 256, 1}, {1, 256, 1})));
  EXPECT_TRUE(assembles_to(copy_of("sbuf[0]+0x0:fp32{2,2;-32768,32767}"), copied(0, {2, 2}, {-32768, 32767})));
}

TEST(Shapes, TextIsAsShortAsTheBytesAllow) {
  const auto shape = [](const std::vector<std::uint16_t>& counts, const std::vector<std::int16_t>& steps) {
    const std::string text = disassemble(copied(0, counts, steps).word(), Generation::cayman);
    return text.substr(text.find('{'), text.find('}') - text.find('{') + 1);
  };
  EXPECT_EQ(shape({4}, {1}), "{4}");
  EXPECT_EQ(shape({1}, {1}), "{1}");
  EXPECT_EQ(shape({4}, {2}), "{4;2}");
  EXPECT_EQ(shape({4, 1}, {1, 4}), "{4,1}") << "a step of 4 is what {4,1} means";
  EXPECT_EQ(shape({4, 1}, {1, 5}), "{4,1;1,5}");
  EXPECT_EQ(shape({4, 2}, {1, 4}), "{4,2}");
  EXPECT_EQ(shape({4, 2, 1, 1}, {1, 5, 1, 1}), "{4,2;1,5}");
  EXPECT_EQ(shape({1, 1, 1, 3}, {1, 1, 1, 1}), "{1,1,1,3}");
}

TEST(Shapes, FaultsAreNamedWhereTheyStand) {
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{1,1,1,1,1}"), 1, 35, {"at most 4 dimensions"}));
  EXPECT_TRUE(one_error("batch_norm_stats2 src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x0:fp32{2,3,1} channels=1", 1, 68,
                        {"dst=", "at most 2 dimensions"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{2,3;1}"), 1, 32, {"2 steps, one for each count"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{2;1,2}"), 1, 30, {"`}` behind the steps"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{65536}"), 1, 27, {"from 0 to 65535"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{2;32768}"), 1, 29, {"from -32768 to 32767"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{}"), 1, 27, {"from 0 to 65535"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{-1}"), 1, 27, {"from 0 to 65535"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32"), 1, 26, {"`{`"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{4"), 1, 28, {"behind the counts"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0:fp32{4}x"), 1, 29, {"nothing more"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]+0x0"), 1, 21, {"`:` and a dtype"}));
  EXPECT_TRUE(one_error(copy_of("sbuf[0]:fp32{4}"), 1, 17, {"`+` and a byte offset"}));
  EXPECT_TRUE(one_error(copy_of("sbuf0+0x0:fp32{4}"), 1, 10, {"src=sbuf0+0x0:fp32{4}", "a tensor such as"}));
  EXPECT_TRUE(one_error(copy_of("r5:fp32{4}"), 1, 10, {"a tensor such as"}));
  EXPECT_TRUE(one_error(copy_of("addr4[0x100000000]:fp32{4}"), 1, 16, {"from 0 to 4294967295"}));
  EXPECT_TRUE(one_error(copy_of("[r5:fp32{4}"), 1, 13, {"`]` behind the register"}));
}

// 64-bit addresses of TensorLoad (isa.md 3, 13.1).
TEST(NeuronAddresses, EveryForm) {
  const auto load = [](const std::string& address) { return "tensor_load dst=r1 src=" + address + ":fp32{1}"; };
  const auto loaded = [](std::uint64_t address) {
    return Bytes(0xAA).at(12, 1, 0x0A).at(14, 2, 0x0101).at(16, 8, address).at(24, 4, 1).at(28, 4, 1).at(32, 1, 1);
  };
  EXPECT_TRUE(assembles_to(load("0x2000000000"), loaded(0x2000000000)));
  EXPECT_TRUE(assembles_to(load("sbuf[2]+0x44"), loaded(0x2000080044)));
  EXPECT_TRUE(assembles_to(load("psum[2]+0x44"), loaded(0x2802010044)));
  EXPECT_TRUE(assembles_to(load("sbuf[2]+0x44"), loaded(0x2000200044), Generation::maverick));
  EXPECT_TRUE(assembles_to(load("host:0x0"), loaded(0x4000000000)));
  EXPECT_TRUE(assembles_to(load("host:274877906943"), loaded(0x7FFFFFFFFF)));
  EXPECT_TRUE(assembles_to(load("[r7]"), loaded(0x8000000000000007)));
  EXPECT_TRUE(assembles_to(load("0x8000000000000040"), loaded(0x8000000000000040)));
  EXPECT_TRUE(assembles_to(load("18446744073709551615"), loaded(~std::uint64_t{0})));
  EXPECT_TRUE(assembles_to(load("0"), loaded(0)));
  EXPECT_EQ(disassemble(loaded(0x2802010044).word(), Generation::cayman),
            "tensor_load dst=r1 src=psum[2]+0x44:fp32{1}");
  EXPECT_EQ(disassemble(loaded(0x2802010044).word(), Generation::maverick),
            "tensor_load dst=r1 src=0x2802010044:fp32{1}")
      << "maverick has no PSUM";
  EXPECT_TRUE(one_error(load("18446744073709551616"), 1, 24, {"from 0 to 18446744073709551615"}));
  EXPECT_TRUE(one_error(load("host:0x4000000000"), 1, 29, {"from 0 to 274877906943"}));
  EXPECT_TRUE(one_error(load("hbm:0"), 1, 24, {"an address such as"}));
}

TEST(Pointers, Forms) {
  const std::string one =
      "batch_norm_grad_accumulate src0=sbuf[0]+0x0:fp32{1} src1=sbuf[0]+0x0:fp32{1} "
      "dst=sbuf[0]+0x0:fp32{3} imm1=sbuf[0]+0x0 channels=1 imm0=";
  const auto pointer = [](std::uint32_t raw) {
    return Bytes(0x63)
        .at(12, 4, raw)
        .tensor(16, 3, 0, {1}, {1})
        .tensor(32, 3, 0, {1}, {1})
        .tensor(48, 1, 0, {3}, {1})
        .at(60, 4, 0x010A0AAA);
  };
  EXPECT_TRUE(assembles_to(one + "psum[32]+0x40", pointer(0x2100040)));
  EXPECT_TRUE(assembles_to(one + "addr4[0x80000007]", pointer(0x80000007)));
  EXPECT_TRUE(one_error(one + "r7", 1, 135, {"imm0=r7", "a pointer such as sbuf[0]+0x40"}));
  EXPECT_TRUE(one_error(one + "2.5", 1, 135, {"imm0=2.5", "a pointer such as sbuf[0]+0x40"}));
  EXPECT_TRUE(one_error(one + "0x100", 1, 135, {"a pointer such as"})) << "a number could be meant as a literal";
  EXPECT_TRUE(one_error(one + "[r7]", 1, 135, {"a pointer such as"}));
}

}  // namespace addresses_text_test
}  // namespace dve::assembly::test
