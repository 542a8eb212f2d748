// Functional coverage: how often each value of each dimension, each pair of values, and each combination of chosen
// dimensions has been seen, with the holes named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dve::cosim {

struct Dimension {
  std::string name;
  std::vector<std::string> values;
  bool crossed = false;  // part of the full cross
};

// Value of every dimension, as an index.
using Point = std::vector<std::size_t>;

class Coverage {
 public:
  explicit Coverage(std::vector<Dimension> dimensions) : dimensions_(std::move(dimensions)) {}

  // A combination that cannot occur is no hole: values of two dimensions that exclude each other.
  void exclude(const std::string& dimension_a, const std::string& value_a, const std::string& dimension_b,
               const std::string& value_b);
  // Throws std::out_of_range for a point that is none.
  void sample(const Point& point);

  std::uint64_t samples() const { return samples_; }
  // "dtype=fp16 special=zeros" for each pair that can occur and was not seen.
  std::vector<std::string> missing_pairs() const;
  std::vector<std::string> missing_crosses() const;
  // Markdown: counts of every value, pairs and full cross with their holes.
  std::string report(const std::string& title) const;

 private:
  using Bin = std::vector<std::pair<std::size_t, std::size_t>>;  // (dimension, value)
  std::vector<Bin> pairs() const;
  std::vector<Bin> crosses() const;
  bool possible(const Bin& bin) const;
  std::string text(const Bin& bin) const;
  std::vector<std::string> missing(const std::vector<Bin>& bins) const;
  std::size_t dimension(const std::string& name) const;
  std::size_t value(std::size_t dimension, const std::string& name) const;

  std::vector<Dimension> dimensions_;
  std::vector<Bin> excluded_;
  std::map<Bin, std::uint64_t> seen_;
  std::uint64_t samples_ = 0;
};

}  // namespace dve::cosim
