// The legality check: every rule of isa.md 7 as data, all findings of a word at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generation.h"
#include "word.h"

namespace dve::isa {

// One broken rule. `predicate` is the name under which isa.md section 7 lists it.
struct Finding {
  std::string predicate;
  std::string field;            // field name of layouts.h, e.g. "dst.num_elem[0]"
  std::uint32_t byte = 0;       // offset of the field in the word
  std::uint64_t value = 0;      // the field's value as it stands in the word
  std::string expected;         // what is allowed, in words
};

// One line: "bnga_dst_element_cnt_check: dst.num_elem[0] at byte 54 is 4, expected 3".
std::string to_string(const Finding& finding);

// How num_active_channels and the start partition must fit (isa.md 7.1): by quadrant, or start + n <= 128.
enum class ActiveChannelRule : std::uint8_t { quadrant, sum128 };

struct LegalityOptions {
  Generation generation = Generation::cayman;
  ActiveChannelRule active_channel_rule = ActiveChannelRule::quadrant;
};

// All broken rules of the word, in the order of isa.md section 7. Empty: the word is legal on this generation.
// Words of opcodes without a layout get the common header and event rules only.
std::vector<Finding> check(const Word& word, const LegalityOptions& options);

}  // namespace dve::isa
