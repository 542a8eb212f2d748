// What a key that is not given stands for (interfaces.md 3).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "syntax.h"

namespace dve::assembly {

// Value of an optional key of Form::field. The word's tensors stand already: even_count and odd_count follow from the
// source's element count, Memset's element_count from the destination's. Empty where that count does not fit the field.
std::optional<std::uint32_t> default_of(const Syntax& syntax, const Key& key, const isa::Word& word);

// The default of any optional key in words, for the documents: "0", "fp32", "ceil(n/2)".
std::string_view default_text(const Syntax& syntax, const Key& key);

}  // namespace dve::assembly
