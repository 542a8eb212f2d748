// One instruction-executing engine: DVE, POOL or ACT.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "dve/execute/execute.h"
#include "dve/memory/memory.h"
#include "dve/ports/ports.h"
#include "dve/timing/timing.h"
#include "dve/tlm/tlm.h"
#include "operand_port.h"

namespace dve {

struct EngineConfig {
  execute::CoreConfig core;
  timing::Parameters timing;
  bool timed = true;   // false: functional, every schedule is zero
  bool strict = true;  // parameters used before they were loaded: fault; otherwise a warning
  bool use_dmi = true;
  bool data = true;  // false: words take their time and count their traffic, but tensors are neither read nor written
  std::uint64_t param_ram_base = 0;  // address of the Parameter-RAM as the param port sees it
  // Where operands spend time beside other users of the memories; null: nobody else is there.
  PortTime* ports = nullptr;
  contention::Parameters memory;  // what the ports are like
  // Computes the words that it serves beside the model, and its results are the ones that count; null: nobody.
  execute::LaneArray* lanes = nullptr;
  execute::Observer* observer = nullptr;  // sees what words read and write; null: nobody
};

// Stands for: the datapath of one engine: 128 lanes, two read ports, one write port, and on the DVE the per-lane
// parameter flops and the port to the Parameter-RAM, on ACT the accumulators and the resident function set (isa.md 8 to
// 12, isa-neighbours.md, microarchitecture.md 2). One class, one instance an engine: which words arrive is the
// sequencer's dispatch table's matter. Keeps: the lane state (execute::Core). The schedule of words in flight is the
// sequencer's (IssueExtension::pipeline); a word that arrives without one is scheduled on a pipeline of the engine's
// own. Time: a word's start, read-done and completion follow microarchitecture.md 8; data moves in program order, at
// the call. A word reads all its sources before it writes its destination. Ports: src0 and imm0 use read0; src1, imm1
// and imm2 use read1; predicated words read what they keep of their destination through the write port. Does not model:
// the microcode RAMs and function tables as contents,
// reads of an element that an overlapping destination of the same word has already overwritten.
class InstructionEngine : public sc_core::sc_module, private TargetModel {
 public:
  InstructionEngine(sc_core::sc_module_name name, const EngineConfig& config);

  GuardedTarget issue;  // 64-byte writes; IssueExtension reports the outcome, without it a fault answers GENERIC_ERROR
  OperandPort read0, read1, write;
  tlm_utils::simple_initiator_socket_optional<InstructionEngine> param;  // bound on the DVE only

  const execute::Core& core() const { return core_; }

 private:
  bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;

  // What does not change from one time to the next that a word comes.
  struct Prepared {
    execute::Plan plan;
    timing::Cost cost;                   // when timed
    std::optional<contention::Job> job;  // its operands on the ports; it starts anew each time
    std::array<PortTraffic, IssueExtension::port_count> beats;
    std::vector<std::vector<BankTraffic>> banks;  // of each source, then of the destination
  };
  using PreparedWord = std::shared_ptr<Prepared>;

  void execute_word(const isa::Word& word, IssueExtension& outcome);
  PreparedWord look_up(const isa::Word& word, IssueExtension& outcome);
  PreparedWord prepared(execute::Plan plan) const;
  std::vector<BankTraffic> banks_of(const execute::Access& access, bool is_write) const;
  bool schedule(Prepared& word, IssueExtension& outcome);
  bool within_time(isa::Cycles complete, IssueExtension& outcome) const;
  contention::Stalls stream(Prepared& word, const timing::Opening& opening, IssueExtension& outcome);
  timing::Pipeline& pipeline(const IssueExtension& outcome);
  void drop(const isa::Word& word, const std::vector<isa::Finding>& findings, IssueExtension& outcome);
  bool report(const std::vector<isa::Finding>& findings, IssueExtension& outcome);
  std::uint16_t input_crc(const execute::Plan& plan) const;
  bool read_param_table(const execute::Plan& plan, IssueExtension& outcome);
  bool write_param_ram(const execute::ParamRamWrite& values, IssueExtension& outcome);
  tlm::tlm_response_status param_transport(bool write, std::uint64_t address, std::uint8_t* data, unsigned length);
  bool read_sources(const Prepared& word, IssueExtension& outcome);
  bool compute(const Prepared& word, IssueExtension& outcome);
  bool compute_in_array(const execute::Plan& plan, const kernels::ResultRows& results, IssueExtension& outcome);
  void execute_without_data(const Prepared& word, IssueExtension& outcome);
  void keep_lane_state(const execute::Plan& plan);
  bool moved(const execute::Access& access, const std::vector<BankTraffic>& banks, tlm::tlm_response_status status,
             bool is_write, IssueExtension& outcome);
  OperandPort& port_of(isa::OperandRole role);

  static constexpr std::size_t kMostOperands = 6;  // one for each isa::OperandRole

  EngineConfig config_;
  execute::Core core_;
  timing::Pipeline own_pipeline_;
  timing::Clock clock_;
  contention::User user_;
  isa::WordCache<PreparedWord> prepared_;
  numerics::ParamTable table_{};
  execute::Inputs inputs_;
  // Operands that are not in place: the sources, then the destination.
  std::array<PackedOperand, kMostOperands> copies_;
  tlm::tlm_generic_payload param_payload_;
  LoadedExtension param_loaded_;
};

}  // namespace dve
