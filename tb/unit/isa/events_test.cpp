#include <map>
#include <set>
#include <string>

#include "words.h"

namespace dve::isa::test {
namespace events_test {

// isa.md 1.3.
const std::map<unsigned, std::string> kWaits = {
    {0x00, "NONE"},       {0x01, "SEM_EQ_IMM"},         {0x02, "SEM_LT_IMM"}, {0x03, "SEM_LE_IMM"},
    {0x04, "SEM_GT_IMM"}, {0x05, "SEM_GE_IMM"},         {0x06, "EVT_SET"},    {0x07, "EVT_SET_THEN_CLEAR"},
    {0x0E, "EVT_CLEAR"},  {0x0F, "EVT_CLEAR_THEN_SET"}, {0x81, "SEM_EQ_REG"}, {0x82, "SEM_LT_REG"},
    {0x83, "SEM_LE_REG"}, {0x84, "SEM_GT_REG"},         {0x85, "SEM_GE_REG"}};

// isa.md 1.4: {semaphore?, register?, at read?}.
struct Update {
  bool semaphore, reg, read;
};
const std::map<unsigned, Update> kUpdates = {
    {0x01, {false, false, true}},  {0x02, {false, false, true}}, {0x11, {false, false, false}},
    {0x12, {false, false, false}}, {0x03, {true, false, true}},  {0x04, {true, false, true}},
    {0x05, {true, false, true}},   {0x07, {true, false, true}},  {0x09, {true, false, true}},
    {0x13, {true, false, false}},  {0x14, {true, false, false}}, {0x15, {true, false, false}},
    {0x17, {true, false, false}},  {0x19, {true, false, false}}, {0x85, {true, true, true}},
    {0x87, {true, true, true}},    {0x89, {true, true, true}},   {0x95, {true, true, false}},
    {0x97, {true, true, false}},   {0x99, {true, true, false}}};

TEST(WaitMode, EveryByteOnEveryGeneration) {
  for (unsigned b = 0; b < 256; ++b) {
    const auto mode = static_cast<WaitMode>(b);
    SCOPED_TRACE(b);
    const bool listed = kWaits.count(b) == 1;
    for (const Generation generation : kGenerations) {
      const bool member = listed || (b == 0xFE && generation == Generation::maverick);
      EXPECT_EQ(is_wait_mode_member(mode, generation), member) << to_string(generation);
    }
    EXPECT_EQ(waits_on_semaphore(mode), (b >= 1 && b <= 5) || (b >= 0x81 && b <= 0x85));
    EXPECT_EQ(waits_on_event(mode), b == 6 || b == 7 || b == 0x0E || b == 0x0F);
    EXPECT_EQ(wait_uses_register(mode), b >= 0x81 && b <= 0x85);
    if (listed) {
      EXPECT_EQ(name(mode), kWaits.at(b));
    }
  }
  EXPECT_EQ(name(WaitMode::unordered), "UNORDERED");
  EXPECT_EQ(name(static_cast<WaitMode>(0x93)), "0x93");
}

TEST(UpdateMode, EveryByte) {
  std::set<std::string> names;
  for (unsigned b = 0; b < 256; ++b) {
    const auto mode = static_cast<UpdateMode>(b);
    SCOPED_TRACE(b);
    const auto found = kUpdates.find(b);
    const bool listed = found != kUpdates.end();
    EXPECT_EQ(is_update_mode_member(mode), listed || b == 0);
    EXPECT_EQ(updates_semaphore(mode), listed && found->second.semaphore);
    EXPECT_EQ(updates_event(mode), listed && !found->second.semaphore);
    EXPECT_EQ(update_uses_register(mode), listed && found->second.reg);
    EXPECT_EQ(update_at_read(mode), listed && found->second.read);
    EXPECT_TRUE(names.insert(std::string(name(mode))).second) << name(mode);
  }
  EXPECT_EQ(name(UpdateMode::sem_sub_reg_complete), "SEM_SUB_REG_COMPLETE");
  EXPECT_EQ(name(static_cast<UpdateMode>(0x93)), "0x93");
}

TEST(Preamble, BytesAndFields) {
  Word word;
  for (std::uint32_t k = 0; k < 12; ++k) word.bytes[k] = static_cast<std::uint8_t>(0x81 + k);
  const Header header = read_header(word);
  EXPECT_EQ(header, (Header{0x81, 0x82, 0x83, 0x84}));
  const Events events = read_events(word);
  EXPECT_EQ(events.wait_mode, WaitMode::sem_ge_reg);
  EXPECT_EQ(events.wait_idx, 0x86);
  EXPECT_EQ(events.update_mode, UpdateMode::sem_sub_reg_read);
  EXPECT_EQ(events.update_idx, 0x88);
  EXPECT_EQ(events.semaphore_value, 0x8C8B8A89u);
  Word copy;
  write_header(copy, header);
  write_events(copy, events);
  EXPECT_EQ(copy, word);
}

}  // namespace events_test
}  // namespace dve::isa::test
