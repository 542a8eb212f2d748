// An endless program of odd words for one engine: plausible ones, plausible ones with wrong bytes, noise behind a known
// opcode, noise.
#pragma once

#include <cstdint>
#include <random>

#include "word_reach.h"

namespace dve::random_stream {

// What next() keeps to, so that a program can run to its end: a wait either holds, or is one that the host can
// make hold: on a semaphore, or on an event from kFirstFreeEvent on. Events below that change in Nop words only, and
// always as event discipline wants it. Tensors are small unless noise makes them large.
class RandomWords {
 public:
  static constexpr std::uint8_t kFirstFreeEvent = 64, kFreeEvents = 64;

  RandomWords(isa::Engine engine, isa::Generation generation, std::uint64_t seed)
      : engine_(engine), generation_(generation), random_(seed) {}
  WordBytes next();

  // An on-chip address, most often a good one: what registers should hold.
  std::uint32_t address();
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

 private:
  WordBytes noise();
  WordBytes plausible(std::uint8_t opcode);
  WordBytes plausible_control(std::uint8_t opcode);
  void put_operand(WordBytes& word, const OperandField& field, std::uint32_t channels);
  void put_dtypes(WordBytes& word, const WordFormat& format);
  void put_selectors(WordBytes& word);
  void put_operation(WordBytes& word);
  void put_move(WordBytes& word);
  void put_transfer(WordBytes& word);
  void put_event_update(WordBytes& word);
  void mutate(WordBytes& word);
  void tame_wait(WordBytes& word, unsigned mode, unsigned index, unsigned value);
  void tame(WordBytes& word);
  std::uint8_t some(const std::vector<std::uint8_t>& values) {
    return values[below(static_cast<std::uint32_t>(values.size()))];
  }

  isa::Engine engine_;
  isa::Generation generation_;
  std::mt19937_64 random_;
  std::uint32_t event_updates_ = 0;
};

}  // namespace dve::random_stream
