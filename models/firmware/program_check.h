// What is wrong with the words of a program, as `check` tells it: the rules of the instruction set, and whether the
// engine's firmware has the opcode.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::firmware {

// The engine of a program that names none: the first of DVE, POOL and ACT that executes all its opcodes. Empty when
// none does: such a program runs on the DVE, which will refuse a word.
std::optional<isa::Engine> common_engine(const std::vector<isa::Word>& words);

// All broken rules of a word in the stream of `engine`: those of isa::check, and the row of the DEBUG build's dispatch
// table. Without a known engine the word is judged as on one that has the opcode, and only when none has it does
// `engine` have to refuse it.
std::vector<isa::Finding> findings(const isa::Word& word, isa::Engine engine, bool engine_known,
                                   isa::LegalityOptions options);

// What the rule protects, in one sentence; also for the predicates of dispatch.h.
std::string explain(const std::string& predicate);

}  // namespace dve::firmware
