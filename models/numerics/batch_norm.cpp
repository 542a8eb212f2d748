#include "batch_norm.h"

#include "convert.h"

namespace dve::numerics {

GradTerms gradient_terms(float x, float dy, float m, float v, ProductOrder order) {
  GradTerms terms;
  terms.product = order == ProductOrder::documented ? (x - m) * v : (x - m) * dy;
  terms.t = order == ProductOrder::documented ? dy * terms.product : terms.product * v;
  terms.coupling_term = terms.t * v;
  return terms;
}

namespace {

// ---- Element counts -----------------------------------------------------------------------------------------------

// Parameter-RAM entry for a staged element count, or -1 when the count is no whole number that the table covers.
int element_count_entry(float element_count, ParamRamIndex index) {
  if (!(element_count >= 1 && element_count <= 256)) return -1;
  const std::uint64_t k = static_cast<std::uint64_t>(element_count);
  return static_cast<float>(k) == element_count ? table_entry(k, index) : -1;
}

// ---- Statistics ---------------------------------------------------------------------------------------------------

class Welford {
 public:
  // `r` is the reciprocal of the number of elements, this one included.
  void add(float x, float r) {
    const float old_mean = mean_;
    mean_ = (1.0F - r) * old_mean + r * x;
    nvar_ = nvar_ + (x - mean_) * (x - old_mean);
  }
  Moments moments(float count) const { return {canonical(count), canonical(mean_), canonical(nvar_)}; }

 private:
  float mean_ = 0;
  float nvar_ = 0;
};

class SumOfSquares {
 public:
  void add(float x) {
    sum_ = sum_ + x;
    sum_of_squares_ = sum_of_squares_ + x * x;
  }
  // Moments of the `n` elements added; the count reported is the word's.
  Moments moments(std::uint64_t n, float count, const ParamTable& table, const Switches& switches) const {
    if (n == 0) return {canonical(count), 0, 0};
    const float mean = sum_ * reciprocal(n, table, switches);
    const float nvar = sum_of_squares_ - (static_cast<float>(n) * mean) * mean;
    return {canonical(count), canonical(mean), canonical(nvar)};
  }

 private:
  float sum_ = 0;
  float sum_of_squares_ = 0;
};

}  // namespace

GradTerms GradAccumulation::add(float x, float dy) {
  const GradTerms terms = gradient_terms(x, dy, m_, v_, switches_.product_order);
  if (switches_.accumulator == Accumulator::wide) {
    wide_[0].add(dy);
    wide_[1].add(terms.t);
    wide_[2].add(terms.coupling_term);
  } else {
    sequential_.d_beta = sequential_.d_beta + dy;
    sequential_.d_gamma = sequential_.d_gamma + terms.t;
    sequential_.coupling = sequential_.coupling + terms.coupling_term;
  }
  return terms;
}

GradSums GradAccumulation::sums() const {
  if (switches_.accumulator == Accumulator::wide) return {wide_[0].round(), wide_[1].round(), wide_[2].round()};
  return {canonical(sequential_.d_beta), canonical(sequential_.d_gamma), canonical(sequential_.coupling)};
}

GradSums grad_accumulate(const float* x, const float* dy, std::size_t n, float m, float v, const Switches& switches) {
  GradAccumulation lane(m, v, switches);
  for (std::size_t i = 0; i < n; ++i) lane.add(x[i], dy[i]);
  return lane.sums();
}

bool back_propagate_reads_table(float element_count, const Switches& switches) {
  return switches.backprop_form == BackpropForm::textbook &&
         element_count_entry(element_count, switches.param_ram_index) >= 0;
}

BackPropagation::BackPropagation(const LaneParameters& parameters, const ParamTable& table, const Switches& switches)
    : parameters_(parameters), form_(switches.backprop_form), src0_is_(switches.src0_is), prefactor_(0) {
  if (form_ == BackpropForm::staged) return;
  const int entry = element_count_entry(parameters.element_count, switches.param_ram_index);
  const float r = entry >= 0 ? table[static_cast<std::size_t>(entry)]
                             : divide_reciprocal(parameters.element_count, switches.divide);
  prefactor_ = parameters.a * r;
}

BackPropTerms BackPropagation::element(float src0, float dy) const {
  const LaneParameters& p = parameters_;
  BackPropTerms terms;
  terms.scaled = dy * p.element_count;
  if (form_ == BackpropForm::staged) {
    terms.centred = src0 - p.mean;
    terms.correction = terms.centred * p.c + p.b;
    terms.dx = canonical((terms.scaled - terms.correction) * p.a);
  } else {
    terms.centred = src0_is_ == Src0Is::x_norm ? src0 : (src0 - p.mean) * p.inv_std;
    terms.correction = terms.centred * p.c;
    terms.dx = canonical(prefactor_ * ((terms.scaled - p.b) - terms.correction));
  }
  return terms;
}

void back_propagate(const float* src0, const float* dy, std::size_t n, const LaneParameters& p, const ParamTable& table,
                    const Switches& switches, float* dx) {
  const BackPropagation lane(p, table, switches);
  for (std::size_t i = 0; i < n; ++i) dx[i] = lane.element(src0[i], dy[i]).dx;
}

Moments stats(const float* x, std::size_t n, float count, const ParamTable& table, const Switches& switches) {
  if (switches.stats_algorithm == StatsAlgorithm::sumsq) {
    SumOfSquares sums;
    for (std::size_t i = 0; i < n; ++i) sums.add(x[i]);
    return sums.moments(n, count, table, switches);
  }
  Welford running;
  for (std::size_t i = 0; i < n; ++i) running.add(x[i], reciprocal(i + 1, table, switches));
  return running.moments(count);
}

Stats2Result stats2(const float* x, std::size_t n, float even_count, float odd_count, const ParamTable& table,
                    const Switches& switches) {
  if (switches.stats_algorithm == StatsAlgorithm::sumsq) {
    SumOfSquares halves[2];
    for (std::size_t i = 0; i < n; ++i) halves[i % 2].add(x[i]);
    return {halves[0].moments(n - n / 2, even_count, table, switches),
            halves[1].moments(n / 2, odd_count, table, switches)};
  }
  Welford halves[2];
  std::uint64_t k = 0;  // shared: both elements of a pair use the same count
  float r = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 2 == 0) r = reciprocal(++k, table, switches);
    halves[i % 2].add(x[i], r);
  }
  return {halves[0].moments(even_count), halves[1].moments(odd_count)};
}

MeanVariance aggregate(const float* triples, std::size_t triple_count, const Switches& switches) {
  float n = 0;
  float mean = 0;
  float var = 0;
  for (std::size_t i = 0; i < triple_count; ++i) {
    const float n_t = triples[3 * i];
    const float mean_t = triples[3 * i + 1];
    const float nvar_t = triples[3 * i + 2];
    const float total = n_t + n;
    const float r = divide_reciprocal(total, switches.divide);
    const float d = mean - mean_t;
    mean = (mean * n + n_t * mean_t) * r;
    var = (var * n + nvar_t) * r + ((((n_t * n) * d) * d) * r) * r;
    n = total;
  }
  return {canonical(mean), canonical(var)};
}

std::vector<std::uint64_t> stats_table_counts(std::size_t n, bool two_halves, const Switches& switches) {
  const std::uint64_t larger = two_halves ? n - n / 2 : n;
  const std::uint64_t smaller = two_halves ? n / 2 : n;
  std::vector<std::uint64_t> counts;
  const auto add_covered = [&](std::uint64_t k) {
    if (table_entry(k, switches.param_ram_index) >= 0) counts.push_back(k);
  };
  if (switches.stats_algorithm == StatsAlgorithm::sumsq) {
    add_covered(smaller);
    if (larger != smaller) add_covered(larger);
    return counts;
  }
  const std::uint64_t limit = larger < ParamTable{}.size() ? larger : ParamTable{}.size();
  for (std::uint64_t k = 1; k <= limit; ++k) add_covered(k);
  return counts;
}

}  // namespace dve::numerics
