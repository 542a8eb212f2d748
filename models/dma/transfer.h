// One DMA transfer: a block of rows between HBM and the same bytes of consecutive partitions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dve/contention/contention.h"
#include "dve/isa/isa.h"
#include "rate.h"

namespace dve::dma {

enum class Direction : std::uint8_t {
  load,  // HBM to SBUF or PSUM
  store  // SBUF or PSUM to HBM
};

// Holds while the semaphore is at least this much.
struct Wait {
  isa::SemaphoreIndex semaphore{};
  std::uint32_t at_least = 0;
};

struct Transfer {
  Direction direction = Direction::load;
  std::uint64_t hbm = 0;         // first row, in bytes from the start of HBM
  std::uint64_t row_stride = 0;  // bytes in HBM between the rows of two neighbouring partitions
  isa::Place place;              // of the first row
  std::uint32_t channels = 0;    // rows: one a partition
  std::uint64_t bytes_per_partition = 0;
  std::uint32_t first_engine = 0;
  std::uint32_t engines = contention::kDmaEngines;
  std::vector<Wait> waits;       // all of them, before the transfer starts
  isa::SemaphoreIndex update{};  // each engine adds 1 at completion: 16 for all of them (microarchitecture.md 5)
  std::string label;             // for messages and traces

  std::uint64_t bytes() const { return channels * bytes_per_partition; }
  std::uint32_t engine_mask() const { return ((std::uint32_t{1} << engines) - 1) << first_engine; }  // one bit each
  std::uint64_t hbm_end() const { return hbm + (channels - 1) * row_stride + bytes_per_partition; }
};

// Why a transfer is impossible on this generation, naming the field, its value and what is possible: no channels, bytes
// or engines; engines past the 16 of a core; a memory that does not exist; rows past partition 127 or past the active
// bytes of a partition; an end past 2^64 in HBM. Empty: none of that. Whether the HBM reaches that far is the memory's
// answer.
std::optional<std::string> problem_of(const Transfer& transfer, isa::Generation generation);

// What the transfer asks of the memories' ports, starting at cycle 0 of their clock: one stream, a step a beat. Engines
// take whole rows, so a beat (`port_bytes` of each row) takes as long as ceil(channels / engines) rows of one engine:
// the compiler's cost formula (microarchitecture.md 5), for all dtypes. Rounded to the simplest pace within
// kPaceTolerance. The job's user is the first engine, on behalf of all. Not modelled: what short rows cost (the sources
// name 2 KiB a partition as efficient, but give no formula), HBM timing, DMA transposes. Requires problem_of() to be
// empty.
contention::Job job_of(const Transfer& transfer, const Rates& rates, const contention::Parameters& memory);

// Cycle at whose beginning all of the job's data have arrived: the last beat takes its pace, too.
std::int64_t end_cycle(const contention::Job& job, const contention::Outcome& outcome);

}  // namespace dve::dma
