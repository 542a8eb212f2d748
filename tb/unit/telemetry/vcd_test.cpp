// Value changes: structure of the file, and the signals of words that overlap.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "events.h"

namespace dve {
namespace vcd_test {
namespace {

using namespace telemetry;
using namespace telemetry_events;
using testing_support::read_text;
using testing_support::ScratchFolder;

using Wave = std::map<std::uint64_t, std::string>;  // by time in fs: the value from then on

// A reader of its own: declarations, moments in order, values of declared signals only, none repeated.
struct VcdFile {
  explicit VcdFile(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> scopes;
    std::string token;
    while (in >> token && token != "$enddefinitions") read_declaration(in, token, scopes);
    EXPECT_TRUE(scopes.empty()) << "every $scope has its $upscope";
    in >> token;
    EXPECT_EQ(token, "$end");
    while (in >> token) read_change(in, token);
  }
  const Wave& wave(const std::string& name) const {
    EXPECT_TRUE(waves.count(name)) << name;
    return waves.at(name);
  }

  std::map<std::string, std::string> names;  // by code
  std::map<std::string, unsigned> widths;    // by name
  std::map<std::string, Wave> waves;         // by name
  std::vector<std::uint64_t> moments;
  std::string timescale;

 private:
  void read_declaration(std::istringstream& in, const std::string& keyword, std::vector<std::string>& scopes) {
    std::vector<std::string> words;
    for (std::string word; in >> word && word != "$end";) words.push_back(word);
    if (keyword == "$timescale")
      for (const std::string& word : words) timescale += word;
    if (keyword == "$scope") scopes.push_back(words.at(1));
    if (keyword == "$upscope") {
      ASSERT_FALSE(scopes.empty());
      scopes.pop_back();
    }
    if (keyword != "$var") return;
    std::string name;
    for (const std::string& scope : scopes) name += scope + ".";
    name += words.at(3);
    EXPECT_TRUE(names.emplace(words.at(2), name).second) << "code used twice: " << words.at(2);
    EXPECT_TRUE(widths.emplace(name, static_cast<unsigned>(std::stoul(words.at(1)))).second) << name;
    for (const char c : words.at(2)) EXPECT_TRUE(c >= '!' && c <= '~');
  }
  void read_change(std::istringstream& in, const std::string& token) {
    if (token == "$dumpvars" || token == "$end") return;
    if (token[0] == '#') {
      const std::uint64_t moment = std::stoull(token.substr(1));
      EXPECT_TRUE(moments.empty() || moment > moments.back()) << "moments ascend";
      moments.push_back(moment);
      return;
    }
    std::string value = token, code;
    if (token[0] == 'b') {
      value = token.substr(1);
      in >> code;
    } else {
      value = token.substr(0, 1);
      code = token.substr(1);
    }
    ASSERT_TRUE(names.count(code)) << "undeclared: " << code;
    ASSERT_FALSE(moments.empty());
    const std::string& name = names[code];
    EXPECT_LE(value.size(), widths[name]);
    EXPECT_EQ(value.find_first_not_of("01x"), std::string::npos) << value;
    Wave& wave = waves[name];
    EXPECT_TRUE(wave.empty() || wave.rbegin()->second != value) << name << " repeats " << value;
    wave[moments.back()] = value;
  }
};

class Vcd : public testing::Test {
 protected:
  void start(const Selection& selection = {}) { recorder = make_recorder(Format::vcd, folder / "t.vcd", selection); }
  VcdFile finish() {
    totals = recorder->finish();
    return VcdFile(read_text(folder / "t.vcd"));
  }
  static Wave wave(const std::vector<std::pair<std::uint64_t, std::string>>& cycles) {
    Wave all;
    for (const auto& [cycle, value] : cycles) all[cycle * kCycle] = value;
    return all;
  }
  ScratchFolder folder;
  std::unique_ptr<Recorder> recorder;
  Recorder::Totals totals;
};

TEST_F(Vcd, AWordDrivesTheSignalsOfWhatItUses) {
  start();
  recorder->instruction(grad_accumulate());
  const VcdFile file = finish();
  EXPECT_EQ(file.timescale, "1fs");
  EXPECT_EQ(file.wave("core.dve.opcode"), wave({{0, "x"}, {30, "10010100"}, {80, "x"}}));
  EXPECT_EQ(file.wave("core.dve.word"), wave({{0, "x"}, {30, "11"}, {80, "x"}}));
  EXPECT_EQ(file.wave("core.dve.in_flight"), wave({{0, "0"}, {30, "1"}, {90, "0"}}));
  EXPECT_EQ(file.wave("core.dve.read0"), wave({{0, "0"}, {30, "1"}, {70, "0"}}));
  EXPECT_EQ(file.wave("core.dve.write"), wave({{0, "0"}, {60, "1"}, {90, "0"}}));
  EXPECT_EQ(file.wave("core.banks.psum_3"), wave({{0, "0"}, {30, "1"}, {70, "0"}}));
  EXPECT_EQ(file.waves.size(), 7u) << "nothing that the run did not use";
  EXPECT_EQ(file.widths.at("core.dve.opcode"), 8u);
  EXPECT_EQ(file.widths.at("core.dve.read0"), 1u);
}

TEST_F(Vcd, BackToBackWordsLeaveNoGapAndOverlapInFlight) {
  start();
  for (std::uint64_t k = 0; k < 3; ++k) recorder->instruction(plain_word(isa::Engine::act, k, 10 * k, 10, 25));
  const VcdFile file = finish();
  EXPECT_EQ(file.wave("core.act.opcode"), wave({{0, "10100100"}, {30, "x"}}));
  EXPECT_EQ(file.wave("core.act.word"), wave({{0, "0"}, {10, "1"}, {20, "10"}, {30, "x"}}));
  EXPECT_EQ(file.wave("core.act.in_flight"),
            wave({{0, "1"}, {10, "10"}, {20, "11"}, {25, "10"}, {35, "1"}, {45, "0"}}));
}

TEST_F(Vcd, EnginesThatRunAheadOfEachOtherComeInOrder) {
  start();
  // One engine reports ten thousand words before the other its first: more than wait in memory.
  constexpr std::uint64_t kWords = 10'000;
  for (const isa::Engine engine : {isa::Engine::dve, isa::Engine::pool}) {
    for (std::uint64_t k = 0; k < kWords; ++k) recorder->instruction(plain_word(engine, k, 10 * k, 8, 9));
  }
  const VcdFile file = finish();
  EXPECT_EQ(file.wave("core.dve.opcode").size(), 2 * kWords);
  EXPECT_EQ(file.wave("core.pool.opcode"), file.wave("core.dve.opcode"));
  EXPECT_EQ(file.wave("core.pool.word"), file.wave("core.dve.word"));
  EXPECT_EQ(file.wave("core.pool.in_flight"), file.wave("core.dve.in_flight"));
}

TEST_F(Vcd, SemaphoresAreTwosComplement) {
  start();
  recorder->semaphore({5, 6, "host", 10 * kCycle});
  recorder->semaphore({5, -1, "host", 20 * kCycle});
  const VcdFile file = finish();
  EXPECT_EQ(file.wave("core.semaphores.semaphore_5"),
            wave({{0, "0"}, {10, "110"}, {20, "11111111111111111111111111111111"}}));
}

TEST_F(Vcd, TransfersAreCountedForEachUser) {
  start();
  recorder->transfer({"dma 0", during(5, 9), isa::Bytes(1), "a"});
  recorder->transfer({"dma 0", during(7, 12), isa::Bytes(1), "b"});
  const VcdFile file = finish();
  EXPECT_EQ(file.wave("core.transfers.dma_0"), wave({{0, "0"}, {5, "1"}, {7, "10"}, {9, "1"}, {12, "0"}}));
}

TEST_F(Vcd, AWindowBeginsWithTheValuesAtItsStart) {
  start(window("40:75"));
  recorder->instruction(grad_accumulate());
  recorder->semaphore({5, 3, "host", 10 * kCycle});
  recorder->semaphore({5, 4, "host", 80 * kCycle});
  const VcdFile file = finish();
  EXPECT_EQ(file.moments.front(), 40 * kCycle);
  EXPECT_EQ(file.wave("core.dve.opcode"), wave({{40, "10010100"}, {75, "x"}}));
  EXPECT_EQ(file.wave("core.dve.read0"), wave({{40, "1"}, {70, "0"}}));
  EXPECT_EQ(file.wave("core.semaphores.semaphore_5"), wave({{40, "11"}}));
  EXPECT_LE(file.moments.back(), 75 * kCycle);
}

TEST_F(Vcd, FilterAndLimit) {
  start(filter("banks"));
  recorder->instruction(grad_accumulate());
  recorder->semaphore({5, 3, "host", 10 * kCycle});
  EXPECT_EQ(finish().waves.size(), 1u);

  start(limit(7));
  for (std::uint64_t k = 0; k < 10; ++k) recorder->instruction(plain_word(isa::Engine::dve, k, 10 * k + 1, 10, 10));
  const VcdFile file = finish();
  // The first moment of a word changes three values, the next ones only the word's number.
  EXPECT_EQ(file.moments.size(), 1u + 5) << "initial values, the first word, four more";
  EXPECT_EQ(totals.written, 7u);
  EXPECT_EQ(totals.dropped, 5u + 3) << "five more words, and all three values at the end";
}

TEST_F(Vcd, ManySignalsHaveCodesOfTheirOwn) {
  start();
  for (unsigned k = 0; k < 256; ++k) recorder->semaphore({static_cast<std::uint8_t>(k), 1, "host", kCycle});
  for (unsigned k = 0; k < 9000; ++k) recorder->transfer({"u" + std::to_string(k), during(1, 2), isa::Bytes(1), "x"});
  EXPECT_EQ(finish().names.size(), 256u + 9000u);
}

TEST_F(Vcd, ATraceOfNothingIsWellFormed) {
  start();
  const VcdFile file = finish();
  EXPECT_TRUE(file.waves.empty());
  EXPECT_EQ(file.moments, std::vector<std::uint64_t>{0});
}

}  // namespace
}  // namespace vcd_test
}  // namespace dve
