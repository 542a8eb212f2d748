// asm, disasm and check from outside, and exec of text: files, bytes, exit codes, one clear line for each mistake.
#include <gtest/gtest.h>

#include <filesystem>

#include "sim_checks.h"
#include "support/words_file.h"

namespace dve {
namespace tools_test {
namespace {

using namespace sim_checks;
using namespace testing_support;

// One word on each engine, passing a value on: 2x on DVE, 2x + 1 on ACT, 4x + 1 on POOL.
const std::string kThreeEngines =
    "# doubles, adds one, adds both\n"
    ".engine dve\n"
    "tensor_scalar_arith_op src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x100:fp32{8} imm0=2 op0=mult channels=4 "
    "update=sem[30]++\n"
    ".engine act\n"
    "activate src=sbuf[0]+0x100:fp32{8} dst=sbuf[0]+0x200:fp32{8} scale=1 bias=1 activation_func=identity channels=4 "
    "wait=sem[30]>=1 update=sem[31]++\n"
    ".engine pool\n"
    "tensor_tensor_arith_op src0=sbuf[0]+0x100:fp32{8} src1=sbuf[0]+0x200:fp32{8} dst=sbuf[0]+0x300:fp32{8} op=add "
    "channels=4 wait=sem[31]>=1\n";

class Tools : public testing::Test {
 protected:
  // A text program in the scratch folder.
  std::string text(const std::string& name, const std::string& content) {
    write_text(folder / name, content);
    return folder / name;
  }
  ScratchFolder folder;
};

TEST_F(Tools, EveryPlannedProgramGoesThroughTextAndBack) {
  std::vector<std::string> runs;
  for (const std::string& layer : kLayers) {
    for (const char* options : {"", "--device-stats", "--step full", "--step full --dtype bf16 --microbatches 3"})
      runs.push_back(layer_folder(layer) + " " + options);
  }
  for (const char* options : {"--config sunda --set place.x=psum", "--config mariana --step full --set place.y=psum",
                              "--config maverick --step full", "--set numerics.param_ram_offset_unit=byte --step full"})
    runs.push_back(layer_folder("10") + " " + options);
  for (const std::string& run : runs) {
    SCOPED_TRACE(run);
    const std::string out = folder / "out";
    ASSERT_EQ(dve_sim("run " + run + " --quiet --out " + out).code, 0);
    const std::string device = " --config " + out + "/config.json", program = out + "/program.bin";
    const ProcessResult listing = dve_sim("disasm " + program + device);
    ASSERT_EQ(listing.code, 0) << listing.err;
    EXPECT_EQ(listing.out.find(".word"), std::string::npos) << "every planned word has a text";
    const std::string listed = text("p.dasm", listing.out);
    ASSERT_EQ(dve_sim("asm " + listed + device + " --quiet -o " + (folder / "p.bin")).code, 0);
    EXPECT_EQ(read_text(folder / "p.bin"), read_text(program));
    EXPECT_EQ(dve_sim("disasm " + (folder / "p.bin") + device).out, listing.out);
    for (const std::string& file : {program, listed}) {
      const ProcessResult check = dve_sim("check " + file + device);
      EXPECT_EQ(check.code, 0) << check.out;
      expect_pieces(check.out, {" words, 0 findings on "});
    }
  }
}

TEST_F(Tools, WordsWithoutATextComeBackByteForByte) {
  std::string bytes;
  for (std::size_t i = 0; i < 5 * 64; ++i) bytes += static_cast<char>(i * 37 + i / 64);
  write_text(folder / "p.bin", bytes);
  const ProcessResult listing = dve_sim("disasm " + (folder / "p.bin"));
  ASSERT_EQ(listing.code, 0) << listing.err;
  ASSERT_EQ(dve_sim("asm " + text("p.dasm", listing.out) + " -o " + (folder / "q.bin")).code, 0);
  EXPECT_EQ(read_text(folder / "q.bin"), bytes);
}

TEST_F(Tools, AsmPrintsTheStreamsOfSeveralEngines) {
  const std::string file = text("m.dasm",
                                ".engine pool\nnop\n.engine dve\nnop\ndrain\n.engine act\nnop\n"
                                ".engine pool\nhalt\n");
  const ProcessResult r = dve_sim("asm " + file + " -o " + (folder / "m.bin"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, "5 words\n--stream dve=0:2 --stream pool=2:2 --stream act=4:1\n");
  const std::string again = ".engine dve\nnop\ndrain\n.engine pool\nnop\nhalt\n.engine act\nnop\n";
  EXPECT_EQ(dve_sim("disasm " + (folder / "m.bin") + " " + r.out.substr(8, r.out.size() - 9)).out, again);
  EXPECT_EQ(dve_sim("disasm " + file).out, again) << "text is sorted by engine";
  EXPECT_EQ(dve_sim("disasm " + (folder / "m.bin")).out, "nop\ndrain\nnop\nhalt\nnop\n");
  EXPECT_EQ(dve_sim("asm " + file + " --quiet -o " + (folder / "m.bin")).out, "");
  const auto assembled = [&](const std::string& content) {
    return dve_sim("asm " + text("d.dasm", content) + " -o " + (folder / "d.bin")).out;
  };
  EXPECT_EQ(assembled("nop\n.engine dve\nnop"), "2 words\n--stream dve=0:2\n");
  EXPECT_EQ(assembled("nop\nnop"), "2 words\n") << "no engine is named";
}

TEST_F(Tools, MistakesHaveLineAndColumn) {
  const std::string bin = folder / "p.bin";
  const auto assemble = [&](const std::string& content) {
    return dve_sim("asm " + text("p.dasm", content) + " -o " + bin);
  };
  const std::string memset = "memset dst=sbuf[0]+0x0:fp32{8} set_value=0 channels=4";
  expect_error(assemble("nop\n  batch_norm_stats3 channels=4\n"), 3,
               {"p.dasm:2:3: ", "`batch_norm_stats3`", "did you mean `batch_norm_stats`"});
  expect_error(assemble("memset dst=sbuf[0]+0x0:fp33{8} set_value=0 channels=4"), 3,
               {"p.dasm:1:24: ", "fp33", "did you mean `fp32`"});
  expect_error(assemble("\n\n" + memset + " colour=blue"), 3, {"p.dasm:3:55: ", "`colour`", "no such key"});
  expect_error(assemble("memset dst=sbuf[0]+0x0:fp32{8} set_value=0"), 3, {"p.dasm:1:1: ", "channels= is required"});
  expect_error(assemble(memset + " wait=sem[256]>=1"), 3, {"p.dasm:1:64: ", "256", "0 to 255"});
  expect_error(assemble(".engine pe\nnop"), 3, {"p.dasm:1:", "pe", "dve"});
  expect_error(assemble(".word 00ff"), 3, {"p.dasm:1:", "128"});
  const ProcessResult several = assemble("memset\n\nnop foo=1\nflap");
  EXPECT_EQ(several.code, 3);
  expect_pieces(several.err, {"p.dasm:1:1: ", "p.dasm:3:5: ", "p.dasm:4:1: "});
  for (const char* line : {"dve-sim: ", "\ndve-sim: "}) EXPECT_NE(several.err.find(line), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(bin)) << "nothing is written when there are mistakes";
}

TEST_F(Tools, OpcodesWithoutALayoutAreRefusedByName) {
  const auto assemble = [&](const std::string& content) {
    return dve_sim("asm " + text("p.dasm", content) + " -o " + (folder / "p.bin"));
  };
  for (const auto& [name, byte] : {std::pair{"max8", "0x6c"},
                                   {"rng", "0x4d"},
                                   {"activate2", "0x25"},
                                   {"tensor_scalar_ptr_arith_op", "0x44"},
                                   {"find_index8", "0x6e"}})
    expect_error(assemble(std::string("nop\n") + name + " channels=4"), 3,
                 {"p.dasm:2:1: ", name, byte, "no published layout", ".word"});
}

TEST_F(Tools, WrongCommandLinesExitWith2) {
  const std::string program = text("p.dasm", "nop\n");
  for (const char* command : {"asm", "disasm", "check"}) {
    const std::string name = command;
    expect_error(dve_sim(name), 2, {name + " needs a PROGRAM"});
    expect_error(dve_sim(name + " a b"), 2, {"positional"});
    expect_error(dve_sim(name + " " + program + " --bogus"), 2, {"--bogus"});
    const ProcessResult help = dve_sim(name + " --help");
    EXPECT_EQ(help.code, 0);
    expect_pieces(help.out, {"usage: dve-sim " + name, "--generation"});
  }
  expect_error(dve_sim("asm " + program), 2, {"asm needs -o PROGRAM.bin"});
  expect_pieces(dve_sim("asm --help").out, {"batch_norm_grad_accumulate2", "event_semaphore", "sem[3]>=16", ".engine"});
}

TEST_F(Tools, UnusableFilesAndDevicesExitWith3) {
  const std::string program = text("p.dasm", "nop\n");
  for (const char* command : {"asm", "disasm", "check"}) {
    const std::string name = command, out = name == "asm" ? " -o " + (folder / "o.bin") : "";
    expect_error(dve_sim(name + " " + (folder / "none.dasm") + out), 3, {"none.dasm: does not exist"});
    expect_error(dve_sim(name + " " + (folder / "none.bin") + out), 3, {"none.bin: does not exist"});
    expect_error(dve_sim(name + " " + folder.path() + out), 3, {"is a directory"});
    expect_error(dve_sim(name + " " + text("empty.dasm", "# nothing\n\n") + out), 3, {"empty.dasm: holds no word"});
    if (name != "asm")  // which reads text, whatever its name
      expect_error(dve_sim(name + " " + text("odd.bin", std::string(65, 'x')) + out), 3, {"odd.bin: 65 bytes", "64"});
    expect_error(dve_sim(name + " " + program + out + " --generation trn2"), 3, {"trn2", "sunda", "maverick"});
    expect_error(dve_sim(name + " " + program + out + " --set timing.dve.clocks=1"), 3, {"timing.dve.clocks"});
  }
}

TEST_F(Tools, OutputsThatCannotBeWrittenExitWith6) {
  const std::string program = text("p.dasm", "nop\n");
  expect_error(dve_sim("asm " + program + " -o /dev/full"), 6, {"/dev/full"});
  expect_error(dve_sim("asm " + program + " -o " + (folder / "no/where.bin")), 6, {"where.bin"});
  expect_error(dve_sim("asm " + program + " -o " + folder.path()), 6, {folder.path()});
  EXPECT_EQ(shell(DVE_SIM_PROGRAM " disasm " + program + " >/dev/full").code, 6);
  EXPECT_EQ(shell(DVE_SIM_PROGRAM " check " + program + " >/dev/full").code, 6);
}

TEST_F(Tools, NoOutputOverwritesAnotherOrTheProgram) {
  const std::string source = text("p.dasm", "nop\n"), same = folder / "same.npy";
  expect_error(dve_sim("asm " + source + " -o " + source), 2, {"p.dasm", "named twice"});
  const std::string dump = " --dump 'sbuf[0]+0x0:1x1:fp32=";
  expect_error(dve_sim("exec " + source + dump + same + "'" + dump + same + "'"), 2, {"same.npy", "named twice"});
  expect_error(dve_sim("exec " + source + dump + source + "'"), 2, {"p.dasm", "named twice"});
  expect_error(dve_sim("exec " + source + " --notifications " + source), 2, {"p.dasm", "named twice"});
  EXPECT_EQ(read_text(source), "nop\n");
  EXPECT_EQ(dve_sim("exec " + source + dump + "/dev/null'" + dump + "/dev/null'").code, 0);
}

// Observing memory must not change which of it exists, and notifications must not stand where a program may write.
TEST_F(Tools, HostMemoryIsTheSameWhateverIsLookedAt) {
  const std::string store = text("p.dasm",
                                 "nop debug_cmd=1 debug_hint=7\n"
                                 "tensor_store dst=host:0x80:uint32{8} immediate=1,2,3,4,5,6,7,8\n"
                                 "tensor_store dst=host:0x3ffffffc:fp32{1} immediate=1\n");
  const std::string notes = folder / "n.jsonl";
  EXPECT_EQ(dve_sim("exec " + store).code, 0);
  EXPECT_EQ(dve_sim("exec " + store + " --dump host:0x9100:1x1:fp32=" + (folder / "q.npy")).code, 0);
  ASSERT_EQ(dve_sim("exec " + store + " --notifications " + notes).code, 0);
  const auto note = nlohmann::json::parse(read_text(notes));
  EXPECT_EQ(note["type"], "explicit");
  EXPECT_EQ(note["debug_hint"], 7);
  const std::string beyond = text("q.dasm", "tensor_store dst=host:0x40000000:fp32{1} immediate=1\n");
  expect_error(dve_sim("exec " + beyond), 4, {"transfer_response", "start_addr"});
}

TEST_F(Tools, FindingsNameTheValueThatIsWrong) {
  const std::string divide =
      text("z.dasm",
           "memset dst=sbuf[0]+0x0:int32{4} set_value=1 channels=1\n"
           "memset dst=sbuf[0]+0x1000:int32{4} set_value=0 channels=1\n"
           "tensor_tensor_arith_op src0=sbuf[0]+0x0:int32{4} src1=sbuf[0]+0x1000:int32{4} dst=sbuf[0]+0x2000:int32{4} "
           "op=divide_int channels=1\n");
  expect_error(dve_sim("exec " + divide + " --quiet"), 4,
               {"integer_divide_by_zero", "src1 at byte 32 is 0", "channel 0, element 0"});
  const std::string dropped =
      text("m.dasm",
           "memset dst=[r5]:fp32{4} set_value=3 channels=4\nmove dtype=uint32 dst=r5 immediate=1\n"
           "memset dst=sbuf[0]+0x0:uint8{65535,65535;0,0} set_value=3 channels=4 element_count=4\n");
  const ProcessResult relaxed = dve_sim("exec " + dropped + " --set seq.legality=relaxed");
  EXPECT_EQ(relaxed.code, 0) << relaxed.err;
  expect_pieces(relaxed.err, {"not_executed: opcode at byte 0 is 73 (0x49)"});
  expect_error(dve_sim("check " + divide + " --generation zz"), 3, {"--generation is 'zz'", "sunda"});
  expect_error(dve_sim("run " + (folder / "nowhere")), 3, {"nowhere", "does not exist"});
}

TEST_F(Tools, StreamsMustCoverTheProgram) {
  const std::string program = text("p.bin", std::string(5 * 64, '\0'));
  for (const char* command : {"disasm", "check", "exec"}) {
    const auto with = [&](const std::string& streams) {
      return dve_sim(std::string(command) + " " + program + streams);
    };
    expect_error(with(" --stream dve=0:2"), 2, {"cover 2 of the program's 5 words"});
    expect_error(with(" --stream dve=0:2 --stream dve=2:3"), 2, {"dve=2:3", "has a stream already"});
    expect_error(with(" --stream dve=1:4"), 2, {"dve=1:4", "words from 0 on"});
    expect_error(with(" --stream dve=0:2 --stream act=1:4"), 2, {"act=1:4", "words from 2 on"});
    expect_error(with(" --stream dve=0:6"), 2, {"dve=0:6", "at most 5"});
    expect_error(with(" --stream dve=0:18446744073709551615"), 2, {"at most 5"});
    for (const char* bad : {"dve", "dve=0", "0:5", "pe=0:5", "dve=0:0", "dve=-1:6", "dve=0:5x", "=0:5"})
      expect_error(with(std::string(" --stream ") + bad), 2, {bad, "ENGINE=FIRST:COUNT"});
    expect_error(dve_sim(std::string(command) + " " + text("t.dasm", "nop") + " --stream dve=0:1"), 2, {".engine"});
  }
}

TEST_F(Tools, CheckFindsAndExplains) {
  const std::string program = text("p.dasm",
                                   "nop\n\n"
                                   "memset dst=sbuf[0]+0x0:fp32{8} set_value=1 channels=129\n"
                                   "memset dst=psum[0]+0x0:bf16{8} set_value=1 channels=4\n");
  const ProcessResult r = dve_sim("check " + program);
  EXPECT_EQ(r.code, 4);
  EXPECT_EQ(r.err, "");
  expect_pieces(r.out, {"dve word 1 (line 3, memset): check_active_channels: num_active_channels at byte 34 is 129",
                        "dve word 2 (line 4, memset): tensor_start_addr_valid: dst.start_addr at byte 44",
                        "3 words, 2 findings on cayman\n"});
  const ProcessResult explained = dve_sim("check " + program + " --explain --quiet");
  EXPECT_EQ(explained.code, 4);
  EXPECT_EQ(std::count(explained.out.begin(), explained.out.end(), '\n'), 4) << "a sentence behind each finding";
  expect_pieces(explained.out, {"\n  An operation works on 1 to 128 partitions"});
  ASSERT_EQ(dve_sim("asm " + program + " -o " + (folder / "p.bin")).code, 0) << "asm takes what check refuses";
  const ProcessResult binary = dve_sim("check " + (folder / "p.bin"));
  EXPECT_EQ(binary.code, 4);
  expect_pieces(binary.out, {"dve word 1 (memset): check_active_channels"});
  // A generation that has no PSUM sees an SBUF address.
  EXPECT_EQ(dve_sim("check " + program + " --generation maverick --quiet").out.find("tensor_start_addr_valid"),
            std::string::npos);
}

TEST_F(Tools, CheckKnowsTheEngines) {
  const std::string stats = "batch_norm_stats2 src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x80:fp32{6} channels=4\n";
  const std::string activate =
      "activate src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x80:fp32{8} activation_func=identity channels=4\n";
  EXPECT_EQ(dve_sim("check " + text("ok.dasm", stats + ".engine act\n" + activate)).code, 0);
  const ProcessResult wrong = dve_sim("check " + text("wrong.dasm", ".engine pool\n" + stats) + " --explain");
  EXPECT_EQ(wrong.code, 4);
  expect_pieces(wrong.out, {"pool word 0 (line 2, batch_norm_stats2): has_engine_opcode", "unknown_opcode",
                            "batch_norm_stats2 runs on dve", "no handler for the opcode"});
  ASSERT_EQ(dve_sim("asm " + folder.path() + "/ok.dasm --quiet -o " + (folder / "ok.bin")).code, 0);
  EXPECT_EQ(dve_sim("check " + (folder / "ok.bin")).code, 0) << "each word as on an engine that has it";
  EXPECT_EQ(dve_sim("check " + (folder / "ok.bin") + " --stream dve=0:1 --stream act=1:1").code, 0);
  const ProcessResult swapped = dve_sim("check " + (folder / "ok.bin") + " --stream act=0:1 --stream dve=1:1");
  EXPECT_EQ(swapped.code, 4);
  expect_pieces(swapped.out, {"act word 0 (batch_norm_stats2)", "dve word 0 (activate)"});
}

TEST_F(Tools, TextExecutesLikeItsBinary) {
  const std::string program = text("p.dasm", kThreeEngines);
  const ProcessResult assembled = dve_sim("asm " + program + " -o " + (folder / "p.bin"));
  ASSERT_EQ(assembled.code, 0) << assembled.err;
  const std::string streams = assembled.out.substr(assembled.out.find("--stream"));
  ASSERT_EQ(streams, "--stream dve=0:1 --stream pool=1:1 --stream act=2:1\n");
  std::vector<float> x, expected;
  for (int i = 0; i < 32; ++i) x.push_back(static_cast<float>(i)), expected.push_back(4 * x.back() + 1);
  write_npy_fp32(folder / "x.npy", {4, 8}, x);
  const auto execute = [&](const std::string& what, const std::string& name) {
    const ProcessResult r =
        dve_sim("exec " + what + " --quiet --out " + (folder / name) + " --load 'sbuf[0]+0=" + (folder / "x.npy") +
                "' --dump 'sbuf[0]+0x300:4x8:fp32=" + (folder / name) + ".npy'");
    EXPECT_EQ(r.code, 0) << what << ": " << r.err;
    EXPECT_EQ(read_npy_fp32(folder / (name + ".npy")), expected) << what;
  };
  const std::string binary = (folder / "p.bin") + " " + streams.substr(0, streams.size() - 1);
  execute(program, "text");
  execute(binary, "binary");
  EXPECT_EQ(read_text(folder / "text/report.json"), read_text(folder / "binary/report.json"));
  const nlohmann::json report = report_of(folder / "text");
  for (const char* engine : {"dve", "pool", "act"}) EXPECT_GT(report["engines"][engine]["busy"], 0) << engine;
  execute(program + " --abstraction functional", "functional");
  // All on the DVE: POOL's word comes before ACT's now, and waits for it.
  expect_error(dve_sim("exec " + (folder / "p.bin") + " --quiet"), 5, {"dve word 1", "sem[31] >= 1"});
}

TEST_F(Tools, AProgramThatNamesNoEngineRunsWhereItsOpcodesAre) {
  const std::string memset = "memset dst=sbuf[0]+0x0:fp32{8} set_value=0 channels=4\n";
  const std::string activate =
      "activate src=sbuf[0]+0x0:fp32{8} dst=sbuf[0]+0x80:fp32{8} activation_func=identity channels=4\n";
  const auto engines = [&](const std::string& content) {
    const ProcessResult r = dve_sim("exec " + text("p.dasm", content) + " --quiet --out " + (folder / "out"));
    EXPECT_EQ(r.code, 0) << r.err;
    const nlohmann::json report = report_of(folder / "out");
    std::vector<std::string> busy;
    for (const auto& [name, buckets] : report["engines"].items())
      if (buckets["busy"] > 0) busy.push_back(name);
    return busy;
  };
  EXPECT_EQ(engines(memset), std::vector<std::string>{"dve"});
  EXPECT_EQ(engines(activate), std::vector<std::string>{"act"});
  EXPECT_EQ(engines("nop\n"), std::vector<std::string>{"dve"});
  // No engine has both: the DVE tries.
  expect_error(dve_sim("exec " + text("p.dasm", memset + activate) + " --quiet"), 4, {"dve word 1", "unknown_opcode"});
}

TEST_F(Tools, ExecReportsTextLikeAsm) {
  expect_error(dve_sim("exec " + text("p.dasm", "nop\nfly\n")), 3, {"p.dasm:2:1: ", "`fly`"});
  expect_error(dve_sim("exec " + text("e.dasm", "\n")), 3, {"e.dasm: holds no word"});
}

}  // namespace
}  // namespace tools_test
}  // namespace dve
