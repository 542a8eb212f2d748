// run --step full, --microbatches and every numeric switch, on the bundled layers.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <regex>
#include <sstream>

#include "sim_checks.h"
#include "support/words_file.h"

namespace dve {
namespace step_options_test {
namespace {

using namespace sim_checks;
using namespace testing_support;
using nlohmann::json;

const std::vector<std::string> kResults = {"dx", "y", "dgamma", "dbeta", "mean", "var", "inv_std"};

// 0 where the results are equal, else the largest difference over the largest value.
double relative_difference(const std::string& a, const std::string& b) {
  const std::vector<float> x = read_npy_fp32(a), y = read_npy_fp32(b);
  EXPECT_EQ(x.size(), y.size());
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    largest = std::max(largest, std::fabs(double{y[i]}));
    difference = std::max(difference, std::fabs(double{x[i]} - double{y[i]}));
  }
  return difference == 0 ? 0 : difference / largest;
}

// Channels that run together: a pass has up to 128.
std::uint64_t passes_of(const json& report) { return (report["layer"]["channels"].get<std::uint64_t>() + 127) / 128; }

TEST(FullStep, ComputesEveryBundledLayer) {
  for (const std::string& layer : kLayers) {
    SCOPED_TRACE(layer);
    const ScratchFolder out;
    const ProcessResult r = dve_sim("run " + layer_folder(layer) + " --step full --out " + out.path());
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    expect_pieces(r.out, {"pool ", "act ", "host steps: 0", "y_device64", "result        ok"});
    for (const std::string& name : kResults) EXPECT_TRUE(std::filesystem::exists(out / (name + ".npy"))) << name;
    const json report = report_of(out.path());
    for (const char* row : {"y", "y_device64", "dx", "dx64", "dgamma64", "dbeta64", "mean", "var"}) {
      ASSERT_TRUE(report["compare"].contains(row)) << row;
      EXPECT_EQ(report["compare"][row]["mismatches"], 0) << row;
    }
    for (const char* engine : {"dve", "pool", "act"}) EXPECT_GT(report["engines"][engine]["busy"], 0) << engine;
    for (const char* port : {"pool.read1", "act.read0", "act.write"})
      EXPECT_TRUE(report["ports"].contains(port)) << port;
    // Looked at without the project's own comparison.
    for (const char* name : {"y", "dx", "dgamma", "dbeta"})
      EXPECT_LT(relative_difference(out / (std::string(name) + ".npy"), layer_folder(layer) + "/" + name + ".npy"),
                2e-6)
          << name;
  }
}

TEST(FullStep, RunsInEveryDtypeAndGeneration) {
  for (const char* options :
       {"--dtype bf16", "--dtype fp16 --loss-scale 4096", "--config sunda --set place.y=psum", "--config mariana",
        "--config mariana_plus --set place.sums=psum --microbatches 2", "--config maverick", "--abstraction functional",
        "--set numerics.backprop_form=textbook --set numerics.src0_is=x_norm --microbatches 3"}) {
    const ProcessResult r = dve_sim("run " + layer_folder("10") + " --step full --quiet " + options);
    EXPECT_EQ(r.code, 0) << options << ": " << r.err;
  }
}

TEST(FullStep, BothAbstractionsGiveTheSameBytes) {
  const ScratchFolder lt, functional;
  const std::string run = "run " + layer_folder("10") + " --quiet --step full --microbatches 2 --out ";
  ASSERT_EQ(dve_sim(run + lt.path()).code, 0);
  ASSERT_EQ(dve_sim(run + functional.path() + " --abstraction functional").code, 0);
  for (const std::string& name : kResults)
    EXPECT_EQ(read_text(lt / (name + ".npy")), read_text(functional / (name + ".npy"))) << name;
}

// Reproduces all results of a run from its program.bin, and from its text.
void expect_reproduced(const ScratchFolder& out) {
  const std::string steps = " --quiet --host-steps " + (out / "program.json") + " --config " + (out / "config.json");
  const ScratchFolder again;
  const ProcessResult listing = dve_sim("disasm " + (out / "program.bin") + " --config " + (out / "config.json"));
  write_text(again / "p.dasm", listing.out);
  for (const std::string& program : {out / "program.bin", again / "p.dasm"}) {
    const ProcessResult r = dve_sim("exec " + program + steps + " --out " + again.path());
    EXPECT_EQ(r.code, 0) << r.err;
    for (const std::string& name : kResults)
      EXPECT_EQ(read_text(out / (name + ".npy")), read_text(again / (name + ".npy"))) << program << " " << name;
    EXPECT_EQ(read_text(out / "report.json"), read_text(again / "report.json")) << program;
  }
}

TEST(FullStep, HostStepsReproduceARunByteForByte) {
  for (const std::string options : {"", "--dtype bf16 --microbatches 3", "--config sunda --set place.x=psum"}) {
    SCOPED_TRACE(options);
    const ScratchFolder out;
    ASSERT_EQ(dve_sim("run " + layer_folder("10") + " --quiet --step full " + options + " --out " + out.path()).code,
              0);
    expect_reproduced(out);
  }
}

// A layer that does not fit whole: x and dy are reloaded while three engines run.
TEST(FullStep, TiledLayersReloadAndReproduce) {
  const ScratchFolder layer, out;
  constexpr std::size_t kChannels = 3, kElements = 40000;
  std::vector<float> x, dy;
  for (std::size_t i = 0; i < kChannels * kElements; ++i) {
    x.push_back(static_cast<float>(i * 7919 % 1000) / 500.0F - static_cast<float>(i / kElements));
    dy.push_back(static_cast<float>(i * 104729 % 997) / 500.0F - 1.0F);
  }
  write_npy_fp32(layer / "x.npy", {kChannels, kElements}, x);
  write_npy_fp32(layer / "dy.npy", {kChannels, kElements}, dy);
  write_npy_fp32(layer / "gamma.npy", {kChannels}, {1, -2, 0.5F});
  write_npy_fp32(layer / "beta.npy", {kChannels}, {0.25F, 0, 3});
  const ProcessResult r = dve_sim("run " + layer.path() + " --step full --out " + out.path());
  ASSERT_EQ(r.code, 0) << r.err << r.out;
  const json report = report_of(out.path()), program = json::parse(read_text(out / "program.json"));
  EXPECT_GT(program["steps"].size(), 3u);
  EXPECT_EQ(report["opcodes"]["drain"], program["steps"].size());
  EXPECT_EQ(report["compare"]["y_device64"]["mismatches"], 0);
  expect_reproduced(out);
}

TEST(FullStep, NeedsBeta) {
  const ScratchFolder layer;
  ASSERT_EQ(shell("cp " + layer_folder("10") + "/*.npy " + layer.path()).code, 0);
  std::filesystem::remove(layer / "beta.npy");
  expect_error(dve_sim("run " + layer.path() + " --quiet --step full"), 3, {"beta.npy: does not exist"});
  EXPECT_EQ(dve_sim("run " + layer.path() + " --quiet").code, 0) << "a backward step does not";
  write_npy_fp32(layer / "beta.npy", {191}, std::vector<float>(191));
  expect_error(dve_sim("run " + layer.path() + " --quiet --step full"), 3, {"beta.npy", "191", "192"});
}

TEST(FullStep, AWrongReferenceOfYFailsTheComparison) {
  const ScratchFolder layer;
  ASSERT_EQ(shell("cp " + layer_folder("10") + "/*.npy " + layer.path()).code, 0);
  std::string y = read_text(layer / "y.npy");
  y[y.size() - 2] = static_cast<char>(y[y.size() - 2] ^ 0x40);
  write_text(layer / "y.npy", y);
  expect_error(dve_sim("run " + layer.path() + " --quiet --step full"), 1,
               {"comparison failed", "y differs in 1 of its values", "channel 191, element 127"});
  EXPECT_EQ(dve_sim("run " + layer.path() + " --quiet").code, 0) << "a backward step has no y";
}

TEST(FullStep, ResultsOfAnEarlierOneDoNotStay) {
  const ScratchFolder folder;
  const std::string out = folder / "out";
  ASSERT_EQ(dve_sim("run " + layer_folder("10") + " --quiet --step full --out " + out).code, 0);
  ASSERT_TRUE(std::filesystem::exists(out + "/y.npy"));
  ASSERT_EQ(dve_sim("run " + layer_folder("10") + " --quiet --out " + out).code, 0);
  EXPECT_FALSE(std::filesystem::exists(out + "/y.npy"));
}

TEST(FullStep, PlacesThatDoNotGoAreRefused) {
  const std::string run = "run " + layer_folder("10") + " --quiet --step full";
  expect_error(dve_sim(run + " --dtype bf16 --set place.y=psum"), 3, {"place.y", "psum", "bf16"});
  expect_error(dve_sim(run + " --config maverick --set place.y=psum"), 3, {"place.y", "maverick"});
  expect_error(dve_sim(run + " --set place.x=psum --set place.dy=psum"), 3, {"place.x", "place.dy"});
  expect_error(dve_sim(run + " --dtype bf16 --set place.x=psum --set numerics.backprop_form=textbook"
                             " --set numerics.src0_is=x_norm"),
               3, {"place.x", "psum", "bf16"});
  expect_error(dve_sim("run --step forward"), 2, {"--step", "forward", "backward", "full"});
  expect_error(dve_sim("run --step"), 2, {"--step"});
}

TEST(Microbatches, AreAsManyResultSets) {
  for (const char* options : {"", "--step full"}) {
    for (const char* layer : {"4", "10"}) {
      const ScratchFolder whole;
      const std::string run = "run " + layer_folder(layer) + " --quiet " + options;
      ASSERT_EQ(dve_sim(run + " --out " + whole.path()).code, 0);
      bool differs = false;
      for (int k = 1; k <= 5; ++k) {
        SCOPED_TRACE(run + " --microbatches " + std::to_string(k));
        const ScratchFolder out;
        const ProcessResult r = dve_sim(run + " --microbatches " + std::to_string(k) + " --out " + out.path());
        ASSERT_EQ(r.code, 0) << r.err;
        const json report = report_of(out.path());
        EXPECT_EQ(report["opcodes"]["batch_norm_grad_accumulate2"], static_cast<std::uint64_t>(k) * passes_of(report));
        EXPECT_EQ(report["opcodes"]["batch_norm_param_load"], passes_of(report));
        for (const char* name : {"dgamma", "dbeta", "dx"}) {
          const std::string file = std::string(name) + ".npy";
          EXPECT_LT(relative_difference(out / file, whole / file), 2e-6) << name;
          if (k == 1) {
            EXPECT_EQ(read_text(out / file), read_text(whole / file)) << name;
          }
        }
        differs = differs || read_text(out / "dgamma.npy") != read_text(whole / "dgamma.npy");
      }
      EXPECT_TRUE(differs) << "another order of additions rounds differently";
    }
  }
}

TEST(Microbatches, BadNumbers) {
  for (const char* bad : {"0", "-1", "x", "1.5", "99999999999999999999", "''"})
    expect_error(dve_sim("run --microbatches=" + std::string(bad)), 2, {"microbatches"});
  expect_error(dve_sim("run " + layer_folder("10") + " --microbatches 129"), 3,
               {"microbatches is 129, expected 1 to 128"});
  EXPECT_EQ(dve_sim("run " + layer_folder("10") + " --quiet --microbatches 128").code, 0);
}

// A numeric switch and values of it, as `config --keys` tells them.
struct Switch {
  std::string name;
  std::vector<std::string> values;
};

std::vector<Switch> numeric_switches() {
  static const std::regex key("(numerics\\.\\w+)\n[^\n]*allowed: ([^\n]*)\\.\n");
  const std::string text = dve_sim("config --keys").out;
  std::vector<Switch> switches;
  for (std::sregex_iterator m(text.begin(), text.end(), key), end; m != end; ++m) {
    Switch s{m->str(1), {}};
    const std::string allowed = m->str(2);
    if (allowed.rfind("one of ", 0) == 0) {
      std::istringstream list(allowed.substr(7));
      for (std::string value; list >> value;) s.values.push_back(value.substr(0, value.find(',')));
    } else if (allowed == "an integer from 1 to 23 bits") {
      s.values = {"1", "13", "23"};
    } else if (allowed == "a number from -0.5 to 0.5") {
      s.values = {"0", "1e-7", "-1e-7"};  // small enough for the comparison
    }
    EXPECT_GE(s.values.size(), 2u) << s.name << ": " << allowed;
    switches.push_back(s);
  }
  return switches;
}

TEST(Switches, EveryValueRunsAndIsReported) {
  const std::vector<Switch> switches = numeric_switches();
  EXPECT_GE(switches.size(), 19u);
  const ScratchFolder out;
  ASSERT_EQ(dve_sim("run " + layer_folder("10") + " --quiet --out " + out.path()).code, 0);
  const json defaults = report_of(out.path())["numerics"];
  EXPECT_EQ(defaults.size(), switches.size());
  for (const Switch& s : switches) {
    for (const std::string& value : s.values) {
      for (const char* step : {"--device-stats", "--step full"}) {
        SCOPED_TRACE(s.name + "=" + value + " " + step);
        const ProcessResult r = dve_sim("run " + layer_folder("10") + " --quiet " + step + " --set " + s.name + "=" +
                                        value + " --out " + out.path());
        ASSERT_EQ(r.code, 0) << r.err;
        json expected = defaults;
        const std::string name = s.name.substr(s.name.find('.') + 1);
        const json reported = report_of(out.path())["numerics"];
        if (reported[name].is_string()) {
          EXPECT_EQ(reported[name], value);
        } else {
          EXPECT_EQ(reported[name].get<double>(), std::stod(value));
        }
        expected[name] = reported[name];
        EXPECT_EQ(reported, expected) << "the others keep their defaults";
      }
    }
  }
}

// Those that change program and placement, together.
TEST(Switches, CombinationsThatChangeTheProgramRun) {
  for (const char* form : {"staged", "textbook"}) {
    for (const char* source : {"ofmap", "x_norm"}) {
      for (const char* order : {"documented", "interpreter"}) {
        for (const char* options : {"--device-stats --microbatches 2", "--step full", "--step full --dtype bf16"}) {
          const std::string set = std::string(" --set numerics.backprop_form=") + form +
                                  " --set numerics.src0_is=" + source + " --set numerics.dst_order=" + order;
          const ProcessResult r = dve_sim("run " + layer_folder("4") + " --quiet " + options + set);
          EXPECT_EQ(r.code, 0) << options << set << ": " << r.err;
        }
      }
    }
  }
}

}  // namespace
}  // namespace step_options_test
}  // namespace dve
