#include "core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "channels.h"
#include "fp_status.h"
#include "tensor_operation.h"

namespace dve::execute {
namespace {

using isa::Opcode;
using numerics::float_from_bits;

bool is_statistics(Opcode opcode) {
  return opcode == Opcode::batch_norm_stats || opcode == Opcode::batch_norm_stats2 ||
         opcode == Opcode::transpose_batch_norm_stats2;
}

ParamRamWrite param_ram_write(const Plan& plan) {
  ParamRamWrite write;
  write.first_entry = *plan.param_ram_first_entry;
  const auto word = isa::decode_as<isa::CtrlIm>(plan.word);
  std::transform(word.immediate.begin(), word.immediate.end(), write.values.begin(), float_from_bits);
  return write;
}

}  // namespace

Core::Core(const CoreConfig& config) : config_(config) {}

std::uint32_t Core::flop_of(const Access& access, std::uint32_t channel) const {
  return config_.switches.flop_index == numerics::FlopIndex::lane ? channel
                                                                  : isa::number(access.start.partition) + channel;
}

std::vector<numerics::LaneParameters> Core::lanes_of(const Plan& plan) const {
  const auto first = lanes_.begin() + flop_of(plan.sources[0], 0);
  return {first, first + plan.sources[0].channels};
}

Core::LaneSet Core::lane_set(std::uint32_t first, std::uint32_t count) {
  return (~LaneSet() >> (isa::kPartitions - count)) << first;
}

// Parameter-RAM entries that the word reads, ascending.
std::vector<int> Core::table_entries(const Plan& plan) const {
  std::set<int> entries;
  if (is_statistics(plan.opcode)) {
    const bool two_halves = plan.opcode != Opcode::batch_norm_stats;
    for (std::uint64_t k : numerics::stats_table_counts(plan.sources[0].elements.value, two_halves, config_.switches))
      entries.insert(numerics::table_entry(k, config_.switches.param_ram_index));
  }
  if (plan.opcode == Opcode::batch_norm_back_prop) {
    for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
      const float n = lanes_[flop_of(plan.sources[0], c)].element_count;
      if (numerics::back_propagate_reads_table(n, config_.switches))
        entries.insert(numerics::table_entry(static_cast<std::uint64_t>(n), config_.switches.param_ram_index));
    }
  }
  return {entries.begin(), entries.end()};
}

std::vector<isa::Finding> Core::state_findings(const Plan& plan) const {
  if (plan.opcode == Opcode::batch_norm_back_prop) return back_prop_findings(plan);
  if (plan.opcode != Opcode::activate) return {};
  const isa::ActivationFunc function = isa::decode_as<isa::S3D3Ac>(plan.word).activation_func;
  const auto set = isa::table_set_of(function);
  if (!set || set == resident_set_) return {};
  return {{"act_table_missing", "activation_func", 35, isa::code(function),
           fmt::format("a function of the resident set, {}; {} needs activation_table_load set_index={}",
                       resident_set_ ? fmt::format("{}", *resident_set_) : std::string("none"), isa::name(function),
                       *set)}};
}

std::vector<isa::Finding> Core::back_prop_findings(const Plan& plan) const {
  std::vector<isa::Finding> findings;
  const bool needs_inv_std = config_.switches.backprop_form == numerics::BackpropForm::textbook &&
                             config_.switches.src0_is == numerics::Src0Is::ofmap;
  const LaneSet used = lane_set(flop_of(plan.sources[0], 0), plan.sources[0].channels);
  const auto missing = [&](const LaneSet& present, const char* predicate, const char* expected) {
    if ((used & ~present).none()) return false;
    for (std::uint32_t c = 0; c < plan.sources[0].channels; ++c) {
      const std::uint32_t flop = flop_of(plan.sources[0], c);
      if (present[flop]) continue;
      findings.push_back({predicate, "lane", plan.resolved_operands[0].byte, flop, expected});
      return true;
    }
    return false;
  };
  if (!missing(loaded_, "param_load_missing", "a lane whose parameters a ParamLoad has staged"))
    missing(last_param_load_, "param_load_coverage", "a lane that the last ParamLoad has staged");
  if (needs_inv_std)
    missing(inv_std_seen_, "grad_accumulate_missing", "a lane whose inverse standard deviation a GradAccum has read");
  return findings;
}

Outcome Core::compute(const Plan& plan, const Inputs& inputs, const kernels::ResultRows& destination,
                      const numerics::ParamTable& table) {
  Outcome outcome;
  Work work{destination, outcome};
  switch (plan.opcode) {
    case Opcode::batch_norm_stats:
    case Opcode::batch_norm_stats2:
    case Opcode::transpose_batch_norm_stats2:
      statistics(plan, inputs, table, work);
      break;
    case Opcode::batch_norm_aggregate:
      aggregate(plan, inputs, work);
      break;
    case Opcode::batch_norm_grad_accumulate:
    case Opcode::batch_norm_grad_accumulate2:
      grad_accumulate(plan, inputs, work);
      break;
    case Opcode::batch_norm_param_load:
      param_load(plan, inputs);
      break;
    case Opcode::batch_norm_param_load2:
      param_load2(plan, inputs);
      break;
    case Opcode::batch_norm_back_prop:
      back_prop(plan, inputs, table, work);
      break;
    case Opcode::load_parameter_ram:
      outcome.param_ram = param_ram_write(plan);
      break;
    case Opcode::activate:
      activate(plan, inputs, work);
      break;
    case Opcode::activation_table_load:
      resident_set_ = isa::decode_as<isa::CtrlTable>(plan.word).set_index;
      break;
    case Opcode::activation_read_accumulator:
      read_accumulator(plan, work);
      break;
    default:
      tensor_operation(plan, inputs, config_.switches, work);
      break;
  }
  if (plan.destination && outcome.faults.empty() && !work.status_known)
    outcome.fp_status = fp_status(plan, inputs, accumulators_, destination, config_.switches);
  return outcome;
}

}  // namespace dve::execute
