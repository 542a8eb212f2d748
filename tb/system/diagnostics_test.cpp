// What dve-sim says when a program of several engines stands still, faults, or is watched.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "sim_checks.h"

namespace dve {
namespace diagnostics_test {
namespace {

using namespace sim_checks;
using namespace testing_support;
using nlohmann::json;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class Diagnostics : public testing::Test {
 protected:
  std::string text(const std::string& name, const std::string& content) {
    write_text(folder / name, content);
    return folder / name;
  }
  // The full step of a layer with two passes, as text with .engine lines.
  std::string full_program() {
    const std::string out = folder / "full";
    EXPECT_EQ(dve_sim("run " + layer_folder("10") + " --quiet --step full --out " + out).code, 0);
    const json program = json::parse(read_text(out + "/program.json"));
    std::string streams;
    for (const json& s : program["streams"])
      streams += " --stream " + s["engine"].get<std::string>() + "=" + s["first"].dump() + ":" + s["count"].dump();
    return dve_sim("disasm " + out + "/program.bin" + streams).out;
  }
  ScratchFolder folder;
};

TEST_F(Diagnostics, AWrongSemaphoreNumberIsShownFromBothSides) {
  // The second shift waits for POOL's second word under a number that nobody counts.
  const std::string program = text("p.dasm", replaced(full_program(), "wait=sem[19]>=2", "wait=sem[29]>=2"));
  const ProcessResult r = dve_sim("exec " + program + " --quiet --out " + (folder / "out"));
  EXPECT_EQ(r.code, 5);
  EXPECT_EQ(lines_of(r.err), 2u) << r.err;
  expect_pieces(r.err,
                {"dve-sim: deadlock: dve word 41 (pc 0x4000000a40, tensor_scalar_arith_op) waits for sem[29] >= 2, "
                 "which is 0 (never changed); no word of the program changes it",
                 "dve-sim: deadlock: act word 5 (pc 0x4000000d40, event_semaphore) waits for sem[18] >= 4, "
                 "which is 3 (last changed by dve at ",
                 "changed by dve word 33 (executed), dve word 34 (executed), dve word 40 (executed), "
                 "dve word 41 (not reached)"});
  const json report = report_of(folder / "out");
  EXPECT_EQ(report["status"], "deadlock");
  ASSERT_EQ(report["waits"].size(), 2u);
  const json expected = {{"who", "dve"},
                         {"word", 41},
                         {"pc", 0x4000000a40},
                         {"opcode", "tensor_scalar_arith_op"},
                         {"condition", "sem[29] >= 2"},
                         {"value", "0"},
                         {"last_change", "never changed"},
                         {"updated_by", "no word of the program changes it"}};
  EXPECT_EQ(report["waits"][0], expected);
  EXPECT_EQ(report["waits"][1]["who"], "act");
  EXPECT_EQ(report["faults"], json::array());
}

TEST_F(Diagnostics, AWrongNumberInAnUpdateIsHintedAt) {
  const std::string program = text("p.dasm",
                                   "nop update=sem[40]++\n"
                                   ".engine act\n"
                                   "nop wait=sem[41]>=1\n");
  const ProcessResult r = dve_sim("exec " + program + " --quiet");
  EXPECT_EQ(r.code, 5);
  expect_pieces(r.err, {"deadlock: act word 0", "waits for sem[41] >= 1", "no word of the program changes it",
                        "hint: sem[40] is changed by dve word 0, but no word waits for it"});
  EXPECT_EQ(dve_sim("exec " + program + " --quiet --abstraction functional").code, 5);
}

TEST_F(Diagnostics, ALostHostStepNamesTheHost) {
  const std::string out = folder / "back";
  ASSERT_EQ(dve_sim("run " + layer_folder("4") + " --quiet --device-stats --out " + out).code, 0);
  const std::string listing = replaced(dve_sim("disasm " + out + "/program.bin").out, "update=sem[16]++", "");
  const ProcessResult r = dve_sim("exec " + text("p.dasm", listing) + " --quiet --host-steps " + out + "/program.json");
  EXPECT_EQ(r.code, 5);
  expect_pieces(r.err, {"deadlock: dve word 34", "waits for sem[17] >= 1", "the host's steps bring it about",
                        "deadlock: host step 1 waits for sem[16] >= 1", "no word of the program changes it"});
}

TEST_F(Diagnostics, MaxCyclesOfAFullStepNamesTheEngines) {
  const std::string run =
      "run " + layer_folder("10") + " --quiet --step full --out " + (folder / "out") + " --max-cycles ";
  expect_error(dve_sim(run + "5000"), 5, {"--max-cycles", "word", "would complete at cycle", "the limit is 5000"});
  EXPECT_EQ(report_of(folder / "out")["status"], "timeout");
  const ProcessResult early = dve_sim(run + "100");
  EXPECT_EQ(early.code, 5);
  expect_pieces(early.err, {"dve word 0 would complete", "act word 0 would complete"});
  EXPECT_EQ(dve_sim(run + "1000000").code, 0);
}

TEST_F(Diagnostics, AFaultNamesItsEngine) {
  const std::string good = full_program();
  const struct {
    const char *from, *to, *who;
  } cases[] = {{"op=mult channels=64", "op=mult channels=129", "pool word 1"},
               {"activation_func=rsqrt channels=64", "activation_func=rsqrt channels=0", "act word 4"},
               {"batch_norm_param_load", "batch_norm_param_load debug_cmd=0 inst_word_len=3", "dve word 37"}};
  for (const auto& c : cases) {
    const std::string program = text("p.dasm", replaced(good, c.from, c.to));
    const ProcessResult r = dve_sim("exec " + program + " --quiet --out " + (folder / "out"));
    EXPECT_EQ(r.code, 4) << c.who;
    EXPECT_NE(r.err.find(std::string("dve-sim: fault: ") + c.who + " (pc 0x"), std::string::npos) << r.err;
    const json report = report_of(folder / "out");
    EXPECT_EQ(report["status"], "fault");
    ASSERT_FALSE(report["faults"].empty());
    const std::string who =
        report["faults"][0]["engine"].get<std::string>() + " word " + report["faults"][0]["word"].dump();
    EXPECT_EQ(who, c.who);
  }
}

TEST_F(Diagnostics, FaultsOfTwoEnginesAreBothTold) {
  const std::string program = text("p.dasm",
                                   ".engine pool\n"
                                   "batch_norm_stats2 src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x80:fp32{6} channels=4\n"
                                   ".engine act\n"
                                   "memset dst=sbuf[0]+0x0:fp32{8} set_value=1 channels=4\n");
  const ProcessResult r = dve_sim("exec " + program + " --quiet");
  EXPECT_EQ(r.code, 4);
  EXPECT_EQ(lines_of(r.err), 2u) << r.err;
  expect_pieces(r.err, {"fault: pool word 0", "batch_norm_stats2 runs on dve", "fault: act word 0", "memset runs on"});
}

std::vector<json> json_lines(const std::string& file) {
  std::vector<json> lines;
  std::istringstream stream(read_text(file));
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

TEST_F(Diagnostics, NotificationsAreJsonLines) {
  const std::string program = text("p.dasm",
                                   "memset dst=sbuf[0]+0x0:fp32{8} set_value=1 channels=4 debug_cmd=7 update=sem[3]++\n"
                                   "nop debug_cmd=1 debug_hint=42\n"
                                   ".engine act\n"
                                   "nop debug_cmd=3 wait=sem[3]>=1\n"
                                   ".engine pool\n"
                                   "nop\n"
                                   "memset dst=sbuf[0]+0x0:fp32{8} set_value=1 channels=129\n");
  for (const bool functional : {false, true}) {
    const std::string file = folder / "n.jsonl";
    const ProcessResult r = dve_sim("exec " + program + " --quiet --notifications " + file +
                                    (functional ? " --abstraction functional" : ""));
    EXPECT_EQ(r.code, 4) << r.err;
    const std::vector<json> records = json_lines(file);
    std::map<std::string, std::vector<json>> of_type;
    for (const json& record : records) {
      EXPECT_TRUE(record["time_ps"].is_number_unsigned());
      of_type[record["engine"].get<std::string>() + " " + record["type"].get<std::string>()].push_back(record);
      if (functional) {
        EXPECT_EQ(record["time_ps"], 0);
      }
    }
    for (const char* kind : {"dve start", "dve end", "dve semaphore", "dve explicit", "act start", "pool error"})
      ASSERT_EQ(of_type[kind].size(), 1u) << kind << " functional " << functional;
    EXPECT_EQ(records.size(), 6u) << "nobody else asked for a record";
    const json start = of_type["dve start"][0], end = of_type["dve end"][0];
    EXPECT_EQ(start["pc"], 0);
    EXPECT_EQ(start["waited"], 0);
    EXPECT_EQ(end["pc"], 0);
    EXPECT_TRUE(end.contains("output_crc"));
    EXPECT_EQ(of_type["dve explicit"][0]["debug_hint"], 42);
    EXPECT_EQ(of_type["dve explicit"][0]["pc"], 64);
    EXPECT_EQ(of_type["dve semaphore"][0]["index"], 3);
    EXPECT_EQ(of_type["dve semaphore"][0]["value"], 1);
    // Streams stand one after the other: dve 2 words, pool 2, act 1.
    EXPECT_EQ(of_type["pool error"][0]["pc"], 3 * 64);
    EXPECT_EQ(of_type["act start"][0]["pc"], 4 * 64);
    if (functional) continue;
    EXPECT_LT(start["time_ps"], end["time_ps"]);
    EXPECT_GT(of_type["act start"][0]["waited"], 0);
    EXPECT_GE(of_type["act start"][0]["time_ps"], end["time_ps"]);
  }
}

TEST_F(Diagnostics, NotificationsThatCannotBeWrittenExitWith6) {
  const std::string program = text("p.dasm", "nop debug_cmd=7\n");
  expect_error(dve_sim("exec " + program + " --quiet --notifications /dev/full"), 6, {"/dev/full"});
  expect_error(dve_sim("exec " + program + " --quiet --notifications " + (folder / "no/n")), 6, {"no/n"});
  EXPECT_EQ(dve_sim("exec " + program + " --quiet --notifications " + (folder / "n")).code, 0);
  EXPECT_EQ(json_lines(folder / "n").size(), 2u);
}

TEST_F(Diagnostics, AProgramThatAsksForNothingLeavesAnEmptyFile) {
  const std::string out = folder / "full", file = folder / "n";
  ASSERT_EQ(dve_sim("run " + layer_folder("10") + " --quiet --step full --out " + out).code, 0);
  const ProcessResult r =
      dve_sim("exec " + out + "/program.bin --quiet --host-steps " + out + "/program.json --notifications " + file);
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(read_text(file), "");
}

TEST_F(Diagnostics, FloatingPointExceptionsAreWarnings) {
  const std::string program = text("p.dasm",
                                   "memset dst=sbuf[0]+0x0:fp32{8} set_value=0x7f7fffff channels=4\n"
                                   "tensor_tensor_arith_op src0=sbuf[0]+0x0:fp32{8} src1=sbuf[0]+0x0:fp32{8} "
                                   "dst=sbuf[0]+0x40:fp32{8} op=add channels=4\n"
                                   "tensor_tensor_arith_op src0=sbuf[0]+0x40:fp32{8} src1=sbuf[0]+0x40:fp32{8} "
                                   "dst=sbuf[0]+0x80:fp32{8} op=subtract channels=4\n"
                                   "memset dst=sbuf[0]+0x0:fp32{8} set_value=0 channels=4\n"
                                   "reciprocal src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0xc0:fp32{8} channels=4\n");
  const ProcessResult r = dve_sim("exec " + program + " --out " + (folder / "out"));
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(lines_of(r.err), 3u) << r.err;
  expect_pieces(r.err, {"dve-sim: warning: dve word 1 (pc 0x4000000040, tensor_tensor_arith_op): fp_status_overflow",
                        "dve-sim: warning: dve word 2 (pc 0x4000000080, tensor_tensor_arith_op): fp_status_invalid",
                        "dve-sim: warning: dve word 4 (pc 0x4000000100, reciprocal): fp_status_divide_by_zero"});
  EXPECT_EQ(report_of(folder / "out")["warnings"], 3);
  const ProcessResult quiet = dve_sim("exec " + program + " --quiet");
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.err, "");
}

}  // namespace
}  // namespace diagnostics_test
}  // namespace dve
