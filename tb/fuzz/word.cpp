#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "dve/assembly/assembly.h"
#include "dve/execute/execute.h"
#include "dve/firmware/firmware.h"
#include "dve/timing/timing.h"
#include "targets.h"

namespace dve::fuzz {
namespace word_target {

// Operand bytes of a word that is computed: the point is odd words, not long streams.
constexpr std::uint64_t kMostBytes = 1 << 16;

struct Input {
  isa::Word word;
  isa::LegalityOptions legality;
  numerics::Switches switches;
  std::vector<std::uint8_t> data;
};

// Takes bytes from the front; past the end there are zeros.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  void take(std::uint8_t* to, std::size_t count) {
    const std::size_t there = std::min(count, size_);
    std::copy_n(data_, there, to);
    data_ += there;
    size_ -= there;
  }
  std::vector<std::uint8_t> rest() const { return {data_, data_ + size_}; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

// Answers with the enumerator 0 or 1 by the lowest bit, which it takes away.
class Coins {
 public:
  explicit Coins(std::uint32_t bits) : bits_(bits) {}
  template <class Enumeration>
  void toss(Enumeration& value) {
    value = static_cast<Enumeration>(bits_ & 1);
    bits_ >>= 1;
  }
  std::uint32_t rest() const { return bits_; }

 private:
  std::uint32_t bits_;
};

numerics::Switches switches_of(std::uint32_t bits) {
  numerics::Switches s;
  Coins coins(bits);
  coins.toss(s.dst_order);
  coins.toss(s.product_order);
  coins.toss(s.backprop_form);
  coins.toss(s.src0_is);
  coins.toss(s.accumulator);
  coins.toss(s.stats_algorithm);
  coins.toss(s.param_ram_index);
  coins.toss(s.param_ram_offset_unit);
  coins.toss(s.paramload2_imm_order);
  coins.toss(s.narrow_overflow);
  coins.toss(s.e4m3_variant);
  coins.toss(s.divide);
  coins.toss(s.flop_index);
  coins.toss(s.clr_order);
  coins.toss(s.tensor_scalar_contraction);
  coins.toss(s.act_affine_contraction);
  s.fp32r_mantissa = 1 + (s.fp32r_mantissa - 1 + coins.rest()) % 23;
  return s;
}

isa::LegalityOptions legality_of(std::uint8_t where, std::uint8_t how) {
  isa::LegalityOptions options;
  options.generation = isa::kGenerations[(1u + where) % isa::kGenerations.size()];
  options.active_channel_rule = static_cast<isa::ActiveChannelRule>(how & 1);
  options.param_ram_offset_unit_bytes = (how & 2) == 0 ? 4 : 1;
  const std::size_t engine = (how >> 2) % (isa::kEngines.size() + 1);
  if (engine != 0) options.engine = isa::kEngines[engine - 1];
  return options;
}

Input input_of(const std::uint8_t* data, std::size_t size) {
  Input input;
  Bytes bytes(data, size);
  bytes.take(input.word.bytes.data(), isa::kWordBytes);
  std::uint8_t selectors[6] = {};
  bytes.take(selectors, sizeof selectors);
  input.legality = legality_of(selectors[0], selectors[1]);
  std::uint32_t bits = 0;
  std::memcpy(&bits, selectors + 2, sizeof bits);
  input.switches = switches_of(bits);
  input.data = bytes.rest();
  return input;
}

void check_findings(const std::vector<isa::Finding>& findings, bool explained) {
  for (const isa::Finding& finding : findings) {
    require(!finding.predicate.empty() && !finding.field.empty() && !finding.expected.empty(),
            "a finding names rule, field and what is allowed: " + to_string(finding));
    require(finding.byte < isa::kWordBytes, "a finding names a byte of the word: " + to_string(finding));
    require(!explained || !isa::explain(finding.predicate).empty(), "every rule is explained: " + finding.predicate);
  }
}

void check_isa(const Input& input) {
  require(isa::encode(isa::decode(input.word)) == input.word, "encode(decode(word)) is the word");
  check_findings(isa::check(input.word, input.legality), true);
  for (const isa::Operand& operand : isa::operands(input.word)) {
    require(operand.byte + 4 <= isa::kWordBytes, "an operand's address stands in the word");
    require(!operand.field.empty(), "an operand has a name");
  }
}

void check_assembly(const Input& input) {
  const std::string text = assembly::disassemble(input.word, input.legality.generation);
  require(text.find('\n') == std::string::npos, "a word is one line: " + text);
  const auto assembled = assembly::assemble(text, input.legality.generation);
  require(assembled.errors.empty(), "a disassembled word assembles: " + text);
  require(assembled.words.size() == 1 && assembled.words[0].word == input.word,
          "a disassembled word assembles to the same bytes: " + text);
}

void check_firmware(const Input& input, const std::vector<isa::Finding>& findings) {
  const std::uint8_t opcode = input.word.opcode_byte();
  for (const isa::Engine engine : isa::kEngines) {
    for (const auto build : {firmware::Build::debug, firmware::Build::perf}) {
      const auto row = firmware::dispatch(engine, opcode, build);
      const auto* refusal = std::get_if<firmware::DispatchRefusal>(&row);
      require(refusal != nullptr || isa::engines_of(opcode).contains(engine),
              "an engine handles what the ISA gives it");
      require(refusal == nullptr || !refusal->expected.empty(), "a refused opcode is explained");
    }
    for (const isa::Finding& finding : findings) {
      const firmware::FaultRecord record = firmware::record_of(finding, engine, opcode, {});
      require(firmware::unpack_fault_record(firmware::pack(record)) == record, "a fault record survives packing");
    }
  }
  const isa::Header header = isa::read_header(input.word);
  firmware::debug_request(header.debug_cmd);
}

execute::Registers registers_of(const std::vector<std::uint8_t>& data) {
  execute::Registers registers{};
  if (!data.empty()) std::memcpy(registers.data(), data.data(), std::min(data.size(), sizeof registers));
  return registers;
}

execute::PackedInputs inputs_of(const execute::Plan& plan, const std::vector<std::uint8_t>& data) {
  execute::PackedInputs inputs;
  for (const execute::Access& access : plan.sources) {
    std::vector<std::uint8_t> packed(access.packed_bytes().value);
    for (std::size_t k = 0; k < packed.size() && !data.empty(); ++k) packed[k] = data[k % data.size()];
    inputs.push_back(std::move(packed));
  }
  return inputs;
}

// One partition of a memory and not a byte more, which is the address sanitizer's business.
std::uint8_t* partition_of(isa::Bytes size) {
  static std::map<std::uint64_t, std::unique_ptr<std::uint8_t[]>> partitions;
  auto& partition = partitions[size.value];
  if (!partition) partition = std::make_unique<std::uint8_t[]>(size.value);
  return partition.get();
}

// An operand's way from and to memory: it stays inside its partition, and its banks add up to it.
void check_access(const execute::Access& access, isa::Generation generation) {
  const isa::SpaceGeometry& memory = isa::geometry(generation, access.start.space);
  isa::Bytes in_banks{};
  for (const execute::BankBytes& bank : execute::bytes_per_bank(access, isa::Bytes(2048))) in_banks += bank.bytes;
  require(in_banks == access.packed_bytes(), "the bytes of an operand lie in banks");
  const auto element_bytes = static_cast<std::uint32_t>(isa::storage_size(access.dtype).value);
  std::vector<std::uint8_t> packed(access.elements.value * element_bytes);
  std::uint8_t* partition = partition_of(memory.active_per_partition);
  const execute::ElementRange all{0, access.elements.value};
  execute::gather(partition, access.start.offset, access.pattern, element_bytes, all, packed.data());
  execute::scatter(packed.data(), access.start.offset, access.pattern, element_bytes, all, partition);
}

void check_timing(const execute::Plan& plan, const isa::LegalityOptions& legality) {
  timing::Parameters parameters;
  parameters.engine = legality.engine.value_or(isa::Engine::dve);
  timing::Pipeline pipeline(legality.generation, parameters);
  const timing::Schedule once = pipeline.issue(plan.word, plan.resolved_operands, {});
  const timing::Schedule again = pipeline.issue(plan.word, plan.resolved_operands, {});
  for (const timing::Schedule& s : {once, again})
    require(s.start <= s.read_done && s.read_done <= s.complete && s.start <= s.next_issue,
            "a word's moments in order");
  require(again.start >= once.next_issue, "words are issued in order");
}

bool is_small(const execute::Plan& plan) {
  std::uint64_t bytes = plan.destination ? plan.destination->packed_bytes().value : 0;
  for (const execute::Access& access : plan.sources) bytes += access.packed_bytes().value;
  return bytes <= kMostBytes;
}

std::vector<isa::Finding> check_execution(const Input& input) {
  execute::CoreConfig config;
  config.legality = input.legality;
  config.switches = input.switches;
  execute::Core core(config);
  std::vector<isa::Finding> findings;
  const auto plan = core.plan(input.word, registers_of(input.data), findings);
  require(plan.has_value() == findings.empty(), "a word has a plan or a finding");
  check_findings(findings, false);
  if (!plan) return findings;
  check_timing(*plan, input.legality);
  if (!is_small(*plan)) return findings;
  for (const execute::Access& access : plan->sources) check_access(access, input.legality.generation);
  if (plan->destination) check_access(*plan->destination, input.legality.generation);
  check_findings(core.state_findings(*plan), false);
  // Twice: the second time the lanes hold what the first has left there.
  for (int time = 0; time < 2; ++time) {
    const execute::Result result = core.compute(*plan, inputs_of(*plan, input.data), numerics::ParamTable{});
    check_findings(result.faults, false);
    require(result.fp_status.bits < 32, "five status flags");
    require(!result.faults.empty() ||
                result.destination.size() == (plan->destination ? plan->destination->packed_bytes().value : 0),
            "results fill the destination");
  }
  return findings;
}

}  // namespace word_target

void word(const std::uint8_t* data, std::size_t size) {
  const word_target::Input input = word_target::input_of(data, size);
  word_target::check_isa(input);
  word_target::check_assembly(input);
  word_target::check_firmware(input, word_target::check_execution(input));
}

}  // namespace dve::fuzz
