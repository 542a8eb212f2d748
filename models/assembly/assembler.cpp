#include <fmt/format.h>

#include <algorithm>

#include "assembly.h"
#include "line.h"

namespace dve::assembly {
namespace {

const NameTable& engine_names() {
  static const NameTable table = [] {
    NameTable names;
    for (const isa::Engine engine : isa::kEngines)
      names.add(to_string(engine), static_cast<std::uint32_t>(index_of(engine)));
    return names;
  }();
  return table;
}

bool is_text(char c) { return c == '\t' || (c >= ' ' && c <= '~'); }

class TextAssembler {
 public:
  explicit TextAssembler(isa::Generation generation) : line_assembler_(generation) {}

  Assembled assemble(std::string_view text) {
    while (!text.empty() && out_.errors.size() < kMaxErrors) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      take_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(out_);
  }

 private:
  void take_line(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (is_text(line[k])) continue;
      return add_error(k + 1, fmt::format("byte 0x{:02x}: expected printable ASCII and tabs only",
                                          static_cast<unsigned char>(line[k])));
    }
    line = line.substr(0, line.find('#'));
    std::size_t at = 0;
    const Token first = next_token(line, at);
    if (first.text.empty()) return;
    if (first.text == ".engine") return take_engine(first, line, at);
    take_word(line);
  }

  void take_engine(const Token& directive, std::string_view line, std::size_t at) {
    const Token name = next_token(line, at);
    if (name.text.empty()) return add_error(directive.column, ".engine: expected dve, pool or act behind it");
    const auto engine = isa::engine_from_string(name.text);
    if (!engine)
      return add_error(name.column, fmt::format(".engine {}: expected dve, pool or act{}", shortened(name.text),
                                                did_you_mean(engine_names(), name.text)));
    const Token more = next_token(line, at);
    if (!more.text.empty())
      return add_error(more.column, fmt::format("{}: expected nothing behind the engine", quoted(more.text)));
    engine_ = *engine;
    out_.names_engines = true;
  }

  void take_word(std::string_view line) {
    const isa::Word word = line_assembler_.assemble(line);
    for (const LineError& error : line_assembler_.errors()) add_error(error.column, error.message);
    if (line_assembler_.errors().empty()) out_.words.push_back({word, engine_, line_});
  }

  void add_error(std::size_t column, std::string message) {
    if (out_.errors.size() < kMaxErrors)
      out_.errors.push_back({line_, static_cast<std::uint32_t>(column), std::move(message)});
  }

  LineAssembler line_assembler_;
  isa::Engine engine_ = isa::Engine::dve;
  std::uint32_t line_ = 0;
  Assembled out_;
};

}  // namespace

Assembled assemble(std::string_view text, isa::Generation generation) {
  return TextAssembler(generation).assemble(text);
}

}  // namespace dve::assembly
