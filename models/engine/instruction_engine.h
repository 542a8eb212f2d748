// The vector engine (DVE).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "dve/execute/execute.h"
#include "dve/memory/memory.h"
#include "dve/timing/timing.h"
#include "dve/tlm/tlm.h"
#include "operand_port.h"

namespace dve {

struct DveConfig {
  execute::CoreConfig core;
  timing::Parameters timing;
  bool timed = true;   // false: functional, every schedule is zero
  bool strict = true;  // parameters used before they were loaded: fault; otherwise a warning
  bool use_dmi = true;
  std::uint64_t param_ram_base = 0;  // address of the Parameter-RAM as the param port sees it
};

// Stands for: the DVE datapath of one core: 128 lanes, per-lane parameter flops, two read ports, one write port and the
// port to the Parameter-RAM (isa.md 8 to 11, microarchitecture.md 2).
// Keeps: the lane flops (execute::Core) and the schedule of words in flight (timing::Pipeline).
// Time: a word's start, read-done and completion follow microarchitecture.md 8; data moves in program order, at the
// call. A word reads all its sources before it writes its destination. Ports: src0 and imm0 use read0; src1 and imm1
// use read1. Does not model: contention for memory (operands stream at the uncontended rate), performance modes, the
// microcode RAMs, reads of an element that an overlapping destination of the same word has already overwritten.
class DveEngine : public sc_core::sc_module, private TargetModel {
 public:
  DveEngine(sc_core::sc_module_name name, const DveConfig& config);

  GuardedTarget issue;  // 64-byte writes; IssueExtension reports the outcome, without it a fault answers GENERIC_ERROR
  OperandPort read0, read1, write;
  tlm_utils::simple_initiator_socket<DveEngine> param;

  const execute::Core& core() const { return core_; }

 private:
  bool transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_response_status access(const PlainAccess& access, sc_core::sc_time& delay) override;

  void execute_word(const isa::Word& word, IssueExtension& outcome);
  bool schedule(const execute::Plan& plan, IssueExtension& outcome);
  void drop(const std::vector<isa::Finding>& findings, IssueExtension& outcome);
  bool report(const std::vector<isa::Finding>& findings, IssueExtension& outcome);
  bool read_param_table(const execute::Plan& plan, IssueExtension& outcome);
  bool write_param_ram(const execute::ParamRamWrite& values, IssueExtension& outcome);
  tlm::tlm_response_status param_transport(bool write, std::uint64_t address, std::uint8_t* data, unsigned length);
  bool read_sources(const execute::Plan& plan, IssueExtension& outcome);
  bool write_destination(const execute::Plan& plan, execute::Result& result, IssueExtension& outcome);
  bool moved(const execute::Access& access, tlm::tlm_response_status status, IssueExtension::Port port,
             IssueExtension& outcome);
  OperandPort& read_port(isa::OperandRole role);

  DveConfig config_;
  execute::Core core_;
  timing::Pipeline pipeline_;
  timing::Clock clock_;
  numerics::ParamTable table_{};
  std::vector<std::vector<std::uint8_t>> inputs_;
  tlm::tlm_generic_payload param_payload_;
  LoadedExtension param_loaded_;
};

}  // namespace dve
