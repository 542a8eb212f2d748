// A descriptor ring on memories of its own: data, order, semaphores, time, faults.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <systemc>

#include "dve/memory/memory.h"
#include "dve/traffic/traffic.h"

namespace dve {
namespace dma_queue_test {
namespace {

using dma::Direction;
using dma::Transfer;

constexpr std::uint64_t kHbm = std::uint64_t{1} << 40;
constexpr isa::SemaphoreIndex kDone{21}, kGo{5};

// Streams nobody disturbs, except for `late` cycles that each of them is told to lose.
class FreePorts : public PortTime {
 public:
  std::vector<contention::Job> jobs;
  std::int64_t late = 0;
  contention::Outcome stream(const contention::Job& job, bool synchronise) override {
    jobs.push_back(job);
    EXPECT_TRUE(synchronise);
    contention::Outcome outcome;
    outcome.first_cycle = job.start.cycle;
    const std::int64_t pace = job.pace.cycle * job.denominator + job.pace.fraction;
    const auto later = static_cast<std::int64_t>(job.steps - 1);
    outcome.last_cycle = job.start.cycle + (later * pace + job.denominator - 1) / job.denominator + late;
    outcome.stalls.write = static_cast<std::uint64_t>(late);
    return outcome;
  }
  std::uint64_t conflicts(isa::Space, std::uint32_t) const override { return 0; }
};

// Routes on-chip addresses to SBUF and kHbm upwards to HBM.
class Bench : public sc_core::sc_module {
 public:
  explicit Bench(bool timed = true, sc_core::sc_module_name name = "bench")
      : sc_module(name),
        sbuf("sbuf", isa::geometry(isa::Generation::cayman, isa::Space::sbuf), 1, true),
        hbm("hbm", 1 << 20, 2, true),
        sync("sync"),
        queue("queue", config(timed), sync, ports),
        in("in"),
        to_sbuf("to_sbuf"),
        to_hbm("to_hbm"),
        to_sync("to_sync") {
    to_sync.bind(sync.in.socket);
    in.register_b_transport(this, &Bench::b_transport);
    queue.memory.bind(in);
    to_sbuf.bind(sbuf.in.socket);
    to_hbm.bind(hbm.in.socket);
    queue.on_transfer = [this](const TransferRecord& record) { records.push_back(record); };
  }
  static DmaQueueConfig config(bool timed) {
    DmaQueueConfig c;
    c.name = "dma ring 0";
    c.timed = timed;
    c.hbm_base = kHbm;
    c.rates = {1300, 20, 1e6};
    c.memory.clock_hz = 1'000'000'000;  // a cycle is a nanosecond
    return c;
  }
  std::vector<std::uint8_t> bytes(std::uint64_t address, std::size_t size) {
    std::vector<std::uint8_t> data(size);
    access(false, address, data);
    return data;
  }
  std::vector<std::uint8_t> fill(std::uint64_t address, std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> data(size);
    for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
    access(true, address, data);
    return data;
  }
  std::int32_t semaphore(isa::SemaphoreIndex index) const { return sync.state().semaphore(index); }

  FreePorts ports;
  PartitionedMemory sbuf;
  FlatMemory hbm;
  SyncUnit sync;
  DmaQueue queue;
  std::vector<TransferRecord> records;

 private:
  void access(bool write, std::uint64_t address, std::vector<std::uint8_t>& data) {
    tlm::tlm_generic_payload payload;
    prepare(payload, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data.data(), data.size());
    auto& socket = address >= kHbm ? to_hbm : to_sbuf;
    if (address >= kHbm) payload.set_address(address - kHbm);
    EXPECT_EQ(socket->transport_dbg(payload), data.size());
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const bool far = payload.get_address() >= kHbm;
    if (far) payload.set_address(payload.get_address() - kHbm);
    (far ? to_hbm : to_sbuf)->b_transport(payload, delay);
  }
  tlm_utils::simple_target_socket<Bench> in;
  tlm_utils::simple_initiator_socket<Bench> to_sbuf, to_hbm, to_sync;
};

Transfer transfer(Direction direction, std::uint64_t hbm, std::uint32_t offset, std::uint32_t channels = 16,
                  std::uint64_t bytes = 800) {
  Transfer t;
  t.direction = direction;
  t.hbm = hbm;
  t.row_stride = 4096;
  t.place = {isa::Space::sbuf, isa::Partition{3}, offset};
  t.channels = channels;
  t.bytes_per_partition = bytes;
  t.update = kDone;
  t.label = "tile";
  return t;
}

std::uint64_t sbuf_address(std::uint32_t partition, std::uint32_t offset) {
  return isa::address_of({isa::Space::sbuf, isa::Partition{partition}, offset}, isa::Generation::cayman)
      .partition_offset();
}
double ns(std::uint64_t femtoseconds) { return static_cast<double>(femtoseconds) / 1e6; }

// Runs `body` as a process beside the queue, then to the end.
class Script : public sc_core::sc_module {
 public:
  explicit Script(std::function<void()> body, sc_core::sc_module_name name = "script")
      : sc_module(name), body_(std::move(body)) {
    SC_HAS_PROCESS(Script);
    SC_THREAD(run);
  }

 private:
  void run() { body_(); }
  std::function<void()> body_;
};
void at(double ns_from_now) { sc_core::wait(ns_from_now, sc_core::SC_NS); }

TEST(DmaQueue, MovesRowsBothWaysAndCountsEveryEngine) {
  Bench bench;
  const auto first = bench.fill(kHbm + 4096 * 2, 4096 * 16, 7);
  const auto untouched = bench.bytes(sbuf_address(3, 64 + 800), 32);
  Script script([&] {
    bench.queue.start({transfer(Direction::load, 4096 * 2, 64), transfer(Direction::store, 4096 * 100 + 7, 64)});
  });
  sc_core::sc_start();
  EXPECT_EQ(bench.queue.state(), DmaQueue::State::done);
  EXPECT_FALSE(bench.queue.busy());
  for (std::uint32_t c = 0; c < 16; ++c) {
    const std::vector<std::uint8_t> row(first.begin() + c * 4096, first.begin() + c * 4096 + 800);
    EXPECT_EQ(bench.bytes(sbuf_address(3 + c, 64), 800), row) << c;
    EXPECT_EQ(bench.bytes(kHbm + 4096 * (100 + c) + 7, 800), row) << c;
  }
  EXPECT_EQ(bench.bytes(sbuf_address(3, 64 + 800), 32), untouched);
  EXPECT_EQ(bench.semaphore(kDone), 2 * 16) << "16 engines, two transfers (microarchitecture.md 5)";
  EXPECT_EQ(bench.queue.counters().transfers, 2U);
  EXPECT_EQ(bench.queue.counters().bytes, 2U * 16 * 800);
}

TEST(DmaQueue, EachEngineOfATransferAddsOne) {
  Bench bench;
  Transfer t = transfer(Direction::load, 0, 0);
  t.first_engine = 5;
  t.engines = 3;
  Script script([&] { bench.queue.start({t}); });
  sc_core::sc_start();
  EXPECT_EQ(bench.semaphore(kDone), 3);
  EXPECT_EQ(bench.ports.jobs.at(0).user, contention::dma_engine(5));
}

// start_ns + rows of one engine x bytes / rate, 1300 + 800 / 20.
TEST(DmaQueue, OneTransferTakesItsStartAndItsBytes) {
  Bench bench;
  Script script([&] { bench.queue.start({transfer(Direction::load, 0, 0)}); });
  sc_core::sc_start();
  const double expected = 1300 + 800 / 20.0;
  ASSERT_EQ(bench.records.size(), 1U);
  EXPECT_EQ(ns(bench.records[0].start_fs), 1300);
  EXPECT_NEAR(ns(bench.records[0].end_fs), expected, 2) << "whole cycles of 1 ns at both ends";
  EXPECT_EQ(bench.records[0].label, "tile");
  EXPECT_EQ(bench.records[0].bytes, 12800U);
  EXPECT_EQ(bench.queue.last_completion_fs(), bench.records[0].end_fs);
  EXPECT_EQ(bench.queue.counters().starting_fs, 1'300'000'000U);
  EXPECT_EQ(bench.queue.counters().busy_fs, bench.records[0].end_fs - bench.records[0].start_fs);
  EXPECT_EQ(bench.queue.counters().waiting_fs, 0U);
}

TEST(DmaQueue, SemaphoreCountsWhenTheDataAreThere) {
  Bench bench;
  const auto data = bench.fill(kHbm, 800, 3);
  std::int32_t before = -1, after = -1;
  std::vector<std::uint8_t> early, late;
  Script script([&] {
    bench.queue.start({transfer(Direction::load, 0, 0, 1)});
    at(1300 + 800 / 20.0 - 3);
    before = bench.semaphore(kDone);
    early = bench.bytes(sbuf_address(3, 0), 800);
    at(6);
    after = bench.semaphore(kDone);
    late = bench.bytes(sbuf_address(3, 0), 800);
  });
  sc_core::sc_start();
  EXPECT_EQ(before, 0);
  EXPECT_EQ(after, 16);
  EXPECT_NE(early, data);
  EXPECT_EQ(late, data);
}

// The start of the next transfer overlaps the data of the present one when its waits hold.
TEST(DmaQueue, StartsOverlapButTransfersDoNot) {
  Bench bench;
  Script script([&] {
    bench.queue.start({transfer(Direction::load, 0, 0, 16, 4000), transfer(Direction::load, 0, 8192, 16, 80000),
                       transfer(Direction::load, 0, 0, 16, 800)});
  });
  sc_core::sc_start();
  ASSERT_EQ(bench.records.size(), 3U);
  EXPECT_EQ(ns(bench.records[0].start_fs), 1300);
  for (std::size_t k = 1; k < 3; ++k) EXPECT_EQ(bench.records[k].start_fs, bench.records[k - 1].end_fs) << k;
  const double streams = (4000 + 80000 + 800) / 20.0;
  EXPECT_NEAR(ns(bench.records[2].end_fs), 1300 + streams, streams * dma::kPaceTolerance + 4);
  EXPECT_EQ(bench.queue.counters().starting_fs, 1'300'000'000U) << "the others are hidden";
}

TEST(DmaQueue, WaitsForAllItsSemaphoresAndStartsAfterwards) {
  Bench bench;
  Transfer t = transfer(Direction::load, 0, 0);
  t.waits = {{kGo, 2}, {isa::SemaphoreIndex{6}, 1}};
  const auto add = [&](isa::SemaphoreIndex index) {
    bench.sync.apply({isa::UpdateMode::sem_inc_complete, static_cast<std::uint8_t>(number(index)), 0}, "script");
  };
  Script script([&] {
    bench.queue.start({t});
    at(100);
    add(kGo);
    at(100);
    EXPECT_EQ(bench.queue.state(), DmaQueue::State::waiting);
    EXPECT_EQ(to_string(bench.queue.blocked_on()), "sem[5] >= 2");
    add(kGo);
    at(300);
    EXPECT_EQ(to_string(bench.queue.blocked_on()), "sem[6] >= 1");
    add(isa::SemaphoreIndex{6});
  });
  sc_core::sc_start();
  ASSERT_EQ(bench.records.size(), 1U);
  EXPECT_EQ(ns(bench.records[0].ready_fs), 500);
  EXPECT_EQ(ns(bench.records[0].start_fs), 500 + 1300);
  EXPECT_EQ(bench.queue.counters().waiting_fs, 500'000'000U);
}

// A wait that held before the previous transfer had ended: the start cost counts from then.
TEST(DmaQueue, StartCostCountsFromTheMomentTheWaitHeld) {
  Bench bench;
  Transfer second = transfer(Direction::load, 0, 8192);
  second.waits = {{kGo, 1}};
  Script script([&] {
    bench.queue.start({transfer(Direction::load, 0, 0, 16, 40000), second});  // until 3300
    at(2500);
    bench.sync.apply({isa::UpdateMode::sem_inc_complete, 5, 0}, "script");
  });
  sc_core::sc_start();
  ASSERT_EQ(bench.records.size(), 2U);
  EXPECT_EQ(ns(bench.records[1].start_fs), 2500 + 1300);
}

TEST(DmaQueue, WhatOthersCostIsCounted) {
  Bench bench;
  bench.ports.late = 25;
  Script script([&] { bench.queue.start({transfer(Direction::load, 0, 0)}); });
  sc_core::sc_start();
  EXPECT_EQ(bench.records.at(0).stalls, 25U);
  EXPECT_EQ(bench.queue.counters().stalls, 25U);
  EXPECT_NEAR(ns(bench.records[0].end_fs), 1300 + 40 + 25, 2);
}

TEST(DmaQueue, UntimedTransfersKeepTheirOrder) {
  Bench bench(false);
  const auto data = bench.fill(kHbm, 4096 * 16, 9);
  Transfer second = transfer(Direction::store, 4096 * 50, 0);
  second.waits = {{kGo, 1}};
  Script script([&] {
    bench.queue.start({transfer(Direction::load, 0, 0), second});
    at(10);
    EXPECT_EQ(bench.semaphore(kDone), 16);
    bench.sync.apply({isa::UpdateMode::sem_inc_complete, 5, 0}, "script");
  });
  sc_core::sc_start();
  EXPECT_EQ(bench.semaphore(kDone), 32);
  EXPECT_EQ(bench.bytes(kHbm + 4096 * 50, 800), std::vector<std::uint8_t>(data.begin(), data.begin() + 800));
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(10, sc_core::SC_NS));
  EXPECT_TRUE(bench.ports.jobs.empty());
}

TEST(DmaQueue, RunsOneListAfterAnother) {
  Bench bench;
  Script script([&] {
    bench.queue.start({transfer(Direction::load, 0, 0)});
    sc_core::wait(bench.queue.ended());
    EXPECT_FALSE(bench.queue.busy());
    at(1000);
    bench.queue.start({transfer(Direction::load, 0, 0)});
  });
  sc_core::sc_start();
  ASSERT_EQ(bench.records.size(), 2U);
  EXPECT_NEAR(ns(bench.records[1].start_fs - bench.records[0].end_fs), 1000 + 1300, 2);
  EXPECT_EQ(bench.semaphore(kDone), 32);
}

void expect_fault(const Transfer& bad, const std::string& reason) {
  Bench bench;
  Transfer never = transfer(Direction::load, 0, 0);
  Script script([&] { bench.queue.start({transfer(Direction::load, 0, 0), bad, never}); });
  sc_core::sc_start();
  EXPECT_EQ(bench.queue.state(), DmaQueue::State::fault);
  EXPECT_FALSE(bench.queue.busy());
  EXPECT_EQ(bench.queue.current(), 1U);
  EXPECT_EQ(bench.semaphore(kDone), 16) << "only the first one has completed";
  EXPECT_NE(bench.queue.fault().find("dma ring 0 transfer 1 (tile): " + reason), std::string::npos)
      << bench.queue.fault();
}
TEST(DmaQueue, UnreachableHbmIsAFaultOfALoad) {
  expect_fault(transfer(Direction::load, (1 << 20) - 4096 * 15 - 799, 0), "no memory at 0xffce1 + 800 bytes of HBM");
}
TEST(DmaQueue, UnreachableHbmIsAFaultOfAStore) {
  expect_fault(transfer(Direction::store, std::uint64_t{1} << 50, 0),
               "no memory at 0x4000000000000 + 800 bytes of HBM");
}
TEST(DmaQueue, HbmAddressesDoNotWrapIntoOtherMemories) {
  expect_fault(transfer(Direction::load, ~std::uint64_t{0} - kHbm + 1, 0, 1), "no memory at 0xffffff0000000000");
}
TEST(DmaQueue, RowsPastThePartitionsAreAFault) {
  expect_fault(transfer(Direction::load, 0, 0, 126), "126 rows from partition 3 go past partition 127");
}
TEST(DmaQueue, RowsPastTheActiveBytesAreAFault) {
  expect_fault(transfer(Direction::load, 0, 0x38000 - 799),
               "800 bytes from offset 0x37ce1 go past the 229376 active bytes");
}

}  // namespace
}  // namespace dma_queue_test
}  // namespace dve
