// What each legality rule protects, in one sentence: for readers of findings.
#pragma once

#include <string_view>
#include <vector>

namespace dve::isa {

// The sentence for a predicate name of a Finding. Empty for any other text.
std::string_view explain(std::string_view predicate);

// Every name that check() can report, sorted; each has a sentence.
const std::vector<std::string_view>& explained_predicates();

}  // namespace dve::isa
