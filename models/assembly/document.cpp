#include <fmt/format.h>

#include <iterator>

#include "assembly.h"
#include "field_text.h"
#include "reference.h"

namespace dve::assembly {
namespace {

using isa::FieldFormat;
using isa::FieldKind;
using isa::Opcode;

constexpr std::string_view kTitle = R"(# Instruction words and their text

The words that the model executes, and the text that stands for them: what `dve-sim asm` reads and `dve-sim disasm`
writes. This page is written by the assembler from its own tables; a test fails when they differ. References such as
"isa.md 8" name the project's reference documents. What makes a word legal is said by `dve-sim check`.

)";

constexpr std::string_view kLines = R"(## Lines

One word a line: `mnemonic key=value ...`, keys in any order. Spaces and tabs separate, `#` starts a comment, empty
lines and CR LF are fine, anything but printable ASCII is an error. Two lines are no mnemonics:

- `.word` and 128 hexadecimal digits: the 64 bytes of any word. `disasm` writes it where no other text would give the
  same bytes back.
- `.engine dve|pool|act`: the words below belong to the stream of that engine, `dve` at first.

```
batch_norm_stats2 src=sbuf[0]+0x2000:bf16{512} dst=sbuf[0]+0x8000:fp32{6} channels=128 update=sem[1]++
activate src=sbuf[0]+0x104:fp32{1} dst=sbuf[0]+0x108:fp32{1} activation_func=rsqrt scale=1 bias=1e-5 channels=128
batch_norm_param_load src=sbuf[0]+0x11c:fp32{3} imm0=sbuf[0]+0x100 element_count=1024 channels=128 wait=sem[1]>=1
```

)";

constexpr std::string_view kValues = R"(## Values

| value | form |
|---|---|
| tensor | `space[partition]+offset:dtype{counts;steps}`: `sbuf[0]+0x2000:bf16{512,4;1,600}` |
| tensor, register address | `[r5]:fp32{64}` (ADDR4 0x80: the register holds the address) |
| pointer, register pointer | `psum[32]+0x40`, `r7` |
| any other ADDR4 | `addr4[0xa0000003]` in place of `sbuf[0]+0x2000`: all 32 bits, marker included |
| number | decimal or `0x` hexadecimal |
| binary32 | `0.5`, `1e-5`, `inf`, `-inf`, `nan` (0x7fc00000), or the bit pattern in hexadecimal: `0x3f000000` |
| list | values with commas; of a raw field, a shorter one leaves the rest 0 |
| dtype, operation, function | a name of the tables below, or its code as a number |
| address of tensor_load, tensor_store | `sbuf[0]+0x40`, `psum[0]+0x40`, `host:0x100`, a 64-bit number, `[r5]` |

Dimension 0 is the fastest, steps count elements. `space` is `sbuf` or `psum`; the address that a place becomes
depends on the generation. A partition is 0 to 127, an offset stays below the partition's stride. Left out, steps are
the running products of the counts (`{512,4}` is `{512,4;1,512}`); one that does not fit its field is an error.
Dimensions that are not written have count 1, step 1.

Pointers: `imm0=sbuf[0]+0x108` sets the source field to 1 (pointer), `imm0=r7` to 2 (register), a literal to 0; `bias`
of activate counts them 0, 2, 1. 0x63 takes pointers only, 0x94, 0x64, 0x8E pointers and registers. Literals are
binary32, numbers in tensor_scalar_bitvec_op. A dtype stands in the tensor literal; `imm_dtype` and `bias_dtype` give
that of the pointers.

On-chip addresses of tensor_load and tensor_store become those of the SoC apertures (SBUF 0x2000000000, PSUM
0x2802000000), `host:` addresses start at 0x4000000000 (the model's choice). How a register address is encoded there
no source says; the model sets bit 63, with the register's number in bits 0 to 7 and the rest 0.

)";

constexpr std::string_view kKeysNote = R"(
`key` is required, `[key=default]` optional; n is the element count of `src`, of `dst` in memset. Every mnemonic has
`wait` and `update` too (below).

Control words with lists:

- `move dtype=uint32 dst=r1,r2 src=r3,r4` or `move dtype=fp32 dst=r1 immediate=1.0`: one source for each destination,
  at most 8; values as the dtype has them. `src` may name r128 and r129, the halves of the program counter.
- `tensor_load dst=r1,r2 src=sbuf[0]+0x40:int32{2}`, `tensor_store dst=host:0x0:fp32{2} immediate=1.5,2`: one register
  or value for each element; values as the dtype has them, 32 bytes together.
- `semaphore_range_clear first=3 last=9` (mode 0), or `bitmask=` with semaphore numbers or 64 hexadecimal digits, byte
  0 first (mode 1). `mode=` beside them says otherwise.
- `event_semaphore` has a second wait and update, `wait1=` and `update1=`, each with a value of its own.

**Raw fields.** Every field of a format (below) that is not reserved has a key of its own name, which wins over what
the other keys say: `out_dtype=0x2a`, `in0_in1_dtype=bf16,fp16` (low nibble first), `imm0_src=3`. So have the fields
of the preamble: `inst_word_len` (default 0x10), `debug_cmd`, `debug_hint`, `wait_mode`, `wait_idx`, `update_mode`,
`update_idx`, `semaphore_value`. With a raw field key the lists of control words need not be whole. Reserved bytes
have no key.

)";

constexpr std::string_view kEventsHead = R"(## Wait and update

`wait=` is a condition that must hold before the word executes; `update=` happens when the sources have been read
(`@read`) or when the word is complete (`@complete`, the default). Semaphores and events are numbered 0 to 255; values
are numbers or `rN`; thresholds are compared as signed numbers and may be negative. Both values of a word stand in one
field: two different ones are an error.

)";

class Document {
 public:
  std::string write() {
    add("{}{}{}", kTitle, kLines, kValues);
    instructions();
    add("{}", kKeysNote);
    code_names_table();
    events();
    formats_section();
    dtypes();
    alu_ops();
    functions();
    refused();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  void head(std::string_view title, std::string_view columns, std::string_view ruler) {
    add("## {}\n\n{}\n{}\n", title, columns, ruler);
  }

  void instructions() {
    head("Mnemonics", "| mnemonic | byte | engines | format | keys |", "|---|---|---|---|---|");
    for (const Opcode opcode : isa::all_opcodes()) {
      const Syntax& syntax = syntax_of(opcode);
      const std::string keys = fmt::format("{}", fmt::join(usage(syntax), " "));
      add("| {} | 0x{:02X} | {} | {} | {} |\n", mnemonic(opcode), code(opcode), engines_text(opcode),
          syntax.format->name, keys.empty() ? "-" : fmt::format("`{}`", keys));
    }
  }

  void code_names_table() {
    add("Fields whose codes have names (numbers are accepted as well):\n\n| field | names |\n|---|---|\n");
    for (const std::string_view field : fields_with_code_names()) {
      add("| {} |", field);
      const NameTable& names = *code_names(field);
      for (const std::string_view name : names.names()) add(" {} {}", *names.find(name), name);
      add(" |\n");
    }
    add("\n");
  }

  void events() {
    add("{}| wait_mode | name | text |\n|---|---|---|\n", kEventsHead);
    for (const ModeRow& row : wait_rows()) mode_row(row, "wait");
    add("\n| update_mode | name | text |\n|---|---|---|\n");
    for (const ModeRow& row : update_rows()) mode_row(row, "update");
    add("\n");
  }
  void mode_row(const ModeRow& row, std::string_view key) {
    const bool none = row.mode == 0;
    const std::string text = none               ? "no key"
                             : row.text.empty() ? fmt::format("`{}_mode=0x{:02x}`", key, row.mode)
                                                : fmt::format("`{}={}`", key, row.text);
    add("| 0x{:02X} | {} | {} |\n", row.mode, row.name, text);
  }

  void formats_section() {
    add("## Formats\n\nBytes 12 to 63; bytes 0 to 11 are the same in every word:\n\n");
    add("| byte | size | field |\n|---|---|---|\n| 0 | 1 | opcode |\n");
    for (const FieldFormat& field : preamble_fields()) add("| {} | {} | {} |\n", field.byte, field.size, field.name);
    for (const FormatUse& use : formats()) format_table(use);
    add("\n");
  }
  void format_table(const FormatUse& use) {
    add("\n**{}**:", use.syntax->format->name);
    for (const Opcode opcode : use.opcodes) add("{} {}", opcode == use.opcodes.front() ? "" : ",", mnemonic(opcode));
    add("\n\n| byte | size | field | key | holds |\n|---|---|---|---|---|\n");
    for (const FieldFormat& field : use.syntax->format->fields)
      add("| {} | {} | {} | {} | {} |\n", field.byte, field.size, field.name, keys_of(*use.syntax, field),
          contents(field));
  }
  static std::string contents(const FieldFormat& field) {
    if (field.kind == FieldKind::reserved) return "0";
    if (field.kind == FieldKind::tensor) return fmt::format("TENSOR{}D", field.dimensions);
    if (field.kind != FieldKind::immediate) return std::string(describe(field));
    return field.source_encoding == isa::SourceEncoding::none ? "pointer"
           : has_literal_form(field)                          ? "pointer, register or literal"
                                                              : "pointer or register";
  }

  void dtypes() {
    head("Dtypes", "| code | name | bytes | generations |", "|---|---|---|---|");
    for (const std::string_view text : dtype_names().names()) {
      const auto dtype = static_cast<isa::Dtype>(*dtype_names().find(text));
      const std::uint64_t bytes = storage_size(dtype).value;
      add("| 0x{:02X} | {} | {} | {} |\n", code(dtype), text, bytes == 0 ? "-" : std::to_string(bytes),
          generations_text([dtype](isa::Generation g) { return is_dtype_member(dtype, g); }));
    }
    add("\n");
  }

  void alu_ops() {
    head("ALU operations", "| code | name | class | generations |", "|---|---|---|---|");
    for (const isa::AluOp op : isa::named_alu_ops())
      add("| 0x{:02X} | {} | {} | {} |\n", code(op), name(op), class_of(op),
          generations_text([op](isa::Generation g) { return is_alu_op_member(op, g); }));
    add("\n");
  }

  void functions() {
    head("Activation functions", "| code | name | table set |", "|---|---|---|");
    for (const isa::ActivationFunc f : isa::named_activation_funcs()) {
      const auto set = table_set_of(f);
      add("| 0x{:02X} | {} | {} |\n", code(f), name(f), set ? std::to_string(*set) : "always resident");
    }
    add("\nWhich functions share a set is not published; the sets and their numbers are the model's own.\n\n");
  }

  void refused() {
    head("Opcodes without a layout",
         "The references name these bytes but give no complete layout: they stand as `.word`, and are refused by "
         "name.\n\n| byte | name |",
         "|---|---|");
    for (const std::uint8_t byte : isa::opcodes_without_layout()) {
      const std::string text = isa::opcode_name(byte);
      add("| 0x{:02X} | {} |\n", byte, text.substr(0, 2) == "0x" ? "-" : text);
    }
  }

  std::string text_;
};

}  // namespace

std::string isa_document() { return Document().write(); }

}  // namespace dve::assembly
