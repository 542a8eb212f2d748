#include <sys/resource.h>

#include "test_files.h"

namespace dve::test {
namespace {

using layer::OutputError;

std::string output_error(const std::filesystem::path& path, const std::string& bytes) {
  try {
    layer::write_file(path, bytes);
  } catch (const OutputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no OutputError";
  return "";
}

TEST(Files, WritesWholeFilesAndReplacesThem) {
  TemporaryFolder folder;
  layer::write_file(folder / "a", "first, longer text");
  layer::write_file(folder / "a", "second");
  EXPECT_EQ(get(folder / "a"), "second");
  layer::write_file(folder / "empty", "");
  EXPECT_EQ(std::filesystem::file_size(folder / "empty"), 0U);
  EXPECT_EQ(folder.entries(), 2U) << "a temporary file stayed";
}

TEST(Files, WritesThroughASymbolicLink) {
  TemporaryFolder folder;
  put(folder / "real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  layer::write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(get(folder / "real"), "new");
}

TEST(Files, OutputErrorsNameTheFile) {
  TemporaryFolder folder;
  const auto missing = folder / "no/such/folder/a";
  EXPECT_NE(output_error(missing, "x").find(missing.string()), std::string::npos);
  EXPECT_NE(output_error(folder.path(), "x").find(folder.path().string()), std::string::npos);
  put(folder / "file", "");
  EXPECT_NE(output_error(folder / "file/a", "x").find("Not a directory"), std::string::npos);
  EXPECT_EQ(output_error("/dev/full", "x"), "/dev/full: cannot be written: No space left on device");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(Files, DevicesAreWrittenDirectly) {
  layer::write_file("/dev/null", "x");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Files, FileSizeLimitIsAnErrorAndLeavesTheOldFile) {
  TemporaryFolder folder;
  put(folder / "a", "old");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::string error = output_error(folder / "a", std::string(5000, 'x'));  // without care: the process ends here
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_NE(error.find("File too large"), std::string::npos) << error;
  EXPECT_EQ(get(folder / "a"), "old");
  EXPECT_EQ(folder.entries(), 1U) << "a temporary file stayed";
}

TEST(Files, ReadsRegularFilesOnly) {
  TemporaryFolder folder;
  put(folder / "a", "abc");
  EXPECT_EQ(layer::read_file(folder / "a"), (std::vector<std::uint8_t>{'a', 'b', 'c'}));
  EXPECT_NE(input_error([&] { layer::read_file(folder / "b"); }).find("does not exist"), std::string::npos);
  EXPECT_NE(input_error([&] { layer::read_file(folder.path()); }).find("is a directory"), std::string::npos);
  EXPECT_NE(input_error([&] { layer::read_file("/dev/zero"); }).find("not a regular file"), std::string::npos);
  EXPECT_NE(input_error([&] { layer::read_file(folder / "a/b"); }).find((folder / "a/b").string()), std::string::npos);
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_NE(input_error([&] { layer::read_file(folder / "loop"); }).find("loop"), std::string::npos);
}

}  // namespace
}  // namespace dve::test
