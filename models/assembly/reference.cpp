#include "reference.h"

#include <fmt/format.h>

#include <algorithm>

#include "defaults.h"
#include "event_text.h"

namespace dve::assembly {
namespace {

std::vector<std::string> control_usage(isa::Opcode opcode) {
  switch (opcode) {
    case isa::Opcode::move:
      return {"dtype", "dst", "(src or immediate)"};
    case isa::Opcode::tensor_load:
      return {"dst", "src"};
    case isa::Opcode::tensor_store:
      return {"dst", "(src or immediate)"};
    case isa::Opcode::semaphore_range_clear:
      return {"(first last, or bitmask)", "[mode]"};
    default:
      return {};
  }
}

}  // namespace

std::string engines_text(isa::Opcode opcode) {
  std::vector<std::string_view> names;
  for (const isa::Engine engine : isa::kEngines) {
    if (isa::engines_of(code(opcode)).contains(engine)) names.push_back(to_string(engine));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string generations_text(const std::function<bool(isa::Generation)>& holds) {
  const auto& all = isa::kGenerations;
  const auto* first = std::find_if(all.begin(), all.end(), holds);
  if (first == all.begin()) return "all";
  if (first == all.end()) return "none";
  const bool last = first + 1 == all.end();
  return fmt::format("{}{}", to_string(*first), last ? "" : " and later");
}

std::vector<std::string> usage(const Syntax& syntax) {
  std::vector<std::string> words = control_usage(syntax.opcode);
  if (!words.empty()) return words;
  for (const Key& key : syntax.keys) {
    if (key.presence == Presence::required) words.emplace_back(key.name);
    if (key.presence == Presence::optional && key.name != "wait" && key.name != "update")
      words.push_back(fmt::format("[{}={}]", key.name, default_text(syntax, key)));
  }
  return words;
}

std::string class_of(isa::AluOp op) {
  std::vector<std::string_view> classes;
  if (is_general_arith_op(op, isa::Generation::maverick)) classes.push_back("arith");
  if (is_bitvec_op(op)) classes.push_back(is_general_bitvec_op(op) ? "bitvec" : "bitvec, not general");
  if (is_signed_int_op(op)) classes.push_back("signed int");
  if (is_unsigned_int_op(op)) classes.push_back("unsigned int");
  if (is_int_op(op) && !is_signed_int_op(op) && !is_unsigned_int_op(op)) classes.push_back("int");
  if (is_arg_op(op)) classes.push_back("argmax, argmin");
  if (classes.empty()) return op == isa::AluOp::abs_value_int ? "int, in no class set" : "arith, not general";
  return fmt::format("{}", fmt::join(classes, "; "));
}

std::vector<ModeRow> wait_rows() {
  std::vector<ModeRow> rows;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto mode = static_cast<isa::WaitMode>(byte);
    if (!is_wait_mode_member(mode, isa::Generation::maverick)) continue;
    ModeRow row{static_cast<std::uint8_t>(byte), {}, name(mode)};
    append_wait(row.text, {row.mode, 3, 16, true});
    rows.push_back(row);
  }
  return rows;
}

std::vector<ModeRow> update_rows() {
  std::vector<ModeRow> rows;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const auto mode = static_cast<isa::UpdateMode>(byte);
    if (!is_update_mode_member(mode)) continue;
    ModeRow row{static_cast<std::uint8_t>(byte), {}, name(mode)};
    append_update(row.text, {row.mode, 4, 8, true});
    rows.push_back(row);
  }
  return rows;
}

std::vector<FormatUse> formats() {
  std::vector<FormatUse> uses;
  for (const isa::Opcode opcode : isa::all_opcodes()) {
    const Syntax& syntax = syntax_of(opcode);
    const auto same = std::find_if(uses.begin(), uses.end(), [&syntax](const FormatUse& use) {
      return use.syntax->format->name == syntax.format->name;
    });
    if (same == uses.end()) {
      uses.push_back({&syntax, {opcode}});
    } else {
      same->opcodes.push_back(opcode);
    }
  }
  return uses;
}

std::string keys_of(const Syntax& syntax, const isa::FieldFormat& field) {
  std::vector<std::string> keys;
  for (const Key& key : syntax.keys) {
    if (key.field == &field && key.form != Form::immediate_dtype) keys.push_back(fmt::format("`{}`", key.name));
  }
  return keys.empty() ? "-" : fmt::format("{}", fmt::join(keys, ", "));
}

}  // namespace dve::assembly
