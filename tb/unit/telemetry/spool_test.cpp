// The sorter behind the VCD recorder, reached through it: memory stays bounded, order is total.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "events.h"

namespace dve {
namespace spool_test {
namespace {

using namespace telemetry;
using namespace telemetry_events;
using testing_support::ScratchFolder;

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// A run that is six times as long takes no more memory, in any format. The two engines are half a run apart, which is
// the worst that the order of events can be.
TEST(TraceMemory, DoesNotGrowWithTheRun) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer keeps freed memory";
#endif
  const ScratchFolder folder;
  const auto record = [&](Format format, const char* name, std::uint64_t words) {
    const std::unique_ptr<Recorder> recorder = make_recorder(format, folder / name, {});
    for (const isa::Engine engine : {isa::Engine::dve, isa::Engine::pool}) {
      for (std::uint64_t k = 0; k < words; ++k) {
        InstructionEvent word = grad_accumulate(100 * k);
        word.engine = engine;
        recorder->instruction(word);
        if (engine == isa::Engine::dve) recorder->semaphore({5, static_cast<std::int32_t>(k), "dve", 100 * k * kCycle});
      }
    }
    recorder->finish();
  };
  const std::pair<Format, const char*> formats[] = {{Format::perfetto, "t.json"},
                                                    {Format::perfetto_gzip, "t.json.gz"},
                                                    {Format::vcd, "t.vcd"},
                                                    {Format::csv, "t.csv"}};
  for (const auto& [format, name] : formats) record(format, name, 1'000);
  const long before = peak_kilobytes();
  for (const auto& [format, name] : formats) record(format, name, 6'000);
  // Kept in memory, the 15e4 changes of the long VCD would take 4.6 MB and the text of the long JSON trace 20 MB.
  EXPECT_LT(peak_kilobytes() - before, 2 * 1024) << "kB more for a run six times as long";
}

}  // namespace
}  // namespace spool_test
}  // namespace dve
