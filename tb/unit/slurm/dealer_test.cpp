// Which task gets which pieces, and what becomes of those of tasks that fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "dve/slurm/slurm.h"

namespace dve::slurm {
namespace dealer_test {
namespace {

Chunk numbers(std::size_t count) {
  Chunk all(count);
  std::iota(all.begin(), all.end(), std::size_t{100});
  return all;
}

Chunk sorted(Chunk chunk) {
  std::sort(chunk.begin(), chunk.end());
  return chunk;
}

Chunk all_of(const Round& round) {
  Chunk all;
  for (const Chunk& chunk : round.chunks) all.insert(all.end(), chunk.begin(), chunk.end());
  return sorted(all);
}

TEST(Dealer, NoTaskGetsLessThanItsChunkAndAllPiecesAreDealtOnce) {
  for (const std::size_t pieces : {1U, 6U, 7U, 13U, 14U, 700U, 1000U}) {
    Dealer dealer(numbers(pieces), {7, 2, 50, 5000});
    const Round round = dealer.next();
    EXPECT_FALSE(round.measures);
    EXPECT_EQ(round.chunks.size(), std::clamp<std::size_t>(pieces / 7, 1, 50)) << pieces;
    for (const Chunk& chunk : round.chunks) EXPECT_GE(chunk.size(), std::min<std::size_t>(7, pieces));
    EXPECT_EQ(all_of(round), numbers(pieces));
    EXPECT_TRUE(dealer.empty());
  }
}

TEST(Dealer, TheOrderIsShuffledAndTheSameEveryTime) {
  Dealer first(numbers(100), {10, 2, 1000, 5000}), second(numbers(100), {10, 2, 1000, 5000});
  const Round round = first.next();
  EXPECT_EQ(round.chunks, second.next().chunks);
  EXPECT_FALSE(std::is_sorted(round.chunks[0].begin(), round.chunks[0].end()));
}

TEST(Dealer, OneTaskMeasuresAndTheOthersGetTwiceWhatItDid) {
  Dealer dealer(numbers(100), {0, 2, 1000, 60});
  const Round measuring = dealer.next();
  EXPECT_TRUE(measuring.measures);
  ASSERT_EQ(measuring.chunks.size(), 1u);
  ASSERT_EQ(measuring.chunks[0].size(), 60u);
  dealer.measured(6);  // the first six of the sixty
  dealer.ended(Chunk(measuring.chunks[0].begin() + 6, measuring.chunks[0].end()));
  const Round rest = dealer.next();
  EXPECT_FALSE(rest.measures);
  EXPECT_EQ(rest.chunks.size(), 94u / 11);  // 2 * 6 - 1 pieces at least
  for (const Chunk& chunk : rest.chunks) EXPECT_GE(chunk.size(), 11u);
}

TEST(Dealer, APieceThatTakesLongerThanATaskIsATask) {
  for (const std::size_t done : {0U, 1U}) {
    Dealer dealer(numbers(5), {0, 2, 1000, 5000});
    const Round measuring = dealer.next();
    dealer.measured(done);
    dealer.ended(Chunk(measuring.chunks[0].begin() + 1, measuring.chunks[0].end()));
    EXPECT_EQ(dealer.next().chunks.size(), 4u);
  }
}

TEST(Dealer, TheFirstPieceThatIsLeftIsTriedAloneAndOthersAreNotBlamed) {
  Dealer dealer(numbers(10), {10, 1, 1000, 5000});
  const Chunk chunk = dealer.next().chunks.at(0);
  const Chunk left(chunk.begin() + 4, chunk.end());
  EXPECT_TRUE(dealer.failed(chunk, left).empty());
  const Round again = dealer.next();
  ASSERT_EQ(again.chunks.size(), 2u);
  EXPECT_EQ(again.chunks[0], Chunk{left[0]});
  EXPECT_EQ(again.chunks[1], Chunk(left.begin() + 1, left.end()));
  EXPECT_EQ(dealer.failed(again.chunks[0], again.chunks[0]), Chunk{left[0]}) << "its one retry is over";
  EXPECT_TRUE(dealer.empty());
}

TEST(Dealer, AllOfASmallChunkAreSuspectsWhenNothingWasDone) {
  Dealer dealer(numbers(16), {16, 2, 1000, 5000});
  const Chunk chunk = dealer.next().chunks.at(0);
  EXPECT_TRUE(dealer.failed(chunk, chunk).empty());
  EXPECT_EQ(dealer.next().chunks.size(), 16u);
}

TEST(Dealer, OneOfALargeChunkIsASuspectWhenNothingWasDone) {
  Dealer dealer(numbers(17), {17, 2, 1000, 5000});
  const Chunk chunk = dealer.next().chunks.at(0);
  EXPECT_TRUE(dealer.failed(chunk, chunk).empty());
  const Round again = dealer.next();
  ASSERT_EQ(again.chunks.size(), 2u);
  EXPECT_EQ(again.chunks[0], Chunk{chunk[0]});
  EXPECT_EQ(again.chunks[1].size(), 16u);
}

// Whatever fails for whatever reason: the end comes.
TEST(Dealer, APieceIsTriedOnceAndThenAsOftenAsThereAreRetries) {
  for (const std::size_t retries : {0U, 1U, 3U}) {
    Dealer dealer(numbers(40), {10, retries, 1000, 5000});
    const std::size_t bad = 117;
    std::size_t tries = 0;
    Chunk given_up;
    while (!dealer.empty()) {
      for (const Chunk& chunk : dealer.next().chunks) {
        const auto at = std::find(chunk.begin(), chunk.end(), bad);
        if (at == chunk.end()) continue;
        ++tries;
        const Chunk over = dealer.failed(chunk, Chunk(at, chunk.end()));
        given_up.insert(given_up.end(), over.begin(), over.end());
      }
    }
    EXPECT_EQ(tries, 1 + retries);
    EXPECT_EQ(given_up, Chunk{bad});
  }
}

TEST(Dealer, ATaskThatFailsWithNothingLeftHasDoneItsWork) {
  Dealer dealer(numbers(3), {3, 0, 1000, 5000});
  const Chunk chunk = dealer.next().chunks.at(0);
  EXPECT_TRUE(dealer.failed(chunk, {}).empty());
  EXPECT_TRUE(dealer.empty());
}

TEST(Dealer, NoRoundHasMoreTasksThanAnArrayMay) {
  Dealer dealer(numbers(64), {4, 2, 8, 5000});
  std::size_t failures = 0;
  while (!dealer.empty()) {
    const Round round = dealer.next();
    EXPECT_LE(round.chunks.size(), 8u);
    for (const Chunk& chunk : round.chunks) dealer.failed(chunk, chunk);
    ASSERT_LT(++failures, 1000u);
  }
}

}  // namespace
}  // namespace dealer_test
}  // namespace dve::slurm
