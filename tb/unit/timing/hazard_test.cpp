// The hazard term H(i) of microarchitecture.md 8.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "operands.h"

namespace dve::timing {
namespace {

using isa::Cycles;
using isa::Dtype;
using isa::Generation;
using isa::Opcode;
using isa::Operand;
using isa::OperandRole;
using isa::Space;
using test::operand;
using test::stream;
using test::word;

// A producer and a consumer far apart in every respect; each test moves one thing. Stats2 of 512 elements lets the next
// word issue at 582 and its result be read at 512 + 144 + 29 = 685.
constexpr std::uint64_t kFree = 582, kHeld = 685;

struct Programs {
  std::vector<Operand> first = {operand(OperandRole::src0, Space::sbuf, 0, 0, stream(512)),
                                operand(OperandRole::dst, Space::sbuf, 0, 0x8000, stream(6))};
  std::vector<Operand> second = {operand(OperandRole::src0, Space::sbuf, 0, 0x1000, stream(8)),
                                 operand(OperandRole::src1, Space::sbuf, 0, 0x1100, stream(8)),
                                 operand(OperandRole::imm0, Space::sbuf, 0, 0x1200, stream(1)),
                                 operand(OperandRole::imm1, Space::sbuf, 0, 0x1204, stream(1)),
                                 operand(OperandRole::dst, Space::sbuf, 0, 0x1300, stream(3))};
};

std::uint64_t second_start(const Programs& p, const Parameters& parameters = {},
                           Generation generation = Generation::cayman) {
  Pipeline pipeline(generation, parameters);
  pipeline.issue(word(Opcode::batch_norm_stats2), p.first, Cycles(0));
  return pipeline.issue(word(Opcode::batch_norm_grad_accumulate), p.second, Cycles(0)).start.value;
}

TEST(Hazard, IndependentWordsDoNotWait) { EXPECT_EQ(second_start({}), kFree); }

TEST(Hazard, EveryReadOrWrittenOperandIsCoveredToTheByte) {
  for (std::size_t i = 0; i < 5; ++i) {
    SCOPED_TRACE(testing::Message() << "operand " << i);
    Programs p;
    Operand& moved = p.second[i];
    const std::uint32_t bytes = moved.pattern.num_elem[0] * 4u;
    moved.dtype = Dtype::uint8;  // bytes as elements, so that the overlap can be a single byte
    moved.pattern = stream(static_cast<std::uint16_t>(bytes));
    moved.address.raw = 0x8000 - bytes;  // ends right below the written range 0x8000..0x8017
    EXPECT_EQ(second_start(p), kFree);
    moved.address.raw += 1;
    EXPECT_EQ(second_start(p), kHeld);
    moved.address.raw = 0x8017;
    EXPECT_EQ(second_start(p), kHeld);
    moved.address.raw = 0x8018;
    EXPECT_EQ(second_start(p), kFree);
  }
}

TEST(Hazard, GapsInsideADescriptorCount) {
  Programs p;
  p.first[1].pattern = stream(3, 100);  // bytes 0x8000 .. 0x8000 + 803
  p.second[0].pattern = stream(1);
  p.second[0].address.raw = 0x8000 + 40;
  EXPECT_EQ(second_start(p), kHeld);
  p.second[0].address.raw = 0x8000 + 804;
  EXPECT_EQ(second_start(p), kFree);
}

TEST(Hazard, NegativeStepsReachBelowTheStartAddress) {
  Programs p;
  p.first[1].pattern = stream(6, -1);  // bytes 0x8000 - 20 .. 0x8003
  p.second[0].pattern = stream(1);
  for (const auto& [address, start] : {std::pair{0x8000u - 24, kFree}, std::pair{0x8000u - 20, kHeld},
                                       std::pair{0x8000u, kHeld}, std::pair{0x8004u, kFree}}) {
    p.second[0].address.raw = address;
    EXPECT_EQ(second_start(p), start) << std::hex << address;
  }
}

TEST(Hazard, PartitionsAreSeparate) {
  // The producer writes partitions 32..63, the consumer reads the same bytes of others.
  for (const std::uint32_t channels : {1u, 32u}) {
    for (const auto& [partition, start] : {std::pair{0u, kFree}, std::pair{32u, kHeld}, std::pair{64u, kFree}}) {
      SCOPED_TRACE(testing::Message() << channels << " channels at " << partition);
      Programs p;
      p.first[1] = operand(OperandRole::dst, Space::sbuf, 32, 0x8000, stream(6), Dtype::fp32, 32);
      p.second[0] = operand(OperandRole::src0, Space::sbuf, partition, 0x8000, stream(6), Dtype::fp32, channels);
      EXPECT_EQ(second_start(p), start);
    }
  }
  Programs p;
  p.first[1] = operand(OperandRole::dst, Space::sbuf, 32, 0x8000, stream(6), Dtype::fp32, 32);
  p.second[0] = operand(OperandRole::src0, Space::sbuf, 0, 0x8000, stream(6), Dtype::fp32, 33);  // reaches 32
  EXPECT_EQ(second_start(p), kHeld);
}

TEST(Hazard, MemoriesAreSeparate) {
  Programs p;
  p.first[1] = operand(OperandRole::dst, Space::psum, 0, 0x1000, stream(6));
  EXPECT_EQ(second_start(p), kFree);  // SBUF 0x1000 is read
  p.second[0] = operand(OperandRole::src0, Space::psum, 0, 0x1000, stream(8));
  EXPECT_EQ(second_start(p), kHeld);
}

TEST(Hazard, WriteAfterReadDoesNotWait) {
  Programs p;
  p.second[4].address.raw = 0x40;  // inside the first word's source
  EXPECT_EQ(second_start(p), kFree);
}

TEST(Hazard, SwitchedOffByNone) {
  Programs p;
  p.second[0].address.raw = 0x8000;
  p.second[4].address.raw = 0x8000;
  Parameters parameters;
  EXPECT_EQ(second_start(p, parameters), kHeld);
  parameters.same_engine_raw = SameEngineRaw::none;
  EXPECT_EQ(second_start(p, parameters), kFree);
}

TEST(Hazard, SemaphoreLatencyIsPartOfIt) {
  Programs p;
  p.second[0].address.raw = 0x8000;
  Parameters parameters;
  parameters.sem_ns = 0;
  EXPECT_EQ(second_start(p, parameters), 512u + 144u);
  parameters.sem_ns = 100;
  EXPECT_EQ(second_start(p, parameters), 512u + 144u + 96u);
}

TEST(Hazard, OperandsWithoutBytesDoNotTakePart) {
  Programs base;
  base.second[0].address.raw = 0x8000;
  ASSERT_EQ(second_start(base), kHeld);
  for (const std::size_t side : {0u, 1u}) {
    const auto with = [&](auto change) {
      Programs p = base;
      change(side == 0 ? p.first[1] : p.second[0]);
      return second_start(p);
    };
    SCOPED_TRACE(testing::Message() << (side == 0 ? "written" : "read"));
    EXPECT_EQ(with([](Operand& o) { o.address.raw = 0x1FFFFFFF; }), kFree);  // in neither memory
    EXPECT_EQ(with([](Operand& o) { o.channels = 0; }), kFree);
    EXPECT_EQ(with([](Operand& o) { o.pattern.num_elem[1] = 0; }), kFree);
    EXPECT_EQ(with([](Operand& o) { o.dtype = Dtype::fp4_e2m1; }), kFree);
  }
}

TEST(Hazard, EarlierWordsThanThePreviousOneCount) {
  // With a long drain the result of word 0 is still on its way when word 3 wants it.
  Parameters parameters;
  parameters.fill_drain = Cycles(5000);
  Pipeline pipeline(Generation::cayman, parameters);
  const Programs p;
  pipeline.issue(word(Opcode::batch_norm_stats2), p.first, Cycles(0));
  for (std::uint32_t i = 1; i < 3; ++i) {
    const Operand src = operand(OperandRole::src0, Space::sbuf, 0, 0x1000, stream(8));
    const Operand dst = operand(OperandRole::dst, Space::sbuf, 0, 0x9000 + 0x100 * i, stream(6));
    EXPECT_LT(pipeline.issue(word(Opcode::batch_norm_stats2), {src, dst}, Cycles(0)).start.value, 1000u);
  }
  Programs reader;
  reader.second[2].address.raw = 0x8000;
  EXPECT_EQ(pipeline.issue(word(Opcode::batch_norm_grad_accumulate), reader.second, Cycles(0)).start.value,
            512u + 5000u + 29u);
}

// --- pruning against a model that forgets nothing ---

// Reference: every written byte range so far, found by walking the pattern.
class NeverForgets {
 public:
  std::uint64_t start(const std::vector<Operand>& operands, std::uint64_t earliest) const {
    for (const Operand& operand : operands) {
      const Range range = range_of(operand);
      for (const Write& w : writes_) {
        const bool apart = w.range.space != range.space || w.range.last < range.first || range.last < w.range.first ||
                           w.range.partition + w.range.channels <= range.partition ||
                           range.partition + range.channels <= w.range.partition;
        if (!apart) earliest = std::max(earliest, w.visible);
      }
    }
    return earliest;
  }
  void write(const std::vector<Operand>& operands, std::uint64_t visible) {
    writes_.push_back({range_of(operands.back()), visible});
  }

 private:
  struct Range {
    int space;
    std::uint32_t partition, channels;
    std::int64_t first, last;
  };
  struct Write {
    Range range;
    std::uint64_t visible;
  };
  static Range range_of(const Operand& o) {
    const bool psum = o.address.raw >= 0x2000000;
    const std::uint32_t stride = psum ? 0x8000 : 0x40000;
    const std::uint32_t local = psum ? o.address.raw - 0x2000000 : o.address.raw;
    Range range{psum, local / stride, o.channels, INT64_MAX, INT64_MIN};
    const std::int64_t size = o.dtype == Dtype::fp32 ? 4 : 2;
    for (int i = 0; i < o.pattern.num_elem[0]; ++i) {
      for (int j = 0; j < o.pattern.num_elem[1]; ++j) {
        const std::int64_t at = local % stride + (i * o.pattern.step_elem[0] + j * o.pattern.step_elem[1]) * size;
        range.first = std::min(range.first, at);
        range.last = std::max(range.last, at + size - 1);
      }
    }
    return range;
  }
  std::vector<Write> writes_;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  std::int16_t step() { return static_cast<std::int16_t>(static_cast<int>(below(13)) - 6); }

  Operand any(OperandRole role) {
    isa::AccessPattern pattern;
    pattern.num_elem = {static_cast<std::uint16_t>(1 + below(8)), static_cast<std::uint16_t>(1 + below(3)), 1, 1};
    pattern.step_elem = {step(), step(), 1, 1};
    const Dtype dtype = below(2) == 0 ? Dtype::fp32 : Dtype::bf16;
    const Space space = below(4) == 0 ? Space::psum : Space::sbuf;
    const auto offset = static_cast<std::uint32_t>(256 + 4 * below(100));
    return operand(role, space, static_cast<std::uint32_t>(32 * below(3)), offset, pattern, dtype,
                   static_cast<std::uint32_t>(1 + below(64)));
  }

 private:
  std::mt19937_64 engine_;
};

TEST(Hazard, PruningNeverChangesResults) {
  int delayed = 0, free = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Parameters parameters;
    parameters.clock_hz = 1'000'000'000;  // 1 ns a cycle
    parameters.min_ii = Cycles(random.below(80));
    parameters.issue_gap = Cycles(random.below(80));
    parameters.fill_drain = Cycles(random.below(seed % 2 == 0 ? 300 : 3000));
    const std::uint64_t t_sem = random.below(100);
    parameters.sem_ns = static_cast<double>(t_sem);
    Pipeline pipeline(Generation::cayman, parameters);
    NeverForgets reference;
    std::uint64_t issue = 0;
    for (int index = 0; index < 60; ++index) {
      const std::vector<Operand> operands = {random.any(OperandRole::src0), random.any(OperandRole::src1),
                                             random.any(OperandRole::imm0), random.any(OperandRole::dst)};
      const std::uint64_t wait = random.below(5) == 0 ? issue + random.below(200) : 0;
      const std::uint64_t expected = reference.start(operands, std::max(issue, wait));
      const Schedule s = pipeline.issue(word(Opcode::batch_norm_back_prop), operands, Cycles(wait));
      ASSERT_EQ(s.start.value, expected) << "seed " << seed << " word " << index;
      ASSERT_EQ(s.start.value, issue + s.wait_wait.value + s.hazard_wait.value);
      (s.hazard_wait.value > 0 ? delayed : free) += 1;
      reference.write(operands, s.complete.value + t_sem);
      issue = s.next_issue.value;
    }
  }
  EXPECT_GT(delayed, 1000);  // both outcomes were exercised
  EXPECT_GT(free, 1000);
}

}  // namespace
}  // namespace dve::timing
