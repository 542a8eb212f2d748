#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fake_device.h"

namespace dve::test {
namespace {

using layer::InputError;
using runtime::HostRuntime;
using runtime::Program;

TEST(HostArithmetic, InverseStandardDeviation) {
  for (const float var : {0.0F, 1e-7F, 0.3F, 2.0F, 1e30F}) {
    const long double exact = 1 / std::sqrt(static_cast<long double>(double{var} + 1e-5));
    const float result = runtime::inverse_standard_deviation(var, 1e-5, 0);
    EXPECT_LE(std::fabs(result - exact), exact * 0x1p-24L) << var;
  }
  EXPECT_EQ(runtime::inverse_standard_deviation(0.25F, 0, 0), 2.0F);
  EXPECT_EQ(runtime::inverse_standard_deviation(std::numeric_limits<float>::infinity(), 1e-5, 0), 0.0F);
  const float nan = runtime::inverse_standard_deviation(-std::numeric_limits<float>::quiet_NaN(), 1e-5, 0);
  EXPECT_EQ(numerics::bits_of(nan), 0x7FC00000U);
  for (const auto& [var, eps] : {std::pair{0.0F, 0.0}, std::pair{-1.0F, 1e-5}, std::pair{0.5F, -0.5}}) {
    try {
      runtime::inverse_standard_deviation(var, eps, 42);
      ADD_FAILURE() << var << " " << eps;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("channel 42"), std::string::npos) << error.what();
    }
  }
}

TEST(HostArithmetic, CoefficientAIsRoundedAfterEachStep) {
  // Where one rounding of gamma * v / N differs from two.
  const float gamma = 0.7F, v = 0.3F, n = 3.0F;
  const float product = gamma * v;
  EXPECT_EQ(runtime::coefficient_a(gamma, v, n, numerics::BackpropForm::staged), product / n);
  EXPECT_EQ(runtime::coefficient_a(gamma, v, n, numerics::BackpropForm::textbook), product);
  int different = 0;
  for (int i = 1; i < 200; ++i) {
    const auto g = static_cast<float>(i) * 0.013F, count = static_cast<float>(i + 2);
    const float once = static_cast<float>(double{g} * double{v} / double{count});
    different += runtime::coefficient_a(g, v, count, numerics::BackpropForm::staged) != once;
  }
  EXPECT_GT(different, 0);
  const float nan =
      runtime::coefficient_a(-std::numeric_limits<float>::quiet_NaN(), 1, 1, numerics::BackpropForm::staged);
  EXPECT_EQ(numerics::bits_of(nan), 0x7FC00000U);
}

TEST(HostRuntime, LoadsAndStoresAResidentLayer) {
  for (const bool interpreter : {false, true}) {
    const layer::Layer l = counting_layer(130, 5, true);
    runtime::PlanRequest r = request_of(l);
    if (interpreter) r.switches.dst_order = numerics::DstOrder::interpreter;
    const Program program = runtime::plan(r);
    FakeDevice device;
    HostRuntime host(l, program, {});
    ASSERT_EQ(host.steps(), 0U);
    host.perform_initial(device);
    for (std::uint32_t c = 0; c < 130; ++c) {
      const runtime::Regions& regions = program.passes[c / 128].regions;
      const auto first = static_cast<float>(c * 5 + 1);
      EXPECT_EQ(device.get<float>(regions.x, c % 128, 5),
                (std::vector<float>{first, first + 1, first + 2, first + 3, first + 4}));
      EXPECT_EQ(device.get<float>(regions.dy, c % 128, 1), std::vector<float>{-first});
      EXPECT_EQ(device.get<float>(regions.mean, c % 128, 1), std::vector<float>{l.mean[c]});
      EXPECT_EQ(device.get<float>(regions.inv_std, c % 128, 1), std::vector<float>{0.3F});
      const float a = l.gamma[c] * 0.3F / 5.0F;
      EXPECT_EQ(device.get<float>(regions.sums, c % 128, 2, -8), (std::vector<float>{a, a})) << c;
      device.set<float>(regions.dx, c % 128, {first, 0, 1, 2, 3});
      device.set<float>(regions.sums, c % 128, {first, first + 0.25F, first + 0.5F});
    }
    host.perform_final(device);
    const layer::Results results = host.results();
    ASSERT_EQ(results.dx.size(), 130U * 5 * 4);
    for (std::uint32_t c = 0; c < 130; ++c) {
      const auto first = static_cast<float>(c * 5 + 1);
      float dx = 0;
      std::memcpy(&dx, results.dx.data() + std::size_t{c} * 20, 4);
      EXPECT_EQ(dx, first);
      EXPECT_EQ(results.dbeta[c], first);
      EXPECT_EQ(results.dgamma[c], first + (interpreter ? 0.5F : 0.25F));
    }
    EXPECT_EQ(results.mean, l.mean);
    EXPECT_TRUE(results.var.empty());
  }
}

TEST(HostRuntime, ComputesStatisticsInTheStep) {
  const layer::Layer l = counting_layer(3, 8, false);
  const Program program = runtime::plan(request_of(l));
  FakeDevice device;
  HostRuntime host(l, program, {0.5});
  ASSERT_EQ(host.steps(), 1U);
  host.perform_initial(device);
  const runtime::Regions& regions = program.passes[0].regions;
  for (std::uint32_t c = 0; c < 3; ++c) device.set<float>(regions.mean, c, {10.0F + static_cast<float>(c), 3.5F});
  host.perform_step(1, device);
  for (std::uint32_t c = 0; c < 3; ++c) {
    EXPECT_EQ(device.get<float>(regions.inv_std, c, 1), std::vector<float>{0.5F});
    EXPECT_EQ(device.get<float>(regions.sums, c, 1, -8), std::vector<float>{l.gamma[c] * 0.5F / 8.0F});
  }
  host.perform_final(device);
  EXPECT_EQ(host.results().mean, (std::vector<float>{10, 11, 12}));
  EXPECT_EQ(host.results().var, (std::vector<float>{3.5F, 3.5F, 3.5F}));
  EXPECT_EQ(host.results().inv_std, (std::vector<float>{0.5F, 0.5F, 0.5F}));

  device.set<float>(regions.mean, 1, {1, -0.5F});
  HostRuntime failing(l, program, {0.5});
  EXPECT_THROW(failing.perform_step(1, device), InputError);
}

TEST(HostRuntime, AddsTileSumsInTileOrder) {
  const layer::Layer l = counting_layer(1, 60000, true);
  const Program program = runtime::plan(request_of(l));
  const runtime::Regions& regions = program.passes[0].regions;
  ASSERT_EQ(program.passes[0].tiles.size(), 4U);
  FakeDevice device;
  HostRuntime host(l, program, {});
  host.perform_initial(device);
  // In any other order, or in double precision, the ones would survive.
  device.set<float>(regions.tile_sums[0], 0, {-0.0F, 1, 1});
  device.set<float>(regions.tile_sums[1], 0, {-0.0F, 1e8F, 1});
  device.set<float>(regions.tile_sums[2], 0, {-0.0F, 1, 1e8F});
  device.set<float>(regions.tile_sums[3], 0, {-0.0F, -1e8F, -1e8F});
  for (std::size_t k = 1; k <= host.steps(); ++k) host.perform_step(k, device);
  const std::vector<float> total = device.get<float>(regions.sums, 0, 3);
  EXPECT_EQ(total[0], 0.0F);
  EXPECT_TRUE(std::signbit(total[0])) << "the first tile's sum is the start, not +0";
  EXPECT_EQ(total[1], 0.0F);
  EXPECT_EQ(total[2], 0.0F);
  const float a = 0.7F * 0.3F / 60000.0F;
  EXPECT_EQ(device.get<float>(regions.sums, 0, 2, -8), (std::vector<float>{a, a}));
}

TEST(HostRuntime, TilesCarryTheRightElements) {
  const layer::Layer l = counting_layer(1, 60000, true);
  const Program program = runtime::plan(request_of(l));
  const auto& tiles = program.passes[0].tiles;
  const runtime::Regions& regions = program.passes[0].regions;
  FakeDevice device;
  HostRuntime host(l, program, {});
  host.perform_initial(device);
  EXPECT_EQ(device.get<float>(regions.x, 0, 1), std::vector<float>{1});
  host.perform_step(1, device);
  EXPECT_EQ(device.get<float>(regions.x, 0, 1), std::vector<float>{static_cast<float>(tiles[1].first + 1)});
  EXPECT_EQ(device.get<float>(regions.dy, 0, 1), std::vector<float>{-static_cast<float>(tiles[1].first + 1)});
  // The gradient pass: each step stores the tile before. The device copies x to dx.
  for (std::size_t k = 2; k <= host.steps(); ++k) {
    device.set<float>(regions.dx, 0, device.get<float>(regions.x, 0, tiles[0].count));
    host.perform_step(k, device);
  }
  device.set<float>(regions.dx, 0, device.get<float>(regions.x, 0, tiles.back().count));
  host.perform_final(device);
  EXPECT_EQ(host.results().dx, l.x);
}

TEST(HostRuntime, NormalisesForTheOtherReadingOfSource0) {
  const layer::Layer l = counting_layer(2, 3, true, isa::Dtype::fp16);
  runtime::PlanRequest r = request_of(l);
  r.switches.backprop_form = numerics::BackpropForm::textbook;
  r.switches.src0_is = numerics::Src0Is::x_norm;
  const Program program = runtime::plan(r);
  FakeDevice device;
  HostRuntime host(l, program, {});
  host.perform_initial(device);
  ASSERT_EQ(host.steps(), 1U);
  host.perform_step(1, device);
  for (std::uint32_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < 3; ++i) {
      const float x = static_cast<float>(std::size_t{3} * c + i + 1);
      const auto bits = device.get<std::uint16_t>(program.passes[0].regions.x, c, 3)[i];
      EXPECT_EQ(bits, numerics::fp32_to_fp16((x - l.mean[c]) * 0.3F));
    }
    EXPECT_EQ(device.get<float>(program.passes[0].regions.sums, c, 1, -8), std::vector<float>{l.gamma[c] * 0.3F});
  }
}

TEST(HostRuntime, DividesByTheLossScaleInBinary32) {
  layer::Layer l = counting_layer(1, 2, true, isa::Dtype::fp16);
  l.loss_scale = 3;
  const Program program = runtime::plan(request_of(l));
  FakeDevice device;
  HostRuntime host(l, program, {});
  host.perform_initial(device);
  device.set<std::uint16_t>(program.passes[0].regions.dx, 0, {0x3C00, 0x7E01});  // 1, NaN
  device.set<float>(program.passes[0].regions.sums, 0, {1, 2, 4});
  host.perform_final(device);
  const layer::Results results = host.results();
  EXPECT_EQ(results.dbeta[0], 1.0F / 3.0F);
  EXPECT_EQ(results.dgamma[0], 2.0F / 3.0F);
  EXPECT_EQ(results.dx, (std::vector<std::uint8_t>{0x55, 0x35, 0x00, 0x7E}));  // 1/3 is 0x3555
  EXPECT_EQ(host.results().dbeta, results.dbeta) << "asking twice divides once";
}

layer::Layer full_layer(std::uint32_t channels, std::uint64_t elements, isa::Dtype dtype = isa::Dtype::fp32) {
  layer::Layer l = counting_layer(channels, elements, false, dtype);
  for (std::uint32_t c = 0; c < channels; ++c) l.beta.push_back(0.25F - static_cast<float>(c));
  return l;
}
runtime::PlanRequest full_request(const layer::Layer& l) {
  runtime::PlanRequest r = request_of(l);
  r.step = runtime::Step::full;
  return r;
}

TEST(HostRuntime, OfAFullStepOnlyMovesData) {
  for (const std::uint64_t microbatches : {1U, 3U}) {
    const layer::Layer l = full_layer(130, 5);
    runtime::PlanRequest r = full_request(l);
    r.microbatches = microbatches;
    const Program program = runtime::plan(r);
    FakeDevice device;
    HostRuntime host(l, program, {});
    ASSERT_EQ(host.steps(), 0U);
    host.perform_initial(device);
    for (std::uint32_t c = 0; c < 130; ++c) {
      const runtime::Regions& regions = program.passes[c / 128].regions;
      const auto first = static_cast<float>(c * 5 + 1);
      const std::vector<float> x = {first, first + 1, first + 2, first + 3, first + 4};
      EXPECT_EQ(device.get<float>(regions.x, c % 128, 5), x);
      EXPECT_EQ(device.get<float>(regions.dy, c % 128, 2), (std::vector<float>{-first, -first - 1}));
      EXPECT_EQ(device.get<float>(regions.gamma, c % 128, 1), std::vector<float>{l.gamma[c]});
      EXPECT_EQ(device.get<float>(regions.beta, c % 128, 1), std::vector<float>{l.beta[c]});
      device.set<float>(regions.mean, c % 128, {first + 0.5F, first + 0.75F});
      device.set<float>(regions.inv_std, c % 128, {first + 0.125F});
      device.set<float>(regions.sums, c % 128, {first, first + 0.25F, 0});
      device.set<float>(regions.y, c % 128, {2 * x[0], 2 * x[1], 2 * x[2], 2 * x[3], 2 * x[4]});
      device.set<float>(regions.dx, c % 128, {3 * x[0], 3 * x[1], 3 * x[2], 3 * x[3], 3 * x[4]});
    }
    host.perform_final(device);
    const layer::Results results = host.results();
    std::vector<float> y(650), dx(650);
    ASSERT_EQ(results.y.size(), 650U * 4);
    std::memcpy(y.data(), results.y.data(), results.y.size());
    std::memcpy(dx.data(), results.dx.data(), results.dx.size());
    for (std::size_t i = 0; i < 650; ++i) {
      EXPECT_EQ(y[i], 2 * static_cast<float>(i + 1)) << i;
      EXPECT_EQ(dx[i], 3 * static_cast<float>(i + 1)) << i;
    }
    for (std::uint32_t c = 0; c < 130; ++c) {
      const auto first = static_cast<float>(c * 5 + 1);
      EXPECT_EQ(results.mean[c], first + 0.5F);
      EXPECT_EQ(results.var[c], first + 0.75F);
      EXPECT_EQ(results.inv_std[c], first + 0.125F) << "the device's own, not the host's";
      EXPECT_EQ(results.dbeta[c], first);
      EXPECT_EQ(results.dgamma[c], first + 0.25F);
    }
  }
}

TEST(HostRuntime, StoresTilesOfYWhereTheyBelong) {
  const layer::Layer l = full_layer(1, 60000);
  const Program program = runtime::plan(full_request(l));
  const runtime::Regions& regions = program.passes[0].regions;
  ASSERT_GT(program.passes[0].tiles.size(), 1U);
  FakeDevice device;
  HostRuntime host(l, program, {});
  host.perform_initial(device);
  // The device copies x to y whenever the host is not looking.
  const auto copy = [&] {
    device.set<float>(regions.y, 0, device.get<float>(regions.x, 0, program.passes[0].tiles[0].count));
  };
  for (std::size_t k = 1; k <= host.steps(); ++k) {
    copy();
    host.perform_step(k, device);
  }
  copy();
  host.perform_final(device);
  EXPECT_EQ(host.results().y, l.x);
}

TEST(HostRuntime, TheLossScaleIsNoneOfYsBusiness) {
  layer::Layer l = full_layer(1, 2, isa::Dtype::fp16);
  l.loss_scale = 4;
  const Program program = runtime::plan(full_request(l));
  FakeDevice device;
  HostRuntime host(l, program, {});
  host.perform_initial(device);
  device.set<std::uint16_t>(program.passes[0].regions.dx, 0, {0x3C00, 0x4000});
  device.set<std::uint16_t>(program.passes[0].regions.y, 0, {0x3C00, 0x4000});
  device.set<float>(program.passes[0].regions.inv_std, 0, {8});
  host.perform_final(device);
  EXPECT_EQ(host.results().dx, (std::vector<std::uint8_t>{0x00, 0x34, 0x00, 0x38}));
  EXPECT_EQ(host.results().y, (std::vector<std::uint8_t>{0x00, 0x3C, 0x00, 0x40}));
  EXPECT_EQ(host.results().inv_std, std::vector<float>{8});
}

TEST(HostRuntime, AFullStepNeedsBeta) {
  layer::Layer l = full_layer(2, 3);
  const Program program = runtime::plan(full_request(l));
  l.beta.clear();
  l.folder = "some/layer";
  try {
    const HostRuntime host(l, program, {});
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("some/layer/beta.npy: does not exist", 0), 0U) << error.what();
  }
}

TEST(HostRuntime, AddsTheSumsOfMicrobatchesInTheirOrder) {
  const layer::Layer l = counting_layer(1, 6, true);
  runtime::PlanRequest r = request_of(l);
  r.microbatches = 3;
  const Program program = runtime::plan(r);
  const runtime::Regions& regions = program.passes[0].regions;
  FakeDevice device;
  HostRuntime host(l, program, {});
  host.perform_initial(device);
  // 2^24 + 1 is 2^24 in binary32, 1 + 1 + 2^24 is 2^24 + 2; canceling leaves what was added last.
  device.set<float>(regions.tile_sums[0], 0, {0x1p24F, 1, 1e30F});
  device.set<float>(regions.tile_sums[1], 0, {1, 1, 1});
  device.set<float>(regions.tile_sums[2], 0, {1, 0x1p24F, -1e30F});
  for (std::size_t k = 1; k <= host.steps(); ++k) host.perform_step(k, device);
  EXPECT_EQ(device.get<float>(regions.sums, 0, 3), (std::vector<float>{0x1p24F, 0x1p24F + 2, 0}));
}

TEST(HostRuntime, RefusesALayerOfAnotherProgram) {
  const layer::Layer l = counting_layer(2, 3, true);
  const Program program = runtime::plan(request_of(l));
  EXPECT_THROW(HostRuntime(counting_layer(3, 3, true), program, {}), InputError);
  EXPECT_THROW(HostRuntime(counting_layer(2, 4, true), program, {}), InputError);
  EXPECT_THROW(HostRuntime(counting_layer(2, 3, false), program, {}), InputError);
  EXPECT_THROW(HostRuntime(counting_layer(2, 3, true, isa::Dtype::fp16), program, {}), InputError);
  EXPECT_THROW(HostRuntime(l, program, {std::numeric_limits<double>::quiet_NaN()}), InputError);
}

}  // namespace
}  // namespace dve::test
