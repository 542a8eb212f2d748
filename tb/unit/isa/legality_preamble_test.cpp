// Header and events of every opcode (isa.md 7.1, first two rows).
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace legality_preamble_test {

TEST(LegalityPreamble, BreachesOfEveryOpcode) {
  std::vector<Breach> breaches;
  for (const Opcode opcode : all_opcodes()) {
    breaches.push_back({opcode, {{1, 1, 0x11}}, {{"has_valid_neuron_header", "inst_word_len", 1, 0x11}}});
    breaches.push_back({opcode, {{1, 1, 0x40}}, {{"has_valid_neuron_header", "inst_word_len", 1, 0x40}}});
    breaches.push_back({opcode, {{4, 1, 0x08}}, {{"has_valid_neuron_events", "wait_mode", 4, 8}}});
    breaches.push_back({opcode, {{6, 1, 0xFF}}, {{"has_valid_neuron_events", "update_mode", 6, 0xFF}}});
    breaches.push_back({opcode, {{6, 1, 0x93}}, {{"has_valid_neuron_events", "update_mode", 6, 0x93}}});
    breaches.push_back({opcode,
                        {{4, 1, 0x80}, {6, 1, 0x06}},
                        {{"has_valid_neuron_events", "wait_mode", 4}, {"has_valid_neuron_events", "update_mode", 6}}});
    breaches.push_back({opcode, {{4, 1, 0x85}, {8, 4, 64}}, {{"has_valid_event_register", "semaphore_value", 8, 64}}});
    breaches.push_back(
        {opcode, {{6, 1, 0x97}, {8, 4, 1u << 31}}, {{"has_valid_event_register", "semaphore_value", 8}}});
  }
  expect_breaches(breaches, all_generations());
}

TEST(LegalityPreamble, AnUnknownOpcode) {
  const Word word = with(legal_word(Opcode::batch_norm_back_prop), {{0, 1, 0x67}});
  EXPECT_TRUE(findings_are(word, on(Generation::cayman), {{"has_valid_neuron_header", "opcode", 0, 0x67}}));
}

TEST(LegalityPreamble, EveryWaitAndUpdateModeOnEveryGeneration) {
  const std::set<unsigned> waits = {0, 1, 2, 3, 4, 5, 6, 7, 0xE, 0xF, 0x81, 0x82, 0x83, 0x84, 0x85};
  const std::set<unsigned> updates = {0,    1,    2,    3,    4,    5,    7,    9,    0x11, 0x12, 0x13,
                                      0x14, 0x15, 0x17, 0x19, 0x85, 0x87, 0x89, 0x95, 0x97, 0x99};
  for (const Generation generation : kGenerations) {
    for (unsigned b = 0; b < 256; ++b) {
      const bool wait = waits.count(b) == 1 || (b == 0xFE && generation == Generation::maverick);
      const Word w = with(legal_word(Opcode::batch_norm_back_prop), {{4, 1, b}});
      EXPECT_EQ(check(w, on(generation)).empty(), wait) << to_string(generation) << " wait " << b;
      const Word u = with(legal_word(Opcode::batch_norm_back_prop), {{6, 1, b}});
      EXPECT_EQ(check(u, on(generation)).empty(), updates.count(b) == 1) << to_string(generation) << " update " << b;
    }
  }
}

TEST(LegalityPreamble, FreeFieldsAreFree) {
  // Debug bytes, indices, and the value shared by an immediate wait and an immediate update (isa.md 1.4 DEFAULT).
  const Word word =
      with(legal_word(Opcode::batch_norm_back_prop),
           {{2, 1, 0xFF}, {3, 1, 0xFF}, {4, 1, 5}, {5, 1, 255}, {6, 1, 0x15}, {7, 1, 255}, {8, 4, 0xFFFFFFFF}});
  for (const Generation generation : kGenerations) EXPECT_TRUE(findings_are(word, on(generation), {}));
}

}  // namespace legality_preamble_test
}  // namespace dve::isa::test
