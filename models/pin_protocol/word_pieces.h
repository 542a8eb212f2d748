// A run of bytes at any address, cut into the words of a bus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bus_word.h"

namespace dve::pins {

// Bytes that lie in one bus word and move in one transfer.
struct WordPiece {
  std::uint64_t word = 0;    // address over bytes of a word
  ByteMask bytes;            // of the word, at least one
  std::int64_t data_at = 0;  // byte b of the word is byte data_at + b of the data
  // First byte that moves, and the one behind the last.
  std::size_t first() const;
  std::size_t end() const;
};

// Collects runs in the order of the data. Neighbours join in one piece when they lie in the same word and at the same
// distance from the data; runs that go back to bytes of the piece before begin a new one.
class WordPieces {
 public:
  explicit WordPieces(std::size_t word_bytes) : word_bytes_(word_bytes) {}
  // Bytes [data_offset, data_offset + length) of the data go to `address` on.
  void append(std::uint64_t address, std::uint64_t data_offset, std::uint64_t length);
  const std::vector<WordPiece>& list() const { return pieces_; }

 private:
  void append_piece(const WordPiece& piece);
  std::size_t word_bytes_;
  std::vector<WordPiece> pieces_;
};

// Bytes to be moved through the words of a bus. Owns them: whoever asked may be gone before the pins are done.
struct Transfer {
  bool write = false;
  std::vector<WordPiece> pieces;  // in the order of the data; none when no byte moves
  std::vector<std::uint8_t> data;
};

// The piece's bytes out of the data, in their places of the word; and back.
BusWord gather(const WordPiece& piece, const std::uint8_t* data);
void scatter(const WordPiece& piece, const BusWord& word, std::uint8_t* data);

}  // namespace dve::pins
