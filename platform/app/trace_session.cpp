#include "trace_session.h"

#include <algorithm>
#include <utility>

#include "dve/layer/layer.h"
#include "say.h"

namespace dve::app {
namespace {

// Operands in the same bank are one use of it.
void add_bank(const BankTraffic& traffic, const telemetry::Interval& when, std::vector<telemetry::BankUse>& banks) {
  const auto same = [&](const telemetry::BankUse& use) {
    return use.space == traffic.space && use.bank == traffic.bank;
  };
  auto use = std::find_if(banks.begin(), banks.end(), same);
  if (use == banks.end()) use = banks.insert(use, {traffic.space, traffic.bank, when, {}, {}});
  use->read += traffic.read;
  use->written += traffic.written;
}

}  // namespace

void to_event(const Retirement& word, const timing::Clock& clock, telemetry::InstructionEvent& event) {
  static_assert(telemetry::kPorts == IssueExtension::port_count, "traces name every port");
  const timing::Schedule& s = word.schedule;
  const auto moment = [&clock](isa::Cycles cycle) { return telemetry::Moment{cycle, clock.femtoseconds(cycle)}; };
  event.engine = word.engine;
  event.word = word.word;
  event.pc = word.pc;
  event.opcode = word.bits.opcode_byte();
  event.released = moment(s.start - s.hazard_wait);
  event.ready = moment(s.start - s.hazard_wait - s.wait_wait);
  event.start = moment(s.start);
  event.read_done = moment(s.read_done);
  event.complete = moment(s.complete);
  event.next_issue = moment(s.next_issue);
  event.wait = s.wait_wait;
  event.hazard = s.hazard_wait;
  event.stall = isa::Cycles(s.stalls.total());

  const telemetry::Interval streaming{event.start.fs, event.read_done.fs};
  event.ports.clear();
  for (std::size_t port = 0; port < word.traffic.size(); ++port) {
    const PortTraffic& traffic = word.traffic[port];
    if (traffic.read.value + traffic.written.value != 0)
      event.ports.push_back({port, streaming, traffic.read, traffic.written});
  }
  event.banks.clear();
  for (const BankTraffic& traffic : word.banks) add_bank(traffic, streaming, event.banks);
}

TraceSession::~TraceSession() {
  try {
    finish(true);
  } catch (const std::exception&) {  // the exception that ended the run is the one to report
  }
}

void TraceSession::open(const TraceOptions& options) {
  std::vector<Open> opened;
  try {
    for (const TraceOptions::File& file : options.files)
      opened.push_back({file.path.string(), telemetry::make_recorder(file.format, file.path, options.selection)});
  } catch (const telemetry::TraceError& error) {
    throw layer::OutputError(error.what());
  }
  recorders_ = std::move(opened);
  limit_ = options.selection.limit;
}

void TraceSession::retired(const Retirement& word, const timing::Clock& clock) {
  to_event(word, clock, event_);
  for (const Open& open : recorders_) open.recorder->instruction(event_);
}

void TraceSession::semaphore(isa::SemaphoreIndex index, std::int32_t value, const std::string& who,
                             std::uint64_t femtoseconds) {
  const telemetry::SemaphoreEvent event{static_cast<std::uint8_t>(isa::number(index)), value, who, femtoseconds};
  for (const Open& open : recorders_) open.recorder->semaphore(event);
}

void TraceSession::transfer(const telemetry::TransferEvent& event) {
  for (const Open& open : recorders_) open.recorder->transfer(event);
}

void TraceSession::finish(bool quiet) {
  layer::Outputs outputs;
  for (const Open& open : std::exchange(recorders_, {})) {
    outputs.attempt([&] {
      try {
        const telemetry::Recorder::Totals totals = open.recorder->finish();
        if (totals.dropped != 0 && !quiet)
          say(stderr, "dve-sim: warning: {}: {} events written, {} dropped: --trace-limit is {}\n", open.name,
              totals.written, totals.dropped, limit_);
      } catch (const telemetry::TraceError& error) {
        throw layer::OutputError(error.what());
      }
    });
  }
  outputs.finish();
}

}  // namespace dve::app
