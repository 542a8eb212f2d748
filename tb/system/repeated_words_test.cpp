// Words that come again: what was kept about them must not be what has changed since.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim_checks.h"
#include "support/process.h"
#include "support/words_file.h"

namespace dve {
namespace repeated_words_test {
namespace {

using namespace sim_checks;
using namespace testing_support;

TEST(RepeatedWords, ReadTheRegistersAsTheyAreNow) {
  const ScratchFolder folder;
  const std::string copy = "copy src=[r5]:fp32{4} dst=[r6]:fp32{4} channels=1\n";
  const auto move = [](const char* registers, int address) {
    return std::string("move dtype=uint32 dst=") + registers + " immediate=" + std::to_string(address) + "\n";
  };
  write_text(folder / "p.dasm", move("r5", 0) + move("r6", 512) + copy + move("r5", 256) + move("r6", 768) + copy +
                                    move("r5", 0) + move("r6", 1024) + copy);
  std::vector<float> values(80);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k);
  write_npy_fp32(folder / "in.npy", {1, values.size()}, values);
  const std::string exec = "exec --quiet " + (folder / "p.dasm") + " --load sbuf[0]+0x0=" + (folder / "in.npy");
  const ProcessResult r = dve_sim(exec + " --dump sbuf[0]+512:1x4:fp32=" + (folder / "a.npy") +
                                  " --dump sbuf[0]+768:1x4:fp32=" + (folder / "b.npy") +
                                  " --dump sbuf[0]+1024:1x4:fp32=" + (folder / "c.npy"));
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(read_npy_fp32(folder / "a.npy"), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(read_npy_fp32(folder / "b.npy"), (std::vector<float>{64, 65, 66, 67}));
  EXPECT_EQ(read_npy_fp32(folder / "c.npy"), (std::vector<float>{0, 1, 2, 3}));
}

// Whether the textbook BackProp looks up 1/N depends on the N that its lanes hold: 7 is in the table, 5000 is not.
TEST(RepeatedWords, ReadTheLanesAsTheyAreNow) {
  const ScratchFolder folder;
  const auto stage = [](int n) {
    return "batch_norm_param_load src=sbuf[0]+0x4000:fp32{3} imm0=sbuf[0]+0x4040 element_count=" + std::to_string(n) +
           ".0 channels=32\n";
  };
  const std::string back_prop =
      "batch_norm_back_prop src0=sbuf[0]+0x0:fp32{8} src1=sbuf[0]+0x1000:fp32{8} dst=sbuf[0]+0x2000:fp32{8} "
      "channels=32\n";
  write_text(folder / "p.dasm",
             "load_parameter_ram param_ram_offset=0 immediate=1.0,0.5,0.25,0.25,0.2,0.1,0.1,0.125 imm_ptr_select=0\n" +
                 stage(7) + back_prop + stage(5000) + back_prop + stage(7) + back_prop);
  for (const char* data : {"", " --no-data"}) {
    const ScratchFolder out;
    const ProcessResult r = dve_sim("exec --quiet " + (folder / "p.dasm") +
                                    " --set numerics.backprop_form=textbook --set numerics.src0_is=x_norm --set "
                                    "poison_seed=3 --out " +
                                    out.path() + data);
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(report_of(out.path())["ports"]["dve.param"]["read_bytes"], 8) << data;
    EXPECT_EQ(report_of(out.path())["ports"]["dve.param"]["write_bytes"], 32) << data;
  }
}

// A word is judged each time it breaks a rule, and a program may hold more words than are remembered.
TEST(RepeatedWords, AreJudgedEachTimeTheyBreakARule) {
  const ScratchFolder folder;
  std::vector<isa::Word> program;
  for (int k = 0; k < 3; ++k) {
    program.push_back(grad_accumulate_word(64));
    program.push_back(grad_accumulate_word(64, 4));
  }
  write_program(folder / "p.bin", program);
  const ScratchFolder out;
  const ProcessResult r =
      dve_sim("exec --quiet " + (folder / "p.bin") + " --set seq.legality=relaxed --out " + out.path());
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(report_of(out.path())["warnings"].get<int>() % 3, 0);
  EXPECT_GE(report_of(out.path())["warnings"], 3);
}

}  // namespace
}  // namespace repeated_words_test
}  // namespace dve
