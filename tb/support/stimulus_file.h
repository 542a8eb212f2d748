// A reader of stimulus files (docs/stimulus.md) that shares nothing with their writer: $readmemh's grammar, and the
// layout as the document gives it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dve::testing_support {

// What $readmemh takes from a text: hexadecimal numbers, `@address`, comments of both kinds. Throws std::runtime_error
// for anything else, for a number of more than 32 bits and for an address that would leave a gap.
std::vector<std::uint32_t> read_memh(const std::string& text);

struct StimulusWrite {
  std::uint32_t space = 0, partition = 0, channels = 0, offset = 0, dtype = 0, element_bytes = 0, elements = 0;
  std::array<std::int64_t, 4> steps{}, counts{};
  std::vector<std::vector<std::uint8_t>> bytes;  // of each channel, element after element
};

struct StimulusLane {
  std::uint32_t position = 0, operation = 0, channels = 0, elements = 0, first_lane = 0, flags = 0;
  // Of each channel; binary32 bits.
  std::vector<std::vector<std::uint32_t>> parameters, x, dy, expected;
};

struct StimulusEvent {
  std::uint32_t kind = 0, number = 0, opcode = 0, flags = 0;
  std::optional<StimulusLane> lane;
  std::vector<StimulusWrite> writes;
};

struct StimulusRegion {
  std::uint32_t space = 0, partition = 0, offset = 0;
  std::vector<std::uint8_t> bytes;
};

// Everything of a file. Throws std::runtime_error, or std::out_of_range for an index past the end.
struct StimulusFile {
  explicit StimulusFile(const std::string& path);

  std::vector<std::uint32_t> words;
  std::uint32_t status = 0, generation = 0, engine = 0, switches = 0, fp32r_mantissa = 0, executed = 0, stop_word = 0;
  std::uint32_t most_channels = 0, most_elements = 0, host_writes = 0;
  std::vector<std::array<std::uint8_t, 64>> program;
  std::vector<StimulusEvent> events;
  std::vector<std::uint32_t> lane_positions;  // the table of lane records
  std::vector<StimulusRegion> initial, final;

 private:
  std::vector<std::uint8_t> bytes(std::uint32_t at, std::size_t count) const;
  std::vector<std::vector<std::uint32_t>> rows(std::uint32_t at, std::size_t channels, std::size_t length) const;
  StimulusWrite write(std::uint32_t at) const;
  StimulusLane lane(std::uint32_t at) const;
  StimulusEvent event(std::uint32_t at) const;
  std::vector<StimulusRegion> regions(std::uint32_t at, std::uint32_t count) const;
};

}  // namespace dve::testing_support
