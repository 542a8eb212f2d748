#include "scratch.h"

namespace dve::config {
namespace {

using isa::Generation;
using test::values;

struct Preset {
  const char* name;
  Generation generation;
  std::uint64_t clock_hz;
};
const std::vector<Preset> kPresets = {{"sunda", Generation::sunda, 1'120'000'000},
                                      {"cayman", Generation::cayman, 960'000'000},
                                      {"mariana", Generation::mariana, 1'200'000'000},
                                      {"mariana_plus", Generation::mariana_plus, 1'200'000'000},
                                      {"maverick", Generation::maverick, 1'200'000'000}};

TEST(Preset, AllLoadWithTheNumbersOfTheReference) {
  for (const Preset& preset : kPresets) {
    SCOPED_TRACE(preset.name);
    const Effective effective = load(preset.name, {});
    EXPECT_EQ(effective.name, preset.name);
    EXPECT_EQ(effective.config.generation, preset.generation);
    const timing::Parameters& t = effective.config.timing;
    EXPECT_EQ(t.clock_hz, preset.clock_hz);
    EXPECT_EQ(t.min_ii.value, 64u);
    EXPECT_EQ(t.issue_gap.value, 70u);
    EXPECT_EQ(t.fill_drain.value, 144u);
    EXPECT_EQ(t.two_source_cycles, 2);
    EXPECT_TRUE(t.stride_penalty);
    EXPECT_EQ(t.same_engine_raw, timing::SameEngineRaw::interlock);
    EXPECT_EQ(t.sem_ns, 30);
    EXPECT_EQ(t.event_issue_cycles.value, 10u);
    EXPECT_EQ(t.fetch_cycles.value, 0u);
  }
}

// POOL and ACT: clocks of microarchitecture.md 2, start-up of POOL from 7.1, the rest as the DVE.
TEST(Preset, PoolAndActHaveTheirOwnNumbers) {
  const std::map<std::string, std::uint64_t> clocks = {{"sunda", 1'400'000'000},
                                                       {"cayman", 1'200'000'000},
                                                       {"mariana", 1'200'000'000},
                                                       {"mariana_plus", 1'200'000'000},
                                                       {"maverick", 1'200'000'000}};
  for (const auto& [name, hz] : clocks) {
    SCOPED_TRACE(name);
    const Config config = load(name, {}).config;
    for (const isa::Engine engine : {isa::Engine::pool, isa::Engine::act}) {
      const timing::Parameters t = timing_of(config, engine);
      EXPECT_EQ(t.engine, engine);
      EXPECT_EQ(t.clock_hz, hz);
      EXPECT_EQ(t.min_ii.value, 64u);
      EXPECT_EQ(t.issue_gap.value, 70u);
      EXPECT_EQ(t.fill_drain.value, engine == isa::Engine::pool ? 150u : 144u);
      EXPECT_EQ(t.table_load_ns, 368);
    }
  }
}

// microarchitecture.md 5: achievable rates of an engine; HBM of a chip over its cores (2 on trn1, 8 later).
TEST(Preset, DmaHasTheNumbersOfTheReference) {
  struct Rates {
    const char* name;
    double engine, hbm;
  };
  for (const Rates& rates :
       {Rates{"sunda", 17, 820.0 / 2}, Rates{"cayman", 23, 2900.0 / 8}, Rates{"mariana", 33, 4700.0 / 8},
        Rates{"mariana_plus", 33, 4700.0 / 8}, Rates{"maverick", 33, 4700.0 / 8}}) {
    SCOPED_TRACE(rates.name);
    const Effective effective = load(rates.name, {});
    EXPECT_EQ(effective.config.dma.start_ns, 1300);
    EXPECT_EQ(effective.config.dma.engine_bytes_per_ns, rates.engine);
    EXPECT_EQ(effective.config.dma.hbm_bytes_per_ns, rates.hbm);
    EXPECT_EQ(effective.config.dma.load_engines, 8u);
    EXPECT_EQ(effective.config.dma.tile_elements, 0u);
    for (const char* key : {"dma.start_ns", "dma.engine_bytes_per_ns", "dma.hbm_bytes_per_ns"})
      EXPECT_NE(effective.origins.at(key).source.find("microarchitecture.md 5"), std::string::npos) << key;
  }
}

TEST(Preset, WhatHoldsForAllEnginesIsTakenFromTheCommonKeys) {
  const Config config = load("cayman", {"timing.sem_ns=77", "timing.event_issue_cycles=5", "timing.fetch_cycles=9",
                                        "timing.same_engine_raw=none", "timing.act.clock_mhz=1000",
                                        "timing.pool.min_ii=1", "timing.act.table_load_ns=1.5"})
                            .config;
  for (const isa::Engine engine : isa::kEngines) {
    const timing::Parameters t = timing_of(config, engine);
    EXPECT_EQ(t.engine, engine);
    EXPECT_EQ(t.sem_ns, 77);
    EXPECT_EQ(t.event_issue_cycles.value, 5u);
    EXPECT_EQ(t.fetch_cycles.value, 9u);
    EXPECT_EQ(t.same_engine_raw, timing::SameEngineRaw::none);
    EXPECT_EQ(t.clock_hz, engine == isa::Engine::dve   ? 960'000'000u
                          : engine == isa::Engine::act ? 1'000'000'000u
                                                       : 1'200'000'000u);
    EXPECT_EQ(t.min_ii.value, engine == isa::Engine::pool ? 1u : 64u);
    EXPECT_EQ(timing_of(config, isa::Engine::act).table_load_ns, 1.5);
  }
}

TEST(Preset, EveryTimingNumberNamesItsSource) {
  for (const Preset& preset : kPresets) {
    const Effective effective = load(preset.name, {});
    for (const Key& key : keys()) {
      if (key.name.rfind("timing.", 0) != 0) continue;
      const Origin& origin = effective.origins.at(key.name);
      EXPECT_EQ(origin.layer, Origin::Layer::preset) << preset.name << " " << key.name;
      EXPECT_EQ(origin.where, preset.name);
      EXPECT_NE(origin.source.find("microarchitecture.md"), std::string::npos)
          << preset.name << " " << key.name << ": " << origin.source;
    }
  }
}

TEST(Preset, CarriedAndAssumedNumbersSaySo) {
  const auto source = [](const char* preset, const char* key) { return load(preset, {}).origins.at(key).source; };
  for (const char* preset : {"cayman", "mariana", "mariana_plus", "maverick"}) {
    for (const char* key : {"timing.dve.issue_gap", "timing.dve.fill_drain"}) {
      EXPECT_EQ(source(preset, key).rfind("carried from trn1", 0), 0u) << preset << " " << key;
    }
  }
  EXPECT_EQ(source("maverick", "timing.dve.clock_mhz").rfind("assumed", 0), 0u);
  EXPECT_EQ(source("mariana_plus", "timing.dve.clock_mhz").rfind("assumed: as mariana", 0), 0u);
  EXPECT_EQ(source("cayman", "timing.dve.clock_mhz").rfind("documented", 0), 0u);
}

TEST(Preset, CaymanIsTheDefaultAndEqualsADefaultConstructedConfig) {
  EXPECT_EQ(values(load("", {}).config), values(Config{}));
  EXPECT_EQ(values(load("cayman", {}).config), values(Config{}));
  EXPECT_EQ(load("", {}).name, "cayman");
}

TEST(Preset, DefaultsAreThoseOfTheInterface) {
  const Config config = load("", {}).config;
  EXPECT_EQ(config.abstraction, Abstraction::lt);
  EXPECT_TRUE(config.dmi);
  EXPECT_EQ(config.host_step_ns, 0);
  EXPECT_EQ(config.seq.build, SeqBuild::debug);
  EXPECT_EQ(config.seq.legality, Legality::strict);
  EXPECT_EQ(config.seq.fp_status, FpStatus::report);
  EXPECT_EQ(config.seq.dve_block_id, 0u);
  // A switch starts at the first value its key lists.
  for (const Key& key : keys()) {
    if (key.name.rfind("numerics.", 0) == 0 && key.domain.type == Type::choice) {
      EXPECT_EQ(to_string(key.get(config)), key.domain.choices.front()) << key.name;
    }
  }
}

TEST(Preset, DirectoryCanBeChosenByTheEnvironment) {
  const test::Scratch scratch;
  scratch.write("generations/cayman.json",
                R"({"schema":1,"name":"mine","generation":"cayman","timing":{"dve":{"min_ii":58}}})");
  const test::ConfigDir chosen(scratch.path(""));
  EXPECT_EQ(directory(), scratch.path(""));
  EXPECT_EQ(load("cayman", {}).config.timing.min_ii.value, 58u);
  test::expect_contains(test::error_of("sunda", {}), {"generations/sunda.json", "no such file"});
}

TEST(Preset, DirectoryIsFoundWithoutTheEnvironment) {
  EXPECT_TRUE(std::filesystem::is_regular_file(directory() + "/generations/cayman.json")) << directory();
}

TEST(Preset, MustBeForItsOwnGenerationAndStandAlone) {
  const test::Scratch scratch;
  const test::ConfigDir chosen(scratch.path(""));
  for (const char* text : {R"({"schema":1,"generation":"sunda"})", R"({"schema":1})"}) {
    scratch.write("generations/cayman.json", text);
    test::expect_contains(test::error_of("cayman", {}), {"cayman.json", "generation", "expected cayman"});
  }
  scratch.write("generations/cayman.json", R"({"schema":1,"generation":"cayman","base":"sunda"})");
  test::expect_contains(test::error_of("cayman", {}), {"cayman.json", "base = sunda", "no base in a preset"});
}

}  // namespace
}  // namespace dve::config
