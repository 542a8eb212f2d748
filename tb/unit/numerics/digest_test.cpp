// One number over many results, computed beforehand by a separate program that rounds every double-precision +, -, *, /
// to binary32 (which is the correctly rounded binary32 operation). It is the same at every optimisation level and on
// every host, or something re-associates, contracts or widens.
#include <gtest/gtest.h>

#include <vector>

#include "dve/numerics/numerics.h"
#include "oracle.h"

namespace digest_test {

using namespace dve::numerics;

// Values in [-2, 2) in steps of 2^-22, all exact.
class Generator {
 public:
  float operator()() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<float>(state_ >> 8U) / 4194304.0F - 2.0F;
  }
  std::vector<float> many(std::size_t n) {
    std::vector<float> values(n);
    for (float& value : values) value = (*this)();
    return values;
  }

 private:
  std::uint32_t state_ = 1;
};

// FNV-1a over the little-endian bytes.
class Digest {
 public:
  void add(float value) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      hash_ = (hash_ ^ ((oracle::bits(value) >> shift) & 0xFFU)) * 0x100000001B3U;
    }
  }
  void add(const std::vector<float>& values) {
    for (const float value : values) add(value);
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

TEST(Digest, SameBitsAtEveryOptimisationLevel) {
  const ParamTable table = reciprocal_table(ParamRamIndex::i_plus_1);
  Generator draw;
  Digest digest;
  for (const std::size_t n : {2U, 7U, 64U, 513U, 1000U}) {
    const std::vector<float> x = draw.many(n);
    const std::vector<float> dy = draw.many(n);
    const float m = draw();
    const float v = draw();

    Switches switches;
    GradSums sums;
    for (const ProductOrder order : {ProductOrder::documented, ProductOrder::interpreter}) {
      switches.product_order = order;
      sums = grad_accumulate(x.data(), dy.data(), n, m, v, switches);
      digest.add({sums.d_beta, sums.d_gamma, sums.coupling});
    }

    const float count = static_cast<float>(n);
    std::vector<float> dx(n);
    back_propagate(x.data(), dy.data(), n, {count, m, v / count, sums.d_beta, sums.coupling, v}, table, switches,
                   dx.data());
    digest.add(dx);
    switches.backprop_form = BackpropForm::textbook;
    back_propagate(x.data(), dy.data(), n, {count, m, v, sums.d_beta, sums.d_gamma, v}, table, switches, dx.data());
    digest.add(dx);

    const Stats2Result s =
        stats2(x.data(), n, static_cast<float>(n - n / 2), static_cast<float>(n / 2), table, switches);
    const std::vector<float> triples{s.even.count, s.even.mean, s.even.nvar, s.odd.count, s.odd.mean, s.odd.nvar};
    digest.add(triples);
    const MeanVariance merged = aggregate(triples.data(), 2, switches);
    digest.add({merged.mean, merged.variance});
  }
  EXPECT_EQ(digest.value(), 0x9AC248853D7C0552U);
}

}  // namespace digest_test
