// The JSON trace, event by event.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "events.h"

namespace dve {
namespace perfetto_test {
namespace {

using nlohmann::json;
using namespace telemetry;
using namespace telemetry_events;
using testing_support::read_text;
using testing_support::ScratchFolder;

// A recorder, and what stands in its file in the end.
class Perfetto : public testing::Test {
 protected:
  void start(const Selection& selection = {}) {
    recorder = make_recorder(Format::perfetto, folder / "t.json", selection);
  }
  void finish() {
    totals = recorder->finish();
    trace = json::parse(read_text(folder / "t.json"));
    for (const json& event : trace["traceEvents"]) {
      if (event["name"] == "thread_name") threads[event["tid"]] = event["args"]["name"];
    }
  }
  // All events of a phase on a track, in the order of the file.
  std::vector<json> events(const std::string& phase, const std::string& track = "") const {
    std::vector<json> found;
    for (const json& event : trace["traceEvents"]) {
      if (event["ph"] == phase && (track.empty() || threads.at(event["tid"]) == track)) found.push_back(event);
    }
    return found;
  }
  static void expect_slice(const json& slice, const std::string& name, double ts, double dur) {
    EXPECT_EQ(slice["name"], name) << slice;
    EXPECT_EQ(slice["ts"], ts) << slice;
    EXPECT_EQ(slice["dur"], dur) << slice;
    EXPECT_EQ(slice["pid"], 1) << slice;
  }

  ScratchFolder folder;
  std::unique_ptr<Recorder> recorder;
  Recorder::Totals totals;
  json trace;
  std::map<int, std::string> threads;
};

TEST_F(Perfetto, AWordHasASliceOnEveryTrackThatItUses) {
  start();
  recorder->instruction(grad_accumulate());
  finish();
  EXPECT_EQ(trace["displayTimeUnit"], "ns");
  const std::vector<json> words = events("X", "dve");
  ASSERT_EQ(words.size(), 3u);
  expect_slice(words[0], "semaphore wait", 0.015, 0.005);
  expect_slice(words[1], "hazard wait", 0.020, 0.010);
  expect_slice(words[2], "batch_norm_grad_accumulate2", 0.030, 0.050);
  EXPECT_EQ(words[2]["args"], json::parse(R"({"word": 3, "pc": "0xc0", "start_cycle": 30, "cycles": 60,
    "start_ns": 30.0, "complete_ns": 90.0, "wait_cycles": 5, "hazard_cycles": 10, "stall_cycles": 2})"));
  const auto only = [&](const std::string& track) {
    const std::vector<json> slices = events("X", track);
    EXPECT_EQ(slices.size(), 1u) << track;
    return slices.at(0);
  };
  expect_slice(only("dve drain"), "batch_norm_grad_accumulate2", 0.070, 0.020);
  expect_slice(only("dve.read0"), "batch_norm_grad_accumulate2", 0.030, 0.040);
  expect_slice(only("dve.read1"), "batch_norm_grad_accumulate2", 0.030, 0.040);
  expect_slice(only("dve.write"), "batch_norm_grad_accumulate2", 0.060, 0.030);
  EXPECT_EQ(only("dve.read1")["args"], json::parse(R"({"word": 3, "read_bytes": 256})"));
  EXPECT_EQ(only("dve.write")["args"], json::parse(R"({"word": 3, "written_bytes": 12})"));
  expect_slice(only("psum.3"), "dve batch_norm_grad_accumulate2", 0.030, 0.040);
  EXPECT_EQ(only("psum.3")["args"], json::parse(R"({"word": 3, "read_bytes": 768, "written_bytes": 12})"));
  EXPECT_EQ(totals.written, 3u + 1 + 3 + 1 + 2 * 3) << "slices, and both ends of three arrows";
}

TEST_F(Perfetto, AnArrowLeadsFromTheWordToEachPort) {
  start();
  recorder->instruction(grad_accumulate());
  recorder->instruction(plain_word(isa::Engine::dve, 4, 80, 10, 20));
  recorder->instruction(grad_accumulate(100));
  finish();
  const std::vector<json> from = events("s"), to = events("f");
  ASSERT_EQ(from.size(), 6u);
  ASSERT_EQ(to.size(), 6u);
  std::set<int> ids;
  for (std::size_t k = 0; k < from.size(); ++k) {
    EXPECT_EQ(from[k]["id"], to[k]["id"]);
    EXPECT_TRUE(ids.insert(from[k]["id"].get<int>()).second) << "an id a pair";
    EXPECT_EQ(threads[from[k]["tid"]], "dve");
    EXPECT_EQ(from[k]["ts"], k < 3 ? 0.030 : 0.130);
    EXPECT_EQ(to[k]["bp"], "e");
    for (const char* key : {"cat", "name"}) EXPECT_EQ(from[k][key], to[k][key]) << "what a viewer pairs by";
  }
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(threads[to[k]["tid"]], (std::vector<std::string>{"dve.read0", "dve.read1", "dve.write"}[k]));
    EXPECT_EQ(to[k]["ts"], (std::vector<double>{0.030, 0.030, 0.060}[k]));
  }
}

TEST_F(Perfetto, TracksAreNamedOnceAndSortedEnginesFirst) {
  start();
  for (int k = 0; k < 2; ++k) {
    InstructionEvent word = grad_accumulate();
    if (k == 1) word.engine = isa::Engine::pool;
    recorder->instruction(word);
  }
  finish();
  std::vector<std::string> names;
  for (const auto& [thread, name] : threads) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"dve", "dve drain", "dve.read0", "dve.read1", "dve.write", "pool", "pool drain",
                                      "pool.read0", "pool.read1", "pool.write", "psum.3", "psum.3 (2)"}));
  std::size_t sorted = 0;
  for (const json& event : events("M")) {
    if (event["name"] == "thread_sort_index") sorted += event["args"]["sort_index"] == event["tid"] ? 1 : 0;
  }
  EXPECT_EQ(sorted, threads.size());
}

TEST_F(Perfetto, SlicesOfOneThreadNeverOverlap) {
  start();
  // Each completes 25 cycles after its last operand, a new one begins every 10: up to three drain at a time.
  for (std::uint64_t k = 0; k < 50; ++k) recorder->instruction(plain_word(isa::Engine::act, k, 10 * k, 10, 35));
  finish();
  EXPECT_EQ(events("X", "act").size(), 50u);
  std::map<int, double> ends;
  std::size_t drains = 0;
  for (const json& slice : events("X")) {
    EXPECT_GE(slice["ts"].get<double>(), ends[slice["tid"]] - 1e-12) << slice;
    ends[slice["tid"]] = slice["ts"].get<double>() + slice["dur"].get<double>();
    drains += threads[slice["tid"]].rfind("act drain", 0) == 0 ? 1 : 0;
  }
  EXPECT_EQ(drains, 50u);
  EXPECT_EQ(threads.size(), 4u) << "as many lanes as slices overlap";
}

TEST_F(Perfetto, MoreLanesThanTracksHaveNumbersKeepTheirThreads) {
  start();
  for (std::uint64_t k = 0; k < 25; ++k) recorder->transfer({"dma0", during(0, 100), isa::Bytes(1), "copy"});
  recorder->transfer({"dma1", during(0, 100), isa::Bytes(1), "copy"});
  finish();
  EXPECT_EQ(threads.size(), 26u);
  EXPECT_EQ(events("X", "dma0 (25)").size(), 1u);
  EXPECT_EQ(events("X", "dma1").size(), 1u);
}

TEST_F(Perfetto, TimesAreExactToTheFemtosecond) {
  start();
  InstructionEvent word = plain_word(isa::Engine::dve, 0, 0, 0, 0);
  word.ready.fs = word.released.fs = word.start.fs = 123'456'789'012'345;
  word.read_done.fs = word.complete.fs = word.next_issue.fs = 123'456'790'053'012;
  recorder->instruction(word);
  finish();
  const std::string text = read_text(folder / "t.json");
  EXPECT_NE(text.find("\"ts\":123456.789012345,\"dur\":0.001040667,"), std::string::npos) << text;
}

TEST_F(Perfetto, SemaphoresAreCountersThatBeginWithTheirFormerValue) {
  start();
  recorder->semaphore({5, 1, "host", 10 * kCycle});
  recorder->semaphore({5, -7, "dve", 20 * kCycle});
  recorder->semaphore({6, 4, "dve", 0});
  finish();
  const std::vector<json> counters = events("C");
  ASSERT_EQ(counters.size(), 4u);
  const auto expect = [&](std::size_t k, const char* name, double ts, int value, const char* who) {
    EXPECT_EQ(counters[k]["name"], name);
    EXPECT_EQ(counters[k]["ts"], ts);
    EXPECT_EQ(counters[k]["args"], json({{"value", value}}));
    EXPECT_EQ(counters[k]["cat"], who);
  };
  expect(0, "semaphore 5", 0, 0, "initial");
  expect(1, "semaphore 5", 0.010, 1, "host");
  expect(2, "semaphore 5", 0.020, -7, "dve");
  expect(3, "semaphore 6", 0, 4, "dve");
}

TEST_F(Perfetto, TransfersHaveATrackForEachUser) {
  start();
  recorder->transfer({"dma0", during(5, 9), isa::Bytes(4096), "x[0] \"tile\"\\\n"});
  finish();
  const std::vector<json> slices = events("X", "dma0");
  ASSERT_EQ(slices.size(), 1u);
  expect_slice(slices[0], "x[0] \"tile\"\\\n", 0.005, 0.004);
  EXPECT_EQ(slices[0]["args"], json({{"bytes", 4096}}));
}

TEST_F(Perfetto, AWindowCutsSlicesAndSaysSo) {
  start(window("40:75"));
  recorder->instruction(grad_accumulate());
  recorder->instruction(plain_word(isa::Engine::dve, 4, 100, 10, 20));
  recorder->semaphore({5, 3, "host", 10 * kCycle});
  recorder->semaphore({5, 4, "host", 50 * kCycle});
  recorder->semaphore({5, 5, "host", 75 * kCycle});
  finish();
  const std::vector<json> words = events("X", "dve");
  ASSERT_EQ(words.size(), 1u) << "the waits lie before, the second word after";
  expect_slice(words[0], "batch_norm_grad_accumulate2", 0.040, 0.035);
  EXPECT_EQ(words[0]["args"]["clipped"], true);
  EXPECT_EQ(words[0]["args"]["start_ns"], 30.0) << "of the whole";
  EXPECT_EQ(words[0]["args"]["cycles"], 60);
  const json drain = events("X", "dve drain").at(0);
  expect_slice(drain, "batch_norm_grad_accumulate2", 0.070, 0.005);
  for (const json& arrow : events("s")) EXPECT_EQ(arrow["ts"], 0.040) << "where its slice begins";
  const std::vector<json> counters = events("C");
  ASSERT_EQ(counters.size(), 2u);
  EXPECT_EQ(counters[0]["ts"], 0.040);
  EXPECT_EQ(counters[0]["args"]["value"], 3) << "what stood when the window opened";
  EXPECT_EQ(counters[1]["args"]["value"], 4);
}

TEST_F(Perfetto, AFilterKeepsWhatItNames) {
  start(filter("pool,ports,semaphores"));
  InstructionEvent of_pool = grad_accumulate();
  of_pool.engine = isa::Engine::pool;
  recorder->instruction(grad_accumulate());
  recorder->instruction(of_pool);
  recorder->semaphore({1, 1, "host", 0});
  recorder->transfer({"dma0", during(5, 9), isa::Bytes(1), "copy"});
  finish();
  std::set<std::string> names;
  for (const auto& [thread, name] : threads) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"pool", "pool drain", "pool.read0", "pool.read1", "pool.write"}));
  EXPECT_EQ(events("C").size(), 1u);
  EXPECT_EQ(events("s").size(), 3u);
}

TEST_F(Perfetto, PortsWithoutTheirWordsHaveNoArrows) {
  start(filter("ports"));
  recorder->instruction(grad_accumulate());
  finish();
  EXPECT_EQ(events("X").size(), 3u);
  EXPECT_EQ(events("s").size() + events("f").size(), 0u);
}

TEST_F(Perfetto, ALimitLeavesAWellFormedPrefixWithWholeArrows) {
  const std::uint64_t per_word = 14;
  start(limit(2 * per_word + per_word / 2));
  for (int k = 0; k < 5; ++k) recorder->instruction(grad_accumulate());
  finish();
  EXPECT_EQ(totals.written, 2 * per_word);
  EXPECT_EQ(totals.dropped, 3 * per_word);
  EXPECT_EQ(trace["otherData"], json::parse(R"({"events": "28", "dropped": "42"})"));
  EXPECT_EQ(events("X").size() + events("s").size() + events("f").size(), 2 * per_word);
  EXPECT_EQ(events("s").size(), events("f").size());
}

TEST_F(Perfetto, ATraceOfNothingIsWellFormed) {
  start();
  finish();
  ASSERT_EQ(trace["traceEvents"].size(), 1u);
  EXPECT_EQ(trace["traceEvents"][0]["args"]["name"], "core");
}

TEST_F(Perfetto, WordsWithoutTimeHaveNoWaitsAndNoDrain) {
  start();
  for (std::uint64_t k = 0; k < 3; ++k) recorder->instruction(plain_word(isa::Engine::dve, k, 0, 0, 0));
  finish();
  EXPECT_EQ(events("X").size(), 3u);
  EXPECT_EQ(threads.size(), 1u);
}

TEST_F(Perfetto, GzipHoldsTheSameText) {
  const auto record = [&](Format format, const std::string& name) {
    const std::unique_ptr<Recorder> to = make_recorder(format, folder / name, {});
    for (std::uint64_t k = 0; k < 2000; ++k) to->instruction(grad_accumulate());
    to->finish();
  };
  record(Format::perfetto, "a.json");
  record(Format::perfetto_gzip, "b.json.gz");
  record(Format::perfetto_gzip, "c.json.gz");
  EXPECT_EQ(testing_support::shell("gzip -dc " + (folder / "b.json.gz")).out, read_text(folder / "a.json"));
  EXPECT_EQ(read_text(folder / "b.json.gz"), read_text(folder / "c.json.gz")) << "no time stamp, no name";
  EXPECT_LT(read_text(folder / "b.json.gz").size(), read_text(folder / "a.json").size() / 10);
}

}  // namespace
}  // namespace perfetto_test
}  // namespace dve
