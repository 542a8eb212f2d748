#include "traffic_file.h"

#include <algorithm>
#include <limits>

#include "dve/json/json.h"
#include "dve/layer/layer.h"

namespace dve::runtime {

using json::Json;
using json::JsonNode;
using json::parse_json;

namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
constexpr double kLongestNs = 1e9;
// A program that waits for ever ends when its neighbours have: in seconds, not in days.
constexpr std::uint64_t kMostPasses = 1'000'000;

double number_or(const JsonNode& node, std::string_view key, double most) {
  if (!node.has(key)) return 0;
  const double value = node.at(key).number();
  if (!(value >= 0 && value <= most)) node.at(key).fail(fmt::format("a number from 0 to {}", most));
  return value;
}

std::uint64_t integer_or(const JsonNode& node, std::string_view key, std::uint64_t otherwise, std::uint64_t most) {
  return node.has(key) ? node.at(key).integer(0, most) : otherwise;
}

isa::SemaphoreIndex semaphore(const JsonNode& node) {
  return isa::SemaphoreIndex{static_cast<std::uint8_t>(node.integer(0, 255))};
}

std::vector<dma::Wait> waits_of(const JsonNode& node) {
  std::vector<dma::Wait> waits;
  if (!node.has("waits")) return waits;
  for (const JsonNode& wait : node.at("waits").list()) {
    wait.expect_keys({"semaphore", "at_least"});
    waits.push_back(
        {semaphore(wait.at("semaphore")),
         static_cast<std::uint32_t>(wait.at("at_least").integer(0, std::numeric_limits<std::int32_t>::max()))});
  }
  return waits;
}

contention::User user_of(const JsonNode& node) {
  const auto user = contention::user_from_name(node.text());
  if (!user || *user == contention::User::dve) node.fail("pool, act, pe0 to pe4 or dma0 to dma15");
  return *user;
}

dma::TrafficStream stream_of(const JsonNode& node) {
  node.allow_keys(
      {"name", "user", "space", "direction", "bytes_per_partition"},
      {"offset", "bytes_per_ns", "burst_beats", "burst_gap_cycles", "start_ns", "repeat", "after", "waits", "update"});
  dma::TrafficStream s;
  s.name = node.at("name").text();
  s.user = user_of(node.at("user"));
  s.start.space = node.at("space").one_of<isa::Space>({{"sbuf", isa::Space::sbuf}, {"psum", isa::Space::psum}});
  s.start.offset = static_cast<std::uint32_t>(integer_or(node, "offset", 0, std::numeric_limits<std::uint32_t>::max()));
  s.write = node.at("direction").one_of<bool>({{"read", false}, {"write", true}});
  s.bytes_per_partition = node.at("bytes_per_partition").integer(1, kMost);
  s.bytes_per_ns = number_or(node, "bytes_per_ns", 1e6);
  s.burst_beats = integer_or(node, "burst_beats", 0, kMost);
  s.burst_gap_cycles = integer_or(node, "burst_gap_cycles", 0, kMost);
  s.start_ns = number_or(node, "start_ns", kLongestNs);
  s.repeat = integer_or(node, "repeat", 1, kMostPasses);
  if (node.has("after")) s.after = node.at("after").text();
  s.waits = waits_of(node);
  if (node.has("update")) s.update = semaphore(node.at("update"));
  return s;
}

void check_names(const JsonNode& node, const dma::TrafficStream& stream,
                 const std::vector<dma::TrafficStream>& earlier) {
  const auto named = [&](const std::string& name) {
    return std::any_of(earlier.begin(), earlier.end(), [&](const auto& other) { return other.name == name; });
  };
  if (stream.name.empty() || named(stream.name)) node.at("name").fail("a name of its own");
  if (!stream.after.empty() && !named(stream.after)) node.at("after").fail("the name of an earlier stream");
  for (const dma::TrafficStream& other : earlier) {
    if (other.user == stream.user && stream.after != other.name)
      node.at("user").fail(fmt::format("another user than that of {}, or to come after it", other.name));
  }
}

}  // namespace

std::vector<dma::TrafficStream> read_traffic_file(const std::filesystem::path& path, isa::Generation generation) {
  const Json document = parse_json(path);
  const JsonNode root(document, path, "");
  root.expect_keys({"schema", "streams"});
  root.at("schema").integer(1, 1);
  std::vector<dma::TrafficStream> streams;
  for (const JsonNode& node : root.at("streams").list()) {
    dma::TrafficStream stream = stream_of(node);
    check_names(node, stream, streams);
    if (const auto problem = dma::problem_of(stream, generation))
      throw layer::InputError(fmt::format("{}: stream {}: {}", path.string(), stream.name, *problem));
    streams.push_back(std::move(stream));
  }
  return streams;
}

}  // namespace dve::runtime
