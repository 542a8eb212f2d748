// Where traces go, and what happens when they cannot.
#include <gtest/gtest.h>

#include <filesystem>

#include "events.h"

namespace dve {
namespace trace_file_test {
namespace {

namespace fs = std::filesystem;
using namespace telemetry;
using testing_support::read_text;
using testing_support::ScratchFolder;
using testing_support::write_text;

std::size_t files_in(const ScratchFolder& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const TraceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TraceFile, AppearsWholeWhenItIsClosed) {
  const ScratchFolder folder;
  const std::string path = folder / "t.json";
  write_text(path, "older");
  std::string expected;
  TraceFile file(path, Compression::none);
  for (int k = 0; k < 50'000; ++k) {
    const std::string piece = std::to_string(k) + "\n";
    file.write(piece);
    expected += piece;
  }
  EXPECT_EQ(read_text(path), "older");
  file.close();
  EXPECT_EQ(read_text(path), expected);
  EXPECT_EQ(files_in(folder), 1u) << "nothing temporary stays";
}

TEST(TraceFile, LeavesNothingWhenItIsNotClosed) {
  const ScratchFolder folder;
  for (const Compression compression : {Compression::none, Compression::gzip}) {
    TraceFile(folder / "t", compression).write("text");
    EXPECT_EQ(files_in(folder), 0u);
  }
}

TEST(TraceFile, GoesThroughSymbolicLinks) {
  const ScratchFolder folder;
  write_text(folder / "target", "older");
  fs::create_symlink(folder / "target", folder / "link");
  TraceFile file(folder / "link", Compression::none);
  file.write("newer");
  file.close();
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_text(folder / "target"), "newer");
}

TEST(TraceFile, ErrorsNameFileAndReason) {
  const ScratchFolder folder;
  const auto opened = [](const std::string& path) { return error_of([&] { TraceFile(path, Compression::none); }); };
  EXPECT_EQ(opened(folder / "no/t"), (folder / "no/t") + ": cannot be written: No such file or directory");
  EXPECT_EQ(opened(folder.path()), folder.path() + ": cannot be written: Is a directory");
  for (const Compression compression : {Compression::none, Compression::gzip}) {
    TraceFile full("/dev/full", compression);
    full.write(std::string(100'000, 'x'));  // more than is buffered
    full.write("after the failure");
    EXPECT_EQ(error_of([&] { full.close(); }), "/dev/full: cannot be written: No space left on device");
  }
}

TEST(TraceFile, RecordersReportAFullDeviceAtTheEnd) {
  for (const Format format : {Format::perfetto, Format::perfetto_gzip, Format::vcd, Format::csv}) {
    const std::unique_ptr<Recorder> recorder = make_recorder(format, "/dev/full", {});
    for (int k = 0; k < 20'000; ++k) recorder->instruction(telemetry_events::grad_accumulate());
    EXPECT_EQ(error_of([&] { recorder->finish(); }), "/dev/full: cannot be written: No space left on device");
  }
}

TEST(TraceFile, ARecorderThatIsDroppedLeavesNothing) {
  const ScratchFolder folder;
  make_recorder(Format::perfetto, folder / "t.json", {})->instruction(telemetry_events::grad_accumulate());
  EXPECT_EQ(files_in(folder), 0u);
}

}  // namespace
}  // namespace trace_file_test
}  // namespace dve
