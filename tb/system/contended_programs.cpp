#include "system/contended_programs.h"

#include <algorithm>

#include "support/control_words.h"
#include "support/random_operands.h"
#include "support/tensor_word_builder.h"

namespace dve::testing_support {
namespace {

using isa::AluOp;
using isa::Dtype;
using isa::Engine;
using isa::Generation;
using isa::Opcode;

constexpr std::uint32_t kSourceBytes = 0x10000, kRows = 0x10000, kRowBytes = 0x400, kPsumRows = 0x2000;
constexpr std::uint32_t kRowCount = 64;  // of all engines, four banks of SBUF
constexpr std::uint8_t kMade = 10;       // semaphores, one an engine: rows it has made

class Programs {
 public:
  Programs(Generation generation, unsigned seed) : generation_(generation), random_(seed), build_(generation) {}

  // Every engine on its own.
  std::vector<EngineProgram> independent(std::size_t words) {
    std::vector<EngineProgram> all;
    for (const Engine engine : isa::kEngines) {
      EngineProgram program{engine, first_words(engine)};
      for (std::size_t i = 0; i < words; ++i) program.words.push_back(word(engine, any_source(), free_row(engine)));
      all.push_back(std::move(program));
    }
    return all;
  }

  // Each row goes from the DVE to ACT to POOL, and the DVE waits for POOL now and then.
  std::vector<EngineProgram> chained(std::size_t words) {
    const Engine order[] = {Engine::dve, Engine::act, Engine::pool};
    std::vector<EngineProgram> all;
    for (std::size_t stage = 0; stage < 3; ++stage) {
      EngineProgram program{order[stage], first_words(order[stage])};
      for (std::uint32_t i = 0; i < words; ++i) {
        isa::Events events =
            updates(below(random_, 3) == 0 ? isa::UpdateMode::sem_inc_read : isa::UpdateMode::sem_inc_complete,
                    static_cast<std::uint8_t>(kMade + stage));
        const std::uint32_t threshold = stage > 0 ? i + 1 : i >= 4 && i % 3 == 0 ? i - 3 : 0;
        if (threshold != 0) {
          events.wait_mode = isa::WaitMode::sem_ge_imm;
          events.wait_idx = static_cast<std::uint8_t>(kMade + (stage + 2) % 3);
          events.semaphore_value = threshold;
        }
        const std::uint32_t row = 3 * (i % (kRowCount / 3));
        const std::uint32_t from = stage == 0 ? any_source() : row_offset(row + static_cast<std::uint32_t>(stage) - 1);
        program.words.push_back(
            with_events(word(order[stage], from, row_offset(row + static_cast<std::uint32_t>(stage))), events));
      }
      all.push_back(std::move(program));
    }
    return all;
  }

 private:
  static std::uint32_t row_offset(std::uint32_t row) { return kRows + kRowBytes * row; }
  std::uint32_t any_source() { return 8 * below(random_, (kSourceBytes - 4096) / 8); }
  std::uint32_t free_row(Engine engine) {
    return row_offset(3 * below(random_, kRowCount / 3) + static_cast<std::uint32_t>(isa::index_of(engine)));
  }
  std::vector<isa::Word> first_words(Engine engine) const {
    if (engine != Engine::act) return {};
    return {isa::encode(build_.table_load(0))};
  }

  // A legal word of the engine.
  isa::Word word(Engine engine, std::uint32_t from, std::uint32_t to) {
    isa::LegalityOptions options;
    options.generation = generation_;
    options.engine = engine;
    while (true) {
      const isa::Word candidate = any_word(engine, from, to);
      if (isa::check(candidate, options).empty()) return candidate;
    }
  }

  isa::Word any_word(Engine engine, std::uint32_t from, std::uint32_t to) {
    const Dtype d = pick(random_, kDtypes);
    const auto bytes = static_cast<std::uint32_t>(isa::storage_size(d).value);
    const auto n = static_cast<std::uint16_t>(1 + below(random_, kRowBytes / std::max(bytes, 2U)));
    TensorSpec a = row(sbuf(0, from), n, d), dst = row(sbuf(0, to), n, d);
    const TensorSpec b = row(sbuf(0, any_source()), n, d);
    const bool psum_ok = generation_ != Generation::maverick && engine != Engine::pool;
    if (psum_ok && below(random_, 3) == 0) a.place = psum(0, 8 * below(random_, 512));
    if (psum_ok && below(random_, 4) == 0 && n <= 128)
      dst.place = psum(0, kPsumRows + 512 * static_cast<std::uint32_t>(isa::index_of(engine)));
    // Further rows may be in the making.
    if (below(random_, 5) == 0 && n <= 200 && from < kRows) a.steps[0] = static_cast<std::int16_t>(16 / bytes + 1);
    switch (below(random_, 5)) {
      case 0:
        return isa::encode(
            build_.tensor_tensor(Opcode::tensor_tensor_arith_op, a, b, dst, AluOp::add, kContendedChannels));
      case 1:
        return isa::encode(build_.memset(dst, 0, kContendedChannels));
      case 2:
        return isa::encode(build_.tensor_reduce(Opcode::tensor_reduce_arith_op, a, row(dst.place, 1, d), AluOp::max, 1,
                                                kContendedChannels));
      case 3:
        if (engine == Engine::act)
          return isa::encode(build_.activate(isa::ActivationFunc::identity, a, dst, kContendedChannels));
        [[fallthrough]];
      default:
        return isa::encode(build_.tensor_reduce(Opcode::copy, a, dst, AluOp::bypass, 0, kContendedChannels));
    }
  }

  static constexpr Dtype kDtypes[] = {Dtype::fp32, Dtype::fp32, Dtype::bf16, Dtype::bf16, Dtype::uint8};
  Generation generation_;
  Rng random_;
  TensorWordBuilder build_;
};

}  // namespace

std::vector<EngineProgram> independent_programs(Generation generation, unsigned seed, std::size_t words) {
  return Programs(generation, seed).independent(words);
}

std::vector<EngineProgram> chained_programs(Generation generation, unsigned seed, std::size_t words) {
  return Programs(generation, seed).chained(words);
}

std::vector<dma::TrafficStream> contended_neighbours(Generation generation, std::uint64_t bytes) {
  const auto stream = [&](const char* name, contention::User user, isa::Space space, bool write, std::uint32_t offset) {
    dma::TrafficStream s;
    s.name = name;
    s.user = user;
    s.write = write;
    s.start = {space, isa::Partition{0}, offset};
    s.bytes_per_partition = bytes;
    s.repeat = 1'000'000;
    return s;
  };
  std::vector<dma::TrafficStream> all = {stream("weights", contention::User::pe0, isa::Space::sbuf, false, 0),
                                         stream("load", contention::User::dma0, isa::Space::sbuf, true, 0x12000),
                                         stream("late", contention::dma_engine(15), isa::Space::sbuf, false, 0x10000)};
  all[0].burst_beats = 40;
  all[0].burst_gap_cycles = 21;
  all[1].bytes_per_ns = 184;
  all[2].start_ns = 1000;
  all[2].repeat = 2;
  if (generation != Generation::maverick) {
    all.push_back(stream("results", contention::User::pe1, isa::Space::psum, true, 0));
    all.back().bytes_per_partition = std::min<std::uint64_t>(bytes, kContendedPsumBytes);
    all.back().bytes_per_ns = 500;
  }
  return all;
}

}  // namespace dve::testing_support
