// The verilated binary32 units (bench/fp32_top.sv) against the host's arithmetic.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "planted_bug.h"

namespace dve::cosim {

// Results of one pair of operands, and what the host computes; every NaN is 7FC00000.
struct Fp32Results {
  std::uint32_t product = 0;
  std::uint32_t sum = 0;  // or difference
};
Fp32Results host_results(std::uint32_t a, std::uint32_t b, bool subtract);

// Feeds a pair a cycle and compares what leaves the one-deep and the three-deep units.
class Fp32Comparison {
 public:
  explicit Fp32Comparison(PlantedBug bug = PlantedBug::none);
  ~Fp32Comparison();
  void feed(std::uint32_t a, std::uint32_t b, bool subtract);
  // Pairs whose results have been compared in all units.
  std::uint64_t compared() const { return fed_ - 3; }
  // Results that differ, and the first of them: unit, operands, both values as float and bits.
  std::uint64_t mismatches() const { return mismatches_; }
  const std::string& first_mismatch() const { return first_; }

 private:
  class Rtl;
  template <class Verilated>
  class VerilatedUnits;
  struct Fed {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    bool subtract = false;
    Fp32Results expected;
  };
  void check(const char* unit, const Fed& fed, std::uint32_t expected, std::uint32_t got);

  std::unique_ptr<Rtl> rtl_;
  Fed history_[3];  // of the last three cycles, newest first
  std::uint64_t fed_ = 0;
  std::uint64_t mismatches_ = 0;
  std::string first_;
};

}  // namespace dve::cosim
