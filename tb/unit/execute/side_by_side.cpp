#include "side_by_side.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <utility>

namespace dve::execute_test {
namespace {

using testing_support::TensorSpec;

constexpr std::uint32_t kPartitionBytes[] = {kSbufBytes, kPsumBytes};

golden::TensorOptions on(isa::Generation generation, golden::TensorOptions options) {
  if (generation == isa::Generation::maverick) options.addresses = {0x100000, false};
  return options;
}

execute::CoreConfig core_config(isa::Generation generation, const golden::TensorOptions& options) {
  execute::CoreConfig config;
  config.legality.generation = generation;
  config.switches = switches_of(options);
  return config;
}

golden::Tensor to_golden(const TensorSpec& spec) {
  golden::Tensor t;
  t.space = spec.place.space == isa::Space::sbuf ? golden::Space::sbuf : golden::Space::psum;
  t.partition = isa::number(spec.place.partition);
  t.offset = spec.place.offset;
  t.dtype = static_cast<golden::Dtype>(isa::code(spec.dtype));
  for (std::size_t d = 0; d < spec.counts.size(); ++d) {
    t.counts[d] = spec.counts[d];
    t.steps[d] = spec.steps[d];
  }
  return t;
}

bool inside(const execute::Access& access) {
  const auto size = static_cast<std::uint32_t>(isa::storage_size(access.dtype).value);
  const isa::Bytes room(kPartitionBytes[static_cast<std::size_t>(access.start.space)]);
  return access.elements.value == 0 || execute::inside_partition(access.start.offset, access.pattern, size, room);
}

// Calls move(partition, packed bytes of that channel) for every channel of an operand.
template <class Move>
void for_each_channel(golden::Memory& memory, const execute::Access& access, Move move) {
  const bool sbuf = access.start.space == isa::Space::sbuf;
  const std::size_t stride = sbuf ? kSbufBytes : kPsumBytes;
  const std::size_t packed = access.elements.value * isa::storage_size(access.dtype).value;
  for (std::uint32_t c = 0; c < access.channels; ++c) {
    const std::size_t partition = isa::number(access.start.partition) + c;
    move((sbuf ? memory.sbuf : memory.psum).data() + partition * stride, c * packed);
  }
}

std::vector<std::uint8_t> gathered(golden::Memory& memory, const execute::Access& access) {
  std::vector<std::uint8_t> packed(access.packed_bytes().value);
  const auto size = static_cast<std::uint32_t>(isa::storage_size(access.dtype).value);
  for_each_channel(memory, access, [&](const std::uint8_t* partition, std::size_t at) {
    execute::gather(partition, access.start.offset, access.pattern, size, {0, access.elements.value},
                    packed.data() + at);
  });
  return packed;
}

void scatter(const std::vector<std::uint8_t>& packed, const execute::Access& access, golden::Memory& memory) {
  const auto size = static_cast<std::uint32_t>(isa::storage_size(access.dtype).value);
  for_each_channel(memory, access, [&](std::uint8_t* partition, std::size_t at) {
    execute::scatter(packed.data() + at, access.start.offset, access.pattern, size, {0, access.elements.value},
                     partition);
  });
}

// A piece of one large pool, which is quicker than new bytes.
void copy_some(testing_support::Rng& random, std::uint8_t* to, std::size_t count) {
  static const std::vector<std::uint8_t> pool = [] {
    testing_support::Rng first(1);
    return testing_support::mixed_bytes(1 << 18, first);
  }();
  std::memcpy(to, pool.data() + 8 * testing_support::below(random, (pool.size() - count) / 8), count);
}

// Where two memories of so many bytes a partition differ first.
std::string difference(const char* space, const std::vector<std::uint8_t>& actual,
                       const std::vector<std::uint8_t>& expected, std::uint32_t partition_bytes) {
  if (actual == expected) return {};
  const auto at = std::mismatch(actual.begin(), actual.end(), expected.begin());
  const auto index = static_cast<std::size_t>(at.first - actual.begin());
  std::ostringstream text;
  text << space << " partition " << index / partition_bytes << " from byte 0x" << std::hex << index % partition_bytes
       << ": ";
  for (const auto* bytes : {&actual, &expected}) {
    text << (bytes == &actual ? "" : ", expected ");
    for (std::size_t i = index; i < std::min(index + 8, actual.size()); ++i) text << unsigned{(*bytes)[i]} << ' ';
  }
  return text.str();
}

}  // namespace

numerics::Switches switches_of(const golden::TensorOptions& options) {
  using namespace numerics;
  Switches s;
  s.clr_order = options.clr_tree ? ClrOrder::tree : ClrOrder::ascending;
  s.tensor_scalar_contraction = options.scalar_fused ? Contraction::fused : Contraction::separate;
  s.act_affine_contraction = options.affine_fused ? Contraction::fused : Contraction::separate;
  s.act_relative_error = options.activation_error;
  s.narrow_overflow = options.elements.narrow_saturate ? NarrowOverflow::saturate : NarrowOverflow::inf;
  s.e4m3_variant = options.elements.e4m3_fn ? E4m3Variant::fn : E4m3Variant::ieee;
  s.divide = options.elements.newton ? Divide::newton : Divide::exact;
  s.fp32r_mantissa = static_cast<unsigned>(options.elements.fp32r_mantissa);
  return s;
}

SideBySide::SideBySide(isa::Generation generation, golden::TensorOptions options)
    : generation_(generation),
      golden_(on(generation, options), kSbufBytes, kPsumBytes),
      memory_(kSbufBytes, kPsumBytes),
      core_(core_config(generation, options)),
      builder_(generation) {}

void SideBySide::fill(std::uint64_t seed) {
  testing_support::Rng random(seed);
  for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
    copy_some(random, memory_.sbuf.data() + p * kSbufBytes, kSbufBytes);
    copy_some(random, memory_.psum.data() + p * kPsumBytes, kPsumBytes);
  }
  golden_.memory.sbuf = memory_.sbuf;
  golden_.memory.psum = memory_.psum;
}

void SideBySide::put(const TensorSpec& tensor, std::uint32_t channel, const std::vector<float>& values) {
  for (golden::Memory* memory : {&golden_.memory, &memory_})
    golden::write_stream(*memory, to_golden(tensor), channel, values, {});
}

void SideBySide::put_bytes(const isa::Place& place, const std::vector<std::uint8_t>& bytes) {
  const golden::Tensor t = to_golden({place, isa::Dtype::uint8, {1}, {1}});
  for (golden::Memory* memory : {&golden_.memory, &memory_}) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
      memory->at(t.space, t.partition, t.offset + static_cast<std::int64_t>(i)) = bytes[i];
  }
}

std::vector<float> SideBySide::get(const TensorSpec& tensor, std::uint32_t channel) {
  return golden::read_stream(memory_, to_golden(tensor), channel, {});
}

testing::AssertionResult SideBySide::same(const isa::Word& word) {
  std::vector<isa::Finding> findings;
  const auto plan = core_.plan(word, registers, findings);
  if (!plan) return testing::AssertionFailure() << "refused: " << isa::to_string(findings.at(0));
  execute::PackedInputs inputs;
  for (const execute::Access& source : plan->sources) {
    if (!inside(source)) return testing::AssertionFailure() << isa::name(source.role) << " leaves the test's memory";
    inputs.push_back(gathered(memory_, source));
  }
  const execute::Result result = core_.compute(*plan, inputs, {});
  flags_ = result.fp_status.bits;
  faults_ = result.faults;
  if (plan->destination && !inside(*plan->destination))
    return testing::AssertionFailure() << "dst leaves the test's memory";
  if (plan->destination && faults_.empty()) scatter(result.destination, *plan->destination, memory_);
  return compare(golden_.execute(word.bytes, registers));
}

testing::AssertionResult SideBySide::compare(const golden::WordOutcome& expected) const {
  using execute::FpStatus;
  std::string problem = difference("SBUF", memory_.sbuf, golden_.memory.sbuf, kSbufBytes);
  if (problem.empty()) problem = difference("PSUM", memory_.psum, golden_.memory.psum, kPsumBytes);
  if (!problem.empty()) return testing::AssertionFailure() << problem;
  if (faults_.empty() == expected.integer_divide_by_zero)
    return testing::AssertionFailure() << faults_.size()
                                       << " faults, integer divide by zero: " << expected.integer_divide_by_zero;
  const int flags = (expected.invalid ? FpStatus::kInvalid : 0) + (expected.overflow ? FpStatus::kOverflow : 0) +
                    (expected.divide_by_zero ? FpStatus::kDivideByZero : 0);
  if (flags_ != flags) return testing::AssertionFailure() << "flags " << int{flags_} << ", expected " << flags;
  for (std::uint32_t p = 0; p < isa::kPartitions; ++p) {
    if (golden::bits_of_float(core_.accumulator(p)) != golden::bits_of_float(golden_.accumulators[p]))
      return testing::AssertionFailure() << "accumulator " << p << " is " << core_.accumulator(p) << ", expected "
                                         << golden_.accumulators[p];
  }
  if (core_.resident_set() != golden_.resident_set) return testing::AssertionFailure() << "another set is resident";
  return testing::AssertionSuccess();
}

bool SideBySide::legal(const isa::Word& word, isa::Engine engine) const {
  isa::LegalityOptions options;
  options.generation = generation_;
  options.engine = engine;
  return isa::check(word, options).empty();
}

testing::AssertionResult SideBySide::legal_and_same(const isa::Word& word, isa::Engine engine) {
  isa::LegalityOptions options;
  options.generation = generation_;
  options.engine = engine;
  const auto findings = isa::check(word, options);
  if (!findings.empty()) return testing::AssertionFailure() << "not legal: " << isa::to_string(findings.front());
  return same(word);
}

std::string SideBySide::refusal(const isa::Word& word) const {
  std::vector<isa::Finding> findings;
  if (core_.plan(word, registers, findings)) return {};
  return findings.at(0).predicate + " " + findings.at(0).field;
}

std::string SideBySide::state_finding(const isa::Word& word) const {
  std::vector<isa::Finding> findings;
  const auto plan = core_.plan(word, registers, findings);
  if (!plan) return "no plan";
  std::string predicates;
  for (const isa::Finding& finding : core_.state_findings(*plan)) predicates += finding.predicate;
  return predicates;
}

}  // namespace dve::execute_test
