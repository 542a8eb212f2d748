// What a run did, counted from the words that retired: cycle attribution, port and bank traffic, opcodes.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bandwidth_series.h"
#include "dve/timing/timing.h"
#include "latency.h"
#include "neuron_core.h"

namespace dve {

// Each cycle of an engine is in exactly one bucket (interfaces.md 5).
struct CycleBuckets {
  std::uint64_t busy = 0;            // operands stream, or the last results drain
  std::uint64_t issue_gap = 0;       // between the end of a stream and the next possible issue
  std::uint64_t operand_wait = 0;    // read-after-write interlock; operands that a shared path or a throttle held back
  std::uint64_t write_wait = 0;      // the write buffer was full
  std::uint64_t bank_conflict = 0;   // another user had the bank of an operand
  std::uint64_t semaphore_wait = 0;  // the word's own wait condition
  std::uint64_t fetch = 0;           // before the first word
  std::uint64_t idle = 0;            // nothing issued
  std::uint64_t cycles = 0;          // sum of all
  std::uint64_t sum() const {
    return busy + issue_gap + operand_wait + write_wait + bank_conflict + semaphore_wait + fetch + idle;
  }
};

struct PortStatistics {
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t transactions = 0;
  double peak_bytes_per_cycle = 0;  // of any one word over its streaming cycles
  std::uint64_t beats = 0;          // cycles of the memory clock that the port needs at least
  BandwidthSeries series;
};

struct BankStatistics {
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t conflicts = 0;  // users that were refused the bank because another user had it, a cycle at a time
  BandwidthSeries series;       // of the words' bytes, as the two sums above: DMA is not among them
};

// What a DMA ring did, in cycles of the memory clock: `fetch` is the start cost that nothing hides.
struct RingStatistics {
  std::string name;
  CycleBuckets buckets;
  std::uint64_t transfers = 0;
  std::uint64_t bytes = 0;
  BandwidthSeries series;
};

// What a stream of a traffic file did.
struct TrafficStatistics {
  std::string name;
  std::string user;
  TrafficCounters counters;
};

// Of one engine.
class EngineStatistics {
 public:
  // `clock`: of the engine.
  void retire(const Retirement& word, const timing::Clock& clock);
  // Closes the books at the engine's last completion. Afterwards buckets().cycles == last_completion == the sum of all;
  // std::logic_error when it is not.
  void finish(isa::Cycles last_completion);

  std::uint64_t instructions() const { return instructions_; }
  const CycleBuckets& buckets() const { return buckets_; }  // in the engine's own clock
  const PortStatistics& port(IssueExtension::Port port) const { return ports_[port]; }
  std::uint64_t streaming_cycles() const { return streaming_cycles_; }  // S of all words, without stalls

 private:
  void account(std::uint64_t CycleBuckets::*bucket, isa::Cycles until);
  void account_before(const timing::Schedule& word);
  void account_stream(const timing::Schedule& word);

  std::uint64_t instructions_ = 0;
  std::uint64_t streaming_cycles_ = 0;
  CycleBuckets buckets_;
  std::array<PortStatistics, IssueExtension::port_count> ports_{};

  isa::Cycles cursor_;  // cycles before it are in a bucket
  isa::Cycles limit_{std::numeric_limits<std::uint64_t>::max()};
  timing::Schedule last_;  // its own cycles are accounted when the next word or the end is known
  bool any_ = false;
};

// Of all engines of a core.
class Statistics {
 public:
  void retire(const Retirement& word, const timing::Clock& clock);
  // A transfer of the core's DMA ring number `ring` has completed.
  void transferred(std::size_t ring, const TransferRecord& transfer);
  // Closes each engine's books at its last completion.
  void finish(const NeuronCore& core);

  std::uint64_t instructions() const;
  std::map<std::string, std::uint64_t> opcodes() const;  // words by mnemonic
  const EngineStatistics& engine(isa::Engine engine) const { return engines_[isa::index_of(engine)]; }
  const std::map<std::pair<isa::Space, std::uint32_t>, BankStatistics>& banks() const { return banks_; }
  std::map<std::string, Latency> latencies() const;                    // by mnemonic
  const std::vector<RingStatistics>& rings() const { return rings_; }  // that had transfers
  const std::vector<TrafficStatistics>& traffic() const { return traffic_; }

 private:
  std::array<EngineStatistics, isa::kEngines.size()> engines_;
  std::map<std::pair<isa::Space, std::uint32_t>, BankStatistics> banks_;
  std::map<std::uint8_t, Latency> latencies_;  // by opcode
  std::vector<BandwidthSeries> ring_series_;   // by number of the ring
  std::vector<RingStatistics> rings_;
  std::vector<TrafficStatistics> traffic_;
};

}  // namespace dve
