// A ring of DMA descriptors and the engines that work through it.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "dve/dma/dma.h"
#include "dve/ports/ports.h"
#include "dve/seq/seq.h"

namespace dve {

struct DmaQueueConfig {
  std::string name;  // in semaphore histories and messages: "dma ring 0"
  isa::Generation generation = isa::Generation::cayman;
  bool timed = true;           // false: transfers take no time
  bool data = true;            // false: transfers take their time, but no bytes move
  std::uint64_t hbm_base = 0;  // router address of HBM's first byte
  std::uint64_t hbm_bytes = 0;
  dma::Rates rates;
  contention::Parameters memory;  // clock, port width and banks
};

// A transfer that has completed.
struct TransferRecord {
  std::size_t index = 0;       // in its ring's list
  std::uint64_t ready_fs = 0;  // its waits held
  std::uint64_t start_fs = 0;  // data began to stream
  std::uint64_t end_fs = 0;    // data are there, the semaphore counts
  std::uint64_t bytes = 0;
  std::uint64_t stalls = 0;  // cycles of the memories' clock that other users of the ports cost
  std::string label;
};

// What a ring has done since its construction, up to its last completion. Idle is what is left of the simulation's
// time.
struct DmaCounters {
  std::uint64_t transfers = 0;
  std::uint64_t bytes = 0;
  std::uint64_t busy_fs = 0;      // data stream
  std::uint64_t waiting_fs = 0;   // the next transfer waits for semaphores
  std::uint64_t starting_fs = 0;  // start cost that no earlier transfer hides
  std::uint64_t stalls = 0;       // as in TransferRecord
};

// Stands for: a descriptor ring of a core's DMA engines (microarchitecture.md 5): up to 16 engines that work on each
// transfer together.
// Keeps: the list of transfers of its present program. In order: a transfer waits for its semaphores; its data stream
// `start_ns` after they held, but not before the previous transfer's have arrived (the start cost of the next one
// overlaps the data of this one); at completion each engine adds 1 to the semaphore. The bytes move at completion, by
// plain transactions. A semaphore is seen at once: its propagation is part of the start cost.
// Time: the memories' ports decide how long data stream (PortTime); starts are rounded up to the memories' clock.
// Does not model: descriptors as data in memory, several queues an engine and their round robin, HBM timing beyond its
// bandwidth, bounce buffers. A transfer that is impossible, or whose address no memory answers, is a fault: the ring
// stops.
class DmaQueue : public sc_core::sc_module {
 public:
  enum class State : std::uint8_t { idle, running, waiting, done, fault };

  DmaQueue(sc_core::sc_module_name name, const DmaQueueConfig& config, SyncUnit& sync, PortTime& ports);
  tlm_utils::simple_initiator_socket<DmaQueue> memory;

  // Begins with a list of transfers now. Requires !busy().
  void start(std::vector<dma::Transfer> transfers);

  const std::string& title() const { return config_.name; }
  State state() const { return state_; }
  bool busy() const { return busy_; }
  const sc_core::sc_event& ended() const { return ended_; }  // all transfers done, or a fault
  const std::vector<dma::Transfer>& transfers() const { return transfers_; }
  std::size_t current() const { return current_; }  // transfer that is next to complete
  // While State::waiting.
  const WaitCondition& blocked_on() const { return blocked_on_; }
  // State::fault: "dma ring 0 transfer 3 (x tile 2): ...".
  const std::string& fault() const { return fault_; }
  const DmaCounters& counters() const { return counters_; }
  std::uint64_t last_completion_fs() const { return last_completion_fs_; }

  std::function<void(const TransferRecord&)> on_transfer;  // at each completion; optional

 private:
  void run();
  bool execute(const dma::Transfer& transfer);
  std::uint64_t await(const dma::Wait& wanted);
  void stream(const dma::Transfer& transfer, TransferRecord& record);
  bool move(const dma::Transfer& transfer);
  bool within_hbm(const dma::Transfer& transfer);
  bool access(bool write, std::uint64_t address, std::uint8_t* data, std::uint64_t bytes);
  bool fail(const std::string& reason);
  void complete(const dma::Transfer& transfer, TransferRecord& record);

  DmaQueueConfig config_;
  SyncUnit& sync_;
  PortTime& ports_;
  timing::Clock clock_;  // of the memories
  std::vector<dma::Transfer> transfers_;
  std::size_t current_ = 0;
  State state_ = State::idle;
  bool busy_ = false;
  sc_core::sc_event start_, ended_;
  std::uint64_t ready_fs_ = 0;  // waits of the present transfer held, and those of all before it
  WaitCondition blocked_on_;
  std::string fault_;
  DmaCounters counters_;
  std::uint64_t last_completion_fs_ = 0;
  std::vector<std::uint8_t> row_;
  tlm::tlm_generic_payload payload_;
};

}  // namespace dve
