#include "system/uncontended_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "support/expected_time.h"
#include "support/tensor_word_builder.h"

namespace dve::testing_support {
namespace {

using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;
using isa::Space;

constexpr std::array<std::uint16_t, 8> kLengths = {1, 2, 63, 64, 65, 511, 512, 513};
constexpr std::array<std::uint16_t, 3> kLongLengths = {2048, 4096, 8192};
constexpr std::array kDtypes = {Dtype::fp32,  Dtype::bf16,     Dtype::fp16,     Dtype::uint8,    Dtype::int8,
                                Dtype::int16, Dtype::uint16,   Dtype::int32,    Dtype::uint32,   Dtype::fp32r,
                                Dtype::int64, Dtype::fp8_e3m4, Dtype::fp8_e4m3, Dtype::fp8_e5m2, Dtype::uint64};
constexpr std::array kFewDtypes = {Dtype::fp32, Dtype::bf16, Dtype::fp8_e4m3, Dtype::int32};

// Where operands lie: 64 KiB each in SBUF, then results of a few elements and immediates.
constexpr std::uint32_t kSource0 = 0, kSource1 = 0x10000, kResult = 0x20000, kSums = 0x2D000, kCoefficients = 0x2E000,
                        kMean = 0x2F000, kInvStd = 0x2F004;
constexpr std::uint64_t kPsumBytes = 16384;

std::uint64_t bytes_of(Dtype d) { return isa::storage_size(d).value; }
std::uint64_t half_up(std::uint64_t a) { return (a + 1) / 2; }

// k: an element whose innermost stride is over 16 bytes takes two cycles.
std::uint64_t element_time(const TensorSpec& t) {
  const auto step = static_cast<std::uint64_t>(std::abs(int{t.steps[0]}));
  return t.counts[0] > 1 && step * bytes_of(t.dtype) > 16 ? 2 : 1;
}
bool unit_stride(const TensorSpec& t) { return t.counts[0] <= 1 || t.steps[0] == 1; }

// The formula, for one engine.
class Formula {
 public:
  explicit Formula(const FormulaEngine& engine) : e_(engine) {}

  std::uint64_t one(const TensorSpec& src, const TensorSpec& dst) const {
    return std::max(elements_of(src) * element_time(src), elements_of(dst) * element_time(dst));
  }
  // Two sources; from SBUF at c cycles an element, at most `most`.
  std::uint64_t two(const TensorSpec& a, const TensorSpec& b, const TensorSpec& dst, std::uint64_t most = 2) const {
    const std::uint64_t n = elements_of(a), k0 = element_time(a), k1 = element_time(b);
    const bool psum = a.place.space == Space::psum || b.place.space == Space::psum;
    const std::uint64_t read =
        psum ? n * std::max(k0, k1) : half_up(std::min(most, e_.two_source_cycles) * n * (k0 + k1));
    return std::max(read, elements_of(dst) * element_time(dst));
  }
  // 7.1: all bf16, add, multiply or subtract, unit stride; 7.2: trn2 and later, 16 bits (8 from trn3 on) everywhere.
  std::uint64_t tensor_tensor(AluOp op, const TensorSpec& a, const TensorSpec& b, const TensorSpec& dst) const {
    const auto all = [&](auto holds) { return holds(a) && holds(b) && holds(dst); };
    const bool simple = op == AluOp::add || op == AluOp::subtract || op == AluOp::mult;
    const bool bf16 = all([](const TensorSpec& t) { return t.dtype == Dtype::bf16 && unit_stride(t); });
    const bool narrow_all = all([&](const TensorSpec& t) { return narrow(t.dtype); });
    const bool fast = e_.engine == Engine::dve && ((simple && bf16) || (modes() && narrow_all));
    return two(a, b, dst, fast ? 1 : 2);
  }
  // 7.2: TensorScalar and copies, 4x and 2x.
  std::uint64_t copy(const TensorSpec& src, const TensorSpec& dst) const {
    const std::uint64_t s = one(src, dst);
    if (!modes() || !narrow(src.dtype) || !narrow(dst.dtype)) return s;
    const bool unit = unit_stride(src) && unit_stride(dst);
    const bool src_sbuf = src.place.space == Space::sbuf, dst_sbuf = dst.place.space == Space::sbuf;
    if (src_sbuf && dst_sbuf) return unit ? half_up(half_up(s)) : half_up(s);
    return unit && src_sbuf != dst_sbuf ? half_up(s) : s;
  }
  std::uint64_t reduce(const TensorSpec& src, const TensorSpec& dst) const {  // of add
    const bool bf16 = src.dtype == Dtype::bf16 && dst.dtype == Dtype::bf16;
    return bf16 && e_.engine == Engine::dve ? half_up(one(src, dst)) : one(src, dst);
  }
  std::uint64_t memset(const TensorSpec& dst) const {  // of zero
    const std::uint64_t s = elements_of(dst) * element_time(dst);
    return bytes_of(dst.dtype) == 2 && e_.engine == Engine::dve ? half_up(s) : s;
  }
  std::uint64_t table_load() const { return cycles_of_ns(368, e_.clock_hz); }
  std::uint64_t minimum() const { return e_.min_ii; }

 private:
  bool modes() const { return e_.engine == Engine::dve && e_.generation != Generation::sunda; }
  bool narrow(Dtype d) const {
    const bool fp8 = d == Dtype::fp8_e3m4 || d == Dtype::fp8_e4m3 || d == Dtype::fp8_e5m2;
    const bool v4 = e_.generation != Generation::sunda && e_.generation != Generation::cayman;
    return d == Dtype::bf16 || d == Dtype::fp16 || (fp8 && v4);
  }
  FormulaEngine e_;
};

// Operands of one word: their places and dtypes.
struct Layout {
  std::uint16_t n = 1;
  Dtype in = Dtype::fp32, out = Dtype::fp32;
  Space src0 = Space::sbuf, src1 = Space::sbuf, dst = Space::sbuf;
  bool strided = false;  // the sources, over 16 bytes
};

std::string text_of(const Layout& l) {
  const auto where = [](Space s) { return std::string(s == Space::psum ? "psum" : "sbuf"); };
  return " n " + std::to_string(l.n) + " " + std::string(isa::name(l.in)) + " to " + std::string(isa::name(l.out)) +
         " " + where(l.src0) + "," + where(l.src1) + " to " + where(l.dst) + (l.strided ? " strided" : "");
}

class Maker {
 public:
  Maker(const FormulaEngine& engine, bool thorough)
      : e_(engine), formula_(engine), build_(engine.generation), thorough_(thorough) {
    options_.generation = engine.generation;
    options_.engine = engine.engine;
  }
  FormulaCatalogue make() {
    if (e_.engine == Engine::dve) parameters();
    if (e_.engine == Engine::act) {
      add(build_.table_load(0), formula_.table_load(), "ActivationTableLoad");
      add(build_.read_accumulator(row(sbuf(0, kSums), 1), 1), formula_.minimum(), "ReadAccumulator");
    }
    for (const std::uint16_t n : kLengths) lengths(n);
    for (const std::uint16_t n : kLongLengths) {
      if (thorough_ || n == 2048) lengths(n);
    }
    return std::move(made_);
  }

 private:
  template <class Instruction>
  void add(const Instruction& instruction, std::uint64_t s, const std::string& what, bool legal_length = true) {
    const isa::Word word = isa::encode(instruction);
    if (!legal_length)
      made_.refused.push_back({word, s, what});
    else if (isa::check(word, options_).empty())
      made_.words.push_back({word, s, what});
  }

  void parameters() {
    const TensorSpec mean = row(sbuf(0, kMean), 1), inv_std = row(sbuf(0, kInvStd), 1);
    for (const isa::Word& load : build_.load_reciprocals())
      made_.words.push_back({load, formula_.minimum(), "LoadParameterRam"});
    add(build_.param_load(row(sbuf(0, kCoefficients), 3), mean, 8, 1), formula_.minimum(), "ParamLoad");
    add(build_.param_load2(row(sbuf(0, kCoefficients), 2), mean, inv_std, 8, 1), formula_.minimum(), "ParamLoad2");
  }

  void lengths(std::uint16_t n) {
    const bool some = n > 513 || !thorough_;
    for (const Dtype d : some ? std::vector<Dtype>(kFewDtypes.begin(), kFewDtypes.end())
                              : std::vector<Dtype>(kDtypes.begin(), kDtypes.end()))
      places({n, d, d});
    places({n, Dtype::bf16, Dtype::fp32});
    if (n > 513) return;
    for (const Dtype d : kFewDtypes) {
      Layout l{n, d, d};
      l.strided = true;
      words(l);
    }
  }

  void places(Layout l) {
    words(l);
    if (e_.generation == Generation::maverick) return;  // no PSUM
    l.src0 = Space::psum;
    words(l);
    l.dst = Space::psum;
    words(l);
    l.src0 = Space::sbuf;
    words(l);
    l.src1 = Space::psum;
    words(l);
    l.dst = Space::sbuf;
    words(l);
  }

  // An operand of n elements in its 64 KiB, or in PSUM.
  TensorSpec operand(const Layout& l, Space space, std::uint32_t offset, Dtype d, bool source) const {
    TensorSpec t = row(space == Space::psum ? psum(0, 0) : sbuf(0, offset), l.n, d);
    if (source && l.strided) t.steps[0] = static_cast<std::int16_t>(16 / bytes_of(d) + 1);
    return t;
  }

  void words(const Layout& l) {
    const bool psum = l.src0 == Space::psum || l.src1 == Space::psum || l.dst == Space::psum;
    if (psum && l.n * std::max(bytes_of(l.in), bytes_of(l.out)) > kPsumBytes) return;
    const TensorSpec a = operand(l, l.src0, kSource0, l.in, true), b = operand(l, l.src1, kSource1, l.in, true);
    const TensorSpec dst = operand(l, l.dst, kResult, l.out, false);
    const std::string what = text_of(l);
    two_sources(a, b, dst, what);
    if (l.src1 == Space::psum) return;  // the others have one source
    one_source(a, dst, what);
    if (e_.engine == Engine::dve) statistics(a, dst.dtype, what);
  }

  void two_sources(const TensorSpec& a, const TensorSpec& b, const TensorSpec& dst, const std::string& what) {
    if (a.place.space == Space::psum && b.place.space == Space::psum) return;
    for (const Opcode opcode : {Opcode::tensor_tensor_arith_op, Opcode::tensor_tensor_bitvec_op}) {
      const AluOp op = opcode == Opcode::tensor_tensor_arith_op ? AluOp::add : AluOp::bitwise_and;
      add(build_.tensor_tensor(opcode, a, b, dst, op, 1), formula_.tensor_tensor(op, a, b, dst),
          std::string(isa::mnemonic(opcode)) + what);
    }
    add(build_.tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, dst, AluOp::max, 1),
        formula_.tensor_tensor(AluOp::max, a, b, dst), "tensor_tensor max" + what);
    for (const Opcode opcode : {Opcode::copy_predicated, Opcode::cast_predicated})
      add(build_.tensor_tensor(opcode, a, b, dst, AluOp::bypass, 1), formula_.two(a, b, dst),
          std::string(isa::mnemonic(opcode)) + what);
    if (e_.engine != Engine::dve) return;
    const TensorSpec mean = row(sbuf(0, kMean), 1), inv_std = row(sbuf(0, kInvStd), 1);
    const TensorSpec sums =
        row(dst.place.space == Space::psum ? psum(0, kPsumBytes - 64) : sbuf(0, kSums), 3, dst.dtype);
    add(build_.back_prop(a, b, dst, 1), formula_.two(a, b, dst), "BackProp" + what);
    add(build_.grad_accumulate(a, b, sums, mean, inv_std, 1), formula_.two(a, b, sums), "GradAccum" + what);
    add(build_.grad_accumulate2(a, b, sums, mean, inv_std, 1), formula_.two(a, b, sums), "GradAccum2" + what);
  }

  void one_source(const TensorSpec& a, const TensorSpec& dst, const std::string& what) {
    const auto scalar = [&](Opcode opcode, AluOp op, const Immediate& immediate) {
      auto word = build_.tensor_scalar(opcode, a, dst, immediate, literal_bits(0), 1);
      word.op0 = op;
      add(word, formula_.copy(a, dst), std::string(isa::mnemonic(opcode)) + what);
    };
    scalar(Opcode::tensor_scalar_arith_op, e_.engine == Engine::pool ? AluOp::rsqrt : AluOp::mult,
           e_.engine == Engine::pool ? literal_bits(0) : literal(2));
    scalar(Opcode::tensor_scalar_bitvec_op, AluOp::bitwise_and, literal_bits(7));
    for (const Opcode opcode : {Opcode::copy, Opcode::cast})
      add(build_.tensor_reduce(opcode, a, dst, AluOp::bypass, 0, 1), formula_.copy(a, dst),
          std::string(isa::mnemonic(opcode)) + what);
    add(build_.tensor_reduce(Opcode::reciprocal, a, dst, AluOp::bypass, 0, 1),
        std::max(8 * elements_of(a) * element_time(a), formula_.one(a, dst)), "reciprocal" + what);
    const TensorSpec sum = row(dst.place, 1, dst.dtype);
    const AluOp add_up = e_.engine == Engine::pool ? AluOp::add_int : AluOp::add;
    add(build_.tensor_reduce(Opcode::tensor_reduce_arith_op, a, sum, add_up, 1, 1), formula_.reduce(a, sum),
        "tensor_reduce" + what);
    add(build_.memset(dst, 0, 1), formula_.memset(dst), "memset" + what);
    for (const Opcode opcode : {Opcode::cross_lane_reduce_arith_op, Opcode::cross_lane_reduce_bitvec_op})
      add(build_.cross_lane_reduce(opcode, a, dst, opcode == Opcode::cross_lane_reduce_arith_op ? 0 : 3, 1, 1),
          formula_.one(a, dst), std::string(isa::mnemonic(opcode)) + what);
    add(build_.activate(isa::ActivationFunc::relu, a, dst, 1), formula_.one(a, dst), "activate" + what);
  }

  // Their lengths are limited (microarchitecture.md 2.2, 7.1; isa.md 12).
  void statistics(const TensorSpec& a, Dtype out, const std::string& what) {
    const auto n = elements_of(a);
    const TensorSpec three = row(sbuf(0, kSums), 3, out), six = row(sbuf(0, kSums), 6, out);
    add(build_.statistics(Opcode::batch_norm_stats, a, three, 1), formula_.one(a, three), "Stats" + what, n <= 256);
    add(build_.statistics(Opcode::batch_norm_stats2, a, six, 1), formula_.one(a, six), "Stats2" + what, n <= 512);
    add(build_.statistics(Opcode::transpose_batch_norm_stats2, a, six, 32), formula_.one(a, six),
        "TransposeStats2" + what, n <= 512 && n % 32 == 0);
    add(build_.statistics(Opcode::batch_norm_aggregate, a, row(sbuf(0, kSums), 2, out), 1), 13ULL * n / 3,
        "Aggregate" + what, n % 3 == 0);
  }

  FormulaEngine e_;
  Formula formula_;
  TensorWordBuilder build_;
  isa::LegalityOptions options_;
  bool thorough_;
  FormulaCatalogue made_;
};

}  // namespace

FormulaCatalogue formula_words(const FormulaEngine& engine, bool thorough) { return Maker(engine, thorough).make(); }

}  // namespace dve::testing_support
