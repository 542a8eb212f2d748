// What is remembered about words: the right word's, or nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "dve/isa/isa.h"

namespace dve::isa {
namespace {

Word numbered(std::uint64_t number) {
  Word word;
  word.put(8, number);
  return word;
}

TEST(WordCache, FindsWhatWasPutAndNothingElse) {
  WordCache<std::string> cache;
  EXPECT_EQ(cache.find(Word{}), nullptr);
  cache.put(Word{}, "zeros");
  ASSERT_NE(cache.find(Word{}), nullptr);
  EXPECT_EQ(*cache.find(Word{}), "zeros");
  for (std::size_t byte = 0; byte < kWordBytes; ++byte) {
    for (const unsigned bit : {1U, 128U}) {
      Word other;
      other.bytes[byte] = static_cast<std::uint8_t>(bit);
      EXPECT_EQ(cache.find(other), nullptr) << "byte " << byte;
    }
  }
  cache.put(Word{}, "again");
  EXPECT_EQ(*cache.find(Word{}), "again");
}

// A later word may take an earlier one's place, but never its name.
TEST(WordCache, ForgetsRatherThanConfuses) {
  WordCache<std::uint64_t> cache;
  constexpr std::uint64_t kWords = 100'000;
  for (std::uint64_t n = 0; n < kWords; ++n) {
    cache.put(numbered(n), n);
    ASSERT_NE(cache.find(numbered(n)), nullptr);
  }
  std::uint64_t kept = 0;
  for (std::uint64_t n = 0; n < kWords; ++n) {
    const std::uint64_t* const value = cache.find(numbered(n));
    if (value == nullptr) continue;
    EXPECT_EQ(*value, n);
    ++kept;
  }
  EXPECT_GT(kept, 2048u);
  EXPECT_LE(kept, 4096u);
}

}  // namespace
}  // namespace dve::isa
