#include "recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "dve/assembly/assembly.h"

namespace dve::record {
namespace {

std::uint32_t low_half(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high_half(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

// One bit a switch, in the order of numerics::Switches.
std::uint32_t switch_bits(const numerics::Switches& s) {
  std::uint32_t bits = 0;
  unsigned next = 0;
  const auto add = [&](auto value) { bits |= static_cast<std::uint32_t>(value) << next++; };
  add(s.dst_order);
  add(s.product_order);
  add(s.backprop_form);
  add(s.src0_is);
  add(s.accumulator);
  add(s.stats_algorithm);
  add(s.param_ram_index);
  add(s.param_ram_offset_unit);
  add(s.paramload2_imm_order);
  add(s.narrow_overflow);
  add(s.e4m3_variant);
  add(s.divide);
  add(s.flop_index);
  add(s.clr_order);
  add(s.tensor_scalar_contraction);
  add(s.act_affine_contraction);
  return bits;
}

// The first dimension of elements that follow each other, however many; the others are one element with step 1.
constexpr std::uint32_t kContiguous = 1U << 16U;
constexpr std::uint32_t kOne = 1U << 16U | 1U;

}  // namespace

Recorder::Recorder(const std::filesystem::path& file, const Subject& subject, const std::vector<isa::Word>& program)
    : subject_(subject), text_(file), lanes_(text_, subject.switches) {
  program_words_ = static_cast<std::uint32_t>(program.size());
  text_.comment("program");
  program_at_ = text_.position();
  for (std::size_t i = 0; i < program.size(); ++i) {
    text_.comment(fmt::format("{} {}", i, assembly::disassemble(program[i], subject.generation)));
    text_.bytes(program[i].bytes.data(), program[i].bytes.size());
  }
}

// ---- Places

Recorder::Location Recorder::locate(std::uint64_t address) const {
  if (address <= isa::kPartitionAddressMask) {
    if (const auto place = isa::place_of(low_half(address), subject_.generation))
      return {place->space == isa::Space::sbuf ? SpaceCode::sbuf : SpaceCode::psum, isa::number(place->partition),
              place->offset};
  }
  return {SpaceCode::address, high_half(address), low_half(address)};
}

// Host memory keeps what is written there, as the on-chip memories do; registers need not.
bool Recorder::is_memory(std::uint64_t address) const {
  if (address >= isa::kHostAperture) return address - isa::kHostAperture < isa::kHostBytes;
  return locate(address).space != SpaceCode::address;
}

std::uint64_t Recorder::address_of(const execute::Access& access, std::uint32_t channel) const {
  isa::Place place = access.start;
  place.partition = isa::Partition{isa::number(place.partition) + channel};
  return isa::address_of(place, subject_.generation).partition_offset();
}

template <class See>
void Recorder::for_each_piece(const execute::Access& access, std::uint32_t channel, See see) const {
  const std::uint64_t start = address_of(access, channel);
  const std::uint64_t element_bytes = isa::storage_size(access.dtype).value;
  const isa::AccessPattern& pattern = access.pattern;
  if (pattern.contiguous()) return see(start, 0, access.elements.value * element_bytes);
  std::array<std::uint16_t, 4> at{};
  std::int64_t element = 0;  // relative to the start
  for (std::uint64_t i = 0; i < access.elements.value; ++i) {
    see(start + static_cast<std::uint64_t>(element) * element_bytes, i * element_bytes, element_bytes);
    for (std::size_t d = 0; d < at.size(); ++d) {
      element += pattern.step_elem[d];
      if (++at[d] < pattern.num_elem[d]) break;
      element -= std::int64_t{pattern.step_elem[d]} * pattern.num_elem[d];
      at[d] = 0;
    }
  }
}

// ---- What words do

void Recorder::operands_read(const execute::Core& core, const execute::Plan& plan, const execute::Inputs& inputs,
                             const numerics::ParamTable& table) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::uint32_t c = 0; c < plan.sources[i].channels; ++c) {
      const std::uint8_t* const bytes = inputs[i].channel(c);
      for_each_piece(plan.sources[i], c, [&](std::uint64_t address, std::uint64_t at, std::uint64_t size) {
        image_.read(address, bytes + at, size);
      });
    }
  }
  text_.comment(fmt::format("word {}: {}", executed_, isa::opcode_name(isa::code(plan.opcode))));
  opcode_ = isa::code(plan.opcode);
  lane_ = lanes_.operands(core, plan, inputs, table);
}

void Recorder::results_written(const execute::Core& core, const execute::Plan& plan,
                               const kernels::ResultRows& destination, const execute::Outcome& outcome) {
  if (const auto staged = lanes_.staged(core, plan)) lane_ = staged;
  if (outcome.param_ram) writes_.push_back(write_param_ram(*outcome.param_ram));
  if (!plan.destination) return;
  const execute::Access& access = *plan.destination;
  const std::uint64_t channel_bytes = access.packed_bytes().value / access.channels;
  text_.comment("the bytes written, of each channel in the order of its elements");
  const Location place = locate(address_of(access, 0));
  Write write = {static_cast<std::uint32_t>(place.space),
                 place.partition,
                 access.channels,
                 place.offset,
                 isa::code(access.dtype),
                 low_half(isa::storage_size(access.dtype).value),
                 low_half(access.elements.value)};
  for (std::size_t d = 0; d < 4; ++d)
    write[7 + d] =
        std::uint32_t{static_cast<std::uint16_t>(access.pattern.step_elem[d])} << 16U | access.pattern.num_elem[d];
  write[11] = text_.position();
  write[12] = low_half((channel_bytes + 3) / 4);
  writes_.push_back(write);
  for (std::uint32_t c = 0; c < access.channels; ++c) {
    text_.bytes(destination.channel(c), channel_bytes);
    for_each_piece(access, c,
                   [&](std::uint64_t address, std::uint64_t, std::uint64_t size) { image_.write(address, size); });
  }
}

void Recorder::transferred(bool write, std::uint64_t address, const std::uint8_t* data, std::size_t bytes) {
  address = isa::on_chip_address(address, subject_.generation);
  if (write) {
    text_.comment("the bytes written");
    writes_.push_back(write_bytes(address, data, bytes));
  } else if (is_memory(address)) {
    image_.read(address, data, bytes);
  }
}

// Bytes that lie one after the other, as elements of one byte.
Recorder::Write Recorder::write_bytes(std::uint64_t address, const std::uint8_t* data, std::size_t size) {
  const Location place = locate(address);
  const std::uint32_t count = low_half(size);
  const std::uint32_t at = text_.position();
  text_.bytes(data, size);
  if (is_memory(address)) image_.write(address, size);
  return {static_cast<std::uint32_t>(place.space),
          place.partition,
          1,
          place.offset,
          isa::code(isa::Dtype::uint8),
          1,
          count,
          kContiguous,
          kOne,
          kOne,
          kOne,
          at,
          (count + 3) / 4};
}

Recorder::Write Recorder::write_param_ram(const execute::ParamRamWrite& values) {
  const auto count = static_cast<std::uint32_t>(values.values.size());
  text_.comment("entries of the Parameter-RAM");
  const std::uint32_t at = text_.position();
  for (const float value : values.values) text_.value(value);
  return {static_cast<std::uint32_t>(SpaceCode::parameter_ram),
          0,
          1,
          4 * values.first_entry,
          isa::code(isa::Dtype::fp32),
          4,
          count,
          kContiguous,
          kOne,
          kOne,
          kOne,
          at,
          count};
}

void Recorder::host_wrote(std::uint64_t address, const std::uint8_t* data, std::size_t size) {
  address = isa::on_chip_address(address, subject_.generation);
  if (host_step_ == 0 || !is_memory(address)) return;
  text_.comment("bytes that the host writes");
  const Write write = write_bytes(address, data, size);
  ++host_writes_;
  add_event({EventKind::host_write, host_step_, 0, 0}, {write}, std::nullopt);
}

void Recorder::retired(std::uint64_t word, const isa::Word& bits) {
  ++executed_;
  end_word({EventKind::word, low_half(word), bits.opcode_byte(), kEventRetired});
}

void Recorder::end_word(const Event& event) {
  add_event(event, writes_, lane_);
  writes_.clear();
  lane_.reset();
}

void Recorder::add_event(const Event& event, const std::vector<Write>& writes, const std::optional<LaneRecord>& lane) {
  std::uint32_t lane_at = 0;
  if (lane) {
    text_.comment("lane record");
    lane_at = text_.position();
    lanes_at_.push_back(lane_at);
    most_channels_ = std::max(most_channels_, (*lane)[1]);
    most_elements_ = std::max(most_elements_, (*lane)[2]);
    for (const std::uint32_t value : *lane) text_.word(value);
  }
  text_.comment(event.kind == EventKind::word
                    ? fmt::format("event: word {} {}", event.number, isa::opcode_name(event.opcode))
                    : fmt::format("event: the host in step {}", event.number));
  events_at_.push_back(text_.position());
  for (const std::uint32_t value : {static_cast<std::uint32_t>(event.kind), event.number, std::uint32_t{event.opcode},
                                    event.flags, lane_at, low_half(writes.size())})
    text_.word(value);
  for (const Write& write : writes) {
    for (const std::uint32_t value : write) text_.word(value);
  }
}

// ---- The end

void Recorder::finish(Status status, const ReadMemory& read) {
  // A word whose results stand in memory, and which then ended the run.
  if (!writes_.empty() || lane_) end_word({EventKind::word, executed_, opcode_, 0});
  std::vector<std::uint32_t> header(kHeaderWords);
  header[kMagicWord] = kMagic;
  header[kVersionWord] = kVersion;
  header[kHeaderSize] = kHeaderWords;
  header[kStatus] = static_cast<std::uint32_t>(status);
  header[kGeneration] = static_cast<std::uint32_t>(subject_.generation);
  header[kEngine] = static_cast<std::uint32_t>(subject_.engine);
  header[kSwitches] = switch_bits(subject_.switches);
  header[kFp32rMantissa] = subject_.switches.fp32r_mantissa;
  std::uint64_t act_error = 0;
  std::memcpy(&act_error, &subject_.switches.act_relative_error, sizeof act_error);
  header[kActErrorHigh] = high_half(act_error);
  header[kActErrorLow] = low_half(act_error);
  header[kProgramAt] = program_at_;
  header[kProgramLength] = program_words_;
  header[kExecuted] = executed_;
  header[kStopWord] = status == Status::ok ? kNone : executed_;
  header[kHostWrites] = host_writes_;
  header[kMostChannels] = most_channels_;
  header[kMostElements] = most_elements_;
  header[kEvents] = low_half(events_at_.size());
  header[kEventsAt] = table("table: where each event stands", events_at_);
  header[kLanes] = low_half(lanes_at_.size());
  header[kLanesAt] = table("table: where each lane record stands", lanes_at_);

  const std::uint64_t partition_bytes = isa::geometry(subject_.generation, isa::Space::sbuf).partition_stride.value;
  const std::vector<Run> initial = image_.initial_runs(partition_bytes);
  header[kInitial] = low_half(initial.size());
  header[kInitialAt] = regions("initial memory", initial, [this](const Run& run) { return image_.initial(run); });
  const std::vector<Run> written = image_.written_runs(partition_bytes);
  header[kFinal] = low_half(written.size());
  header[kFinalAt] = regions("final memory, where it was written", written, [&read](const Run& run) {
    std::vector<std::uint8_t> contents(run.bytes);
    read(run.address, contents.data(), contents.size());
    return contents;
  });
  text_.finish(std::move(header));
}

std::uint32_t Recorder::table(const char* title, const std::vector<std::uint32_t>& entries) {
  text_.comment(title);
  const std::uint32_t at = text_.position();
  for (const std::uint32_t entry : entries) text_.word(entry);
  return at;
}

std::uint32_t Recorder::regions(const char* title, const std::vector<Run>& runs, const Contents& contents) {
  text_.comment(fmt::format("{}: regions", title));
  const std::uint32_t at = text_.position();
  std::uint32_t data_at = at + kRegionWords * low_half(runs.size());
  for (const Run& run : runs) {
    const Location place = locate(run.address);
    for (const std::uint32_t value :
         {static_cast<std::uint32_t>(place.space), place.partition, place.offset, low_half(run.bytes), data_at})
      text_.word(value);
    data_at += low_half((run.bytes + 3) / 4);
  }
  text_.comment(fmt::format("{}: bytes", title));
  for (const Run& run : runs) {
    const std::vector<std::uint8_t> bytes = contents(run);
    text_.bytes(bytes.data(), bytes.size());
  }
  return at;
}

}  // namespace dve::record
