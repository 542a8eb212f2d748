// One line a word.
#include <gtest/gtest.h>

#include <algorithm>

#include "events.h"

namespace dve {
namespace csv_test {
namespace {

using namespace telemetry;
using namespace telemetry_events;
using testing_support::read_text;
using testing_support::ScratchFolder;

const std::string kHeader =
    "engine,word,pc,opcode,start,read_done,complete,next_issue,start_ns,read_done_ns,complete_ns,next_issue_ns,"
    "wait_cycles,hazard_cycles,stall_cycles,read_bytes,written_bytes\n";

class Csv : public testing::Test {
 protected:
  std::string recorded(const Selection& selection, const std::vector<InstructionEvent>& words) {
    const std::unique_ptr<Recorder> recorder = make_recorder(Format::csv, folder / "t.csv", selection);
    for (const InstructionEvent& word : words) recorder->instruction(word);
    recorder->semaphore({1, 1, "host", 0});
    recorder->transfer({"dma0", during(0, 1), isa::Bytes(1), "copy"});
    totals = recorder->finish();
    const std::string text = read_text(folder / "t.csv");
    EXPECT_EQ(text.substr(0, kHeader.size()), kHeader);
    return text.substr(std::min(text.size(), kHeader.size()));
  }
  ScratchFolder folder;
  Recorder::Totals totals;
};

TEST_F(Csv, ALineHoldsCyclesNanosecondsWaitsAndBytes) {
  InstructionEvent odd = plain_word(isa::Engine::pool, 1, 7, 2, 3);
  odd.start.fs = 1'041'667;
  EXPECT_EQ(recorded({}, {grad_accumulate(), odd}),
            "dve,3,0xc0,batch_norm_grad_accumulate2,30,70,90,80,30.000000,70.000000,90.000000,80.000000,5,10,2,768,12\n"
            "pool,1,0x40,nop,7,9,10,9,1.041667,9.000000,10.000000,9.000000,0,0,0,0,0\n");
  EXPECT_EQ(totals.written, 2u);
}

TEST_F(Csv, WordsPartlyInTheWindowStayWhole) {
  const std::vector<InstructionEvent> words = {plain_word(isa::Engine::dve, 0, 0, 10, 20),
                                               plain_word(isa::Engine::dve, 1, 10, 10, 20),
                                               plain_word(isa::Engine::dve, 2, 30, 10, 20)};
  const std::string text = recorded(window("20:30"), words);
  EXPECT_EQ(text.rfind("dve,1,0x40,nop,10,", 0), 0u) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST_F(Csv, FilterAndLimit) {
  const std::vector<InstructionEvent> words = {plain_word(isa::Engine::dve, 0, 0, 10, 20),
                                               plain_word(isa::Engine::act, 7, 0, 10, 20)};
  EXPECT_EQ(recorded(filter("act"), words).rfind("act,7,", 0), 0u);
  EXPECT_EQ(recorded(filter("ports"), words), "");
  EXPECT_EQ(recorded(limit(1), words).rfind("dve,0,", 0), 0u);
  EXPECT_EQ(totals.written, 1u);
  EXPECT_EQ(totals.dropped, 1u);
}

}  // namespace
}  // namespace csv_test
}  // namespace dve
