#include "word_pieces.h"

#include <algorithm>

namespace dve::pins {

std::size_t WordPiece::first() const { return bytes._Find_first(); }
std::size_t WordPiece::end() const {
  std::size_t end = kMostBusBytes;
  while (end > 0 && !bytes[end - 1]) --end;
  return end;
}

void WordPieces::append(std::uint64_t address, std::uint64_t data_offset, std::uint64_t length) {
  for (std::uint64_t moved = 0; moved < length;) {
    const std::uint64_t at = (address + moved) % word_bytes_;
    const std::uint64_t count = std::min(length - moved, word_bytes_ - at);
    append_piece({(address + moved) / word_bytes_, bytes_between(at, at + count),
                  static_cast<std::int64_t>(data_offset + moved) - static_cast<std::int64_t>(at)});
    moved += count;
  }
}

void WordPieces::append_piece(const WordPiece& piece) {
  if (!pieces_.empty()) {
    WordPiece& last = pieces_.back();
    if (last.word == piece.word && last.data_at == piece.data_at) {
      last.bytes |= piece.bytes;
      return;
    }
  }
  pieces_.push_back(piece);
}

BusWord gather(const WordPiece& piece, const std::uint8_t* data) {
  BusWord word;
  for (std::size_t byte = piece.first(); byte < piece.end(); ++byte) {
    if (piece.bytes[byte]) word.bytes[byte] = data[piece.data_at + static_cast<std::int64_t>(byte)];
  }
  return word;
}

void scatter(const WordPiece& piece, const BusWord& word, std::uint8_t* data) {
  for (std::size_t byte = piece.first(); byte < piece.end(); ++byte) {
    if (piece.bytes[byte]) data[piece.data_at + static_cast<std::int64_t>(byte)] = word.bytes[byte];
  }
}

}  // namespace dve::pins
