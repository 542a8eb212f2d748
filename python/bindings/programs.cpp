#include "programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <vector>

#include "dve/assembly/assembly.h"
#include "dve/firmware/firmware.h"
#include "switches.h"

namespace dve::python {
namespace {

namespace py = pybind11;

isa::Generation generation_of(const std::string& name) {
  const auto generation = isa::generation_from_string(name);
  if (!generation)
    throw std::invalid_argument(
        fmt::format("generation is '{}', expected sunda, cayman, mariana, mariana_plus or maverick", name));
  return *generation;
}

isa::Engine engine_of(const std::string& name) {
  const auto engine = isa::engine_from_string(name);
  if (!engine) throw std::invalid_argument(fmt::format("engine is '{}', expected dve, pool or act", name));
  return *engine;
}

std::vector<isa::Word> words_of(const std::string& bytes) {
  if (bytes.size() % isa::kWordBytes != 0)
    throw std::invalid_argument(fmt::format("{} bytes are no words of {}", bytes.size(), isa::kWordBytes));
  std::vector<isa::Word> words(bytes.size() / isa::kWordBytes);
  for (std::size_t k = 0; k < words.size(); ++k)
    std::memcpy(words[k].bytes.data(), bytes.data() + k * isa::kWordBytes, isa::kWordBytes);
  return words;
}

py::str text(std::string_view value) { return py::str(value.data(), value.size()); }

}  // namespace

py::tuple assemble(const std::string& source, const std::string& generation) {
  assembly::Assembled assembled = assembly::assemble(source, generation_of(generation));
  std::stable_sort(
      assembled.words.begin(), assembled.words.end(),
      [](const assembly::AssembledWord& a, const assembly::AssembledWord& b) { return a.engine < b.engine; });
  std::string bytes;
  py::list engines, lines, errors;
  for (const assembly::AssembledWord& word : assembled.words) {
    bytes.append(reinterpret_cast<const char*>(word.word.bytes.data()), isa::kWordBytes);
    if (assembled.names_engines) engines.append(text(isa::to_string(word.engine)));
    lines.append(word.line);
  }
  for (const assembly::SourceError& error : assembled.errors)
    errors.append(py::make_tuple(error.line, error.column, error.message));
  return py::make_tuple(py::bytes(bytes), engines, lines, errors);
}

py::list disassemble(const std::string& words, const std::string& generation) {
  const isa::Generation device = generation_of(generation);
  py::list texts;
  for (const isa::Word& word : words_of(words)) texts.append(assembly::disassemble(word, device));
  return texts;
}

py::list check(const std::string& bytes, const py::list& engines, const std::string& config, const py::dict& set) {
  const std::vector<isa::Word> words = words_of(bytes);
  if (!engines.empty() && engines.size() != words.size())
    throw std::invalid_argument(fmt::format("{} engines of {} words", engines.size(), words.size()));
  const isa::LegalityOptions options = config::legality_options(config::load(config, set_texts(set, "")).config);
  const std::optional<isa::Engine> common = firmware::common_engine(words);
  py::list all;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const isa::Engine engine =
        engines.empty() ? common.value_or(isa::Engine::dve) : engine_of(engines[k].cast<std::string>());
    const bool known = !engines.empty() || common.has_value();
    for (const isa::Finding& f : firmware::findings(words[k], engine, known, options))
      all.append(py::make_tuple(k, text(isa::to_string(engine)), text(isa::opcode_name(words[k].opcode_byte())),
                                f.predicate, f.field, f.byte, f.value, f.expected, firmware::explain(f.predicate),
                                isa::to_string(f)));
  }
  return all;
}

}  // namespace dve::python
