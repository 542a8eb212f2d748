#include "json_node.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "dve/layer/layer.h"

namespace dve::json {
namespace {

constexpr int kDeepest = 32;  // printing a deeper document would exhaust the stack

// Short and on one line, whatever the document holds.
std::string shown(const Json& value) {
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (value.is_object()) return "an object";
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

// A key as part of a path in a message.
std::string shown_key(const std::string& key) {
  const std::string quoted = shown(Json(key));
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

Json parse_json(const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = layer::read_file(path);
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto refuse_twice = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kDeepest)
      throw layer::InputError(fmt::format("{}: nested deeper than {} levels, expected fewer", path.string(), kDeepest));
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      throw layer::InputError(fmt::format("{}: key {} stands twice, expected once", path.string(), shown(value)));
    }
    return true;
  };
  try {
    return Json::parse(bytes.begin(), bytes.end(), refuse_twice);
  } catch (const Json::exception& e) {
    std::string reason = e.what();
    std::replace_if(
        reason.begin(), reason.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
    throw layer::InputError(fmt::format("{}: is not JSON: {}", path.string(), reason));
  }
}

void JsonNode::fail(std::string_view expected) const {
  throw layer::InputError(fmt::format("{}: {} is {}, expected {}", file_->string(),
                                      key_.empty() ? "the document" : key_, shown(*value_), expected));
}

bool JsonNode::has(std::string_view key) const { return value_->is_object() && value_->contains(std::string(key)); }

void JsonNode::expect_keys(std::initializer_list<std::string_view> keys) const { allow_keys(keys, {}); }

void JsonNode::allow_keys(std::initializer_list<std::string_view> required,
                          std::initializer_list<std::string_view> optional) const {
  if (!value_->is_object()) fail("an object");
  std::vector<std::string_view> keys(required);
  keys.insert(keys.end(), optional);
  for (const auto& item : value_->items()) {
    if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) {
      const std::string name = shown_key(item.key());
      JsonNode(item.value(), *file_, key_.empty() ? name : key_ + "." + name)
          .fail(fmt::format("no such key; known are {}", fmt::join(keys, ", ")));
    }
  }
  for (const std::string_view key : required) at(key);
}

JsonNode JsonNode::at(std::string_view key) const {
  if (!value_->is_object()) fail("an object");
  const auto found = value_->find(std::string(key));
  if (found == value_->end()) fail(fmt::format("key {} in it", key));
  return {*found, *file_, key_.empty() ? std::string(key) : fmt::format("{}.{}", key_, key)};
}

std::vector<JsonNode> JsonNode::list() const {
  if (!value_->is_array()) fail("a list");
  std::vector<JsonNode> nodes;
  nodes.reserve(value_->size());
  for (std::size_t i = 0; i < value_->size(); ++i)
    nodes.emplace_back((*value_)[i], *file_, fmt::format("{}[{}]", key_, i));
  return nodes;
}

std::uint64_t JsonNode::integer(std::uint64_t least, std::uint64_t most) const {
  const auto expected = [&] { return fmt::format("an integer from {} to {}", least, most); };
  if (!value_->is_number_unsigned() && !(value_->is_number_integer() && value_->get<std::int64_t>() >= 0))
    fail(expected());
  const auto number = value_->get<std::uint64_t>();
  if (number < least || number > most) fail(expected());
  return number;
}

double JsonNode::number() const {
  if (!value_->is_number()) fail("a number");
  const auto number = value_->get<double>();
  if (!std::isfinite(number)) fail("a finite number");
  return number;
}

std::string JsonNode::text() const {
  if (!value_->is_string()) fail("a string");
  return value_->get<std::string>();
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) fail("true or false");
  return value_->get<bool>();
}

}  // namespace dve::json
