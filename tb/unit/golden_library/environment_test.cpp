// What surrounds a call: other threads, and the caller's floating-point environment.
#include <gtest/gtest.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <atomic>
#include <cfenv>
#include <cstring>
#include <thread>

#include "handle.h"

namespace dve::golden_tests {
namespace environment_test {
namespace {

using namespace testing_support;

constexpr std::uint16_t kElements = 300;
const WordBuilder kBuild(isa::Generation::cayman);

// GradAccum and BackProp over numbers among which there are subnormals and results that have to be rounded.
void fill(Golden& g, unsigned seed) {
  std::vector<std::uint32_t> bits(kElements);
  for (std::uint32_t p = 0; p < 8; ++p) {
    for (const std::uint32_t place : {0x0U, 0x1000U}) {
      for (std::uint32_t i = 0; i < kElements; ++i)
        bits[i] = i % 5 == 0 ? 0x80 + seed * i * p : 0x3F800000 + (seed * 7919 + i * 104729 + p * 31) % 0x7FFFFF;
      g.write(sbuf(p, place), bits.data(), 4 * kElements);
    }
    g.write(sbuf(p, 0x3000), {0.3F, 1.7F, 0.1F, 1e-3F, 3.3F});
  }
}
std::vector<isa::Word> words() {
  return {isa::encode(kBuild.grad_accumulate2(row(sbuf(0, 0), kElements), row(sbuf(0, 0x1000), kElements),
                                              row(sbuf(0, 0x2000), 3), row(sbuf(0, 0x3000), 1), row(sbuf(0, 0x3004), 1),
                                              8)),
          isa::encode(kBuild.param_load(row(sbuf(0, 0x3008), 3), row(sbuf(0, 0x3000), 1), kElements, 8)),
          isa::encode(kBuild.back_prop(row(sbuf(0, 0), kElements), row(sbuf(0, 0x1000), kElements),
                                       row(sbuf(0, 0x4000), kElements), 8))};
}
std::vector<std::uint8_t> results(Golden& g) {
  std::vector<std::uint8_t> bytes(8 * (12 + 4 * kElements));
  std::uint8_t* to = bytes.data();
  for (std::uint32_t p = 0; p < 8; ++p) {
    g.read(sbuf(p, 0x2000), to, 12);
    g.read(sbuf(p, 0x4000), to + 12, 4 * kElements);
    to += 12 + 4 * kElements;
  }
  return bytes;
}
std::vector<std::uint8_t> computed(unsigned seed) {
  Golden g;
  fill(g, seed);
  g.run_all(words());
  return results(g);
}

// Every call but creation, and the bits of what it gives.
std::vector<std::uint8_t> stepped(Golden& g, unsigned seed) {
  fill(g, seed);
  std::vector<std::uint8_t> bytes;
  for (const isa::Word& word : words()) {
    if (word.opcode_byte() == 0x64) {
      g.run_all({word});
      continue;
    }
    EXPECT_EQ(dve_golden_begin(g.get(), 0, word.bytes.data(), nullptr, nullptr), DVE_GOLDEN_OK) << g.message();
    while (dve_golden_step(g.get()) == DVE_GOLDEN_OK) {
      dve_golden_element e{};
      EXPECT_EQ(dve_golden_element_of(g.get(), 7, &e), DVE_GOLDEN_OK);
      const auto* const from = reinterpret_cast<const std::uint8_t*>(&e);
      bytes.insert(bytes.end(), from, from + sizeof e);
    }
    EXPECT_EQ(dve_golden_finish(g.get()), DVE_GOLDEN_OK);
  }
  const auto end = results(g);
  bytes.insert(bytes.end(), end.begin(), end.end());
  return bytes;
}

// ---- The caller's environment ----

TEST(Environment, RoundingModesChangeNothingAndStay) {
  Golden plain;
  const auto expected = stepped(plain, 1);
  for (const int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    SCOPED_TRACE(mode);
    ASSERT_EQ(std::fesetround(mode), 0);
    Golden g("cayman", {"timing.dve.clock_mhz=960.1"});
    const auto got = stepped(g, 1);
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(after, mode);
    EXPECT_TRUE(got == expected);
  }
}

TEST(Environment, ExceptionFlagsOfTheCallerStay) {
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_DIVBYZERO);
  Golden g;
  stepped(g, 2);
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), FE_DIVBYZERO) << "no more and no less";
  std::feclearexcept(FE_ALL_EXCEPT);
}

#if defined(__SSE2__)
TEST(Environment, FlushingOfSubnormalsChangesNothingAndStays) {
  Golden plain;
  const auto expected = stepped(plain, 3);
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // FTZ, DAZ
  Golden g;
  const auto got = stepped(g, 3);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after & 0x8040, 0x8040u);
  EXPECT_TRUE(got == expected);
}
#endif

// ---- Threads ----

TEST(Threads, ManyHandlesInParallel) {
  constexpr unsigned kThreads = 8;
  std::vector<std::vector<std::uint8_t>> expected, got(kThreads);
  for (unsigned t = 0; t < kThreads; ++t) expected.push_back(computed(t));
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&got, t] {
      for (int k = 0; k < 5; ++k) got[t] = computed(t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (unsigned t = 0; t < kThreads; ++t) EXPECT_TRUE(got[t] == expected[t]) << t;
}

TEST(Threads, OneHandleFromManyThreads) {
  constexpr unsigned kThreads = 8, kTimes = 200;
  Golden g;
  const isa::Word count = g.assemble("nop update=sem[3]++");
  std::vector<std::thread> threads;
  std::atomic<unsigned> wrong{0};
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned k = 0; k < kTimes; ++k) {
        if (dve_golden_execute(g.get(), static_cast<int>(t % 3), count.bytes.data()) != DVE_GOLDEN_OK) ++wrong;
        const std::uint64_t at = dve_golden_address(g.get(), DVE_GOLDEN_SBUF, t, 4 * k);
        std::uint32_t value = t * 1000 + k, back = 0;
        if (dve_golden_write(g.get(), at, &value, 4) != DVE_GOLDEN_OK) ++wrong;
        if (dve_golden_read(g.get(), at, &back, 4) != DVE_GOLDEN_OK || back != value) ++wrong;
        if (dve_golden_execute(g.get(), 3, count.bytes.data()) != DVE_GOLDEN_BAD_ARGUMENT) ++wrong;
        char text[200] = "";
        dve_golden_message(g.get(), text, sizeof text);
        if (std::strncmp(text, "engine is 3", 11) != 0) ++wrong;
        dve_golden_schedule schedule;
        if (dve_golden_schedule_of(g.get(), static_cast<int>(t % 3), &schedule) != DVE_GOLDEN_OK) ++wrong;
        dve_golden_finding_count(g.get());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(g.semaphore(3), static_cast<std::int32_t>(kThreads * kTimes));
}

}  // namespace
}  // namespace environment_test
}  // namespace dve::golden_tests
