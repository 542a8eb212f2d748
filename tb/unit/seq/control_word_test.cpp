// What control words decide: registers, addresses, values, conditions and updates (isa.md 1.3, 1.4, 5.3, 13.1).
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "dve/seq/seq.h"
#include "support/control_words.h"

namespace dve {
namespace control_word_test {
namespace {

using namespace testing_support;
using execute::Registers;
using isa::Dtype;
using isa::UpdateMode;
using isa::WaitMode;

Registers numbered() {  // r0 = 0x1000, r1 = 0x1001, ..
  Registers r{};
  std::iota(r.begin(), r.end(), 0x1000u);
  return r;
}

isa::CtrlMv move_of(const isa::Word& word) { return isa::decode_as<isa::CtrlMv>(word); }

// ---- Move ----

TEST(Move, CopiesImmediatesAndRegisters) {
  Registers r = numbered();
  EXPECT_FALSE(execute_move(move_of(move_immediates({{0, 7}, {63, 0xFFFFFFFF}, {5, 0x3F800000}})), 0, r));
  Registers expected = numbered();
  expected[0] = 7;
  expected[63] = 0xFFFFFFFF;
  expected[5] = 0x3F800000;
  EXPECT_EQ(r, expected);
  EXPECT_FALSE(execute_move(move_of(move_registers({{1, 63}, {2, 5}, {3, 60}})), 0, r));
  expected[1] = 0xFFFFFFFF;
  expected[2] = 0x3F800000;
  expected[3] = 0x1000 + 60;
  EXPECT_EQ(r, expected);
}

TEST(Move, EightAtOnce) {
  Registers r = numbered();
  std::vector<std::pair<std::uint8_t, std::uint8_t>> moves;
  for (std::uint8_t k = 0; k < 8; ++k) moves.emplace_back(k, static_cast<std::uint8_t>(63 - k));
  EXPECT_FALSE(execute_move(move_of(move_registers(moves)), 0, r));
  for (std::uint32_t k = 0; k < 8; ++k) EXPECT_EQ(r[k], 0x1000 + 63 - k);
  EXPECT_EQ(r[8], 0x1008u);
}

TEST(Move, ReadsTheProgramCounterAndIgnoresWritesToIt) {
  Registers r = numbered();
  EXPECT_FALSE(execute_move(move_of(move_registers({{1, 128}, {2, 129}})), 0x123456789ABCDEF0, r));
  EXPECT_EQ(r[1], 0x9ABCDEF0u);
  EXPECT_EQ(r[2], 0x12345678u);
  const Registers before = r;
  EXPECT_FALSE(execute_move(move_of(move_immediates({{128, 5}, {129, 6}})), 0, r));
  EXPECT_EQ(r, before);
}

TEST(Move, ReadsEverySourceBeforeItWrites) {
  Registers r = numbered();
  EXPECT_FALSE(execute_move(move_of(move_registers({{1, 2}, {2, 1}})), 0, r));
  EXPECT_EQ(r[1], 0x1002u);
  EXPECT_EQ(r[2], 0x1001u);
}

TEST(Move, RegistersThatMeanNothingChangeNothing) {
  const auto refused = [](const isa::CtrlMv& word, const std::string& field) {
    Registers r = numbered();
    const auto finding = execute_move(word, 0, r);
    ASSERT_TRUE(finding) << field;
    EXPECT_EQ(finding->predicate, "move_register");
    EXPECT_EQ(finding->field, field);
    EXPECT_EQ(r, numbered()) << field;
  };
  refused(move_of(move_registers({{1, 2}, {3, 64}})), "src_regs");
  refused(move_of(move_registers({{1, 2}, {3, 130}})), "src_regs");
  refused(move_of(move_registers({{1, 2}, {64, 3}})), "dst_regs");
  refused(move_of(move_immediates({{1, 2}, {255, 3}})), "dst_regs");
  isa::CtrlMv nine = move_of(move_immediates({{1, 2}}));
  nine.num_mov = 9;
  refused(nine, "num_mov");
}

// ---- TensorLoad and TensorStore ----

TensorTransfer planned(const isa::Mem2D& word, bool load, const Registers& registers) {
  auto plan = plan_transfer(word, load, registers);
  if (const auto* finding = std::get_if<isa::Finding>(&plan)) {
    ADD_FAILURE() << isa::to_string(*finding);
    return {};
  }
  return std::get<TensorTransfer>(plan);
}

using Addresses = std::vector<std::uint64_t>;

TEST(Transfer, WalksTwoDimensionsInElements) {
  isa::Mem2D word = tensor_load(Dtype::int16, 0x1000, {1, 2, 3, 4, 5, 6});
  word.num_elem = {3, 2};
  word.step_elem = {2, 50};
  EXPECT_EQ(planned(word, true, {}).addresses, (Addresses{0x1000, 0x1004, 0x1008, 0x1064, 0x1068, 0x106C}));
  word.step_elem = {-2, 0};
  EXPECT_EQ(planned(word, true, {}).addresses, (Addresses{0x1000, 0xFFC, 0xFF8, 0x1000, 0xFFC, 0xFF8}));
  word.step_elem = {1, -1000000};  // does not fit 16 bits
  word.start_addr.raw = 0x400000;
  EXPECT_EQ(planned(word, true, {}).addresses[3], 0x400000u - 2'000'000u);
}

TEST(Transfer, AddressesReachTheWholeAddressSpaceOrComeFromARegister) {
  EXPECT_EQ(planned(tensor_load(Dtype::uint8, 0x4000000123, {1}), true, {}).addresses, (Addresses{0x4000000123}));
  Registers r = numbered();
  r[9] = 0x2000040;
  isa::Mem2D word = tensor_load(Dtype::uint32, (std::uint64_t{1} << 63) | 9, {1, 2});
  EXPECT_EQ(planned(word, true, r).addresses, (Addresses{0x2000040, 0x2000044}));
}

TEST(Transfer, StoreTakesTheLowBytesOfRegistersAndPairs) {
  Registers r{};
  r[1] = 0x11223344;
  r[2] = 0xAABBCCDD;
  r[3] = 0x55667788;
  const auto low = [&](Dtype dtype, std::uint64_t mask) {
    const TensorTransfer t = planned(tensor_store(dtype, 0, {1, 3}), false, r);
    EXPECT_EQ(t.values[0] & mask, 0x11223344u & mask) << isa::name(dtype);
    EXPECT_EQ(t.values[1] & mask, 0x55667788u & mask) << isa::name(dtype);
    EXPECT_EQ(std::uint64_t{t.element_bytes} * 8, mask == 0xFF ? 8u : mask == 0xFFFF ? 16u : 32u);
  };
  for (const Dtype d : {Dtype::int8, Dtype::uint8}) low(d, 0xFF);
  for (const Dtype d : {Dtype::int16, Dtype::uint16}) low(d, 0xFFFF);
  for (const Dtype d : {Dtype::int32, Dtype::uint32, Dtype::fp32}) low(d, 0xFFFFFFFF);
  const TensorTransfer pair = planned(tensor_store(Dtype::uint64, 0, {2}), false, r);
  EXPECT_EQ(pair.values, (Addresses{0x55667788AABBCCDD}));
  EXPECT_EQ(pair.element_bytes, 8u);
}

TEST(Transfer, ImmediatesFillTheDataBytes) {
  struct Case {
    Dtype dtype;
    std::uint64_t bytes;
  };
  for (const Case& c : std::vector<Case>{
           {Dtype::uint8, 1}, {Dtype::int16, 2}, {Dtype::uint32, 4}, {Dtype::fp32, 4}, {Dtype::uint64, 8}}) {
    Addresses values;
    for (std::uint64_t k = 0; k < 32 / c.bytes; ++k) values.push_back(0x0102030405060708 * (k + 1) + k);
    const TensorTransfer t = planned(tensor_store_values(c.dtype, 0, values), false, {});
    ASSERT_EQ(t.values.size(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::uint64_t mask = c.bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * c.bytes)) - 1;
      EXPECT_EQ(t.values[k], values[k] & mask) << isa::name(c.dtype) << " " << k;
    }
  }
}

TEST(Transfer, LoadExtendsSmallIntegersAndCopiesTheRest) {
  struct Case {
    Dtype dtype;
    std::uint64_t element;
    std::uint32_t low, high;  // high: r3, which only pairs change
  };
  for (const Case& c : std::vector<Case>{{Dtype::uint8, 0xFE, 0xFE, 0x1003},
                                         {Dtype::int8, 0xFE, 0xFFFFFFFE, 0x1003},
                                         {Dtype::int8, 0x7F, 0x7F, 0x1003},
                                         {Dtype::uint16, 0x8001, 0x8001, 0x1003},
                                         {Dtype::int16, 0x8001, 0xFFFF8001, 0x1003},
                                         {Dtype::int16, 0x7FFF, 0x7FFF, 0x1003},
                                         {Dtype::uint32, 0x80000000, 0x80000000, 0x1003},
                                         {Dtype::int32, 0x80000000, 0x80000000, 0x1003},
                                         {Dtype::fp32, 0x7F800001, 0x7F800001, 0x1003},  // a signalling NaN stays
                                         {Dtype::uint64, 0x123456789ABCDEF0, 0x9ABCDEF0, 0x12345678}}) {
    Registers r = numbered();
    const TensorTransfer t = planned(tensor_load(c.dtype, 0, {2}), true, r);
    load_registers(t, c.dtype, {c.element}, r);
    EXPECT_EQ(r[2], c.low) << isa::name(c.dtype);
    EXPECT_EQ(r[3], c.high) << isa::name(c.dtype);
    EXPECT_EQ(r[1], 0x1001u);
    EXPECT_EQ(r[4], 0x1004u);
  }
}

void expect_refusal(const isa::Mem2D& word, bool load, const std::string& predicate) {
  const auto plan = plan_transfer(word, load, {});
  const auto* finding = std::get_if<isa::Finding>(&plan);
  ASSERT_NE(finding, nullptr) << predicate;
  EXPECT_EQ(finding->predicate, predicate);
  EXPECT_FALSE(finding->expected.empty());
}

TEST(Transfer, RefusesWhatHasNoMeaning) {
  for (const Dtype dtype : {Dtype::invalid, Dtype::bf16, Dtype::fp16, Dtype::int64, Dtype::fp8_e4m3})
    expect_refusal(tensor_load(dtype, 0, {2}), true, "transfer_dtype");
  isa::Mem2D word = tensor_load(Dtype::uint8, 0, {1});
  word.num_elem = {0, 1};
  expect_refusal(word, true, "transfer_count");
  word.num_elem = {33, 1};
  expect_refusal(word, true, "transfer_count");
  word.num_elem = {11, 3};
  expect_refusal(word, true, "transfer_count");
  isa::Mem2D store = tensor_store_values(Dtype::uint32, 0, {1});
  store.num_elem = {9, 1};
  expect_refusal(store, false, "transfer_count");
  store = tensor_store_values(Dtype::uint32, 0, {1});
  store.src_datasrc = 2;
  expect_refusal(store, false, "transfer_source");
  word = tensor_load(Dtype::uint8, 0, {1});
  word.src_datasrc = 1;
  expect_refusal(word, true, "transfer_source");
  expect_refusal(tensor_load(Dtype::uint8, 0, {1, 64}), true, "transfer_register");
  expect_refusal(tensor_store(Dtype::uint64, 0, {1}), false, "transfer_register");
  expect_refusal(tensor_load(Dtype::uint8, (std::uint64_t{1} << 63) | 64, {1}), true, "transfer_register");
}

// ---- Waits and updates ----

TEST(Conditions, OfAWordInTheirOrder) {
  Registers r{};
  r[7] = 70;
  EXPECT_TRUE(wait_conditions(nop(), r).empty());
  EXPECT_TRUE(wait_conditions(nop(updates(UpdateMode::sem_inc_read, 1)), r).empty());
  const auto one = wait_conditions(nop(waits(WaitMode::sem_gt_reg, 3, 7)), r);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(to_string(one[0]), "sem[3] > 70");
  SecondEvents second;
  second.wait_mode = WaitMode::evt_clear_then_set;
  second.wait_idx = 9;
  const auto two = wait_conditions(event_semaphore(waits(WaitMode::sem_ge_imm, 3, 7), second), r);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(to_string(two[0]), "sem[3] >= 7");
  EXPECT_EQ(to_string(two[1]), "evt[9] clear");
  // Bytes 32 and on are a second block in EventSemaphore only.
  isa::Word other = event_semaphore({}, second);
  other.bytes[0] = isa::code(isa::Opcode::nop);
  EXPECT_TRUE(wait_conditions(other, r).empty());
}

TEST(Conditions, SecondBlockHasValuesOfItsOwn) {
  Registers r{};
  r[5] = 55;
  r[6] = 66;
  SecondEvents second;
  second.wait_mode = WaitMode::sem_lt_reg;
  second.wait_idx = 1;
  second.wait_value = 5;
  second.update_mode = UpdateMode::sem_sub_reg_complete;
  second.update_idx = 2;
  second.update_value = 6;
  const isa::Word word = event_semaphore(updates(UpdateMode::sem_add_imm_read, 4, 11), second);
  EXPECT_EQ(to_string(wait_conditions(word, r).at(0)), "sem[1] < 55");
  const auto both = sync_updates(word, r);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].mode, UpdateMode::sem_add_imm_read);
  EXPECT_EQ(both[0].index, 4);
  EXPECT_EQ(both[0].amount, 11u);
  EXPECT_EQ(both[1].mode, UpdateMode::sem_sub_reg_complete);
  EXPECT_EQ(both[1].index, 2);
  EXPECT_EQ(both[1].amount, 66u);
}

std::vector<int> cleared(const isa::Word& word) {
  std::vector<int> numbers;
  for (const SyncUpdate& update : sync_updates(word, {})) {
    EXPECT_TRUE(isa::updates_semaphore(update.mode));
    EXPECT_FALSE(isa::update_at_read(update.mode));
    EXPECT_EQ(update.amount, 0u);
    numbers.push_back(update.index);
  }
  return numbers;
}

TEST(Conditions, RangeClearWritesZeroToEachSemaphore) {
  EXPECT_EQ(cleared(clear_range(10, 13)), (std::vector<int>{10, 11, 12, 13}));
  EXPECT_EQ(cleared(clear_range(255, 255)), (std::vector<int>{255}));
  EXPECT_EQ(cleared(clear_range(0, 255)).size(), 256u);
  EXPECT_EQ(cleared(clear_semaphores({0, 7, 8, 100, 255})), (std::vector<int>{0, 7, 8, 100, 255}));
  EXPECT_TRUE(cleared(clear_semaphores({})).empty());
}

}  // namespace
}  // namespace control_word_test
}  // namespace dve
