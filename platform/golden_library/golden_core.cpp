#include "golden_core.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace dve::golden_library {
namespace {

std::uint8_t opcode_of(const isa::Word& word) { return word.opcode_byte(); }

execute::CoreConfig core_config(const config::Config& settings) {
  return {config::legality_options(settings), settings.numerics};
}

}  // namespace

GoldenCore::Unit::Unit(const config::Config& settings, isa::Engine which)
    : engine(which),
      clock(config::timing_of(settings, which).clock_hz),
      semaphore_latency(config::timing_of(settings, which).semaphore_latency()),
      core(core_config(settings)),
      pipeline(settings.generation, config::timing_of(settings, which)) {}

GoldenCore::GoldenCore(const config::Config& settings, std::uint64_t host_bytes)
    : settings_(settings),
      timed_(settings.abstraction != config::Abstraction::functional),
      strict_(settings.seq.legality == config::Legality::strict),
      memories_(settings, host_bytes) {
  reset();
}

void GoldenCore::reset() {
  units_.clear();
  for (const isa::Engine engine : isa::kEngines) units_.emplace_back(settings_, engine);
  sync_ = {};
  pending_.clear();
  last_fired_ = 0;
  findings_.clear();
  open_.reset();
  memories_.reset_param_ram();
}

isa::LegalityOptions GoldenCore::legality(isa::Engine engine) const {
  isa::LegalityOptions options = config::legality_options(settings_);
  options.engine = engine;
  return options;
}

// ---- A word ----

Progress GoldenCore::execute(isa::Engine engine, const isa::Word& word) {
  Unit& u = unit(engine);
  if (const Progress progress = prepare(u, word); progress != Progress::done) return progress;
  if (isa::is_control_opcode(opcode_of(word))) {
    if (!execute_control(u, word)) return Progress::fault;
    retire(u, word);
    return u.stopped ? Progress::fault : Progress::done;
  }
  open_ = open_word(u, word, false);
  return open_ ? end(true) : Progress::fault;
}

Progress GoldenCore::begin(isa::Engine engine, const isa::Word& word) {
  Unit& u = unit(engine);
  if (const Progress progress = prepare(u, word); progress != Progress::done) return progress;
  open_ = open_word(u, word, true);
  return open_ ? Progress::done : Progress::fault;
}

Progress GoldenCore::finish() { return end(false); }

// `in_place`: nobody has touched the memories since the word was opened.
Progress GoldenCore::end(bool in_place) {
  Unit& u = unit(open_->engine);
  const Open open = std::move(*open_);
  open_.reset();
  if (open.plan && !(compute(u, *open.plan, in_place && open.plan->in_place) &&
                     report_fp_status(u, opcode_of(open.word), u.fp_status)))
    return Progress::fault;
  retire(u, open.word);
  return u.stopped ? Progress::fault : Progress::done;
}

// What comes before a word's own work: dispatch, legality, waits (Sequencer::execute_word).
Progress GoldenCore::prepare(Unit& u, const isa::Word& word) {
  if (timed_) fire_due(u.clock.femtoseconds(u.pipeline.next_issue()));
  if (u.stopped) return Progress::fault;
  u.halted = false;
  if (!u.tried || u.tried->bytes != word.bytes) {
    u.waits_passed = 0;
    u.wait_holds = {};
    u.waited_until = timed_ ? u.clock.femtoseconds(u.pipeline.next_issue()) : 0;
    if (!may_execute(u, word)) return Progress::fault;
  }
  u.tried = word;
  const Progress progress = await(u, word);
  if (progress != Progress::waiting) u.tried.reset();
  return progress;
}

bool GoldenCore::may_execute(Unit& u, const isa::Word& word) {
  const std::uint8_t opcode = opcode_of(word);
  if (const auto refusal = dispatch_refusal(u.engine, opcode)) {
    fault(u, opcode, *refusal);
    return false;
  }
  return report(u, opcode, isa::check(word, legality(u.engine)));
}

std::optional<isa::Finding> GoldenCore::dispatch_refusal(isa::Engine engine, std::uint8_t opcode) const {
  const auto build = settings_.seq.build == config::SeqBuild::debug ? firmware::Build::debug : firmware::Build::perf;
  return firmware::dispatch_finding(engine, opcode, build);
}

std::vector<isa::Finding> GoldenCore::check(isa::Engine engine, const isa::Word& word) const {
  if (const auto refusal = dispatch_refusal(engine, opcode_of(word))) return {*refusal};
  return isa::check(word, legality(engine));
}

Progress GoldenCore::await(Unit& u, const isa::Word& word) {
  const std::vector<WaitCondition> conditions = wait_conditions(word, u.registers);
  for (; u.waits_passed < conditions.size(); ++u.waits_passed) {
    if (!await(u, conditions[u.waits_passed])) return u.stopped ? Progress::fault : Progress::waiting;
  }
  return Progress::done;
}

bool GoldenCore::await(Unit& u, const WaitCondition& condition) {
  while (!u.stopped && !sync_.holds(condition) && !pending_.empty()) fire_first();
  if (u.stopped || !sync_.holds(condition)) return false;
  const std::string name(isa::to_string(u.engine));
  const HeldSince since = sync_.held_since(condition);
  if (timed_) {
    const bool by_other = !since.who.empty() && since.who != name;
    isa::Cycles holds = u.clock.cycles_at_or_after(since.femtoseconds);
    if (by_other) holds += u.semaphore_latency;
    u.wait_holds = std::max(u.wait_holds, holds);
  }
  u.waited_until = std::max(u.waited_until, since.femtoseconds);
  sync_.consume(condition, name, u.waited_until);
  return true;
}

// What the engine does before arithmetic (InstructionEngine::execute_word). Empty: a fault. In relaxed mode a word
// without meaning opens without a plan and passes without effect.
std::optional<GoldenCore::Open> GoldenCore::open_word(Unit& u, const isa::Word& word, bool with_steps) {
  const std::uint8_t opcode = opcode_of(word);
  std::vector<isa::Finding> refused;
  auto plan = u.core.plan(word, u.registers, refused);
  if (!plan) {
    if (!report(u, opcode, refused)) return std::nullopt;
    warn(u, opcode, execute::not_executed(opcode));
    const isa::Cycles at = std::max(u.pipeline.next_issue(), u.wait_holds);
    u.schedule = {};
    u.stream = {};
    if (timed_) u.schedule.start = u.schedule.read_done = u.schedule.complete = u.schedule.next_issue = at;
    return Open{u.engine, word, std::nullopt, {}};
  }
  if (!report(u, opcode, u.core.state_findings(*plan)) || !schedule_word(u, *plan) || !param_table_loaded(u, *plan) ||
      !read_sources(u, *plan, with_steps))
    return std::nullopt;
  ElementSteps steps;
  if (with_steps)
    steps = ElementSteps(*plan, inputs_, u.core.lanes_of(*plan), memories_.param_table(), settings_.numerics);
  return Open{u.engine, word, std::move(plan), std::move(steps)};
}

bool GoldenCore::schedule_word(Unit& u, const execute::Plan& plan) {
  if (!timed_) return true;
  const auto cost =
      timing::cost(plan.word, plan.resolved_operands, settings_.generation, config::timing_of(settings_, u.engine));
  const timing::Opening opening = u.pipeline.open(cost, plan.resolved_operands, u.wait_holds);
  if (const auto beyond = u.clock.beyond_limit(opening.start + std::max(cost.total, cost.interval))) {
    fault(u, opcode_of(plan.word), *beyond);
    return false;
  }
  u.schedule = u.pipeline.close(opening, plan.resolved_operands, {});
  u.stream = cost.stream;
  return true;
}

bool GoldenCore::param_table_loaded(Unit& u, const execute::Plan& plan) {
  for (const int entry : plan.param_entries) {
    if (memories_.param_loaded(static_cast<std::size_t>(entry))) continue;
    return report(u, opcode_of(plan.word), {execute::param_ram_not_loaded(static_cast<std::size_t>(entry))});
  }
  return true;
}

}  // namespace dve::golden_library
