// The legality check: every rule of isa.md 6, 7, 11 to 13 and isa-neighbours.md 2 to 8 on one word, all findings at
// once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine.h"
#include "generation.h"
#include "legality_explain.h"
#include "word.h"

namespace dve::isa {

// One broken rule, under the name isa.md section 7 gives it, or ours where it gives none (predicates.h). Where one
// named rule contains another the inner name stands here: tensor3d_valid for a count of 0, tensor_start_addr_valid for
// a bad start address, addr_aligned_dtype for a misaligned one. The pointer checks (bnga_imm_check, bnga2_imm_check,
// s2_bn_imm_check, s2_bnpl2_imm_check, imm_check) keep their own name for source selector and alignment; the address
// window is tpb_addr_active_channels, the register is_valid_imm_reg.
struct Finding {
  std::string predicate;
  std::string field;        // field name of layouts.h, e.g. "dst.num_elem[0]"
  std::uint32_t byte = 0;   // offset of the field in the word
  std::uint64_t value = 0;  // the field's value as it stands in the word; for "x.num_elem" the product of the counts
  std::string expected;     // what is allowed, in words
};

// One line: "bnga_dst_element_cnt_check: dst.num_elem[0] at byte 54 is 4, expected 3". Values above 9 are also shown in
// hex.
std::string to_string(const Finding& finding);

// How num_active_channels and the start partition must fit (isa.md 7.1): by quadrant, or start + n <= 128.
enum class ActiveChannelRule : std::uint8_t { quadrant, sum128 };

struct LegalityOptions {
  Generation generation = Generation::cayman;
  ActiveChannelRule active_channel_rule = ActiveChannelRule::quadrant;
  // Bytes that one step of LoadParameterRam's param_ram_offset stands for: 4 = entries, 1 = bytes (isa.md 11.1).
  std::uint32_t param_ram_offset_unit_bytes = 4;
  // Whose instruction stream the word stands in: some rules differ between engines (isa-neighbours.md 1, 2, 4, 6).
  // Empty: not known. The word is then judged as on DVE when DVE executes the opcode, else as on the engine that does.
  std::optional<Engine> engine{};
};

// All broken rules of the word: header, events, engine, then the opcode's rules. Empty: the word is legal on this
// generation and engine. Words of opcodes without a layout get the common header and event rules only. An opcode that
// the stream's engine does not have is judged further as on an engine that has it. Any 64 bytes are accepted.
std::vector<Finding> check(const Word& word, const LegalityOptions& options);

}  // namespace dve::isa
