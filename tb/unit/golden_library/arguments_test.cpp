// Calls that are wrong in themselves: each says what is wrong, and nothing has happened.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "handle.h"

namespace dve::golden_tests {
namespace arguments_test {
namespace {

using namespace testing_support;

isa::Word nop_word() {
  isa::Word word;
  word.bytes[0] = 0xA4;
  word.bytes[1] = 0x10;
  return word;
}

TEST(Arguments, ANullHandleIsRefusedByEveryFunction) {
  const isa::Word word = nop_word();
  std::uint8_t bytes[64] = {};
  std::int32_t semaphore = 0;
  int event = 0;
  std::uint32_t number = 0;
  dve_golden_element element;
  dve_golden_finding finding;
  dve_golden_lane lane;
  dve_golden_schedule schedule;
  char text[100] = "";
  const std::vector<dve_golden_status> all = {dve_golden_reset(nullptr),
                                              dve_golden_read(nullptr, 0, bytes, 4),
                                              dve_golden_write(nullptr, 0, bytes, 4),
                                              dve_golden_execute(nullptr, 0, word.bytes.data()),
                                              dve_golden_run(nullptr, 0, word.bytes.data(), 1, nullptr),
                                              dve_golden_check(nullptr, 0, word.bytes.data(), text, sizeof text),
                                              dve_golden_assemble(nullptr, "nop", bytes),
                                              dve_golden_disassemble(nullptr, word.bytes.data(), text, sizeof text),
                                              dve_golden_begin(nullptr, 0, word.bytes.data(), nullptr, nullptr),
                                              dve_golden_step(nullptr),
                                              dve_golden_element_of(nullptr, 0, &element),
                                              dve_golden_finish(nullptr),
                                              dve_golden_finding_at(nullptr, 0, &finding),
                                              dve_golden_lane_of(nullptr, 0, &lane),
                                              dve_golden_semaphore(nullptr, 0, &semaphore),
                                              dve_golden_set_semaphore(nullptr, 0, 1),
                                              dve_golden_event(nullptr, 0, &event),
                                              dve_golden_set_event(nullptr, 0, 1),
                                              dve_golden_register(nullptr, 0, 0, &number),
                                              dve_golden_set_register(nullptr, 0, 0, 1),
                                              dve_golden_schedule_of(nullptr, 0, &schedule)};
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k], DVE_GOLDEN_BAD_ARGUMENT) << k;
  EXPECT_EQ(dve_golden_finding_count(nullptr), 0u);
  EXPECT_EQ(dve_golden_address(nullptr, 0, 0, 0), UINT64_MAX);
  EXPECT_GT(dve_golden_message(nullptr, text, sizeof text), 0u);
  EXPECT_STREQ(text, "the handle is a null pointer");
  dve_golden_destroy(nullptr);
}

struct Bad {
  std::function<dve_golden_status(dve_golden*)> call;
  std::string message;
};

TEST(Arguments, EveryBadOneIsNamed) {
  Golden g;
  const isa::Word word = nop_word();
  const std::uint8_t* const bits = word.bytes.data();
  std::uint8_t bytes[64] = {};
  char text[8] = "";
  std::int32_t semaphore = 0;
  int event = 0;
  std::uint32_t number = 0;
  dve_golden_finding finding;
  dve_golden_lane lane;
  dve_golden_schedule schedule;
  const std::string engine = "engine is 3, expected DVE_GOLDEN_DVE, _POOL or _ACT (0 to 2)";
  const std::vector<Bad> all = {
      {[&](auto* h) { return dve_golden_read(h, 0, nullptr, 4); }, "data is a null pointer"},
      {[&](auto* h) { return dve_golden_write(h, 0, nullptr, 4); }, "data is a null pointer"},
      {[&](auto* h) { return dve_golden_execute(h, 3, bits); }, engine},
      {[&](auto* h) { return dve_golden_execute(h, -1, bits); },
       "engine is -1, expected DVE_GOLDEN_DVE, _POOL or _ACT (0 to 2)"},
      {[&](auto* h) { return dve_golden_execute(h, 0, nullptr); }, "word is a null pointer"},
      {[&](auto* h) { return dve_golden_run(h, 3, bits, 1, nullptr); }, engine},
      {[&](auto* h) { return dve_golden_run(h, 0, nullptr, 1, nullptr); }, "words is a null pointer"},
      {[&](auto* h) { return dve_golden_check(h, 3, bits, nullptr, 0); }, engine},
      {[&](auto* h) { return dve_golden_check(h, 0, nullptr, nullptr, 0); }, "word is a null pointer"},
      {[&](auto* h) { return dve_golden_assemble(h, nullptr, bytes); }, "text is a null pointer"},
      {[&](auto* h) { return dve_golden_assemble(h, "nop", nullptr); }, "word is a null pointer"},
      {[&](auto* h) { return dve_golden_assemble(h, "nop\nnop", bytes); }, "text holds 2 words, expected one"},
      {[&](auto* h) { return dve_golden_assemble(h, "", bytes); }, "text holds 0 words, expected one"},
      {[&](auto* h) { return dve_golden_disassemble(h, nullptr, text, sizeof text); }, "word is a null pointer"},
      {[&](auto* h) { return dve_golden_disassemble(h, bits, nullptr, 9); }, "text is a null pointer"},
      {[&](auto* h) { return dve_golden_disassemble(h, bits, text, 3); },
       "bytes is 3, expected room for 4 with the end"},
      {[&](auto* h) { return dve_golden_begin(h, 3, bits, nullptr, nullptr); }, engine},
      {[&](auto* h) { return dve_golden_begin(h, 0, nullptr, nullptr, nullptr); }, "word is a null pointer"},
      {[&](auto* h) { return dve_golden_element_of(h, 0, nullptr); }, "element is a null pointer"},
      {[&](auto* h) { return dve_golden_finding_at(h, 0, nullptr); }, "finding is a null pointer"},
      {[&](auto* h) { return dve_golden_finding_at(h, 0, &finding); }, "index is 0, and there is none"},
      {[&](auto* h) { return dve_golden_lane_of(h, 128, &lane); }, "lane is 128, expected 0 to 127"},
      {[&](auto* h) { return dve_golden_lane_of(h, 0, nullptr); }, "flops is a null pointer"},
      {[&](auto* h) { return dve_golden_semaphore(h, 256, &semaphore); }, "index is 256, expected 0 to 255"},
      {[&](auto* h) { return dve_golden_semaphore(h, 0, nullptr); }, "value is a null pointer"},
      {[&](auto* h) { return dve_golden_set_semaphore(h, 256, 1); }, "index is 256, expected 0 to 255"},
      {[&](auto* h) { return dve_golden_event(h, 4294967295U, &event); }, "index is 4294967295, expected 0 to 255"},
      {[&](auto* h) { return dve_golden_event(h, 0, nullptr); }, "value is a null pointer"},
      {[&](auto* h) { return dve_golden_set_event(h, 256, 1); }, "index is 256, expected 0 to 255"},
      {[&](auto* h) { return dve_golden_register(h, 0, 64, &number); }, "index is 64, expected 0 to 63"},
      {[&](auto* h) { return dve_golden_register(h, 3, 0, &number); }, engine},
      {[&](auto* h) { return dve_golden_register(h, 0, 0, nullptr); }, "value is a null pointer"},
      {[&](auto* h) { return dve_golden_set_register(h, 0, 64, 1); }, "index is 64, expected 0 to 63"},
      {[&](auto* h) { return dve_golden_set_register(h, 3, 0, 1); }, engine},
      {[&](auto* h) { return dve_golden_schedule_of(h, 0, nullptr); }, "schedule is a null pointer"},
      {[&](auto* h) { return dve_golden_schedule_of(h, 3, &schedule); }, engine},
  };
  for (const Bad& bad : all) {
    EXPECT_EQ(bad.call(g.get()), DVE_GOLDEN_BAD_ARGUMENT) << bad.message;
    EXPECT_EQ(g.message(), bad.message);
  }
  EXPECT_EQ(dve_golden_assemble(g.get(), "nop wait=7", bytes), DVE_GOLDEN_BAD_ARGUMENT);
  EXPECT_EQ(g.message().rfind("text, column ", 0), 0u) << g.message();
  EXPECT_EQ(g.findings().size(), 0u);
  EXPECT_EQ(g.run(word), DVE_GOLDEN_OK);
  EXPECT_NE(g.message(), "") << "the last failure stays to be read";
}

TEST(Arguments, CreationSaysWhatIsWrong) {
  const auto refusal = [](const char* config, std::vector<const char*> settings) {
    char error[300] = "";
    dve_golden* const g = dve_golden_create(config, settings.data(), settings.size(), 0, error, sizeof error);
    EXPECT_EQ(g, nullptr);
    dve_golden_destroy(g);
    return std::string(error);
  };
  EXPECT_NE(refusal("nowhere", {}).find("nowhere"), std::string::npos);
  EXPECT_NE(refusal("cayman", {"numerics.nothing=1"}).find("numerics.nothing"), std::string::npos);
  EXPECT_NE(refusal("cayman", {"numerics.accumulator=narrow"}).find("narrow"), std::string::npos);
  EXPECT_EQ(refusal("cayman", {"abstraction=lt", nullptr}), "settings[1] is a null pointer");
  EXPECT_EQ(dve_golden_create("cayman", nullptr, 1, 0, nullptr, 0), nullptr);
  char cut[5] = "????";
  EXPECT_EQ(dve_golden_create("nowhere", nullptr, 0, 0, cut, sizeof cut), nullptr);
  EXPECT_EQ(std::string(cut).size(), 4u) << "as much as fits, with its end";
  dve_golden* const usual = dve_golden_create(nullptr, nullptr, 0, 0, nullptr, 0);
  ASSERT_NE(usual, nullptr);
  dve_golden_destroy(usual);
}

TEST(Arguments, TextsAreCutWithTheirEnd) {
  Golden g;
  EXPECT_EQ(dve_golden_execute(g.get(), 3, nullptr), DVE_GOLDEN_BAD_ARGUMENT);
  char text[7] = "??????";
  EXPECT_EQ(dve_golden_message(g.get(), text, sizeof text), g.message().size());
  EXPECT_STREQ(text, "engine");
  EXPECT_EQ(dve_golden_message(g.get(), nullptr, 0), g.message().size());
}

TEST(Names, OfEveryStatusAndOfNone) {
  EXPECT_STREQ(dve_golden_status_name(DVE_GOLDEN_OK), "ok");
  EXPECT_STREQ(dve_golden_status_name(DVE_GOLDEN_DONE), "done");
  EXPECT_STREQ(dve_golden_status_name(DVE_GOLDEN_WAITING), "waiting");
  EXPECT_STREQ(dve_golden_status_name(DVE_GOLDEN_FAULT), "fault");
  EXPECT_STREQ(dve_golden_status_name(DVE_GOLDEN_BAD_ARGUMENT), "bad argument");
  EXPECT_STREQ(dve_golden_status_name(DVE_GOLDEN_BAD_ADDRESS), "bad address");
  EXPECT_STREQ(dve_golden_status_name(DVE_GOLDEN_NO_ELEMENTS), "no elements");
  EXPECT_STREQ(dve_golden_status_name(DVE_GOLDEN_INTERNAL), "internal error");
  EXPECT_STREQ(dve_golden_status_name(8), "unknown status");
  EXPECT_EQ(dve_golden_version(), 0x10000u);
}

// ---- Findings ----

TEST(Findings, OfABadWordNameItsRule) {
  Golden g;
  isa::Word word = nop_word();
  g.run_all({word});
  word.bytes[0] = 0x60 - 1;  // no opcode of the DVE
  EXPECT_EQ(g.run(word), DVE_GOLDEN_FAULT);
  EXPECT_EQ(g.message().rfind("dve word 1 ", 0), 0u) << g.message();
  const auto findings = g.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].engine, DVE_GOLDEN_DVE);
  EXPECT_EQ(findings[0].fault, 1);
  EXPECT_EQ(findings[0].word, 1u);
  EXPECT_EQ(findings[0].opcode, 0x5F);
  EXPECT_STREQ(findings[0].field, "opcode");
  EXPECT_EQ(findings[0].byte, 0u);
  EXPECT_EQ(findings[0].value, 0x5Fu);
  EXPECT_EQ(g.run(g.assemble("nop")), DVE_GOLDEN_FAULT) << "the engine stands";
  EXPECT_EQ(g.findings().size(), 1u);
}

TEST(Findings, ACheckSaysWhatExecutionWouldSay) {
  for (const int engine : {DVE_GOLDEN_DVE, DVE_GOLDEN_POOL, DVE_GOLDEN_ACT}) {
    for (int opcode = 0; opcode < 256; ++opcode) {
      Golden g;
      isa::Word word;
      word.bytes[0] = static_cast<std::uint8_t>(opcode);
      word.bytes[1] = 0x10;
      char text[4096] = "";
      const dve_golden_status checked = dve_golden_check(g.get(), engine, word.bytes.data(), text, sizeof text);
      EXPECT_EQ(g.findings().size(), 0u);
      const dve_golden_status executed = dve_golden_execute(g.get(), engine, word.bytes.data());
      if (checked == DVE_GOLDEN_OK) continue;  // more may be found when it executes
      EXPECT_EQ(executed, DVE_GOLDEN_FAULT) << engine << ' ' << opcode;
      std::string lines;
      for (const auto& f : g.findings()) lines += std::string(f.predicate) + '\n';
      for (const auto& f : g.findings()) EXPECT_NE(std::string(text).find(f.predicate), std::string::npos) << text;
    }
  }
}

TEST(Findings, RelaxedWordsGoOn) {
  Golden g("cayman", {"seq.legality=relaxed"});
  isa::Word word = g.assemble("batch_norm_stats2 src=sbuf[0]+0x0:fp32{64} dst=sbuf[0]+0x1000:fp32{6} channels=1");
  word.bytes[1] = 0x20;  // the wrong length of a word
  EXPECT_EQ(g.run(word), DVE_GOLDEN_OK) << g.message();
  ASSERT_GE(g.findings().size(), 1u);
  for (const auto& f : g.findings()) EXPECT_EQ(f.fault, 0) << f.predicate;
  Golden strict;
  EXPECT_EQ(strict.run(word), DVE_GOLDEN_FAULT);
}

TEST(Findings, AFaultLeavesMemoryAsItWas) {
  Golden g;
  const std::vector<float> before = {1, 2, 3, 4, 5, 6};
  g.write(sbuf(0, 0x1000), before);
  isa::Word word = g.assemble("batch_norm_stats2 src=sbuf[0]+0x0:fp32{64} dst=sbuf[0]+0x1000:fp32{6} channels=1");
  word.bytes[1] = 0x20;
  EXPECT_EQ(g.run(word), DVE_GOLDEN_FAULT);
  EXPECT_EQ(g.floats(sbuf(0, 0x1000), 6), before);
}

// Overflow in one channel, an invalid operation in the other.
TEST(Findings, SeveralExceptionsInOneWordStopTheEngineAfterItsResults) {
  const auto run = [](Golden& g) {
    g.write(sbuf(0, 0), {3e38F, 3e38F});
    g.write(sbuf(1, 0), {INFINITY, 0.0F});
    return g.run(
        g.assemble("tensor_tensor_arith_op src0=sbuf[0]+0x0:fp32{1} src1=sbuf[0]+0x4:fp32{1} "
                   "dst=sbuf[0]+0x40:fp32{1} op=mult channels=2"));
  };
  Golden reports, firmware("cayman", {"seq.fp_status=firmware"});
  EXPECT_EQ(run(reports), DVE_GOLDEN_OK) << reports.message();
  ASSERT_EQ(reports.findings().size(), 2u);
  for (const auto& f : reports.findings()) EXPECT_EQ(f.fault, 0) << f.predicate;
  EXPECT_EQ(run(firmware), DVE_GOLDEN_FAULT);
  ASSERT_EQ(firmware.findings().size(), 1u);
  EXPECT_STREQ(firmware.findings()[0].predicate, "fp_status_several");
  EXPECT_EQ(firmware.floats(sbuf(0, 0x40), 1)[0], INFINITY) << "the device finds it when results are there";
}

}  // namespace
}  // namespace arguments_test
}  // namespace dve::golden_tests
