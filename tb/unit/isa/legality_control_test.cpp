// Control words 0xA0 to 0xA4, 0xA7, 0xAA, 0xAB, 0xB0 (isa.md 13.1): each rule broken once, on every engine alike.
#include <set>

#include "words.h"

namespace dve::isa::test {
namespace legality_control_test {

constexpr auto kEvents = Opcode::event_semaphore;
constexpr auto kClear = Opcode::semaphore_range_clear;
constexpr auto kMove = Opcode::move;
constexpr auto kLoad = Opcode::tensor_load;
constexpr auto kStore = Opcode::tensor_store;

void expect_everywhere(const std::vector<Breach>& breaches) {
  for (const Engine engine : kEngines) expect_breaches(breaches, all_generations(), engine);
}

TEST(LegalityControl, SecondWaitAndUpdate) {
  std::vector<Breach> breaches = {
      {kEvents, {{32, 1, 8}}, {{"has_valid_neuron_events", "wait_mode1", 32, 8}}},
      {kEvents, {{34, 1, 0x93}}, {{"has_valid_neuron_events", "update_mode1", 34, 0x93}}},
      {kEvents,
       {{32, 1, 0xFF}, {34, 1, 0xFF}},
       {{"has_valid_neuron_events", "wait_mode1", 32}, {"has_valid_neuron_events", "update_mode1", 34}}},
      {kEvents, {{32, 1, 0x85}, {36, 4, 63}}, {}},
      {kEvents, {{32, 1, 0x85}, {36, 4, 64}}, {{"has_valid_event_register", "sem_wait_value", 36, 64}}},
      {kEvents, {{34, 1, 0x95}, {40, 4, 63}}, {}},
      {kEvents, {{34, 1, 0x95}}, {{"has_valid_event_register", "sem_update_value", 40, 2000}}},
      {kEvents, {{32, 1, 0x81}, {34, 1, 0x87}, {36, 4, 5}, {40, 4, 6}}, {}},
      // The first block keeps its own rule, and its own value.
      {kEvents, {{4, 1, 0x85}, {8, 4, 64}}, {{"has_valid_event_register", "semaphore_value", 8, 64}}},
      {kEvents, {{12, 1, 255}, {33, 1, 255}, {35, 1, 255}, {36, 8, 0xFFFFFFFFFFFFFFFF}}, {}}};
  expect_everywhere(breaches);
  for (const Generation g : kGenerations) {
    const std::vector<Expected> broken = {{"has_valid_neuron_events", "wait_mode1", 32, 0xFE}};
    EXPECT_TRUE(findings_are(with(legal_word(kEvents), {{32, 1, 0xFE}}), on(g),
                             g == Generation::maverick ? std::vector<Expected>{} : broken));
  }
}

// Everything that isa.md 13.1 and isa-neighbours.md list as reserved, byte by byte, and nothing else.
TEST(LegalityControl, ReservedBytesOfTheNewLayouts) {
  struct Range {
    std::uint32_t first, size;
    const char* field;
  };
  const std::vector<std::pair<Opcode, std::vector<Range>>> layouts = {
      {kEvents, {{13, 19, "reserved0"}, {44, 20, "reserved1"}}},
      {Opcode::halt, {{12, 52, "reserved0"}}},
      {Opcode::instruction_flush, {{12, 52, "reserved0"}}},
      {Opcode::nop, {{12, 52, "reserved0"}}},
      {Opcode::drain, {{12, 28, "reserved0"}, {44, 20, "reserved1"}}},
      {kClear, {{15, 17, "reserved0"}}},
      {kMove, {{15, 1, "reserved0"}}},
      {kLoad, {}},
      {kStore, {}},
      {Opcode::tensor_scalar_arith_op, {{13, 3, "reserved0"}}},
      {Opcode::tensor_scalar_bitvec_op, {{13, 3, "reserved0"}}},
      {Opcode::tensor_reduce_arith_op, {{39, 5, "reserved0"}}},
      {Opcode::copy, {{39, 5, "reserved0"}}},
      {Opcode::cast, {{39, 5, "reserved0"}}},
      {Opcode::reciprocal, {{39, 5, "reserved0"}}},
      {Opcode::cross_lane_reduce_arith_op, {{37, 3, "reserved0"}}},
      {Opcode::cross_lane_reduce_bitvec_op, {{37, 3, "reserved0"}}},
      {Opcode::memset, {{12, 16, "reserved0"}, {33, 1, "reserved1"}, {35, 1, "reserved2"}, {37, 3, "reserved3"}}},
      {Opcode::activate, {}},
      {Opcode::activation_table_load, {{12, 23, "reserved0"}, {36, 28, "reserved1"}}},
      {Opcode::activation_read_accumulator, {{12, 16, "reserved0"}, {35, 9, "reserved1"}, {52, 12, "reserved2"}}}};
  for (const auto& [opcode, ranges] : layouts) {
    for (std::uint32_t k = 12; k < kWordBytes; ++k) {
      const char* reserved = nullptr;
      for (const Range& r : ranges) {
        if (k >= r.first && k < r.first + r.size) reserved = r.field;
      }
      const Word word = with(legal_word(opcode), {{k, 1, legal_word(opcode).bytes[k] ^ 0x40u}});
      for (const Generation g : kGenerations) {
        if (!exists_on(opcode, g)) continue;
        if (reserved != nullptr) {
          EXPECT_TRUE(findings_are(word, on(g), {{"reserved_zero", reserved, k, 0x40}})) << mnemonic(opcode);
          continue;
        }
        for (const Finding& f : check(word, on(g))) EXPECT_NE(f.predicate, "reserved_zero") << mnemonic(opcode) << k;
      }
    }
  }
}

TEST(LegalityControl, DrainCountsFreely) { expect_everywhere({{Opcode::drain, {{40, 4, 0xFFFFFFFF}}, {}}}); }

TEST(LegalityControl, RangeClear) {
  std::vector<Breach> breaches = {
      {kClear, {{13, 2, 0xFF00}}, {}},
      {kClear, {{13, 2, 0x0505}}, {}},
      {kClear, {{13, 2, 0x0405}}, {{"ctrl_sr_range", "last", 14, 4}}},
      {kClear, {{12, 1, 2}}, {{"ctrl_sr_mode", "mode", 12, 2}}},
      {kClear, {{12, 1, 2}, {13, 2, 0x0405}, {40, 1, 1}}, {{"ctrl_sr_mode", "mode", 12, 2}}},
      {kClear, {{32, 1, 1}}, {{"ctrl_sr_unused_zero", "bitmask", 32, 1}}},
      {kClear, {{63, 1, 0x80}}, {{"ctrl_sr_unused_zero", "bitmask", 63, 0x80}}},
      {kClear, {{12, 3, 1}, {32, 8, 0xFFFFFFFFFFFFFFFF}, {56, 8, 1}}, {}},
      {kClear, {{12, 3, 1}}, {}},
      {kClear, {{12, 3, 0x0301}}, {{"ctrl_sr_unused_zero", "first", 13, 3}}},
      {kClear, {{12, 3, 0x090001}}, {{"ctrl_sr_unused_zero", "last", 14, 9}}},
      {kClear, {{12, 1, 1}}, {{"ctrl_sr_unused_zero", "first", 13, 3}, {"ctrl_sr_unused_zero", "last", 14, 9}}}};
  expect_everywhere(breaches);
}

TEST(LegalityControl, Move) {
  std::vector<Breach> breaches = {
      {kMove, {{12, 1, 0}}, {{"ctrl_mv_num_mov", "num_mov", 12, 0}}},
      {kMove, {{12, 1, 9}}, {{"ctrl_mv_num_mov", "num_mov", 12, 9}}},
      {kMove, {{14, 1, 2}}, {{"ctrl_mv_source", "source", 14, 2}}},
      {kMove, {{16, 1, 63}, {24, 1, 0}}, {}},
      {kMove, {{16, 2, 0x8180}}, {}},
      {kMove, {{24, 2, 0x8180}}, {}},
      {kMove, {{16, 1, 64}}, {{"ctrl_mv_register", "src_regs", 16, 64}}},
      {kMove, {{18, 1, 130}}, {{"ctrl_mv_register", "src_regs", 18, 130}}},
      {kMove, {{25, 1, 127}}, {{"ctrl_mv_register", "dst_regs", 25, 127}}},
      {kMove, {{26, 1, 255}}, {{"ctrl_mv_register", "dst_regs", 26, 255}}},
      {kMove, {{26, 1, 4}}, {{"ctrl_mv_unique_destination", "dst_regs", 26, 4}}},
      {kMove,
       {{24, 3, 0x040404}},
       {{"ctrl_mv_unique_destination", "dst_regs", 25, 4}, {"ctrl_mv_unique_destination", "dst_regs", 26, 4}}},
      {kMove, {{24, 1, 3}}, {{"ctrl_mv_disjoint_destination", "dst_regs", 24, 3}}},
      {kMove, {{26, 1, 1}}, {{"ctrl_mv_disjoint_destination", "dst_regs", 26, 1}}},
      {kMove, {{16, 3, 0}}, {}},  // one source, three destinations
      {kMove, {{19, 1, 7}}, {{"ctrl_mv_unused_zero", "src_regs", 19, 7}}},
      {kMove, {{31, 1, 7}}, {{"ctrl_mv_unused_zero", "dst_regs", 31, 7}}},
      {kMove, {{32, 4, 5}}, {{"ctrl_mv_unused_zero", "immediate", 32, 5}}},
      {kMove, {{60, 4, 5}}, {{"ctrl_mv_unused_zero", "immediate", 60, 5}}},
      // From immediates: no slot reads a register.
      {kMove, {{14, 1, 1}, {16, 3, 0}, {32, 4, 0xFFFFFFFF}, {40, 4, 1}}, {}},
      {kMove, {{14, 1, 1}, {16, 3, 0}, {24, 3, 0x020100}}, {}},
      {kMove, {{14, 1, 1}, {16, 3, 0x020000}}, {{"ctrl_mv_unused_zero", "src_regs", 18, 2}}},
      {kMove, {{14, 1, 1}, {16, 3, 0}, {44, 4, 9}}, {{"ctrl_mv_unused_zero", "immediate", 44, 9}}},
      {kMove, {{14, 1, 1}, {16, 3, 0}, {24, 2, 0x0404}}, {{"ctrl_mv_unique_destination", "dst_regs", 25, 4}}},
      // All eight.
      {kMove, {{12, 1, 8}, {16, 8, 0x0706050403020100}, {24, 8, 0x0F0E0D0C0B0A0908}}, {}},
      {kMove,
       {{12, 1, 8}, {16, 8, 0x0706050403020100}, {24, 8, 0x070E0D0C0B0A0908}},
       {{"ctrl_mv_disjoint_destination", "dst_regs", 31, 7}}}};
  for (unsigned d = 0; d < 0x18; ++d) {
    const bool legal = d == 8 || d == 9 || d == 0xA;
    const std::vector<Expected> broken = {{"ctrl_mv_dtype", "dtype", 13, d}};
    breaches.push_back({kMove, {{13, 1, d}}, legal ? std::vector<Expected>{} : broken});
  }
  expect_everywhere(breaches);
}

TEST(LegalityControl, MemoryWords) {
  std::vector<Breach> breaches;
  for (const Opcode op : {kLoad, kStore}) {
    const std::set<unsigned> dtypes = {3, 5, 2, 4, 9, 8, 0xA, 1};
    for (unsigned d = 0; d < 0x18; ++d) {
      const std::vector<Expected> broken = {{"mem_2d_dtype", "dtype", 12, d}};
      // Even registers, which UINT64 asks for.
      breaches.push_back(
          {op, {{12, 1, d}, {32, 6, 0x14120C0E0A10}}, dtypes.count(d) == 1 ? std::vector<Expected>{} : broken});
    }
    breaches.push_back({op, {{13, 1, 2}}, {{"mem_2d_source", "src_datasrc", 13, 2}}});
    // Data bytes mean nothing without a dtype, a source and counts.
    breaches.push_back({op, {{13, 1, 2}, {33, 1, 64}, {38, 1, 1}}, {{"mem_2d_source", "src_datasrc", 13, 2}}});
    breaches.push_back({op, {{12, 1, 7}, {33, 1, 64}, {38, 1, 1}}, {{"mem_2d_dtype", "dtype", 12, 7}}});
    breaches.push_back({op, {{14, 1, 0}, {33, 1, 64}, {38, 1, 1}}, {{"mem_2d_num_elem", "num_elem", 14, 0}}});
    breaches.push_back({op, {{14, 1, 0}}, {{"mem_2d_num_elem", "num_elem", 14, 0}}});
    breaches.push_back({op, {{15, 1, 33}}, {{"mem_2d_num_elem", "num_elem", 15, 33}}});
    breaches.push_back({op, {{14, 2, 0x0120}, {38, 2, 0x1110}}, {}});
    breaches.push_back({op, {{14, 2, 0x0804}}, {}});
    breaches.push_back({op, {{14, 2, 0x0B03}}, {{"mem_2d_element_cnt", "num_elem", 14, 33}}});
    breaches.push_back({op, {{14, 2, 0x2020}, {28, 4, 0}}, {{"mem_2d_element_cnt", "num_elem", 14, 1024}}});
    breaches.push_back({op, {{33, 1, 64}}, {{"mem_2d_register", "data", 33, 64}}});
    breaches.push_back({op, {{37, 1, 128}}, {{"mem_2d_register", "data", 37, 128}}});
    breaches.push_back({op, {{38, 1, 1}}, {{"mem_2d_unused_zero", "data", 38, 1}}});
    breaches.push_back({op, {{63, 1, 1}}, {{"mem_2d_unused_zero", "data", 63, 1}}});
    breaches.push_back({op, {{12, 1, 1}, {14, 2, 0x0101}, {32, 6, 0x0B}}, {{"mem_2d_register_pair", "data", 32, 11}}});
    breaches.push_back({op, {{12, 1, 1}, {14, 2, 0x0101}, {32, 6, 62}}, {}});
  }
  breaches.push_back({kLoad, {{13, 1, 1}}, {{"mem_2d_source", "src_datasrc", 13, 1}}});
  expect_everywhere(breaches);
}

// The 32 data bytes hold 32, 16, 8 or 4 values.
TEST(LegalityControl, StoredImmediates) {
  std::vector<Breach> breaches;
  const std::pair<unsigned, unsigned> sizes[] = {{3, 32}, {2, 32}, {5, 16}, {4, 16}, {9, 8}, {8, 8}, {0xA, 8}, {1, 4}};
  for (const auto& [dtype, most] : sizes) {
    const unsigned bytes = 32 / most;
    breaches.push_back({kStore, {{12, 2, 0x100 | dtype}, {14, 2, 0x100 | most}, {56, 8, 0xFFFFFFFFFFFFFFFF}}, {}});
    breaches.push_back({kStore,
                        {{12, 2, 0x100 | dtype}, {14, 1, most == 32 ? 17u : most / 2 + 1}, {15, 1, 2}},
                        {{"mem_2d_element_cnt", "num_elem", 14, most == 32 ? 34 : most + 2}}});
    // One value: what stands past its bytes is too much.
    breaches.push_back({kStore,
                        {{12, 2, 0x100 | dtype}, {14, 2, 0x0101}, {32, 6, 0}, {32 + bytes, 1, 7}},
                        {{"mem_2d_unused_zero", "data", 32 + bytes, 7}}});
    breaches.push_back({kStore, {{12, 2, 0x100 | dtype}, {14, 2, 0x0101}, {32, 6, 0}, {31 + bytes, 1, 7}}, {}});
  }
  expect_everywhere(breaches);
}

TEST(LegalityControl, AddressesOfMemoryWords) {
  constexpr std::uint64_t kRegister = 0x8000000000000000;
  constexpr std::uint64_t kBlock = 0x1000000;
  std::vector<Breach> breaches;
  for (const Opcode op : {kLoad, kStore}) {
    breaches.push_back({op, {{16, 8, kRegister}}, {}});
    breaches.push_back({op, {{16, 8, kRegister | 63}}, {}});
    breaches.push_back({op, {{16, 8, kRegister | 64}}, {{"addr8_register", "start_addr", 16}}});
    breaches.push_back({op, {{16, 8, kRegister | 0x105}}, {{"addr8_register", "start_addr", 16}}});
    breaches.push_back({op, {{16, 8, 0xC000000000000005}}, {{"addr8_register", "start_addr", 16}}});
    breaches.push_back({op, {{16, 8, 0x2000001002}}, {{"mem_2d_aligned", "start_addr", 16, 0x2000001002}}});
    breaches.push_back({op, {{16, 8, 0x2000001002}, {12, 1, 5}}, {}});
    breaches.push_back({op, {{16, 8, 0x2000001001}, {12, 1, 3}}, {}});
    breaches.push_back(
        {op, {{16, 8, 0x2000001004}, {12, 1, 1}, {32, 6, 0x040608020E0C}}, {{"mem_2d_aligned", "start_addr", 16}}});
    // Three elements a row, two rows 64 apart: the last one stands at element 66.
    breaches.push_back({op, {{16, 8, kBlock - 67 * 4}}, {}});
    breaches.push_back({op, {{16, 8, kBlock - 66 * 4}}, {{"mem_2d_region", "start_addr", 16, kBlock - 66 * 4}}});
    breaches.push_back({op, {{16, 8, 7 * kBlock - 4}}, {{"mem_2d_region", "start_addr", 16}}});
    breaches.push_back({op, {{16, 8, 0}}, {}});
    breaches.push_back({op, {{16, 8, 8}, {24, 4, 0xFFFFFFFF}}, {}});
    breaches.push_back({op, {{16, 8, 4}, {24, 4, 0xFFFFFFFF}}, {{"mem_2d_region", "start_addr", 16, 4}}});
    breaches.push_back({op, {{16, 8, 5 * kBlock + 8}, {24, 4, 0xFFFFFFFF}}, {}});
    breaches.push_back({op, {{28, 4, 0x7FFFFFFF}}, {{"mem_2d_region", "start_addr", 16}}});
    breaches.push_back({op, {{28, 4, 0x80000000}}, {{"mem_2d_region", "start_addr", 16}}});
    // Without counts or a dtype nobody knows where the elements are.
    breaches.push_back({op, {{28, 4, 0x7FFFFFFF}, {14, 1, 0}}, {{"mem_2d_num_elem", "num_elem", 14, 0}}});
    breaches.push_back({op, {{28, 4, 0x7FFFFFFF}, {12, 1, 7}}, {{"mem_2d_dtype", "dtype", 12, 7}}});
    breaches.push_back({op, {{16, 8, kRegister}, {28, 4, 0x7FFFFFFF}}, {}});  // known when the register is
    breaches.push_back({op, {{16, 8, 0x7FFFFFFFFFFFFFFC}, {14, 2, 0x0101}, {33, 5, 0}}, {}});
  }
  expect_everywhere(breaches);
}

}  // namespace legality_control_test
}  // namespace dve::isa::test
