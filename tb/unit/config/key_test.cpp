#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "scratch.h"

namespace dve::config {
namespace {

using test::values;

// interfaces.md 4, without the keys that have no effect yet, and the keys of what its list does not know.
const std::set<std::string> kRunKeys = {
    "generation",    "abstraction",      "dmi",          "quantum_ns", "poison_seed",    "place.x",
    "place.dy",      "place.dx",         "place.y",      "place.sums", "seq.build",      "seq.legality",
    "seq.fp_status", "seq.dve_block_id", "host_step_ns", "dve.engine", "dve.rtl_stalls", "dve.rtl_seed"};
const std::set<std::string> kNumericsKeys = {"dst_order",
                                             "product_order",
                                             "backprop_form",
                                             "src0_is",
                                             "accumulator",
                                             "stats_algorithm",
                                             "param_ram_index",
                                             "param_ram_offset_unit",
                                             "paramload2_imm_order",
                                             "narrow_overflow",
                                             "e4m3_variant",
                                             "fp32r_mantissa",
                                             "divide",
                                             "active_channel_rule",
                                             "flop_index",
                                             "clr_order",
                                             "tensor_scalar_contraction",
                                             "act_affine_contraction",
                                             "act_relative_error"};
const std::set<std::string> kEngineKeys = {"clock_mhz",         "min_ii",         "issue_gap", "fill_drain",
                                           "two_source_cycles", "stride_penalty", "lanes"};
const std::set<std::string> kTimingKeys = {"same_engine_raw", "sem_ns", "event_issue_cycles", "fetch_cycles",
                                           "act.table_load_ns"};

const std::set<std::string> kDmaKeys = {"start_ns", "engine_bytes_per_ns", "hbm_bytes_per_ns", "load_engines",
                                        "tile_elements"};

const std::set<std::string> kMemoryKeys = {"clock_mhz",       "port_bytes", "buffer_beats", "sbuf_bank_bytes",
                                           "psum_bank_bytes", "tdm",        "tdm_slots",    "tdm_dma_slots",
                                           "sbuf_shared",     "psum_shared"};
const std::set<std::string> kTurnKeys = {"priority", "weight"};
const std::set<std::string> kThrottleKeys = {"read_window", "read_beats", "write_window", "write_beats"};

std::set<std::string> interface_keys() {
  std::set<std::string> all = kRunKeys;
  const auto add = [&all](const std::string& prefix, const std::set<std::string>& names) {
    for (const std::string& name : names) all.insert(prefix + name);
  };
  add("numerics.", kNumericsKeys);
  add("timing.", kTimingKeys);
  add("dma.", kDmaKeys);
  add("memory.", kMemoryKeys);
  for (const char* user : {"dve", "pool", "act", "pe", "pe0", "pe1", "pe2", "pe3", "pe4", "dma"})
    add(std::string("memory.") + user + ".", kTurnKeys);
  for (const char* user : {"dve", "pool", "act", "dma"}) add(std::string("memory.") + user + ".", kThrottleKeys);
  for (const char* engine : {"dve", "pool", "act"}) add(std::string("timing.") + engine + ".", kEngineKeys);
  return all;
}

TEST(Key, TableHoldsExactlyTheInterfacesKeysOnce) {
  std::set<std::string> names;
  for (const Key& key : keys()) EXPECT_TRUE(names.insert(key.name).second) << key.name << " twice";
  EXPECT_EQ(names, interface_keys());
}

TEST(Key, EachIsDescribed) {
  for (const Key& key : keys()) {
    EXPECT_GT(key.help.size(), 10u) << key.name;
    EXPECT_EQ(key.help.back(), '.') << key.name;
    EXPECT_FALSE(key.source.empty()) << key.name;
    EXPECT_EQ(find_key(key.name), &key);
    EXPECT_TRUE(key.domain.contains(key.get(Config{}))) << key.name << ": default outside its domain";
  }
  EXPECT_EQ(find_key("timing"), nullptr);
}

// Texts at the ends of the key's range, or all of its choices.
std::vector<std::string> allowed_texts(const Domain& domain) {
  if (!domain.choices.empty()) return domain.choices;
  switch (domain.type) {
    case Type::boolean:
      return {"true", "false"};
    case Type::integer:
      return {to_string(domain.integer_min), to_string(domain.integer_max)};
    default:
      return {to_string(domain.number_min), to_string(domain.number_max)};
  }
}

// What some values need beside them: a throttle's window a number of beats, slots of DMA a wheel of more.
std::map<std::string, std::string> companions(const std::string& key) {
  const std::size_t window = key.find("_window");
  if (window != std::string::npos) return {{key.substr(0, window) + "_beats", "1"}};
  if (key == "memory.tdm_dma_slots") return {{"memory.tdm_slots", "64"}};
  return {};
}

TEST(Key, EachAllowedValueIsTakenAndChangesThisKeyOnly) {
  for (const Key& key : keys()) {
    if (key.name == "generation") continue;  // moves the preset as well: tested with the layers
    for (const std::string& text : allowed_texts(key.domain)) {
      SCOPED_TRACE(key.name + "=" + text);
      std::vector<std::string> sets = {key.name + "=" + text};
      auto expected = values(Config{});
      for (const auto& [name, value] : companions(key.name)) {
        sets.push_back(name + "=" + value);
        expected[name] = value;
      }
      const Effective effective = load("cayman", sets);
      expected[key.name] = text;
      EXPECT_EQ(values(effective.config), expected);
      EXPECT_EQ(effective.origins.at(key.name).layer, Origin::Layer::set);
    }
  }
}

TEST(Key, ChoicesReachTheField) {
  const auto config = [](const std::string& set) { return load("cayman", {set}).config; };
  EXPECT_EQ(config("generation=maverick").generation, isa::Generation::maverick);
  EXPECT_EQ(config("abstraction=functional").abstraction, Abstraction::functional);
  EXPECT_FALSE(config("dmi=false").dmi);
  EXPECT_EQ(config("quantum_ns=0.5").quantum_ns, 0.5);
  EXPECT_EQ(config("poison_seed=18446744073709551615").poison_seed, ~std::uint64_t{0});
  EXPECT_EQ(config("host_step_ns=12.25").host_step_ns, 12.25);
  EXPECT_EQ(config("place.x=psum").place.x, TensorPlace::psum);
  EXPECT_EQ(config("place.dy=psum").place.dy, TensorPlace::psum);
  EXPECT_EQ(config("place.dx=psum").place.dx, TensorPlace::psum);
  EXPECT_EQ(config("place.x=hbm").place.x, TensorPlace::hbm);
  EXPECT_EQ(config("place.dy=hbm").place.dy, TensorPlace::hbm);
  EXPECT_EQ(config("place.dx=hbm").place.dx, TensorPlace::hbm);
  EXPECT_EQ(config("place.sums=psum").place.sums, isa::Space::psum);
  EXPECT_EQ(config("seq.build=perf").seq.build, SeqBuild::perf);
  EXPECT_EQ(config("seq.legality=relaxed").seq.legality, Legality::relaxed);
  using namespace numerics;
  EXPECT_EQ(config("numerics.dst_order=interpreter").numerics.dst_order, DstOrder::interpreter);
  EXPECT_EQ(config("numerics.product_order=interpreter").numerics.product_order, ProductOrder::interpreter);
  EXPECT_EQ(config("numerics.backprop_form=textbook").numerics.backprop_form, BackpropForm::textbook);
  EXPECT_EQ(config("numerics.src0_is=x_norm").numerics.src0_is, Src0Is::x_norm);
  EXPECT_EQ(config("numerics.accumulator=wide").numerics.accumulator, Accumulator::wide);
  EXPECT_EQ(config("numerics.stats_algorithm=sumsq").numerics.stats_algorithm, StatsAlgorithm::sumsq);
  EXPECT_EQ(config("numerics.param_ram_index=i").numerics.param_ram_index, ParamRamIndex::i);
  EXPECT_EQ(config("numerics.param_ram_offset_unit=byte").numerics.param_ram_offset_unit, ParamRamOffsetUnit::byte);
  EXPECT_EQ(config("numerics.paramload2_imm_order=mean_scale").numerics.paramload2_imm_order,
            ParamLoad2ImmOrder::mean_scale);
  EXPECT_EQ(config("numerics.narrow_overflow=saturate").numerics.narrow_overflow, NarrowOverflow::saturate);
  EXPECT_EQ(config("numerics.e4m3_variant=fn").numerics.e4m3_variant, E4m3Variant::fn);
  EXPECT_EQ(config("numerics.fp32r_mantissa=10").numerics.fp32r_mantissa, 10u);
  EXPECT_EQ(config("numerics.divide=newton").numerics.divide, Divide::newton);
  EXPECT_EQ(config("numerics.active_channel_rule=sum128").active_channel_rule, isa::ActiveChannelRule::sum128);
  EXPECT_EQ(config("numerics.flop_index=lane").numerics.flop_index, FlopIndex::lane);
  EXPECT_EQ(config("timing.dve.min_ii=58").timing.min_ii.value, 58u);
  EXPECT_EQ(config("timing.dve.issue_gap=75").timing.issue_gap.value, 75u);
  EXPECT_EQ(config("timing.dve.fill_drain=100").timing.fill_drain.value, 100u);
  EXPECT_EQ(config("timing.dve.two_source_cycles=0.5").timing.two_source_cycles, 0.5);
  EXPECT_FALSE(config("timing.dve.stride_penalty=false").timing.stride_penalty);
  EXPECT_EQ(config("timing.same_engine_raw=none").timing.same_engine_raw, timing::SameEngineRaw::none);
  EXPECT_EQ(config("timing.sem_ns=33.3").timing.sem_ns, 33.3);
  EXPECT_EQ(config("timing.event_issue_cycles=9").timing.event_issue_cycles.value, 9u);
  EXPECT_EQ(config("timing.fetch_cycles=7").timing.fetch_cycles.value, 7u);
  EXPECT_EQ(config("dma.start_ns=600").dma.start_ns, 600);
  EXPECT_EQ(config("dma.engine_bytes_per_ns=17.5").dma.engine_bytes_per_ns, 17.5);
  EXPECT_EQ(config("dma.hbm_bytes_per_ns=100").dma.hbm_bytes_per_ns, 100);
  EXPECT_EQ(config("dma.load_engines=12").dma.load_engines, 12u);
  EXPECT_EQ(config("dma.tile_elements=500").dma.tile_elements, 500u);
}

TEST(Key, ClockTakesFractionsOfAMegahertzToTheNearestHertz) {
  const auto hz = [](const std::string& mhz) {
    return load("cayman", {"timing.dve.clock_mhz=" + mhz}).config.timing.clock_hz;
  };
  EXPECT_EQ(hz("1120"), 1'120'000'000u);
  EXPECT_EQ(hz("1200.5"), 1'200'500'000u);
  EXPECT_EQ(hz("1399.999999"), 1'399'999'999u);
  EXPECT_EQ(hz("1000.0000004"), 1'000'000'000u);
  EXPECT_EQ(hz("1"), 1'000'000u);
}

TEST(Key, ValuesOutsideTheDomainAreRefusedByName) {
  for (const Key& key : keys()) {
    std::vector<std::string> bad = {"",
                                    " ",
                                    "yes",
                                    "nan",
                                    "-nan",
                                    "inf",
                                    "-1",
                                    "0x10",
                                    "1,5",
                                    "64 ",
                                    "+3",
                                    "1e400",
                                    "99999999999999999999999999",
                                    "null",
                                    "[]"};
    if (key.domain.type == Type::integer) bad.insert(bad.end(), {"1.5", "1e2", "true"});
    if (key.domain.type == Type::number) {
      bad.push_back(to_string(std::nextafter(key.domain.number_max, 1e300)));
      bad.push_back(to_string(std::nextafter(key.domain.number_min, -1e300)));
    }
    if (key.domain.type == Type::integer && key.domain.integer_max < std::numeric_limits<std::uint64_t>::max()) {
      bad.push_back(to_string(key.domain.integer_max + 1));
    }
    for (const std::string& text : bad) {
      if (key.name == "numerics.narrow_overflow" && text == "inf") continue;  // here the name of a choice
      SCOPED_TRACE(key.name + "=" + text);
      test::expect_contains(test::error_of("cayman", {key.name + "=" + text}),
                            {"--set: ", key.name + " = " + text, "expected " + key.domain.allowed()});
    }
  }
}

TEST(Key, OtherTwoSourceRatesAreRefused) {
  for (const char* rate : {"1.5", "0.75", "0.25", "3"}) {
    test::expect_contains(test::error_of("", {std::string("timing.dve.two_source_cycles=") + rate}),
                          {"one of 2, 1, 0.5 cycles"});
  }
}

TEST(Key, WhatWouldNeverServeSomebodyIsRefused) {
  test::expect_contains(test::error_of("", {"memory.dve.read_window=16"}),
                        {"memory.dve.read_window = 16", "memory.dve.read_beats = 0", "at least 1 beat a window"});
  test::expect_contains(test::error_of("", {"memory.dma.write_window=16"}), {"memory.dma.write_beats = 0"});
  test::expect_contains(test::error_of("", {"memory.tdm_dma_slots=8"}),
                        {"memory.tdm_dma_slots = 8", "memory.tdm_slots = 8", "one slot for each side"});
  test::expect_contains(test::error_of("", {"memory.tdm=strict", "memory.tdm_dma_slots=0"}),
                        {"one slot for each side"});
}

TEST(Key, TheMemoryClockIsTheFastestEnginesUnlessSet) {
  EXPECT_EQ(ports_of(load("cayman", {}).config).clock_hz, 1'200'000'000u);
  EXPECT_EQ(ports_of(load("sunda", {}).config).clock_hz, 1'400'000'000u);
  EXPECT_EQ(ports_of(load("cayman", {"timing.dve.clock_mhz=2000"}).config).clock_hz, 2'000'000'000u);
  EXPECT_EQ(ports_of(load("cayman", {"memory.clock_mhz=500"}).config).clock_hz, 500'000'000u);
}

TEST(Key, DmaKeysHoldForAllSixteenEngines) {
  const contention::Parameters ports = load("cayman", {"memory.dma.weight=5"}).config.ports;
  for (std::size_t k = 0; k < contention::kDmaEngines; ++k)
    EXPECT_EQ(ports.users[contention::index_of(contention::dma_engine(k))].weight, 5u);
  EXPECT_EQ(ports.users[contention::index_of(contention::User::dve)].weight, 1u);
}

TEST(Key, TheLanesInRtlAreChosenAndComputeOneForm) {
  EXPECT_EQ(load("", {}).config.dve.engine, DveEngine::model);
  const Config chosen = load("", {"dve.engine=rtl", "dve.rtl_stalls=heavy", "dve.rtl_seed=7"}).config;
  EXPECT_EQ(chosen.dve.engine, DveEngine::rtl);
  EXPECT_EQ(chosen.dve.rtl_stalls, RtlStalls::heavy);
  EXPECT_EQ(chosen.dve.rtl_seed, 7u);
  test::expect_contains(test::error_of("", {"dve.engine=verilog"}), {"dve.engine = verilog", "one of model, rtl"});
  test::expect_contains(test::error_of("", {"dve.rtl_stalls=often"}), {"one of never, light, half, heavy"});
  test::expect_contains(test::error_of("", {"dve.rtl_seed=4294967296"}), {"dve.rtl_seed", "4294967295"});
  for (const char* other : {"numerics.accumulator=wide", "numerics.backprop_form=textbook"}) {
    EXPECT_NO_THROW(load("", {other}));
    test::expect_contains(test::error_of("", {"dve.engine=rtl", other}), {"contradicts dve.engine = rtl"});
  }
}

}  // namespace
}  // namespace dve::config
