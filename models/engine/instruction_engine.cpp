#include "instruction_engine.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "dve/firmware/firmware.h"

namespace dve {
namespace {

TargetCapabilities issue_capabilities() {
  TargetCapabilities c;
  c.size = isa::kWordBytes;
  c.readable = false;
  c.byte_enables = false;
  c.streaming = false;
  c.exact_length = isa::kWordBytes;
  return c;
}

contention::User user_of(isa::Engine engine) {
  return engine == isa::Engine::dve    ? contention::User::dve
         : engine == isa::Engine::pool ? contention::User::pool
                                       : contention::User::act;
}

IssueExtension::Port port_number(isa::OperandRole role) {
  if (role == isa::OperandRole::dst) return IssueExtension::write;
  return role == isa::OperandRole::src0 || role == isa::OperandRole::imm0 ? IssueExtension::read0
                                                                          : IssueExtension::read1;
}

std::uint16_t crc_of(const kernels::Rows& rows, const execute::Access& access, std::uint16_t crc) {
  const std::size_t bytes = access.packed_bytes().value / access.channels;
  for (std::uint32_t c = 0; c < access.channels; ++c) crc = firmware::crc16(rows.channel(c), bytes, crc);
  return crc;
}

}  // namespace

InstructionEngine::InstructionEngine(sc_core::sc_module_name name, const EngineConfig& config)
    : sc_module(name),
      issue("issue", *this, issue_capabilities()),
      read0("read0", config.core.legality.generation, config.use_dmi),
      read1("read1", config.core.legality.generation, config.use_dmi),
      write("write", config.core.legality.generation, config.use_dmi),
      param("param"),
      config_(config),
      core_(config.core),
      own_pipeline_(config.core.legality.generation, config.timing),
      clock_(config.timing.clock_hz),
      user_(user_of(config.timing.engine)) {}

bool InstructionEngine::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  isa::Word word;
  std::memcpy(word.bytes.data(), payload.get_data_ptr(), isa::kWordBytes);
  IssueExtension* extension = nullptr;
  payload.get_extension(extension);
  const execute::Registers no_registers{};
  IssueExtension local;
  local.registers = &no_registers;
  IssueExtension& outcome = extension != nullptr ? *extension : local;
  const std::uint64_t before = now_femtoseconds();
  execute_word(word, outcome);
  payload.set_response_status(outcome.faults.empty() || extension != nullptr ? tlm::TLM_OK_RESPONSE
                                                                             : tlm::TLM_GENERIC_ERROR_RESPONSE);
  if (config_.timed) {
    // The initiator's delay counts from now; simulation time may have advanced inside this call.
    const sc_core::sc_time given = until_femtoseconds(before + delay.value());
    delay = std::max(given, until_femtoseconds(clock_.femtoseconds(outcome.schedule.next_issue)));
  }
  return true;
}

tlm::tlm_response_status InstructionEngine::access(const PlainAccess&, sc_core::sc_time&) {
  return tlm::TLM_COMMAND_ERROR_RESPONSE;  // debug writes: a word cannot be executed without side effects
}

void InstructionEngine::execute_word(const isa::Word& word, IssueExtension& outcome) {
  const PreparedWord ready = look_up(word, outcome);
  if (!ready) return;
  if (!report(core_.state_findings(ready->plan), outcome)) return;
  if (!schedule(*ready, outcome)) return;
  if (!config_.data) return execute_without_data(*ready, outcome);
  if (read_param_table(ready->plan, outcome) && read_sources(*ready, outcome)) compute(*ready, outcome);
}

// Null: the word has no meaning, and has been dropped.
InstructionEngine::PreparedWord InstructionEngine::look_up(const isa::Word& word, IssueExtension& outcome) {
  if (const PreparedWord* known = prepared_.find(word)) return *known;
  std::vector<isa::Finding> refused;
  auto plan = core_.plan(word, *outcome.registers, refused);
  if (!plan) {
    drop(word, refused, outcome);
    return nullptr;
  }
  const bool pure = plan->pure;
  PreparedWord fresh = prepared(std::move(*plan));
  if (pure) prepared_.put(word, fresh);
  return fresh;
}

InstructionEngine::PreparedWord InstructionEngine::prepared(execute::Plan plan) const {
  auto word = std::make_shared<Prepared>();
  word->plan = std::move(plan);
  const auto& operands = word->plan.resolved_operands;
  const isa::Generation generation = config_.core.legality.generation;
  if (config_.timed) word->cost = timing::cost(word->plan.word, operands, generation, config_.timing);
  if (config_.timed && config_.ports != nullptr)
    word->job =
        timing::word_job(user_, operands, isa::Cycles{}, word->cost.stream, generation, config_.timing, config_.memory);
  if (word->job) {
    for (const contention::StreamJob& s : word->job->streams)
      word->beats[s.write         ? IssueExtension::write
                  : s.second_read ? IssueExtension::read1
                                  : IssueExtension::read0]
          .beats += s.beats;
  }
  for (const execute::Access& access : word->plan.sources) word->banks.push_back(banks_of(access, false));
  if (word->plan.destination) word->banks.push_back(banks_of(*word->plan.destination, true));
  return word;
}

std::vector<BankTraffic> InstructionEngine::banks_of(const execute::Access& access, bool is_write) const {
  std::vector<BankTraffic> traffic;
  const auto banks = execute::bytes_per_bank(access, contention::bank_bytes(config_.memory, access.start.space));
  for (const execute::BankBytes& bank : banks)
    traffic.push_back(
        {access.start.space, bank.bank, is_write ? isa::Bytes{} : bank.bytes, is_write ? bank.bytes : isa::Bytes{}});
  return traffic;
}

// From the sources in place to the destination in place; false: a fault.
bool InstructionEngine::compute(const Prepared& word, IssueExtension& outcome) {
  const execute::Plan& plan = word.plan;
  if (outcome.wants_crc) outcome.input_crc = input_crc(plan);  // before results may overwrite a source
  PackedOperand& copy = copies_.back();
  kernels::ResultRows destination;
  const bool in_array = config_.lanes != nullptr && config_.lanes->serves(plan.opcode);
  if (plan.destination) destination = write.destination(*plan.destination, plan.in_place && !in_array, copy);
  if (config_.observer != nullptr) config_.observer->operands_read(core_, plan, inputs_, table_);
  execute::Outcome result = core_.compute(plan, inputs_, destination, table_);
  outcome.fp_status = result.fp_status.bits;
  outcome.faults = std::move(result.faults);
  if (!outcome.faults.empty()) return false;
  if (in_array && !compute_in_array(plan, destination, outcome)) return false;
  if (outcome.wants_crc) {
    outcome.output_crc = firmware::kCrc16Start;
    if (plan.destination)
      outcome.output_crc = crc_of({destination.partitions, destination.offset, destination.dtype}, *plan.destination,
                                  outcome.output_crc);
  }
  if (result.param_ram && !write_param_ram(*result.param_ram, outcome)) return false;
  if (plan.destination) {
    const auto status = write.write(*plan.destination, destination, copy);
    if (!moved(*plan.destination, word.banks.back(), status, true, outcome)) return false;
  }
  if (config_.observer != nullptr) config_.observer->results_written(core_, plan, destination, result);
  return true;
}

// Results of the model are replaced by the array's; false: they differ.
bool InstructionEngine::compute_in_array(const execute::Plan& plan, const kernels::ResultRows& results,
                                         IssueExtension& outcome) {
  outcome.faults = config_.lanes->compute(plan, inputs_, core_.lanes_of(plan), results);
  return outcome.faults.empty();
}

// What is left of a word without tensor contents: its traffic, the Parameter-RAM, and what later words ask of the
// lanes.
void InstructionEngine::execute_without_data(const Prepared& word, IssueExtension& outcome) {
  const execute::Plan& plan = word.plan;
  if (!read_param_table(plan, outcome)) return;
  for (std::size_t i = 0; i < plan.sources.size(); ++i)
    moved(plan.sources[i], word.banks[i], tlm::TLM_OK_RESPONSE, false, outcome);
  if (plan.destination) moved(*plan.destination, word.banks.back(), tlm::TLM_OK_RESPONSE, true, outcome);
  if (!plan.param_ram_first_entry) return keep_lane_state(plan);
  write_param_ram(*core_.compute(plan, execute::PackedInputs{}, table_).param_ram, outcome);
}

// Which lanes have been staged, their element count, the resident function set: state_findings() and the use of the
// Parameter-RAM depend on them. The words that set them are computed, on zeros and with one element of each stream.
void InstructionEngine::keep_lane_state(const execute::Plan& plan) {
  using isa::Opcode;
  const bool stages = plan.opcode == Opcode::batch_norm_param_load || plan.opcode == Opcode::batch_norm_param_load2;
  const bool leaves_inv_std =
      (plan.opcode == Opcode::batch_norm_grad_accumulate || plan.opcode == Opcode::batch_norm_grad_accumulate2) &&
      config_.core.switches.backprop_form == numerics::BackpropForm::textbook;
  if (!stages && !leaves_inv_std && plan.opcode != Opcode::activation_table_load) return;
  execute::Plan shortened = plan;
  execute::PackedInputs zeros(plan.sources.size());
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    if (leaves_inv_std) shortened.sources[i].elements = isa::Elements(1);
    zeros[i].assign(shortened.sources[i].packed_bytes().value, 0);
  }
  core_.compute(shortened, zeros, table_);
}

std::uint16_t InstructionEngine::input_crc(const execute::Plan& plan) const {
  std::uint16_t crc = firmware::kCrc16Start;
  for (std::size_t i = 0; i < plan.sources.size(); ++i) crc = crc_of(inputs_[i], plan.sources[i], crc);
  return crc;
}

// A word without meaning: a fault in strict mode; in relaxed mode it passes through the pipeline without effect or
// cost.
void InstructionEngine::drop(const isa::Word& word, const std::vector<isa::Finding>& findings,
                             IssueExtension& outcome) {
  if (!report(findings, outcome)) return;
  outcome.warnings.push_back(execute::not_executed(word.opcode_byte()));
  if (!config_.timed) return;
  const isa::Cycles at = std::max(pipeline(outcome).next_issue(), outcome.wait_holds);
  outcome.schedule.start = outcome.schedule.read_done = outcome.schedule.complete = outcome.schedule.next_issue = at;
}

// False: the findings are faults.
bool InstructionEngine::report(const std::vector<isa::Finding>& findings, IssueExtension& outcome) {
  auto& into = config_.strict ? outcome.faults : outcome.warnings;
  into.insert(into.end(), findings.begin(), findings.end());
  return outcome.faults.empty();
}

bool InstructionEngine::schedule(Prepared& word, IssueExtension& outcome) {
  if (!config_.timed) return true;
  timing::Pipeline& pipe = pipeline(outcome);
  const timing::Opening opening = pipe.open(word.cost, word.plan.resolved_operands, outcome.wait_holds);
  if (!within_time(opening.start + std::max(opening.cost.total, opening.cost.interval), outcome)) return false;
  outcome.over_limit = opening.start + opening.cost.total > outcome.latest_completion;
  if (!outcome.over_limit) {
    const std::uint64_t start = clock_.femtoseconds(opening.start);
    if (start >= outcome.synchronise_from && start > now_femtoseconds()) wait(until_femtoseconds(start));
  }
  const contention::Stalls stalls = outcome.over_limit ? contention::Stalls{} : stream(word, opening, outcome);
  outcome.schedule = pipe.close(opening, word.plan.resolved_operands, stalls);
  outcome.over_limit = outcome.schedule.complete > outcome.latest_completion;
  return within_time(outcome.schedule.complete, outcome) && !outcome.over_limit;
}

// Simulation time has an end.
bool InstructionEngine::within_time(isa::Cycles complete, IssueExtension& outcome) const {
  const auto beyond = clock_.beyond_limit(complete);
  if (beyond) outcome.faults.push_back(*beyond);
  return !beyond;
}

// The operands on the memories' ports: what other users cost the word, in cycles of this engine.
contention::Stalls InstructionEngine::stream(Prepared& word, const timing::Opening& opening, IssueExtension& outcome) {
  if (!word.job) return {};
  for (std::size_t port = 0; port < outcome.traffic.size(); ++port)
    outcome.traffic[port].beats += word.beats[port].beats;
  if (outcome.started) outcome.started(opening);
  contention::Job& job = *word.job;
  job.start = timing::memory_moment(opening.start, config_.timing.clock_hz, config_.memory.clock_hz, job.denominator);
  const contention::Outcome end = config_.ports->stream(job, false);
  return timing::word_stalls(end, opening.start, opening.cost.stream, config_.timing.clock_hz, config_.memory.clock_hz);
}

timing::Pipeline& InstructionEngine::pipeline(const IssueExtension& outcome) {
  return outcome.pipeline != nullptr ? *outcome.pipeline : own_pipeline_;
}

bool InstructionEngine::read_param_table(const execute::Plan& plan, IssueExtension& outcome) {
  if (plan.param_entries.empty()) return true;
  std::array<std::uint8_t, sizeof(numerics::ParamTable)> bytes{};
  param_payload_.set_extension(&param_loaded_);
  const auto status = param_transport(false, 0, bytes.data(), bytes.size());
  param_payload_.clear_extension(&param_loaded_);
  if (status != tlm::TLM_OK_RESPONSE) {
    outcome.faults.push_back({"param_ram_response", "param_ram_offset", 12, 0, "a Parameter-RAM that answers"});
    return false;
  }
  std::memcpy(table_.data(), bytes.data(), bytes.size());
  outcome.traffic[IssueExtension::param].read += isa::Bytes(4 * plan.param_entries.size());
  ++outcome.traffic[IssueExtension::param].transactions;
  const auto unloaded = std::find_if(plan.param_entries.begin(), plan.param_entries.end(),
                                     [&](int entry) { return !param_loaded_.loaded[static_cast<std::size_t>(entry)]; });
  if (unloaded == plan.param_entries.end()) return true;
  return report({execute::param_ram_not_loaded(static_cast<std::size_t>(*unloaded))}, outcome);
}

bool InstructionEngine::write_param_ram(const execute::ParamRamWrite& values, IssueExtension& outcome) {
  std::array<std::uint8_t, sizeof(values.values)> bytes{};
  std::memcpy(bytes.data(), values.values.data(), bytes.size());
  const auto status = param_transport(true, 4 * std::uint64_t{values.first_entry}, bytes.data(), bytes.size());
  outcome.traffic[IssueExtension::param].written += isa::Bytes(bytes.size());
  ++outcome.traffic[IssueExtension::param].transactions;
  if (status == tlm::TLM_OK_RESPONSE) return true;
  outcome.faults.push_back(
      {"param_ram_response", "param_ram_offset", 12, values.first_entry, "a Parameter-RAM that answers"});
  return false;
}

tlm::tlm_response_status InstructionEngine::param_transport(bool is_write, std::uint64_t address, std::uint8_t* data,
                                                            unsigned length) {
  prepare(param_payload_, is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, config_.param_ram_base + address,
          data, length);
  sc_core::sc_time delay;
  param->b_transport(param_payload_, delay);
  return param_payload_.get_response_status();
}

OperandPort& InstructionEngine::port_of(isa::OperandRole role) {
  switch (port_number(role)) {
    case IssueExtension::read0:
      return read0;
    case IssueExtension::read1:
      return read1;
    default:
      return write;
  }
}

bool InstructionEngine::read_sources(const Prepared& word, IssueExtension& outcome) {
  const std::vector<execute::Access>& sources = word.plan.sources;
  inputs_.resize(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto status = port_of(sources[i].role).read(sources[i], copies_[i], inputs_[i]);
    if (!moved(sources[i], word.banks[i], status, false, outcome)) return false;
  }
  return true;
}

// Accounts for a transferred operand, or faults when the memory refused it.
bool InstructionEngine::moved(const execute::Access& access, const std::vector<BankTraffic>& banks,
                              tlm::tlm_response_status status, bool is_write, IssueExtension& outcome) {
  if (status != tlm::TLM_OK_RESPONSE) {
    outcome.faults.push_back(execute::operand_response(access, config_.core.legality.generation));
    return false;
  }
  PortTraffic& traffic = outcome.traffic[port_number(access.role)];
  (is_write ? traffic.written : traffic.read) += access.packed_bytes();
  ++traffic.transactions;
  outcome.banks.insert(outcome.banks.end(), banks.begin(), banks.end());
  return true;
}

}  // namespace dve
