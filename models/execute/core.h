// Execution of batch-norm words on the 128 lanes of the DVE.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "dve/isa/isa.h"
#include "dve/numerics/numerics.h"

namespace dve::execute {

// The sequencer's general registers (isa.md 5.3): reset 0.
using Registers = std::array<std::uint32_t, isa::kRegisters>;

// Longest stream the model executes in one word, elements per partition. A limit of the model, four times the
// documented free-size limit of 64 Ki elements (microarchitecture.md 3): stride-0 patterns could otherwise ask for
// 2^48.
inline constexpr isa::Elements kMaxStream{262144};

struct CoreConfig {
  isa::LegalityOptions legality;
  numerics::Switches switches;
};

// One operand with its address resolved: what to read or write. Data is packed channel-major: channel c's elements in
// stream order, then channel c+1's.
struct Access {
  isa::OperandRole role = isa::OperandRole::src0;
  isa::Place start;  // first channel's partition and the byte offset in each partition
  isa::AccessPattern pattern;
  isa::Dtype dtype = isa::Dtype::fp32;
  std::uint32_t channels = 0;
  isa::Elements elements{};  // per channel; for the destination: the results the word produces
  isa::Bytes packed_bytes() const { return isa::Bytes(elements.value * channels * isa::storage_size(dtype).value); }
};

// What a word needs from and gives to its surroundings.
struct Plan {
  isa::Word word;
  isa::Opcode opcode{};
  std::vector<Access> sources;  // src0, src1, imm0, imm1 in this order, those the word has
  std::optional<Access> destination;
  std::vector<int> param_entries;                      // Parameter-RAM entries whose contents the word uses
  std::optional<std::uint32_t> param_ram_first_entry;  // LoadParameterRam: first of the eight entries it writes
  std::vector<isa::Operand> resolved_operands;         // operands(word) with register addresses replaced: for timing
};

// Eight entries for the Parameter-RAM (isa.md 11.1).
struct ParamRamWrite {
  std::uint32_t first_entry = 0;
  std::array<float, 8> values{};
};

// Result of a word. `destination` is packed like Access; empty for ParamLoad and LoadParameterRam.
struct Result {
  std::vector<std::uint8_t> destination;
  std::optional<ParamRamWrite> param_ram;
};

// Lane state and arithmetic. Findings are model conditions with the names used in fault records:
//   strict   the caller runs isa::check() before plan() and stops on any finding;
//   relaxed  the caller warns and goes on. plan() then refuses only what has no meaning at all.
class Core {
 public:
  explicit Core(const CoreConfig& config);

  // Resolves the word's operands with the given registers. On a finding the word has no meaning and no plan:
  //   unknown_opcode           no batch-norm layout
  //   operand_address          an address, or a register's value, in neither memory; partitions past 127; no channels
  //   operand_extent           a pattern that leaves the active bytes of its partition
  //   operand_dtype            a dtype without arithmetic meaning
  //   operand_count            too few coefficients for ParamLoad; TransposeStats2 off its 32 x 32 blocks
  //   indirect_operand         gather/scatter or shape-from-register forms, which the model does not execute
  //   stream_length_limit      more than kMaxStream elements
  //   param_ram_bounds         LoadParameterRam past entry 255
  std::optional<Plan> plan(const isa::Word& word, const Registers& registers,
                           std::vector<isa::Finding>& findings) const;

  // Conditions that strict mode faults on and relaxed mode warns about:
  //   param_load_missing       BackProp on a lane whose flops no ParamLoad has filled
  //   param_load_coverage      BackProp on a lane that the last ParamLoad did not fill (isa.md 10)
  //   grad_accumulate_missing  textbook form with src0_is ofmap: BackProp on a lane without the v of a GradAccum
  std::vector<isa::Finding> state_findings(const Plan& plan) const;

  // Computes the word. `inputs[i]` holds plan.sources[i] packed; `table` the Parameter-RAM (used when
  // plan.param_entries is not empty). Updates the lane flops.
  Result compute(const Plan& plan, const std::vector<std::vector<std::uint8_t>>& inputs,
                 const numerics::ParamTable& table);

  // Flops of a lane, for debuggers and tests.
  const numerics::LaneParameters& lane(std::uint32_t index) const { return lanes_[index]; }
  bool lane_loaded(std::uint32_t index) const { return loaded_[index]; }

 private:
  using Inputs = std::vector<std::vector<std::uint8_t>>;

  std::uint32_t flop_of(const Access& access, std::uint32_t channel) const;
  std::vector<int> table_entries(const Plan& plan) const;
  void statistics(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Result& result);
  void aggregate(const Plan& plan, const Inputs& inputs, Result& result);
  void grad_accumulate(const Plan& plan, const Inputs& inputs, Result& result);
  void back_prop(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Result& result);
  void param_load(const Plan& plan, const Inputs& inputs);
  void param_load2(const Plan& plan, const Inputs& inputs);
  void stage(const Plan& plan, std::uint32_t channel, float element_count, float mean, float a, float b, float c);

  CoreConfig config_;
  std::array<numerics::LaneParameters, isa::kPartitions> lanes_{};
  std::bitset<isa::kPartitions> loaded_;           // filled by a ParamLoad
  std::bitset<isa::kPartitions> last_param_load_;  // filled by the last one
  std::bitset<isa::kPartitions> inv_std_seen_;     // v of a GradAccum present
};

}  // namespace dve::execute
