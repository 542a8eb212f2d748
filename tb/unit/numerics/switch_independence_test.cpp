// Each switch changes the functions it is for, and no other.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace switch_independence_test {

using namespace dve::numerics;
using dve::isa::ActivationFunc;
using dve::isa::AluOp;
using dve::isa::Dtype;

struct Change {
  std::string name;
  std::function<void(Switches&)> apply;
};

const std::vector<Change> kChanges{
    {"dst_order", [](Switches& s) { s.dst_order = DstOrder::interpreter; }},
    {"product_order", [](Switches& s) { s.product_order = ProductOrder::interpreter; }},
    {"backprop_form", [](Switches& s) { s.backprop_form = BackpropForm::textbook; }},
    {"src0_is", [](Switches& s) { s.src0_is = Src0Is::x_norm; }},
    {"accumulator", [](Switches& s) { s.accumulator = Accumulator::wide; }},
    {"stats_algorithm", [](Switches& s) { s.stats_algorithm = StatsAlgorithm::sumsq; }},
    {"param_ram_index", [](Switches& s) { s.param_ram_index = ParamRamIndex::i; }},
    {"param_ram_offset_unit", [](Switches& s) { s.param_ram_offset_unit = ParamRamOffsetUnit::byte; }},
    {"paramload2_imm_order", [](Switches& s) { s.paramload2_imm_order = ParamLoad2ImmOrder::mean_scale; }},
    {"narrow_overflow", [](Switches& s) { s.narrow_overflow = NarrowOverflow::saturate; }},
    {"e4m3_variant", [](Switches& s) { s.e4m3_variant = E4m3Variant::fn; }},
    {"fp32r_mantissa", [](Switches& s) { s.fp32r_mantissa = 10; }},
    {"divide", [](Switches& s) { s.divide = Divide::newton; }},
    {"flop_index", [](Switches& s) { s.flop_index = FlopIndex::lane; }},
    {"clr_order", [](Switches& s) { s.clr_order = ClrOrder::tree; }},
    {"tensor_scalar_contraction", [](Switches& s) { s.tensor_scalar_contraction = Contraction::fused; }},
    {"act_affine_contraction", [](Switches& s) { s.act_affine_contraction = Contraction::fused; }},
    {"act_relative_error", [](Switches& s) { s.act_relative_error = 1e-3; }}};

using Result = std::vector<std::uint32_t>;

void append(Result& result, const std::vector<float>& values) {
  for (const float value : values) result.push_back(oracle::bits(value));
}

struct Data {
  std::mt19937 rng{1};
  std::vector<float> x = oracle::random_vector(rng, 700, -3.0F, 5.0F);
  std::vector<float> dy = oracle::random_vector(rng, 700, -3.0F, 5.0F);
  ParamTable table = reciprocal_table(ParamRamIndex::i_plus_1);
};

// Applies every change to `base` and compares `function` before and after; changes in `expected` must show, no other
// may.
void check(const Switches& base, const std::set<std::string>& expected,
           const std::function<Result(const Switches&)>& function) {
  const Result before = function(base);
  ASSERT_FALSE(before.empty());
  for (const Change& change : kChanges) {
    Switches switches = base;
    change.apply(switches);
    EXPECT_EQ(function(switches) != before, expected.count(change.name) == 1) << change.name;
  }
}

TEST(SwitchIndependence, GradAccumulate) {
  const Data data;
  check({}, {"product_order", "accumulator"}, [&](const Switches& switches) {
    const GradSums sums = grad_accumulate(data.x.data(), data.dy.data(), 700, 0.5F, 1.3F, switches);
    Result result;
    append(result, {sums.d_beta, sums.d_gamma, sums.coupling});
    return result;
  });
}

std::function<Result(const Switches&)> back_propagation(const Data& data, float element_count) {
  return [&data, element_count](const Switches& switches) {
    std::vector<float> dx(700);
    const LaneParameters parameters{element_count, 0.5F, 0.5F, 3.0F, 2.0F, 1.3F};  // A = 1/2 hides no ulp of r
    back_propagate(data.x.data(), data.dy.data(), 700, parameters, data.table, switches, dx.data());
    Result result;
    append(result, dx);
    return result;
  };
}

// A whole number past the table whose Newton reciprocal is not the exact one.
float count_newton_misses() {
  float count = 700.0F;
  while (divide_reciprocal(count, Divide::newton) == 1.0F / count) count += 1.0F;
  return count;
}

TEST(SwitchIndependence, BackPropagate) {
  const Data data;
  check({}, {"backprop_form"}, back_propagation(data, 700.0F));
  Switches textbook;
  textbook.backprop_form = BackpropForm::textbook;
  check(textbook, {"src0_is", "divide"}, back_propagation(data, count_newton_misses()));
  check(textbook, {"src0_is", "param_ram_index"}, back_propagation(data, 200.0F));
}

TEST(SwitchIndependence, Statistics) {
  const Data data;
  const auto both = [&](const Switches& switches) {
    const Moments one = stats(data.x.data(), 700, 700.0F, data.table, switches);
    const Stats2Result two = stats2(data.x.data(), 700, 350.0F, 350.0F, data.table, switches);
    Result result;
    append(result, {one.mean, one.nvar, two.even.mean, two.even.nvar, two.odd.mean, two.odd.nvar});
    return result;
  };
  check({}, {"stats_algorithm", "param_ram_index", "divide"}, both);
}

TEST(SwitchIndependence, Aggregate) {
  const Data data;
  check({}, {"divide"}, [&](const Switches& switches) {
    std::vector<float> triples;
    for (std::size_t i = 0; i < 40; ++i) triples.insert(triples.end(), {37.0F, data.x[i], 20.0F + data.dy[i]});
    const MeanVariance got = aggregate(triples.data(), 40, switches);
    Result result;
    append(result, {got.mean, got.variance});
    return result;
  });
}

std::function<Result(const Switches&)> narrowing(Dtype dtype) {
  return [dtype](const Switches& switches) {
    Result result;
    for (const float value : {1.2345678F, -0.001F, 3e38F, 3.4028e38F, 70000.0F, 250.0F, 500.0F, -17.0F}) {
      std::uint8_t bytes[8] = {};
      from_fp32(&value, dtype, 1, bytes, switches);
      result.insert(result.end(), bytes, bytes + 8);
    }
    return result;
  };
}

TEST(SwitchIndependence, Narrowing) {
  for (const Dtype dtype : {Dtype::fp16, Dtype::bf16, Dtype::fp8_e3m4, Dtype::fp8_e5m2}) {
    SCOPED_TRACE(int{dve::isa::code(dtype)});
    check({}, {"narrow_overflow"}, narrowing(dtype));
  }
  check({}, {"narrow_overflow", "e4m3_variant"}, narrowing(Dtype::fp8_e4m3));
  check({}, {"narrow_overflow", "fp32r_mantissa"}, narrowing(Dtype::fp32r));
  for (const Dtype dtype : {Dtype::fp32, Dtype::int8, Dtype::uint8, Dtype::int16, Dtype::uint16, Dtype::int32,
                            Dtype::uint32, Dtype::int64, Dtype::uint64}) {
    SCOPED_TRACE(int{dve::isa::code(dtype)});
    check({}, {}, narrowing(dtype));
  }
}

TEST(SwitchIndependence, Widening) {
  for (const int code : {1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF}) {
    SCOPED_TRACE(code);
    const Dtype dtype = static_cast<Dtype>(code);
    const std::set<std::string> expected =
        dtype == Dtype::fp8_e4m3 ? std::set<std::string>{"e4m3_variant"} : std::set<std::string>{};
    check({}, expected, [&](const Switches& switches) {
      std::vector<float> wide(256);
      for (unsigned byte = 0; byte < 256; ++byte) {
        const std::vector<std::uint8_t> element(8, static_cast<std::uint8_t>(byte));
        to_fp32(element.data(), dtype, 1, &wide[byte], switches);
      }
      Result result;
      append(result, wide);
      return result;
    });
  }
}

TEST(SwitchIndependence, TensorScalar) {
  const Data data;
  for (const AluOp op1 : {AluOp::add, AluOp::subtract, AluOp::max}) {
    const std::set<std::string> expected =
        op1 == AluOp::max ? std::set<std::string>{} : std::set<std::string>{"tensor_scalar_contraction"};
    check({}, expected, [&](const Switches& switches) {
      Result result;
      for (const float x : data.x) append(result, {tensor_scalar(x, AluOp::mult, 1.1F, op1, 0.3F, 2, switches)});
      return result;
    });
  }
}

TEST(SwitchIndependence, CrossLane) {
  const Data data;
  for (const CrossLaneOp op : {CrossLaneOp::add, CrossLaneOp::average, CrossLaneOp::max}) {
    const std::set<std::string> expected =
        op == CrossLaneOp::max ? std::set<std::string>{} : std::set<std::string>{"clr_order"};
    check({}, expected, [&](const Switches& switches) {
      Result result;
      for (std::size_t first = 0; first + 128 < data.x.size(); first += 50) {
        append(result, {cross_lane_fp32(op, &data.x[first], 128, 1.0F / 128.0F, switches)});
      }
      return result;
    });
  }
}

TEST(SwitchIndependence, Activation) {
  const Data data;
  for (const ActivationFunc f : dve::isa::named_activation_funcs()) {
    if (!has_definition(f)) continue;
    SCOPED_TRACE(dve::isa::name(f));
    const std::set<std::string> expected =
        dve::isa::is_always_resident(f) ? std::set<std::string>{} : std::set<std::string>{"act_relative_error"};
    check({}, expected, [&](const Switches& switches) {
      Result result;
      for (const float x : data.x) append(result, {activate(f, x, 0.25F, switches)});
      return result;
    });
  }
  check({}, {"act_affine_contraction"}, [&](const Switches& switches) {
    Result result;
    for (const float x : data.x) append(result, {act_affine(x, 1.1F, 0.3F, switches)});
    return result;
  });
}

}  // namespace switch_independence_test
