#include "dma_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dve/tlm/tlm.h"
#include "semaphore_wait.h"

namespace dve {

DmaQueue::DmaQueue(sc_core::sc_module_name module_name, const DmaQueueConfig& config, SyncUnit& sync, PortTime& ports)
    : sc_module(module_name),
      memory("memory"),
      config_(config),
      sync_(sync),
      ports_(ports),
      clock_(config.memory.clock_hz) {
  SC_HAS_PROCESS(DmaQueue);
  SC_THREAD(run);
}

void DmaQueue::start(std::vector<dma::Transfer> transfers) {
  transfers_ = std::move(transfers);
  current_ = 0;
  fault_.clear();
  busy_ = true;
  state_ = State::running;
  ready_fs_ = last_completion_fs_ = now_femtoseconds();
  start_.notify(sc_core::SC_ZERO_TIME);
}

void DmaQueue::run() {
  while (true) {
    wait(start_);
    while (current_ < transfers_.size() && execute(transfers_[current_])) ++current_;
    if (state_ != State::fault) state_ = State::done;
    busy_ = false;
    ended_.notify(sc_core::SC_ZERO_TIME);
  }
}

bool DmaQueue::execute(const dma::Transfer& transfer) {
  if (const auto problem = dma::problem_of(transfer, config_.generation)) return fail(*problem);
  for (const dma::Wait& wanted : transfer.waits) ready_fs_ = std::max(ready_fs_, await(wanted));
  TransferRecord record;
  record.index = current_;
  record.ready_fs = record.start_fs = record.end_fs = ready_fs_;
  if (config_.timed) stream(transfer, record);
  if (!(config_.data ? move(transfer) : within_hbm(transfer))) return false;
  complete(transfer, record);
  return true;
}

// Blocks until the semaphore is there; returns since when it has been.
std::uint64_t DmaQueue::await(const dma::Wait& wanted) {
  blocked_on_ = condition_of(wanted);
  while (!sync_.state().holds(blocked_on_)) {
    state_ = State::waiting;
    wait(sync_.changed());
  }
  state_ = State::running;
  return sync_.state().held_since(blocked_on_).femtoseconds;
}

void DmaQueue::stream(const dma::Transfer& transfer, TransferRecord& record) {
  const std::uint64_t free_fs = last_completion_fs_;
  const std::uint64_t start_cost = static_cast<std::uint64_t>(config_.rates.start_ns * 1e6 + 0.5);
  contention::Job job = dma::job_of(transfer, config_.rates, config_.memory);
  const isa::Cycles start = clock_.cycles_at_or_after(std::max(free_fs, ready_fs_ + start_cost));
  record.start_fs = clock_.femtoseconds(start);
  wait(until_femtoseconds(record.start_fs));
  job.start.cycle = static_cast<std::int64_t>(start.value);
  const contention::Outcome outcome = ports_.stream(job, true);
  record.stalls = outcome.stalls.total();
  record.end_fs = clock_.femtoseconds(isa::Cycles(static_cast<std::uint64_t>(dma::end_cycle(job, outcome))));
  wait(until_femtoseconds(record.end_fs));
  const std::uint64_t waited_until = std::max(free_fs, ready_fs_);
  counters_.waiting_fs += waited_until - free_fs;
  counters_.starting_fs += record.start_fs - waited_until;
  counters_.busy_fs += record.end_fs - record.start_fs;
}

bool DmaQueue::move(const dma::Transfer& transfer) {
  const bool load = transfer.direction == dma::Direction::load;
  row_.resize(transfer.bytes_per_partition);
  for (std::uint32_t c = 0; c < transfer.channels; ++c) {
    isa::Place place = transfer.place;
    place.partition = isa::Partition{isa::number(place.partition) + c};
    const std::uint64_t on_chip = isa::address_of(place, config_.generation).partition_offset();
    const std::uint64_t in_hbm = transfer.hbm + c * transfer.row_stride;
    const std::uint64_t in_router = config_.hbm_base + in_hbm;
    const auto hbm = [&](bool write) {
      return in_router >= config_.hbm_base && access(write, in_router, row_.data(), row_.size());
    };
    if (load && !hbm(false)) return fail(fmt::format("no memory at {:#x} + {} bytes of HBM", in_hbm, row_.size()));
    if (!access(load, on_chip, row_.data(), row_.size()))
      return fail(fmt::format("no memory at on-chip address {:#x} + {} bytes", on_chip, row_.size()));
    if (!load && !hbm(true)) return fail(fmt::format("no memory at {:#x} + {} bytes of HBM", in_hbm, row_.size()));
  }
  return true;
}

// Without data: the refusal that HBM would give. The other end is checked by problem_of().
bool DmaQueue::within_hbm(const dma::Transfer& transfer) {
  const std::uint64_t bytes = transfer.bytes_per_partition;
  for (std::uint32_t c = 0; c < transfer.channels; ++c) {
    const std::uint64_t in_hbm = transfer.hbm + c * transfer.row_stride;
    if (bytes > config_.hbm_bytes || in_hbm > config_.hbm_bytes - bytes)
      return fail(fmt::format("no memory at {:#x} + {} bytes of HBM", in_hbm, bytes));
  }
  return true;
}

bool DmaQueue::access(bool write, std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) {
  prepare(payload_, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data, bytes);
  sc_core::sc_time delay;
  memory->b_transport(payload_, delay);
  return payload_.is_response_ok();
}

bool DmaQueue::fail(const std::string& reason) {
  fault_ = fmt::format("{} transfer {} ({}): {}", config_.name, current_, transfers_[current_].label, reason);
  state_ = State::fault;
  return false;
}

void DmaQueue::complete(const dma::Transfer& transfer, TransferRecord& record) {
  record.bytes = transfer.bytes();
  record.label = transfer.label;
  last_completion_fs_ = std::max(last_completion_fs_, record.end_fs);
  ++counters_.transfers;
  counters_.bytes += record.bytes;
  counters_.stalls += record.stalls;
  sync_.apply({isa::UpdateMode::sem_add_imm_complete, static_cast<std::uint8_t>(isa::number(transfer.update)),
               transfer.engines},
              config_.name);
  if (on_transfer) on_transfer(record);
}

}  // namespace dve
