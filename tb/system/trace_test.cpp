// --trace from outside: what stands in the files, that they change nothing, and that they are well-formed however a run
// ends.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "sim_checks.h"
#include "support/words_file.h"

namespace dve {
namespace trace_test {
namespace {

using namespace sim_checks;
using namespace testing_support;
using nlohmann::json;

constexpr double kRounding = 2e-9;  // us: two times of nine decimals as binary64

std::vector<std::map<std::string, std::string>> csv_lines(const std::string& path) {
  std::istringstream in(read_text(path));
  const auto cells = [](const std::string& line) {
    std::istringstream cell_stream(line);
    std::vector<std::string> all;
    for (std::string cell; std::getline(cell_stream, cell, ',');) all.push_back(cell);
    return all;
  };
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells(line);
  std::vector<std::map<std::string, std::string>> lines;
  while (std::getline(in, line)) {
    const std::vector<std::string> values = cells(line);
    EXPECT_EQ(values.size(), names.size()) << line;
    lines.emplace_back();
    for (std::size_t k = 0; k < std::min(names.size(), values.size()); ++k) lines.back()[names[k]] = values[k];
  }
  return lines;
}

json trace_of(const std::string& path) { return json::parse(read_text(path)); }

std::vector<json> of_phase(const json& trace, const std::string& phase) {
  std::vector<json> found;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == phase) found.push_back(event);
  }
  return found;
}

std::map<int, std::string> threads_of(const json& trace) {
  std::map<int, std::string> threads;
  for (const json& event : of_phase(trace, "M")) {
    if (event["name"] != "thread_name") continue;
    EXPECT_TRUE(threads.emplace(event["tid"].get<int>(), event["args"]["name"].get<std::string>()).second) << event;
  }
  return threads;
}

// What every trace keeps to: known phases with their keys, named threads, slices of a thread that do not overlap and
// lie from `from` to `to` (us), arrows in pairs that begin where a slice of their thread begins.
void expect_schema(const json& trace, double from, double to) {
  ASSERT_TRUE(trace["traceEvents"].is_array());
  const std::map<int, std::string> threads = threads_of(trace);
  std::map<int, std::vector<std::pair<double, double>>> slices;
  std::set<std::pair<int, double>> begins;
  std::map<int, int> arrows;
  for (const json& e : trace["traceEvents"]) {
    const std::string phase = e["ph"];
    ASSERT_NE(std::string("MXCsf").find(phase), std::string::npos) << e;
    ASSERT_EQ(e["pid"], 1) << e;
    ASSERT_TRUE(e["name"].is_string()) << e;
    if (phase == "M") continue;
    const double ts = e["ts"].get<double>();
    ASSERT_GE(ts, from) << e;
    ASSERT_LE(ts, to) << e;
    if (phase == "C") {
      ASSERT_TRUE(e["args"]["value"].is_number_integer()) << e;
      continue;
    }
    const int thread = e["tid"].get<int>();
    ASSERT_TRUE(threads.count(thread)) << e;
    if (phase == "X") {
      ASSERT_TRUE(e["args"].is_object()) << e;
      ASSERT_GE(e["dur"].get<double>(), 0) << e;
      ASSERT_LE(ts + e["dur"].get<double>(), to + kRounding) << e;
      slices[thread].emplace_back(ts, ts + e["dur"].get<double>());
      begins.emplace(thread, ts);
      continue;
    }
    ASSERT_TRUE(begins.count({thread, ts})) << "no slice begins there (before it in the file): " << e;
    arrows[e["id"].get<int>()] += phase == "s" ? 1 : 10;
  }
  for (const auto& [id, ends] : arrows) EXPECT_EQ(ends, 11) << "arrow " << id;
  for (auto& [thread, all] : slices) {
    std::sort(all.begin(), all.end());
    for (std::size_t k = 1; k < all.size(); ++k)
      ASSERT_LE(all[k - 1].second, all[k].first + kRounding) << threads.at(thread) << " at " << all[k].first;
  }
}

void expect_vcd(const std::string& text) {
  EXPECT_NE(text.find("$timescale 1 fs $end"), std::string::npos);
  EXPECT_NE(text.find("$enddefinitions $end\n#"), std::string::npos);
  std::istringstream lines(text);
  std::uint64_t last = 0;
  std::size_t moments = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line[0] != '#') continue;
    const std::uint64_t moment = std::stoull(line.substr(1));
    EXPECT_TRUE(moments == 0 || moment > last) << line;
    last = moment;
    ++moments;
  }
  EXPECT_GE(moments, 1u);
}

const std::string kFull = "run " + layer_folder("10") + " --step full --quiet ";

class Trace : public testing::Test {
 protected:
  std::string all_formats() const {
    std::string options;
    for (const char* name : {"t.json", "t.json.gz", "t.vcd", "t.csv"}) options += " --trace " + (folder / name);
    return options + " ";
  }
  void expect_well_formed() const {
    expect_schema(trace_of(folder / "t.json"), 0, 1e12);
    EXPECT_EQ(shell("gzip -dc " + (folder / "t.json.gz")).out, read_text(folder / "t.json"));
    expect_vcd(read_text(folder / "t.vcd"));
    csv_lines(folder / "t.csv");
  }
  ScratchFolder folder;
};

TEST_F(Trace, ChangesNoResultAndNoCycle) {
  ASSERT_EQ(dve_sim(kFull + "--out " + (folder / "a")).code, 0);
  ASSERT_EQ(dve_sim(kFull + "--out " + (folder / "b") + all_formats()).code, 0);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "a")) {
    const std::string name = entry.path().filename().string();
    EXPECT_EQ(read_text(folder / ("a/" + name)), read_text(folder / ("b/" + name))) << name;
    ++files;
  }
  EXPECT_GE(files, 8u);
  const std::string program = "exec " + (folder / "a/program.bin") + " --quiet --host-steps " +
                              (folder / "a/program.json") + " --config " + (folder / "a/config.json") + " --out ";
  ASSERT_EQ(dve_sim(program + (folder / "c")).code, 0);
  ASSERT_EQ(dve_sim(program + (folder / "d") + all_formats()).code, 0);
  EXPECT_EQ(read_text(folder / "c/report.json"), read_text(folder / "d/report.json"));
}

TEST_F(Trace, OfALargerRunKeepsToTheSchema) {
  const std::string run = "run " + layer_folder("1") + " --step full --microbatches 4 --dtype bf16 --quiet --out ";
  ASSERT_EQ(dve_sim(run + (folder / "out") + all_formats()).code, 0);
  const json report = report_of(folder / "out");
  expect_schema(trace_of(folder / "t.json"), 0, report["time_ns"].get<double>() / 1000 + 1e-6);
  expect_well_formed();
  const json trace = trace_of(folder / "t.json");
  std::set<std::string> names;
  for (const auto& [thread, name] : threads_of(trace)) names.insert(name);
  for (const char* name :
       {"dve", "pool", "act", "dve drain", "dve.read0", "dve.read1", "dve.write", "act.read0", "pool.write", "sbuf.0"})
    EXPECT_TRUE(names.count(name)) << name;
  EXPECT_GT(of_phase(trace, "C").size(), 0u);
  EXPECT_GT(of_phase(trace, "s").size(), 0u);
}

// Words, bytes and moments against the report and the clock's definition: round(cycles * 1e15 / hz) fs.
TEST_F(Trace, AgreesWithTheReportAndTheClock) {
  ASSERT_EQ(dve_sim(kFull + "--set timing.dve.clock_mhz=1120 --out " + (folder / "out") + all_formats()).code, 0);
  const json report = report_of(folder / "out");
  const auto lines = csv_lines(folder / "t.csv");
  EXPECT_EQ(lines.size(), report["instructions"].get<std::size_t>());
  std::map<std::string, int> opcodes;
  std::map<std::pair<std::string, std::string>, double> starts;
  std::uint64_t read = 0, last = 0;
  for (const auto& line : lines) {
    ++opcodes[line.at("opcode")];
    starts[{line.at("engine"), line.at("word")}] = std::stod(line.at("start_ns"));
    if (line.at("engine") != "dve") continue;
    read += std::stoull(line.at("read_bytes"));
    last = std::max<std::uint64_t>(last, std::stoull(line.at("complete")));
    for (const char* moment : {"start", "read_done", "complete", "next_issue"}) {
      // A cycle of 1.12 GHz is 25e6 / 28 fs.
      const std::uint64_t fs = (std::stoull(line.at(moment)) * 25'000'000 * 2 + 28) / (2 * 28);
      std::string decimals = std::to_string(fs % 1'000'000);
      decimals.insert(0, 6 - decimals.size(), '0');
      EXPECT_EQ(line.at(std::string(moment) + "_ns"), std::to_string(fs / 1'000'000) + "." + decimals);
    }
  }
  EXPECT_EQ(json(opcodes), report["opcodes"]);
  EXPECT_EQ(last, report["engines"]["dve"]["cycles"].get<std::uint64_t>());
  std::uint64_t expected_read = 0;
  for (const char* port : {"dve.read0", "dve.read1", "dve.param"})
    expected_read += report["ports"][port]["read_bytes"].get<std::uint64_t>();
  EXPECT_EQ(read, expected_read);
  const json trace = trace_of(folder / "t.json");
  const std::map<int, std::string> threads = threads_of(trace);
  std::size_t words = 0;
  for (const json& slice : of_phase(trace, "X")) {
    if (!slice["args"].contains("pc")) continue;
    const std::pair<std::string, std::string> key(threads.at(slice["tid"].get<int>()), slice["args"]["word"].dump());
    ASSERT_TRUE(starts.count(key)) << slice;
    EXPECT_NEAR(slice["ts"].get<double>() * 1000, starts[key], 1e-6);
    ++words;
  }
  EXPECT_EQ(words, lines.size());
}

TEST_F(Trace, SemaphoresEndAtTheirLastValues) {
  write_text(folder / "p.dasm",
             ".engine dve\nnop update=sem[30]+=5\nnop update=sem[30]--\nnop update=sem[31]++\nnop update=sem[31]=1\n"
             ".engine pool\nnop wait=sem[30]>=4 update=sem[40]=4\n");
  ASSERT_EQ(dve_sim("exec " + (folder / "p.dasm") + " --quiet" + all_formats()).code, 0);
  expect_well_formed();
  std::map<std::string, std::vector<int>> values;
  std::map<std::string, std::set<std::string>> who;
  for (const json& counter : of_phase(trace_of(folder / "t.json"), "C")) {
    values[counter["name"]].push_back(counter["args"]["value"]);
    who[counter["name"]].insert(counter["cat"].get<std::string>());
  }
  EXPECT_EQ(values["semaphore 30"], (std::vector<int>{0, 5, 4}));
  EXPECT_EQ(values["semaphore 31"], (std::vector<int>{0, 1})) << "a write of the same value is no change";
  EXPECT_EQ(values["semaphore 40"], (std::vector<int>{0, 4}));
  EXPECT_EQ(who["semaphore 40"], (std::set<std::string>{"initial", "pool"}));
  EXPECT_EQ(values.size(), 3u);
}

TEST_F(Trace, AWindowAndAFilterKeepWhatTheyName) {
  ASSERT_EQ(dve_sim(kFull + all_formats() + "--trace-window 2000:4500.5 --trace-filter dve,pool,ports,semaphores").code,
            0);
  const json trace = trace_of(folder / "t.json");
  expect_schema(trace, 2.0, 4.5005);
  std::size_t slices = 0;
  for (const auto& [thread, name] : threads_of(trace)) {
    EXPECT_TRUE(name.rfind("dve", 0) == 0 || name.rfind("pool", 0) == 0) << name;
    ++slices;
  }
  EXPECT_GT(slices, 2u);
  const auto lines = csv_lines(folder / "t.csv");
  EXPECT_GT(lines.size(), 2u);
  for (const auto& line : lines) {
    EXPECT_NE(line.at("engine"), "act");
    EXPECT_LT(std::stod(line.at("start_ns")), 4500.5);
    EXPECT_GT(std::max(std::stod(line.at("complete_ns")), std::stod(line.at("next_issue_ns"))), 2000);
  }
  const std::string vcd = read_text(folder / "t.vcd");
  expect_vcd(vcd);
  EXPECT_NE(vcd.find("$end\n#2000000000\n$dumpvars"), std::string::npos);
  EXPECT_EQ(vcd.find("module act"), std::string::npos);
  EXPECT_EQ(vcd.find("module banks"), std::string::npos);
}

TEST_F(Trace, ALimitEndsFilesWellFormedAndWarns) {
  const ProcessResult r = dve_sim(kFull.substr(0, kFull.find("--quiet")) + all_formats() + "--trace-limit 50");
  EXPECT_EQ(r.code, 0);
  expect_well_formed();
  for (const char* name : {"t.json", "t.json.gz", "t.vcd", "t.csv"})
    expect_pieces(r.err, {"dve-sim: warning: " + (folder / name) + ": ", " dropped: --trace-limit is 50"});
  EXPECT_EQ(csv_lines(folder / "t.csv").size(), 50u);
  const json trace = trace_of(folder / "t.json");
  EXPECT_LE(of_phase(trace, "X").size() + of_phase(trace, "s").size() + of_phase(trace, "f").size() +
                of_phase(trace, "C").size(),
            50u);
}

TEST_F(Trace, AnyEndLeavesWellFormedFiles) {
  const auto ends = [&](int code, const std::string& arguments, std::size_t words) {
    SCOPED_TRACE(arguments);
    EXPECT_EQ(dve_sim(arguments + " --quiet" + all_formats()).code, code);
    expect_well_formed();
    EXPECT_EQ(csv_lines(folder / "t.csv").size(), words);
  };
  // 208 cycles from start to completion, a word every 134 (U = 64, L = 144, g = 70 is in the second).
  write_program(folder / "p.bin", std::vector<isa::Word>(10, grad_accumulate_word(8)));
  ends(0, "exec " + (folder / "p.bin"), 10);
  write_program(folder / "fault.bin", {grad_accumulate_word(8), grad_accumulate_word(8, 4)});
  ends(4, "exec " + (folder / "fault.bin"), 1);
  write_program(folder / "wait.bin", {grad_accumulate_word(8), waiting_word()});
  ends(5, "exec " + (folder / "wait.bin"), 1);
  EXPECT_EQ(dve_sim("exec " + (folder / "p.bin") + " --quiet --max-cycles 500" + all_formats()).code, 5);
  expect_well_formed();
  const std::size_t before_the_limit = csv_lines(folder / "t.csv").size();
  EXPECT_GE(before_the_limit, 1u);
  EXPECT_LT(before_the_limit, 10u);
}

TEST_F(Trace, CtrlCLeavesWellFormedFiles) {
  write_program(folder / "p.bin", std::vector<isa::Word>(200000, grad_accumulate_word(8000)));
  const ProcessResult r = shell(DVE_SIM_PROGRAM " exec " + (folder / "p.bin") + " --quiet" + all_formats() +
                                "--trace-limit 1000 & pid=$!; sleep 1; kill -INT $pid; wait $pid");
  EXPECT_EQ(r.code, 130) << r.err;
  expect_well_formed();
}

TEST_F(Trace, FunctionalRunsAreTracedAtTimeZeroWithAWarning) {
  const ProcessResult r = dve_sim("run --abstraction functional" + all_formats());
  EXPECT_EQ(r.code, 0);
  expect_pieces(r.err, {"dve-sim: warning: abstraction functional has no time"});
  expect_schema(trace_of(folder / "t.json"), 0, 0);
  EXPECT_EQ(csv_lines(folder / "t.csv").size(), 3u);
}

TEST_F(Trace, MistakesOnTheCommandLineExitWith2) {
  for (const char* name : {"t.fst", "t", "t.json.xz", "t.gz"})
    expect_error(dve_sim("run --quiet --trace " + (folder / name)), 2,
                 {"--trace", name, ".json, .json.gz, .vcd or .csv"});
  const std::string run = "run --quiet --trace " + (folder / "t.json");
  expect_error(dve_sim(run + " --trace-window 5"), 2, {"--trace-window is '5'", "FROM:TO in ns"});
  expect_error(dve_sim(run + " --trace-window 9:3"), 2, {"--trace-window", "9:3"});
  expect_error(dve_sim(run + " --trace-filter dve,prots"), 2, {"--trace-filter", "'prots'", "ports", "semaphores"});
  expect_error(dve_sim(run + " --trace-limit 0"), 2, {"--trace-limit", "0"});
  expect_error(dve_sim("run --quiet --trace-window 0:5"), 2, {"--trace-window needs --trace"});
  expect_error(dve_sim("run --quiet --trace-filter dve"), 2, {"--trace-filter needs --trace"});
  expect_error(dve_sim("run --quiet --trace-limit 5"), 2, {"--trace-limit needs --trace"});
  EXPECT_FALSE(std::filesystem::exists(folder / "t.json"));
}

TEST_F(Trace, OverwritesNoOtherFileOfTheRun) {
  write_text(folder / "p.dasm", "nop\n");
  const std::string json_file = folder / "t.json", trace = " --trace " + json_file;
  const auto refused = [&](const std::string& arguments, const std::string& name) {
    expect_error(dve_sim(arguments), 2, {name, "is named twice"});
  };
  refused("run --quiet" + trace + trace, "t.json");
  refused("run --quiet" + trace + " --profile " + json_file, "t.json");
  refused("exec " + (folder / "p.dasm") + " --quiet" + trace + " --profile " + json_file, "t.json");
  refused("exec " + (folder / "p.dasm") + " --quiet" + trace + " --notifications " + json_file, "t.json");
  refused("run --quiet --out " + folder.path() + " --trace " + (folder / "report.json"), "report.json");
  const ProcessResult config = dve_sim("run --quiet --out " + (folder / "out"));
  ASSERT_EQ(config.code, 0);
  const std::string before = read_text(folder / "out/config.json");
  refused("run --quiet --config " + (folder / "out/config.json") + " --trace " + (folder / "out/config.json"),
          "config.json");
  refused("exec " + (folder / "out/program.bin") + " --quiet --host-steps " + (folder / "out/program.json") +
              " --trace " + (folder / "out/program.json"),
          "program.json");
  EXPECT_EQ(read_text(folder / "out/config.json"), before);
  EXPECT_EQ(dve_sim("run --quiet --trace " + json_file + " --profile " + (folder / "p.json")).code, 0);
}

TEST_F(Trace, FilesThatCannotBeWrittenExitWith6) {
  expect_error(dve_sim("run --quiet --trace " + (folder / "no/t.json")), 6, {"no/t.json", "No such file"});
  std::filesystem::create_directory(folder / "d.csv");
  expect_error(dve_sim("run --quiet --trace " + (folder / "d.csv")), 6, {"d.csv", "directory"});
  // A name with a trace's extension that leads to a full device.
  for (const char* name : {"full.json", "full.json.gz", "full.vcd", "full.csv"}) {
    std::filesystem::create_symlink("/dev/full", folder / name);
    const ProcessResult r = dve_sim("run --quiet --trace " + (folder / name) + " --out " + (folder / "out"));
    expect_error(r, 6, {name, "No space left"});
    EXPECT_EQ(report_of(folder / "out")["status"], "ok") << "the run itself is not lost";
  }
  const ProcessResult both =
      dve_sim("run --quiet --trace " + (folder / "t.json") + " --trace " + (folder / "no/t.csv"));
  EXPECT_EQ(both.code, 6);
  EXPECT_FALSE(std::filesystem::exists(folder / "t.json")) << "nothing has run";
}

TEST_F(Trace, HelpTeachesTheOptions) {
  for (const char* command : {"run --help", "exec --help"})
    expect_pieces(dve_sim(command).out,
                  {"--trace FILE", "--trace-window FROM:TO", "--trace-filter NAME", "--trace-limit N", ".json.gz",
                   "ui.perfetto.dev", ".vcd", ".csv", " --trace "});
}

}  // namespace
}  // namespace trace_test
}  // namespace dve
