#include "plan_checks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace dve::test {
namespace {

using runtime::Program;

// Ranges in the order given cover [0, n) once.
bool covers(const std::vector<runtime::ElementRange>& ranges, std::uint64_t n) {
  std::uint64_t covered = 0;
  for (const runtime::ElementRange& r : ranges) {
    if (r.first != covered || r.count == 0) return false;
    covered += r.count;
  }
  return covered == n;
}

void expect_legal(const Program& program) {
  const bool bytes = program.request.switches.param_ram_offset_unit == numerics::ParamRamOffsetUnit::byte;
  std::vector<runtime::Stream> streams = program.streams;
  if (streams.empty()) streams.push_back({isa::Engine::dve, 0, program.words.size()});
  std::size_t covered = 0;
  for (const runtime::Stream& stream : streams) {
    EXPECT_EQ(stream.first, covered);
    covered += stream.count;
    for (std::size_t i = 0; i < stream.count; ++i) {
      for (const auto rule : {isa::ActiveChannelRule::quadrant, isa::ActiveChannelRule::sum128}) {
        const isa::LegalityOptions options{program.request.generation, rule, bytes ? 1U : 4U, stream.engine};
        for (const isa::Finding& finding : isa::check(program.words[stream.first + i], options)) {
          ADD_FAILURE() << isa::to_string(stream.engine) << " word " << i << ": " << isa::to_string(finding);
          return;
        }
      }
    }
  }
  EXPECT_EQ(covered, program.words.size());
}

// K parts, the first ones one element longer; a tile lies in one of them.
void expect_microbatches(const Program& program) {
  const runtime::PlanRequest& r = program.request;
  for (const runtime::Pass& pass : program.passes) {
    std::uint64_t end = 0;
    std::size_t tile = 0;
    for (std::uint64_t k = 0; k < r.microbatches; ++k) {
      end += r.elements / r.microbatches + (k < r.elements % r.microbatches ? 1 : 0);
      while (tile < pass.tiles.size() && pass.tiles[tile].first + pass.tiles[tile].count < end) ++tile;
      ASSERT_LT(tile, pass.tiles.size());
      ASSERT_EQ(pass.tiles[tile].first + pass.tiles[tile].count, end) << "microbatch " << k << " ends inside a tile";
    }
  }
}

void expect_covered(const Program& program, Coverage& coverage) {
  const runtime::PlanRequest& r = program.request;
  const bool full = r.step == runtime::Step::full;
  std::uint64_t longest = 0;
  for (const runtime::Pass& pass : program.passes) {
    const std::uint32_t first = pass.channels.first;
    EXPECT_TRUE(covers(coverage.sums[first], r.elements));
    EXPECT_TRUE(covers(coverage.gradients[first], r.elements));
    EXPECT_TRUE(covers(coverage.stored[first], r.elements));
    EXPECT_EQ(covers(coverage.stats[first], r.elements), !r.statistics_given);
    EXPECT_EQ(covers(coverage.forward[first], r.elements), full);
    EXPECT_EQ(covers(coverage.stored_y[first], r.elements), full);
    std::set<std::string> vectors = {"sums"};
    if (!r.statistics_given) vectors.insert("mean");
    if (full) vectors.insert("inv_std");
    EXPECT_EQ(coverage.stored_vectors[first], vectors);
    EXPECT_EQ(coverage.sums[first].size(), pass.tiles.size());
    for (const auto& range : coverage.sums[first]) longest = std::max(longest, range.count);
    for (const auto& range : coverage.stats[first]) EXPECT_LE(range.count, 512U);
  }
  EXPECT_EQ(runtime::longest_stream(program), longest);
  EXPECT_EQ(runtime::triples_per_channel(program), 2 * coverage.stats[0].size());
}

}  // namespace

std::string describe(const runtime::PlanRequest& r) {
  return fmt::format(
      "{} channels {} elements {} microbatches {} {} {} {} place {} {} {} {} {} dst_order {} form {} src0 {} table {} "
      "{}",
      r.step == runtime::Step::full ? "full" : "backward", r.channels, r.elements, r.microbatches, isa::name(r.dtype),
      r.statistics_given ? "given" : "device", isa::to_string(r.generation), isa::to_string(r.place.x),
      isa::to_string(r.place.dy), isa::to_string(r.place.dx), isa::to_string(r.place.y), isa::to_string(r.place.sums),
      static_cast<int>(r.switches.dst_order), static_cast<int>(r.switches.backprop_form),
      static_cast<int>(r.switches.src0_is), static_cast<int>(r.switches.param_ram_index),
      static_cast<int>(r.switches.param_ram_offset_unit));
}

void check_plan(const runtime::PlanRequest& r, std::uint32_t orders) {
  SCOPED_TRACE(describe(r));
  const Program program = runtime::plan(r);
  const std::uint32_t passes = (r.channels + 127) / 128;
  ASSERT_EQ(program.passes.size(), passes);
  for (std::uint32_t p = 0; p < passes; ++p) {
    EXPECT_EQ(program.passes[p].channels.first, 128 * p);
    EXPECT_EQ(program.passes[p].channels.count, std::min(128U, r.channels - 128 * p));
  }
  expect_legal(program);
  expect_microbatches(program);
  for (std::uint32_t order = 0; order < orders; ++order) {
    Coverage coverage;
    for (const std::string& problem : walk(program, coverage, order)) {
      ADD_FAILURE() << "order " << order << ": " << problem;
      return;
    }
    expect_covered(program, coverage);
  }
}

}  // namespace dve::test
