// A program as the tools read it: binary words, or assembly text, and which engine runs which part.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dve/assembly/assembly.h"
#include "dve/layer/layer.h"
#include "dve/runtime/runtime.h"

namespace dve::app {

// Text that is no program: what() is one line for each error, "file:line:column: message".
class AssemblyError : public layer::InputError {
 public:
  using layer::InputError::InputError;
};

struct ProgramSource {
  std::vector<isa::Word> words;          // the streams one after the other
  std::vector<runtime::Stream> streams;  // at least one
  std::vector<std::uint32_t> lines;      // of the text, one a word; empty for binary programs
  bool engines_named = false;            // by `.engine` or --stream
};

// Text programs, whatever their name. layer::InputError: the file; AssemblyError: the text.
ProgramSource read_text(const std::filesystem::path& file, isa::Generation generation);

// PROGRAM.bin, or text when the name ends in .dasm. `streams`: ENGINE=FIRST:COUNT texts for binary programs, which must
// cover the words in order. UsageError: a --stream text, or one with a text program; layer::InputError: the file;
// AssemblyError: the text.
ProgramSource read_program(const std::filesystem::path& file, const std::vector<std::string>& streams,
                           isa::Generation generation);

// "--stream dve=0:39 --stream pool=39:1": what makes a binary program of several engines whole again.
std::string stream_options(const std::vector<runtime::Stream>& streams);

}  // namespace dve::app
