// Execution of words on the 128 lanes of an engine.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "dve/isa/isa.h"
#include "dve/kernels/kernels.h"
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

// IEEE exception flags of a word's results, in the order of the Xtensa FP status register (isa.md 15.1 gives the values
// 1 to 16 without names: assumption).
struct FpStatus {
  static constexpr std::uint8_t kOverflow = 4, kDivideByZero = 8, kInvalid = 16;
  std::uint8_t bits = 0;
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
  // src0, src1, imm0, imm1, imm2 in this order, those the word reads from memory; predicated words read their
  // destination last (role dst), to keep the elements they do not write.
  std::vector<Access> sources;
  std::optional<Access> destination;
  std::vector<int> param_entries;                      // Parameter-RAM entries whose contents the word uses
  std::optional<std::uint32_t> param_ram_first_entry;  // LoadParameterRam: first of the eight entries it writes
  std::vector<isa::Operand> resolved_operands;         // operands(word) with register addresses replaced: for timing
  // Results may be written to their place while the sources are being read: a word with a kernel, whose destination is
  // contiguous and shares no byte with a source, but that dx may stand where a source of BackProp of its dtype stands.
  bool in_place = false;
  // The same word with other registers or in another lane state has the same plan.
  bool pure = false;
};

// Eight entries for the Parameter-RAM (isa.md 11.1).
struct ParamRamWrite {
  std::uint32_t first_entry = 0;
  std::array<float, 8> values{};
};

// What a word's execution amounts to, besides the data.
struct Outcome {
  std::optional<ParamRamWrite> param_ram;
  FpStatus fp_status;
  // integer_divide_by_zero: nothing is to be written (isa.md 15.1)
  std::vector<isa::Finding> faults;
};

// The sources of a word: those of plan.sources, in host memory.
using Inputs = std::vector<kernels::Rows>;

// The same packed: bytes of plan.sources[i]; and the packed destination, empty for words without one.
using PackedInputs = std::vector<std::vector<std::uint8_t>>;
struct Result : Outcome {
  std::vector<std::uint8_t> destination;
};

struct Work;

// Lane state and arithmetic of one engine: DVE, POOL or ACT, which differ in the words that reach them. Findings are
// model conditions with the names used in fault records:
//   strict   the caller runs isa::check() before plan() and stops on any finding;
//   relaxed  the caller warns and goes on. plan() then refuses only what has no meaning at all.
class Core {
 public:
  explicit Core(const CoreConfig& config);

  // Resolves the word's operands with the given registers. On a finding the word has no meaning and no plan:
  //   unknown_opcode           no layout, or a word that the sequencer executes itself
  //   operand_address          an address, or a register's value, in neither memory; partitions past 127; no channels
  //   operand_extent           a pattern that leaves the active bytes of its partition
  //   operand_dtype            a dtype without arithmetic meaning
  //   operand_count            too few coefficients for ParamLoad; TransposeStats2 off its 32 x 32 blocks
  //   operand_source           an immediate whose source code means nothing
  //   unsupported_operation    an ALU operation, reduce operation, function or accumulator command that the model has
  //   no
  //                            definition for, or not for these dtypes
  //   indirect_operand         gather/scatter or shape-from-register forms, which the model does not execute
  //   stream_length_limit      more than kMaxStream elements
  //   param_ram_bounds         LoadParameterRam past entry 255
  std::optional<Plan> plan(const isa::Word& word, const Registers& registers,
                           std::vector<isa::Finding>& findings) const;

  // Conditions that strict mode faults on and relaxed mode warns about:
  //   param_load_missing       BackProp on a lane whose flops no ParamLoad has filled
  //   param_load_coverage      BackProp on a lane that the last ParamLoad did not fill (isa.md 10)
  //   grad_accumulate_missing  textbook form with src0_is ofmap: BackProp on a lane without the v of a GradAccum
  //   act_table_missing        Activate of a function whose table set is not the resident one (isa-neighbours.md 5.3)
  std::vector<isa::Finding> state_findings(const Plan& plan) const;

  // Computes the word. `destination`: where the results go, each channel's one after the other, in the dtype of
  // plan.destination; it shares memory with an input only where plan.in_place allows it. `table`: the Parameter-RAM
  // (used when plan.param_entries is not empty). Updates the lane flops, the accumulators and the resident set.
  Outcome compute(const Plan& plan, const Inputs& inputs, const kernels::ResultRows& destination,
                  const numerics::ParamTable& table);
  // The same for data that is packed.
  Result compute(const Plan& plan, const PackedInputs& inputs, const numerics::ParamTable& table);

  // Lane of a channel of a source; those of the channels after it follow.
  std::uint32_t flop_of(const Access& access, std::uint32_t channel) const;

  // State of a lane, for debuggers and tests.
  const numerics::LaneParameters& lane(std::uint32_t index) const { return lanes_[index]; }
  // The lanes that serve the channels of the word's first source, one a channel.
  std::vector<numerics::LaneParameters> lanes_of(const Plan& plan) const;
  bool lane_loaded(std::uint32_t index) const { return loaded_[index]; }
  float accumulator(std::uint32_t index) const { return accumulators_[index]; }
  std::optional<std::uint8_t> resident_set() const { return resident_set_; }

 private:
  using LaneSet = std::bitset<isa::kPartitions>;
  static LaneSet lane_set(std::uint32_t first, std::uint32_t count);
  std::vector<int> table_entries(const Plan& plan) const;
  std::vector<isa::Finding> back_prop_findings(const Plan& plan) const;

  // DVE: batch norm (batch_norm.cpp)
  void statistics(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Work& work);
  void stats2(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Work& work);
  void aggregate(const Plan& plan, const Inputs& inputs, Work& work);
  void grad_accumulate(const Plan& plan, const Inputs& inputs, Work& work);
  void back_prop(const Plan& plan, const Inputs& inputs, const numerics::ParamTable& table, Work& work);
  void param_load(const Plan& plan, const Inputs& inputs);
  void param_load2(const Plan& plan, const Inputs& inputs);
  using ChannelValues = std::array<float, isa::kPartitions>;
  void stage(const Access& source, float element_count, const ChannelValues& mean, const ChannelValues& a,
             const ChannelValues& b, const ChannelValues& c);
  // ACT (activation.cpp)
  void activate(const Plan& plan, const Inputs& inputs, Work& work);
  void read_accumulator(const Plan& plan, Work& work);

  CoreConfig config_;
  // DVE flops
  std::array<numerics::LaneParameters, isa::kPartitions> lanes_{};
  LaneSet loaded_;           // filled by a ParamLoad
  LaneSet last_param_load_;  // filled by the last one
  LaneSet inv_std_seen_;     // v of a GradAccum present
  // ACT: one accumulator a lane (isa-neighbours.md 5.4), reset 0: that of the source's partition in Activate, of the
  // destination's in ActivationReadAccumulator (assumption); the set of functions that is loaded, none at reset
  std::array<float, isa::kPartitions> accumulators_{};
  std::optional<std::uint8_t> resident_set_;
};

}  // namespace dve::execute
