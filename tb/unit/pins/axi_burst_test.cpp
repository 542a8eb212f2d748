// Bursts of AXI4 as plain values: rules, lanes, addresses, and how a transfer is cut.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "dve/pin_protocol/pin_protocol.h"

namespace axi_burst_test {

using namespace dve::pins;

AxiAddress burst(AxiBurst type, std::uint64_t address, std::uint32_t beats, std::uint32_t size) {
  return {0, address, beats - 1, size, type};
}

TEST(AxiBurst, EachRuleOfABurst) {
  struct Case {
    AxiAddress burst;
    std::string broken;
  };
  const std::vector<Case> cases = {
      {burst(AxiBurst::incr, 0, 256, 3), ""},
      {burst(AxiBurst::incr, 4096 - 2048, 256, 3), ""},
      {burst(AxiBurst::incr, 4096 - 2048 + 8, 256, 3), "crosses_4k"},
      {burst(AxiBurst::incr, 4095, 1, 3), ""},  // the rest of an unaligned beat
      {burst(AxiBurst::incr, 4095, 2, 3), "crosses_4k"},
      {burst(AxiBurst::incr, UINT64_MAX, 2, 0), "crosses_4k"},
      {burst(AxiBurst::incr, 0, 1, 4), "size_too_wide"},
      {burst(AxiBurst::fixed, 0, 1, 4), "size_too_wide"},
      {burst(AxiBurst::wrap, 0, 2, 4), "size_too_wide"},
      {burst(AxiBurst::fixed, 4093, 16, 3), ""},
      {burst(AxiBurst::fixed, 0, 17, 3), "fixed_length"},
      {burst(AxiBurst::wrap, 4096 - 8, 16, 3), ""},
      {burst(AxiBurst::wrap, 4, 2, 2), ""},
      {burst(AxiBurst::wrap, 4, 1, 2), "wrap_length"},
      {burst(AxiBurst::wrap, 4, 3, 2), "wrap_length"},
      {burst(AxiBurst::wrap, 4, 32, 2), "wrap_length"},
      {burst(AxiBurst::wrap, 4, 4, 3), "wrap_alignment"},
      {burst(AxiBurst::reserved, 0, 1, 0), "burst_reserved"},
  };
  for (const Case& one : cases) {
    const char* rule = broken_burst_rule(one.burst, 8);
    EXPECT_EQ(rule == nullptr ? "" : rule, one.broken) << one.burst.address << ", " << one.burst.beats();
  }
}

// The equations of the specification (AXI4, "Transfer address"), beat by beat.
struct Spec {
  std::uint64_t number_bytes, burst_length, start, aligned, wrap_boundary;
  explicit Spec(const AxiAddress& a)
      : number_bytes(std::uint64_t{1} << a.size),
        burst_length(a.length + 1),
        start(a.address),
        aligned(start / number_bytes * number_bytes),
        wrap_boundary(start / (number_bytes * burst_length) * (number_bytes * burst_length)) {}
  std::uint64_t address(const AxiAddress& a, std::uint64_t n) const {  // n from 1
    if (n == 1 || a.burst == AxiBurst::fixed) return start;
    const std::uint64_t address = aligned + (n - 1) * number_bytes;
    if (a.burst == AxiBurst::incr || address < wrap_boundary + number_bytes * burst_length) return address;
    return start + (n - 1) * number_bytes - number_bytes * burst_length;
  }
};

TEST(AxiBurst, LanesAndAddressesAreThoseOfTheSpecification) {
  std::mt19937_64 random(7);
  int checked = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::size_t bus = std::size_t{1} << random() % 8;
    const AxiAddress a = burst(static_cast<AxiBurst>(random() % 3), random() % 9000,
                               static_cast<std::uint32_t>(1 + random() % (random() % 2 == 0 ? 16 : 256)),
                               static_cast<std::uint32_t>(random() % 8));
    if (broken_burst_rule(a, bus) != nullptr) continue;
    ++checked;
    const Spec spec(a);
    std::vector<std::uint64_t> expected, got;
    for (std::uint64_t n = 1; n <= a.beats(); ++n) {
      const std::uint64_t address = spec.address(a, n);
      const std::uint64_t lower = address - address / bus * bus;
      const std::uint64_t beat_aligned = n == 1 || a.burst == AxiBurst::fixed ? spec.aligned : address;
      const std::uint64_t upper = beat_aligned + (spec.number_bytes - 1) - address / bus * bus;
      const AxiLanes lanes = lanes_of(a, static_cast<std::uint32_t>(n - 1), bus);
      ASSERT_EQ(lanes.first, lower);
      ASSERT_EQ(lanes.end, upper + 1);
      for (std::uint64_t lane = lower; lane <= upper; ++lane) expected.push_back(address / bus * bus + lane);
    }
    for (const AxiSegment& segment : segments_of(a)) {
      for (std::uint64_t byte = 0; byte < segment.length; ++byte) {
        got.push_back(segment.address + byte % segment.width);
      }
    }
    ASSERT_EQ(got, expected);
  }
  EXPECT_GT(checked, 5000);
}

TEST(AxiBurst, ATransferBecomesTheFewestBursts) {
  struct Case {
    std::uint64_t address, length;
    std::vector<AxiAddress> bursts;
  };
  const auto incr = [](std::uint64_t address, std::uint32_t beats, std::uint32_t size) {
    return AxiAddress{5, address, beats - 1, size, AxiBurst::incr};
  };
  const std::vector<Case> cases = {
      {0, 8, {incr(0, 1, 3)}},
      {3, 1, {incr(3, 1, 0)}},
      {2, 2, {incr(2, 1, 1)}},
      {3, 2, {incr(3, 1, 3)}},  // 3 and 4 share nothing smaller than the word
      {5, 2, {incr(5, 1, 2)}},
      {5, 3, {incr(5, 1, 2)}},
      {5, 4, {incr(5, 2, 3)}},
      {8, 2048, {incr(8, 256, 3)}},
      {7, 2048, {incr(7, 256, 3), incr(2048, 1, 3)}},
      {4090, 16, {incr(4090, 1, 3), incr(4096, 2, 3)}},
      {4096 - 8, 16, {incr(4096 - 8, 1, 3), incr(4096, 1, 3)}},
      {100, 5000, {incr(100, 256, 3), incr(2144, 244, 3), incr(4096, 126, 3)}},
  };
  for (const Case& one : cases) {
    WordPieces pieces(8);
    pieces.append(one.address, 0, one.length);
    const std::vector<AxiManagedBurst> bursts = bursts_of(pieces.list(), 8, 5);
    ASSERT_EQ(bursts.size(), one.bursts.size()) << one.address << ", " << one.length;
    std::size_t pieces_before = 0;
    for (std::size_t i = 0; i < bursts.size(); ++i) {
      EXPECT_TRUE(bursts[i].address == one.bursts[i])
          << one.address << ", " << one.length << ", burst " << i << ": " << bursts[i].address.address << " "
          << bursts[i].address.beats() << " " << bursts[i].address.size;
      EXPECT_EQ(bursts[i].first_piece, pieces_before);
      pieces_before += bursts[i].address.beats();
    }
    EXPECT_EQ(pieces_before, pieces.list().size());
  }
}

TEST(AxiBurst, WordsThatAreSkippedOrComeAgainBeginABurst) {
  WordPieces pieces(8);
  pieces.append(0, 0, 8);
  pieces.append(16, 16, 8);  // word 1 has no byte
  pieces.append(16, 24, 8);  // streaming
  pieces.append(24, 32, 8);
  const std::vector<AxiManagedBurst> bursts = bursts_of(pieces.list(), 8, 0);
  ASSERT_EQ(bursts.size(), 3U);
  EXPECT_EQ(bursts[1].address.address, 16U);
  EXPECT_EQ(bursts[1].address.beats(), 1U);
  EXPECT_EQ(bursts[2].address.address, 16U);
  EXPECT_EQ(bursts[2].address.beats(), 2U);
}

}  // namespace axi_burst_test
