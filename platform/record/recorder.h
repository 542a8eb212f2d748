// Records one run of one engine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "dve/execute/execute.h"
#include "lane_streams.h"
#include "memory_image.h"
#include "stimulus_text.h"

namespace dve::record {

// What runs.
struct Subject {
  isa::Generation generation = isa::Generation::cayman;
  isa::Engine engine = isa::Engine::dve;
  numerics::Switches switches;
};

// Stands for: the writer of a stimulus file. The order of its events is that in which the data moved: the words in
// program order, and between them the host's writes. Initial memory is every byte that something reads before anything
// has written it, as it is when first read. Memory: 20 bytes a word, the pages of memory that the words touch, one
// channel of the word at hand.
class Recorder : public execute::Observer {
 public:
  // Writes the program. telemetry::TraceError when the file cannot be opened.
  Recorder(const std::filesystem::path& file, const Subject& subject, const std::vector<isa::Word>& program);

  void operands_read(const execute::Core& core, const execute::Plan& plan, const execute::Inputs& inputs,
                     const numerics::ParamTable& table) override;
  void results_written(const execute::Core& core, const execute::Plan& plan, const kernels::ResultRows& destination,
                       const execute::Outcome& outcome) override;
  // An element that TensorLoad or TensorStore moved.
  void transferred(bool write, std::uint64_t address, const std::uint8_t* data, std::size_t bytes);
  // The word at hand has executed.
  void retired(std::uint64_t word, const isa::Word& bits);

  // The host's writes count from now on as those of step k; of none when k is 0: what the host places before the start
  // is initial memory.
  void host_step(std::size_t k) { host_step_ = static_cast<std::uint32_t>(k); }
  void host_wrote(std::uint64_t address, const std::uint8_t* data, std::size_t size);

  // Reads memory at the end of the run, by router address.
  using ReadMemory = std::function<void(std::uint64_t address, std::uint8_t* data, std::size_t size)>;
  // Ends the file. telemetry::TraceError with the first failure of it all; there is no file then.
  void finish(Status status, const ReadMemory& read);

 private:
  struct Location {
    SpaceCode space = SpaceCode::address;
    std::uint32_t partition = 0;
    std::uint32_t offset = 0;
  };
  struct Event {
    EventKind kind = EventKind::word;
    std::uint32_t number = 0;
    std::uint8_t opcode = 0;
    std::uint32_t flags = 0;
  };
  using Write = std::array<std::uint32_t, kWriteWords>;

  Location locate(std::uint64_t address) const;
  bool is_memory(std::uint64_t address) const;
  std::uint64_t address_of(const execute::Access& access, std::uint32_t channel) const;
  // The bytes of a channel, element by element in stream order; see(address, index in the stream's bytes, size).
  template <class See>
  void for_each_piece(const execute::Access& access, std::uint32_t channel, See see) const;
  Write write_bytes(std::uint64_t address, const std::uint8_t* data, std::size_t size);
  Write write_param_ram(const execute::ParamRamWrite& values);
  void end_word(const Event& event);
  void add_event(const Event& event, const std::vector<Write>& writes, const std::optional<LaneRecord>& lane);
  std::uint32_t table(const char* title, const std::vector<std::uint32_t>& entries);
  using Contents = std::function<std::vector<std::uint8_t>(const Run&)>;
  std::uint32_t regions(const char* title, const std::vector<Run>& runs, const Contents& contents);

  Subject subject_;
  StimulusText text_;
  LaneStreams lanes_;
  MemoryImage image_;
  std::uint32_t program_at_ = 0, program_words_ = 0;
  std::uint32_t executed_ = 0, host_writes_ = 0, host_step_ = 0;
  std::uint32_t most_channels_ = 0, most_elements_ = 0;
  // Of the word at hand
  std::uint8_t opcode_ = 0;
  std::optional<LaneRecord> lane_;
  std::vector<Write> writes_;
  std::vector<std::uint32_t> events_at_, lanes_at_;
};

}  // namespace dve::record
