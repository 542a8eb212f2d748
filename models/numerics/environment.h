// The floating-point environment that the arithmetic of this block is defined in.
#pragma once

#include <cfenv>

namespace dve::numerics {

// Round to nearest even with subnormals while it lives, whatever the caller's thread is set to.
class FloatingPointDefaults {
 public:
  FloatingPointDefaults() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatingPointDefaults() { std::fesetenv(&callers_); }
  FloatingPointDefaults(const FloatingPointDefaults&) = delete;
  FloatingPointDefaults& operator=(const FloatingPointDefaults&) = delete;

 private:
  std::fenv_t callers_;
};

}  // namespace dve::numerics
