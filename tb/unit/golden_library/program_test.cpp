// Whole programs of real layers: memory and the cycles of every word on the golden, against `dve-sim exec` of the same.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "handle.h"
#include "support/process.h"
#include "support/words_file.h"

namespace dve::golden_tests {
namespace {

using namespace testing_support;

constexpr std::size_t kRow = 0x2800;  // binary32 of each partition that the programs use

struct Stream {
  isa::Engine engine;
  std::size_t next, end;  // words of the program
};

// A word's line of `dve-sim exec --trace FILE.csv`.
struct Line {
  std::string opcode;
  std::uint64_t start = 0, read_done = 0, complete = 0, next_issue = 0, stalls = 0;
};
using Lines = std::map<std::pair<std::string, std::uint64_t>, Line>;  // by engine and word

Lines read_lines(const std::string& csv) {
  std::istringstream text(read_text(csv));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line.rfind("engine,word,pc,opcode,start,read_done,complete,next_issue,", 0), 0u);
  Lines lines;
  while (std::getline(text, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    lines[{cells[0], std::stoull(cells[1])}] = {cells[3],
                                                std::stoull(cells[4]),
                                                std::stoull(cells[5]),
                                                std::stoull(cells[6]),
                                                std::stoull(cells[7]),
                                                std::stoull(cells[14])};
  }
  return lines;
}

std::vector<float> random_rows() {
  std::mt19937 random(5);
  std::vector<float> values(128 * kRow);
  for (float& v : values) v = static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 512;
  return values;
}

void expect_line(Golden& g, const Lines& lines, const Stream& stream, std::uint64_t number) {
  const std::string engine(isa::to_string(stream.engine));
  SCOPED_TRACE(engine + " word " + std::to_string(number));
  const auto found = lines.find({engine, number});
  ASSERT_TRUE(found != lines.end());
  const dve_golden_schedule s = g.schedule(stream.engine);
  EXPECT_EQ(found->second.stalls, 0u) << "nobody is in the way";
  EXPECT_EQ(s.start, found->second.start) << found->second.opcode;
  EXPECT_EQ(s.read_done, found->second.read_done) << found->second.opcode;
  EXPECT_EQ(s.complete, found->second.complete) << found->second.opcode;
  EXPECT_EQ(s.next_issue, found->second.next_issue) << found->second.opcode;
}

// Each engine as far as it comes, again and again.
std::size_t execute(Golden& g, const std::string& program, std::vector<Stream> streams, const Lines& lines) {
  std::vector<std::size_t> first;
  for (const Stream& s : streams) first.push_back(s.next);
  std::size_t executed = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t k = 0; k < streams.size(); ++k) {
      Stream& s = streams[k];
      while (s.next < s.end) {
        const auto* const word = reinterpret_cast<const std::uint8_t*>(program.data() + 64 * s.next);
        const dve_golden_status status = dve_golden_execute(g.get(), static_cast<int>(s.engine), word);
        if (status == DVE_GOLDEN_WAITING) break;
        EXPECT_EQ(status, DVE_GOLDEN_OK) << g.message();
        if (status != DVE_GOLDEN_OK) return executed;
        expect_line(g, lines, s, s.next - first[k]);
        ++s.next;
        ++executed;
        moved = true;
      }
    }
  }
  return executed;
}

class LayerPrograms : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(LayerPrograms, GiveTheBytesAndTheCyclesOfTheSimulator) {
  const auto [layer, generation] = GetParam();
  const ScratchFolder folder;
  const std::string out = folder / "out", config = std::string(" --config ") + generation;
  ProcessResult r = dve_sim("run " DVE_TEST_DATA_DIR "/digits_cnn/" + std::string(layer) +
                            " --step full --no-data --quiet --out " + out + config);
  ASSERT_EQ(r.code, 0) << r.err;
  const auto json = nlohmann::json::parse(read_text(out + "/program.json"));
  ASSERT_EQ(json["steps"].size(), 0u) << "no host is needed";
  std::vector<Stream> streams;
  std::string stream_options;
  for (const auto& s : json["streams"]) {
    const std::size_t first = s["first"], count = s["count"];
    const std::string name = s["engine"];
    streams.push_back({*isa::engine_from_string(name), first, first + count});
    stream_options += " --stream " + name + "=" + std::to_string(first) + ":" + std::to_string(count);
  }
  const std::vector<float> before = random_rows();
  write_npy_fp32(folder / "before.npy", {128, kRow}, before);
  r = dve_sim("exec " + out + "/program.bin --quiet" + config + stream_options +
              " --load sbuf[0]+0x0=" + (folder / "before.npy") + " --dump sbuf[0]+0x0:128x" + std::to_string(kRow) +
              ":fp32=" + (folder / "after.npy") + " --trace " + (folder / "words.csv"));
  ASSERT_EQ(r.code, 0) << r.err;
  const std::vector<float> after = read_npy_fp32(folder / "after.npy");
  const Lines lines = read_lines(folder / "words.csv");

  Golden g(generation);
  for (std::uint32_t p = 0; p < 128; ++p) g.write(sbuf(p, 0), before.data() + p * kRow, 4 * kRow);
  EXPECT_EQ(execute(g, read_text(out + "/program.bin"), streams, lines), lines.size());
  EXPECT_EQ(lines.size(), json["words"]);
  std::vector<float> row(kRow);
  for (std::uint32_t p = 0; p < 128; ++p) {
    g.read(sbuf(p, 0), row.data(), 4 * kRow);
    ASSERT_EQ(std::memcmp(row.data(), after.data() + p * kRow, 4 * kRow), 0) << "partition " << p;
  }
  EXPECT_NE(std::memcmp(before.data(), after.data(), 4 * before.size()), 0);
}

INSTANTIATE_TEST_SUITE_P(Bundled, LayerPrograms,
                         testing::Combine(testing::Values("1", "4", "7", "10"),
                                          testing::Values("cayman", "mariana", "maverick")),
                         [](const auto& c) {
                           return "layer" + std::string(std::get<0>(c.param)) + "_" + std::get<1>(c.param);
                         });

}  // namespace
}  // namespace dve::golden_tests
