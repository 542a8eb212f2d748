// Engines, their firmware numbers and sets of them (isa.md 15.1).
#include "words.h"

namespace dve::isa::test {
namespace engine_test {

TEST(Engines, NamesAndFirmwareIndices) {
  const std::vector<std::pair<std::string, unsigned>> expected = {{"dve", 3}, {"pool", 2}, {"act", 1}};
  ASSERT_EQ(kEngines.size(), expected.size());
  for (std::size_t k = 0; k < kEngines.size(); ++k) {
    EXPECT_EQ(index_of(kEngines[k]), k);
    EXPECT_EQ(to_string(kEngines[k]), expected[k].first);
    EXPECT_EQ(firmware_index(kEngines[k]), expected[k].second);
    EXPECT_EQ(engine_from_string(expected[k].first), kEngines[k]);
  }
  for (const char* text : {"", "DVE", "pe", "pool ", "gpsimd"})
    EXPECT_EQ(engine_from_string(text), std::nullopt) << text;
}

TEST(Engines, Sets) {
  const EngineSet none{}, two = only(Engine::dve) | only(Engine::act);
  for (const Engine engine : kEngines) {
    EXPECT_FALSE(none.contains(engine));
    EXPECT_TRUE(only(engine).contains(engine));
    EXPECT_EQ(two.contains(engine), engine != Engine::pool);
  }
}

}  // namespace engine_test
}  // namespace dve::isa::test
