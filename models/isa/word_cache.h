// What has been found out about words, for words that come again.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "word.h"

namespace dve::isa {

// A direct-mapped cache by the 64 bytes of a word: a fixed number of places, a later word takes the place of an earlier
// one. Programs repeat words (loops over tiles, steps), and memory does not grow with those that do not.
template <class Value>
class WordCache {
 public:
  // nullptr: not known (any more).
  Value* find(const Word& word) {
    if (places_.empty()) return nullptr;
    Place& place = places_[index_of(word)];
    return place.taken && place.word.bytes == word.bytes ? &place.value : nullptr;
  }
  // The reference holds until the next call.
  Value& put(const Word& word, Value value) {
    if (places_.empty()) places_.resize(kPlaces);
    Place& place = places_[index_of(word)];
    place = {word, std::move(value), true};
    return place.value;
  }

 private:
  static constexpr std::size_t kPlaces = 128;
  struct Place {
    Word word;
    Value value{};
    bool taken = false;
  };
  static std::size_t index_of(const Word& word) {
    std::uint64_t hash = 0;
    for (std::size_t at = 0; at < kWordBytes; at += 8)
      hash = (hash ^ word.get<std::uint64_t>(at)) * 0x9E3779B97F4A7C15u;
    return hash >> 57;  // kPlaces of them
  }

  std::vector<Place> places_;
};

}  // namespace dve::isa
