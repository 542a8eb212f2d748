// Random legal words around the batch-norm path through whole cores, on DVE, POOL and ACT, against the independent
// golden: every byte of the memories and every floating-point warning, whatever the abstraction and with or without
// DMI.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dve/firmware/firmware.h"
#include "golden/golden.h"
#include "support/core_bench.h"
#include "support/random_operands.h"
#include "support/tensor_word_builder.h"

namespace dve {
namespace tensor_words_test {

using namespace testing_support;
using isa::ActivationFunc;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

constexpr std::uint32_t kSbufBytes = 4096, kPsumBytes = 2048;  // window of each partition that words touch
constexpr std::size_t kWordsOfBatch = 20;

constexpr Dtype kDtypes[] = {Dtype::int8,  Dtype::uint8,  Dtype::int16,  Dtype::uint16,   Dtype::bf16,
                             Dtype::fp16,  Dtype::int32,  Dtype::uint32, Dtype::fp32,     Dtype::fp8_e3m4,
                             Dtype::int64, Dtype::uint64, Dtype::fp32r,  Dtype::fp8_e4m3, Dtype::fp8_e5m2};

constexpr Opcode kDveWords[] = {Opcode::tensor_tensor_arith_op,
                                Opcode::tensor_tensor_bitvec_op,
                                Opcode::tensor_scalar_arith_op,
                                Opcode::tensor_scalar_bitvec_op,
                                Opcode::tensor_reduce_arith_op,
                                Opcode::copy,
                                Opcode::cast,
                                Opcode::reciprocal,
                                Opcode::memset,
                                Opcode::copy_predicated,
                                Opcode::cast_predicated};
constexpr Opcode kPoolWords[] = {Opcode::tensor_tensor_arith_op,
                                 Opcode::tensor_tensor_bitvec_op,
                                 Opcode::tensor_scalar_arith_op,
                                 Opcode::tensor_reduce_arith_op,
                                 Opcode::copy,
                                 Opcode::cast,
                                 Opcode::memset,
                                 Opcode::cross_lane_reduce_arith_op,
                                 Opcode::cross_lane_reduce_bitvec_op};
constexpr Opcode kActWords[] = {Opcode::activate,
                                Opcode::activate,
                                Opcode::activation_table_load,
                                Opcode::activation_read_accumulator,
                                Opcode::tensor_scalar_arith_op,
                                Opcode::copy,
                                Opcode::cast};

// Legal, but without a definition that the model could execute (isa-neighbours.md 2, 5.2): left out.
bool has_definition(AluOp op) { return op != AluOp::crc32; }
bool has_definition(ActivationFunc f) {
  constexpr ActivationFunc unknown[] = {ActivationFunc::lrelu,  ActivationFunc::gelu_sigmoid,
                                        ActivationFunc::d_erf,  ActivationFunc::d_gelu,
                                        ActivationFunc::d_silu, ActivationFunc::d_gelu_sigmoid};
  return std::find(std::begin(unknown), std::end(unknown), f) == std::end(unknown);
}

// ---- Words ----

class WordMaker {
 public:
  WordMaker(Generation generation, std::uint64_t seed) : random(seed), generation_(generation), build_(generation) {}

  // A legal word of the opcode for that engine; empty when the generation has none.
  std::optional<isa::Word> make(Opcode opcode, Engine engine) {
    isa::LegalityOptions options;
    options.generation = generation_;
    options.engine = engine;
    for (int attempt = 0; attempt < 3000; ++attempt) {
      const isa::Word word = candidate(opcode, engine);
      if (isa::check(word, options).empty()) return word;
    }
    return std::nullopt;
  }

  Rng random;

 private:
  bool coin(std::uint32_t sides = 2) { return below(random, sides) == 0; }
  Dtype dtype() { return pick(random, kDtypes); }
  AluOp alu_op() {
    const AluOp op = pick(random, isa::named_alu_ops());
    return has_definition(op) ? op : AluOp::bypass;
  }

  Room room(bool psum_ok, std::uint32_t partition) {
    if (psum_ok && generation_ != Generation::maverick && coin(4))
      return {psum(partition, 8 * below(random, 64)), kPsumBytes - 512};
    return {sbuf(partition, 8 * below(random, 256)), kSbufBytes - 2048};
  }
  TensorSpec source(const std::vector<std::uint16_t>& counts, Dtype d, std::uint32_t partition) {
    return random_source(random, counts, d, room(true, partition));
  }
  TensorSpec destination(const std::vector<std::uint16_t>& counts, Dtype d, std::uint32_t channels) {
    TensorSpec spec = random_destination(random, counts, d, room(true, random_partition(random, channels)));
    if (coin(16)) spec.steps[0] = 0;
    return spec;
  }
  Immediate scalar(std::uint32_t channels, bool bits) {
    if (coin(3))
      return bits ? literal_bits(below(random, 256)) : literal(static_cast<float>(below(random, 33)) / 8 - 2);
    Room where = room(true, random_partition(random, channels));
    where.begin.offset &= ~7U;
    return pointer_to(where.begin);
  }

  isa::Word candidate(Opcode opcode, Engine engine) {
    channels_ = static_cast<std::uint8_t>(1 + below(random, coin(6) ? 128 : 12));
    from_ = random_partition(random, channels_);
    switch (opcode) {
      case Opcode::tensor_scalar_arith_op:
      case Opcode::tensor_scalar_bitvec_op:
        return tensor_scalar(opcode, engine);
      case Opcode::tensor_reduce_arith_op:
      case Opcode::copy:
      case Opcode::cast:
      case Opcode::reciprocal:
        return tensor_reduce(opcode);
      case Opcode::memset:
        return isa::encode(build_.memset(destination(counts(4), dtype(), channels_), below(random, 256), channels_));
      case Opcode::cross_lane_reduce_arith_op:
      case Opcode::cross_lane_reduce_bitvec_op:
        return cross_lane_reduce(opcode);
      case Opcode::activate:
        return activate();
      case Opcode::activation_table_load:
        return isa::encode(build_.table_load(static_cast<std::uint8_t>(below(random, isa::kTableSets))));
      case Opcode::activation_read_accumulator:
        return isa::encode(build_.read_accumulator(destination({1}, dtype(), channels_), channels_));
      default:
        return tensor_tensor(opcode);
    }
  }

  std::vector<std::uint16_t> counts(std::size_t dimensions) { return random_counts(random, 60, dimensions); }

  isa::Word tensor_tensor(Opcode opcode) {
    const bool predicated = opcode == Opcode::copy_predicated || opcode == Opcode::cast_predicated;
    const auto shape = counts(3);
    const Dtype a = dtype(), b = coin() ? a : dtype();
    return isa::encode(build_.tensor_tensor(opcode, source(shape, a, from_), source(shape, b, from_),
                                            destination(shape, coin() ? b : dtype(), channels_),
                                            predicated ? AluOp::bypass : alu_op(), channels_));
  }
  isa::Word tensor_scalar(Opcode opcode, Engine engine) {
    const bool bits = opcode == Opcode::tensor_scalar_bitvec_op;
    const auto shape = counts(3);
    const Dtype in = dtype();
    const Immediate zero = literal_bits(0);
    const bool rsqrt = engine == Engine::pool;
    auto word =
        build_.tensor_scalar(opcode, source(shape, in, from_), destination(shape, bits ? in : dtype(), channels_),
                             rsqrt ? zero : scalar(channels_, bits), rsqrt ? zero : scalar(channels_, bits), channels_);
    word.op0 = rsqrt ? AluOp::rsqrt : engine == Engine::act ? pick(random, kActOps) : alu_op();
    word.op1 = rsqrt || coin(4) ? AluOp::bypass : engine == Engine::act ? AluOp::add : alu_op();
    word.reverse_operands = static_cast<std::uint8_t>(below(random, 4));
    if (!bits && (isa::is_int_op(word.op0) || isa::is_int_op(word.op1))) word.op0 = word.op1 = AluOp::bypass;
    return isa::encode(word);
  }
  isa::Word tensor_reduce(Opcode opcode) {
    auto shape = counts(4);
    const unsigned folded = opcode == Opcode::tensor_reduce_arith_op ? 1 + below(random, 4) : 0;
    std::vector<std::uint16_t> kept(shape.begin() + folded, shape.end());
    if (kept.empty()) kept = {1};
    if (coin()) std::reverse(kept.begin(), kept.end());
    const Dtype in = dtype();
    auto word =
        build_.tensor_reduce(opcode, source(shape, in, from_), destination(kept, coin() ? in : dtype(), channels_),
                             folded > 0 ? alu_op() : AluOp::bypass, folded, channels_);
    if (folded > 0) word.negated = static_cast<std::uint8_t>(below(random, 2));
    return isa::encode(word);
  }
  isa::Word cross_lane_reduce(Opcode opcode) {
    const bool bits = opcode == Opcode::cross_lane_reduce_bitvec_op;
    const auto axis = static_cast<std::uint8_t>(below(random, 2));
    const auto shape = counts(4);
    const Dtype in = dtype();
    auto word =
        build_.cross_lane_reduce(opcode, source(shape, in, from_),
                                 destination(axis == 0 ? std::vector<std::uint16_t>{1} : shape, bits ? in : dtype(), 1),
                                 static_cast<std::uint8_t>(below(random, 3) + (bits ? 3 : 0)), axis, channels_);
    word.scale_bits = golden::bits_of_float(1.0F / static_cast<float>(channels_));
    return isa::encode(word);
  }
  isa::Word activate() {
    const auto shape = counts(3);
    const ActivationFunc f = pick(random, isa::named_activation_funcs());
    auto word = build_.activate(has_definition(f) ? f : ActivationFunc::prelu, source(shape, dtype(), from_),
                                destination(shape, dtype(), channels_), channels_);
    constexpr Dtype biases[] = {Dtype::fp32, Dtype::bf16, Dtype::fp16};
    build_.put_scale(word, scalar(channels_, false));
    build_.put_bias(word, scalar(channels_, false), pick(random, biases));
    build_.put_alpha(word, scalar(channels_, false));
    word.accumulator_cmd = static_cast<std::uint8_t>(below(random, 4));
    return isa::encode(word);
  }

  static constexpr AluOp kActOps[] = {AluOp::mult, AluOp::add};
  Generation generation_;
  TensorWordBuilder build_;
  std::uint8_t channels_ = 1;
  std::uint32_t from_ = 0;
};

// Takes one address of the word from a register instead; the word that fills the register. Empty: it has none.
std::optional<isa::Word> use_register(isa::Word& word, std::uint8_t number, Rng& random) {
  std::vector<isa::FieldFormat> addresses;
  for (const isa::FieldFormat& field : isa::format_of(*isa::opcode_from_byte(word.opcode_byte())).fields) {
    const bool pointer =
        field.kind == isa::FieldKind::immediate && isa::immediate_source(word, field) == isa::ImmediateSource::pointer;
    if (pointer || field.kind == isa::FieldKind::tensor) addresses.push_back(field);
  }
  if (addresses.empty()) return std::nullopt;
  const isa::FieldFormat field = addresses[below(random, addresses.size())];
  isa::CtrlMv move;
  move.header.opcode = isa::code(Opcode::move);
  move.num_mov = 1;
  move.dtype = Dtype::uint32;
  move.source = 1;
  move.dst_regs[0] = number;
  move.immediate[0] = word.get<std::uint32_t>(field.byte);
  word.put<std::uint32_t>(field.byte, field.kind == isa::FieldKind::tensor ? 0x80000000U + number : number);
  if (field.kind == isa::FieldKind::immediate) isa::put_code(word, field.source, 2);
  return isa::encode(move);
}

// ---- Batches ----

struct Warning {
  std::uint64_t word;
  std::string predicate;
  friend bool operator==(const Warning& a, const Warning& b) { return a.word == b.word && a.predicate == b.predicate; }
};

// A program for one engine, and what it does to the memories.
struct Batch {
  Engine engine = Engine::dve;
  std::vector<isa::Word> words;
  std::vector<Warning> warnings;
  std::vector<std::uint8_t> sbuf_before, psum_before, sbuf_after, psum_after;
};

class BatchMaker {
 public:
  BatchMaker(Generation generation, golden::TensorOptions options, std::uint64_t seed)
      : maker_(generation, seed), golden_(on(generation, options), kSbufBytes, kPsumBytes) {
    pool_ = mixed_bytes(1 << 18, maker_.random);
  }

  Batch make(Engine engine) {
    Batch batch;
    batch.engine = engine;
    refill(golden_.memory.sbuf, kSbufBytes);
    refill(golden_.memory.psum, kPsumBytes);
    batch.sbuf_before = golden_.memory.sbuf;
    batch.psum_before = golden_.memory.psum;
    while (batch.words.size() < kWordsOfBatch) add_word(batch);
    batch.sbuf_after = golden_.memory.sbuf;
    batch.psum_after = golden_.memory.psum;
    return batch;
  }

  // Words by engine and opcode so far, set loads that other words asked for included.
  std::map<std::pair<Engine, Opcode>, int> made;

 private:
  static golden::TensorOptions on(Generation generation, golden::TensorOptions options) {
    if (generation == Generation::maverick) options.addresses = {0x100000, false};
    return options;
  }

  void refill(std::vector<std::uint8_t>& memory, std::uint32_t partition_bytes) {
    for (std::size_t at = 0; at < memory.size(); at += partition_bytes)
      std::memcpy(memory.data() + at, pool_.data() + 8 * below(maker_.random, (pool_.size() - partition_bytes) / 8),
                  partition_bytes);
  }

  void add_word(Batch& batch) {
    const Opcode opcode = batch.engine == Engine::dve    ? pick(maker_.random, kDveWords)
                          : batch.engine == Engine::pool ? pick(maker_.random, kPoolWords)
                                                         : pick(maker_.random, kActWords);
    auto word = maker_.make(opcode, batch.engine);
    if (!word) return;
    if (opcode == Opcode::activate) add_table_load(batch, *word);
    const auto number = static_cast<std::uint8_t>(below(maker_.random, isa::kRegisters));
    const auto move = below(maker_.random, 4) == 0 ? use_register(*word, number, maker_.random) : std::nullopt;
    if (move) {
      registers_[number] = isa::decode_as<isa::CtrlMv>(*move).immediate[0];
      batch.words.push_back(*move);
    }
    append(batch, *word);
  }

  void add_table_load(Batch& batch, const isa::Word& word) {
    const auto set = isa::table_set_of(isa::decode_as<isa::S3D3Ac>(word).activation_func);
    if (set && golden_.resident_set != *set)
      append(batch, isa::encode(TensorWordBuilder(Generation::cayman).table_load(*set)));
  }

  // A division by zero would stop the engine: such words are left out, which golden and device do not notice.
  void append(Batch& batch, const isa::Word& word) {
    const golden::WordOutcome outcome = golden_.execute(word.bytes, registers_);
    if (outcome.integer_divide_by_zero) return;
    const auto warn = [&](bool flag, std::uint8_t bit) {
      if (flag) batch.warnings.push_back({batch.words.size(), std::string(firmware::fp_status_predicate(bit))});
    };
    warn(outcome.overflow, execute::FpStatus::kOverflow);
    warn(outcome.divide_by_zero, execute::FpStatus::kDivideByZero);
    warn(outcome.invalid, execute::FpStatus::kInvalid);
    batch.words.push_back(word);
    ++made[{batch.engine, *isa::opcode_from_byte(word.opcode_byte())}];
  }

  WordMaker maker_;
  golden::TensorDevice golden_;
  golden::RegisterFile registers_{};
  std::vector<std::uint8_t> pool_;
};

std::vector<Batch> batches(BatchMaker& maker, std::size_t count) {
  constexpr Engine engines[] = {Engine::dve, Engine::pool, Engine::act};
  std::vector<Batch> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(maker.make(engines[i % 3]));
  return all;
}

// ---- Cores ----

class Core {
 public:
  Core(Generation generation, const std::vector<std::string>& settings, const std::string& name)
      : bench_(preset(generation, settings), name.c_str()), has_psum_(generation != Generation::maverick) {}

  void drive(const std::vector<Batch>& batches) {
    bench_.drive([this, &batches](Host& host) {
      for (std::size_t i = 0; i < batches.size() && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(bench_.core().name() + std::string(", batch ") + std::to_string(i));
        run(host, batches[i]);
      }
    });
  }
  void finish() {
    EXPECT_EQ(bench_.finish().status, RunStatus::ok) << bench_.core().name();
    EXPECT_EQ(bench_.retired.size(), words_) << bench_.core().name();
  }

 private:
  void run(Host& host, const Batch& batch) {
    for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
      host.write(sbuf(p, 0), batch.sbuf_before.data() + p * kSbufBytes, kSbufBytes);
      if (has_psum_) host.write(psum(p, 0), batch.psum_before.data() + p * kPsumBytes, kPsumBytes);
    }
    bench_.warnings.clear();
    HostTasks tasks;
    tasks.program = batch.words;
    tasks.streams = {{batch.engine, 0, batch.words.size()}};
    host.execute(tasks);
    words_ += batch.words.size();
    for (const auto& fault : faults_of(bench_.core()))
      ADD_FAILURE() << isa::opcode_name(fault.opcode) << ", word " << fault.word << ": "
                    << isa::to_string(fault.finding);
    std::vector<Warning> warnings;
    for (const WordFinding& w : bench_.warnings) warnings.push_back({w.word, w.finding.predicate});
    EXPECT_TRUE(warnings == batch.warnings) << warnings.size() << " warnings, expected " << batch.warnings.size();
    for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
      compare(host, sbuf(p, 0), batch.sbuf_after.data() + p * kSbufBytes, kSbufBytes);
      if (has_psum_) compare(host, psum(p, 0), batch.psum_after.data() + p * kPsumBytes, kPsumBytes);
    }
  }

  static void compare(Host& host, const isa::Place& place, const std::uint8_t* expected, std::uint32_t count) {
    std::vector<std::uint8_t> actual(count);
    host.read(place, actual.data(), count);
    const auto at = std::mismatch(actual.begin(), actual.end(), expected).first;
    if (at == actual.end()) return;
    ADD_FAILURE() << isa::to_string(place.space) << " partition " << isa::number(place.partition) << ", byte "
                  << at - actual.begin() << " is " << int{*at} << ", expected " << int{expected[at - actual.begin()]};
  }

  CoreBench bench_;
  bool has_psum_;
  std::size_t words_ = 0;
};

void expect_every_word(const BatchMaker& maker, Generation generation, int least) {
  const auto expect = [&](Engine engine, const auto& opcodes) {
    for (const Opcode opcode : opcodes) {
      if (generation == Generation::maverick && opcode == Opcode::activation_read_accumulator) continue;
      const auto found = maker.made.find({engine, opcode});
      EXPECT_GE(found == maker.made.end() ? 0 : found->second, least)
          << isa::to_string(engine) << ' ' << isa::mnemonic(opcode);
    }
  };
  expect(Engine::dve, kDveWords);
  expect(Engine::pool, kPoolWords);
  expect(Engine::act, kActWords);
}

TEST(TensorWords, EqualTheGoldenWhateverTheAbstractionAndDmi) {
  BatchMaker maker(Generation::cayman, {}, 1);
  const std::vector<Batch> all = batches(maker, 150);
  expect_every_word(maker, Generation::cayman, 50);  // some 3000 words
  const std::vector<std::vector<std::string>> variants = {
      {}, {"dmi=false"}, {"abstraction=functional"}, {"abstraction=functional", "dmi=false"}};
  std::vector<std::unique_ptr<Core>> cores;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    cores.push_back(std::make_unique<Core>(Generation::cayman, variants[i], "core" + std::to_string(i)));
    cores.back()->drive(all);
  }
  for (const auto& core : cores) core->finish();
}

class TensorWordsOf : public testing::TestWithParam<Generation> {};

TEST_P(TensorWordsOf, EqualTheGolden) {
  BatchMaker maker(GetParam(), {}, 2);
  const std::vector<Batch> all = batches(maker, 60);
  expect_every_word(maker, GetParam(), 15);
  Core core(GetParam(), {}, "core");
  core.drive(all);
  core.finish();
}

INSTANTIATE_TEST_SUITE_P(EveryGeneration, TensorWordsOf, testing::ValuesIn(isa::kGenerations),
                         [](const auto& generation) { return std::string(isa::to_string(generation.param)); });

TEST(TensorWords, FollowTheSwitches) {
  golden::TensorOptions options;
  options.clr_tree = options.scalar_fused = options.affine_fused = true;
  options.activation_error = 0.001;
  options.elements.narrow_saturate = options.elements.e4m3_fn = options.elements.newton = true;
  options.elements.fp32r_mantissa = 11;
  BatchMaker maker(Generation::mariana, options, 3);
  const std::vector<Batch> all = batches(maker, 60);
  Core core(
      Generation::mariana,
      {"numerics.clr_order=tree", "numerics.tensor_scalar_contraction=fused", "numerics.act_affine_contraction=fused",
       "numerics.act_relative_error=0.001", "numerics.narrow_overflow=saturate", "numerics.e4m3_variant=fn",
       "numerics.divide=newton", "numerics.fp32r_mantissa=11"},
      "core");
  core.drive(all);
  core.finish();
}

// ---- Words that stop an engine ----

// 12 bytes of a partition before and after one word on a core, and how it ended.
struct Stopped {
  RunStatus status = RunStatus::ok;
  std::string finding;  // of the fault, or of the first warning
  std::vector<std::uint8_t> written = std::vector<std::uint8_t>(12);
};

Stopped run_one(Engine engine, const isa::Word& word, const std::vector<std::string>& settings) {
  CoreBench bench(preset(Generation::cayman, settings));
  Stopped stopped;
  stopped.status = bench
                       .run([&](Host& host) {
                         const std::vector<std::uint8_t> operands = {6, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0,
                                                                     2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0};
                         host.write(sbuf(0, 0), operands.data(), operands.size());
                         host.write(sbuf(0, 0x40), std::vector<std::uint8_t>(12, 0xA5).data(), 12);
                         HostTasks tasks;
                         tasks.program = {word};
                         tasks.streams = {{engine, 0, 1}};
                         host.execute(tasks);
                         host.read(sbuf(0, 0x40), stopped.written.data(), 12);
                       })
                       .status;
  const auto faults = faults_of(bench.core());
  if (!faults.empty()) {
    stopped.finding = faults.front().finding.predicate;
  } else if (!bench.warnings.empty()) {
    stopped.finding = bench.warnings.front().finding.predicate;
  }
  return stopped;
}

const std::vector<std::uint8_t> kUntouched(12, 0xA5);

TEST(TensorWords, DivisionByZeroStopsTheEngineAndWritesNothing) {
  const TensorSpec a = row(sbuf(0, 0), 3, Dtype::int32), b = row(sbuf(0, 12), 3, Dtype::int32),
                   dst = row(sbuf(0, 0x40), 3, Dtype::int32);
  const auto word = isa::encode(TensorWordBuilder(Generation::cayman)
                                    .tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, dst, AluOp::divide_int, 1));
  const Stopped stopped = run_one(Engine::dve, word, {"seq.legality=relaxed"});  // whatever the legality
  EXPECT_EQ(stopped.status, RunStatus::fault);
  EXPECT_EQ(stopped.finding, "integer_divide_by_zero");
  EXPECT_EQ(stopped.written, kUntouched);
}

isa::Word root_of_three_integers() {
  return isa::encode(
      TensorWordBuilder(Generation::cayman)
          .activate(ActivationFunc::sqrt, row(sbuf(0, 0), 3, Dtype::int32), row(sbuf(0, 0x40), 3, Dtype::int32), 1));
}

TEST(TensorWords, AMissingFunctionSetIsAFault) {
  const Stopped stopped = run_one(Engine::act, root_of_three_integers(), {});
  EXPECT_EQ(stopped.status, RunStatus::fault);
  EXPECT_EQ(stopped.finding, "act_table_missing");
  EXPECT_EQ(stopped.written, kUntouched);
}

TEST(TensorWords, AMissingFunctionSetIsAWarningInRelaxedMode) {
  const Stopped stopped = run_one(Engine::act, root_of_three_integers(), {"seq.legality=relaxed"});
  EXPECT_EQ(stopped.status, RunStatus::ok);
  EXPECT_EQ(stopped.finding, "act_table_missing");
  EXPECT_EQ(stopped.written, (std::vector<std::uint8_t>{2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0}));
}

}  // namespace tensor_words_test
}  // namespace dve
