// Traffic files: what is read, and what each mistake is called.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "dve/layer/layer.h"
#include "dve/runtime/runtime.h"

namespace dve::runtime {
namespace traffic_file_test {
namespace {

class TrafficFile : public ::testing::Test {
 protected:
  ~TrafficFile() override { std::filesystem::remove(path_); }
  std::vector<dma::TrafficStream> read(const std::string& text, isa::Generation generation = isa::Generation::cayman) {
    std::ofstream(path_) << text;
    return read_traffic_file(path_, generation);
  }
  std::vector<dma::TrafficStream> streams(const std::string& list) {
    return read(R"({"schema": 1, "streams": [)" + list + "]}");
  }
  std::string error(const std::string& list) {
    try {
      streams(list);
    } catch (const layer::InputError& e) {
      return e.what();
    }
    return "";
  }
  void expect_error(const std::string& list, const std::string& part) {
    const std::string text = error(list);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find(path_.filename().string()), std::string::npos) << text;
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      ("traffic_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
       std::to_string(::getpid()) + ".json");
};

// One stream with the given members changed or added.
std::string stream(const std::string& more = "", const std::string& user = "pe0", const std::string& name = "a") {
  return R"({"name": ")" + name + R"(", "user": ")" + user +
         R"(", "space": "sbuf", "direction": "read", "bytes_per_partition": 1024)" + (more.empty() ? "" : ", " + more) +
         "}";
}

TEST_F(TrafficFile, ReadsEveryField) {
  const auto list = streams(stream(R"("offset": 64, "bytes_per_ns": 100.5, "burst_beats": 8, "burst_gap_cycles": 9,
      "start_ns": 3.5, "repeat": 7, "waits": [{"semaphore": 3, "at_least": 2}], "update": 4)") +
                            ", " + stream(R"("after": "a")", "pe0", "b"));
  ASSERT_EQ(list.size(), 2u);
  const dma::TrafficStream& s = list[0];
  EXPECT_EQ(s.name, "a");
  EXPECT_EQ(s.user, contention::User::pe0);
  EXPECT_FALSE(s.write);
  EXPECT_EQ(s.start.offset, 64u);
  EXPECT_EQ(s.bytes_per_partition, 1024u);
  EXPECT_EQ(s.bytes_per_ns, 100.5);
  EXPECT_EQ(s.burst_beats, 8u);
  EXPECT_EQ(s.burst_gap_cycles, 9u);
  EXPECT_EQ(s.start_ns, 3.5);
  EXPECT_EQ(s.repeat, 7u);
  ASSERT_EQ(s.waits.size(), 1u);
  EXPECT_EQ(isa::number(s.waits[0].semaphore), 3u);
  EXPECT_EQ(s.waits[0].at_least, 2u);
  ASSERT_TRUE(s.update);
  EXPECT_EQ(isa::number(*s.update), 4u);
  EXPECT_EQ(list[1].after, "a");
}

TEST_F(TrafficFile, MistakesAreNamed) {
  expect_error(stream("", "dve"), "expected pool, act, pe0 to pe4 or dma0 to dma15");
  expect_error(stream("", "pe5"), "expected pool, act");
  expect_error(stream(R"("colour": 1)"), "streams[0].colour");
  expect_error(stream(R"("repeat": 0)"), "repeat is 0");
  expect_error(stream(R"("bytes_per_ns": -1)"), "expected a number from 0");
  expect_error(stream(R"("after": "nobody")"), "expected the name of an earlier stream");
  expect_error(stream() + ", " + stream(), "expected a name of its own");
  expect_error(stream() + ", " + stream("", "pe0", "b"), "expected another user than that of a, or to come after it");
  expect_error(stream(R"("waits": [{"semaphore": 256, "at_least": 1}])"), "streams[0].waits[0].semaphore is 256");
  expect_error(stream(R"("offset": 229376)"), "reach past the 229376 bytes");
  expect_error(R"({"name": "a"})", "expected key user in it");
}

TEST_F(TrafficFile, OtherSchemasAreRefused) {
  EXPECT_THROW(read(R"({"schema": 2, "streams": []})"), layer::InputError);
  EXPECT_THROW(read(R"({"streams": []})"), layer::InputError);
  EXPECT_THROW(read("[]"), layer::InputError);
  EXPECT_TRUE(read(R"({"schema": 1, "streams": []})").empty());
}

}  // namespace
}  // namespace traffic_file_test
}  // namespace dve::runtime
