#include "host.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dve {
namespace {

constexpr std::size_t kLargestAccess = std::size_t{1} << 30;  // TLM counts bytes in 32 bits

std::uint64_t semaphore(std::uint64_t window, isa::SemaphoreIndex index) {
  return address_map::kEventsAndSemaphores + window + 4 * std::uint64_t{number(index)};
}

}  // namespace

Host::Host(sc_core::sc_module_name name, NeuronCore& core, Body body)
    : sc_module(name), socket("socket"), core_(core), body_(std::move(body)) {
  socket.bind(core.host_socket());
  SC_HAS_PROCESS(Host);
  SC_THREAD(run);
}

void Host::run() {
  try {
    body_(*this);
  } catch (const sc_core::sc_unwind_exception&) {
    throw;
  } catch (...) {
    error_ = std::current_exception();
  }
}

void Host::execute(const HostTasks& tasks) {
  streams_ = tasks.streams;
  if (streams_.empty()) streams_ = {{isa::Engine::dve, 0, tasks.program.size()}};
  steps_ = tasks.steps;
  next_step_ = 1;
  start(tasks);
  const bool timed = core_.settings().abstraction != config::Abstraction::functional;
  while (!steps_finished() && await_request(next_step_)) {
    if (timed && core_.settings().host_step_ns > 0) wait(core_.settings().host_step_ns, sc_core::SC_NS);
    tasks.step(next_step_, *this);
    ++next_step_;
    write_register(semaphore(address_map::kSemaphoreAdd, runtime::kStepDone), 1);
  }
  while (!all_ended()) await_change();
}

void Host::start(const HostTasks& tasks) {
  write_words(tasks.program);
  if (tasks.before) tasks.before(*this);
  using namespace runtime;
  std::vector<isa::SemaphoreIndex> used = {kStepRequest, kStepDone};
  if (!tasks.transfers[0].empty() || !tasks.transfers[1].empty())
    used.insert(used.end(), {kLoadsDone, kStoresDone, kTilesUsed});
  for (const isa::SemaphoreIndex index : used) write_register(semaphore(address_map::kSemaphoreSet, index), 0);
  core_.dma.start(tasks.transfers);
  for (const runtime::Stream& stream : streams_) start(stream);
}

// A transaction counts bytes in 32 bits.
void Host::write_words(const std::vector<isa::Word>& program) {
  constexpr std::size_t kMost = kLargestAccess / isa::kWordBytes;
  for (std::size_t first = 0; first < program.size(); first += kMost)
    write(address_map::kHostMemory + first * isa::kWordBytes, program[first].bytes.data(),
          std::min(program.size() - first, kMost) * isa::kWordBytes);
}

isa::Word Host::word(std::uint64_t index) {
  isa::Word found;
  read(address_map::kHostMemory + index * isa::kWordBytes, found.bytes.data(), found.bytes.size());
  return found;
}

void Host::start(const runtime::Stream& stream) {
  const auto control = [&](Sequencer::Window window, std::uint64_t value) {
    write_register(address_map::sequencer_control(stream.engine) + window, static_cast<std::uint32_t>(value));
  };
  const std::uint64_t base = address_map::kHostMemory + stream.first * isa::kWordBytes;
  control(Sequencer::kBaseLow, base);
  control(Sequencer::kBaseHigh, base >> 32);
  control(Sequencer::kWordCount, stream.count);
  control(Sequencer::kControl, 1);
}

bool Host::all_ended() const {
  if (core_.dma.busy()) return false;
  return std::all_of(streams_.begin(), streams_.end(),
                     [this](const runtime::Stream& stream) { return !core_.seq(stream.engine).busy(); });
}

// Until something may have changed: a semaphore, or the end of a sequencer or a DMA ring.
void Host::await_change() {
  sc_core::sc_event_or_list any;
  any |= core_.sync.changed();
  for (const runtime::Stream& stream : streams_) any |= core_.seq(stream.engine).ended();
  for (const auto& ring : core_.dma.rings) any |= ring->ended();
  wait(any);
}

// False: the sequencers have ended, the request will not come.
bool Host::await_request(std::size_t step) {
  const std::uint64_t request = semaphore(address_map::kSemaphoreRead, runtime::kStepRequest);
  while (static_cast<std::int32_t>(read_register(request)) < static_cast<std::int64_t>(step)) {
    if (all_ended()) return false;
    await_change();
  }
  return true;
}

void Host::write(const isa::Place& place, const std::uint8_t* data, std::size_t size) {
  write(isa::address_of(place, core_.settings().generation).partition_offset(), data, size);
}

void Host::read(const isa::Place& place, std::uint8_t* data, std::size_t size) {
  read(isa::address_of(place, core_.settings().generation).partition_offset(), data, size);
}

void Host::write(std::uint64_t address, const std::uint8_t* data, std::size_t size) {
  transfer(address, const_cast<std::uint8_t*>(data), size,
           true);  // TLM payloads carry mutable pointers; a write only reads
}

void Host::read(std::uint64_t address, std::uint8_t* data, std::size_t size) { transfer(address, data, size, false); }

void Host::write_hbm(std::uint64_t address, const std::uint8_t* data, std::size_t size) {
  for (std::size_t done = 0; done < size; done += kLargestAccess)
    write(address_map::kHbm + address + done, data + done, std::min(size - done, kLargestAccess));
}

void Host::read_hbm(std::uint64_t address, std::uint8_t* data, std::size_t size) {
  for (std::size_t done = 0; done < size; done += kLargestAccess)
    read(address_map::kHbm + address + done, data + done, std::min(size - done, kLargestAccess));
}

void Host::write_register(std::uint64_t address, std::uint32_t value) {
  write(address, reinterpret_cast<const std::uint8_t*>(&value), sizeof value);
}

std::uint32_t Host::read_register(std::uint64_t address) {
  std::uint32_t value = 0;
  read(address, reinterpret_cast<std::uint8_t*>(&value), sizeof value);
  return value;
}

void Host::transfer(std::uint64_t address, std::uint8_t* data, std::size_t size, bool is_write) {
  if (size == 0) return;
  prepare(payload_, is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data, size);
  bool accepted = false;
  if (sc_core::sc_get_current_process_handle().valid()) {
    sc_core::sc_time delay;
    socket->b_transport(payload_, delay);
    accepted = payload_.is_response_ok();
  } else {
    accepted = socket->transport_dbg(payload_) == size;
  }
  if (!accepted)
    throw HostAccessError(fmt::format("host {} of {} bytes at address {:#x} was refused ({})",
                                      is_write ? "write" : "read", size, address, payload_.get_response_string()));
  if (is_write && wrote) wrote(address, data, size);
}

}  // namespace dve
