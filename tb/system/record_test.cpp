// exec --record: the file, read anew, against the independent golden; how a run may end; what is refused.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <tuple>

#include "golden_replay.h"
#include "sim_checks.h"
#include "support/control_words.h"
#include "support/process.h"
#include "support/random_operands.h"
#include "support/tensor_word_builder.h"
#include "support/words_file.h"

namespace dve {
namespace record_test {

using namespace testing_support;
using golden_replay::GoldenReplay;
using isa::Dtype;
using isa::Opcode;
using sim_checks::expect_error;

// ---- Random programs

class RandomProgram {
 public:
  RandomProgram(isa::Generation generation, std::uint64_t seed)
      : random_(seed), generation_(generation), build_(generation) {
    options_.generation = generation;
    options_.engine = isa::Engine::dve;
  }

  // Groups of GradAccum, ParamLoad and BackProp with other words between, all in a window that is small enough for them
  // to read in part what others wrote.
  std::vector<isa::Word> words(std::size_t groups, bool reciprocals) {
    if (reciprocals) words_ = build_.load_reciprocals();
    for (std::size_t g = 0; g < groups; ++g) {
      channels_ = static_cast<std::uint8_t>(1 + below(random_, below(random_, 5) == 0 ? 128 : 9));
      partition_ = random_partition(random_, channels_);
      counts_ = random_counts(random_, 40, 3);
      n_ = 1;
      for (const std::uint16_t count : counts_) n_ *= count;
      add([this] { return grad_accumulate(); });
      add([this] { return param_load(); });
      add([this] { return back_prop(); });
      add([this] { return statistics(); });
      for (int k = 0; k < 3; ++k) add([this] { return tensor_word(); });
    }
    return words_;
  }

 private:
  template <class Make>
  void add(Make make) {
    while (true) {
      const isa::Word word = make();
      if (!isa::check(word, options_).empty()) continue;
      words_.push_back(word);
      return;
    }
  }
  Dtype dtype() {
    constexpr Dtype list[] = {Dtype::fp32,     Dtype::fp32,   Dtype::bf16,     Dtype::fp16,
                              Dtype::fp8_e4m3, Dtype::fp32r,  Dtype::fp8_e5m2, Dtype::fp8_e3m4,
                              Dtype::int8,     Dtype::uint16, Dtype::int32};
    return pick(random_, list);
  }
  Room room() {
    if (generation_ != isa::Generation::maverick && below(random_, 4) == 0)
      return {psum(partition_, 8 * below(random_, 32)), 1024};
    return {sbuf(partition_, 8 * below(random_, 128)), 1024};
  }
  TensorSpec source() { return random_source(random_, counts_, dtype(), room()); }
  TensorSpec destination() { return random_destination(random_, counts_, dtype(), room()); }
  TensorSpec few(std::uint16_t count, Dtype d) {
    return {sbuf(partition_, 16 * below(random_, 64)), d, {count}, {static_cast<std::int16_t>(1 + below(random_, 3))}};
  }
  Dtype scalar_dtype() { return below(random_, 2) == 0 ? Dtype::fp32 : Dtype::bf16; }

  isa::Word grad_accumulate() {
    const Dtype d = scalar_dtype();
    if (below(random_, 2) == 0)
      return isa::encode(
          build_.grad_accumulate(source(), source(), few(3, Dtype::fp32), few(1, d), few(1, d), channels_));
    return isa::encode(build_.grad_accumulate2(source(), source(), few(3, dtype()), few(1, d), few(1, d), channels_));
  }
  isa::Word param_load() {
    const float n = static_cast<float>(n_);
    if (below(random_, 2) == 0)
      return isa::encode(build_.param_load(few(3, dtype()), few(1, Dtype::fp32), n, channels_));
    const Dtype d = scalar_dtype();
    return isa::encode(build_.param_load2(few(2, dtype()), few(1, d), few(1, d), n + 0.5f, channels_));
  }
  isa::Word back_prop() {
    const TensorSpec dy = source();
    // In place now and then.
    const bool in_place = below(random_, 4) == 0;
    return isa::encode(build_.back_prop(source(), dy, in_place ? dy : destination(), channels_));
  }
  isa::Word statistics() {
    const Opcode opcode = below(random_, 2) == 0 ? Opcode::batch_norm_stats2 : Opcode::batch_norm_aggregate;
    if (opcode == Opcode::batch_norm_stats2)
      return isa::encode(build_.statistics(opcode, source(), few(6, Dtype::fp32), channels_));
    return isa::encode(build_.statistics(opcode, few(6, Dtype::fp32), few(2, Dtype::fp32), channels_));
  }
  isa::Word tensor_word() {
    switch (below(random_, 5)) {
      case 0:
        return isa::encode(build_.tensor_tensor(Opcode::tensor_tensor_arith_op, source(), source(), destination(),
                                                isa::AluOp::add, channels_));
      case 1:
        return isa::encode(build_.tensor_tensor(Opcode::copy_predicated, source(), source(), destination(),
                                                isa::AluOp::bypass, channels_));
      case 2:
        return isa::encode(
            build_.tensor_reduce(Opcode::cast, source(), destination(), isa::AluOp::bypass, 0, channels_));
      case 3:
        return isa::encode(build_.memset(destination(), 0x3F, channels_));
      default:
        return nop();
    }
  }

  Rng random_;
  isa::Generation generation_;
  TensorWordBuilder build_;
  isa::LegalityOptions options_;
  std::uint8_t channels_ = 1;
  std::uint32_t partition_ = 0, n_ = 1;
  std::vector<std::uint16_t> counts_;
  std::vector<isa::Word> words_;
};

struct Variant {
  const char* generation;
  const char* options;
};
constexpr Variant kVariants[] = {
    {"cayman", ""},
    {"sunda", "--set numerics.dst_order=interpreter --set numerics.product_order=interpreter"},
    {"mariana", "--set numerics.accumulator=wide --set numerics.narrow_overflow=saturate"},
    {"mariana_plus", "--set numerics.paramload2_imm_order=mean_scale --set numerics.e4m3_variant=fn"},
    {"maverick", "--set numerics.fp32r_mantissa=9 --set numerics.flop_index=lane"},
    {"cayman", "--set numerics.backprop_form=textbook"},
    {"sunda", "--set numerics.backprop_form=textbook --set numerics.src0_is=x_norm"},
    {"cayman", "--set dmi=false --set poison_seed=7"}};

class RecordedPrograms : public testing::TestWithParam<int> {};

TEST_P(RecordedPrograms, AreWhatTheGoldenComputes) {
  const Variant& variant = kVariants[static_cast<std::size_t>(GetParam())];
  const ScratchFolder folder;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Rng random(100 * GetParam() + seed);
    RandomProgram program(*isa::generation_from_string(variant.generation), random());
    const auto words = program.words(12, true);
    write_program(folder / "p.bin", words);
    // 256 of the window's bytes in half of the partitions are loaded; everything else is noise.
    std::vector<float> loaded(64 * 64);
    std::memcpy(loaded.data(), mixed_bytes(4 * loaded.size(), random).data(), 4 * loaded.size());
    write_npy_fp32(folder / "m.npy", {64, 64}, loaded);
    const std::string command = "exec " + (folder / "p.bin") + " --quiet --config " + variant.generation + " " +
                                variant.options + " --load sbuf[0]+0x100=" + (folder / "m.npy") + " --record ";
    const ProcessResult r = dve_sim(command + (folder / "r.hex"));
    ASSERT_EQ(r.code, 0) << r.err;
    const StimulusFile file(folder / "r.hex");
    EXPECT_EQ(file.executed, words.size());
    EXPECT_EQ(file.events.size(), words.size());
    EXPECT_EQ(file.stop_word, 0xFFFFFFFF);
    EXPECT_EQ(GoldenReplay(file).difference(), "");
    // The same bytes however the run is simulated and watched.
    for (const char* how : {"--abstraction functional", "--abstraction at", "--set dmi=false", "--trace t.csv"}) {
      const std::string options = how == std::string("--trace t.csv") ? "--trace " + (folder / "t.csv") : how;
      ASSERT_EQ(dve_sim(command + (folder / "again.hex") + " " + options).code, 0);
      EXPECT_EQ(read_text(folder / "again.hex"), read_text(folder / "r.hex")) << how;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RecordedPrograms, testing::Range(0, static_cast<int>(std::size(kVariants))));

// ---- Layers

class RecordedLayers : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(RecordedLayers, AreWhatTheGoldenComputes) {
  const auto& [layer, options] = GetParam();
  const ScratchFolder folder;
  ASSERT_EQ(dve_sim("run " + sim_checks::layer_folder(layer) + " --quiet " + options + " --out " + folder.path()).code,
            0);
  const std::string command = "exec " + (folder / "program.bin") + " --quiet --host-steps " +
                              (folder / "program.json") + " --config " + (folder / "config.json") + " --record ";
  const ProcessResult r = dve_sim(command + (folder / "r.hex"));
  ASSERT_EQ(r.code, 0) << r.err;
  const StimulusFile file(folder / "r.hex");
  EXPECT_EQ(GoldenReplay(file).difference(), "");
  std::size_t writes = 0, lanes = 0;
  for (const StimulusEvent& event : file.events) {
    writes += event.kind == 2 ? 1 : 0;
    lanes += event.lane ? 1 : 0;
    if (!event.lane) continue;
    EXPECT_LE(event.lane->channels, file.most_channels);
    EXPECT_LE(event.lane->elements, file.most_elements);
  }
  EXPECT_EQ(file.host_writes, writes);
  EXPECT_EQ(file.lane_positions.size(), lanes);
  // Statistics of the device and tiles that are loaded anew need the host in the middle.
  EXPECT_EQ(writes != 0,
            options.find("--device-stats") != std::string::npos || options.find("--microbatches") != std::string::npos);
  ASSERT_EQ(dve_sim(command + (folder / "functional.hex") + " --abstraction functional").code, 0);
  EXPECT_EQ(read_text(folder / "functional.hex"), read_text(folder / "r.hex"));
}

INSTANTIATE_TEST_SUITE_P(Given, RecordedLayers,
                         testing::Combine(testing::ValuesIn(sim_checks::kLayers), testing::Values("", "--dtype bf16")));
INSTANTIATE_TEST_SUITE_P(
    HostSteps, RecordedLayers,
    testing::Combine(testing::Values("10"),
                     testing::Values("--device-stats", "--microbatches 4", "--config sunda --set place.x=psum",
                                     "--microbatches 2 --device-stats --dtype fp16 --config maverick")));

// ---- Small programs

class Record : public testing::Test {
 protected:
  // `dve-sim exec` of assembly text with --record.
  ProcessResult record(const std::string& text, const std::string& options = "") {
    write_text(folder / "p.dasm", text);
    return dve_sim("exec " + (folder / "p.dasm") + " --quiet --record " + (folder / "r.hex") + " " + options);
  }
  StimulusFile file() const { return StimulusFile(folder / "r.hex"); }
  ScratchFolder folder;
};

constexpr const char* kMemset = "memset dst=sbuf[0]+0x100:fp32{2} set_value=0x7 channels=2\n";

TEST_F(Record, RegistersAreResolvedAndTransfersAreWrites) {
  const ProcessResult r = record(
      "move dtype=uint32 dst=r1 immediate=0x40100\n"
      "memset dst=[r1]:fp32{2} set_value=7 channels=2\n"
      "tensor_load dst=r5,r6 src=sbuf[3]+0x40:int32{2}\n"
      "tensor_store dst=sbuf[3]+0x42:uint16{2} immediate=0x1234,0x5678\n"
      "tensor_store dst=host:0x1000:fp32{1} immediate=1.5\n"
      "tensor_load dst=r7 src=host:0x1000:int32{1}\n"
      "tensor_load dst=r8 src=host:0x2000:int32{1}\n");
  ASSERT_EQ(r.code, 0) << r.err;
  const StimulusFile f = file();
  ASSERT_EQ(f.events.size(), 7u);
  const StimulusWrite& filled = f.events[1].writes.at(0);
  EXPECT_EQ(filled.partition, 1u);
  EXPECT_EQ(filled.offset, 0x100u);
  EXPECT_EQ(filled.channels, 2u);
  EXPECT_EQ(filled.bytes.at(1), (std::vector<std::uint8_t>{7, 0, 0, 0, 7, 0, 0, 0}));
  ASSERT_EQ(f.events[3].writes.size(), 2u);
  EXPECT_EQ(f.events[3].writes[1].offset, 0x44u);
  EXPECT_EQ(f.events[3].writes[1].bytes.at(0), (std::vector<std::uint8_t>{0x78, 0x56}));
  const StimulusWrite& host = f.events[4].writes.at(0);
  EXPECT_EQ(host.space, 2u);
  EXPECT_EQ(host.partition, 0x40u);
  EXPECT_EQ(host.offset, 0x1000u);
  EXPECT_EQ(host.bytes.at(0), (std::vector<std::uint8_t>{0, 0, 0xC0, 0x3F}));
  // What TensorLoad reads is initial memory, but for what TensorStore has put there.
  ASSERT_EQ(f.initial.size(), 2u);
  EXPECT_EQ(f.initial[0].partition, 3u);
  EXPECT_EQ(f.initial[0].offset, 0x40u);
  EXPECT_EQ(f.initial[0].bytes.size(), 8u);
  EXPECT_EQ(f.initial[1].offset, 0x2000u);
  ASSERT_EQ(f.final.size(), 4u);
  EXPECT_EQ(f.final[2].bytes, (std::vector<std::uint8_t>{0x34, 0x12, 0x78, 0x56}));
  EXPECT_EQ(f.final[3].bytes, host.bytes[0]);
}

TEST_F(Record, OtherEnginesToo) {
  ASSERT_EQ(record(".engine pool\ncast src=sbuf[0]+0x8:bf16{3;-1} dst=sbuf[0]+0x10:fp32{3} channels=2\n").code, 0);
  const StimulusFile f = file();
  EXPECT_EQ(f.engine, 1u);
  EXPECT_EQ(GoldenReplay(f).difference(), "");
}

// ---- How a run may end

TEST_F(Record, AFaultLeavesAFileThatSaysWhereItEnded) {
  EXPECT_EQ(record(std::string(kMemset) + "batch_norm_back_prop src0=sbuf[0]+0x0:fp32{2} src1=sbuf[0]+0x40:fp32{2} "
                                          "dst=sbuf[0]+0x80:fp32{2} channels=1\n")
                .code,
            4);
  const StimulusFile f = file();
  EXPECT_EQ(f.status, 1u);
  EXPECT_EQ(f.stop_word, 1u);
  EXPECT_EQ(f.executed, 1u);
  EXPECT_EQ(f.events.size(), 1u);
  EXPECT_EQ(GoldenReplay(f).difference(), "");
}

TEST_F(Record, AWordThatWritesAndThenFaultsIsAnEventThatHasNotRetired) {
  // A sum that overflows in one channel, inf - inf in the other: two floating-point exceptions, which the firmware's
  // policy takes for a fault.
  constexpr float kMost = std::numeric_limits<float>::max(), kInfinity = std::numeric_limits<float>::infinity();
  write_npy_fp32(folder / "x.npy", {2, 1}, {kMost, kInfinity});
  write_npy_fp32(folder / "y.npy", {2, 1}, {kMost, -kInfinity});
  EXPECT_EQ(record(std::string(kMemset) + "tensor_tensor_arith_op src0=sbuf[0]+0x0:fp32{1} src1=sbuf[0]+0x10:fp32{1} "
                                          "dst=sbuf[0]+0x20:fp32{1} op=add channels=2\n",
                   "--set seq.fp_status=firmware --load 'sbuf[0]+0x0=" + (folder / "x.npy") +
                       "' --load 'sbuf[0]+0x10=" + (folder / "y.npy") + "'")
                .code,
            4);
  const StimulusFile f = file();
  EXPECT_EQ(f.executed, 1u);
  EXPECT_EQ(f.stop_word, 1u);
  ASSERT_EQ(f.events.size(), 2u);
  EXPECT_EQ(f.events[0].flags, 1u);
  EXPECT_EQ(f.events[1].flags, 0u);
  EXPECT_EQ(f.events[1].number, 1u);
  EXPECT_EQ(GoldenReplay(f).difference(), "");
}

TEST_F(Record, DeadlockAndTimeout) {
  EXPECT_EQ(record(std::string(kMemset) + "nop wait=sem[5]>=1\n").code, 5);
  EXPECT_EQ(file().status, 2u);
  EXPECT_EQ(file().stop_word, 1u);
  EXPECT_EQ(GoldenReplay(file()).difference(), "");
  EXPECT_EQ(record(std::string(kMemset) + kMemset + kMemset, "--max-cycles 150").code, 5);
  EXPECT_EQ(file().status, 3u);
  EXPECT_EQ(file().executed, file().stop_word);
  EXPECT_LT(file().executed, 3u);
  EXPECT_EQ(GoldenReplay(file()).difference(), "");
}

TEST_F(Record, CtrlC) {
  write_program(folder / "p.bin", std::vector<isa::Word>(20000, grad_accumulate_word(1000)));
  const ProcessResult r = shell(DVE_SIM_PROGRAM " exec " + (folder / "p.bin") + " --quiet --record " +
                                (folder / "r.hex") + " & pid=$!; sleep 1; kill -INT $pid; wait $pid");
  EXPECT_EQ(r.code, 130) << r.err;
  const std::string header = shell("head -6 " + (folder / "r.hex")).out;
  EXPECT_NE(header.find("\n00000004  // status"), std::string::npos) << header;
}

// ---- What is refused

TEST_F(Record, WhatHasNoDefinedOrderOrNoContents) {
  const std::string two = std::string(".engine dve\n") + kMemset + ".engine pool\n" + kMemset;
  expect_error(record(two), 2, {"--record", "one engine", "2 streams"});
  expect_error(record(kMemset, "--no-data"), 2, {"--record", "--no-data"});
  ASSERT_EQ(dve_sim("run " + sim_checks::layer_folder("10") + " --quiet --set place.x=hbm --out " + folder.path()).code,
            0);
  expect_error(dve_sim("exec " + (folder / "program.bin") + " --quiet --host-steps " + (folder / "program.json") +
                       " --config " + (folder / "config.json") + " --record " + (folder / "hbm.hex")),
               2, {"--record", "hbm"});
  EXPECT_FALSE(std::filesystem::exists(folder / "hbm.hex"));
}

TEST_F(Record, FilesThatCannotBeWritten) {
  write_text(folder / "p.dasm", kMemset);
  const auto to = [&](const std::string& file) {
    return dve_sim("exec " + (folder / "p.dasm") + " --quiet --record " + file);
  };
  expect_error(to("/dev/full"), 6, {"/dev/full", "No space left"});
  expect_error(to(folder / "no/r.hex"), 6, {"no/r.hex", "No such file"});
  expect_error(to(folder.path()), 6, {"directory"});
  // A limit on the size of files, met while the run goes on and when the file is put together.
  write_program(folder / "p.bin", std::vector<isa::Word>(4000, grad_accumulate_word(64)));
  for (const char* blocks : {"100", "20000"}) {
    const ProcessResult r = shell("ulimit -f " + std::string(blocks) + "; " DVE_SIM_PROGRAM " exec " +
                                  (folder / "p.bin") + " --quiet --record " + (folder / "big.hex"));
    expect_error(r, 6, {"big.hex", "cannot be written", "File too large"});
    EXPECT_FALSE(std::filesystem::exists(folder / "big.hex"));
  }
}

TEST_F(Record, FilesThatAreNamedTwice) {
  write_text(folder / "p.dasm", kMemset);
  write_npy_fp32(folder / "x.npy", {1, 2}, {1, 2});
  const std::string exec = "exec " + (folder / "p.dasm") + " --quiet --record ";
  const auto twice = [&](const std::string& file, const std::string& options = "") {
    expect_error(dve_sim(exec + file + " " + options), 2, {"is named twice"});
  };
  const std::string r = folder / "r.hex";
  twice(folder / "p.dasm");
  twice(folder / "x.npy", "--load 'sbuf[0]+0x0=" + (folder / "x.npy") + "'");
  twice(r, "--dump 'sbuf[0]+0x0:1x1:fp32=" + r + "'");
  twice(r, "--notifications " + r);
  twice(r, "--profile " + r);
  twice(folder / "t.csv", "--trace " + (folder / "t.csv"));
  twice(folder / "out/report.json", "--out " + (folder / "out"));
  EXPECT_EQ(read_text(folder / "p.dasm"), kMemset);
}

TEST_F(Record, GoesWhereADeviceOrPipeIs) {
  write_text(folder / "p.dasm", kMemset);
  const ProcessResult r = shell(DVE_SIM_PROGRAM " exec " + (folder / "p.dasm") + " --quiet --record /dev/stdout | cat");
  write_text(folder / "piped.hex", r.out);
  EXPECT_EQ(GoldenReplay(StimulusFile(folder / "piped.hex")).difference(), "");
}

// ---- The comparison itself

TEST_F(Record, TheComparisonNoticesAnyWrongWord) {
  ASSERT_EQ(record("batch_norm_grad_accumulate2 src0=sbuf[0]+0x0:fp32{5} src1=sbuf[0]+0x40:fp32{5} "
                   "dst=sbuf[0]+0x80:fp32{3} imm0=sbuf[0]+0xC0 imm1=sbuf[0]+0xC4 channels=2\n"
                   "batch_norm_param_load src=sbuf[0]+0x80:fp32{3} imm0=sbuf[0]+0xC0 element_count=5 channels=2\n"
                   "batch_norm_back_prop src0=sbuf[0]+0x0:fp32{5} src1=sbuf[0]+0x40:fp32{5} "
                   "dst=sbuf[0]+0x100:fp32{5} channels=2\n")
                .code,
            0);
  const StimulusFile good = file();
  ASSERT_EQ(GoldenReplay(good).difference(), "");
  const std::size_t body = good.words.at(11) + 16 * good.words.at(12);  // behind the program
  for (std::size_t at = body; at < good.words.size(); at += 2) {
    std::string text;
    for (std::size_t i = 0; i < good.words.size(); ++i) {
      char word[16];
      std::snprintf(word, sizeof word, "%08x\n", good.words[i] ^ (i == at ? 1U << (at % 32) : 0U));
      text += word;
    }
    write_text(folder / "wrong.hex", text);
    std::string found;
    try {
      const StimulusFile wrong(folder / "wrong.hex");
      found = GoldenReplay(wrong).difference();
    } catch (const std::exception& error) {
      found = error.what();
    }
    EXPECT_NE(found, "") << "word " << at;
  }
}

}  // namespace record_test
}  // namespace dve
