#include "fold.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"

namespace dve::numerics {

namespace {

using isa::AluOp;

[[noreturn]] void reject(const char* function, CrossLaneOp op, const char* expected) {
  throw std::invalid_argument(std::string(function) + ": reduce_op " + std::to_string(static_cast<unsigned>(op)) +
                              ", expected " + expected);
}

AluOp fp32_step(CrossLaneOp op) {
  switch (op) {
    case CrossLaneOp::add:
    case CrossLaneOp::average:
      return AluOp::add;
    case CrossLaneOp::max:
      return AluOp::max;
    default:
      reject("cross_lane_fp32", op, "0 (add), 1 (average) or 2 (max)");
  }
}

AluOp bits_step(CrossLaneOp op) {
  switch (op) {
    case CrossLaneOp::bit_or:
      return AluOp::bitwise_or;
    case CrossLaneOp::bit_and:
      return AluOp::bitwise_and;
    case CrossLaneOp::bit_xor:
      return AluOp::bitwise_xor;
    default:
      reject("cross_lane_bits", op, "3 (or), 4 (and) or 5 (xor)");
  }
}

void require(bool known, const char* function, AluOp op) {
  if (known) return;
  throw std::invalid_argument(std::string(function) + ": no fold by ALU operation " + std::string(isa::name(op)));
}

float fold_by_halves(AluOp op, std::vector<float> x) {
  std::size_t half = 1;
  while (2 * half < x.size()) half *= 2;
  for (; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half && i + half < x.size(); ++i) x[i] = alu_fp32(op, x[i], x[i + half]);
    if (x.size() > half) x.resize(half);
  }
  return canonical(x[0]);
}

}  // namespace

float fold_fp32(AluOp op, const float* x, std::size_t n) {
  require(has_fp32_meaning(op), "fold_fp32", op);
  if (n == 0) return 0;
  float value = canonical(x[0]);
  for (std::size_t i = 1; i < n; ++i) value = alu_fp32(op, value, x[i]);
  return value;
}

std::optional<std::uint64_t> fold_int(AluOp op, const std::uint64_t* x, std::size_t n, IntFormat format) {
  require(has_int_meaning(op), "fold_int", op);
  if (n == 0) return 0;
  std::optional<std::uint64_t> value = alu_int(AluOp::bypass, x[0], 0, format);
  for (std::size_t i = 1; i < n && value; ++i) value = alu_int(op, *value, x[i], format);
  return value;
}

float cross_lane_fp32(CrossLaneOp op, const float* values, std::size_t lanes, float scale, const Switches& switches) {
  const AluOp step = fp32_step(op);
  if (lanes == 0) return 0;
  std::vector<float> terms(values, values + lanes);
  if (op == CrossLaneOp::average) {
    for (float& term : terms) term = term * scale;
  }
  return switches.clr_order == ClrOrder::tree ? fold_by_halves(step, std::move(terms))
                                              : fold_fp32(step, terms.data(), lanes);
}

std::uint64_t cross_lane_bits(CrossLaneOp op, const std::uint64_t* values, std::size_t lanes) {
  const AluOp step = bits_step(op);
  if (lanes == 0) return 0;
  std::uint64_t value = values[0];
  for (std::size_t i = 1; i < lanes; ++i) value = alu_bitvec(step, value, values[i], 64);
  return value;
}

}  // namespace dve::numerics
