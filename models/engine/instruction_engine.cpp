#include "instruction_engine.h"

#include <fmt/format.h>

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

// Simulation time counts femtoseconds in 64 bits: 18446 s. Half of that leaves room for everything relative to it.
constexpr std::uint64_t kMaxSeconds = 9000;

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
  std::vector<isa::Finding> refused;
  const std::shared_ptr<Prepared> prepared = look_up(word, *outcome.registers, refused);
  if (prepared == nullptr) return drop(word, refused, outcome);
  const execute::Plan* const plan = &prepared->plan;
  if (!report(core_.state_findings(*plan), outcome)) return;
  if (!schedule(*prepared, outcome)) return;
  if (!config_.data) return execute_without_data(*prepared, outcome);
  if (!read_param_table(*plan, outcome) || !read_sources(*plan, outcome)) return;
  execute::Result result = core_.compute(*plan, inputs_, table_);
  outcome.fp_status = result.fp_status.bits;
  outcome.faults = std::move(result.faults);
  if (!outcome.faults.empty()) return;
  if (outcome.wants_crc) add_crcs(result, outcome);
  if (result.param_ram && !write_param_ram(*result.param_ram, outcome)) return;
  if (plan->destination) write_destination(*plan, result, outcome);
}

// The plan of a word depends on nothing else than the registers; only that of the textbook BackProp, which looks up
// what the lanes hold, is made each time. nullptr: the word is refused.
std::shared_ptr<InstructionEngine::Prepared> InstructionEngine::look_up(const isa::Word& word,
                                                                        const execute::Registers& registers,
                                                                        std::vector<isa::Finding>& refused) {
  const bool looks_at_lanes = word.opcode_byte() == isa::code(isa::Opcode::batch_norm_back_prop) &&
                              config_.core.switches.backprop_form == numerics::BackpropForm::textbook;
  const std::shared_ptr<Prepared>* const known = prepared_.find(word);
  if (known != nullptr && (*known)->registers == registers && !looks_at_lanes) return *known;
  auto plan = core_.plan(word, registers, refused);
  if (!plan) return nullptr;
  const auto prepared = std::make_shared<Prepared>();
  prepared->registers = registers;
  prepared->plan = std::move(*plan);
  if (config_.timed)
    prepared->cost =
        timing::cost(word, prepared->plan.resolved_operands, config_.core.legality.generation, config_.timing);
  return prepared_.put(word, prepared);
}

// What is left of a word without tensor contents: its traffic, the Parameter-RAM, and what later words ask of the
// lanes.
void InstructionEngine::execute_without_data(Prepared& word, IssueExtension& outcome) {
  const execute::Plan& plan = word.plan;
  if (!read_param_table(plan, outcome)) return;
  if (!word.traffic) {
    Traffic& all = word.traffic.emplace();
    for (const execute::Access& access : plan.sources)
      count(access, false, all.ports[port_number(access.role)], all.banks);
    if (plan.destination) count(*plan.destination, true, all.ports[IssueExtension::write], all.banks);
  }
  for (const auto port : {IssueExtension::read0, IssueExtension::read1, IssueExtension::write}) {
    outcome.traffic[port].read += word.traffic->ports[port].read;
    outcome.traffic[port].written += word.traffic->ports[port].written;
    outcome.traffic[port].transactions += word.traffic->ports[port].transactions;
  }
  outcome.banks = word.traffic->banks;
  if (!plan.param_ram_first_entry) return keep_lane_state(plan);
  write_param_ram(*core_.compute(plan, {}, table_).param_ram, outcome);
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
  inputs_.resize(plan.sources.size());
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    if (leaves_inv_std) shortened.sources[i].elements = isa::Elements(1);
    inputs_[i].assign(shortened.sources[i].packed_bytes().value, 0);
  }
  core_.compute(shortened, inputs_, table_);
}

void InstructionEngine::add_crcs(const execute::Result& result, IssueExtension& outcome) const {
  outcome.input_crc = firmware::kCrc16Start;
  for (const auto& input : inputs_) outcome.input_crc = firmware::crc16(input.data(), input.size(), outcome.input_crc);
  outcome.output_crc = firmware::crc16(result.destination.data(), result.destination.size());
}

// A word without meaning: a fault in strict mode; in relaxed mode it passes through the pipeline without effect or
// cost.
void InstructionEngine::drop(const isa::Word& word, const std::vector<isa::Finding>& findings,
                             IssueExtension& outcome) {
  if (!report(findings, outcome)) return;
  outcome.warnings.push_back(
      {"not_executed", "opcode", 0, word.opcode_byte(), "a word whose operands can be resolved"});
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
  const execute::Plan& plan = word.plan;
  timing::Pipeline& pipe = pipeline(outcome);
  const timing::Opening opening = pipe.open(word.cost, plan.resolved_operands, outcome.wait_holds);
  if (!within_time(opening.start + std::max(opening.cost.total, opening.cost.interval), outcome)) return false;
  outcome.over_limit = opening.start + opening.cost.total > outcome.latest_completion;
  if (!outcome.over_limit) {
    const std::uint64_t start = clock_.femtoseconds(opening.start);
    if (start >= outcome.synchronise_from && start > now_femtoseconds()) wait(until_femtoseconds(start));
  }
  const contention::Stalls stalls = outcome.over_limit ? contention::Stalls{} : stream(word, opening, outcome);
  outcome.schedule = pipe.close(opening, plan.resolved_operands, stalls);
  outcome.over_limit = outcome.schedule.complete > outcome.latest_completion;
  return within_time(outcome.schedule.complete, outcome) && !outcome.over_limit;
}

// Simulation time has an end.
bool InstructionEngine::within_time(isa::Cycles complete, IssueExtension& outcome) const {
  if (complete.value / clock_.hz() < kMaxSeconds) return true;
  outcome.faults.push_back({"simulated_time_limit", "complete", 0, complete.value,
                            fmt::format("a word that completes within {} s of simulated time", kMaxSeconds)});
  return false;
}

// What the word asks of the ports from its start on.
const std::optional<contention::Job>& InstructionEngine::job_of(Prepared& word, const timing::Opening& opening) const {
  if (!word.has_job)
    word.job = timing::word_job(user_, word.plan.resolved_operands, opening.start, opening.cost.stream,
                                config_.core.legality.generation, config_.timing, config_.memory);
  word.has_job = true;
  if (word.job)
    word.job->start =
        timing::memory_moment(opening.start, config_.timing.clock_hz, config_.memory.clock_hz, word.job->denominator);
  return word.job;
}

// The operands on the memories' ports: what other users cost the word, in cycles of this engine.
contention::Stalls InstructionEngine::stream(Prepared& word, const timing::Opening& opening, IssueExtension& outcome) {
  if (config_.ports == nullptr) return {};
  const std::optional<contention::Job>& job = job_of(word, opening);
  if (!job) return {};
  for (const contention::StreamJob& s : job->streams)
    outcome.traffic[s.write         ? IssueExtension::write
                    : s.second_read ? IssueExtension::read1
                                    : IssueExtension::read0]
        .beats += s.beats;
  if (outcome.started) outcome.started(opening);
  const contention::Outcome end = config_.ports->stream(*job, false);
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
  return report({{"param_ram_not_loaded", "entry", 0, static_cast<std::uint64_t>(*unloaded),
                  "a Parameter-RAM entry that LoadParameterRam has written"}},
                outcome);
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

bool InstructionEngine::read_sources(const execute::Plan& plan, IssueExtension& outcome) {
  inputs_.resize(plan.sources.size());
  for (std::size_t i = 0; i < plan.sources.size(); ++i) {
    const execute::Access& access = plan.sources[i];
    const auto status = port_of(access.role).read(access, inputs_[i]);
    if (!moved(access, status, port_number(access.role), false, outcome)) return false;
  }
  return true;
}

bool InstructionEngine::write_destination(const execute::Plan& plan, execute::Result& result, IssueExtension& outcome) {
  return moved(*plan.destination, write.write(*plan.destination, result.destination), IssueExtension::write, true,
               outcome);
}

// Accounts for a transferred operand, or faults when the memory refused it.
bool InstructionEngine::moved(const execute::Access& access, tlm::tlm_response_status status, IssueExtension::Port port,
                              bool is_write, IssueExtension& outcome) {
  const isa::Generation generation = config_.core.legality.generation;
  if (status != tlm::TLM_OK_RESPONSE) {
    outcome.faults.push_back({"operand_response", fmt::format("{}.start_addr", isa::name(access.role)), 0,
                              isa::address_of(access.start, generation).raw, "an operand that its memory serves"});
    return false;
  }
  count(access, is_write, outcome.traffic[port], outcome.banks);
  return true;
}

void InstructionEngine::count(const execute::Access& access, bool is_write, PortTraffic& traffic,
                              std::vector<BankTraffic>& banks) const {
  (is_write ? traffic.written : traffic.read) += access.packed_bytes();
  ++traffic.transactions;
  for (const execute::BankBytes& bank :
       execute::bytes_per_bank(access, contention::bank_bytes(config_.memory, access.start.space)))
    banks.push_back(
        {access.start.space, bank.bank, is_write ? isa::Bytes{} : bank.bytes, is_write ? bank.bytes : isa::Bytes{}});
}

}  // namespace dve
