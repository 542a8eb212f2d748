// Every kind of error with its line and column.
#include "texts.h"

namespace dve::assembly::test {
namespace errors_test {

const std::string kStats = "src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x0:fp32{6} channels=1";

TEST(Errors, Mnemonics) {
  EXPECT_TRUE(one_error("batch_norm_agregate " + kStats, 1, 1,
                        {"`batch_norm_agregate`", "a mnemonic", "`batch_norm_aggregate`"}));
  EXPECT_TRUE(one_error("  tensor_tensor " + kStats, 1, 3, {"did you mean `tensor_tensor_arith_op`?"}));
  EXPECT_TRUE(one_error("NOP", 1, 1, {"`NOP`: expected a mnemonic"}));
  EXPECT_TRUE(one_error("qqqqqqqqqqqq", 1, 1, {"`qqqqqqqqqqqq`: expected a mnemonic"}));
}

// isa.md 13.1, isa-neighbours.md 1: named, but no layout is given.
TEST(Errors, OpcodesWithoutALayoutAreRefusedByName) {
  for (const std::string name : {"write", "notify", "alu_op", "compare_branch", "set_ordering_mode", "move_shape",
                                 "poll_sem", "branch_prefetch_hint", "activate2", "iota", "dma_memcpy", "max8"}) {
    EXPECT_TRUE(one_error("nop\n" + name + " x=1", 2, 1, {name + " (0x", "no published layout", ".word"}));
  }
  EXPECT_TRUE(one_error("compare_branch", 1, 1, {"compare_branch (0xa9)"}));
}

TEST(Errors, Keys) {
  EXPECT_TRUE(one_error("batch_norm_stats2 " + kStats + " chanels=2", 1, 78,
                        {"`chanels`", "batch_norm_stats2 has no such key", "did you mean `channels`?"}));
  EXPECT_TRUE(one_error("nop dts=5", 1, 5, {"`dts`: nop has no such key"}));
  EXPECT_TRUE(one_error("nop =5", 1, 5, {"``: nop has no such key"}));
  EXPECT_TRUE(one_error("nop wait", 1, 5, {"`wait`: expected key=value"}));
  EXPECT_EQ(assemble("nop wait = 5", isa::Generation::cayman).errors.size(), 3u) << "values hold no spaces";
  EXPECT_TRUE(one_error("drain count=1 count=2", 1, 15, {"the key count= stands twice"}));
  EXPECT_TRUE(one_error("drain count=", 1, 13, {"count=: expected a number"}));
}

TEST(Errors, RequiredKeys) {
  EXPECT_TRUE(one_error("batch_norm_stats2 src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x0:fp32{6}", 1, 1,
                        {"the key channels= is required"}));
  EXPECT_TRUE(one_error("\t batch_norm_stats2 dst=sbuf[0]+0x0:fp32{6} channels=1", 1, 3,
                        {"the key src= is required: a tensor"}));
  EXPECT_TRUE(one_error("batch_norm_param_load src=sbuf[0]+0x0:fp32{3} channels=1 element_count=1", 1, 1,
                        {"the key imm0= is required: a pointer"}));
  EXPECT_TRUE(one_error("batch_norm_param_load src=sbuf[0]+0x0:fp32{3} channels=1 imm0=r1", 1, 1,
                        {"the key element_count= is required: binary32"}));
  EXPECT_TRUE(one_error("activate " + kStats, 1, 1, {"the key activation_func= is required: activation function"}));
  EXPECT_TRUE(one_error("activation_table_load", 1, 1, {"the key set_index= is required"}));
  EXPECT_TRUE(one_error("memset dst=sbuf[0]+0x0:fp32{6} channels=1", 1, 1, {"the key set_value= is required"}));
  EXPECT_TRUE(one_error("memset dst=sbuf[0]+0x0:fp32{65535,65535,2;1,1,1} set_value=0 channels=1", 1, 1,
                        {"element_count= is required", "does not fit 32 bits"}));
  EXPECT_TRUE(one_error("load_parameter_ram", 1, 1, {"the key immediate= is required"}));
  EXPECT_TRUE(one_error("load_parameter_ram immediate=1,2,3", 1, 35, {"8 values, not 3"}));
  EXPECT_TRUE(one_error("load_parameter_ram immediate=1,2,3,4,5,6,7,8,9", 1, 46, {"at most 8 values"}));
}

TEST(Errors, WaitsAndUpdates) {
  EXPECT_TRUE(one_error("nop wait=sem[256]==1", 1, 14, {"from 0 to 255"}));
  EXPECT_TRUE(one_error("nop wait=sem[1]=1", 1, 16, {"one of == < <= > >="}));
  EXPECT_TRUE(one_error("nop wait=sem[1]!=1", 1, 16, {"one of == < <= > >="}));
  EXPECT_TRUE(one_error("nop wait=sem[1]==4294967296", 1, 18, {"from -2147483648 to 4294967295"}));
  EXPECT_TRUE(one_error("nop wait=sem[1]==-2147483649", 1, 18, {"from -2147483648"}));
  EXPECT_TRUE(one_error("nop wait=sem[1]==r64", 1, 18, {"r0 to r63"}));
  EXPECT_TRUE(one_error("nop wait=!sem[1]==1", 1, 10, {"a condition such as"}));
  EXPECT_TRUE(one_error("nop wait=evt[1]:set", 1, 16, {"nothing more than `evt[1]`"}));
  EXPECT_TRUE(one_error("nop wait=!evt[1]:clear", 1, 17, {"nothing more"}));
  EXPECT_TRUE(one_error("nop wait=evt", 1, 13, {"`[` and a number"}));
  EXPECT_TRUE(one_error("nop wait=evt[1", 1, 15, {"`]`"}));
  EXPECT_TRUE(one_error("nop update=sem[1]", 1, 18, {"one of ++ -- += -= ="}));
  EXPECT_TRUE(one_error("nop update=sem[1]+=-1", 1, 20, {"from 0 to 4294967295"}));
  EXPECT_TRUE(one_error("nop update=sem[1]++@done", 1, 20, {"@read or @complete"}));
  EXPECT_TRUE(one_error("nop update=sem[1]++5", 1, 20, {"nothing more"}));
  EXPECT_TRUE(one_error("nop update=evt[1]", 1, 18, {"=0 or =1"}));
  EXPECT_TRUE(one_error("nop update=evt[1]=2", 1, 18, {"=0 or =1"}));
  EXPECT_TRUE(one_error("nop update=evt[1]=10", 1, 20, {"nothing more"}));
  EXPECT_TRUE(one_error("nop update=flag", 1, 12, {"an update such as"}));
}

TEST(Errors, Directives) {
  EXPECT_TRUE(one_error(".word", 1, 1, {"128 hexadecimal digits"}));
  EXPECT_TRUE(one_error(".word " + std::string(127, '0'), 1, 7, {"128 hexadecimal digits, not 127 characters"}));
  EXPECT_TRUE(one_error(".word " + std::string(127, '0') + "g", 1, 7, {"128 hexadecimal digits"}));
  EXPECT_TRUE(one_error(".word " + std::string(128, '0') + " 00", 1, 136, {"nothing behind"}));
  EXPECT_TRUE(one_error(".engine", 1, 1, {"dve, pool or act"}));
  EXPECT_TRUE(one_error(".engine pe", 1, 9, {".engine pe", "dve, pool or act"}));
  EXPECT_TRUE(one_error(".engine poll", 1, 9, {"did you mean `pool`?"}));
  EXPECT_TRUE(one_error(".engine act dve", 1, 13, {"nothing behind"}));
  EXPECT_TRUE(one_error(".engin act", 1, 1, {"expected .word or .engine", "did you mean `.engine`?"}));
}

// Every fault of a text is reported, by line, then column; the words of good lines stand nevertheless.
TEST(Errors, AllOfThemAreReported) {
  const Assembled assembled = assemble(
      "nop\n"
      "drain count=x extra=1 count=2\n"
      "# comment\n"
      "batch_norm_stats2 src=sbuf[0]+0x0:fp3{8} channels=900\n"
      "halt\n",
      isa::Generation::cayman);
  ASSERT_EQ(assembled.words.size(), 2u);
  EXPECT_EQ(assembled.words[0].line, 1u);
  EXPECT_EQ(assembled.words[1].line, 5u);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> places = {{2, 13}, {2, 15}, {2, 23},
                                                                       {4, 1},  {4, 35}, {4, 51}};
  ASSERT_EQ(assembled.errors.size(), places.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    EXPECT_EQ(assembled.errors[k].line, places[k].first) << assembled.errors[k].message;
    EXPECT_EQ(assembled.errors[k].column, places[k].second) << assembled.errors[k].message;
  }
}

TEST(Lines, CommentsBlanksEnginesAndLineEnds) {
  const Assembled assembled = assemble(
      "# all engines\r\n"
      "\r\n"
      "   \t \n"
      "nop#comment\r\n"
      ".engine act # the activation engine\n"
      "\tnop\twait=evt[1] \t # wait=evt[2]\n"
      "halt\n"
      ".engine pool\r\n"
      "halt\r\n"
      ".engine dve\n"
      "halt",
      isa::Generation::cayman);
  ASSERT_TRUE(assembled.errors.empty()) << assembled.errors[0].message;
  ASSERT_EQ(assembled.words.size(), 5u);
  const std::vector<std::pair<std::uint32_t, isa::Engine>> expected = {{4, isa::Engine::dve},
                                                                       {6, isa::Engine::act},
                                                                       {7, isa::Engine::act},
                                                                       {9, isa::Engine::pool},
                                                                       {11, isa::Engine::dve}};
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(assembled.words[k].line, expected[k].first);
    EXPECT_EQ(assembled.words[k].engine, expected[k].second);
  }
  EXPECT_EQ(hex(assembled.words[1].word), Bytes(0xA4).at(4, 2, 0x0106).hex());
}

}  // namespace errors_test
}  // namespace dve::assembly::test
