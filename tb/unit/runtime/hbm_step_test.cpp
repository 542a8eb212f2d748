// Backward steps whose tensors stay in HBM: words, transfers and host steps in every order that the semaphores allow.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "fake_device.h"
#include "plan_checks.h"

namespace dve::test {
namespace hbm_step_test {
namespace {

using isa::Space;
using runtime::PlanError;
using runtime::PlanRequest;
using runtime::Program;

PlanRequest in_hbm(std::uint32_t channels, std::uint64_t elements, std::uint64_t tile, bool given = true) {
  PlanRequest r;
  r.channels = channels;
  r.elements = elements;
  r.statistics_given = given;
  r.place.hbm = {true, true, true};
  r.tile_elements = tile;
  return r;
}

std::size_t problems_in_orders(const Program& program, std::uint32_t orders) {
  std::size_t found = 0;
  for (std::uint32_t order = 0; order < orders; ++order) {
    Coverage coverage;
    found += !walk(program, coverage, order).empty();
  }
  return found;
}

TEST(HbmStep, CornersAreSound) {
  for (const isa::Generation generation : isa::kGenerations) {
    for (const std::uint32_t channels : {1U, 128U, 300U}) {
      for (const std::uint64_t elements : {1U, 513U, 30000U}) {
        for (const bool given : {true, false}) {
          PlanRequest r = in_hbm(channels, elements, elements / 7, given);
          r.generation = generation;
          check_plan(r, 2);
          if (HasFailure()) return;
        }
      }
    }
  }
}

// Any of the tensors in HBM, tiles short enough for several rounds through the buffers.
TEST(HbmStep, RandomRequestsAreSound) {
  std::mt19937 random(11);
  const auto pick = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::size_t planned = 0;
  for (int i = 0; i < 250; ++i) {
    PlanRequest r = in_hbm(1 + pick(300), 1 + pick(i % 4 == 0 ? 20000 : 900), 0, pick(2) == 0);
    randomise(r, pick);
    r.switches.src0_is = numerics::Src0Is::ofmap;
    const std::uint32_t which = 1 + pick(7);
    r.place.hbm = {(which & 1) != 0, (which & 2) != 0, (which & 4) != 0};
    if (r.place.hbm.x) r.place.x = Space::sbuf;
    if (r.place.hbm.dy) r.place.dy = Space::sbuf;
    if (r.place.hbm.dx) r.place.dx = Space::sbuf;
    r.tile_elements = pick(4) == 0 ? 0 : 1 + r.elements / (1 + pick(12));
    r.load_engines = 1 + pick(15);
    try {
      runtime::plan(r);
    } catch (const PlanError&) {
      continue;  // what is not in HBM does not fit
    }
    ++planned;
    check_plan(r, 4);
    if (HasFailure()) return;
  }
  EXPECT_GT(planned, 150U);
}

// Every wait of a transfer and of a word is needed: without it some order is wrong.
TEST(HbmStep, NoWaitIsSuperfluous) {
  const Program good = runtime::plan(in_hbm(3, 70, 10, false));
  ASSERT_EQ(problems_in_orders(good, 60), 0U);
  std::size_t waits = 0;
  for (std::size_t ring = 0; ring < runtime::kRings; ++ring) {
    for (std::size_t k = 0; k < good.transfers[ring].size(); ++k) {
      for (std::size_t w = 0; w < good.transfers[ring][k].waits.size(); ++w) {
        Program bad = good;
        --bad.transfers[ring][k].waits[w].at_least;  // counts words
        EXPECT_GT(problems_in_orders(bad, 60), 0U) << "ring " << ring << " transfer " << k;
        ++waits;
      }
    }
  }
  EXPECT_GT(waits, 18U);
  waits = 0;
  for (std::size_t k = 0; k < good.words.size(); ++k) {
    isa::Events events = isa::read_events(good.words[k]);
    if (events.wait_mode != isa::WaitMode::sem_ge_imm) continue;
    if (k + 1 == good.words.size()) break;  // its wait is for whoever reads the results
    const bool counts_engines =
        events.wait_idx == isa::number(runtime::kLoadsDone) || events.wait_idx == isa::number(runtime::kStoresDone);
    events.semaphore_value -= counts_engines ? 8 : 1;
    Program bad = good;
    isa::write_events(bad.words[k], events);
    EXPECT_GT(problems_in_orders(bad, 60), 0U) << "word " << k;
    ++waits;
  }
  EXPECT_GT(waits, 15U);
}

TEST(HbmStep, TilesThatAreStillThereAreNotLoadedAgain) {
  const auto transfers = [](const PlanRequest& r) {
    const Program program = runtime::plan(r);
    return std::pair{program.transfers[runtime::kLoadRing].size(), program.transfers[runtime::kStoreRing].size()};
  };
  // x and dy once for all phases.
  EXPECT_EQ(transfers(in_hbm(8, 100, 0)), (std::pair<std::size_t, std::size_t>{2, 1}));
  EXPECT_EQ(transfers(in_hbm(8, 100, 0, false)), (std::pair<std::size_t, std::size_t>{2, 1}));
  EXPECT_EQ(transfers(in_hbm(8, 100, 50, false)), (std::pair<std::size_t, std::size_t>{4, 2}))
      << "two tiles, two buffers";
  // Six tiles: all of x and dy for the sums, and again for the gradient; x for the statistics before.
  EXPECT_EQ(transfers(in_hbm(8, 600, 100)), (std::pair<std::size_t, std::size_t>{24, 6}));
  EXPECT_EQ(transfers(in_hbm(8, 600, 100, false)), (std::pair<std::size_t, std::size_t>{30, 6}));
  EXPECT_EQ(transfers(in_hbm(300, 100, 0)), (std::pair<std::size_t, std::size_t>{6, 3})) << "three passes";
}

TEST(HbmStep, TheHostOnlyComputes) {
  EXPECT_TRUE(runtime::plan(in_hbm(300, 1000, 0)).steps.empty());
  EXPECT_EQ(runtime::plan(in_hbm(300, 1000, 100)).steps.size(), 3U) << "the sums of each pass";
  EXPECT_EQ(runtime::plan(in_hbm(300, 1000, 0, false)).steps.size(), 3U) << "inv_std and A of each pass";
  EXPECT_EQ(runtime::plan(in_hbm(300, 1000, 100, false)).steps.size(), 6U);
}

// Loads of the next tile may be under way while the words use the present one: they wait for the use before it only.
TEST(HbmStep, LoadsRunOneTileAhead) {
  const Program program = runtime::plan(in_hbm(8, 600, 100));
  const auto& loads = program.transfers[runtime::kLoadRing];
  for (std::size_t k = 0; k < loads.size(); ++k) {
    const std::size_t use = k / 2;  // x and dy of each use
    if (use < 2 || k % 2 != 0) {    // what x has waited for
      EXPECT_TRUE(loads[k].waits.empty()) << k;
    } else {
      ASSERT_EQ(loads[k].waits.size(), 1U) << k;
      EXPECT_EQ(loads[k].waits[0].semaphore, runtime::kTilesUsed);
      EXPECT_EQ(loads[k].waits[0].at_least, use - 1) << k;
    }
    EXPECT_EQ(loads[k].update, runtime::kLoadsDone);
    EXPECT_EQ(loads[k].first_engine, 0U);
    EXPECT_EQ(loads[k].engines, 8U);
  }
  for (const dma::Transfer& store : program.transfers[runtime::kStoreRing]) {
    EXPECT_EQ(store.first_engine, 8U);
    EXPECT_EQ(store.engines, 8U);
    EXPECT_EQ(store.update, runtime::kStoresDone);
  }
  const isa::Events last = isa::read_events(program.words.back());
  EXPECT_EQ(last.wait_idx, isa::number(runtime::kStoresDone));
  EXPECT_EQ(last.semaphore_value, 6 * 8U) << "the program ends when all of dx is in HBM";
}

TEST(HbmStep, TilesAreAsLongAsFitTwice) {
  const auto aligned = [](std::uint64_t bytes) { return (bytes + 63) / 64 * 64; };
  for (const std::uint64_t n : {30000U, 100000U}) {
    const Program program = runtime::plan(in_hbm(64, n, 0));
    const std::uint64_t length = program.passes[0].tiles[0].count;
    // Two buffers of x, dy and dx; mean, inv_std; block of A and the total; sums of the tiles.
    const auto needs = [&](std::uint64_t t) { return 6 * aligned(4 * t) + 64 + 64 + 128 + 64 * ((n + t - 1) / t); };
    EXPECT_LE(needs(length), 0x38000U) << n;
    EXPECT_GT(needs(length + 1), 0x38000U) << n;
  }
  EXPECT_EQ(runtime::plan(in_hbm(64, 3000, 700)).passes[0].tiles[0].count, 700U);
  EXPECT_EQ(runtime::plan(in_hbm(64, 300, 700)).passes[0].tiles[0].count, 300U);
}

TEST(HbmStep, WhatCannotBePlannedIsNamed) {
  const auto expect = [](const PlanRequest& r, const std::string& text) {
    try {
      runtime::plan(r);
      ADD_FAILURE() << "no error: " << text;
    } catch (const PlanError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  PlanRequest r = in_hbm(4, 100, 0, false);
  r.step = runtime::Step::full;
  expect(r, "place.x is hbm, expected sbuf or psum: a full step cannot use HBM");
  r.place.hbm = {false, true, false};
  expect(r, "place.dy is hbm");
  r = in_hbm(4, 100, 0);
  r.switches.backprop_form = numerics::BackpropForm::textbook;
  r.switches.src0_is = numerics::Src0Is::x_norm;
  expect(r, "numerics.src0_is x_norm, expected ofmap");
  expect(in_hbm(4, 100000, 20000), "dma.tile_elements is 20000, expected less");
  r = in_hbm(4, 100000, 0);
  r.place.hbm = {true, true, false};
  expect(r, "do not fit on cayman in tiles of any length");
  for (const std::uint32_t engines : {0U, 16U}) {
    r = in_hbm(4, 100, 0);
    r.load_engines = engines;
    expect(r, "dma.load_engines is " + std::to_string(engines) + ", expected 1 to 15");
  }
  expect(in_hbm(300, 4'000'000, 0), "expected at most the 12884901888 bytes of a core's HBM");
}

TEST(HbmStep, TheHostMovesWholeTensorsToAndFromHbm) {
  const layer::Layer l = counting_layer(3, 50, true);
  PlanRequest r = request_of(l);
  r.place.hbm = {true, true, true};
  r.tile_elements = 20;
  const Program program = runtime::plan(r);
  EXPECT_EQ(program.hbm_bytes, 2 * 640 + 600U) << "three tensors of 600 bytes, at multiples of 64";
  FakeDevice device;
  runtime::HostRuntime host(l, program, {});
  host.perform_initial(device);
  std::vector<std::uint8_t> found(600);
  device.read_hbm(0, found.data(), 600);
  EXPECT_EQ(found, l.x);
  device.read_hbm(640, found.data(), 600);
  EXPECT_EQ(found, l.dy);
  EXPECT_EQ(device.get<float>(program.passes[0].regions.mean, 2, 1), std::vector<float>{l.mean[2]});
  for (std::size_t i = 0; i < 600; ++i) found[i] = static_cast<std::uint8_t>(i);
  device.write_hbm(1280, found.data(), 600);
  EXPECT_FALSE(host.has_stored());
  host.perform_final(device);
  EXPECT_TRUE(host.has_stored());
  EXPECT_EQ(host.results().dx, found);
}

}  // namespace
}  // namespace hbm_step_test
}  // namespace dve::test
