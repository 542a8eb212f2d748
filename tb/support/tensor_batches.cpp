#include "support/tensor_batches.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "dve/execute/execute.h"
#include "dve/firmware/firmware.h"
#include "support/tensor_word_builder.h"

namespace dve::testing_support {
namespace {

using isa::ActivationFunc;
using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

constexpr std::size_t kWordsOfBatch = 20;

constexpr Dtype kDtypes[] = {Dtype::int8,  Dtype::uint8,  Dtype::int16,  Dtype::uint16,   Dtype::bf16,
                             Dtype::fp16,  Dtype::int32,  Dtype::uint32, Dtype::fp32,     Dtype::fp8_e3m4,
                             Dtype::int64, Dtype::uint64, Dtype::fp32r,  Dtype::fp8_e4m3, Dtype::fp8_e5m2};

// Legal, but without a definition that the model could execute (isa-neighbours.md 2, 5.2): left out.
bool has_definition(AluOp op) { return op != AluOp::crc32; }
bool has_definition(ActivationFunc f) {
  constexpr ActivationFunc unknown[] = {ActivationFunc::lrelu,  ActivationFunc::gelu_sigmoid,
                                        ActivationFunc::d_erf,  ActivationFunc::d_gelu,
                                        ActivationFunc::d_silu, ActivationFunc::d_gelu_sigmoid};
  return std::find(std::begin(unknown), std::end(unknown), f) == std::end(unknown);
}

// ---- Words ----

}  // namespace

class TensorWordMaker {
 public:
  TensorWordMaker(Generation generation, std::uint64_t seed)
      : random(seed), generation_(generation), build_(generation) {}

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
      return {psum(partition, 8 * below(random, 64)), kBatchPsumBytes - 512};
    return {sbuf(partition, 8 * below(random, 256)), kBatchSbufBytes - 2048};
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

namespace {

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

}  // namespace

const std::vector<Opcode>& batch_opcodes(Engine engine) {
  static const std::vector<Opcode> dve = {Opcode::tensor_tensor_arith_op,
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
  static const std::vector<Opcode> pool = {Opcode::tensor_tensor_arith_op,
                                           Opcode::tensor_tensor_bitvec_op,
                                           Opcode::tensor_scalar_arith_op,
                                           Opcode::tensor_reduce_arith_op,
                                           Opcode::copy,
                                           Opcode::cast,
                                           Opcode::memset,
                                           Opcode::cross_lane_reduce_arith_op,
                                           Opcode::cross_lane_reduce_bitvec_op};
  static const std::vector<Opcode> act = {Opcode::activate,
                                          Opcode::activate,
                                          Opcode::activation_table_load,
                                          Opcode::activation_read_accumulator,
                                          Opcode::tensor_scalar_arith_op,
                                          Opcode::copy,
                                          Opcode::cast};
  return engine == Engine::dve ? dve : engine == Engine::pool ? pool : act;
}

namespace {

golden::TensorOptions on(Generation generation, golden::TensorOptions options) {
  if (generation == Generation::maverick) options.addresses = {0x100000, false};
  return options;
}

}  // namespace

BatchMaker::BatchMaker(Generation generation, golden::TensorOptions options, std::uint64_t seed)
    : maker_(std::make_unique<TensorWordMaker>(generation, seed)),
      golden_(on(generation, options), kBatchSbufBytes, kBatchPsumBytes) {
  pool_ = mixed_bytes(1 << 18, maker_->random);
}

BatchMaker::~BatchMaker() = default;

Batch BatchMaker::make(Engine engine) {
  Batch batch;
  batch.engine = engine;
  refill(golden_.memory.sbuf, kBatchSbufBytes);
  refill(golden_.memory.psum, kBatchPsumBytes);
  batch.sbuf_before = golden_.memory.sbuf;
  batch.psum_before = golden_.memory.psum;
  while (batch.words.size() < kWordsOfBatch) add_word(batch);
  batch.sbuf_after = golden_.memory.sbuf;
  batch.psum_after = golden_.memory.psum;
  return batch;
}

std::vector<Batch> BatchMaker::make_all(std::size_t count) {
  std::vector<Batch> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(make(isa::kEngines[i % isa::kEngines.size()]));
  return all;
}

void BatchMaker::refill(std::vector<std::uint8_t>& memory, std::uint32_t partition_bytes) {
  for (std::size_t at = 0; at < memory.size(); at += partition_bytes)
    std::memcpy(memory.data() + at, pool_.data() + 8 * below(maker_->random, (pool_.size() - partition_bytes) / 8),
                partition_bytes);
}

void BatchMaker::add_word(Batch& batch) {
  const Opcode opcode = pick(maker_->random, batch_opcodes(batch.engine));
  auto word = maker_->make(opcode, batch.engine);
  if (!word) return;
  if (opcode == Opcode::activate) add_table_load(batch, *word);
  const auto number = static_cast<std::uint8_t>(below(maker_->random, isa::kRegisters));
  const auto move = below(maker_->random, 4) == 0 ? use_register(*word, number, maker_->random) : std::nullopt;
  if (move) {
    registers_[number] = isa::decode_as<isa::CtrlMv>(*move).immediate[0];
    batch.words.push_back(*move);
  }
  append(batch, *word);
}

void BatchMaker::add_table_load(Batch& batch, const isa::Word& word) {
  const auto set = isa::table_set_of(isa::decode_as<isa::S3D3Ac>(word).activation_func);
  if (set && golden_.resident_set != *set)
    append(batch, isa::encode(TensorWordBuilder(Generation::cayman).table_load(*set)));
}

// A division by zero would stop the engine: such words are left out, which golden and device do not notice.
void BatchMaker::append(Batch& batch, const isa::Word& word) {
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

}  // namespace dve::testing_support
