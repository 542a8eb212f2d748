// What has been found out about words, to be had again when a word comes again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "word.h"

namespace dve::isa {

// A value for each of the words seen last: a loop's words stay, a long program's make room for each other. A word may
// stand in a few slots only, so that asking costs a few comparisons.
template <class Value>
class WordCache {
 public:
  // Null when the word is not there (any more). Valid until the next put().
  const Value* find(const Word& word) const {
    const std::size_t slot = slot_of(word, hash_of(word));
    return slot != kNone ? &slots_[slot].value : nullptr;
  }
  void put(const Word& word, Value value) {
    slots_.resize(kSets * kWays);
    const std::uint64_t hash = hash_of(word);
    const std::size_t same = slot_of(word, hash);
    slots_[same != kNone ? same : first_of(hash) + next_++ % kWays] = {hash, word, std::move(value), true};
  }

 private:
  static constexpr std::size_t kSets = 1024, kWays = 4, kNone = ~std::size_t{0};
  struct Slot {
    std::uint64_t hash = 0;
    Word word;
    Value value{};
    bool used = false;
  };
  static std::uint64_t hash_of(const Word& word) {
    std::uint64_t hash = 0;
    for (std::size_t at = 0; at < kWordBytes; at += 8) {
      hash = (hash ^ word.get<std::uint64_t>(at)) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 32U;
    }
    return hash;
  }
  static std::size_t first_of(std::uint64_t hash) { return hash % kSets * kWays; }
  std::size_t slot_of(const Word& word, std::uint64_t hash) const {
    if (slots_.empty()) return kNone;
    for (std::size_t slot = first_of(hash); slot != first_of(hash) + kWays; ++slot) {
      if (slots_[slot].used && slots_[slot].hash == hash && slots_[slot].word == word) return slot;
    }
    return kNone;
  }
  std::vector<Slot> slots_;
  std::size_t next_ = 0;  // which of its slots a word takes
};

}  // namespace dve::isa
