// Programs of instruction words: text to words and back, and what is wrong with them.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace dve::python {

// (words, engines, lines, errors): the words' bytes, stream after stream in the order of dve, pool, act; the engine of
// each, empty when the text names none; the line of each; (line, column, message) of each error, and then no words.
pybind11::tuple assemble(const std::string& text, const std::string& generation);

// One text a word.
pybind11::list disassemble(const std::string& words, const std::string& generation);

// (word, engine, mnemonic, predicate, field, byte, value, expected, explanation, text) of each broken rule. `engines`:
// of each word, or empty: those that `dve-sim check` assumes. `config`: preset or file.
pybind11::list check(const std::string& words, const pybind11::list& engines, const std::string& config,
                     const pybind11::dict& set);

}  // namespace dve::python
