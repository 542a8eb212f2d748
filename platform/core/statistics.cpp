#include "statistics.h"

#include <algorithm>

namespace dve {

void Statistics::retire(const Retirement& word) {
  ++opcodes_[isa::opcode_name(word.bits.opcode_byte())];
  for (const BankTraffic& traffic : word.banks) {
    BankStatistics& bank = banks_[{traffic.space, traffic.bank}];
    bank.read_bytes += traffic.read.value;
    bank.write_bytes += traffic.written.value;
  }
  engines_[isa::index_of(word.engine)].retire(word);
}

void Statistics::finish(const NeuronCore& core) {
  for (const isa::Engine engine : isa::kEngines) engines_[isa::index_of(engine)].finish(core.seq(engine).cycles());
}

std::uint64_t Statistics::instructions() const {
  std::uint64_t all = 0;
  for (const EngineStatistics& engine : engines_) all += engine.instructions();
  return all;
}

void EngineStatistics::retire(const Retirement& word) {
  ++instructions_;
  const std::uint64_t stream = std::max<std::uint64_t>(1, (word.schedule.read_done - word.schedule.start).value);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    const PortTraffic& traffic = word.traffic[p];
    const std::uint64_t bytes = traffic.read.value + traffic.written.value;
    ports_[p].read_bytes += traffic.read.value;
    ports_[p].write_bytes += traffic.written.value;
    ports_[p].transactions += traffic.transactions;
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
  account(&CycleBuckets::busy, word.read_done);
  account(&CycleBuckets::issue_gap, word.next_issue);
}

}  // namespace dve
