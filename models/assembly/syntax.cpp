#include "syntax.h"

#include <algorithm>
#include <stdexcept>

namespace dve::assembly {
namespace {

using isa::FieldFormat;
using isa::FieldKind;
using isa::Format;
using isa::Opcode;

// Where the events of a preamble keep the value that wait and update share (isa.md 1.2).
constexpr std::uint8_t kSharedValue = 8;

FieldFormat preamble_field(std::string_view name, std::uint8_t byte, std::uint8_t size = 1,
                           FieldKind kind = FieldKind::integer) {
  FieldFormat field;
  field.kind = kind;
  field.name = name;
  field.byte = byte;
  field.size = size;
  return field;
}

class SyntaxMaker {
 public:
  explicit SyntaxMaker(Opcode opcode) {
    syntax_.opcode = opcode;
    syntax_.format = &format_of(opcode);
  }

  Syntax make() {
    add_own_keys();
    add("wait", Form::wait, Presence::optional, preamble("wait_mode"), kSharedValue);
    add("update", Form::update, Presence::optional, preamble("update_mode"), kSharedValue);
    for (const FieldFormat& field : format().fields) add_override(field);
    for (const FieldFormat& field : preamble_fields()) add(field.name, Form::field, Presence::override, &field);
    return std::move(syntax_);
  }

 private:
  const Format& format() const { return *syntax_.format; }
  const FieldFormat* field(std::string_view name) const { return find_field(format(), name); }
  static const FieldFormat* preamble(std::string_view name) {
    for (const FieldFormat& field : preamble_fields()) {
      if (field.name == name) return &field;
    }
    return nullptr;
  }

  void add(std::string_view name, Form form, Presence presence, const FieldFormat* field, std::uint8_t value_byte = 0) {
    if (syntax_.keys.size() == kMostKeys) throw std::logic_error("more keys than kMostKeys");
    syntax_.names.add(name, static_cast<std::uint32_t>(syntax_.keys.size()));
    syntax_.keys.push_back({name, form, presence, field, value_byte});
  }

  void add_own_keys() {
    switch (syntax_.opcode) {
      case Opcode::move:
        return add_move();
      case Opcode::tensor_load:
        return add_load();
      case Opcode::tensor_store:
        return add_store();
      case Opcode::semaphore_range_clear:
        return add_range_clear();
      case Opcode::event_semaphore:
        return add_event_semaphore();
      default:
        return add_compute();
    }
  }

  void add_move() {
    add("dtype", Form::field, Presence::required, field("dtype"));
    add("dst", Form::move_destinations, Presence::group, field("dst_regs"));
    add("src", Form::move_sources, Presence::group, field("src_regs"));
    add("immediate", Form::move_values, Presence::group, field("immediate"));
  }
  void add_load() {
    add("dst", Form::data_registers, Presence::group, field("data"));
    add("src", Form::memory, Presence::group, field("start_addr"));
  }
  void add_store() {
    add("dst", Form::memory, Presence::group, field("start_addr"));
    add("src", Form::data_registers, Presence::group, field("data"));
    add("immediate", Form::data_values, Presence::group, field("data"));
  }
  void add_range_clear() {
    add("first", Form::field, Presence::group, field("first"));
    add("last", Form::field, Presence::group, field("last"));
    add("bitmask", Form::semaphores, Presence::group, field("bitmask"));
    add("mode", Form::field, Presence::group, field("mode"));
  }
  void add_event_semaphore() {
    add("setter_signature", Form::field, Presence::optional, field("setter_signature"));
    add("wait1", Form::wait, Presence::optional, field("wait_mode1"), field("sem_wait_value")->byte);
    add("update1", Form::update, Presence::optional, field("update_mode1"), field("sem_update_value")->byte);
  }

  // Sources, destination, immediates, the other fields, dtype of the immediates, channels.
  void add_compute() {
    add_tensors(false);
    add_tensors(true);
    for (const FieldFormat& each : format().fields) {
      if (each.kind == FieldKind::immediate) add_immediate(each);
    }
    for (const FieldFormat& each : format().fields) {
      if (is_value(each) && !each.key.empty() && each.key != "imm_dtype" && each.key != "channels")
        add(each.key, Form::field, presence_of(each), &each);
    }
    add_immediate_dtype();
    if (const FieldFormat* channels = field("num_active_channels"))
      add("channels", Form::field, Presence::required, channels);
  }
  void add_tensors(bool destination) {
    for (const FieldFormat& each : format().fields) {
      if (each.kind == FieldKind::tensor && (each.role == isa::OperandRole::dst) == destination)
        add(each.key, Form::tensor, Presence::required, &each);
    }
  }
  void add_immediate(const FieldFormat& each) {
    add(each.key, Form::immediate, has_literal_form(each) ? Presence::optional : Presence::required, &each);
  }
  // One key for the dtype of the immediates where no tensor literal gives it.
  void add_immediate_dtype() {
    for (const FieldFormat& each : format().fields) {
      if (each.kind != FieldKind::immediate || !each.dtype.exists() || is_tensor_dtype(each.dtype)) continue;
      const std::string_view name = each.key == "bias" ? "bias_dtype" : "imm_dtype";
      return add(name, Form::immediate_dtype, Presence::optional, &each);
    }
  }
  bool is_tensor_dtype(isa::CodePlace place) const {
    return std::any_of(format().fields.begin(), format().fields.end(), [place](const FieldFormat& each) {
      return each.kind == FieldKind::tensor && each.dtype.byte == place.byte && each.dtype.part == place.part;
    });
  }

  static bool is_value(const FieldFormat& each) {
    return each.kind != FieldKind::tensor && each.kind != FieldKind::immediate && each.kind != FieldKind::reserved;
  }
  // Numbers for which no default makes sense: N, the loaded values, the stored value, the function, the table.
  Presence presence_of(const FieldFormat& each) const {
    const bool is_count_literal = each.key == "element_count" && each.kind == FieldKind::fp32;
    const bool named =
        each.key == "immediate" || each.key == "set_value" || each.key == "activation_func" || each.key == "set_index";
    return is_count_literal || named ? Presence::required : Presence::optional;
  }

  void add_override(const FieldFormat& each) {
    if (is_value(each) && !syntax_.names.find(each.name)) add(each.name, Form::field, Presence::override, &each);
  }

  Syntax syntax_;
};

}  // namespace

const std::vector<FieldFormat>& preamble_fields() {
  static const std::vector<FieldFormat> fields = {
      preamble_field("inst_word_len", 1), preamble_field("debug_cmd", 2),
      preamble_field("debug_hint", 3),    preamble_field("wait_mode", 4, 1, FieldKind::wait_mode),
      preamble_field("wait_idx", 5),      preamble_field("update_mode", 6, 1, FieldKind::update_mode),
      preamble_field("update_idx", 7),    preamble_field("semaphore_value", kSharedValue, 4)};
  return fields;
}

const Syntax& syntax_of(Opcode opcode) {
  static const std::vector<Syntax> syntaxes = [] {
    std::vector<Syntax> by_byte(256);
    for (const Opcode each : isa::all_opcodes()) by_byte[code(each)] = SyntaxMaker(each).make();
    return by_byte;
  }();
  return syntaxes[code(opcode)];
}

const NameTable& mnemonics() {
  static const NameTable table = [] {
    NameTable names;
    for (const Opcode each : isa::all_opcodes()) names.add(mnemonic(each), code(each));
    return names;
  }();
  return table;
}

bool has_literal_form(const FieldFormat& immediate) {
  return immediate.source_encoding == isa::SourceEncoding::standard ||
         immediate.source_encoding == isa::SourceEncoding::inverted;
}

std::uint8_t source_code(isa::SourceEncoding encoding, isa::ImmediateSource source) {
  using isa::ImmSrc, isa::ImmSrcN, isa::ImmediateSource;
  const bool inverted = encoding == isa::SourceEncoding::inverted;
  if (source == ImmediateSource::literal)
    return inverted ? static_cast<std::uint8_t>(ImmSrcN::instruction) : static_cast<std::uint8_t>(ImmSrc::instruction);
  if (source == ImmediateSource::pointer)
    return inverted ? static_cast<std::uint8_t>(ImmSrcN::pointer) : static_cast<std::uint8_t>(ImmSrc::pointer);
  return static_cast<std::uint8_t>(ImmSrc::register_pointer);  // the same code in both
}

bool has_integer_literals(Opcode opcode) { return opcode == Opcode::tensor_scalar_bitvec_op; }

}  // namespace dve::assembly
