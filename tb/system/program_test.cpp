// The dve-sim program from outside: results, files, exit codes, one clear line for each kind of bad input.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/process.h"
#include "support/words_file.h"

namespace dve {
namespace {

using namespace testing_support;
using nlohmann::json;

const std::string kLayer = DVE_TEST_DATA_DIR "/digits_cnn/10";

json report_of(const std::string& folder) { return json::parse(read_text(folder + "/report.json")); }

// Exit code, exactly one line on the error output, and the pieces it must contain.
void expect_error(const ProcessResult& r, int code, const std::vector<std::string>& pieces) {
  EXPECT_EQ(r.code, code) << r.err << r.out;
  EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  EXPECT_EQ(r.err.rfind("dve-sim: ", 0), 0u) << r.err;
  for (const std::string& piece : pieces)
    EXPECT_NE(r.err.find(piece), std::string::npos) << "'" << piece << "' not in: " << r.err;
}

TEST(Run, DefaultLayerPrintsWhatPeopleNeed) {
  const ProcessResult r = dve_sim("run");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.err, "");
  for (const char* piece : {"128 channels x 512 elements", "batch_norm_grad_accumulate2", "batch_norm_back_prop",
                            "cycles", "time", "dx_device64", "dgamma64", "result        ok"})
    EXPECT_NE(r.out.find(piece), std::string::npos) << piece << " not in:\n" << r.out;
}

TEST(Run, ReportHoldsTheDocumentedKeys) {
  const ScratchFolder out;
  ASSERT_EQ(dve_sim("run " + kLayer + " --quiet --out " + out.path()).code, 0);
  const json report = report_of(out.path());
  EXPECT_EQ(report["schema"], 1);
  EXPECT_EQ(report["status"], "ok");
  EXPECT_EQ(report["instructions"], 6);
  EXPECT_EQ(report["opcodes"]["batch_norm_back_prop"], 2);
  // Two passes of 128 elements: GradAccum S 256, D 326, T 400; ParamLoad starts at 400 + 29, D 134; BackProp S 256.
  const std::uint64_t pass = 400 + 29 + 134 + 326;
  EXPECT_EQ(report["cycles"], pass + 400 + 29 + 134 + 400);
  EXPECT_NEAR(report["time_ns"].get<double>(), report["cycles"].get<double>() / 0.96, 0.001);
  const json& dve = report["engines"]["dve"];
  std::uint64_t sum = 0;
  for (const char* bucket :
       {"busy", "issue_gap", "operand_wait", "write_wait", "bank_conflict", "semaphore_wait", "fetch", "idle"})
    sum += dve[bucket].get<std::uint64_t>();
  EXPECT_EQ(sum, report["cycles"]);
  EXPECT_EQ(dve["cycles"], report["cycles"]);
  EXPECT_EQ(dve["operand_wait"], 2 * (400 + 29 - 326));
  // Each of 192 channels: GradAccum and BackProp read x and dy; ParamLoad reads three coefficients and the mean.
  EXPECT_EQ(report["ports"]["dve.read0"]["read_bytes"], 192 * (2 * 128 * 4 + 4 + 12 + 4));
  EXPECT_EQ(report["ports"]["dve.read1"]["read_bytes"], 192 * (2 * 128 * 4 + 4));
  EXPECT_EQ(report["ports"]["dve.write"]["write_bytes"], 192 * (128 * 4 + 12));
  EXPECT_EQ(report["banks"]["sbuf.0"]["write_bytes"], report["ports"]["dve.write"]["write_bytes"]);
  EXPECT_EQ(report["compare"]["dx"]["mismatches"], 0);
  EXPECT_EQ(report["faults"], json::array());
  EXPECT_EQ(report["waits"], json::array());
  EXPECT_EQ(report["engines"].size(), 1u) << "POOL and ACT took no part";
  EXPECT_EQ(report["numerics"]["dst_order"], "documented");
}

TEST(Run, FunctionalGivesTheSameBytesAndNoCycles) {
  const ScratchFolder lt, functional;
  ASSERT_EQ(dve_sim("run " + kLayer + " --quiet --device-stats --out " + lt.path()).code, 0);
  ASSERT_EQ(
      dve_sim("run " + kLayer + " --quiet --device-stats --abstraction functional --out " + functional.path()).code, 0);
  for (const char* file : {"dx.npy", "dgamma.npy", "dbeta.npy", "mean.npy", "var.npy", "inv_std.npy", "program.bin"})
    EXPECT_EQ(read_text(lt / file), read_text(functional / file)) << file;
  EXPECT_TRUE(report_of(functional.path())["cycles"].is_null());
}

TEST(Exec, HostStepsReproduceARunByteForByte) {
  for (const std::string options :
       {"", "--device-stats --dtype bf16", "--config sunda --set place.x=psum --loss-scale 64"}) {
    SCOPED_TRACE(options);
    const ScratchFolder out, again;
    ASSERT_EQ(dve_sim("run " + kLayer + " --quiet " + options + " --out " + out.path()).code, 0);
    const ProcessResult r =
        dve_sim("exec " + (out / "program.bin") + " --quiet --host-steps " + (out / "program.json") + " --config " +
                (out / "config.json") + " --out " + again.path());
    EXPECT_EQ(r.code, 0) << r.err;
    for (const char* file : {"dx.npy", "dgamma.npy", "dbeta.npy", "report.json"})
      EXPECT_EQ(read_text(out / file), read_text(again / file)) << file;
  }
}

TEST(Run, TwiceGivesTheSameFiles) {
  const ScratchFolder first, second;
  for (const ScratchFolder* out : {&first, &second}) ASSERT_EQ(dve_sim("run --quiet --out " + out->path()).code, 0);
  for (const char* file : {"dx.npy", "report.json", "config.json", "program.bin"})
    EXPECT_EQ(read_text(first / file), read_text(second / file)) << file;
}

TEST(Run, AWrongReferenceFailsTheComparison) {
  const ScratchFolder layer;
  ASSERT_EQ(shell("cp " DVE_TEST_DATA_DIR "/digits_cnn/10/*.npy " + layer.path()).code, 0);
  std::string dgamma = read_text(layer / "dgamma.npy");
  dgamma[dgamma.size() - 2] = static_cast<char>(dgamma[dgamma.size() - 2] ^ 0x40);
  write_text(layer / "dgamma.npy", dgamma);
  expect_error(dve_sim("run " + layer.path() + " --quiet"), 1,
               {"comparison failed", "dgamma differs in 1 of its values", "channel 191"});
}

TEST(Usage, WrongCommandLinesExitWith2) {
  expect_error(dve_sim(""), 2, {"a command is missing"});
  expect_error(dve_sim("fly"), 2, {"unknown command 'fly'"});
  expect_error(dve_sim("run --bogus"), 2, {"--bogus"});
  expect_error(dve_sim("run --dtype fp64"), 2, {"--dtype", "fp64", "bf16"});
  expect_error(dve_sim("run --step sideways"), 2, {"--step", "sideways"});
  expect_error(dve_sim("run --eps nan"), 2, {"--eps", "finite"});
  expect_error(dve_sim("run --loss-scale 0"), 2, {"--loss-scale"});
  expect_error(dve_sim("run --max-cycles -3"), 2, {"--max-cycles", "-3"});
  expect_error(dve_sim("run --quiet --verbose"), 2, {"exclude"});
  expect_error(dve_sim("run a b"), 2, {"positional"});
  expect_error(dve_sim("exec"), 2, {"PROGRAM"});
}

TEST(Usage, HelpTeaches) {
  for (const std::string command : {"--help", "run --help", "exec --help", "config --help"}) {
    const ProcessResult r = dve_sim(command);
    EXPECT_EQ(r.code, 0) << command;
    EXPECT_NE(r.out.find("usage: dve-sim"), std::string::npos) << command;
    EXPECT_EQ(r.err, "") << command;
  }
  EXPECT_NE(dve_sim("config --keys").out.find("numerics.dst_order"), std::string::npos);
}

TEST(Configuration, BadKeysAndValuesExitWith3) {
  expect_error(dve_sim("run --set seq.legalty=strict"), 3, {"seq.legalty", "seq.legality"});
  expect_error(dve_sim("run --set timing.dve.clock_mhz=-1"), 3, {"timing.dve.clock_mhz", "-1"});
  expect_error(dve_sim("run --set numerics.dst_order=up"), 3,
               {"numerics.dst_order", "up", "documented", "interpreter"});
  expect_error(dve_sim("run --config nowhere.json"), 3, {"nowhere.json"});
  expect_error(dve_sim("run --abstraction rtl"), 3, {"abstraction", "functional", "lt", "at"});
  expect_error(dve_sim("run --set place.x=psum --set place.dy=psum"), 3, {"psum"});
  const ScratchFolder folder;
  write_text(folder / "c.json", "{\"schema\": 1,\n \"dmi\": maybe}");
  expect_error(dve_sim("run --config " + (folder / "c.json")), 3, {"c.json", "line 2"});
}

TEST(Configuration, PrintedJsonLoadsAgain) {
  const ScratchFolder folder;
  const ProcessResult first = dve_sim("config maverick --set timing.dve.clock_mhz=1437.5 --json");
  ASSERT_EQ(first.code, 0) << first.err;
  write_text(folder / "c.json", first.out);
  EXPECT_NE(dve_sim("config " + (folder / "c.json")).out.find("1437.5"), std::string::npos);
}

class LayerFiles : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(shell("cp " DVE_TEST_DATA_DIR "/digits_cnn/10/*.npy " + layer.path()).code, 0); }
  void expect_refused(const std::vector<std::string>& pieces) {
    expect_error(dve_sim("run " + layer.path() + " --quiet"), 3, pieces);
  }
  void replace_in(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = read_text(layer / file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    ASSERT_EQ(from.size(), to.size());
    write_text(layer / file, text.replace(at, from.size(), to));
  }
  ScratchFolder layer;
};

TEST_F(LayerFiles, Missing) {
  std::filesystem::remove(layer / "dy.npy");
  expect_refused({"dy.npy"});
}
TEST_F(LayerFiles, Short) {
  const std::string x = read_text(layer / "x.npy");
  write_text(layer / "x.npy", x.substr(0, x.size() - 1));
  expect_refused({"x.npy"});
}
TEST_F(LayerFiles, ShapeThatIsNoNonNegativeInteger) {
  for (const char* shape : {"(-192,128)", "(19.2, 128)", "('192',128)", "(True, 128)"}) {
    SetUp();
    replace_in("x.npy", "(192, 128)", (std::string(shape) + "          ").substr(0, 10));
    expect_refused({"x.npy", "shape"});
  }
}
TEST_F(LayerFiles, ShapesThatDoNotFit) {
  replace_in("x.npy", "(192, 128)", "(128, 192)");
  expect_refused({"128"});
}
TEST_F(LayerFiles, OnlyOneOfMeanAndInvStd) {
  std::filesystem::remove(layer / "mean.npy");
  expect_refused({"mean.npy", "inv_std.npy"});
}
TEST_F(LayerFiles, BigEndianAndFortranOrder) {
  replace_in("x.npy", "'<f4'", "'>f4'");
  expect_refused({"x.npy"});
  SetUp();
  replace_in("x.npy", "False", "True ");
  expect_refused({"x.npy"});
}
TEST_F(LayerFiles, VarianceThatEpsMakesNegative) {
  expect_error(dve_sim("run " + layer.path() + " --quiet --device-stats --eps=-1000"), 3, {"var", "eps"});
}

TEST(Output, FullDiskAndFileSizeLimitExitWith6) {
  const ScratchFolder folder;
  EXPECT_EQ(shell(DVE_SIM_PROGRAM " run --no-progress >/dev/full").code, 6);
  expect_error(dve_sim("run --quiet --profile /dev/full"), 6, {"/dev/full"});
  expect_error(shell("ulimit -f 20; " DVE_SIM_PROGRAM " run --quiet --out " + (folder / "limited")), 6, {"limited"});
  expect_error(dve_sim("run --quiet --out /proc/none"), 6, {"/proc/none"});
  const std::string program = folder / "p.bin";
  write_program(program, {grad_accumulate_word(8)});
  expect_error(dve_sim("exec " + program + " --quiet --dump 'sbuf[0]+0:1x4:fp32=/dev/full'"), 6, {"/dev/full"});
}

TEST(Output, OneFailureCostsNoOtherOutput) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "out/dgamma.npy");  // a folder where a file should go
  const ProcessResult r = dve_sim("run " + kLayer + " --out " + (folder / "out"));
  EXPECT_EQ(r.code, 6);
  EXPECT_NE(r.err.find("dgamma.npy"), std::string::npos) << r.err;
  EXPECT_NE(r.out.find("result        ok"), std::string::npos) << r.out;
  EXPECT_EQ(report_of(folder / "out")["status"], "ok");
  for (const char* file : {"dx.npy", "dbeta.npy"}) EXPECT_GT(read_text((folder / "out/") + file).size(), 0u) << file;
}

TEST(Output, NothingOfAnEarlierRunStays) {
  const ScratchFolder folder;
  const std::string out = folder / "out";
  ASSERT_EQ(dve_sim("run " + kLayer + " --quiet --device-stats --out " + out).code, 0);
  ASSERT_TRUE(std::filesystem::exists(out + "/mean.npy"));
  ASSERT_EQ(dve_sim("run " + kLayer + " --quiet --max-cycles 10 --out " + out).code, 5);
  EXPECT_EQ(report_of(out)["status"], "timeout");
  for (const char* file : {"dx.npy", "mean.npy", "inv_std.npy"})
    EXPECT_FALSE(std::filesystem::exists(out + "/" + file)) << file;
}

TEST(Output, TheLayerFolderIsNoOutputFolder) {
  const ScratchFolder layer;
  ASSERT_EQ(shell("cp " DVE_TEST_DATA_DIR "/digits_cnn/10/*.npy " + layer.path()).code, 0);
  const std::string before = read_text(layer / "dx.npy");
  expect_error(dve_sim("run " + layer.path() + " --quiet --out " + layer.path()), 2, {"--out", "layer folder"});
  EXPECT_EQ(read_text(layer / "dx.npy"), before);
}

TEST(Output, AFullErrorOutputChangesNoExitCode) {
  EXPECT_EQ(shell(DVE_SIM_PROGRAM " run nowhere 2>/dev/full").code, 3);
  EXPECT_EQ(shell(DVE_SIM_PROGRAM " run --progress --verbose 2>/dev/full").code, 0);
  EXPECT_EQ(shell(DVE_SIM_PROGRAM " config --keys >/dev/full").code, 6);
}

TEST(Exec, APlanForOtherSwitchesIsRefused) {
  const ScratchFolder out;
  ASSERT_EQ(dve_sim("run " + kLayer + " --quiet --device-stats --out " + out.path()).code, 0);
  const std::string exec = "exec " + (out / "program.bin") + " --quiet --host-steps " + (out / "program.json");
  for (const char* key :
       {"param_ram_index=i", "param_ram_offset_unit=byte", "dst_order=interpreter", "backprop_form=textbook"})
    expect_error(dve_sim(exec + " --set numerics." + key), 3, {"program.json", "options.", "--config"});
  expect_error(dve_sim(exec + " --config sunda"), 3, {"options.generation", "cayman", "sunda"});
}

TEST(Exec, LoadsExecutesAndDumps) {
  const ScratchFolder folder;
  write_program(folder / "p.bin", {grad_accumulate_word(8)});
  const std::string dump = " --dump 'sbuf[0]+0x3000:4x3:fp32=" + (folder / "sums.npy") + "'";
  write_npy_fp32(folder / "x.npy", {4, 8}, std::vector<float>(32, 2));
  write_npy_fp32(folder / "ones.npy", {4}, std::vector<float>(4, 1));
  const ProcessResult r =
      dve_sim("exec " + (folder / "p.bin") + " --quiet --load 'sbuf[0]+0=" + (folder / "x.npy") +
              "' --load 'sbuf[0]+0x1000=" + (folder / "x.npy") + "' --load 'sbuf[0]+0x3100=" + (folder / "ones.npy") +
              "' --load 'sbuf[0]+0x3104=" + (folder / "ones.npy") + "'" + dump);
  ASSERT_EQ(r.code, 0) << r.err;
  // Eight elements, x = dy = 2, m = v = 1: sums 16, 8 * 2 * 1, 8 * 2 * 1.
  EXPECT_EQ(read_npy_fp32(folder / "sums.npy"), (std::vector<float>{16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16}));
}

TEST(Exec, BadProgramsLoadsAndDumps) {
  const ScratchFolder folder;
  const std::string program = folder / "p.bin";
  write_text(folder / "odd.bin", std::string(65, '\0'));
  expect_error(dve_sim("exec " + (folder / "odd.bin")), 3, {"odd.bin", "64"});
  expect_error(dve_sim("exec " + (folder / "none.bin")), 3, {"none.bin"});
  write_program(program, {grad_accumulate_word(8)});
  write_npy_fp32(folder / "x.npy", {4, 8}, std::vector<float>(32));
  const auto with = [&](const std::string& option) { return dve_sim("exec " + program + " --quiet " + option); };
  const std::string x = folder / "x.npy";
  expect_error(with("--load 'sbuf[126]+0=" + x + "'"), 3, {"partition 127"});
  expect_error(with("--load 'sbuf[0]+229360=" + x + "'"), 3, {"active bytes"});
  expect_error(with("--load 'host:0x0=" + x + "'"), 3, {"program"});
  expect_error(with("--load 'sram[0]=" + x + "'"), 2, {"sram[0]"});
  expect_error(with("--load 'sbuf[0]'"), 2, {"PLACE=FILE"});
  expect_error(with("--dump 'sbuf[0]:3:fp32=a.npy'"), 2, {"RxK"});
  expect_error(with("--dump 'sbuf[0]:3x3:fp4=a.npy'"), 2, {"fp4"});
  expect_error(with("--dump 'sbuf[127]:2x3:fp32=a.npy'"), 3, {"partition 127"});
  expect_error(with("--dump 'host:0x10:2x1073741823:uint8=a.npy'"), 3, {"host memory"});
  expect_error(with("--layer x"), 2, {"--host-steps"});
  write_text(folder / "p.json", "{\"schema\": 1}");
  expect_error(with("--host-steps " + (folder / "p.json")), 3, {"p.json"});
}

TEST(Exec, ABadFieldExitsWith4AndDumpsStay) {
  const ScratchFolder folder;
  write_program(folder / "p.bin", {grad_accumulate_word(8), grad_accumulate_word(8, 4)});
  const ProcessResult r = dve_sim("exec " + (folder / "p.bin") + " --quiet --out " + (folder / "out") +
                                  " --dump 'sbuf[0]+0x3000:4x3:fp32=" + (folder / "sums.npy") + "'");
  expect_error(
      r, 4, {"dve word 1", "batch_norm_grad_accumulate2", "bnga_dst_element_cnt_check", "dst.num_elem[0]", "4", "3"});
  EXPECT_EQ(read_npy_fp32(folder / "sums.npy").size(), 12u);
  const json report = report_of(folder / "out");
  EXPECT_EQ(report["status"], "fault");
  EXPECT_EQ(report["faults"][0]["predicate"], "bnga_dst_element_cnt_check");
  EXPECT_EQ(report["faults"][0]["byte"], 54);
}

TEST(Exec, RelaxedFindingsAreWarningsAndExit0) {
  const ScratchFolder folder;
  write_program(folder / "p.bin", {grad_accumulate_word(8, 4)});
  const ProcessResult r = dve_sim("exec " + (folder / "p.bin") + " --set seq.legality=relaxed");
  EXPECT_EQ(r.code, 0);
  EXPECT_NE(r.err.find("warning"), std::string::npos);
}

TEST(End, MaxCyclesAndDeadlockExitWith5) {
  const ScratchFolder folder;
  write_program(folder / "p.bin", std::vector<isa::Word>(10, grad_accumulate_word(8)));
  expect_error(dve_sim("exec " + (folder / "p.bin") + " --quiet --max-cycles 500"), 5, {"--max-cycles", "500"});
  write_program(folder / "wait.bin", {waiting_word()});
  expect_error(dve_sim("exec " + (folder / "wait.bin") + " --quiet"), 5,
               {"deadlock", "dve word 0", "sem[5] >= 1", "is 0"});
}

TEST(End, CtrlCKeepsWhatWasComputedAndExitsWith130) {
  const ScratchFolder folder;
  write_program(folder / "p.bin", std::vector<isa::Word>(200000, grad_accumulate_word(8000)));
  const ProcessResult r = shell(DVE_SIM_PROGRAM " exec " + (folder / "p.bin") +
                                " --quiet --dump 'sbuf[0]+0x20000:1x3:fp32=" + (folder / "sums.npy") +
                                "' & pid=$!; sleep 1; kill -INT $pid; wait $pid");
  EXPECT_EQ(r.code, 130) << r.err;
  EXPECT_NE(r.err.find("dve-sim: interrupted after "), std::string::npos) << r.err;
  EXPECT_EQ(read_npy_fp32(folder / "sums.npy").size(), 3u);
}

TEST(Progress, IsDrawnOnRequestAndNeverByDefaultIntoAFile) {
  const ProcessResult drawn = dve_sim("run --progress");
  EXPECT_NE(drawn.err.find("3/3 words"), std::string::npos) << drawn.err;
  EXPECT_EQ(dve_sim("run").err, "");
}

TEST(Verbose, PrintsSelfNames) {
  const ProcessResult r = dve_sim("run --verbose");
  EXPECT_NE(r.err.find("S: BatchNormalizeGradAccum2\n"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("S: BatchNormalizeBackProp\n"), std::string::npos) << r.err;
}

}  // namespace
}  // namespace dve
