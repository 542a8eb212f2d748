#include "constraint.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace dve::sweep {
namespace {

using Expression = std::function<Scalar(const Constraint::Lookup&)>;

double number(const Scalar& value, std::string_view operation) {
  if (const double* n = std::get_if<double>(&value)) return *n;
  throw ConstraintError(fmt::format("{} takes numbers, expected no text or truth beside it", operation));
}

bool truth(const Scalar& value, std::string_view operation) {
  if (const bool* t = std::get_if<bool>(&value)) return *t;
  throw ConstraintError(fmt::format("{} takes truths, expected a comparison, true or false", operation));
}

Scalar compared(const std::string& operation, const Scalar& a, const Scalar& b) {
  if (operation == "==" || operation == "!=") {
    if (a.index() != b.index())
      throw ConstraintError(fmt::format("{} takes two numbers, two texts or two truths", operation));
    return (a == b) == (operation == "==");
  }
  const double x = number(a, operation), y = number(b, operation);
  if (operation == "<") return x < y;
  if (operation == "<=") return x <= y;
  return operation == ">" ? x > y : x >= y;
}

Scalar calculated(char operation, double x, double y) {
  switch (operation) {
    case '+':
      return x + y;
    case '-':
      return x - y;
    case '*':
      return x * y;
    case '/':
      return x / y;
    default:
      return std::fmod(x, y);
  }
}

// Recursive descent: one function a level of precedence.
class Parser {
 public:
  Parser(const std::string& text, std::vector<std::string>& names) : text_(text), names_(names) {}

  Expression whole() {
    Expression e = either();
    skip_space();
    if (at_ != text_.size()) fail("an operator or the end");
    return e;
  }

 private:
  static constexpr int kDeepest = 200;

  [[noreturn]] void fail(std::string_view expected) const {
    throw ConstraintError(fmt::format("at column {}: expected {}", at_ + 1, expected));
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(std::string_view token) {
    skip_space();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }

  Expression either() {
    Expression left = both();
    while (take("||"))
      left = [a = std::move(left), b = both()](const auto& lookup) {
        return Scalar(truth(a(lookup), "||") || truth(b(lookup), "||"));
      };
    return left;
  }

  Expression both() {
    Expression left = comparison();
    while (take("&&"))
      left = [a = std::move(left), b = comparison()](const auto& lookup) {
        return Scalar(truth(a(lookup), "&&") && truth(b(lookup), "&&"));
      };
    return left;
  }

  Expression comparison() {
    Expression left = sum();
    for (const char* operation : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!take(operation)) continue;
      return [a = std::move(left), b = sum(), operation = std::string(operation)](const auto& lookup) {
        return compared(operation, a(lookup), b(lookup));
      };
    }
    return left;
  }

  static Expression binary(char operation, Expression a, Expression b) {
    return [operation, a = std::move(a), b = std::move(b)](const auto& lookup) {
      const std::string_view name(&operation, 1);
      return calculated(operation, number(a(lookup), name), number(b(lookup), name));
    };
  }

  Expression sum() {
    Expression left = product();
    for (;;) {
      if (take("+"))
        left = binary('+', std::move(left), product());
      else if (take("-"))
        left = binary('-', std::move(left), product());
      else
        return left;
    }
  }

  Expression product() {
    Expression left = unary();
    for (;;) {
      if (take("*"))
        left = binary('*', std::move(left), unary());
      else if (take("/"))
        left = binary('/', std::move(left), unary());
      else if (take("%"))
        left = binary('%', std::move(left), unary());
      else
        return left;
    }
  }

  Expression unary() {
    if (++depth_ > kDeepest) fail(fmt::format("at most {} levels", kDeepest));
    Expression result;
    if (take("-"))
      result = [a = unary()](const auto& lookup) { return Scalar(-number(a(lookup), "-")); };
    else if (take("!"))
      result = [a = unary()](const auto& lookup) { return Scalar(!truth(a(lookup), "!")); };
    else
      result = primary();
    --depth_;
    return result;
  }

  Expression primary() {
    if (take("(")) {
      Expression inner = either();
      if (!take(")")) fail(")");
      return inner;
    }
    skip_space();
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c == '\'' || c == '"') return quoted(c);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return literal();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return name();
    fail("a number, a text in quotes, a name or (");
  }

  static Expression constant(Scalar value) {
    return [value = std::move(value)](const auto&) { return value; };
  }

  Expression quoted(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string::npos) fail(fmt::format("{} at the end of the text", quote));
    std::string inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return constant(std::move(inside));
  }

  Expression literal() {
    const char* begin = text_.c_str() + at_;
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    at_ += static_cast<std::size_t>(end - begin);
    return constant(value);
  }

  Expression name() {
    const std::size_t begin = at_;
    const auto belongs = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    std::string word = text_.substr(begin, at_ - begin);
    if (word == "true" || word == "false") return constant(word == "true");
    names_.push_back(word);
    return [word = std::move(word)](const auto& lookup) { return lookup(word); };
  }

  const std::string& text_;
  std::vector<std::string>& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Constraint::Constraint(const std::string& text) : text_(text) { value_ = Parser(text_, names_).whole(); }

bool Constraint::holds(const Lookup& lookup) const { return truth(value_(lookup), "a constraint"); }

}  // namespace dve::sweep
