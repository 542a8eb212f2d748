#include "stimulus_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace dve::record {
namespace {

constexpr unsigned kWordsPerLine = 8;

constexpr std::array<const char*, kHeaderWords> kHeaderNames = {
    "magic DVES",
    "version",
    "words of this file",
    "words of the header",
    "status: 0 ok, 1 fault, 2 deadlock, 3 timeout, 4 interrupted",
    "generation: 0 sunda, 1 cayman, 2 mariana, 3 mariana_plus, 4 maverick",
    "engine: 0 dve, 1 pool, 2 act",
    "numerics switches",
    "numerics.fp32r_mantissa",
    "numerics.act_relative_error, high half",
    "and low half",
    "program at",
    "program, in 64-byte words",
    "words executed",
    "word at which the run stopped early",
    "table of events at",
    "events",
    "table of lane records at",
    "lane records",
    "initial memory at",
    "initial regions",
    "final memory at",
    "final regions",
    "most channels of a lane record",
    "most elements of a lane record",
    "events that are host writes"};

}  // namespace

StimulusText::StimulusText(const std::filesystem::path& file)
    : path_(file), file_(file, telemetry::Compression::none), body_(file) {}

void StimulusText::word(std::uint32_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::array<char, 9> text{};
  text[0] = column_ == 0 ? '\n' : ' ';
  for (unsigned i = 0; i < 8; ++i) text[1 + i] = kDigits[(value >> (28 - 4 * i)) & 15U];
  body_.append({text.data(), text.size()});
  column_ = (column_ + 1) % kWordsPerLine;
  ++position_;
}

void StimulusText::value(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  word(bits);
}

void StimulusText::bytes(const std::uint8_t* data, std::size_t size) {
  for (std::size_t at = 0; at < size; at += 4) {
    std::uint32_t value = 0;
    for (std::size_t b = 0; b < std::min<std::size_t>(4, size - at); ++b) value |= std::uint32_t{data[at + b]} << 8 * b;
    word(value);
  }
}

void StimulusText::comment(std::string_view text) {
  body_.append(fmt::format("\n// {:#x}: {}", position_, text));
  column_ = 0;
}

void StimulusText::finish(std::vector<std::uint32_t> header) {
  body_.append("\n");
  if (position_ > kNone)
    throw telemetry::TraceError(
        fmt::format("{}: cannot be written: {} words, of which version {} of the format addresses {}", path_.string(),
                    position_, kVersion, kNone));
  header[kFileWords] = position();
  file_.write(fmt::format("// dve-sim stimulus, version {}, {} words of 32 bits, read with $readmemh: docs/stimulus.md",
                          kVersion, position_));
  for (std::uint32_t i = 0; i < kHeaderWords; ++i)
    file_.write(fmt::format("\n{:08x}  // {}", header[i], kHeaderNames[i] == nullptr ? "reserved" : kHeaderNames[i]));
  body_.copy_to(file_);
  file_.close();
}

}  // namespace dve::record
