// Notification rings: what words leave in memory, decoded here on its own (microarchitecture.md 6.3).
#include <gtest/gtest.h>

#include <cstring>

#include "support/control_words.h"
#include "support/core_bench.h"
#include "support/expected_time.h"
#include "support/tensor_word_builder.h"

namespace dve {
namespace notifications_test {
namespace {

using namespace testing_support;
using isa::Engine;
using isa::UpdateMode;
using isa::WaitMode;

constexpr std::uint64_t kHost = address_map::kHostMemory;
constexpr std::uint64_t kRing = kHost + 0xF0000;  // past every program here
constexpr std::uint64_t kDveHz = 960'000'000, kActHz = 1'200'000'000;
const TensorWordBuilder kBuild(isa::Generation::cayman);

// debug_cmd (isa.md 1.1).
constexpr std::uint8_t kNotify = 1, kStart = 3, kEnd = 5, kStartEnd = 7, kInsField = 9;
constexpr std::uint8_t kStartType = 0x10, kEndType = 0x11, kExplicitType = 0x12, kEventType = 0x13, kErrorType = 0x1F;

// A record as 16 bytes of memory say: 24-bit body, type byte, 32-bit body, picoseconds.
struct Record {
  std::uint32_t body24 = 0, body32 = 0;
  std::uint8_t type = 0;
  bool sw_overflow = false, hw_overflow = false, phase = false;
  std::uint64_t picoseconds = 0;
  std::uint32_t pc() const { return body24 & 0xFFFFF; }  // in words: the program lies at host:0x0
};

std::uint64_t little_endian(const std::uint8_t* bytes, int count) {
  std::uint64_t value = 0;
  for (int k = count - 1; k >= 0; --k) value = value << 8 | bytes[k];
  return value;
}

Record record_at(Host& host, std::uint64_t address) {
  std::uint8_t bytes[16];
  host.read(address, bytes, sizeof bytes);
  Record r;
  r.body24 = static_cast<std::uint32_t>(little_endian(bytes, 3));
  r.type = bytes[3] & 0x1F;
  r.sw_overflow = (bytes[3] & 0x20) != 0;
  r.hw_overflow = (bytes[3] & 0x40) != 0;
  r.phase = (bytes[3] & 0x80) != 0;
  r.body32 = static_cast<std::uint32_t>(little_endian(bytes + 4, 4));
  r.picoseconds = little_endian(bytes + 8, 8);
  return r;
}

std::uint32_t window(Host& host, std::uint64_t reg, Engine engine = Engine::dve) {
  return host.read_register(address_map::sequencer_control(engine) + reg);
}
void set_window(Host& host, std::uint64_t reg, std::uint32_t value, Engine engine = Engine::dve) {
  host.write_register(address_map::sequencer_control(engine) + reg, value);
}

enum class Mode : std::uint32_t { lossless = 0, overwrite = 1 };

void set_up_ring(Host& host, std::uint32_t entries, Mode mode = Mode::lossless, std::uint64_t base = kRing,
                 Engine engine = Engine::dve) {
  const std::vector<std::uint8_t> zeros(16 * std::size_t{entries});
  host.write(base, zeros.data(), zeros.size());
  set_window(host, 0x2018, static_cast<std::uint32_t>(base), engine);
  set_window(host, 0x201C, static_cast<std::uint32_t>(base >> 32), engine);
  set_window(host, 0x202C, static_cast<std::uint32_t>(mode), engine);
  set_window(host, 0x2020, entries, engine);
}

std::vector<Record> records(Host& host, Engine engine = Engine::dve, std::uint64_t base = kRing) {
  std::vector<Record> list;
  for (std::uint32_t k = 0; k < window(host, 0x2024, engine); ++k) list.push_back(record_at(host, base + 16 * k));
  return list;
}

isa::Word noted(isa::Word word, std::uint8_t debug_cmd, std::uint8_t hint = 0) {
  word.bytes[2] = debug_cmd;
  word.bytes[3] = hint;
  return word;
}

std::uint64_t picoseconds(std::uint64_t cycles, std::uint64_t hz = kDveHz) { return femtoseconds(cycles, hz) / 1000; }

isa::Word memset_word(std::uint16_t n) { return isa::encode(kBuild.memset(row(sbuf(0, 0x100), n), 7, 1)); }

CoreBench& run(CoreBench& bench, const Host::Body& body) {
  EXPECT_EQ(bench.run(body).status, RunStatus::ok);
  return bench;
}

std::vector<int> types(const std::vector<Record>& list) {
  std::vector<int> all;
  for (const Record& r : list) all.push_back(r.type);
  return all;
}

TEST(Notes, EachDebugCommandAsksForItsRecords) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 64);
    CoreBench::execute(host, {noted(nop(), 0), noted(nop(), kStart), noted(nop(), kEnd), noted(nop(), kStartEnd),
                              noted(nop(), kNotify, 0xAB), noted(nop(), kInsField, 0xCD), noted(nop(), 2)});
    const auto list = records(host);
    ASSERT_EQ(types(list),
              (std::vector<int>{kStartType, kEndType, kStartType, kEndType, kExplicitType, kExplicitType}));
    const std::vector<std::uint32_t> words = {1, 2, 3, 3, 4, 5};
    const std::vector<std::uint64_t> cycles = {10, 30, 30, 40, 50, 60};
    for (std::size_t k = 0; k < list.size(); ++k) {
      EXPECT_EQ(list[k].pc(), words[k]) << k;
      EXPECT_EQ(list[k].picoseconds, picoseconds(cycles[k])) << k;
      EXPECT_TRUE(list[k].phase) << "the first pass";
      EXPECT_FALSE(list[k].sw_overflow);
      EXPECT_FALSE(list[k].hw_overflow);
    }
    EXPECT_EQ(list[4].body32, 0xABu);
    EXPECT_EQ(list[5].body32, 0xCDu);
  });
}

TEST(Notes, NothingIsWrittenWithoutARing) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    CoreBench::execute(host, {noted(nop(), kStartEnd)});
    EXPECT_EQ(window(host, 0x2024), 0u);
    set_up_ring(host, 8);
    set_window(host, 0x2020, 0);  // taken away again
    CoreBench::execute(host, {noted(nop(), kStartEnd)});
    EXPECT_EQ(window(host, 0x2024), 0u);
    EXPECT_EQ(record_at(host, kRing).picoseconds, 0u);
  });
}

TEST(Notes, StartAndEndStandAtTheWordsOwnMoments) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 8);
    CoreBench::execute(host, {noted(memset_word(500), kStartEnd), noted(memset_word(8), kStartEnd)});
    const auto list = records(host);
    ASSERT_EQ(list.size(), 4u);
    // S 500, D 570, T 644; the second writes the same bytes: it starts at 644 + 29.
    EXPECT_EQ(list[0].picoseconds, 0u);
    EXPECT_EQ(list[1].picoseconds, picoseconds(644));
    EXPECT_EQ(list[2].picoseconds, picoseconds(673));
    EXPECT_EQ(list[3].picoseconds, picoseconds(673 + 8 + 144));
    EXPECT_EQ(list[2].body32, 0u) << "the interlock is no wait";
  });
}

TEST(Notes, StartTellsTheCyclesWaited) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 8);
    std::vector<isa::Word> changer = nops(99);
    changer.push_back(nop(updates(UpdateMode::sem_inc_complete, 5)));
    for (const isa::Word& word : nops(10000)) changer.push_back(word);
    changer.push_back(nop(updates(UpdateMode::sem_inc_complete, 5)));
    CoreBench::execute(host, {{Engine::dve,
                               {noted(nop(waits(WaitMode::sem_ge_imm, 5, 1)), kStart),
                                noted(nop(waits(WaitMode::sem_ge_imm, 5, 2)), kStart)}},
                              {Engine::act, changer}});
    const auto list = records(host);
    ASSERT_EQ(list.size(), 2u);
    // 1000 cycles of ACT are 800 of the DVE; t_sem 29.
    EXPECT_EQ(list[0].body32, 829u);
    EXPECT_EQ(list[1].body32, 65535u) << "more than 16 bits hold";
  });
}

TEST(Notes, UpdatesOfANotedWordAreToldWithTheirNewValue) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 16);
    CoreBench::execute(
        host, {noted(with_events(memset_word(100), updates(UpdateMode::sem_add_imm_read, 200, 7)), kEnd),
               with_events(nop(), updates(UpdateMode::sem_inc_complete, 200)),
               noted(nop(updates(UpdateMode::evt_set_complete, 33)), kStart), noted(clear_range(198, 200), kNotify)});
    const auto list = records(host);
    // In time order: read of the Memset at 100, the start of word 2 at 180, its update at 190, word 3 complete at 200,
    // the Memset at 244.
    ASSERT_EQ(types(list), (std::vector<int>{kEventType, kStartType, kEventType, kExplicitType, kEventType, kEventType,
                                             kEventType, kEndType}));
    EXPECT_EQ(list[0].body24, 200u | 0x100);  // bit 8: a semaphore
    EXPECT_EQ(list[0].body32, 7u);
    EXPECT_EQ(list[0].picoseconds, picoseconds(100));
    EXPECT_EQ(list[2].body24, 33u);
    EXPECT_EQ(list[2].body32, 1u);
    EXPECT_EQ(list[2].picoseconds, picoseconds(190));
    for (std::uint32_t k = 0; k < 3; ++k) {
      EXPECT_EQ(list[4 + k].body24, (198u + k) | 0x100);
      EXPECT_EQ(list[4 + k].body32, 0u);
    }
    EXPECT_EQ(list[7].picoseconds, picoseconds(244));
  });
}

// ---- CRC ----

// CRC-16/CCITT-FALSE, bit by bit; check value 0x29B1 of "123456789".
std::uint16_t crc_of(const std::vector<std::uint8_t>& data) {
  unsigned crc = 0xFFFF;
  for (const std::uint8_t byte : data) {
    for (int bit = 7; bit >= 0; --bit) {
      const unsigned top = (crc >> 15) ^ ((byte >> bit) & 1u);
      crc = (crc << 1 & 0xFFFF) ^ (top != 0 ? 0x1021u : 0);
    }
  }
  return static_cast<std::uint16_t>(crc);
}

TEST(Crc, TheTestsOwnIsTheKnownOne) {
  const std::string text = "123456789";
  EXPECT_EQ(crc_of({text.begin(), text.end()}), 0x29B1);
}

TEST(Crc, CoversOperandsInReadOrderAndResults) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 8);
    // Two channels of x = {1, 2}, {3, 4} with a gap between the elements, y = {10, 20}, {30, 40}.
    const TensorSpec x{sbuf(0, 0x100), isa::Dtype::fp32, {2}, {3}}, y = row(sbuf(0, 0x200), 2),
                                                                    z = row(sbuf(0, 0x300), 2);
    std::vector<std::uint8_t> inputs, outputs;
    const auto append = [](std::vector<std::uint8_t>& to, float value) {
      std::uint8_t bytes[4];
      std::memcpy(bytes, &value, 4);
      to.insert(to.end(), bytes, bytes + 4);
    };
    const float xs[2][2] = {{1, 2}, {3, 4}}, ys[2][2] = {{10, 20}, {30, 40}};
    for (std::uint32_t p = 0; p < 2; ++p) {
      for (std::uint32_t k = 0; k < 2; ++k) {
        host.write(sbuf(p, 0x100 + 12 * k), reinterpret_cast<const std::uint8_t*>(&xs[p][k]), 4);
        host.write(sbuf(p, 0x200 + 4 * k), reinterpret_cast<const std::uint8_t*>(&ys[p][k]), 4);
        append(inputs, xs[p][k]);
        append(outputs, xs[p][k] + ys[p][k]);
      }
    }
    for (const auto& channel : ys) {
      for (const float value : channel) append(inputs, value);
    }
    CoreBench::execute(
        host,
        {noted(isa::encode(kBuild.tensor_tensor(isa::Opcode::tensor_tensor_arith_op, x, y, z, isa::AluOp::add, 2)),
               kEnd)});
    const auto list = records(host);
    ASSERT_EQ(types(list), (std::vector<int>{kEndType}));
    EXPECT_EQ(list[0].body32 & 0xFFFF, crc_of(inputs));
    EXPECT_EQ(list[0].body32 >> 16, crc_of(outputs));
  });
}

TEST(Crc, OfAWordWithoutInputs) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 8);
    CoreBench::execute(host, {noted(isa::encode(kBuild.memset(row(sbuf(0, 0), 2), 0x04030201, 1)), kEnd)});
    const Record end = records(host).at(0);
    EXPECT_EQ(end.body32 & 0xFFFF, crc_of({}));
    EXPECT_EQ(end.body32 >> 16, crc_of({1, 2, 3, 4, 1, 2, 3, 4}));
  });
}

// ---- Rings ----

TEST(Ring, WrapsWithAnotherPhaseAsLongAsTheReaderFollows) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 4);
    for (std::uint32_t k = 0; k < 11; ++k) {
      CoreBench::execute(host, {noted(nop(), kNotify, static_cast<std::uint8_t>(k))});
      const Record r = record_at(host, kRing + 16 * (k % 4));
      EXPECT_EQ(r.body32, k);
      EXPECT_EQ(r.phase, k / 4 % 2 == 0) << k;
      EXPECT_FALSE(r.sw_overflow);
      EXPECT_EQ(window(host, 0x2024), k + 1);
      set_window(host, 0x2028, k + 1);
      EXPECT_EQ(window(host, 0x2028), k + 1);
    }
  });
}

TEST(Ring, OverwriteKeepsTheNewestAndSaysSo) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 4, Mode::overwrite);
    std::vector<isa::Word> words;
    for (std::uint8_t k = 0; k < 10; ++k) words.push_back(noted(nop(), kNotify, k));
    CoreBench::execute(host, words);
    EXPECT_EQ(window(host, 0x2024), 10u);
    for (const std::uint32_t k : {6u, 7u, 8u, 9u}) {
      const Record r = record_at(host, kRing + 16 * (k % 4));
      EXPECT_EQ(r.body32, k);
      EXPECT_TRUE(r.sw_overflow) << "it replaced a record that nobody read";
      EXPECT_EQ(r.phase, k / 4 % 2 == 0);
    }
  });
}

TEST(Ring, LosslessKeepsTheOldestAndTheNextTellsOfTheLoss) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 4);
    std::vector<isa::Word> words;
    for (std::uint8_t k = 0; k < 10; ++k) words.push_back(noted(nop(), kNotify, k));
    CoreBench::execute(host, words);
    EXPECT_EQ(window(host, 0x2024), 4u);
    for (std::uint32_t k = 0; k < 4; ++k) {
      EXPECT_EQ(record_at(host, kRing + 16 * k).body32, k);
      EXPECT_FALSE(record_at(host, kRing + 16 * k).sw_overflow);
    }
    set_window(host, 0x2028, 3);
    CoreBench::execute(host, {noted(nop(), kNotify, 77), noted(nop(), kNotify, 78)});
    EXPECT_EQ(window(host, 0x2024), 6u);
    EXPECT_EQ(record_at(host, kRing).body32, 77u);
    EXPECT_TRUE(record_at(host, kRing).sw_overflow);
    EXPECT_EQ(record_at(host, kRing + 16).body32, 78u);
    EXPECT_FALSE(record_at(host, kRing + 16).sw_overflow);
    EXPECT_EQ(record_at(host, kRing + 48).body32, 3u) << "not read yet, not replaced";
  });
}

TEST(Ring, AReaderThatClaimsTooMuchIsRefused) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    EXPECT_THROW(set_window(host, 0x2028, 0), HostAccessError) << "no ring";
    EXPECT_THROW(set_window(host, 0x202C, 2), HostAccessError) << "no such mode";
    set_up_ring(host, 4);
    CoreBench::execute(host, {noted(nop(), kNotify), noted(nop(), kNotify)});
    EXPECT_THROW(set_window(host, 0x2028, 3), HostAccessError) << "not written yet";
    set_window(host, 0x2028, 2);
    EXPECT_THROW(set_window(host, 0x2028, 1), HostAccessError) << "read already";
    EXPECT_THROW(set_window(host, 0x2024, 0), HostAccessError) << "read-only";
  });
}

TEST(Ring, ANewSetUpBeginsAnew) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    set_up_ring(host, 4);
    CoreBench::execute(host, std::vector<isa::Word>(6, noted(nop(), kNotify, 1)));
    set_up_ring(host, 8, Mode::lossless, kRing + 0x1000);
    CoreBench::execute(host, {noted(nop(), kNotify, 2)});
    EXPECT_EQ(window(host, 0x2024), 1u);
    EXPECT_EQ(record_at(host, kRing + 0x1000).body32, 2u);
    EXPECT_TRUE(record_at(host, kRing + 0x1000).phase);
    EXPECT_FALSE(record_at(host, kRing + 0x1000).sw_overflow) << "losses of the old ring are not the new one's";
  });
}

TEST(Ring, EachEngineHasItsOwnAnywhereInMemory) {
  CoreBench bench(preset(isa::Generation::cayman));
  run(bench, [&](Host& host) {
    const std::uint64_t in_sbuf = 0x40000, in_psum = 0x2008000;  // partition 1
    set_up_ring(host, 4, Mode::lossless, kRing);
    set_up_ring(host, 4, Mode::lossless, in_sbuf, Engine::pool);
    set_up_ring(host, 4, Mode::lossless, in_psum, Engine::act);
    CoreBench::execute(host, {{Engine::dve, {noted(nop(), kNotify, 1)}},
                              {Engine::pool, {nop(), noted(nop(), kNotify, 2)}},
                              {Engine::act, {nop(), nop(), noted(nop(), kNotify, 3)}}});
    const Record dve = records(host).at(0), pool = records(host, Engine::pool, in_sbuf).at(0),
                 act = records(host, Engine::act, in_psum).at(0);
    EXPECT_EQ(dve.body32, 1u);
    EXPECT_EQ(pool.body32, 2u);
    EXPECT_EQ(act.body32, 3u);
    EXPECT_EQ(dve.picoseconds, picoseconds(10));
    EXPECT_EQ(pool.picoseconds, picoseconds(20, kActHz));
    EXPECT_EQ(act.picoseconds, picoseconds(30, kActHz));
    EXPECT_EQ(pool.pc(), 2u) << "its stream begins at word 1 of the program";
    EXPECT_EQ(act.pc(), 5u);
  });
}

TEST(Ring, OutsideMemoryIsAFault) {
  CoreBench bench(preset(isa::Generation::cayman));
  const RunOutcome outcome = bench.run([&](Host& host) {
    set_window(host, 0x2018, 0x3000000);
    set_window(host, 0x2020, 4);
    CoreBench::execute(host, {noted(nop(), kNotify), nop(), nop()});
  });
  EXPECT_EQ(outcome.status, RunStatus::fault);
  ASSERT_EQ(bench.core().seq().faults().size(), 1u);
  EXPECT_EQ(bench.core().seq().faults()[0].finding.predicate, "ring_response");
}

// The order and the moments of the records do not depend on how far the sequencer runs ahead.
TEST(Ring, RecordsDoNotDependOnTheQuantum) {
  std::vector<std::unique_ptr<CoreBench>> benches;
  std::vector<std::vector<Record>> found(3);
  for (const char* quantum : {"0", "50", "1e9"}) {
    const std::size_t k = benches.size();
    benches.push_back(std::make_unique<CoreBench>(
        preset(isa::Generation::cayman, {std::string("quantum_ns=") + quantum}), ("q" + std::to_string(k)).c_str()));
    benches.back()->drive([&, k](Host& host) {
      set_up_ring(host, 64);
      std::vector<isa::Word> words;
      for (const std::uint16_t n : std::vector<std::uint16_t>{500, 3, 70, 200}) {
        words.push_back(noted(with_events(memset_word(n), updates(UpdateMode::sem_inc_read, 4)), kStartEnd));
        words.push_back(noted(nop(updates(UpdateMode::sem_inc_complete, 4)), kStartEnd));
      }
      CoreBench::execute(host, words);
      found[k] = records(host);
    });
  }
  for (const auto& bench : benches) EXPECT_EQ(bench->finish().status, RunStatus::ok);
  ASSERT_EQ(found[0].size(), 24u);
  for (std::size_t k = 1; k < 3; ++k) {
    ASSERT_EQ(types(found[k]), types(found[0])) << k;
    for (std::size_t i = 0; i < found[k].size(); ++i) {
      EXPECT_EQ(found[k][i].picoseconds, found[0][i].picoseconds);
      EXPECT_EQ(found[k][i].body24, found[0][i].body24);
      EXPECT_EQ(found[k][i].body32, found[0][i].body32);
    }
  }
  for (std::size_t i = 1; i < found[0].size(); ++i) EXPECT_GE(found[0][i].picoseconds, found[0][i - 1].picoseconds);
}

}  // namespace
}  // namespace notifications_test
}  // namespace dve
