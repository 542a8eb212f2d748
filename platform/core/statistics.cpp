#include "statistics.h"

#include <algorithm>
#include <stdexcept>

namespace dve {

namespace {

constexpr std::uint64_t kFemtosecondsPerSecond = 1'000'000'000'000'000;

RingStatistics ring_statistics(const DmaQueue& ring, const timing::Clock& clock, std::uint64_t end_fs) {
  const DmaCounters& counters = ring.counters();
  RingStatistics r;
  r.name = ring.title();
  r.transfers = counters.transfers;
  r.bytes = counters.bytes;
  const auto cycles = [&](std::uint64_t femtoseconds) {
    return static_cast<std::uint64_t>(static_cast<double>(femtoseconds) / static_cast<double>(kFemtosecondsPerSecond) *
                                      static_cast<double>(clock.hz()));
  };
  CycleBuckets& b = r.buckets;
  b.cycles = clock.cycles_at_or_after(end_fs).value;
  b.operand_wait = std::min(counters.stalls, cycles(counters.busy_fs));
  b.busy = cycles(counters.busy_fs) - b.operand_wait;
  b.semaphore_wait = cycles(counters.waiting_fs);
  b.fetch = cycles(counters.starting_fs);
  b.idle = b.cycles - std::min(b.cycles, b.sum());
  return r;
}

void check_sum(const CycleBuckets& b, const std::string& who) {
  if (b.sum() != b.cycles)
    throw std::logic_error(who + ": buckets add up to " + std::to_string(b.sum()) + " of " + std::to_string(b.cycles) +
                           " cycles");
}

}  // namespace

void Statistics::retire(const Retirement& word, const timing::Clock& clock) {
  latencies_[word.bits.opcode_byte()].add((word.schedule.complete - word.schedule.start).value);
  for (const BankTraffic& traffic : word.banks) {
    BankStatistics& bank = banks_[{traffic.space, traffic.bank}];
    bank.read_bytes += traffic.read.value;
    bank.write_bytes += traffic.written.value;
    bank.series.add(clock.femtoseconds(word.schedule.start), clock.femtoseconds(word.schedule.read_done),
                    traffic.read.value + traffic.written.value);
  }
  engines_[isa::index_of(word.engine)].retire(word, clock);
}

void Statistics::transferred(std::size_t ring, const TransferRecord& transfer) {
  if (ring_series_.size() <= ring) ring_series_.resize(ring + 1);
  ring_series_[ring].add(transfer.start_fs, transfer.end_fs, transfer.bytes);
}

void Statistics::finish(const NeuronCore& core) {
  std::uint64_t end_fs = 0;
  for (const isa::Engine engine : isa::kEngines) {
    const Sequencer& seq = core.seq(engine);
    engines_[isa::index_of(engine)].finish(seq.cycles());
    end_fs = std::max(end_fs, seq.clock().femtoseconds(seq.cycles()));
  }
  for (auto& [where, bank] : banks_) bank.conflicts = core.ports->conflicts(where.first, where.second);
  for (const auto& source : core.traffic)
    traffic_.push_back({source->stream().name, contention::name(source->stream().user), source->counters()});
  const timing::Clock memory_clock(config::ports_of(core.settings()).clock_hz);
  ring_series_.resize(core.dma.rings.size());
  for (std::size_t r = 0; r < core.dma.rings.size(); ++r) {
    const auto& ring = core.dma.rings[r];
    if (ring->counters().transfers == 0) continue;
    rings_.push_back(ring_statistics(*ring, memory_clock, std::max(end_fs, ring->last_completion_fs())));
    rings_.back().series = ring_series_[r];
    check_sum(rings_.back().buckets, ring->title());
  }
}

std::map<std::string, std::uint64_t> Statistics::opcodes() const {
  std::map<std::string, std::uint64_t> words;
  for (const auto& [opcode, latency] : latencies_) words[isa::opcode_name(opcode)] = latency.words;
  return words;
}

std::map<std::string, Latency> Statistics::latencies() const {
  std::map<std::string, Latency> by_name;
  for (const auto& [opcode, latency] : latencies_) by_name[isa::opcode_name(opcode)] = latency;
  return by_name;
}

std::uint64_t Statistics::instructions() const {
  std::uint64_t all = 0;
  for (const EngineStatistics& engine : engines_) all += engine.instructions();
  return all;
}

void EngineStatistics::retire(const Retirement& word, const timing::Clock& clock) {
  ++instructions_;
  streaming_cycles_ += (word.schedule.read_done - word.schedule.start).value - word.schedule.stalls.total();
  const std::uint64_t stream = std::max<std::uint64_t>(1, (word.schedule.read_done - word.schedule.start).value);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    const PortTraffic& traffic = word.traffic[p];
    const std::uint64_t bytes = traffic.read.value + traffic.written.value;
    ports_[p].read_bytes += traffic.read.value;
    ports_[p].write_bytes += traffic.written.value;
    ports_[p].transactions += traffic.transactions;
    ports_[p].beats += traffic.beats;
    if (bytes != 0)
      ports_[p].series.add(clock.femtoseconds(word.schedule.start), clock.femtoseconds(word.schedule.read_done), bytes);
    ports_[p].peak_bytes_per_cycle =
        std::max(ports_[p].peak_bytes_per_cycle, static_cast<double>(bytes) / static_cast<double>(stream));
  }
  account_before(word.schedule);
  last_ = word.schedule;
  any_ = true;
}

void EngineStatistics::finish(isa::Cycles last_completion) {
  limit_ = last_completion;
  if (any_) account_stream(last_);
  account(&CycleBuckets::busy, last_completion);
  buckets_.cycles = last_completion.value;
  check_sum(buckets_, "cycle attribution");
}

// Everything up to `until` that is in no bucket yet goes to this one.
void EngineStatistics::account(std::uint64_t CycleBuckets::*bucket, isa::Cycles until) {
  until = std::min(until, limit_);
  if (until <= cursor_) return;
  buckets_.*bucket += (until - cursor_).value;
  cursor_ = until;
}

// The cycles between the previous word and the start of this one, by what held it back.
void EngineStatistics::account_before(const timing::Schedule& word) {
  if (any_)
    account_stream(last_);
  else
    account(&CycleBuckets::fetch, word.start - word.hazard_wait - word.wait_wait);
  account(&CycleBuckets::operand_wait, word.start - word.wait_wait);
  account(&CycleBuckets::semaphore_wait, word.start);
}

void EngineStatistics::account_stream(const timing::Schedule& word) {
  isa::Cycles stalled = word.start;
  const auto stall = [&](std::uint64_t CycleBuckets::*bucket, std::uint64_t cycles) {
    stalled += isa::Cycles(cycles);
    account(bucket, stalled);
  };
  stall(&CycleBuckets::bank_conflict, word.stalls.bank);
  stall(&CycleBuckets::operand_wait, word.stalls.operand);
  stall(&CycleBuckets::write_wait, word.stalls.write);
  account(&CycleBuckets::busy, word.read_done);
  account(&CycleBuckets::issue_gap, word.next_issue);
}

}  // namespace dve
