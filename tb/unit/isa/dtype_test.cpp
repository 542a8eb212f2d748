#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "dve/isa/isa.h"

namespace dve::isa {
namespace dtype_test {

using Codes = std::set<unsigned>;

Codes range(unsigned first, unsigned last) {
  Codes codes;
  for (unsigned c = first; c <= last; ++c) codes.insert(c);
  return codes;
}

Codes both(Codes a, const Codes& b) {
  a.insert(b.begin(), b.end());
  return a;
}

// isa.md 4.1: the column "gens".
Codes members(Generation generation) {
  Codes codes = range(0, 0xF);
  const int version = core_version(generation);
  if (version >= 4) codes = both(codes, both({0x10}, range(0x19, 0x1F)));
  if (version >= 5) codes = both(codes, range(0x11, 0x16));
  return codes;
}

// Runs `holds` on all 256 codes and compares the set of those that pass.
template <class Predicate>
void expect_set(const char* what, const Codes& expected, Predicate holds) {
  for (unsigned c = 0; c < 256; ++c) {
    EXPECT_EQ(holds(static_cast<Dtype>(c)), expected.count(c) == 1) << what << " of code " << c;
  }
}

TEST(Dtype, MembershipPerGeneration) {
  const std::map<Generation, std::size_t> sizes = {{Generation::sunda, 16},
                                                   {Generation::cayman, 16},
                                                   {Generation::mariana, 24},
                                                   {Generation::mariana_plus, 24},
                                                   {Generation::maverick, 30}};
  for (const Generation generation : kGenerations) {
    SCOPED_TRACE(to_string(generation));
    EXPECT_EQ(members(generation).size(), sizes.at(generation));
    expect_set("is_dtype_member", members(generation), [&](Dtype d) { return is_dtype_member(d, generation); });
  }
}

TEST(Dtype, StorageSizes) {
  const std::map<unsigned, unsigned> bytes = {{1, 8},   {2, 1},    {3, 1},    {4, 2},    {5, 2},    {6, 2},   {7, 2},
                                              {8, 4},   {9, 4},    {0xA, 4},  {0xB, 4},  {0xC, 8},  {0xD, 1}, {0xE, 1},
                                              {0xF, 1}, {0x11, 1}, {0x13, 1}, {0x14, 1}, {0x15, 1}, {0x16, 1}};
  for (unsigned c = 0; c < 256; ++c) {
    const auto found = bytes.find(c);
    const unsigned expected = found == bytes.end() ? 0 : found->second;
    EXPECT_EQ(storage_size(static_cast<Dtype>(c)), Bytes(expected)) << c;
    for (const unsigned n : {0u, 1u, 2u, 4u, 8u}) {
      EXPECT_EQ(type_size_check(static_cast<Dtype>(c), Bytes(n)), n != 0 && n == expected) << c << ", " << n;
    }
  }
}

TEST(Dtype, AlignmentOfAddresses) {
  const std::map<unsigned, unsigned> alignment = {{1, 8},   {2, 1},   {3, 1},   {4, 2},   {5, 2},
                                                  {6, 2},   {7, 2},   {8, 4},   {9, 4},   {0xA, 4},
                                                  {0xB, 4}, {0xC, 8}, {0xD, 1}, {0xE, 1}, {0xF, 1}};
  for (const Generation generation : kGenerations) {
    for (unsigned c = 0; c < 256; ++c) {
      const auto found = alignment.find(c);
      unsigned expected = found == alignment.end() ? 0 : found->second;
      if (c == 0x10 && core_version(generation) >= 4) expected = 1;
      EXPECT_EQ(dtype_alignment(static_cast<Dtype>(c), generation), Bytes(expected)) << to_string(generation) << c;
      for (const std::uint32_t address : {0u, 1u, 2u, 3u, 4u, 6u, 8u, 12u, 0xE0000004u, 0x20000008u}) {
        const bool aligned = expected != 0 && (address & 0x1FFFFFFF) % expected == 0;
        EXPECT_EQ(addr_aligned_dtype(address, static_cast<Dtype>(c), generation), aligned) << c << " " << address;
      }
    }
  }
}

TEST(Dtype, NamesRoundTrip) {
  std::set<std::string_view> seen;
  for (unsigned c = 0; c < 256; ++c) {
    const auto d = static_cast<Dtype>(c);
    EXPECT_TRUE(seen.insert(name(d)).second) << name(d);
    EXPECT_EQ(dtype_from_string(name(d)), d) << name(d);
  }
  EXPECT_EQ(name(Dtype::fp32), "fp32");
  EXPECT_EQ(name(Dtype::bf16), "bf16");
  EXPECT_EQ(name(Dtype::invalid), "invalid");
  EXPECT_EQ(name(static_cast<Dtype>(0x2A)), "0x2a");
  for (const char* text : {"", "fp33", "FP32", "0x2", "0x2A0"})
    EXPECT_FALSE(dtype_from_string(text).has_value()) << text;
}

TEST(Dtype, PairIsLowNibbleFirst) {
  for (unsigned b = 0; b < 256; ++b) {
    const DtypePair pair = DtypePair::from_byte(static_cast<std::uint8_t>(b));
    EXPECT_EQ(code(pair.lo), b & 0xF);
    EXPECT_EQ(code(pair.hi), b >> 4);
    EXPECT_EQ(pair.byte(), b);
  }
}

TEST(DtypePredicates, ValidDtypePerGeneration) {
  const Codes refused_always = {0, 1, 0xC};
  const Codes refused_v5 = {0x10, 0x12, 0x13, 0x14, 0x15, 0x16};
  for (const Generation generation : kGenerations) {
    SCOPED_TRACE(to_string(generation));
    Codes with_fp32r = members(generation);
    for (const unsigned c : refused_always) with_fp32r.erase(c);
    if (generation == Generation::maverick) {
      for (const unsigned c : refused_v5) with_fp32r.erase(c);
    }
    Codes without = with_fp32r;
    without.erase(0xB);
    expect_set("is_valid_dtype", with_fp32r, [&](Dtype d) { return is_valid_dtype(d, true, generation); });
    expect_set("is_valid_dtype", without, [&](Dtype d) { return is_valid_dtype(d, false, generation); });
  }
}

TEST(DtypePredicates, ValidDtype64AdmitsByFlag) {
  for (const Generation generation : kGenerations) {
    for (unsigned flags = 0; flags < 8; ++flags) {
      const bool r = (flags & 1) != 0, u = (flags & 2) != 0, i = (flags & 4) != 0;
      Codes expected = members(generation);
      expected.erase(0);
      if (!r) expected.erase(0xB);
      if (!u) expected.erase(1);
      if (!i) expected.erase(0xC);
      expect_set("is_valid_dtype_64", expected, [&](Dtype d) { return is_valid_dtype_64(d, r, u, i, generation); });
    }
  }
}

TEST(DtypePredicates, Classes) {
  expect_set("int", {2, 3, 4, 5, 8, 9, 1, 0xC}, [](Dtype d) { return is_valid_int_dtype(d); });
  expect_set("int datapath", {2, 3, 4, 5, 8, 9}, [](Dtype d) { return is_valid_int_dtype_datapath(d); });
  expect_set("fp", {0xD, 0xE, 0xF, 7, 6, 0xA}, [](Dtype d) { return is_valid_fp_dtype_datapath(d, false); });
  expect_set("fp+r", {0xD, 0xE, 0xF, 7, 6, 0xA, 0xB}, [](Dtype d) { return is_valid_fp_dtype_datapath(d, true); });
  expect_set("signed", {2, 4, 8, 0xC}, [](Dtype d) { return is_signed_int(d); });
  expect_set("unsigned", {3, 5, 9, 1}, [](Dtype d) { return is_unsigned_int(d); });
  expect_set("64", {1, 0xC}, [](Dtype d) { return is_valid_64b_int_dtype(d); });
  expect_set("arithmetic", range(1, 0xF), [](Dtype d) { return is_arithmetic_dtype(d); });
}

}  // namespace dtype_test
}  // namespace dve::isa
