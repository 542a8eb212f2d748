// Conditions on a point: "timing.dve.clock_mhz <= 1200 && place.x != 'psum'".
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace dve::sweep {

// What an expression is made of.
using Scalar = std::variant<bool, double, std::string>;

// An expression that cannot be read, or values that do not fit. what(): "at column 7: expected ...".
class ConstraintError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// || && ! == != < <= > >= + - * / % ( ), numbers, 'text' or "text", true, false, and dotted names. Numbers compare with
// numbers, texts with texts (== and != only), truths with truths (the same).
class Constraint {
 public:
  using Lookup = std::function<Scalar(const std::string& name)>;

  explicit Constraint(const std::string& text);  // ConstraintError

  const std::string& text() const { return text_; }
  const std::vector<std::string>& names() const { return names_; }  // that it looks up
  // ConstraintError: values that do not fit, or a result that is no truth.
  bool holds(const Lookup& lookup) const;

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::function<Scalar(const Lookup&)> value_;
};

}  // namespace dve::sweep
