#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "assembly.h"
#include "field_text.h"
#include "reference.h"

namespace dve::assembly {
namespace {

constexpr std::size_t kWidth = 100;

constexpr std::string_view kForms = R"(One word a line: mnemonic key=value ...; # starts a comment.
.word and 128 hexadecimal digits stand for any word; .engine dve|pool|act begins an engine's words.

Values
  tensor     sbuf[0]+0x2000:bf16{512,4;1,600}  place, dtype, counts, steps; dimension 0 first
             [r5]:fp32{64}                     the address is in a register
  pointer    psum[32]+0x40, r7 (register), addr4[0x...] (any 32 bits)
  binary32   0.5, 1e-5, inf, -inf, nan, or the bit pattern in hexadecimal
  address    sbuf[0]+0x40, host:0x100, a 64-bit number, [r5]   (tensor_load, tensor_store)
  wait       sem[3]>=16 (== < <= > >=, number or rN), evt[2], !evt[2], evt[2]:clear, !evt[2]:set
  update     sem[4]++ (-- += -= =, number or rN), evt[2]=1, evt[2]=0; then @read or @complete

Mnemonics and keys: key is required, [key=default] optional; n counts the elements of src (memset:
dst). Every mnemonic takes wait and update as well. Without @, an update happens at completion.
)";

constexpr std::string_view kRaw = R"(
Raw fields of a word win over the other keys and need no legal value: the field names of docs/isa.md
(out_dtype=, in0_in1_dtype=, imm0_src=, ...), and inst_word_len, debug_cmd, debug_hint, wait_mode,
wait_idx, update_mode, update_idx, semaphore_value.
)";

// Words behind `start`, wrapped; later lines begin at column `indent`.
std::string wrapped(std::string start, const std::vector<std::string>& words, std::size_t indent) {
  std::size_t column = start.size() - (start.rfind('\n') + 1);
  for (const std::string& word : words) {
    if (column + 1 + word.size() > kWidth) {
      start += '\n';
      start.append(indent - 1, ' ');
      column = indent - 1;
    }
    start += ' ';
    start += word;
    column += 1 + word.size();
  }
  start.erase(start.find_last_not_of(' ') + 1);
  return start + "\n";
}

std::string section(std::string_view title, const std::vector<std::string>& words) {
  return wrapped(fmt::format("\n{}\n ", title), words, 2);
}

std::vector<std::string> with_codes(const NameTable& table) {
  std::vector<std::string> words;
  for (const std::string_view name : table.names()) words.push_back(fmt::format("{}={:02X}", name, *table.find(name)));
  return words;
}

std::string mnemonic_lines() {
  std::string text;
  for (const isa::Opcode opcode : isa::all_opcodes())
    text += wrapped(fmt::format("  {:28} {:02X} ", mnemonic(opcode), code(opcode)), usage(syntax_of(opcode)), 35);
  return text;
}

std::vector<std::string> refused() {
  std::vector<std::string> words;
  for (const std::uint8_t byte : isa::opcodes_without_layout()) {
    const std::string name = isa::opcode_name(byte);
    if (name.substr(0, 2) != "0x") words.push_back(fmt::format("{}={:02X}", name, byte));
  }
  return words;
}

}  // namespace

std::string keys_help() {
  std::string text(kForms);
  text += mnemonic_lines();
  text += kRaw;
  for (const std::string_view field : fields_with_code_names()) text += section(field, with_codes(*code_names(field)));
  text += section("Dtypes", with_codes(dtype_names()));
  text += section("ALU operations", with_codes(alu_op_names()));
  text += section("Activation functions", with_codes(function_names()));
  return text + section("Without a layout, by .word only", refused());
}

}  // namespace dve::assembly
