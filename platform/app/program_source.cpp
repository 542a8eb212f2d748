#include "program_source.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "command_line.h"
#include "dve/firmware/firmware.h"

namespace dve::app {
namespace {

// Room for what a text program may be: a word takes a line.
constexpr std::uint64_t kLongestText = std::uint64_t{1} << 30;

bool parse_number(std::string_view text, std::size_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

runtime::Stream parse_stream(const std::string& text) {
  const std::size_t equals = text.find('='), colon = text.find(':');
  runtime::Stream stream;
  const bool shaped = equals != std::string::npos && colon != std::string::npos && colon > equals;
  const auto engine = shaped ? isa::engine_from_string(text.substr(0, equals)) : std::nullopt;
  if (!engine || !parse_number(std::string_view(text).substr(equals + 1, colon - equals - 1), stream.first) ||
      !parse_number(std::string_view(text).substr(colon + 1), stream.count) || stream.count == 0)
    throw UsageError(fmt::format("--stream is '{}', expected ENGINE=FIRST:COUNT with dve, pool or act", text));
  stream.engine = *engine;
  return stream;
}

std::vector<runtime::Stream> parse_streams(const std::vector<std::string>& texts, std::size_t words) {
  std::vector<runtime::Stream> streams;
  std::size_t covered = 0;
  for (const std::string& text : texts) {
    const runtime::Stream stream = parse_stream(text);
    for (const runtime::Stream& other : streams) {
      if (other.engine == stream.engine)
        throw UsageError(fmt::format("--stream {}: the engine has a stream already", text));
    }
    if (stream.first != covered || stream.count > words - covered)
      throw UsageError(
          fmt::format("--stream {}: expected words from {} on, at most {} of them", text, covered, words - covered));
    covered += stream.count;
    streams.push_back(stream);
  }
  if (covered != words)
    throw UsageError(fmt::format("--stream: the streams cover {} of the program's {} words", covered, words));
  return streams;
}

[[noreturn]] void fail(const std::filesystem::path& file, const assembly::Assembled& assembled) {
  std::string lines;
  for (const assembly::SourceError& e : assembled.errors)
    lines += fmt::format("{}{}:{}:{}: {}", lines.empty() ? "" : "\n", file.string(), e.line, e.column, e.message);
  if (assembled.errors.size() >= assembly::kMaxErrors) lines += "\n(further errors are not shown)";
  throw AssemblyError(lines);
}

}  // namespace

ProgramSource read_text(const std::filesystem::path& file, isa::Generation generation) {
  layer::InputFile input(file);
  if (input.size() > kLongestText)
    throw layer::InputError(
        fmt::format("{}: {} bytes, expected at most {}", file.string(), input.size(), kLongestText));
  const std::vector<std::uint8_t> bytes = input.read(input.size());
  const assembly::Assembled assembled =
      assembly::assemble({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, generation);
  if (!assembled.errors.empty()) fail(file, assembled);
  if (assembled.words.empty())
    throw layer::InputError(fmt::format("{}: holds no word, expected at least one", file.string()));
  ProgramSource source;
  for (const isa::Engine engine : isa::kEngines) {
    const std::size_t first = source.words.size();
    for (const assembly::AssembledWord& word : assembled.words) {
      if (word.engine != engine) continue;
      source.words.push_back(word.word);
      source.lines.push_back(word.line);
    }
    if (source.words.size() > first) source.streams.push_back({engine, first, source.words.size() - first});
  }
  source.engines_named = assembled.names_engines;
  if (!source.engines_named)
    source.streams.front().engine = firmware::common_engine(source.words).value_or(isa::Engine::dve);
  return source;
}

ProgramSource read_program(const std::filesystem::path& file, const std::vector<std::string>& streams,
                           isa::Generation generation) {
  if (file.extension() == ".dasm") {
    if (!streams.empty()) throw UsageError("--stream is for binary programs: text says .engine");
    return read_text(file, generation);
  }
  ProgramSource source;
  source.words = runtime::read_words(file);
  source.engines_named = !streams.empty();
  const isa::Engine engine = firmware::common_engine(source.words).value_or(isa::Engine::dve);
  source.streams = streams.empty() ? std::vector<runtime::Stream>{{engine, 0, source.words.size()}}
                                   : parse_streams(streams, source.words.size());
  return source;
}

std::string stream_options(const std::vector<runtime::Stream>& streams) {
  std::string text;
  for (const runtime::Stream& stream : streams)
    text += fmt::format("{}--stream {}={}:{}", text.empty() ? "" : " ", isa::to_string(stream.engine), stream.first,
                        stream.count);
  return text;
}

}  // namespace dve::app
