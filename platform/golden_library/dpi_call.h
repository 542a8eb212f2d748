// Inside the golden library: how the functions that SystemVerilog imports call those of dve_golden.h.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "dpi_vectors.h"
#include "handle.h"

namespace dve::golden_library {

// Keeps the text until the calling thread is told another.
const char* tell(std::string text);

inline dve_golden* handle_of(void* golden) { return static_cast<dve_golden*>(golden); }

// Takes the arguments apart, then calls. A Refusal of the first becomes the handle's message.
template <class Take, class Call>
int with(void* golden, Take&& take, Call&& call) noexcept {
  const dve_golden_status taken = guarded(handle_of(golden), [&](GoldenCore&) {
    take();
    return DVE_GOLDEN_OK;
  });
  if (taken != DVE_GOLDEN_OK) return taken;
  try {
    return call(handle_of(golden));
  } catch (...) {
    return DVE_GOLDEN_INTERNAL;
  }
}

// An engine and a word.
template <class Call>
int with_word(void* golden, const svLogicVecVal* engine, const svLogicVecVal* word, Call&& call) noexcept {
  int which = 0;
  Data bytes{};
  return with(
      golden,
      [&] {
        which = static_cast<int>(number32(engine, "engine"));
        bytes = data_of(word, kDataBytes, "word");
      },
      [&](dve_golden* g) { return call(g, which, bytes.data()); });
}

struct Argument {
  const svLogicVecVal* vector;
  const char* name;
};

// One, two or three numbers of 32 bits.
template <class Call>
int with_numbers(void* golden, std::initializer_list<Argument> arguments, Call&& call) noexcept {
  std::uint32_t n[3] = {};
  return with(
      golden,
      [&] {
        std::size_t k = 0;
        for (const Argument& argument : arguments) n[k++] = number32(argument.vector, argument.name);
      },
      [&](dve_golden* g) { return call(g, n); });
}

}  // namespace dve::golden_library
