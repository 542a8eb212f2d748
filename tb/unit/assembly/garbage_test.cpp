// Bytes that are no program: an error each, in linear time and with bounded output.
#include <chrono>

#include "texts.h"

namespace dve::assembly::test {
namespace garbage_test {

TEST(Garbage, BytesThatAreNoText) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(one_error("nop\nno\0p\nnop"sv, 2, 3, {"byte 0x00", "printable ASCII"}));
  EXPECT_TRUE(one_error("nop # caf\xc3\xa9"sv, 1, 10, {"byte 0xc3"})) << "in comments too";
  EXPECT_TRUE(one_error("\xef\xbb\xbfnop"sv, 1, 1, {"byte 0xef"})) << "a byte order mark";
  EXPECT_TRUE(one_error("nop\rnop"sv, 1, 4, {"byte 0x0d"})) << "only before a line feed";
  EXPECT_TRUE(one_error("nop\r\r\n"sv, 1, 4, {"byte 0x0d"}));
  EXPECT_TRUE(one_error("nop\x7f"sv, 1, 4, {"byte 0x7f"}));
  EXPECT_TRUE(one_error("\x0bnop"sv, 1, 1, {"byte 0x0b"}));
}

TEST(Garbage, NothingIsAnEmptyProgram) {
  for (const std::string_view text : {"", "\n", "\r\n", "#", "\n\n \n# x"}) {
    EXPECT_TRUE(assemble(text, isa::Generation::cayman).errors.empty()) << text;
    EXPECT_TRUE(assemble(text, isa::Generation::cayman).words.empty()) << text;
  }
}

TEST(Garbage, ErrorsAreCapped) {
  std::string lines, keys = "nop";
  for (int k = 0; k < 1000; ++k) {
    lines += "bogus\n";
    keys += " bogus";
  }
  EXPECT_EQ(assemble(lines, isa::Generation::cayman).errors.size(), kMaxErrors);
  EXPECT_EQ(assemble(keys, isa::Generation::cayman).errors.size(), kMaxErrors);
}

// Megabytes of every unfriendly kind: time grows with the size, messages stay short.
TEST(Garbage, MegabytesAreNoTrouble) {
  constexpr std::size_t kSize = 4u << 20;
  std::vector<std::string> texts = {std::string(kSize, 'a'),
                                    std::string(kSize, '#'),
                                    std::string(kSize, ' '),
                                    std::string(kSize, '='),
                                    std::string(kSize, '\n'),
                                    std::string(kSize, '\0'),
                                    "drain count=" + std::string(kSize, '9'),
                                    "drain count=0x" + std::string(kSize, 'f'),
                                    "nop wait=" + std::string(kSize, '['),
                                    ".word " + std::string(kSize, '0'),
                                    "load_parameter_ram immediate=1." + std::string(kSize, '1'),
                                    "load_parameter_ram immediate=" + std::string(kSize, ','),
                                    "copy src=sbuf[0]+0x0:fp32{1" + std::string(kSize, ',')};
  std::string pairs = "nop";
  while (pairs.size() < kSize) pairs += " wait=evt[1]";
  texts.push_back(pairs);
  Random random(9);
  std::string noise(kSize, ' ');
  for (char& c : noise) c = static_cast<char>(random.next());
  texts.push_back(noise);
  for (char& c : noise) c = "abcdefghijklmnop=[]{},;:+#\n \t0123456789"[random.below(39)];
  texts.push_back(noise);

  const auto start = std::chrono::steady_clock::now();
  for (const std::string& text : texts) {
    const Assembled assembled = assemble(text, isa::Generation::cayman);
    EXPECT_LE(assembled.errors.size(), kMaxErrors);
    for (const SourceError& error : assembled.errors) EXPECT_LT(error.message.size(), 400u) << error.message;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 20.0) << "some milliseconds each; quadratic time would be hours";
}

// Words cut short, doubled and exchanged in every place.
TEST(Garbage, MutatedLinesNeverBreak) {
  const std::vector<std::string> lines = {
      "batch_norm_grad_accumulate2 src0=sbuf[0]+0x2000:bf16{512,4;1,600} src1=psum[1]+0x40:fp16{512,4} "
      "dst=[r9]:fp32{3} "
      "imm0=r7 imm1=addr4[0x60000000] imm_dtype=fp16 channels=64 wait=sem[3]>=16 update=sem[4]+=16@read",
      "activate src=sbuf[0]+0x104:fp32{1} dst=sbuf[0]+0x108:fp32{1} activation_func=rsqrt scale=1.0 bias=1e-5 "
      "channels=128",
      "tensor_store dst=host:0x10:int16{3} immediate=-1,5,7 wait=!evt[3]:set",
      "move dtype=fp32 dst=r1,r2 src=r128,r3",
      "semaphore_range_clear bitmask=0,9,255",
      ".word " + std::string(128, '7')};
  const std::string alphabet = "abcdefx=[]{},;:+-#\n \t0123456789@!<>.\xff";
  Random random(4);
  for (int round = 0; round < 30000; ++round) {
    std::string text = lines[random.below(lines.size())];
    for (std::uint64_t k = 0; k <= random.below(3); ++k) {
      const std::size_t at = random.below(text.size());
      switch (random.below(4)) {
        case 0:
          text[at] = alphabet[random.below(alphabet.size())];
          break;
        case 1:
          text.insert(at, 1, alphabet[random.below(alphabet.size())]);
          break;
        case 2:
          text.erase(at, 1 + random.below(3));
          break;
        default:
          text.resize(at + 1);
      }
      if (text.empty()) text = "#";
    }
    const Assembled assembled = assemble(text, isa::kGenerations[random.below(5)]);
    for (const SourceError& error : assembled.errors) {
      ASSERT_GE(error.line, 1u) << text;
      ASSERT_GE(error.column, 1u) << text;
      ASSERT_LE(error.column, text.size() + 1) << text;
      ASSERT_FALSE(error.message.empty()) << text;
    }
  }
}

}  // namespace garbage_test
}  // namespace dve::assembly::test
