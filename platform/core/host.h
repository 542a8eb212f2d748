// The host beside the core: loads, starts, performs host steps, reads results.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "dve/runtime/runtime.h"
#include "neuron_core.h"

namespace dve {

class Host;

// One program run as the host sees it.
struct HostTasks {
  std::vector<isa::Word> program;                // placed at host:0x0
  runtime::Rings transfers;                      // what the DMA rings do meanwhile
  std::vector<dma::TrafficStream> traffic;       // what others do on the memories' ports
  std::uint64_t hbm_bytes = 0;                   // memory that transfers and initial loads need in HBM
  std::vector<runtime::Stream> streams;          // which engine runs which part; none: the DVE runs all of it
  std::function<void(Host&)> before;             // initial loads: they cost no time
  std::size_t steps = 0;                         // numbered host steps
  std::function<void(std::size_t, Host&)> step;  // step k, from 1
};

// An access of the host that a target refused.
class HostAccessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Stands for: the host runtime, on the core's host socket.
// Keeps: the progress through the host steps of the current program. Its process runs `body` once; the body calls
// execute() for each program. What the body throws ends the process and is thrown again by simulate(). Time: a step
// takes host_step_ns (interfaces.md 2); loads and reads take none, those of HBM neither. Does not model: PCIe,
// interrupt latency (the host sees a semaphore the moment it changes).
class Host : public sc_core::sc_module, public runtime::DevicePort {
 public:
  using Body = std::function<void(Host&)>;
  Host(sc_core::sc_module_name name, NeuronCore& core, Body body);
  tlm_utils::simple_initiator_socket<Host> socket;

  // Runs one program, from within the body: program and initial loads, the semaphores of the handshake and of DMA to 0,
  // start of the DMA rings that have transfers and of the sequencers that have a stream, then for k = 1.. : wait until
  // semaphore runtime::kStepRequest reaches k, host_step_ns, the step, add 1 to runtime::kStepDone. Returns when these
  // sequencers and rings have ended, one way or another.
  void execute(const HostTasks& tasks);

  // Bytes of one partition, or of any address of the core. Inside a process these are transactions, before and after
  // the simulation debug accesses. HostAccessError when refused.
  void write(const isa::Place& place, const std::uint8_t* data, std::size_t size) override;
  void read(const isa::Place& place, std::uint8_t* data, std::size_t size) override;
  void write_hbm(std::uint64_t address, const std::uint8_t* data, std::size_t size) override;
  void read_hbm(std::uint64_t address, std::uint8_t* data, std::size_t size) override;
  void write(std::uint64_t address, const std::uint8_t* data, std::size_t size);
  void read(std::uint64_t address, std::uint8_t* data, std::size_t size);
  // Called after every write of memory or registers; optional.
  std::function<void(std::uint64_t address, const std::uint8_t* data, std::size_t size)> wrote;
  void write_register(std::uint64_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint64_t address);

  // Of the current program.
  bool steps_finished() const { return next_step_ > steps_; }
  isa::Word word(std::uint64_t index);  // of the program, as memory holds it
  const std::vector<runtime::Stream>& streams() const { return streams_; }
  std::size_t next_step() const { return next_step_; }
  // Set when the body threw.
  const std::exception_ptr& error() const { return error_; }

 private:
  void run();
  void start(const HostTasks& tasks);
  void write_words(const std::vector<isa::Word>& program);
  bool await_request(std::size_t step);
  void start(const runtime::Stream& stream);
  bool all_ended() const;
  void await_change();
  void transfer(std::uint64_t address, std::uint8_t* data, std::size_t size, bool is_write);

  NeuronCore& core_;
  Body body_;
  std::vector<runtime::Stream> streams_;
  std::size_t steps_ = 0;
  std::size_t next_step_ = 1;
  std::exception_ptr error_;
  tlm::tlm_generic_payload payload_;
};

}  // namespace dve
