#include "keys.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "key_makers.h"
#include "memory_keys.h"

namespace dve::config {
namespace {

Names<isa::Generation> generation_names() {
  Names<isa::Generation> names;
  for (const isa::Generation g : isa::kGenerations) names.emplace_back(isa::to_string(g), g);
  return names;
}

void add_run_keys(std::vector<Key>& all) {
  const Names<isa::Space> spaces = {{"sbuf", isa::Space::sbuf}, {"psum", isa::Space::psum}};
  all.push_back(choice<isa::Generation>(
      "generation", DVE_FIELD(generation), generation_names(),
      "Chip generation: selects the preset underneath, the memory geometry and the legality rules.", "project choice"));
  all.push_back(choice<Abstraction>(
      "abstraction", DVE_FIELD(abstraction),
      {{"functional", Abstraction::functional}, {"lt", Abstraction::lt}, {"at", Abstraction::at}},
      "Level of timing: none, loosely timed, or approximately timed (beat by beat, to the same cycles).",
      "project choice"));
  all.push_back(boolean("dmi", DVE_FIELD(dmi),
                        "Memories grant direct access to their storage; data and statistics do not depend on it.",
                        "project choice"));
  all.push_back(number("quantum_ns", DVE_FIELD(quantum_ns), 0, kLongestNs, "ns",
                       "Longest time an engine runs ahead of the simulation; results do not depend on it.",
                       "project choice"));
  all.push_back(integer("poison_seed", DVE_FIELD(poison_seed), 0, std::numeric_limits<std::uint64_t>::max(), "",
                        "Seed of the noise that memory holds before it is written.", "project choice"));
  all.push_back(number("host_step_ns", DVE_FIELD(host_step_ns), 0, kLongestNs, "ns",
                       "Time the host takes for one step in the middle of a program.", "interfaces.md 2"));
  const Names<TensorPlace> places = {
      {"sbuf", TensorPlace::sbuf}, {"psum", TensorPlace::psum}, {"hbm", TensorPlace::hbm}};
  all.push_back(choice<TensorPlace>("place.x", DVE_FIELD(place.x), places,
                                    "Memory of the input x; hbm: DMA moves its tiles.", "project choice"));
  all.push_back(choice<TensorPlace>("place.dy", DVE_FIELD(place.dy), places,
                                    "Memory of the gradient dy; hbm: DMA moves its tiles.", "project choice"));
  all.push_back(choice<TensorPlace>("place.dx", DVE_FIELD(place.dx), places,
                                    "Memory of the result dx; hbm: DMA moves its tiles.", "project choice"));
  all.push_back(
      choice<isa::Space>("place.y", DVE_FIELD(place.y), spaces, "Memory of the forward result y.", "project choice"));
  all.push_back(choice<isa::Space>("place.sums", DVE_FIELD(place.sums), spaces,
                                   "Memory of the sums that GradAccum writes.", "project choice"));
  all.push_back(choice<DveEngine>(
      "dve.engine", DVE_FIELD(dve.engine), {{"model", DveEngine::model}, {"rtl", DveEngine::rtl}},
      "Who computes GradAccum and BackProp: the model, or the lanes in RTL in lock-step with it.", "design.md 1"));
  all.push_back(choice<RtlStalls>("dve.rtl_stalls", DVE_FIELD(dve.rtl_stalls),
                                  {{"never", RtlStalls::never},
                                   {"light", RtlStalls::light},
                                   {"half", RtlStalls::half},
                                   {"heavy", RtlStalls::heavy}},
                                  "How often the ends of the RTL's hand-shakes hold them up, at random.",
                                  "project choice"));
  all.push_back(integer("dve.rtl_seed", DVE_FIELD(dve.rtl_seed), 0, std::numeric_limits<std::uint32_t>::max(), "",
                        "Seed of the RTL's stalls and of its registers' contents before reset.", "project choice"));
  all.push_back(choice<SeqBuild>(
      "seq.build", DVE_FIELD(seq.build), {{"debug", SeqBuild::debug}, {"perf", SeqBuild::perf}},
      "Firmware build: debug logs and runs every batch-norm opcode, perf faults on some.", "design.md 3"));
  all.push_back(choice<Legality>(
      "seq.legality", DVE_FIELD(seq.legality), {{"strict", Legality::strict}, {"relaxed", Legality::relaxed}},
      "What a word that breaks a legality rule does: fault, or warn and execute.", "design.md 3"));
  all.push_back(choice<FpStatus>(
      "seq.fp_status", DVE_FIELD(seq.fp_status), {{"report", FpStatus::report}, {"firmware", FpStatus::firmware}},
      "Floating-point exceptions of a word: warnings, or, several at once, a fault as in the firmware.",
      "isa.md 15.1"));
  all.push_back(integer("seq.dve_block_id", DVE_FIELD(seq.dve_block_id), 0, 15, "",
                        "Block id of the DVE in fault records.", "unknown (isa.md 15.1)"));
}

void add_numerics_keys(std::vector<Key>& all) {
  using namespace numerics;
  all.push_back(choice<DstOrder>("numerics.dst_order", DVE_FIELD(numerics.dst_order),
                                 {{"documented", DstOrder::documented}, {"interpreter", DstOrder::interpreter}},
                                 "Order of GradAccum's sums: d_beta, d_gamma, coupling, or d_beta, coupling, d_gamma.",
                                 "isa.md 9.3"));
  all.push_back(
      choice<ProductOrder>("numerics.product_order", DVE_FIELD(numerics.product_order),
                           {{"documented", ProductOrder::documented}, {"interpreter", ProductOrder::interpreter}},
                           "Association of GradAccum's product: dy ((x - m) v), or ((x - m) dy) v.", "isa.md 9.3"));
  all.push_back(choice<BackpropForm>("numerics.backprop_form", DVE_FIELD(numerics.backprop_form),
                                     {{"staged", BackpropForm::staged}, {"textbook", BackpropForm::textbook}},
                                     "Formula that BackProp evaluates.", "isa.md 9.4 and 10"));
  all.push_back(choice<Src0Is>(
      "numerics.src0_is", DVE_FIELD(numerics.src0_is), {{"ofmap", Src0Is::ofmap}, {"x_norm", Src0Is::x_norm}},
      "What source 0 of the textbook BackProp holds: x, or x normalised already.", "isa.md 9.4 and 10"));
  all.push_back(choice<Accumulator>("numerics.accumulator", DVE_FIELD(numerics.accumulator),
                                    {{"sequential", Accumulator::sequential}, {"wide", Accumulator::wide}},
                                    "How GradAccum adds: fp32 in element order, or exactly with one rounding.",
                                    "project choice; the order is unknown (isa-open-questions.md B 10)"));
  all.push_back(choice<StatsAlgorithm>("numerics.stats_algorithm", DVE_FIELD(numerics.stats_algorithm),
                                       {{"welford", StatsAlgorithm::welford}, {"sumsq", StatsAlgorithm::sumsq}},
                                       "How Stats and Stats2 compute mean and variance.", "isa.md 9.1"));
  all.push_back(choice<ParamRamIndex>("numerics.param_ram_index", DVE_FIELD(numerics.param_ram_index),
                                      {{"i_plus_1", ParamRamIndex::i_plus_1}, {"i", ParamRamIndex::i}},
                                      "Reciprocal in Parameter-RAM entry i: 1/(i+1), or 1/i.", "isa.md 11"));
  all.push_back(choice<ParamRamOffsetUnit>("numerics.param_ram_offset_unit", DVE_FIELD(numerics.param_ram_offset_unit),
                                           {{"entry", ParamRamOffsetUnit::entry}, {"byte", ParamRamOffsetUnit::byte}},
                                           "Unit of LoadParameterRam's offset.", "isa.md 11.1"));
  all.push_back(choice<ParamLoad2ImmOrder>(
      "numerics.paramload2_imm_order", DVE_FIELD(numerics.paramload2_imm_order),
      {{"scale_mean", ParamLoad2ImmOrder::scale_mean}, {"mean_scale", ParamLoad2ImmOrder::mean_scale}},
      "Which of ParamLoad2's pointers is which: imm0 the scale and imm1 the mean, or exchanged.", "isa.md 10"));
  all.push_back(choice<NarrowOverflow>("numerics.narrow_overflow", DVE_FIELD(numerics.narrow_overflow),
                                       {{"inf", NarrowOverflow::inf}, {"saturate", NarrowOverflow::saturate}},
                                       "Result of a narrowing conversion past the largest finite value.",
                                       "isa.md 4.3"));
  all.push_back(choice<E4m3Variant>("numerics.e4m3_variant", DVE_FIELD(numerics.e4m3_variant),
                                    {{"ieee", E4m3Variant::ieee}, {"fn", E4m3Variant::fn}},
                                    "Special values of the 8-bit format with 4 exponent bits.", "isa.md 4.3"));
  all.push_back(integer("numerics.fp32r_mantissa", DVE_FIELD(numerics.fp32r_mantissa), 1, 23, "bits",
                        "Stored mantissa bits of fp32r.", "assumed; the width is unknown (isa.md 4.3)"));
  all.push_back(choice<ClrOrder>("numerics.clr_order", DVE_FIELD(numerics.clr_order),
                                 {{"ascending", ClrOrder::ascending}, {"tree", ClrOrder::tree}},
                                 "Order in which CrossLaneReduce combines partitions.", "isa-neighbours.md 8.2"));
  const Names<Contraction> contractions = {{"separate", Contraction::separate}, {"fused", Contraction::fused}};
  all.push_back(choice<Contraction>("numerics.tensor_scalar_contraction", DVE_FIELD(numerics.tensor_scalar_contraction),
                                    contractions, "Product and sum of one TensorScalar: two roundings, or one.",
                                    "isa-neighbours.md 2"));
  all.push_back(choice<Contraction>("numerics.act_affine_contraction", DVE_FIELD(numerics.act_affine_contraction),
                                    contractions, "scale x + bias of Activate: two roundings, or one.",
                                    "isa-neighbours.md 5.1"));
  all.push_back(number("numerics.act_relative_error", DVE_FIELD(numerics.act_relative_error), -0.5, 0.5, "",
                       "Relative error of the activation functions that are evaluated from a table.",
                       "unknown (isa-neighbours.md 5.3)"));
  all.push_back(choice<Divide>("numerics.divide", DVE_FIELD(numerics.divide),
                               {{"exact", Divide::exact}, {"newton", Divide::newton}},
                               "How 1/N is formed beyond the Parameter-RAM's table.", "isa.md 11"));
  all.push_back(choice<isa::ActiveChannelRule>(
      "numerics.active_channel_rule", DVE_FIELD(active_channel_rule),
      {{"quadrant", isa::ActiveChannelRule::quadrant}, {"sum128", isa::ActiveChannelRule::sum128}},
      "Start partitions that a channel count allows: quadrant bases, or any with start + count <= 128.", "isa.md 7.1"));
  all.push_back(choice<FlopIndex>("numerics.flop_index", DVE_FIELD(numerics.flop_index),
                                  {{"partition", FlopIndex::partition}, {"lane", FlopIndex::lane}},
                                  "Index of the per-lane parameters: physical partition, or lane from 0.",
                                  "isa.md 10"));
}

template <class Field>
Key clock_mhz(std::string name, Field field) {
  Key key = bare_number(std::move(name), 1, 10'000, "MHz", "Engine clock, to the nearest hertz.",
                        "documented (microarchitecture.md 2)");
  key.get = [field](const Config& config) -> Value { return static_cast<double>(field(config)) / kHertzPerMegahertz; };
  key.set = [field](Config& config, const Value& value) {
    field(config) = static_cast<std::uint64_t>(std::llround(std::get<double>(value) * kHertzPerMegahertz));
  };
  return key;
}

// What each engine has for itself: timing.<engine>.*.
template <class Field>
void add_engine_timing_keys(std::vector<Key>& all, const std::string& engine, Field field) {
  const std::string equations = "microarchitecture.md 8";
  const std::string prefix = "timing." + engine + ".";
  const auto of = [field](auto member) {
    return [ field, member ](auto& config) -> auto& { return field(config).*member; };
  };
  const auto cycles_of = [field](auto member) {
    return [ field, member ](auto& config) -> auto& { return (field(config).*member).value; };
  };
  using timing::Parameters;
  all.push_back(clock_mhz(prefix + "clock_mhz", of(&Parameters::clock_hz)));
  all.push_back(cycles(prefix + "min_ii", cycles_of(&Parameters::min_ii),
                       "U, shortest distance between the starts of two words.", equations));
  all.push_back(cycles(prefix + "issue_gap", cycles_of(&Parameters::issue_gap),
                       "g, added to the streaming time of words that stream at least U cycles.", equations));
  all.push_back(cycles(prefix + "fill_drain", cycles_of(&Parameters::fill_drain),
                       "L, cycles from start to completion beyond the streaming time.", equations));
  Key two_sources = number(prefix + "two_source_cycles", of(&Parameters::two_source_cycles), 0.5, 2, "cycles",
                           "c, cycles per element of words with two SBUF sources.", equations);
  two_sources.domain.choices = {"2", "1", "0.5"};
  all.push_back(std::move(two_sources));
  all.push_back(boolean(prefix + "stride_penalty", of(&Parameters::stride_penalty),
                        "An innermost stride over 16 bytes doubles an operand's element time.",
                        "documented for trn1 (microarchitecture.md 3.1)"));
  all.push_back(
      integer(prefix + "lanes", of(&Parameters::lanes), 1, isa::kPartitions, "lanes",
              "Channels that stream at a time: a word with more streams ceil(channels / lanes) times as long.",
              "documented for the DVE of trn1, trn2 and trn3 (microarchitecture.md 2)"));
}

void add_timing_keys(std::vector<Key>& all) {
  using timing::SameEngineRaw;
  const std::string equations = "microarchitecture.md 8";
  add_engine_timing_keys(all, "dve", DVE_FIELD(timing));
  add_engine_timing_keys(all, "pool", DVE_FIELD(pool_timing));
  add_engine_timing_keys(all, "act", DVE_FIELD(act_timing));
  all.push_back(number("timing.act.table_load_ns", DVE_FIELD(act_timing.table_load_ns), 0, kLongestNs, "ns",
                       "Streaming time of ActivationTableLoad.", "microarchitecture.md 9, V13"));
  all.push_back(choice<SameEngineRaw>("timing.same_engine_raw", DVE_FIELD(timing.same_engine_raw),
                                      {{"interlock", SameEngineRaw::interlock}, {"none", SameEngineRaw::none}},
                                      "A word that touches what an earlier word of its engine writes: waits, or not.",
                                      equations));
  all.push_back(number("timing.sem_ns", DVE_FIELD(timing.sem_ns), 0, kLongestNs, "ns",
                       "t_sem, from a completion until a word that depends on it may start.",
                       "microarchitecture.md 6.2"));
  all.push_back(cycles("timing.event_issue_cycles", DVE_FIELD(timing.event_issue_cycles.value),
                       "Time of a control word in the sequencer.", "microarchitecture.md 6.2"));
  all.push_back(cycles("timing.fetch_cycles", DVE_FIELD(timing.fetch_cycles.value),
                       "Start of the first word; the fetch of later words overlaps.", equations));
}

void add_dma_keys(std::vector<Key>& all) {
  constexpr double kSlowest = 0.001, kFastest = 1e6;  // bytes/ns
  constexpr std::uint64_t kLongestTile = 65535;       // what dimension 0 of a descriptor counts
  const std::string table = "microarchitecture.md 5";
  all.push_back(number("dma.start_ns", DVE_FIELD(dma.start_ns), 0, kLongestNs, "ns",
                       "From the moment a transfer's waits hold until its data stream.", table));
  all.push_back(number("dma.engine_bytes_per_ns", DVE_FIELD(dma.engine_bytes_per_ns), kSlowest, kFastest, "bytes/ns",
                       "Rate that one of the 16 DMA engines of a core achieves.", table));
  all.push_back(number("dma.hbm_bytes_per_ns", DVE_FIELD(dma.hbm_bytes_per_ns), kSlowest, kFastest, "bytes/ns",
                       "HBM bandwidth of a core: its share of the chip's; an engine gets at most a sixteenth.", table));
  all.push_back(integer("dma.load_engines", DVE_FIELD(dma.load_engines), 1, 15, "engines",
                        "DMA engines that load tiles, from engine 0 on; the rest of the 16 store results.",
                        "project choice"));
  all.push_back(integer("dma.tile_elements", DVE_FIELD(dma.tile_elements), 0, kLongestTile, "elements",
                        "Longest tile of a tensor in HBM; 0: the longest of which two fit for each tensor.",
                        "project choice"));
}

std::vector<Key> make_keys() {
  std::vector<Key> all;
  add_run_keys(all);
  add_numerics_keys(all);
  add_timing_keys(all);
  add_dma_keys(all);
  add_memory_keys(all);
  return all;
}

}  // namespace

const std::vector<Key>& keys() {
  static const std::vector<Key> all = make_keys();
  return all;
}

const Key* find_key(std::string_view name) {
  const auto it = std::find_if(keys().begin(), keys().end(), [name](const Key& key) { return key.name == name; });
  return it == keys().end() ? nullptr : &*it;
}

}  // namespace dve::config
