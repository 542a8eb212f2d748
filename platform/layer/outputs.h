// Output files one after the other: a failure of one does not cost the others.
#pragma once

#include <exception>

#include "files.h"

namespace dve::layer {

class Outputs {
 public:
  // Writes; an OutputError is kept for later.
  template <class Write>
  void attempt(Write write) {
    try {
      write();
    } catch (const OutputError&) {
      if (!first_error_) first_error_ = std::current_exception();
    }
  }
  // Throws the first error, if any.
  void finish() const {
    if (first_error_) std::rethrow_exception(first_error_);
  }

 private:
  std::exception_ptr first_error_;
};

}  // namespace dve::layer
