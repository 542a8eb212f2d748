// What must not change results: abstraction, DMI, quantum, generation of host addresses.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "support/core_bench.h"
#include "support/words.h"

namespace dve {
namespace {

using namespace testing_support;
using isa::Dtype;
using isa::Opcode;

constexpr std::uint32_t kWindow = 0x8000;  // bytes of each partition that the program uses
constexpr std::uint32_t kChannels = 40;

// A program with every delivered opcode, strided and reversed streams, waits on its own semaphores and READ updates.
std::vector<isa::Word> program() {
  const WordBuilder build(isa::Generation::cayman);
  std::vector<isa::Word> words = build.load_reciprocals();
  const TensorSpec mean = row(sbuf(0, 0x7000), 1), inv_std = row(sbuf(0, 0x7004), 1), sums = row(sbuf(0, 0x7008), 3);
  TensorSpec x{sbuf(0, 0x0000), Dtype::fp32, {100, 3}, {2, 300}};
  TensorSpec dy{sbuf(0, 0x2000 + 299 * 4), Dtype::fp32, {300}, {-1}};
  const auto push = [&](isa::Instruction word) { words.push_back(isa::encode(word)); };
  push(build.statistics(Opcode::batch_norm_stats2, row(sbuf(0, 0), 301), row(sbuf(0, 0x7100), 6), kChannels));
  push(build.statistics(Opcode::batch_norm_stats, row(sbuf(0, 0), 77), row(sbuf(0, 0x7180), 3), kChannels));
  push(build.statistics(Opcode::transpose_batch_norm_stats2, row(sbuf(0, 0), 64), row(sbuf(0, 0x7200), 6), 32));
  push(build.statistics(Opcode::batch_norm_aggregate, row(sbuf(0, 0x7100), 6), row(sbuf(0, 0x7000), 2), kChannels));
  push(build.grad_accumulate(x, dy, sums, mean, inv_std, kChannels));
  auto second = build.grad_accumulate2(x, dy, row(sbuf(0, 0x7300), 3), mean, inv_std, kChannels);
  second.events.update_mode = isa::UpdateMode::sem_inc_read;
  second.events.update_idx = 40;
  push(second);
  auto load = build.param_load(sums, mean, 300, kChannels);
  load.events.wait_mode = isa::WaitMode::sem_ge_imm;
  load.events.wait_idx = 40;
  load.events.semaphore_value = 1;
  push(load);
  push(build.back_prop(x, dy, row(sbuf(0, 0x4000), 300), kChannels));
  push(build.param_load2(row(sbuf(0, 0x7300), 2), inv_std, mean, 300, kChannels));
  push(build.back_prop(x, dy, {psum(0, 0x100), Dtype::fp32, {300}, {1}}, kChannels));
  return words;
}

// Runs the program twice on one core and returns the window of every partition of both memories.
struct ProgramRun {
  std::unique_ptr<CoreBench> bench;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> completes;
  bool withdraw_dmi = false;
};

void drive(ProgramRun& run) {
  run.bench->drive([&run](Host& host) {
    std::mt19937 random(77);
    std::vector<float> values(kWindow / 4);
    for (std::uint32_t p = 0; p < kChannels; ++p) {
      for (float& v : values) v = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 256.0f;
      host.write(sbuf(p, 0), reinterpret_cast<const std::uint8_t*>(values.data()), kWindow);
      host.write(psum(p, 0), reinterpret_cast<const std::uint8_t*>(values.data()), 0x1000);
    }
    CoreBench::execute(host, program());
    if (run.withdraw_dmi) run.bench->core().sbuf.allow_dmi(false);  // in the middle: grants must not be used any more
    CoreBench::execute(host, program());
    std::vector<std::uint8_t> part(kWindow);
    for (std::uint32_t p = 0; p < kChannels; ++p) {
      host.read(sbuf(p, 0), part.data(), kWindow);
      run.bytes.insert(run.bytes.end(), part.begin(), part.end());
      host.read(psum(p, 0), part.data(), 0x1000);
      run.bytes.insert(run.bytes.end(), part.begin(), part.begin() + 0x1000);
    }
    for (const Retirement& word : run.bench->retired) run.completes.push_back(word.schedule.complete.value);
  });
}

TEST(Equivalence, AbstractionDmiAndQuantumChangeNeitherBytesNorCycles) {
  const std::vector<std::vector<std::string>> variants = {
      {},
      {"dmi=false"},
      {"quantum_ns=0"},
      {"quantum_ns=333.7"},
      {"quantum_ns=333.7", "dmi=false"},
      {"abstraction=functional"},
      {"abstraction=functional", "dmi=false"},
      {"poison_seed=99"},
      {},  // with DMI withdrawn between the two programs
  };
  std::vector<ProgramRun> runs(variants.size());
  for (std::size_t i = 0; i < variants.size(); ++i) {
    runs[i].bench =
        std::make_unique<CoreBench>(preset(isa::Generation::cayman, variants[i]), ("core" + std::to_string(i)).c_str());
    runs[i].withdraw_dmi = i + 1 == variants.size();
    drive(runs[i]);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunOutcome outcome = runs[i].bench->finish();
    for (const auto& fault : runs[i].bench->core().seq().faults()) ADD_FAILURE() << isa::to_string(fault.finding);
    ASSERT_EQ(outcome.status, RunStatus::ok) << "variant " << i;
    ASSERT_EQ(runs[i].bytes, runs[0].bytes) << "variant " << i;
    const bool functional = !variants[i].empty() && variants[i][0] == "abstraction=functional";
    if (functional)
      EXPECT_EQ(outcome.cycles.value, 0u);
    else
      EXPECT_EQ(runs[i].completes, runs[0].completes) << "variant " << i;
  }
}

}  // namespace
}  // namespace dve
