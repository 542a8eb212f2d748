// Activate 0x21, ActivationTableLoad 0x23 and ActivationReadAccumulator 0x24 against the golden (isa-neighbours.md 5).
#include "side_by_side.h"

namespace dve::execute_test {
namespace activate_test {

using namespace testing_support;
using isa::ActivationFunc;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

constexpr std::uint8_t kChannels = 6;
constexpr ActivationFunc kUndefined[] = {ActivationFunc::lrelu,  ActivationFunc::gelu_sigmoid,
                                         ActivationFunc::d_erf,  ActivationFunc::d_gelu,
                                         ActivationFunc::d_silu, ActivationFunc::d_gelu_sigmoid};

std::vector<ActivationFunc> defined_functions() {
  std::vector<ActivationFunc> functions;
  for (const ActivationFunc f : isa::named_activation_funcs()) {
    if (std::find(std::begin(kUndefined), std::end(kUndefined), f) == std::end(kUndefined)) functions.push_back(f);
  }
  return functions;
}

isa::S3D3Ac activate(const SideBySide& bench, ActivationFunc f, Dtype in = Dtype::fp32, Dtype out = Dtype::fp32,
                     std::uint16_t n = 96) {
  return bench.build().activate(f, row(sbuf(32, 0), n, in), row(sbuf(32, 0x800), n, out), kChannels);
}

// Values in which every function shows its shape, -12 to 12 and the corners.
void put_arguments(SideBySide& bench) {
  const float corners[] = {0.0F,   -0.0F,   INFINITY, -INFINITY, NAN,     1e-45F, -1e-45F, 3.4e38F,  -3.4e38F,
                           1e-20F, -1e-20F, 88.7F,    -87.4F,    -104.0F, 1.0F,   -1.0F,   65504.0F, 1e6F};
  for (std::uint32_t c = 0; c < kChannels; ++c) {
    std::vector<float> x(std::begin(corners), std::end(corners));
    Rng random(c);
    while (x.size() < 96) x.push_back(static_cast<float>(static_cast<double>(below(random, 24001)) / 1000 - 12));
    bench.put(row(sbuf(32, 0), 96), c, x);
  }
}

TEST(Activate, EveryFunction) {
  SideBySide bench;
  put_arguments(bench);
  EXPECT_EQ(defined_functions().size(), 24U);
  for (const ActivationFunc f : defined_functions()) {
    for (const float scale : {1.0F, -0.37F}) {
      for (const float bias : {0.0F, 0.81F}) {
        auto word = activate(bench, f);
        bench.build().put_scale(word, literal(scale));
        bench.build().put_bias(word, literal(bias), Dtype::fp32);
        bench.build().put_alpha(word, literal(0.25F));
        EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::act))
            << isa::name(f) << ' ' << scale << ' ' << bias;
      }
    }
  }
}

TEST(Activate, EveryCombinationOfDtypes) {
  SideBySide bench;
  const auto functions = defined_functions();
  std::size_t round = 0;
  for (const Dtype in : kPlainDtypes) {
    for (const Dtype out : kOutputDtypes) {
      bench.fill(round);
      for (int k = 0; k < 5; ++k) {
        const ActivationFunc f = functions[round++ % functions.size()];
        ASSERT_TRUE(bench.legal_and_same(isa::encode(activate(bench, f, in, out)), Engine::act))
            << isa::name(f) << ' ' << isa::name(in) << ' ' << isa::name(out);
      }
    }
  }
}

// Scale, bias and alpha each as a literal, behind a pointer and behind a register; the bias in its three dtypes.
TEST(Activate, EverySourceOfTheScalars) {
  SideBySide bench;
  put_arguments(bench);
  for (std::uint32_t c = 0; c < kChannels; ++c) {
    const float v = static_cast<float>(c);
    for (std::uint32_t slot = 0; slot < 3; ++slot)
      bench.put(row(sbuf(32, 0x400 + 4 * slot), 1), c, {1.25F * v - 2.0F + static_cast<float>(slot)});
    bench.put(row(sbuf(32, 0x410), 1, Dtype::fp16), c, {0.7F * v});
    bench.put(row(sbuf(32, 0x412), 1, Dtype::bf16), c, {-0.3F * v});
  }
  const auto immediate = [&](int which, std::uint32_t offset, std::uint8_t slot) {
    if (which == 0) return literal(1.5F);
    if (which == 1) return pointer_to(sbuf(32, offset));
    bench.registers[slot] = isa::address_of(sbuf(32, offset), bench.generation()).raw;
    return pointer_in(isa::RegisterIndex{slot});
  };
  for (int sources = 0; sources < 27; ++sources) {
    for (const auto& [dtype, offset] :
         {std::pair{Dtype::fp32, 0x404U}, std::pair{Dtype::fp16, 0x410U}, std::pair{Dtype::bf16, 0x412U}}) {
      for (const ActivationFunc f : {ActivationFunc::prelu, ActivationFunc::square}) {
        auto word = activate(bench, f);
        bench.build().put_scale(word, immediate(sources % 3, 0x400, 1));
        bench.build().put_bias(word, immediate(sources / 3 % 3, offset, 2), dtype);
        bench.build().put_alpha(word, immediate(sources / 9, 0x408, 3));
        ASSERT_TRUE(bench.legal_and_same(isa::encode(word), Engine::act)) << isa::name(f) << ' ' << sources;
      }
    }
  }
}

// Only Prelu reads its third immediate: for other functions its place need not exist.
TEST(Activate, UnusedAlphaIsNotAnOperand) {
  SideBySide bench;
  put_arguments(bench);
  auto word = activate(bench, ActivationFunc::relu);
  word.imm_src = 1;
  word.imm.raw = 0x1F000000;  // in neither memory
  EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::act));
  word.activation_func = ActivationFunc::prelu;
  EXPECT_EQ(bench.refusal(isa::encode(word)), "operand_address imm.start_addr");
}

TEST(Activate, FollowsItsSwitches) {
  for (const bool fused : {false, true}) {
    for (const double error : {0.0, 1e-3}) {
      golden::TensorOptions options;
      options.affine_fused = fused;
      options.activation_error = error;
      SideBySide bench(Generation::cayman, options);
      put_arguments(bench);
      for (const ActivationFunc f : defined_functions()) {
        auto word = activate(bench, f);
        bench.build().put_scale(word, literal(1.00024414F));
        bench.build().put_bias(word, literal(-1.00048828F), Dtype::fp32);
        EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::act)) << isa::name(f);
      }
    }
  }
}

TEST(Activate, EveryShapeAndPlace) {
  SideBySide bench;
  const auto functions = defined_functions();
  for (unsigned seed = 0; seed < 200; ++seed) {
    Rng random(seed);
    if (seed % 16 == 0) bench.fill(seed);
    const auto channels = static_cast<std::uint8_t>(seed % 8 == 0 ? 128 : 1 + below(random, 128));
    const auto counts = random_counts(random, 150, 3);
    const std::uint32_t from = random_partition(random, channels);
    const TensorSpec src = random_source(random, counts, pick(random, kPlainDtypes),
                                         {random() % 3 == 0 ? psum(from, 0) : sbuf(from, 0), 0x1000});
    TensorSpec dst = random_destination(random, counts, pick(random, kOutputDtypes),
                                        {sbuf(random_partition(random, channels), 0), 0x1000});
    if (random() % 4 == 0) dst = src;
    auto word = bench.build().activate(pick(random, functions), src, dst, channels);
    bench.build().put_scale(word, pointer_to(psum(random_partition(random, channels), 4 * below(random, 0x400))));
    bench.build().put_bias(word, pointer_to(sbuf(random_partition(random, channels), 4 * below(random, 0x400))),
                           Dtype::bf16);
    word.accumulator_cmd = static_cast<std::uint8_t>(below(random, 4));
    ASSERT_TRUE(bench.same(isa::encode(word))) << "seed " << seed;
  }
}

TEST(Activate, UnequalCountsAreClipped) {
  SideBySide bench;
  put_arguments(bench);
  for (const std::uint16_t room : Counts{3, 96, 120}) {
    auto word = activate(bench, ActivationFunc::identity);
    word.accumulator_cmd = 3;
    word.dst.num_elem[0] = room;
    EXPECT_TRUE(bench.same(isa::encode(word))) << room;  // the accumulator, too
  }
}

// ---- Accumulator ----

TEST(Activate, AccumulatorCommands) {
  SideBySide bench;
  for (std::uint32_t c = 0; c < kChannels; ++c) bench.put(row(sbuf(32, 0), 3), c, {1, 2, static_cast<float>(c)});
  const auto run = [&](std::uint8_t command, ActivationFunc f) {
    auto word = activate(bench, f, Dtype::fp32, Dtype::int8, 3);
    word.accumulator_cmd = command;
    EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::act)) << int{command};
    return bench.core().accumulator(32 + 4);
  };
  EXPECT_EQ(run(2, ActivationFunc::identity), 7.0F);  // on the reset value 0
  EXPECT_EQ(run(0, ActivationFunc::identity), 7.0F);
  EXPECT_EQ(run(2, ActivationFunc::square), 28.0F);
  EXPECT_EQ(run(3, ActivationFunc::square), 21.0F);
  EXPECT_EQ(run(1, ActivationFunc::square), 0.0F);
  EXPECT_EQ(bench.core().accumulator(31), 0.0F);
  EXPECT_EQ(bench.core().accumulator(32 + kChannels), 0.0F);
}

// The accumulator takes what the function gives, not what is stored: here the elements are stored as integers.
TEST(Activate, AccumulatorTakesUnroundedResults) {
  SideBySide bench;
  bench.put(row(sbuf(32, 0), 3), 0, {0.25F, 0.5F, 300.0F});
  auto word = activate(bench, ActivationFunc::identity, Dtype::fp32, Dtype::int8, 3);
  word.accumulator_cmd = 3;
  EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::act));
  EXPECT_EQ(bench.core().accumulator(32), 300.75F);
}

TEST(ReadAccumulator, EveryDtypeNegatedOrNot) {
  SideBySide bench;
  put_arguments(bench);
  auto fill = activate(bench, ActivationFunc::tanh);
  fill.accumulator_cmd = 3;
  ASSERT_TRUE(bench.same(isa::encode(fill)));
  for (const Dtype dtype : {Dtype::fp32, Dtype::fp32r, Dtype::bf16, Dtype::fp16}) {
    for (const isa::Place& place : {sbuf(32, 0x600), sbuf(64, 0x600)}) {
      auto word = bench.build().read_accumulator(row(place, 1, dtype), kChannels);
      EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::act)) << isa::name(dtype);
      word.negated = 1;
      EXPECT_TRUE(bench.same(isa::encode(word))) << isa::name(dtype);
    }
  }
  auto word = bench.build().read_accumulator(row(psum(32, 0x600), 1), kChannels);
  EXPECT_TRUE(bench.legal_and_same(isa::encode(word), Engine::act));
}

TEST(ReadAccumulator, SumsOfACompleteRange) {
  SideBySide bench;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Rng random(seed);
    bench.fill(seed);
    const auto channels = static_cast<std::uint8_t>(seed % 4 == 0 ? 128 : 1 + below(random, 32));
    const std::uint32_t partition = random_partition(random, channels);
    auto word = bench.build().activate(ActivationFunc::sigmoid, row(sbuf(partition, 0), 40),
                                       row(sbuf(partition, 0x100), 40), channels);
    word.accumulator_cmd = static_cast<std::uint8_t>(2 + seed % 2);
    ASSERT_TRUE(bench.legal_and_same(isa::encode(word), Engine::act));
    ASSERT_TRUE(bench.legal_and_same(
        isa::encode(bench.build().read_accumulator(row(sbuf(partition, 0x400), 1), channels)), Engine::act));
  }
}

// ---- Function sets ----

TEST(ActivationTables, FunctionsNeedTheirSet) {
  SideBySide bench;
  for (std::uint8_t set = 0; set < isa::kTableSets; ++set) {
    for (const ActivationFunc f : defined_functions()) {
      const std::string expected =
          isa::is_always_resident(f) || isa::table_set_of(f) == bench.core().resident_set() ? "" : "act_table_missing";
      EXPECT_EQ(bench.state_finding(isa::encode(activate(bench, f))), expected) << isa::name(f);
    }
    EXPECT_TRUE(bench.legal_and_same(isa::encode(bench.build().table_load(set)), Engine::act));
    EXPECT_EQ(bench.core().resident_set(), set);
  }
  // One set at a time.
  EXPECT_TRUE(bench.same(isa::encode(bench.build().table_load(*isa::table_set_of(ActivationFunc::exp)))));
  EXPECT_EQ(bench.state_finding(isa::encode(activate(bench, ActivationFunc::exp))), "");
  EXPECT_TRUE(bench.same(isa::encode(bench.build().table_load(*isa::table_set_of(ActivationFunc::rsqrt)))));
  EXPECT_EQ(bench.state_finding(isa::encode(activate(bench, ActivationFunc::exp))), "act_table_missing");
}

TEST(Activate, RefusesWhatHasNoDefinition) {
  const SideBySide bench;
  for (const ActivationFunc f : kUndefined)
    EXPECT_EQ(bench.refusal(isa::encode(activate(bench, f))), "unsupported_operation activation_func") << isa::name(f);
  for (const int code : {0x00, 0x0B, 0x27, 0x7F, 0x82, 0xFF})
    EXPECT_EQ(bench.refusal(isa::encode(activate(bench, static_cast<ActivationFunc>(code)))),
              "unsupported_operation activation_func")
        << code;
  auto word = activate(bench, ActivationFunc::copy);
  for (const std::uint8_t command : Codes{4, 5, 255}) {
    word.accumulator_cmd = command;
    EXPECT_EQ(bench.refusal(isa::encode(word)), "unsupported_operation accumulator_cmd") << int{command};
  }
  word.accumulator_cmd = 0;
  word.scale_src = 3;
  EXPECT_EQ(bench.refusal(isa::encode(word)), "operand_source scale source");
}

}  // namespace activate_test
}  // namespace dve::execute_test
