// What SystemVerilog imports, called as a 4-state simulator would: a bit that is X or Z in any argument is an error
// that names it, and nothing has happened.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "dve_golden_dpi.h"
#include "handle.h"
#include "support/words_file.h"

namespace dve::golden_tests {
namespace {

using namespace testing_support;

// A vector of 4-state bits.
struct Vector {
  std::vector<svLogicVecVal> chunks;
  std::size_t bits;

  explicit Vector(std::size_t width) : chunks((width + 31) / 32), bits(width) {}
  static Vector number(std::uint64_t value, std::size_t width = 32) {
    Vector v(width);
    for (std::size_t k = 0; k < v.chunks.size() && k < 2; ++k)
      v.chunks[k].aval = static_cast<std::uint32_t>(value >> (32 * k));
    return v;
  }
  static Vector word(const isa::Word& word) {
    Vector v(512);
    for (std::size_t k = 0; k < v.chunks.size(); ++k) std::memcpy(&v.chunks[k].aval, word.bytes.data() + 4 * k, 4);
    return v;
  }
  const svLogicVecVal* data() const { return chunks.data(); }
  Vector with(std::size_t bit, bool x) const {
    Vector v = *this;
    const std::uint32_t mask = std::uint32_t{1} << (bit % 32);
    v.chunks[bit / 32].bval |= mask;
    v.chunks[bit / 32].aval = x ? v.chunks[bit / 32].aval | mask : v.chunks[bit / 32].aval & ~mask;
    return v;
  }
};

void* handle(Golden& g) { return g.get(); }

// An imported function with the arguments that may hold X: the call, and the vectors by name.
struct Import {
  std::string name;
  std::vector<std::pair<std::string, Vector>> arguments;
  std::function<int(const std::vector<Vector>&)> call;
};

std::vector<Import> imports(Golden& g) {
  void* const h = handle(g);
  const Vector zero = Vector::number(0), engine = zero, index = Vector::number(5),
               nop = Vector::word(g.assemble("nop"));
  const Vector place = Vector::number(0x40, 64), four = Vector::number(4), data = Vector::number(0x01020304, 32);
  Vector row(512);
  return {
      {"address",
       {{"memory", zero}, {"partition", zero}, {"offset", Vector::number(0, 64)}},
       [h](const auto& a) {
         svBitVecVal out[2];
         return dve_dpi_address(h, a[0].data(), a[1].data(), a[2].data(), out);
       }},
      {"write",
       {{"address", place}, {"bytes", Vector::number(64)}, {"data", row}},
       [h](const auto& a) { return dve_dpi_write(h, a[0].data(), a[1].data(), a[2].data()); }},
      {"read",
       {{"address", place}, {"bytes", four}},
       [h](const auto& a) {
         svBitVecVal out[16];
         return dve_dpi_read(h, a[0].data(), a[1].data(), out);
       }},
      {"execute",
       {{"engine", engine}, {"word", nop}},
       [h](const auto& a) { return dve_dpi_execute(h, a[0].data(), a[1].data()); }},
      {"check",
       {{"engine", engine}, {"word", nop}},
       [h](const auto& a) {
         const char* text = nullptr;
         return dve_dpi_check(h, a[0].data(), a[1].data(), &text);
       }},
      {"disassemble",
       {{"word", nop}},
       [h](const auto& a) {
         const char* text = nullptr;
         return dve_dpi_disassemble(h, a[0].data(), &text);
       }},
      {"begin",
       {{"engine", engine}, {"word", Vector::word(grad_accumulate_word(64))}},
       [h](const auto& a) {
         svBitVecVal elements[2], channels[1];
         const int status = dve_dpi_begin(h, a[0].data(), a[1].data(), elements, channels);
         if (status == DVE_GOLDEN_OK) dve_dpi_finish(h);
         return status;
       }},
      {"element_of",
       {{"channel", zero}},
       [h](const auto& a) {
         const isa::Word word = grad_accumulate_word(64);
         dve_golden_begin(static_cast<dve_golden*>(h), 0, word.bytes.data(), nullptr, nullptr);
         dve_dpi_step(h);
         svBitVecVal element[2], values[9];
         const int status = dve_dpi_element_of(h, a[0].data(), element, values);
         dve_dpi_finish(h);
         return status;
       }},
      {"finding_at",
       {{"index", zero}},
       [h](const auto& a) {
         int fault = 0;
         const char* text = nullptr;
         return dve_dpi_finding_at(h, a[0].data(), &fault, &text);
       }},
      {"lane",
       {{"lane", index}},
       [h](const auto& a) {
         int loaded = 0;
         svBitVecVal flops[6];
         return dve_dpi_lane(h, a[0].data(), &loaded, flops);
       }},
      {"semaphore",
       {{"index", index}},
       [h](const auto& a) {
         int value = 0;
         return dve_dpi_semaphore(h, a[0].data(), &value);
       }},
      {"set_semaphore",
       {{"index", index}, {"value", data}},
       [h](const auto& a) { return dve_dpi_set_semaphore(h, a[0].data(), a[1].data()); }},
      {"event",
       {{"index", index}},
       [h](const auto& a) {
         int value = 0;
         return dve_dpi_event(h, a[0].data(), &value);
       }},
      {"set_event",
       {{"index", index}, {"value", Vector::number(1)}},
       [h](const auto& a) { return dve_dpi_set_event(h, a[0].data(), a[1].data()); }},
      {"register",
       {{"engine", engine}, {"index", index}},
       [h](const auto& a) {
         svBitVecVal value[1];
         return dve_dpi_register(h, a[0].data(), a[1].data(), value);
       }},
      {"set_register",
       {{"engine", engine}, {"index", index}, {"value", data}},
       [h](const auto& a) { return dve_dpi_set_register(h, a[0].data(), a[1].data(), a[2].data()); }},
      {"schedule",
       {{"engine", engine}},
       [h](const auto& a) {
         svBitVecVal cycles[10];
         return dve_dpi_schedule(h, a[0].data(), cycles);
       }},
  };
}

// Leaves one warning, for finding_at: a product that overflows.
void leave_a_finding(Golden& g) {
  g.write(sbuf(0, 0x2000), {3e38F});
  g.run_all(
      {g.assemble("tensor_tensor_arith_op src0=sbuf[0]+0x2000:fp32{1} src1=sbuf[0]+0x2000:fp32{1} "
                  "dst=sbuf[0]+0x2004:fp32{1} op=mult channels=1")});
  ASSERT_EQ(g.findings().size(), 1u);
}

TEST(FourState, EveryBitOfEveryArgumentIsLookedAt) {
  Golden g("cayman", {"seq.fp_status=report"});
  leave_a_finding(g);
  std::size_t bits = 0;
  for (const Import& import : imports(g)) {
    SCOPED_TRACE(import.name);
    std::vector<Vector> known;
    for (const auto& [name, vector] : import.arguments) known.push_back(vector);
    EXPECT_EQ(import.call(known), DVE_GOLDEN_OK) << g.message();
    for (std::size_t k = 0; k < known.size(); ++k) {
      for (std::size_t bit = 0; bit < known[k].bits; ++bit, ++bits) {
        for (const bool x : {true, false}) {
          std::vector<Vector> broken = known;
          broken[k] = known[k].with(bit, x);
          ASSERT_EQ(import.call(broken), DVE_GOLDEN_BAD_ARGUMENT) << import.arguments[k].first << " bit " << bit;
          ASSERT_EQ(g.message(), import.arguments[k].first + "[" + std::to_string(bit) + "] is " + (x ? "X" : "Z") +
                                     ", expected 0 or 1");
        }
      }
    }
  }
  EXPECT_EQ(bits, 3456u) << "an argument has come or gone";
}

TEST(FourState, NothingHappens) {
  Golden g;
  const std::uint32_t before = 0x11223344;
  g.write(sbuf(0, 0x40), &before, 4);
  const Vector place = Vector::number(0x40, 64), bytes = Vector::number(4);
  EXPECT_EQ(dve_dpi_write(handle(g), place.data(), bytes.data(), Vector(512).with(31, true).data()),
            DVE_GOLDEN_BAD_ARGUMENT);
  std::uint32_t after = 0;
  g.read(sbuf(0, 0x40), &after, 4);
  EXPECT_EQ(after, before);
  const Vector nop = Vector::word(g.assemble("nop update=sem[3]++"));
  const Vector dve = Vector::number(0);
  EXPECT_EQ(dve_dpi_execute(handle(g), dve.data(), nop.with(300, false).data()), DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(g.semaphore(3), 0);
  EXPECT_EQ(dve_dpi_execute(handle(g), dve.data(), nop.data()), DVE_GOLDEN_OK);
  EXPECT_EQ(g.semaphore(3), 1);
}

TEST(FourState, BitsPastTheWidthAndPastTheBytesDoNotCount) {
  Golden g;
  Vector data = Vector::number(0xCAFE1234, 32);
  data.chunks.resize(16);
  for (std::size_t bit = 32; bit < 512; ++bit) data = data.with(bit, true);
  EXPECT_EQ(dve_dpi_write(handle(g), Vector::number(0x40, 64).data(), Vector::number(4).data(), data.data()),
            DVE_GOLDEN_OK)
      << g.message();
  svBitVecVal out[16];
  std::memset(out, 0xFF, sizeof out);
  EXPECT_EQ(dve_dpi_read(handle(g), Vector::number(0x40, 64).data(), Vector::number(4).data(), out), DVE_GOLDEN_OK);
  EXPECT_EQ(out[0], 0xCAFE1234u);
  for (int k = 1; k < 16; ++k) EXPECT_EQ(out[k], 0u);
  EXPECT_EQ(dve_dpi_write(handle(g), Vector::number(0x40, 64).data(), Vector::number(65).data(), data.data()),
            DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(g.message(), "bytes is 65, expected 0 to 64");
}

TEST(FourState, CreationAndComparison) {
  EXPECT_EQ(dve_dpi_create("cayman", "", Vector::number(0, 64).with(40, true).data()), nullptr);
  EXPECT_STREQ(dve_dpi_message(nullptr), "host_bytes[40] is X, expected 0 or 1");
  EXPECT_EQ(dve_dpi_create("nowhere", "", Vector::number(0, 64).data()), nullptr);
  EXPECT_NE(std::string(dve_dpi_message(nullptr)).find("nowhere"), std::string::npos);
  void* const h =
      dve_dpi_create("", "abstraction=functional\n\nnumerics.dst_order=interpreter\n", Vector::number(0, 64).data());
  ASSERT_NE(h, nullptr) << dve_dpi_message(nullptr);
  dve_dpi_destroy(h);

  const Vector one = Vector::number(0x3F800000), other = Vector::number(0x3F800001), nan = Vector::number(0x7FC00000);
  const char* text = nullptr;
  EXPECT_EQ(dve_dpi_same(one.data(), one.data(), &text), 1);
  EXPECT_EQ(dve_dpi_same(other.data(), one.data(), &text), 0);
  EXPECT_STREQ(text, "1.0000001 (3f800001), expected 1 (3f800000)");
  EXPECT_EQ(dve_dpi_same(nan.data(), nan.data(), &text), 1) << "bits, not numbers";
  EXPECT_EQ(dve_dpi_same(Vector::number(0x80000000).data(), Vector::number(0).data(), &text), 0);
  EXPECT_STREQ(text, "-0 (80000000), expected 0 (00000000)");
  for (std::size_t bit = 0; bit < 32; ++bit) {
    EXPECT_EQ(dve_dpi_same(one.with(bit, true).data(), one.data(), &text), -1);
    EXPECT_EQ(text, "actual[" + std::to_string(bit) + "] is X, expected 0 or 1");
    EXPECT_EQ(dve_dpi_same(one.data(), one.with(bit, false).data(), &text), -1);
    EXPECT_EQ(text, "expected[" + std::to_string(bit) + "] is Z, expected 0 or 1");
  }
}

// ---- The same results as dve_golden.h

TEST(Imports, GiveWhatTheLibraryGives) {
  Golden g;
  std::vector<float> x(64), dy(64);
  for (std::size_t i = 0; i < 64; ++i) {
    x[i] = static_cast<float>(i) / 8;
    dy[i] = 3 - static_cast<float>(i);
  }
  for (std::uint32_t p = 0; p < 4; ++p) {
    g.write(sbuf(p, 0), x);
    g.write(sbuf(p, 0x1000), dy);
    g.write(sbuf(p, 0x3100), {2, 0.5F});
  }
  const Vector word = Vector::word(grad_accumulate_word(64)), dve = Vector::number(0), channel = Vector::number(3);
  svBitVecVal elements[2], channels[1], number[2], values[9];
  ASSERT_EQ(dve_dpi_begin(handle(g), dve.data(), word.data(), elements, channels), DVE_GOLDEN_OK) << g.message();
  EXPECT_EQ(elements[0], 64u);
  EXPECT_EQ(elements[1], 0u);
  EXPECT_EQ(channels[0], 4u);
  int steps = 0;
  for (; dve_dpi_step(handle(g)) == DVE_GOLDEN_OK; ++steps) {
    ASSERT_EQ(dve_dpi_element_of(handle(g), channel.data(), number, values), DVE_GOLDEN_OK);
    dve_golden_element e{};
    dve_golden_element_of(g.get(), 3, &e);
    const float expected[9] = {e.x, e.dy, e.xn, e.t, e.tv, e.sums[0], e.sums[1], e.sums[2], e.dx};
    EXPECT_EQ(std::memcmp(values, expected, sizeof expected), 0);
    EXPECT_EQ(number[0], static_cast<std::uint32_t>(steps));
  }
  EXPECT_EQ(steps, 64);
  ASSERT_EQ(dve_dpi_finish(handle(g)), DVE_GOLDEN_OK);
  svBitVecVal cycles[10];
  ASSERT_EQ(dve_dpi_schedule(handle(g), dve.data(), cycles), DVE_GOLDEN_OK);
  const dve_golden_schedule s = g.schedule();
  EXPECT_EQ(cycles[4], static_cast<std::uint32_t>(s.complete));
  EXPECT_EQ(cycles[8], static_cast<std::uint32_t>(s.stream));
  int loaded = 1;
  svBitVecVal flops[6];
  ASSERT_EQ(dve_dpi_lane(handle(g), channel.data(), &loaded, flops), DVE_GOLDEN_OK);
  EXPECT_EQ(loaded, 0);
  EXPECT_EQ(flops[5], 0x3F000000u) << "v of the GradAccum";
  svBitVecVal bits[16];
  ASSERT_EQ(dve_dpi_assemble(handle(g), "nop wait=sem[1]>=2", bits), DVE_GOLDEN_OK);
  EXPECT_EQ(std::memcmp(bits, g.assemble("nop wait=sem[1]>=2").bytes.data(), 64), 0);
  const char* text = nullptr;
  ASSERT_EQ(dve_dpi_disassemble(handle(g), word.data(), &text), DVE_GOLDEN_OK);
  EXPECT_EQ(std::string(text).rfind("batch_norm_grad_accumulate2 ", 0), 0u) << text;
}

TEST(Imports, TellFindingsInOneLine) {
  Golden g;
  const Vector word = Vector::word(grad_accumulate_word(64, 4)), dve = Vector::number(0);
  const char* text = nullptr;
  EXPECT_EQ(dve_dpi_check(handle(g), dve.data(), word.data(), &text), DVE_GOLDEN_FAULT);
  EXPECT_NE(std::string(text).find("expected"), std::string::npos) << text;
  EXPECT_EQ(dve_dpi_finding_count(handle(g)), 0) << "a check executes nothing";
  EXPECT_EQ(dve_dpi_execute(handle(g), dve.data(), word.data()), DVE_GOLDEN_FAULT);
  ASSERT_GE(dve_dpi_finding_count(handle(g)), 1);
  int fault = 0;
  ASSERT_EQ(dve_dpi_finding_at(handle(g), Vector::number(0).data(), &fault, &text), DVE_GOLDEN_OK);
  EXPECT_EQ(fault, 1);
  EXPECT_EQ(std::string(text).rfind("dve word 0 (opcode 0x94): ", 0), 0u) << text;
}

TEST(Imports, ANullHandleIsABadArgument) {
  const Vector zero = Vector::number(0), wide = Vector::number(0, 64), word(512);
  EXPECT_EQ(dve_dpi_reset(nullptr), DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(dve_dpi_step(nullptr), DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(dve_dpi_finish(nullptr), DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(dve_dpi_finding_count(nullptr), 0);
  EXPECT_EQ(dve_dpi_execute(nullptr, zero.data(), word.data()), DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(dve_dpi_write(nullptr, wide.data(), zero.data(), word.data()), DVE_GOLDEN_BAD_ARGUMENT);
  Golden g;
  EXPECT_EQ(dve_dpi_execute(handle(g), nullptr, word.data()), DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(g.message(), "engine is a null pointer");
}

}  // namespace
}  // namespace dve::golden_tests
