#include "system/random_words.h"

#include <gtest/gtest.h>

namespace dve {
namespace {

class RandomWords : public testing::TestWithParam<int> {};

TEST_P(RandomWords, EqualTheGoldenBitForBit) { testing_support::compare_random_words({GetParam(), 150, nullptr}); }

INSTANTIATE_TEST_SUITE_P(EveryOrderAndForm, RandomWords, testing::Range(0, 8));

}  // namespace
}  // namespace dve
