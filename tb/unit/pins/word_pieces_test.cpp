// Runs of bytes as words of a bus.
#include <gtest/gtest.h>

#include <vector>

#include "dve/pin_protocol/pin_protocol.h"

namespace word_pieces_test {

using namespace dve::pins;

struct Expected {
  std::uint64_t word;
  unsigned long bytes;
  std::int64_t data_at;
};

void expect(const WordPieces& pieces, const std::vector<Expected>& expected) {
  ASSERT_EQ(pieces.list().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(pieces.list()[i].word, expected[i].word) << i;
    EXPECT_EQ(pieces.list()[i].bytes.to_ulong(), expected[i].bytes) << i;
    EXPECT_EQ(pieces.list()[i].data_at, expected[i].data_at) << i;
  }
}

TEST(WordPieces, UnalignedRunsAreCutAtWords) {
  WordPieces pieces(4);
  pieces.append(6, 0, 7);
  expect(pieces, {{1, 0xC, -2}, {2, 0xF, 2}, {3, 0x1, 6}});
  EXPECT_EQ(pieces.list()[0].first(), 2U);
  EXPECT_EQ(pieces.list()[0].end(), 4U);
}

TEST(WordPieces, RunsOfOneWordJoin) {
  WordPieces pieces(8);
  pieces.append(9, 0, 1);
  pieces.append(11, 2, 1);
  pieces.append(14, 5, 3);
  expect(pieces, {{1, 0xCA, -1}, {2, 0x1, 7}});
}

TEST(WordPieces, BytesThatComeAgainAreANewPiece) {
  WordPieces pieces(8);
  for (std::uint64_t i = 0; i < 3; ++i) pieces.append(2, 2 * i, 2);  // streaming width 2
  expect(pieces, {{0, 0xC, -2}, {0, 0xC, 0}, {0, 0xC, 2}});
}

TEST(WordPieces, GatherAndScatterMoveTheEnabledBytesOnly) {
  WordPieces pieces(4);
  pieces.append(1, 0, 1);
  pieces.append(3, 2, 1);
  const std::uint8_t data[] = {10, 11, 12};
  const BusWord word = gather(pieces.list().front(), data);
  EXPECT_EQ(word.bytes[0], 0);
  EXPECT_EQ(word.bytes[1], 10);
  EXPECT_EQ(word.bytes[2], 0);
  EXPECT_EQ(word.bytes[3], 12);
  std::uint8_t back[] = {1, 2, 3};
  scatter(pieces.list().front(), word, back);
  EXPECT_EQ(back[0], 10);
  EXPECT_EQ(back[1], 2);
  EXPECT_EQ(back[2], 12);
}

TEST(WordPieces, TheLastWordOfTheAddressSpace) {
  WordPieces pieces(4);
  pieces.append(UINT64_MAX - 1, 0, 2);
  expect(pieces, {{UINT64_MAX / 4, 0xC, -2}});
}

}  // namespace word_pieces_test
