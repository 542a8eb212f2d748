// A whole training step on three engines: results by bits against the golden, by tolerance against PyTorch; time by
// formula; what a wrong semaphore does.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "system/layer_bench.h"

namespace dve {
namespace full_step_test {

using namespace testing_support;
using isa::Dtype;
using isa::Engine;

runtime::Program full_program(const layer::Layer& layer, const config::Config& settings,
                              std::uint64_t microbatches = 1) {
  runtime::PlanRequest request = plan_request(layer, settings);
  request.step = runtime::Step::full;
  request.microbatches = microbatches;
  return runtime::plan(request);
}

layer::Layer digits(const char* name, const char* dtype) {
  layer::LayerOptions options;
  options.dtype = isa::dtype_from_string(dtype);
  options.device_statistics = true;
  return layer::load_layer(std::string(DVE_TEST_DATA_DIR "/digits_cnn/") + name, options);
}

layer::CompareRequest request_for(const runtime::Program& program) {
  layer::CompareRequest request;
  request.device_statistics = true;
  request.longest_stream = runtime::longest_stream(program);
  request.triples = runtime::triples_per_channel(program);
  return request;
}

std::set<Engine> engines_of(const runtime::Program& program) {
  std::set<Engine> engines;
  for (const runtime::Stream& stream : program.streams) engines.insert(stream.engine);
  return engines;
}

class FullStepLayer : public testing::TestWithParam<std::tuple<const char*, const char*, int>> {};

TEST_P(FullStepLayer, MatchesGoldenAndPyTorchWithoutHostArithmetic) {
  const auto [name, dtype, microbatches] = GetParam();
  const layer::Layer layer = digits(name, dtype);
  const config::Config settings = preset(isa::Generation::cayman);
  CoreBench bench(settings);
  LayerOutcome outcome;
  const auto end = bench.run([&](Host& host) {
    outcome = run_program(bench, host, layer, full_program(layer, settings, static_cast<std::uint64_t>(microbatches)));
  });
  ASSERT_EQ(end.status, RunStatus::ok);
  EXPECT_EQ(outcome.program.steps.size(), 0u) << "the host only loads and stores";
  EXPECT_EQ(engines_of(outcome.program), (std::set<Engine>{Engine::dve, Engine::pool, Engine::act}));
  expect_same_bits(outcome, golden_layer(layer, outcome.program, {}), layer);
  std::set<std::string> compared;
  for (const auto& c : layer::compare(layer, outcome.results, request_for(outcome.program))) {
    EXPECT_EQ(c.mismatches, 0u) << c.name << ": " << layer::to_string(c.first_mismatch);
    compared.insert(c.name);
  }
  for (const char* reference : {"y", "dx", "dgamma", "dbeta", "mean", "var", "dx64", "y_device64"})
    EXPECT_EQ(compared.count(reference), 1u) << reference;
}

INSTANTIATE_TEST_SUITE_P(DigitsCnnFull, FullStepLayer,
                         testing::Combine(testing::Values("1", "4", "7", "10"), testing::Values("fp32", "bf16", "fp16"),
                                          testing::Values(1, 3)));

// Against the host-assisted step: same statistics and sums; inv_std and A round differently, by an ulp or two.
TEST(FullStepAgainstHostAssisted, OnlyInvStdAndARoundDifferently) {
  const layer::Layer layer = digits("4", "fp32");
  const config::Config settings = preset(isa::Generation::cayman);
  CoreBench full_bench(settings, "full"), host_bench(settings, "assisted");
  LayerOutcome full, assisted;
  full_bench.drive([&](Host& host) { full = run_program(full_bench, host, layer, full_program(layer, settings)); });
  host_bench.drive([&](Host& host) { assisted = run_layer(host_bench, host, layer, settings); });
  ASSERT_EQ(full_bench.finish().status, RunStatus::ok);
  ASSERT_EQ(host_bench.finish().status, RunStatus::ok);
  EXPECT_EQ(full.results.mean, assisted.results.mean);
  EXPECT_EQ(full.results.var, assisted.results.var);
  EXPECT_EQ(full.results.dbeta, assisted.results.dbeta) << "d_beta does not depend on inv_std";
  for (std::uint32_t c = 0; c < layer.channels; ++c)
    EXPECT_NEAR(full.results.inv_std[c], assisted.results.inv_std[c], 0x1p-22F * assisted.results.inv_std[c]);
}

// Layers that do not fit: tiles are reloaded by the host, in host steps without arithmetic.
struct Case {
  const char* name;
  std::uint32_t channels;
  std::uint64_t elements;
  Dtype dtype;
  std::vector<std::string> sets;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class FullStepShape : public testing::TestWithParam<Case> {};

TEST_P(FullStepShape, EqualsTheGoldenOnEveryAbstraction) {
  const Case& c = GetParam();
  layer::Layer layer = make_layer(c.channels, c.elements, c.dtype, false, 7);
  for (std::uint32_t k = 0; k < c.channels; ++k) layer.beta.push_back(0.25F * static_cast<float>(k % 7) - 0.5F);
  std::vector<std::string> functional = c.sets;
  functional.emplace_back("abstraction=functional");
  const config::Config timed_settings = preset(isa::Generation::cayman, c.sets);
  const config::Config untimed_settings = preset(isa::Generation::cayman, functional);
  golden::Options options;
  options.textbook = timed_settings.numerics.backprop_form == numerics::BackpropForm::textbook;
  options.dst_order_interpreter = timed_settings.numerics.dst_order == numerics::DstOrder::interpreter;
  options.src0_is_x_norm = timed_settings.numerics.src0_is == numerics::Src0Is::x_norm;
  CoreBench timed(timed_settings, "timed"), untimed(untimed_settings, "untimed");
  LayerOutcome with_time, without;
  timed.drive([&](Host& host) { with_time = run_program(timed, host, layer, full_program(layer, timed_settings)); });
  untimed.drive(
      [&](Host& host) { without = run_program(untimed, host, layer, full_program(layer, untimed_settings)); });
  ASSERT_EQ(timed.finish().status, RunStatus::ok);
  ASSERT_EQ(untimed.finish().status, RunStatus::ok);
  const GoldenOutcome golden = golden_layer(layer, with_time.program, options);
  expect_same_bits(with_time, golden, layer);
  expect_same_bits(without, golden, layer);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, FullStepShape,
    testing::Values(
        Case{"one_element", 1, 1, Dtype::fp32, {}}, Case{"two_passes", 200, 300, Dtype::fp32, {}},
        Case{"two_passes_tiled", 130, 40000, Dtype::bf16, {}}, Case{"one_pass_tiled", 3, 70001, Dtype::fp32, {}},
        Case{"sums_in_psum", 5, 60000, Dtype::fp32, {"place.sums=psum"}},
        Case{"x_in_psum", 9, 1000, Dtype::fp32, {"place.x=psum", "place.y=psum"}},
        Case{"textbook", 4, 50000, Dtype::fp32, {"numerics.backprop_form=textbook"}},
        Case{"interpreter", 4, 777, Dtype::fp16, {"numerics.dst_order=interpreter"}},
        Case{"normalised", 4, 50000, Dtype::fp32, {"numerics.backprop_form=textbook", "numerics.src0_is=x_norm"}}),
    [](const testing::TestParamInfo<Case>& shape) { return std::string(shape.param.name); });

// Time of one small layer, from the costs of microarchitecture.md 8: U 64, g 70, L 144 on DVE and ACT, L 150 on POOL;
// two SBUF sources cost 2 cycles an element on DVE, 1 on POOL; t_sem 30 ns; DVE 960 MHz, POOL and ACT 1200 MHz.
TEST(FullStepTime, FollowsTheDependencesOfTheWords) {
  const layer::Layer layer = digits("4", "fp32");  // 64 channels x 512 elements
  const config::Config settings = preset(isa::Generation::cayman);
  CoreBench bench(settings);
  const auto end = bench.run([&](Host& host) { run_program(bench, host, layer, full_program(layer, settings)); });
  ASSERT_EQ(end.status, RunStatus::ok);

  const auto femtoseconds = [](std::uint64_t cycles, std::uint64_t hz) {
    return static_cast<std::uint64_t>(std::llround(static_cast<long double>(cycles) * 1e15L / hz));
  };
  const auto cycles_from = [](std::uint64_t fs, std::uint64_t hz) {
    return static_cast<std::uint64_t>(std::ceil((static_cast<long double>(fs) - 0.5L) * hz / 1e15L));
  };
  constexpr std::uint64_t kDve = 960'000'000, kOther = 1'200'000'000;
  constexpr std::uint64_t kU = 64, kG = 70, kL = 144, kPoolL = 150;
  const std::uint64_t sem_dve = 29, sem_other = 36;  // 30 ns in cycles, rounded up
  // DVE: 32 LoadParameterRam, Stats2(512), Aggregate of two triples (26 cycles) behind the interlock.
  const std::uint64_t stats = 32 * (kU + kG);
  const std::uint64_t aggregate = stats + 512 + kL + sem_dve;
  const std::uint64_t statistics_done = aggregate + 26 + kL;
  // ACT: rsqrt of one element; POOL: gamma * inv_std.
  const std::uint64_t rsqrt = cycles_from(femtoseconds(statistics_done, kDve), kOther) + sem_other;
  const std::uint64_t inv_std_done = femtoseconds(rsqrt + 1 + kL, kOther);
  const std::uint64_t scale = cycles_from(inv_std_done, kOther) + sem_other;
  const std::uint64_t scale_done = femtoseconds(scale + 1 + kPoolL, kOther);
  // DVE: shift, GradAccum(512, two SBUF sources), A, ParamLoad, BackProp; each behind what it needs.
  const std::uint64_t shift = cycles_from(scale_done, kDve) + sem_dve;
  const std::uint64_t sums = shift + kU;
  const std::uint64_t a = sums + 1024 + kG;
  const std::uint64_t load = std::max(a + kU, std::max(sums + 1024 + kL, a + 2 + kL) + sem_dve);
  const std::uint64_t back_prop = load + kU + kG;
  EXPECT_EQ(bench.core().seq(Engine::dve).cycles().value, back_prop + 1024 + kL);
  // ACT: y = scale*x + shift starts when the shift is there.
  const std::uint64_t affine = cycles_from(femtoseconds(shift + 1 + kL, kDve), kOther) + sem_other + 10;
  EXPECT_EQ(bench.core().seq(Engine::act).cycles().value, affine + 512 + kL);
}

}  // namespace full_step_test
}  // namespace dve
