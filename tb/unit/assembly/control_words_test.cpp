// Move, TensorLoad, TensorStore and SemaphoreRangeClear: lists, what they set, what must fit (isa.md 13.1).
#include "texts.h"

namespace dve::assembly::test {
namespace control_words_test {

TEST(Move, RegistersAndImmediates) {
  EXPECT_TRUE(assembles_to("move dtype=uint32 dst=r1,r2 src=r3,r4",
                           Bytes(0xA7).at(12, 3, 0x000902).at(16, 2, 0x0403).at(24, 2, 0x0201)));
  EXPECT_TRUE(assembles_to("move dtype=fp32 dst=r1 immediate=0x3f800000",
                           Bytes(0xA7).at(12, 3, 0x010A01).at(24, 1, 1).at(32, 4, 0x3F800000)));
  EXPECT_TRUE(assembles_to("move dtype=fp32 dst=r1,r63 immediate=1,-2.5",
                           Bytes(0xA7).at(12, 3, 0x010A02).at(24, 2, 0x3F01).at(32, 8, 0xC02000003F800000)));
  EXPECT_TRUE(assembles_to("move dtype=int32 dst=r1,r2 immediate=-1,7",
                           Bytes(0xA7).at(12, 3, 0x010802).at(24, 2, 0x0201).at(32, 8, 0x7FFFFFFFF)));
  EXPECT_TRUE(assembles_to("move dtype=uint32 dst=r0,r1,r2,r3,r4,r5,r6,r7 immediate=1,2,3,4,5,6,7,0xffffffff",
                           Bytes(0xA7)
                               .at(12, 3, 0x010908)
                               .at(24, 8, 0x0706050403020100)
                               .at(32, 8, 0x200000001)
                               .at(40, 8, 0x400000003)
                               .at(48, 8, 0x600000005)
                               .at(56, 8, 0xFFFFFFFF00000007)));
  EXPECT_TRUE(assembles_to("move dtype=uint32 dst=r1,r2 src=r128,r129",
                           Bytes(0xA7).at(12, 3, 0x000902).at(16, 2, 0x8180).at(24, 2, 0x0201)))
      << "the halves of the program counter";
  EXPECT_EQ(disassemble(Bytes(0xA7).at(12, 3, 0x010802).at(24, 2, 0x0201).at(32, 8, 0x7FFFFFFFF).word(),
                        isa::Generation::cayman),
            "move dtype=int32 dst=r1,r2 immediate=-1,7");
}

TEST(Move, ListsMustFit) {
  EXPECT_TRUE(one_error("move dtype=uint32 src=r1", 1, 1, {"the key dst= is required"}));
  EXPECT_TRUE(one_error("move dst=r1 src=r1", 1, 1, {"the key dtype= is required"}));
  EXPECT_TRUE(one_error("move dtype=uint32 dst=r1", 1, 1, {"src= or immediate="}));
  EXPECT_TRUE(one_error("move dtype=uint32 dst=r1 src=r2 immediate=3", 1, 1, {"and not both"}));
  EXPECT_TRUE(one_error("move dtype=uint32 dst=r1,r2 src=r3", 1, 1, {"src= has 1 elements, expected 2"}));
  EXPECT_TRUE(one_error("move dtype=uint32 dst=r1 immediate=1,2", 1, 1, {"immediate= has 2 elements, expected 1"}));
  EXPECT_TRUE(one_error("move dtype=uint32 dst=r1,r1,r1,r1,r1,r1,r1,r1,r1 src=r1", 1, 47, {"at most 8 registers"}));
  EXPECT_TRUE(one_error("move dtype=uint32 dst=r128 src=r1", 1, 23, {"r0 to r63"})) << "cannot be written";
  EXPECT_TRUE(one_error("move dtype=uint32 dst=r1, src=r1", 1, 26, {"r0 to r63"}));
  EXPECT_TRUE(one_error("move dtype=uint32 dst=1 src=r1", 1, 23, {"r0 to r63"}));
  EXPECT_TRUE(one_error("move dtype=uint32 dst=r1 immediate=1.5", 1, 37, {"nothing more than `1`"}));
  EXPECT_TRUE(one_error("move dtype=uint32 dst=r1 immediate=-1", 1, 36, {"from 0 to 4294967295"}));
  EXPECT_TRUE(one_error("move dtype=int32 dst=r1 immediate=-2147483649", 1, 35, {"from -2147483648"}));
}

TEST(Move, RawFieldsSayOtherwise) {
  EXPECT_TRUE(assembles_to("move dtype=uint32 num_mov=9", Bytes(0xA7).at(12, 2, 0x0909)));
  EXPECT_TRUE(assembles_to("move dtype=bf16 dst=r1 src=r2 num_mov=3 source=2 src_regs=64,2 dst_regs=0,0,0,0,0,0,0,255",
                           Bytes(0xA7).at(12, 3, 0x020603).at(16, 2, 0x0240).at(31, 1, 255)));
}

TEST(TensorLoad, RegistersAndMemory) {
  EXPECT_TRUE(
      assembles_to("tensor_load dst=r1,r2 src=0x2000000000:int32{2,1;1,2}",
                   Bytes(0xAA).at(12, 4, 0x01020008).at(16, 8, 0x2000000000).at(24, 8, 0x200000001).at(32, 2, 0x0201)));
  EXPECT_TRUE(
      assembles_to("tensor_load dst=r4,r3,r2,r1 src=[r5]:uint8{2,2;-100000,70000}", Bytes(0xAA)
                                                                                        .at(12, 4, 0x02020003)
                                                                                        .at(16, 8, 0x8000000000000005)
                                                                                        .at(24, 4, 0xFFFE7960)
                                                                                        .at(28, 4, 70000)
                                                                                        .at(32, 4, 0x01020304)));
  EXPECT_TRUE(one_error("tensor_load dst=r1 src=sbuf[0]+0x0:int32{2}", 1, 1,
                        {"dst= has 1 elements, expected 2, one for each element of src="}));
  EXPECT_TRUE(one_error("tensor_load src=sbuf[0]+0x0:int32{2}", 1, 1, {"the key dst= is required"}));
  EXPECT_TRUE(one_error("tensor_load dst=r1", 1, 1, {"the key src= is required"}));
  EXPECT_TRUE(one_error("tensor_load dst=r1 src=sbuf[0]+0x0:int32{256}", 1, 42, {"from 0 to 255"}));
  EXPECT_TRUE(one_error("tensor_load dst=r1 src=sbuf[0]+0x0:int32{1,1,1}", 1, 46, {"at most 2 dimensions"}));
  EXPECT_TRUE(one_error("tensor_load dst=r1 immediate=4 src=sbuf[0]+0x0:int32{1}", 1, 20, {"no such key"}));
}

TEST(TensorStore, RegistersAndImmediates) {
  const auto store = [](unsigned dtype, unsigned datasrc, unsigned count) {
    return Bytes(0xAB)
        .at(12, 4, dtype | datasrc << 8 | count << 16 | 0x01000000)
        .at(16, 8, 0x4000000010)
        .at(24, 8, std::uint64_t{count} << 32 | 1);
  };
  const auto flat = [](Bytes bytes) { return bytes.at(28, 4, 1); };  // {n} leaves dimension 1 with step 1
  EXPECT_TRUE(assembles_to("tensor_store dst=host:0x10:int32{2} src=r1,r2", flat(store(8, 0, 2)).at(32, 2, 0x0201)));
  EXPECT_TRUE(assembles_to("tensor_store dst=host:0x10:int16{3} immediate=-1,5,7",
                           flat(store(4, 1, 3)).at(32, 6, 0x00070005FFFF)));
  EXPECT_TRUE(assembles_to("tensor_store dst=host:0x10:uint8{4} immediate=255,0,1,2",
                           flat(store(3, 1, 4)).at(32, 4, 0x020100FF)));
  EXPECT_TRUE(assembles_to("tensor_store dst=host:0x10:fp32{2} immediate=1.5,nan",
                           flat(store(10, 1, 2)).at(32, 8, 0x7FC000003FC00000)));
  EXPECT_TRUE(assembles_to("tensor_store dst=host:0x10:uint64{4} immediate=0xffffffffffffffff,0,1,2",
                           flat(store(1, 1, 4)).at(32, 8, ~std::uint64_t{0}).at(48, 8, 1).at(56, 8, 2)));
  EXPECT_TRUE(assembles_to("tensor_store dst=host:0x10:int64{1} immediate=-9223372036854775808",
                           flat(store(12, 1, 1)).at(32, 8, std::uint64_t{1} << 63)));
}

TEST(TensorStore, ListsMustFit) {
  EXPECT_TRUE(one_error("tensor_store dst=host:0x0:uint64{5} immediate=1,2,3,4,5", 1, 55, {"at most 4 values"}));
  EXPECT_TRUE(one_error("tensor_store dst=host:0x0:uint8{1} immediate=256", 1, 46, {"from 0 to 255"}));
  EXPECT_TRUE(one_error("tensor_store dst=host:0x0:int8{1} immediate=-129", 1, 45, {"from -128 to 0"}));
  EXPECT_TRUE(
      one_error("tensor_store dst=host:0x0:int8{2} immediate=1", 1, 1, {"immediate= has 1 elements, expected 2"}));
  EXPECT_TRUE(one_error("tensor_store dst=host:0x0:int8{1} immediate=1 src=r1", 1, 1, {"and not both"}));
  EXPECT_TRUE(one_error("tensor_store dst=host:0x0:int8{1}", 1, 1, {"src= or immediate="}));
  EXPECT_TRUE(
      one_error("tensor_store dst=host:0x0:fp4_e2m1{1} immediate=1", 1, 49, {"a dtype of whole bytes in dst="}));
}

TEST(MemoryWords, RawFieldsSayOtherwise) {
  EXPECT_TRUE(assembles_to(
      "tensor_load dtype=0xaa src_datasrc=7 num_elem=9,0 start_addr=host:0x20 step_elem=-1,-2 data=1,2,64",
      Bytes(0xAA).at(12, 4, 0x000907AA).at(16, 8, 0x4000000020).at(24, 8, 0xFFFFFFFEFFFFFFFF).at(32, 3, 0x400201)));
  EXPECT_TRUE(
      assembles_to("tensor_store data=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eFF num_elem=0",
                   Bytes(0xAB)
                       .at(32, 8, 0x0706050403020100)
                       .at(40, 8, 0x0F0E0D0C0B0A0908)
                       .at(48, 8, 0x1716151413121110)
                       .at(56, 8, 0xFF1E1D1C1B1A1918)));
}

TEST(SemaphoreRangeClear, RangeAndSet) {
  EXPECT_TRUE(assembles_to("semaphore_range_clear first=3 last=9", Bytes(0xB0).at(13, 2, 0x0903)));
  EXPECT_TRUE(assembles_to("semaphore_range_clear first=0 last=255", Bytes(0xB0).at(14, 1, 255)));
  EXPECT_TRUE(assembles_to("semaphore_range_clear first=0 last=0", Bytes(0xB0)));
  EXPECT_TRUE(assembles_to("semaphore_range_clear bitmask=0,9,255",
                           Bytes(0xB0).at(12, 1, 1).at(32, 2, 0x0201).at(63, 1, 0x80)));
  const std::string digits = "01" + std::string(60, '0') + "fe";
  EXPECT_TRUE(
      assembles_to("semaphore_range_clear bitmask=" + digits, Bytes(0xB0).at(12, 1, 1).at(32, 1, 1).at(63, 1, 0xFE)));
  Bytes all = Bytes(0xB0).at(12, 1, 1);
  for (std::size_t k = 32; k < 64; ++k) all.at(k, 1, 255);
  EXPECT_TRUE(assembles_to("semaphore_range_clear bitmask=" + std::string(64, 'F'), all));
  EXPECT_TRUE(assembles_to("semaphore_range_clear mode=1", Bytes(0xB0).at(12, 1, 1)));
  EXPECT_TRUE(assembles_to("semaphore_range_clear mode=0 first=4 last=5 bitmask=1",
                           Bytes(0xB0).at(13, 2, 0x0504).at(32, 1, 2)));
}

TEST(SemaphoreRangeClear, NeedsOneOfThem) {
  for (const std::string keys : {"", " first=1", " last=1", " first=1 bitmask=2", " first=1 last=2 bitmask=3"}) {
    EXPECT_TRUE(one_error("semaphore_range_clear" + keys, 1, 1, {"first= and last=, or bitmask="})) << keys;
  }
  EXPECT_TRUE(one_error("semaphore_range_clear bitmask=256", 1, 31, {"from 0 to 255"}));
  EXPECT_TRUE(one_error("semaphore_range_clear bitmask=" + std::string(63, '0') + "g", 1, 31, {"from 0 to 255"}));
}

}  // namespace control_words_test
}  // namespace dve::assembly::test
