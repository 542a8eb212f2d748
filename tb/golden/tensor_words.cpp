#include "tensor_words.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "arithmetic.h"
#include "formats.h"
#include "tensor_ops.h"

namespace golden {
namespace {

// ---- Elements -------------------------------------------------------------------------------------------------------

// Elements of one channel as they are stored, in the low bytes.
using Patterns = std::vector<std::uint64_t>;
// Results of one channel; an empty one leaves its place in memory as it is.
using Results = std::vector<std::optional<std::uint64_t>>;

bool is_signed(Dtype d) { return d == Dtype::int8 || d == Dtype::int16 || d == Dtype::int32 || d == Dtype::int64; }

int bits_of(Dtype d) { return 8 * bytes_of(d); }

std::array<std::uint8_t, 8> bytes_of_pattern(std::uint64_t pattern) {
  std::array<std::uint8_t, 8> bytes{};
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(pattern % 256);
    pattern /= 256;
  }
  return bytes;
}

std::uint64_t pattern_of_bytes(const std::array<std::uint8_t, 8>& bytes) {
  std::uint64_t pattern = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) pattern = pattern * 256 + bytes[i - 1];
  return pattern;
}

float float_of(std::uint64_t pattern, Dtype d, const Options& options) {
  return load_element(bytes_of_pattern(pattern).data(), d, options);
}

std::uint64_t pattern_of(float value, Dtype d, const Options& options) {
  std::array<std::uint8_t, 8> bytes{};
  store_element(value, bytes.data(), d, options);
  return pattern_of_bytes(bytes);
}

// The integer as a 64-bit one.
std::uint64_t integer_of(std::uint64_t pattern, Dtype d) {
  const std::uint64_t sign = std::uint64_t{1} << (bits_of(d) - 1);
  return is_signed(d) ? (pattern ^ sign) - sign : pattern;
}

// ---- Fields ---------------------------------------------------------------------------------------------------------

// What a scalar is: one value a partition in memory, or four bytes of the word for all.
struct Scalar {
  std::optional<Tensor> pointer;
  std::uint32_t literal = 0;
};

enum class ScalarSource { literal, pointer, register_pointer };

// IMM_SRC, and IMM_SRC_N, which exchanges the first two.
ScalarSource scalar_source(std::uint8_t code, bool inverted) {
  if (code > 2) throw std::out_of_range("golden: immediate source " + std::to_string(code));
  if (code == 2) return ScalarSource::register_pointer;
  return (code == 1) != inverted ? ScalarSource::pointer : ScalarSource::literal;
}

class Fields {
 public:
  Fields(const WordBytes& bytes, const RegisterFile& registers, const AddressMap& addresses)
      : bytes_(bytes), registers_(registers), addresses_(addresses) {}

  std::uint8_t operator[](std::size_t at) const { return bytes_[at]; }
  std::uint32_t u16(std::size_t at) const { return bytes_[at] + 256U * bytes_[at + 1]; }
  std::uint32_t u32(std::size_t at) const { return u16(at) + 65536U * u16(at + 2); }
  Dtype dtype(std::size_t at) const { return static_cast<Dtype>(bytes_[at]); }
  Dtype low_dtype(std::size_t at) const { return static_cast<Dtype>(bytes_[at] % 16); }
  Dtype high_dtype(std::size_t at) const { return static_cast<Dtype>(bytes_[at] / 16); }

  // TENSORnD: address, then n strides, then n counts (isa.md 2.2).
  Tensor tensor(std::size_t at, std::size_t dimensions, Dtype dtype) const {
    const bool from_register = bytes_[at + 3] >= 0x80;
    Tensor t = at_address(from_register ? registers_.at(bytes_[at]) : u32(at), dtype);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const auto step = static_cast<std::int64_t>(u16(at + 4 + 2 * d));
      t.steps[d] = step < 32768 ? step : step - 65536;
      t.counts[d] = u16(at + 4 + 2 * dimensions + 2 * d);
    }
    return t;
  }

  Scalar scalar(std::size_t at, ScalarSource source, Dtype dtype) const {
    if (source == ScalarSource::literal) return {std::nullopt, u32(at)};
    if (source == ScalarSource::pointer) return {at_address(u32(at), dtype), 0};
    return {at_address(registers_.at(bytes_[at]), dtype), 0};
  }

 private:
  Tensor at_address(std::uint32_t address, Dtype dtype) const {
    constexpr std::uint32_t psum_base = 0x2000000;
    const bool psum = addresses_.psum_exists && address >= psum_base;
    const std::uint32_t stride = psum ? 0x8000 : addresses_.sbuf_partition_stride;
    if (psum) address -= psum_base;
    Tensor t;
    t.space = psum ? Space::psum : Space::sbuf;
    t.partition = address / stride;
    t.offset = address % stride;
    t.dtype = dtype;
    return t;
  }

  const WordBytes& bytes_;
  const RegisterFile& registers_;
  const AddressMap& addresses_;
};

// ---- Memory ---------------------------------------------------------------------------------------------------------

Patterns read_patterns(Memory& memory, const Tensor& tensor, std::size_t channel) {
  Patterns patterns;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    std::array<std::uint8_t, 8> bytes{};
    for (int b = 0; b < bytes_of(tensor.dtype); ++b)
      bytes[static_cast<std::size_t>(b)] = memory.at(tensor.space, tensor.partition + channel, tensor.offset_of(i) + b);
    patterns.push_back(pattern_of_bytes(bytes));
  }
  return patterns;
}

void write_patterns(Memory& memory, const Tensor& tensor, std::size_t channel, const Results& results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) continue;
    const auto bytes = bytes_of_pattern(*results[i]);
    const std::int64_t offset = tensor.offset_of(static_cast<std::int64_t>(i));
    for (int b = 0; b < bytes_of(tensor.dtype); ++b)
      memory.at(tensor.space, tensor.partition + channel, offset + b) = bytes[static_cast<std::size_t>(b)];
  }
}

std::size_t room(const Tensor& destination, std::size_t results) {
  return std::min(static_cast<std::size_t>(destination.elements()), results);
}

// ---- Floating-point results of one channel --------------------------------------------------------------------------

struct Floats {
  std::vector<float> operands;
  std::vector<float> values;
  std::vector<bool> of_zero;  // a reciprocal, inverse root or logarithm of a zero; may be empty

  void add(float value, bool zero = false) {
    values.push_back(value);
    of_zero.push_back(zero);
  }
};

bool any(const std::vector<float>& values, bool (*property)(float)) {
  return std::any_of(values.begin(), values.end(), property);
}

Results rounded(const Floats& floats, const Tensor& destination, const Options& options, WordOutcome& outcome) {
  const bool nan_before = any(floats.operands, [](float v) { return std::isnan(v); });
  const bool infinity_before = any(floats.operands, [](float v) { return std::isinf(v); });
  Results results;
  for (std::size_t i = 0; i < room(destination, floats.values.size()); ++i) {
    results.emplace_back(pattern_of(floats.values[i], destination.dtype, options));
    if (!is_float(destination.dtype)) continue;
    const float stored = float_of(*results.back(), destination.dtype, options);
    if (std::isnan(stored) && !nan_before) outcome.invalid = true;
    if (!std::isinf(stored) || nan_before || infinity_before) continue;
    (floats.of_zero[i] ? outcome.divide_by_zero : outcome.overflow) = true;
  }
  return results;
}

// ---- One word in execution ------------------------------------------------------------------------------------------

bool is_integer_op(std::uint8_t op) { return op == 0x1B || (op >= 0xC4 && op <= 0xDD); }

// a op b is a quotient by zero: of Divide, Pow and Rsqrt.
bool divides_by_zero(std::uint8_t op, float a, float b) {
  return (op == 0x07 && b == 0) || (op == 0x1A && a == 0 && b < 0) || (op == 0x1D && a == 0);
}

class Execution {
 public:
  Execution(TensorDevice& device, const TensorOptions& options, const WordBytes& word, const RegisterFile& registers)
      : device_(device), options_(options), fields_(word, registers, options.addresses) {}

  WordOutcome run();

 private:
  const Options& elements() const { return options_.elements; }
  Patterns patterns(const Tensor& t, std::size_t channel) { return read_patterns(device_.memory, t, channel); }
  std::vector<float> floats(const Tensor& t, std::size_t channel) {
    return read_stream(device_.memory, t, channel, elements());
  }
  std::uint64_t pattern(const Scalar& scalar, std::size_t channel) {
    return scalar.pointer ? patterns(*scalar.pointer, channel)[0] : scalar.literal;
  }
  float value(const Scalar& scalar, std::size_t channel) {
    return scalar.pointer ? floats(*scalar.pointer, channel)[0] : canonical(float_of_bits(scalar.literal));
  }
  void keep(const Floats& results) { results_.push_back(rounded(results, destination_, elements(), outcome_)); }

  void tensor_tensor();
  void tensor_scalar_words(bool bits);
  void tensor_reduce();
  void copies();
  void memset();
  void cross_lane_reduce();
  void activate();
  void read_accumulator();

  Results tensor_tensor_channel(const Tensor& a, const Tensor& b, std::size_t channel);
  Results predicated_channel(const Tensor& predicate, const Tensor& source, std::size_t channel);
  Results scalar_bits_channel(const Tensor& source, std::uint64_t s0, std::uint64_t s1, std::size_t channel);
  Results reduced_integers(const Tensor& source, std::size_t run, std::size_t channel);
  std::optional<std::uint64_t> integer(std::uint8_t op, std::uint64_t a, std::uint64_t b, const Tensor& first,
                                       const Tensor& second);

  TensorDevice& device_;
  const TensorOptions& options_;
  Fields fields_;
  Tensor destination_;
  std::vector<Results> results_;  // channel after channel
  WordOutcome outcome_;
};

WordOutcome Execution::run() {
  switch (fields_[0]) {
    case 0x41:
    case 0x51:
    case 0x72:
    case 0x99:
      tensor_tensor();
      break;
    case 0x43:
    case 0x53:
      tensor_scalar_words(fields_[0] == 0x53);
      break;
    case 0x42:
      tensor_reduce();
      break;
    case 0x46:
    case 0x47:
    case 0x48:
      copies();
      break;
    case 0x49:
      memset();
      break;
    case 0x7C:
    case 0x7D:
      cross_lane_reduce();
      break;
    case 0x21:
      activate();
      break;
    case 0x23:
      device_.resident_set = fields_[35];
      break;
    case 0x24:
      read_accumulator();
      break;
    default:
      throw std::invalid_argument("golden::TensorDevice: opcode " + std::to_string(fields_[0]));
  }
  if (outcome_.integer_divide_by_zero) return outcome_;
  for (std::size_t c = 0; c < results_.size(); ++c) write_patterns(device_.memory, destination_, c, results_[c]);
  return outcome_;
}

// ---- TensorTensor and the predicated words --------------------------------------------------------------------------

void Execution::tensor_tensor() {
  const Tensor a = fields_.tensor(16, 3, fields_.low_dtype(12));
  const Tensor b = fields_.tensor(32, 3, fields_.high_dtype(12));
  destination_ = fields_.tensor(48, 3, fields_.dtype(13));
  const bool predicated = fields_[0] == 0x72 || fields_[0] == 0x99;
  for (std::size_t c = 0; c < fields_[15]; ++c)
    results_.push_back(predicated ? predicated_channel(a, b, c) : tensor_tensor_channel(a, b, c));
}

// In 64 bits when an operand or the result has them, in the first operand's sign.
std::optional<std::uint64_t> Execution::integer(std::uint8_t op, std::uint64_t a, std::uint64_t b, const Tensor& first,
                                                const Tensor& second) {
  const int widest = std::max({bits_of(first.dtype), bits_of(second.dtype), bits_of(destination_.dtype)});
  return int_op(op, a, b, std::max(widest, 32), is_signed(first.dtype));
}

Results Execution::tensor_tensor_channel(const Tensor& a, const Tensor& b, std::size_t channel) {
  const std::uint8_t op = fields_[14];
  const Patterns x = patterns(a, channel), y = patterns(b, channel);
  const std::size_t n = std::min(x.size(), y.size());
  if (fields_[0] == 0x41 && !is_integer_op(op)) {
    Floats results;
    for (std::size_t i = 0; i < n; ++i) {
      const float u = float_of(x[i], a.dtype, elements()), v = float_of(y[i], b.dtype, elements());
      results.operands.insert(results.operands.end(), {u, v});
      results.add(fp32_op(op, u, v), divides_by_zero(op, u, v));
    }
    return rounded(results, destination_, elements(), outcome_);
  }
  Results results;
  for (std::size_t i = 0; i < room(destination_, n); ++i) {
    if (fields_[0] == 0x51) {
      results.emplace_back(bit_op(op, x[i], y[i], bits_of(a.dtype)));
      continue;
    }
    results.push_back(integer(op, integer_of(x[i], a.dtype), integer_of(y[i], b.dtype), a, b));
    if (!results.back()) outcome_.integer_divide_by_zero = true;
  }
  return results;
}

Results Execution::predicated_channel(const Tensor& predicate, const Tensor& source, std::size_t channel) {
  const Patterns decides = patterns(predicate, channel), x = patterns(source, channel);
  const bool moves = fields_[0] == 0x72 && source.dtype == destination_.dtype;
  Results results;
  for (std::size_t i = 0; i < room(destination_, std::min(decides.size(), x.size())); ++i) {
    results.emplace_back();
    if (decides[i] == 0) continue;
    results.back() =
        moves ? x[i] : pattern_of(float_of(x[i], source.dtype, elements()), destination_.dtype, elements());
  }
  return results;
}

// ---- TensorScalar ---------------------------------------------------------------------------------------------------

void Execution::tensor_scalar_words(bool bits) {
  const Tensor source = fields_.tensor(16, 3, fields_.dtype(32));
  destination_ = fields_.tensor(48, 3, fields_.dtype(33));
  const Dtype in_memory = bits ? source.dtype : Dtype::fp32;
  const Scalar scalar0 = fields_.scalar(40, scalar_source(fields_[35], false), in_memory);
  const Scalar scalar1 = fields_.scalar(44, scalar_source(fields_[39], false), in_memory);
  for (std::size_t c = 0; c < fields_[34]; ++c) {
    if (bits) {
      results_.push_back(scalar_bits_channel(source, pattern(scalar0, c), pattern(scalar1, c), c));
      continue;
    }
    Floats results;
    results.operands = floats(source, c);
    const std::vector<float> x = results.operands;
    const float s0 = value(scalar0, c), s1 = value(scalar1, c);
    results.operands.insert(results.operands.end(), {s0, s1});
    const std::uint8_t op0 = fields_[36], op1 = fields_[37], reverse = fields_[38];
    const auto in_order = [](std::uint8_t op, float left, float right, bool reversed) {
      return reversed ? divides_by_zero(op, right, left) : divides_by_zero(op, left, right);
    };
    for (const float v : x) {
      const float first = tensor_scalar(v, op0, s0, 0, s1, reverse, false);
      results.add(tensor_scalar(v, op0, s0, op1, s1, reverse, options_.scalar_fused),
                  in_order(op0, v, s0, reverse % 2 == 1) || in_order(op1, first, s1, reverse >= 2));
    }
    keep(results);
  }
}

Results Execution::scalar_bits_channel(const Tensor& source, std::uint64_t s0, std::uint64_t s1, std::size_t channel) {
  const int bits = bits_of(source.dtype);
  const auto apply = [bits](std::uint8_t op, std::uint64_t x, std::uint64_t s, bool reversed) {
    return reversed ? bit_op(op, s, x, bits) : bit_op(op, x, s, bits);
  };
  Results results;
  const Patterns x = patterns(source, channel);
  for (std::size_t i = 0; i < room(destination_, x.size()); ++i) {
    const std::uint64_t first = apply(fields_[36], x[i], s0, fields_[38] % 2 == 1);
    results.emplace_back(fields_[37] == 0 ? first : apply(fields_[37], first, s1, fields_[38] >= 2));
  }
  return results;
}

// ---- TensorReduce, Copy, Cast, Reciprocal, Memset -------------------------------------------------------------------

void Execution::tensor_reduce() {
  const Tensor source = fields_.tensor(12, 4, fields_.dtype(32));
  destination_ = fields_.tensor(44, 4, fields_.dtype(33));
  std::size_t run = 1;
  for (std::size_t d = 0; d + 1 < fields_[37]; ++d) run *= static_cast<std::size_t>(source.counts.at(d));
  for (std::size_t c = 0; c < fields_[34]; ++c) {
    if (is_integer_op(fields_[36])) {
      results_.push_back(reduced_integers(source, run, c));
      continue;
    }
    Floats results;
    results.operands = floats(source, c);
    const auto end = results.operands.end();
    for (auto at = results.operands.begin(); at != end; at += static_cast<std::ptrdiff_t>(run)) {
      const float folded = fold(fields_[36], {at, at + static_cast<std::ptrdiff_t>(run)});
      results.add(canonical(fields_[35] != 0 ? -folded : folded));
    }
    keep(results);
  }
}

Results Execution::reduced_integers(const Tensor& source, std::size_t run, std::size_t channel) {
  const Patterns x = patterns(source, channel);
  const int bits = std::max({32, bits_of(source.dtype), bits_of(destination_.dtype)});
  Results results;
  for (std::size_t r = 0; r < room(destination_, x.size() / run); ++r) {
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < run; ++i) numbers.push_back(integer_of(x[r * run + i], source.dtype));
    auto folded = fold_int(fields_[36], numbers, bits, is_signed(source.dtype));
    if (!folded) outcome_.integer_divide_by_zero = true;
    if (folded && fields_[35] != 0) folded = ~*folded + 1;
    results.push_back(folded);
  }
  return results;
}

void Execution::copies() {
  const Tensor source = fields_.tensor(12, 4, fields_.dtype(32));
  destination_ = fields_.tensor(44, 4, fields_.dtype(33));
  for (std::size_t c = 0; c < fields_[34]; ++c) {
    if (fields_[0] == 0x46 && source.dtype == destination_.dtype) {
      const Patterns x = patterns(source, c);
      results_.emplace_back(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(room(destination_, x.size())));
      continue;
    }
    Floats results;
    results.operands = floats(source, c);
    for (const float v : results.operands) {
      const bool reciprocal = fields_[0] == 0x48;
      results.add(reciprocal ? canonical(divider(v, elements())) : v, reciprocal && v == 0);
    }
    keep(results);
  }
}

void Execution::memset() {
  destination_ = fields_.tensor(44, 4, fields_.dtype(32));
  const auto count = static_cast<std::size_t>(destination_.elements());
  results_.assign(fields_[34], Results(count, std::uint64_t{fields_.u32(40)}));
}

// ---- CrossLaneReduce ------------------------------------------------------------------------------------------------

void Execution::cross_lane_reduce() {
  const std::uint8_t op = fields_[35];
  const bool all = fields_[36] == 0;
  const float scale = float_of_bits(fields_.u32(40));
  const Tensor source = fields_.tensor(12, 4, fields_.dtype(32));
  destination_ = fields_.tensor(44, 4, fields_.dtype(33));
  const auto elements_each = static_cast<std::size_t>(source.elements());
  // What folds into each result: of axis All everything, partition 0 first.
  std::vector<Patterns> groups(all ? 1 : elements_each);
  for (std::size_t c = 0; c < fields_[34]; ++c) {
    const Patterns x = patterns(source, c);
    for (std::size_t i = 0; i < elements_each; ++i) groups[all ? 0 : i].push_back(x[i]);
  }
  if (fields_[0] == 0x7D) {
    Results results;
    for (std::size_t r = 0; r < room(destination_, groups.size()); ++r)
      results.emplace_back(cross_lane_bits(op, groups[r]));
    results_.push_back(results);
    return;
  }
  Floats results;
  if (op == 1) results.operands.push_back(scale);
  for (const Patterns& group : groups) {
    std::vector<float> x;
    for (const std::uint64_t pattern : group) x.push_back(float_of(pattern, source.dtype, elements()));
    results.operands.insert(results.operands.end(), x.begin(), x.end());
    if (!all || !options_.clr_tree) {
      results.add(cross_lane(op, x, scale, options_.clr_tree));
      continue;
    }
    // By halves of the partitions, each folded by itself before. The products of an average are formed once.
    std::vector<float> partitions;
    for (auto at = x.begin(); at != x.end(); at += static_cast<std::ptrdiff_t>(elements_each))
      partitions.push_back(cross_lane(op, {at, at + static_cast<std::ptrdiff_t>(elements_each)}, scale, false));
    results.add(cross_lane(op == 1 ? 0 : op, partitions, scale, true));
  }
  keep(results);
}

// ---- ACT ------------------------------------------------------------------------------------------------------------

void Execution::activate() {
  const std::uint8_t function = fields_[35], command = fields_[14];
  const bool alpha_used = function == 0x04,
             divides = function == 0x0A || function == 0x1D || function == 0x22 || function == 0x81;
  if (command > 3) throw std::out_of_range("golden: accumulator command " + std::to_string(command));
  const Tensor source = fields_.tensor(16, 3, fields_.low_dtype(32));
  destination_ = fields_.tensor(48, 3, fields_.dtype(33));
  const Scalar scale = fields_.scalar(36, scalar_source(fields_[13], false), Dtype::fp32);
  const Scalar bias = fields_.scalar(40, scalar_source(fields_[15], true), fields_.high_dtype(32));
  const Scalar alpha = alpha_used ? fields_.scalar(44, scalar_source(fields_[12], false), Dtype::fp32) : Scalar{};
  for (std::size_t c = 0; c < fields_[34]; ++c) {
    const float s = value(scale, c), b = value(bias, c), a = value(alpha, c);
    const std::vector<float> x = floats(source, c);
    float& accumulator = device_.accumulators.at(source.partition + c);
    if (command % 2 == 1) accumulator = 0;
    Floats results;
    results.operands = x;
    results.operands.insert(results.operands.end(), {s, b, a});
    for (std::size_t i = 0; i < room(destination_, x.size()); ++i) {
      const float argument = affine(x[i], s, b, options_.affine_fused);
      results.add(activation(function, argument, a, options_.activation_error), divides && argument == 0);
      if (command >= 2) accumulator = fp32_op(0x04, accumulator, results.values.back());
    }
    keep(results);
  }
}

void Execution::read_accumulator() {
  destination_ = fields_.tensor(44, 1, fields_.dtype(32));
  for (std::size_t c = 0; c < fields_[34]; ++c) {
    const float v = device_.accumulators.at(destination_.partition + c);
    Floats results;
    results.operands = {v};
    for (std::int64_t i = 0; i < destination_.elements(); ++i) results.add(canonical(fields_[33] != 0 ? -v : v));
    keep(results);
  }
}

}  // namespace

TensorDevice::TensorDevice(const TensorOptions& options, std::size_t sbuf_bytes, std::size_t psum_bytes)
    : memory(sbuf_bytes, psum_bytes), options_(options) {}

WordOutcome TensorDevice::execute(const WordBytes& word, const RegisterFile& registers) {
  return Execution(*this, options_, word, registers).run();
}

}  // namespace golden
