// Every word with operands, in many lengths, dtypes and places, with the cycles it streams when nobody else is there:
// written down from microarchitecture.md 7.1, 7.2 and 8, apart from models/timing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::testing_support {

// What an engine is like, as far as the formula needs it; the default costs of every engine (microarchitecture.md 8).
struct FormulaEngine {
  isa::Generation generation = isa::Generation::cayman;
  isa::Engine engine = isa::Engine::dve;
  std::uint64_t clock_hz = 0;
  std::uint64_t min_ii = 64;            // U
  std::uint64_t issue_gap = 70;         // g
  std::uint64_t fill_drain = 144;       // L
  std::uint64_t two_source_cycles = 2;  // c, of two sources in SBUF
};

struct FormulaWord {
  isa::Word word;
  std::uint64_t stream = 0;  // S, cycles of the engine
  std::string what;
};

// The words that the check accepts, in the order of a program that may run them: parameters are loaded first. Uses all
// of a partition's first 0x30000 bytes (what is not a tensor must be 0) and PSUM. `thorough`: all dtypes and the
// longest streams too.
struct FormulaCatalogue {
  std::vector<FormulaWord> words;
  // Words of which the check must refuse every one: their length is illegal.
  std::vector<FormulaWord> refused;
};
FormulaCatalogue formula_words(const FormulaEngine& engine, bool thorough);

}  // namespace dve::testing_support
