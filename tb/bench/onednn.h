// The opponent: batch-norm backward of oneDNN.
#pragma once

#include <cstdint>
#include <memory>

namespace dve::bench {

// dx, d_gamma and d_beta of fp32 data with given statistics, N = 1.
class OneDnnBackward {
 public:
  enum class Layout { nchw, nChw16c };
  OneDnnBackward(std::int64_t channels, std::int64_t elements, Layout layout);
  ~OneDnnBackward();
  void run();

 private:
  struct Primitive;
  std::unique_ptr<Primitive> primitive_;
};

}  // namespace dve::bench
