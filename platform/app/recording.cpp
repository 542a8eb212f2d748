#include "recording.h"

#include <fmt/format.h>

#include "command_line.h"

namespace dve::app {
namespace {

record::Status status_of(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return record::Status::ok;
    case RunStatus::fault:
      return record::Status::fault;
    case RunStatus::deadlock:
      return record::Status::deadlock;
    case RunStatus::timeout:
      return record::Status::timeout;
    case RunStatus::interrupted:
      break;
  }
  return record::Status::interrupted;
}

// Words of several engines, and transfers of DMA, move data in an order that hangs on time.
void refuse_undefined_order(const HostTasks& tasks) {
  if (tasks.streams.size() > 1)
    throw UsageError(
        fmt::format("--record takes a program of one engine, this one has {} streams: the order of words of different "
                    "engines is not defined",
                    tasks.streams.size()));
  if (!tasks.transfers[runtime::kLoadRing].empty() || !tasks.transfers[runtime::kStoreRing].empty())
    throw UsageError(
        "--record takes a program whose tensors lie in sbuf or psum, this one has DMA transfers from and to hbm: their "
        "order among the words is not defined");
}

}  // namespace

Recording::Recording(const std::string& file, const config::Config& settings, const HostTasks& tasks) {
  if (file.empty()) return;
  refuse_undefined_order(tasks);
  const isa::Engine engine = tasks.streams.empty() ? isa::Engine::dve : tasks.streams.front().engine;
  try {
    recorder_.emplace(file, record::Subject{settings.generation, engine, settings.numerics}, tasks.program);
  } catch (const telemetry::TraceError& error) {
    throw layer::OutputError(error.what());
  }
}

void Recording::finish(RunStatus status, Host& host) {
  if (!recorder_) return;
  try {
    recorder_->finish(status_of(status), [&host](std::uint64_t address, std::uint8_t* data, std::size_t size) {
      host.read(address, data, size);
    });
  } catch (const telemetry::TraceError& error) {
    throw layer::OutputError(error.what());
  }
}

}  // namespace dve::app
