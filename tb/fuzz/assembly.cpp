#include "dve/assembly/assembly.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "targets.h"

namespace dve::fuzz {
namespace assembly_target {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void check_errors(const std::vector<assembly::SourceError>& errors, const std::vector<std::string_view>& lines) {
  require(errors.size() <= assembly::kMaxErrors, "the list of errors ends");
  std::pair<std::uint32_t, std::uint32_t> before{0, 0};
  for (const assembly::SourceError& error : errors) {
    require(!error.message.empty() && error.message.size() < 1000, "an error says what is wrong, briefly");
    require(std::all_of(error.message.begin(), error.message.end(), [](char c) { return c >= ' ' && c <= '~'; }),
            "an error is one printable line");
    require(error.line >= 1 && error.line <= lines.size(), "an error's line is one of the text");
    require(error.column >= 1 && error.column <= lines[error.line - 1].size() + 1, "an error's column is in its line");
    require(before <= std::pair(error.line, error.column), "errors come in the order of the text");
    before = {error.line, error.column};
  }
}

void check_words(const assembly::Assembled& assembled, isa::Generation generation) {
  std::uint32_t before = 0;
  for (const assembly::AssembledWord& word : assembled.words) {
    require(word.line > before, "one word a line, in the order of the text");
    before = word.line;
    const std::string text = assembly::disassemble(word.word, generation);
    const auto again = assembly::assemble(text, generation);
    require(again.errors.empty() && again.words.size() == 1 && again.words[0].word == word.word,
            "an assembled word survives disassembling: " + text);
  }
}

}  // namespace assembly_target

void assembly(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const isa::Generation generation = isa::kGenerations[(1 + size) % isa::kGenerations.size()];
  const auto assembled = assembly::assemble(text, generation);
  assembly_target::check_errors(assembled.errors, assembly_target::lines_of(text));
  assembly_target::check_words(assembled, generation);
}

}  // namespace dve::fuzz
