#include "session.h"

#include <fmt/format.h>

#include <utility>

#include "dve/layer/layer.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "report.h"
#include "say.h"

namespace dve::app {
namespace {

// Warnings printed without --verbose; the rest is counted.
constexpr std::uint64_t kShownWarnings = 20;

NeuronCoreConfig core_config(const config::Effective& effective, const CommonOptions& common,
                             std::uint64_t host_memory_bytes, const HostTasks& tasks, rtl::RtlLanes* rtl,
                             SequencerHooks hooks, record::Recorder* recorder) {
  NeuronCoreConfig c;
  c.settings = effective.config;
  c.host_memory_bytes = host_memory_bytes;
  c.hbm_bytes = tasks.hbm_bytes;
  c.data = !common.no_data;
  c.traffic = tasks.traffic;
  c.max_cycles = common.max_cycles;
  c.dve_lanes = rtl;
  c.hooks = std::move(hooks);
  c.observer = recorder;
  return c;
}

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

std::string describe(const WordFinding& f) {
  return fmt::format("{} word {} (pc {:#x}, {}): {}", f.engine, f.word, f.pc, isa::opcode_name(f.opcode),
                     isa::to_string(f.finding));
}

int exit_code(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return kOk;
    case RunStatus::fault:
      return kFault;
    case RunStatus::deadlock:
    case RunStatus::timeout:
      return kDeadlock;
    case RunStatus::interrupted:
      return kInterrupted;
  }
  return kInternal;
}

Session::Session(const config::Effective& effective, const CommonOptions& common, HostTasks tasks,
                 std::uint64_t host_memory_bytes, record::Recorder* recorder)
    : common_(common),
      recorder_(recorder),
      progress_(common.progress, tasks.program.size()),
      created_(std::chrono::steady_clock::now()),
      rtl_(rtl_lanes(effective, common)),
      core_("core", core_config(effective, common, host_memory_bytes, tasks, rtl_.get(), hooks(), recorder)),
      tasks_(std::move(tasks)),
      host_("host", core_, [this](Host& host) { host.execute(tasks_); }) {
  if (recorder_ != nullptr) attach_recorder();
}

SequencerHooks Session::hooks() {
  SequencerHooks hooks;
  hooks.retired = [this](const Retirement& word) {
    statistics_.retire(word, core_.seq(word.engine).clock());
    progress_.advance();
    if (traces_.active()) traces_.retired(word, core_.seq(word.engine).clock());
    if (recorder_ != nullptr) recorder_->retired(word.word, word.bits);
  };
  if (recorder_ != nullptr)
    hooks.transferred = [this](bool write, std::uint64_t address, const std::uint8_t* data, std::size_t bytes) {
      recorder_->transferred(write, address, data, bytes);
    };
  hooks.warned = [this](const WordFinding& warning) { warn(warning); };
  if (common_.verbose) hooks.logged = [](std::string_view name) { say(stderr, "{}\n", name); };
  hooks.stop_requested = interrupted;
  return hooks;
}

void Session::attach_recorder() {
  host_.wrote = [this](std::uint64_t address, const std::uint8_t* data, std::size_t size) {
    recorder_->host_wrote(address, data, size);
  };
  tasks_.step = [this, step = tasks_.step](std::size_t k, Host& host) {
    recorder_->host_step(k);
    step(k, host);
    recorder_->host_step(0);
  };
}

void Session::warn(const WordFinding& warning) {
  ++warnings_;
  if (common_.quiet) return;
  if (common_.verbose || warnings_ <= kShownWarnings) say(stderr, "dve-sim: warning: {}\n", describe(warning));
}

void Session::count_transfers() {
  for (std::size_t r = 0; r < core_.dma.rings.size(); ++r) {
    DmaQueue& ring = *core_.dma.rings[r];
    ring.on_transfer = [this, r, name = ring.title()](const TransferRecord& transfer) {
      statistics_.transferred(r, transfer);
      if (traces_.active())
        traces_.transfer({name, {transfer.start_fs, transfer.end_fs}, isa::Bytes(transfer.bytes), transfer.label});
    };
  }
}

void Session::start_traces() {
  traces_.open(common_.trace);
  if (!traces_.active()) return;
  core_.sync.observe([this](isa::SemaphoreIndex index, std::int32_t value, const std::string& who,
                            std::uint64_t femtoseconds) { traces_.semaphore(index, value, who, femtoseconds); });
  for (const auto& source : core_.traffic)
    source->on_pass = [this](const dma::TrafficStream& s, std::uint64_t start_fs, std::uint64_t end_fs) {
      traces_.transfer(
          {contention::name(s.user), {start_fs, end_fs}, isa::Bytes(s.bytes_per_partition * isa::kPartitions), s.name});
    };
  if (core_.settings().abstraction == config::Abstraction::functional && !common_.quiet)
    say(stderr, "dve-sim: warning: abstraction functional has no time: every moment in the trace is 0\n");
}

void Session::finish_waves() {
  if (rtl_ == nullptr) return;
  try {
    rtl_->finish_waves();
  } catch (const std::runtime_error& error) {
    throw layer::OutputError(error.what());
  }
}

RunOutcome Session::run() {
  start_traces();
  count_transfers();
  started_ = std::chrono::steady_clock::now();
  const RunOutcome outcome = simulate(core_, host_);
  ended_ = std::chrono::steady_clock::now();
  progress_.finish();
  statistics_.finish(core_);
  if (!common_.quiet && !common_.verbose && warnings_ > kShownWarnings)
    say(stderr, "dve-sim: {} more warnings, --verbose prints them all\n", warnings_ - kShownWarnings);
  return outcome;
}

void Session::explain(const RunOutcome& outcome) const {
  switch (outcome.status) {
    case RunStatus::ok:
      break;
    case RunStatus::fault:
      for (const WordFinding& fault : faults_of(core_)) say(stderr, "dve-sim: fault: {}\n", describe(fault));
      for (const std::string& fault : core_.dma.faults()) say(stderr, "dve-sim: fault: {}\n", fault);
      break;
    case RunStatus::deadlock:
      for (const Waiting& waiting : outcome.deadlock.waits) say(stderr, "dve-sim: deadlock: {}\n", to_string(waiting));
      for (const std::string& line : outcome.deadlock.unawaited) say(stderr, "dve-sim: hint: {}\n", line);
      break;
    case RunStatus::timeout:
      explain_timeout();
      break;
    case RunStatus::interrupted:
      say(stderr, "dve-sim: interrupted after {} words\n", executed_words(core_));
      break;
  }
}

void Session::explain_timeout() const {
  const timing::Clock dve_clock(core_.settings().timing.clock_hz);
  for (const isa::Engine engine : isa::kEngines) {
    const Sequencer& seq = core_.seq(engine);
    if (seq.state() == Sequencer::State::running && seq.busy())
      say(stderr, "dve-sim: --max-cycles: {} word {} is still streaming at cycle {}, the limit\n",
          isa::to_string(engine), seq.current_word(), common_.max_cycles);
    if (seq.state() != Sequencer::State::timeout) continue;
    say(stderr, "dve-sim: --max-cycles: {} word {} would complete at cycle {}, the limit is {}\n",
        isa::to_string(engine), seq.current_word(), dve_clock.cycles_at_or_after(seq.timed_out_at()).value,
        common_.max_cycles);
  }
}

void Session::write_profile() const {
  if (common_.profile.empty()) return;
  const Profile profile{seconds(started_ - created_), seconds(ended_ - started_), executed_words(core_)};
  layer::write_file(common_.profile, profile_text(profile));
}

}  // namespace dve::app
