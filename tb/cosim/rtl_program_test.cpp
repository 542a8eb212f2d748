// dve-sim with dve.engine=rtl: the bundled layers byte for byte, waves, errors.
#include <gtest/gtest.h>

#include <filesystem>

#include "golden/golden.h"
#include "support/process.h"

namespace dve {
namespace {

using testing_support::dve_sim;
using testing_support::read_text;
using testing_support::ScratchFolder;

struct LayerCase {
  const char* layer;
  const char* options;
  const char* stalls;
};

class LayersInRtl : public testing::TestWithParam<LayerCase> {};

TEST_P(LayersInRtl, GiveTheSameBytesAndReport) {
  const LayerCase& c = GetParam();
  const ScratchFolder folder;
  const std::string run = "run " DVE_TEST_DATA_DIR "/digits_cnn/" + std::string(c.layer) + " " + c.options + " --quiet";
  const auto model = dve_sim(run + " --out " + folder / "model");
  ASSERT_EQ(model.code, 0) << model.err;
  const auto rtl = dve_sim(run + " --set dve.engine=rtl --set dve.rtl_stalls=" + c.stalls + " --out " + folder / "rtl");
  ASSERT_EQ(rtl.code, 0) << rtl.err;
  for (const char* file : {"dx.npy", "dgamma.npy", "dbeta.npy"})
    EXPECT_EQ(read_text(folder / ("rtl/" + std::string(file))), read_text(folder / ("model/" + std::string(file))))
        << file;
  std::string with = read_text(folder / "rtl/report.json"), without = read_text(folder / "model/report.json");
  const auto at = with.find(" \"rtl\": {");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(with.substr(0, at - 2) + "\n}\n", without) << "the report is the model's, and what went through the lanes";
}

INSTANTIATE_TEST_SUITE_P(Bundled, LayersInRtl,
                         testing::Values(LayerCase{"1", "", "light"}, LayerCase{"4", "", "half"},
                                         LayerCase{"7", "", "never"}, LayerCase{"10", "", "heavy"},
                                         LayerCase{"10", "--dtype bf16 --step full", "light"},
                                         LayerCase{"7", "--dtype fp16 --microbatches 3", "never"},
                                         LayerCase{"10", "--abstraction at", "light"},
                                         LayerCase{"10", "--abstraction functional", "half"}));

// The independent golden layer, as the lanes in RTL compute it in a program.
TEST(RtlProgram, SumsAreTheGoldenLayers) {
  const ScratchFolder folder;
  const std::string layer = DVE_TEST_DATA_DIR "/digits_cnn/10";
  ASSERT_EQ(dve_sim("run " + layer + " --quiet --set dve.engine=rtl --out " + folder.path()).code, 0);
  const auto floats = [](const std::string& file) { return golden::read_npy(file).floats(); };
  const auto mean = floats(layer + "/mean.npy"), inv_std = floats(layer + "/inv_std.npy");
  const golden::Rows x = golden::rows_of(floats(layer + "/x.npy"), mean.size()),
                     dy = golden::rows_of(floats(layer + "/dy.npy"), mean.size());
  const auto dbeta = floats(folder / "dbeta.npy"), dgamma = floats(folder / "dgamma.npy");
  for (std::size_t c = 0; c < mean.size(); ++c) {
    float sum = 0, product = 0;
    for (std::size_t i = 0; i < x[c].size(); ++i) {
      sum = sum + dy[c][i];
      const float xn = (x[c][i] - mean[c]) * inv_std[c];
      product = product + dy[c][i] * xn;
    }
    ASSERT_EQ(golden::bits_of_float(dbeta[c]), golden::bits_of_float(sum)) << c;
    ASSERT_EQ(golden::bits_of_float(dgamma[c]), golden::bits_of_float(product)) << c;
  }
}

TEST(RtlProgram, WritesWavesOnRequest) {
  const ScratchFolder folder;
  const auto run =
      dve_sim("run " DVE_TEST_DATA_DIR "/digits_cnn/10 --quiet --set dve.engine=rtl --waves " + folder / "w.fst");
  EXPECT_EQ(run.code, 0) << run.err;
  // An FST that was closed begins with a header block: type 0, and its length of 329 bytes, big-endian.
  const std::string bytes = read_text(folder / "w.fst");
  ASSERT_GT(bytes.size(), 330U);
  EXPECT_EQ(bytes.substr(0, 9), std::string("\0\0\0\0\0\0\0\1\x49", 9));
}

TEST(RtlProgram, WavesSpareWhatIsNoRegularFile) {
  const ScratchFolder folder;
  ASSERT_EQ(testing_support::shell("mkfifo " + folder / "pipe").code, 0);
  const auto run =
      dve_sim("run " DVE_TEST_DATA_DIR "/digits_cnn/10 --quiet --set dve.engine=rtl --waves " + folder / "pipe");
  EXPECT_EQ(run.code, 6);
  EXPECT_NE(run.err.find("regular file"), std::string::npos) << run.err;
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

// Whether the disk is full when a block is written or when a temporary file of the writer is touched.
TEST(RtlProgram, ADiskThatIsFullOfWavesIsAnError) {
  for (const char* blocks : {"20", "2000"}) {
    const ScratchFolder folder;
    const auto run = testing_support::shell("cd " + folder.path() + " && (ulimit -f " + blocks +
                                            "; trap '' XFSZ; exec " DVE_SIM_PROGRAM " run " DVE_TEST_DATA_DIR
                                            "/digits_cnn/10 --quiet --set dve.engine=rtl --waves w.fst)");
    EXPECT_EQ(run.code, 6) << blocks << ": " << run.err;
    EXPECT_NE(run.err.find("waves"), std::string::npos) << run.err;
  }
}

TEST(RtlProgram, OutputsDoNotReplaceInputs) {
  const ScratchFolder folder;
  std::filesystem::copy(DVE_TEST_DATA_DIR "/digits_cnn/10", folder / "layer");
  for (const char* option : {"--waves", "--profile", "--trace"}) {
    const std::string file = folder / (std::string(option) == "--trace" ? "layer/t.csv" : "layer/x.npy");
    if (std::string(option) == "--trace") testing_support::write_text(file, "mine");
    const std::string before = read_text(file);
    const auto run = dve_sim("run " + folder / "layer" + " --quiet --set dve.engine=rtl " + option + " " + file);
    EXPECT_EQ(run.code, 2) << option << run.err;
    EXPECT_EQ(read_text(file), before);
  }
  testing_support::write_text(folder / "c.json", R"({"schema": 1})");
  EXPECT_EQ(dve_sim("run --quiet --config " + folder / "c.json" + " --profile " + folder / "c.json").code, 2);
  EXPECT_EQ(read_text(folder / "c.json"), R"({"schema": 1})");
  for (const char* option : {"--waves", "--profile", "--out"})
    EXPECT_EQ(dve_sim(std::string("run --quiet ") + option + " \"\"").code, 2) << option;
}

// A signal is seen inside a word, not only behind it: 100 million clocks would take minutes.
TEST(RtlProgram, AnInterruptDoesNotWaitForTheWord) {
  const ScratchFolder folder;
  testing_support::write_text(
      folder / "long.dasm",
      "memset dst=sbuf[0]+0x0:fp32{16384} set_value=1 channels=128\n"
      "batch_norm_grad_accumulate2 src0=sbuf[0]+0x0:fp32{16384,4;0,0} src1=sbuf[0]+0x0:fp32{16384,4;0,0} "
      "dst=sbuf[0]+0x20000:fp32{3} imm0=sbuf[0]+0x0 imm1=sbuf[0]+0x0 channels=128\n");
  const auto run = testing_support::shell(DVE_SIM_PROGRAM " exec " + folder / "long.dasm" +
                                          " --quiet --set dve.engine=rtl --set dve.rtl_stalls=heavy & "
                                          "sleep 2; kill -INT $!; wait $!");
  EXPECT_EQ(run.code, 130) << run.err;
}

TEST(RtlProgram, RefusesWhatContradictsIt) {
  const auto error = [](const std::string& options, int code) {
    const auto result = dve_sim("run --quiet " + options);
    EXPECT_EQ(result.code, code) << options << ": " << result.err;
    return result.err;
  };
  const std::string rtl = "--set dve.engine=rtl ";
  EXPECT_NE(error("--waves w.fst", 2).find("expected dve.engine=rtl"), std::string::npos);
  EXPECT_NE(error(rtl + "--no-data", 2).find("expected dve.engine=model"), std::string::npos);
  EXPECT_NE(error(rtl + "--set numerics.accumulator=wide", 3).find("expected sequential"), std::string::npos);
  EXPECT_NE(error(rtl + "--set numerics.backprop_form=textbook", 3).find("expected staged"), std::string::npos);
  EXPECT_NE(error(rtl + "--waves /nonexistent/w.fst", 6).find("/nonexistent/w.fst"), std::string::npos);
  EXPECT_NE(error("--set dve.engine=verilog", 3).find("rtl"), std::string::npos);
  EXPECT_NE(error("--set dve.rtl_stalls=often", 3).find("heavy"), std::string::npos);
  const ScratchFolder folder;
  EXPECT_NE(error(rtl + "--waves " + folder / "w" + " --profile " + folder / "w", 2).find("named twice"),
            std::string::npos);
}

}  // namespace
}  // namespace dve
