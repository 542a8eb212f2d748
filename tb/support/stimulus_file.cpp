#include "support/stimulus_file.h"

#include <cctype>
#include <stdexcept>

#include "support/process.h"

namespace dve::testing_support {
namespace {

std::uint32_t hexadecimal(const std::string& digits) {
  if (digits.empty() || digits.size() > 8) throw std::runtime_error("read_memh: '" + digits + "' is no 32-bit number");
  std::size_t used = 0;
  const unsigned long value = std::stoul(digits, &used, 16);
  if (used != digits.size()) throw std::runtime_error("read_memh: '" + digits + "' is no hexadecimal number");
  return static_cast<std::uint32_t>(value);
}

std::size_t after(const std::string& text, const char* mark, std::size_t from, std::size_t length) {
  const std::size_t at = text.find(mark, from);
  return at == std::string::npos ? text.size() : at + length;
}

}  // namespace

std::vector<std::uint32_t> read_memh(const std::string& text) {
  std::vector<std::uint32_t> words;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
    } else if (text.compare(at, 2, "//") == 0) {
      at = after(text, "\n", at, 1);
    } else if (text.compare(at, 2, "/*") == 0) {
      at = after(text, "*/", at, 2);
    } else {
      std::size_t end = at + 1;
      while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
      if (text[at] != '@')
        words.push_back(hexadecimal(text.substr(at, end - at)));
      else if (hexadecimal(text.substr(at + 1, end - at - 1)) != words.size())
        throw std::runtime_error("read_memh: an address that leaves a gap");
      at = end;
    }
  }
  return words;
}

StimulusFile::StimulusFile(const std::string& path) : words(read_memh(read_text(path))) {
  if (words.at(0) != 0x44564553 || words.at(1) != 1) throw std::runtime_error(path + ": no stimulus file of version 1");
  if (words.at(2) != words.size()) throw std::runtime_error(path + ": another number of words than its header says");
  if (words.at(3) != 32) throw std::runtime_error(path + ": a header of another size");
  status = words.at(4);
  generation = words.at(5);
  engine = words.at(6);
  switches = words.at(7);
  fp32r_mantissa = words.at(8);
  for (std::uint32_t i = 0; i < words.at(12); ++i) {
    const auto raw = bytes(words.at(11) + 16 * i, 64);
    std::array<std::uint8_t, 64> word{};
    std::copy(raw.begin(), raw.end(), word.begin());
    program.push_back(word);
  }
  executed = words.at(13);
  stop_word = words.at(14);
  for (std::uint32_t i = 0; i < words.at(16); ++i) events.push_back(event(words.at(words.at(15) + i)));
  for (std::uint32_t i = 0; i < words.at(18); ++i) lane_positions.push_back(words.at(words.at(17) + i));
  std::vector<std::uint32_t> positions;
  for (const StimulusEvent& e : events) {
    if (e.lane) positions.push_back(e.lane->position);
  }
  if (positions != lane_positions) throw std::runtime_error(path + ": a table of other lane records than the events'");
  initial = regions(words.at(19), words.at(20));
  final = regions(words.at(21), words.at(22));
  most_channels = words.at(23);
  most_elements = words.at(24);
  host_writes = words.at(25);
}

std::vector<std::uint8_t> StimulusFile::bytes(std::uint32_t at, std::size_t count) const {
  std::vector<std::uint8_t> list;
  for (std::size_t i = 0; i < count; ++i)
    list.push_back(static_cast<std::uint8_t>(words.at(at + i / 4) >> 8 * (i % 4)));
  return list;
}

std::vector<std::vector<std::uint32_t>> StimulusFile::rows(std::uint32_t at, std::size_t channels,
                                                           std::size_t length) const {
  std::vector<std::vector<std::uint32_t>> list(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < length; ++i) list[c].push_back(words.at(at + c * length + i));
  }
  return list;
}

StimulusWrite StimulusFile::write(std::uint32_t at) const {
  StimulusWrite w;
  w.space = words.at(at);
  w.partition = words.at(at + 1);
  w.channels = words.at(at + 2);
  w.offset = words.at(at + 3);
  w.dtype = words.at(at + 4);
  w.element_bytes = words.at(at + 5);
  w.elements = words.at(at + 6);
  for (std::uint32_t d = 0; d < 4; ++d) {
    const std::uint32_t packed = words.at(at + 7 + d);
    w.steps[d] = static_cast<std::int16_t>(packed >> 16);
    w.counts[d] = packed & 0xFFFF;
  }
  if (w.counts[0] == 0) w.counts[0] = w.elements;
  for (std::uint32_t c = 0; c < w.channels; ++c)
    w.bytes.push_back(bytes(words.at(at + 11) + c * words.at(at + 12), std::size_t{w.elements} * w.element_bytes));
  return w;
}

StimulusLane StimulusFile::lane(std::uint32_t at) const {
  StimulusLane l;
  l.position = at;
  l.operation = words.at(at);
  l.channels = words.at(at + 1);
  l.elements = words.at(at + 2);
  l.first_lane = words.at(at + 3);
  l.flags = words.at(at + 4);
  for (std::uint32_t field = 7; field <= 10; ++field) {
    if (l.operation == 2 && words.at(at + field) != 0)
      throw std::runtime_error("a lane record of ParamLoad with streams");
  }
  l.parameters = rows(words.at(at + 6), l.channels, words.at(at + 5));
  l.x = rows(words.at(at + 7), l.channels, l.elements);
  l.dy = rows(words.at(at + 8), l.channels, l.elements);
  l.expected = rows(words.at(at + 9), l.channels, words.at(at + 10));
  return l;
}

StimulusEvent StimulusFile::event(std::uint32_t at) const {
  StimulusEvent e;
  e.kind = words.at(at);
  e.number = words.at(at + 1);
  e.opcode = words.at(at + 2);
  e.flags = words.at(at + 3);
  if (words.at(at + 4) != 0) e.lane = lane(words.at(at + 4));
  for (std::uint32_t i = 0; i < words.at(at + 5); ++i) e.writes.push_back(write(at + 6 + 13 * i));
  return e;
}

std::vector<StimulusRegion> StimulusFile::regions(std::uint32_t at, std::uint32_t count) const {
  std::vector<StimulusRegion> list;
  for (std::uint32_t i = 0; i < count; ++i, at += 5)
    list.push_back({words.at(at), words.at(at + 1), words.at(at + 2), bytes(words.at(at + 4), words.at(at + 3))});
  return list;
}

}  // namespace dve::testing_support
