// Published conversion vectors: tb/data/cases/float_conversions.json.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dve/numerics/numerics.h"

namespace float_cases_test {

using namespace dve::numerics;
using dve::isa::Dtype;

struct Type {
  Dtype dtype;
  std::size_t bytes;
  std::uint64_t canonical_nan;
  std::uint64_t infinity;
};

const std::map<std::string, Type> kTypes{
    {"fp32", {Dtype::fp32, 4, 0x7FC00000, 0x7F800000}}, {"fp16", {Dtype::fp16, 2, 0x7E00, 0x7C00}},
    {"bf16", {Dtype::bf16, 2, 0x7FC0, 0x7F80}},         {"int32", {Dtype::int32, 4, 0, 0}},
    {"fp8_e3m4", {Dtype::fp8_e3m4, 1, 0x78, 0x70}},     {"fp8_e4m3", {Dtype::fp8_e4m3, 1, 0x7C, 0x78}},
    {"fp8_e5m2", {Dtype::fp8_e5m2, 1, 0x7E, 0x7C}}};

std::uint64_t convert(std::uint64_t in, const Type& from, const Type& to) {
  std::vector<std::uint8_t> bytes(8);
  for (std::size_t i = 0; i < from.bytes; ++i) bytes[i] = static_cast<std::uint8_t>(in >> (8U * i));
  float wide = 0;
  to_fp32(bytes.data(), from.dtype, 1, &wide, {});
  from_fp32(&wide, to.dtype, 1, bytes.data(), {});
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < to.bytes; ++i) out |= std::uint64_t{bytes[i]} << (8U * i);
  return out;
}

TEST(FloatCases, EveryPublishedVector) {
  std::ifstream file(DVE_TEST_DATA_DIR "/cases/float_conversions.json");
  ASSERT_TRUE(file.is_open());
  const nlohmann::json document = nlohmann::json::parse(file);
  int run = 0;
  for (const nlohmann::json& vector : document.at("vectors")) {
    SCOPED_TRACE(vector.dump());
    const Type& from = kTypes.at(vector.at("from").get<std::string>());
    const Type& to = kTypes.at(vector.at("to").get<std::string>());
    const std::uint64_t in = std::stoull(vector.at("in_bits").get<std::string>(), nullptr, 16);
    const std::uint64_t expected = std::stoull(vector.at("out_bits").get<std::string>(), nullptr, 16);
    if (vector.value("nan", "exact") == "any") {
      // Vectors where any NaN of the target will do; ours is the canonical one.
      const std::uint64_t magnitude = expected & ((std::uint64_t{1} << (8 * to.bytes - 1)) - 1U);
      ASSERT_GT(magnitude, to.infinity);
      EXPECT_EQ(convert(in, from, to), to.canonical_nan);
    } else {
      EXPECT_EQ(convert(in, from, to), expected);
    }
    ++run;
  }
  EXPECT_EQ(run, 70);
}

}  // namespace float_cases_test
