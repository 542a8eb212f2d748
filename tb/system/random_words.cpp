#include "system/random_words.h"

#include <gtest/gtest.h>

#include <cstring>

#include "golden/golden.h"
#include "support/core_bench.h"
#include "support/random_batch_norm.h"
#include "support/words.h"

namespace dve::testing_support {
namespace {

// The two memories of device and golden side by side.
class Mirror {
 public:
  Mirror(golden::Device& device, Host& host) : device_(device), host_(host) {}

  // Golden contents of partitions to the device.
  void push(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t p = first; p < first + count; ++p) {
      host_.write(sbuf(p, 0), &device_.memory.at(golden::Space::sbuf, p, 0), kBatchNormSbufBytes);
      host_.write(psum(p, 0), &device_.memory.at(golden::Space::psum, p, 0), kBatchNormPsumBytes);
    }
  }
  // Every byte of the partitions is what the golden says.
  bool equal(std::uint32_t first, std::uint32_t count) {
    std::vector<std::uint8_t> bytes(kBatchNormSbufBytes);
    for (std::uint32_t p = first; p < first + count; ++p) {
      host_.read(sbuf(p, 0), bytes.data(), kBatchNormSbufBytes);
      if (std::memcmp(bytes.data(), &device_.memory.at(golden::Space::sbuf, p, 0), kBatchNormSbufBytes) != 0)
        return false;
      host_.read(psum(p, 0), bytes.data(), kBatchNormPsumBytes);
      if (std::memcmp(bytes.data(), &device_.memory.at(golden::Space::psum, p, 0), kBatchNormPsumBytes) != 0)
        return false;
    }
    return true;
  }

 private:
  golden::Device& device_;
  Host& host_;
};

}  // namespace

void compare_random_words(const RandomWords& choice) {
  const BatchNormVariant v{(choice.variant & 1) != 0, (choice.variant & 2) != 0, (choice.variant & 4) != 0, false};
  const golden::Options options = golden_options(v);
  golden::Device golden_device(options, kBatchNormSbufBytes, kBatchNormPsumBytes);
  golden_device.load_reciprocals();
  CoreBench bench(preset(isa::Generation::cayman, settings_of(v)), "core", 0, choice.lanes);
  const auto outcome = bench.run([&](Host& host) {
    const WordBuilder build(isa::Generation::cayman);
    Mirror mirror(golden_device, host);
    CoreBench::execute(host, build.load_reciprocals());
    for (int round = 0; round < choice.rounds; ++round) {
      const auto seed = static_cast<unsigned>(1000 * choice.variant + round);
      SCOPED_TRACE("seed " + std::to_string(seed));
      const BatchNormRound round_words(seed, isa::Generation::cayman, options, golden_device);
      mirror.push(round_words.partition(), round_words.channels());
      for (int repeat = 0; repeat < 2; ++repeat) {
        CoreBench::execute(host, round_words.words());
        for (const auto& fault : bench.core().seq().faults()) ADD_FAILURE() << isa::to_string(fault.finding);
        if (!bench.core().seq().faults().empty()) return;
        round_words.apply(golden_device);
        ASSERT_TRUE(mirror.equal(round_words.partition(), round_words.channels()))
            << "repeat " << repeat << ", n " << round_words.elements() << ", channels " << int{round_words.channels()};
      }
    }
  });
  EXPECT_EQ(outcome.status, RunStatus::ok);
}

}  // namespace dve::testing_support
