// What is said of a run, of a network, and of two of them; reports that cannot be used.
#include <gtest/gtest.h>

#include "dve/layer/layer.h"
#include "dve/page/page.h"
#include "reports.h"
#include "support/process.h"

namespace dve::page {
namespace run_page_test {
namespace {

using namespace reports;
using namespace testing_support;
using Lines = std::vector<std::string>;

const std::filesystem::path kFile = "report.json";

Run run(const Json& report) { return run_of(json::JsonNode(report, kFile, "")); }

std::string refusal(const Json& report) {
  try {
    run(report);
  } catch (const layer::InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::pair<std::string, double>> gains(const std::vector<Measure>& list) {
  std::vector<std::pair<std::string, double>> pairs;
  for (const Measure& m : list) pairs.emplace_back(m.change, m.saved_ns);
  return pairs;
}

TEST(Measures, AreBoundedByWhatTheRunStillNeeds) {
  // DMA twice as fast: half of 700, and the stream still needs 550 of 1000. Waits: what they took, DMA still needs 700.
  // The stream twice as fast: half of 550. dve.read0 is needed for a tenth and is hidden.
  EXPECT_EQ(gains(measures(run(waiting()))),
            (std::vector<std::pair<std::string, double>>{{"dma ring 0 twice as fast", 350},
                                                         {"no semaphore wait of dve", 300},
                                                         {"dve stream twice as fast", 275},
                                                         {"no issue gap of dve", 100}}));
  Json tight = waiting();
  tight["roofline_ns"] = {{"dma ring 0", 900.0}, {"dve stream", 850.0}};
  EXPECT_EQ(gains(measures(run(tight))),
            (std::vector<std::pair<std::string, double>>{{"dma ring 0 twice as fast", 150},
                                                         {"no issue gap of dve", 100},
                                                         {"no semaphore wait of dve", 100},
                                                         {"dve stream twice as fast", 100}}));
}

TEST(Measures, OfANetworkAddUpOverItsLayers) {
  // 2 * 275 + min(400 / 2, 500 - 200); 2 * 350; 2 * 300; 2 * 100; 50.
  EXPECT_EQ(gains(network_measures(run(network()))),
            (std::vector<std::pair<std::string, double>>{{"dve stream twice as fast", 750},
                                                         {"dma ring 0 twice as fast", 700},
                                                         {"no semaphore wait of dve", 600},
                                                         {"no issue gap of dve", 200},
                                                         {"no idle of dve", 50}}));
}

TEST(RunWords, SayWhatBoundsItAndWhatHelps) {
  const Lines words = sentences(run(waiting()));
  ASSERT_EQ(words.size(), 5u);
  EXPECT_EQ(words[0], "The run takes 1.00 µs (1000 cycles of the DVE) for 3 instructions on cayman, lt.");
  EXPECT_EQ(words[1], "It ended well; there was no data to compare.");
  EXPECT_EQ(words[2], "dma ring 0 bounds it: needed for 700 ns of 1.00 µs, 70 % of the time.");
  EXPECT_EQ(words[3], "Beside 60 % busy, dve spends 30 % of its cycles on semaphore wait.");
  EXPECT_EQ(words[4].rfind(
                "What would help most: dma ring 0 twice as fast, at most 35 % less time (350 ns). Try more DMA", 0),
            0u)
      << words[4];
}

TEST(RunWords, SayWhenNothingBoundsIt) {
  Json loose = waiting();
  loose["roofline_ns"] = {{"dve stream", 499.0}};
  EXPECT_EQ(sentences(run(loose))[2],
            "No resource bounds it: dve stream, the one needed longest, accounts for 499 ns, 50 % of the time.");
}

TEST(RunWords, GroupTheLayersOfANetwork) {
  const Lines words = sentences(run(network()));
  ASSERT_EQ(words.size(), 6u);
  EXPECT_EQ(words[0], "net takes 2.50 µs (2500 cycles of the DVE) for 3 instructions on cayman, lt.");
  EXPECT_EQ(words[2], "dma ring 0 limits 2 layers, 80 % of the time; it is needed for 70 % of theirs.");
  EXPECT_EQ(words[3], "dve stream limits 1 layer, 20 % of the time; it is needed for 80 % of theirs.");
  EXPECT_EQ(words[4], "Most time goes to wide (1x2x3x4, 80 %), deep (1x2x3x4, 20 %): 100 % together.");
  EXPECT_EQ(words[5].rfind("What would help most: dve stream twice as fast, at most 30 % less time (750 ns).", 0), 0u)
      << words[5];
}

TEST(RunWords, SayHowItEnded) {
  Json r = waiting();
  const auto end = [&](const char* status) {
    r["status"] = status;
    return end_sentence(run(r));
  };
  r["compare"]["dx"] = {{"max_abs", 0.5}, {"max_rel", "inf"}, {"tolerance", 0.1}, {"mismatches", 1}, {"non_finite", 1}};
  EXPECT_EQ(end("ok"), "It ended well, and the one comparison with a reference is within tolerance.");
  EXPECT_EQ(end("compare_failed"), "It computed something else than the references: dx differs in 1 value.");
  EXPECT_EQ(end("deadlock"), "It came to a standstill.");
  r["waits"].push_back(
      {{"who", "dve"}, {"opcode", "drain"}, {"condition", "sem[3] >= 1"}, {"value", 0}, {"last_change", ""}});
  EXPECT_EQ(end("deadlock"), "It came to a standstill: dve waits for sem[3] >= 1.");
  EXPECT_EQ(end("timeout"), "It reached --max-cycles and was stopped.");
  r["faults"].push_back({{"engine", "dve"},
                         {"word", 3},
                         {"pc", 0},
                         {"opcode", "copy"},
                         {"predicate", "p"},
                         {"field", "dst"},
                         {"byte", 1},
                         {"value", 5},
                         {"expected", "4"}});
  EXPECT_EQ(end("fault"), "It ended with a fault: dve word 3 (copy): dst is 5, expected 4.");
  const Json failed = {{"schema", 1}, {"status", "error"}, {"reason", "place.x = psum contradicts"}};
  EXPECT_EQ(sentences(run(failed)), Lines{"There is no run to show (error): place.x = psum contradicts."});
}

TEST(RunWords, WithoutTimeThereIsNoBound) {
  Json r = waiting();
  r["cycles"] = nullptr;
  EXPECT_EQ(sentences(run(r))[0],
            "The run executed 3 instructions; it has no time, so nothing can be said of what bounds it.");
  EXPECT_TRUE(measures(run(r)).empty());
  EXPECT_EQ(bound_sentence(run(r)), "");
}

TEST(RunComparison, NamesTheLargestChange) {
  Json b = waiting();
  b["engines"]["dve"] = {{"busy", 600},     {"issue_gap", 100},   {"operand_wait", 0},
                         {"write_wait", 0}, {"bank_conflict", 0}, {"semaphore_wait", 800},
                         {"fetch", 0},      {"idle", 0},          {"cycles", 1500}};
  b["cycles"] = 1500;
  b["time_ns"] = 1500.0;
  b["roofline_ns"] = {{"dve stream", 550.0}};
  EXPECT_EQ(compare_sentences(run(waiting()), run(b)),
            (Lines{"B takes 1.50 times as long as A: 1.50 µs against 1.00 µs, 50 % more time.",
                   "The largest change in dve is in semaphore wait: 800 ns in B, 300 ns in A.",
                   "dma ring 0 limits A, dve semaphore wait limits B."}));
  EXPECT_EQ(compare_sentences(run(b), run(waiting()))[0],
            "B is 1.50 times as fast as A: 1.00 µs against 1.50 µs, 33 % less time.");
  EXPECT_EQ(compare_sentences(run(b), run(b)),
            (Lines{"A and B take the same time, 1.50 µs.", "dve semaphore wait limits both."}));
}

TEST(RunComparison, NamesTheLayerThatChangesMost) {
  Json b = network();
  b["layers"][1] = layer("deep", 3, streaming());
  EXPECT_EQ(compare_sentences(run(network()), run(b))[1],
            "The layer that changes most is deep: 1.50 µs in B, 500 ns in A.");
}

TEST(RunReport, DamageIsNamed) {
  Json r = waiting();
  r["schema"] = 2;
  EXPECT_EQ(refusal(r), "report.json: schema is 2, expected 1, the schema that this version reads");
  r = waiting();
  r["engines"]["dve"]["busy"] = 601;
  EXPECT_EQ(refusal(r), "report.json: engines.dve.cycles is 1000, expected 1001, the sum of its buckets");
  r = waiting();
  r["engines"]["dve"]["fetch"] = -1;
  EXPECT_EQ(refusal(r).rfind("report.json: engines.dve.fetch is -1, expected an integer from 0", 0), 0u) << refusal(r);
  r = waiting();
  r["engines"]["dve"]["nap"] = 0;
  EXPECT_EQ(refusal(r).rfind("report.json: engines.dve.nap is 0, expected no such key; known are busy, ", 0), 0u)
      << refusal(r);
  r = waiting();
  r["engines"].erase("dve");
  EXPECT_EQ(refusal(r), "report.json: engines is an object, expected key dve in it");
  r = waiting();
  r.erase("roofline_ns");
  EXPECT_EQ(refusal(r), "report.json: the document is an object, expected key roofline_ns in it");
  r = waiting();
  r["roofline_ns"]["dve stream"] = 701.0;
  EXPECT_EQ(refusal(r),
            "report.json: roofline_ns.dve stream is 701.0, expected a time no longer than the one before it");
  r = waiting();
  r["bandwidth"]["dve.read0"]["window_ns"] = 0;
  EXPECT_EQ(refusal(r), "report.json: bandwidth.dve.read0.window_ns is 0, expected a time above 0");
  r = waiting();
  r["compare"]["dx"] = {{"max_abs", "large"}, {"max_rel", 0}, {"tolerance", 0}, {"mismatches", 0}};
  EXPECT_EQ(refusal(r), "report.json: compare.dx.max_abs is \"large\", expected a number");
  r = network();
  r["layers"][1]["report"]["status"] = 7;
  EXPECT_EQ(refusal(r), "report.json: layers[1].report.status is 7, expected a string");
  r = network();
  r["layers"] = Json::array();
  EXPECT_EQ(refusal(r), "report.json: layers is a list of 0, expected one layer at least");
}

TEST(RunFolder, ErrorsNameTheFileAndWhatWasExpected) {
  const ScratchFolder folder;
  const auto of = [&](std::optional<std::filesystem::path> other = std::nullopt) -> std::string {
    try {
      page(folder.path(), other);
    } catch (const layer::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(of().find(": holds neither report.json nor sweep.csv, expected the folder that --out named"),
            std::string::npos)
      << of();
  write_text(folder / "report.json", "{");
  EXPECT_NE(of().find("report.json: is not JSON: "), std::string::npos) << of();
  write_text(folder / "report.json", waiting().dump());
  EXPECT_EQ(of(), "");
  EXPECT_NE(of(folder / "none").find("none: is no folder, expected the one that --out named"), std::string::npos);
  std::filesystem::create_directory(folder / "net");
  write_text(folder / "net/report.json", network().dump());
  EXPECT_NE(of(folder / "net").find("is the report of a network, expected that of a run as in"), std::string::npos);
  std::filesystem::create_directory(folder / "sweep");
  write_text(folder / "sweep/sweep.json", "{}");
  EXPECT_NE(of(folder / "sweep").find("is the folder of a sweep, expected that of a run as"), std::string::npos);
  write_text(folder / "config.json", R"({"schema": 1, "place.x": "sbuf", "origins": {"place.x": "default"}})");
  EXPECT_EQ(of(), "");
  EXPECT_EQ(page_data(folder.path(), std::nullopt)["config"].dump(), R"([["place.x","sbuf","default"]])");
  write_text(folder / "config.json", R"({"schema": 3})");
  EXPECT_NE(of().find("config.json: schema is 3, expected 1"), std::string::npos) << of();
}

}  // namespace
}  // namespace run_page_test
}  // namespace dve::page
