#include "json_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "messages.h"

namespace dve::config {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kLargestFile = 1 << 20;
constexpr int kDeepest = 8;
constexpr std::size_t kLongestReason = 200;
constexpr int kSchema = 1;

std::string read_text(const std::string& path) {
  const auto fail = [&path](const std::string& why) { return Error(fmt::format("{}: {}", one_line(path), why)); };
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw fail("no such file");
  if (!std::filesystem::is_regular_file(status)) throw fail("not a regular file");
  if (std::filesystem::file_size(path, error) > kLargestFile) throw fail("larger than 1 MiB: not a configuration");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in || in.bad()) throw fail("cannot be read");
  return text.str();
}

// Watches the text while it is parsed: nlohmann::json keeps the last of two equal keys silently, and printing a value
// of a million brackets in a message would exhaust the stack.
class ParseGuard {
 public:
  explicit ParseGuard(std::string path) : path_(std::move(path)) {}
  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    if (depth > kDeepest) {
      throw Error(fmt::format("{}: nested deeper than {} levels: not a configuration", one_line(path_), kDeepest));
    }
    if (event == json::parse_event_t::object_start) open_objects_.emplace_back();
    if (event == json::parse_event_t::object_end) open_objects_.pop_back();
    if (event == json::parse_event_t::key) {
      const std::string key = parsed.get<std::string>();
      if (!open_objects_.back().insert(key).second) {
        throw Error(fmt::format("{}: {}: given twice in one object; expected once", one_line(path_), printable(key)));
      }
    }
    return true;
  }

 private:
  std::string path_;
  std::vector<std::set<std::string>> open_objects_;
};

// Line and column of the byte at which the parser gave up; `read` counts the bytes it had taken.
std::string position(const std::string& text, std::size_t read) {
  const std::string_view before = std::string_view(text).substr(0, read == 0 ? 0 : read - 1);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t last_break = before.rfind('\n');
  const std::size_t column = last_break == std::string_view::npos ? before.size() + 1 : before.size() - last_break;
  return fmt::format("line {}, column {}", line, column);
}

// The parser's own words after `separator`: "[json.exception...] parse error at line 2, column 7: syntax error ...".
std::string reason(const json::exception& error, const char* separator) {
  const std::string_view what = error.what();
  const std::size_t at = what.find(separator);
  return printable(at == std::string_view::npos ? what : what.substr(at + 2), kLongestReason);
}

Error broken(const std::string& path, const std::string& why) {
  return Error(fmt::format("{}: not valid JSON: {}", one_line(path), why));
}

json parse(const std::string& path) {
  const std::string text = read_text(path);
  ParseGuard guard(path);
  try {
    return json::parse(text, std::ref(guard));
  } catch (const json::parse_error& error) {
    throw broken(path, fmt::format("{}: ", position(text, error.byte)) + reason(error, ": "));
  } catch (const json::exception& error) {  // a number too large for any type
    throw broken(path, reason(error, "] "));
  }
}

std::optional<Value> value_of(const json& node, Type type) {
  switch (type) {
    case Type::boolean:
      if (node.is_boolean()) return node.get<bool>();
      return std::nullopt;
    case Type::integer:
      if (node.is_number_unsigned()) return node.get<std::uint64_t>();
      return std::nullopt;
    case Type::number:
      if (node.is_number()) return node.get<double>();
      return std::nullopt;
    case Type::choice:
      if (node.is_string()) return node.get<std::string>();
      return std::nullopt;
  }
  return std::nullopt;
}

// Walks the nested or dotted objects of one file.
class Reader {
 public:
  explicit Reader(ConfigFile& file) : file_(file) {}

  void read(const json& root) {
    if (!root.is_object()) throw Error(fmt::format("{}: expected a JSON object", one_line(file_.path)));
    check_schema(root);
    file_.name = text_member(root, "name").value_or("");
    file_.base = text_member(root, "base");
    check_origins(root);
    for (const auto& [key, node] : root.items()) {
      if (key != "schema" && key != "name" && key != "base" && key != "origins" && key != "ranges") read_key(key, node);
    }
    read_ranges(root);
  }

 private:
  void check_schema(const json& root) const {
    if (!root.contains("schema")) {
      throw Error(fmt::format("{}: schema is missing: expected \"schema\": {}", one_line(file_.path), kSchema));
    }
    const json& schema = root["schema"];
    if (!schema.is_number_integer() || schema != kSchema) {
      throw bad_value(file_.path, "schema", schema.dump(), std::to_string(kSchema));
    }
  }

  std::optional<std::string> text_member(const json& root, const char* key) const {
    const auto it = root.find(key);
    if (it == root.end()) return std::nullopt;
    if (!it->is_string()) throw bad_value(file_.path, key, it->dump(), "a string");
    return it->get<std::string>();
  }

  // to_json writes the origin of each value for people; nothing is read from it.
  void check_origins(const json& root) const {
    const auto it = root.find("origins");
    if (it != root.end() && !it->is_object()) throw bad_value(file_.path, "origins", it->dump(), "an object");
  }

  void read_key(const std::string& name, const json& node) {
    if (const Key* key = find_key(name)) {
      add(*key, node);
      return;
    }
    const std::string prefix = name + ".";
    const bool group = std::any_of(keys().begin(), keys().end(),
                                   [&](const Key& key) { return key.name.compare(0, prefix.size(), prefix) == 0; });
    if (!group) throw unknown_key(file_.path, name, node.dump());
    if (!node.is_object()) throw bad_value(file_.path, name, node.dump(), "an object with keys");
    for (const auto& [member, child] : node.items()) read_key(prefix + member, child);
  }

  // The value itself, or {"value": ..., "source": "..."}.
  void add(const Key& key, const json& node) {
    if (file_.find(key.name) != nullptr) {
      throw Error(fmt::format("{}: {}: given twice, nested and dotted; expected once", one_line(file_.path), key.name));
    }
    const bool annotated = node.is_object() && node.contains("value");
    const json& given = annotated ? node["value"] : node;
    const std::optional<Value> value = value_of(given, key.domain.type);
    if (!value || !key.domain.contains(*value)) {
      throw bad_value(file_.path, key.name, given.dump(), key.domain.allowed());
    }
    const std::string source = annotated ? source_of(key, node) : "";
    file_.entries.push_back({&key, *value, source, {}});
    if (annotated) add_range(file_.entries.back(), node, key.name, source);
  }

  // "low" and "high" of an object, if it has them.
  void add_range(Entry& entry, const json& node, const std::string& where, const std::string& source) const {
    if (!node.contains("low") && !node.contains("high")) return;
    const auto bound = [&](const char* name) {
      const std::string key = where + "." + name;
      const Domain& domain = entry.key->domain;
      if (domain.type != Type::integer && domain.type != Type::number) {
        throw bad_value(file_.path, key, node.dump(), "no bounds: the key is no number");
      }
      if (!node.contains(name)) {
        throw Error(fmt::format("{}: {}: missing; expected low and high", one_line(file_.path), key));
      }
      const std::optional<Value> value = value_of(node[name], domain.type);
      if (!value || !domain.contains(*value)) throw bad_value(file_.path, key, node[name].dump(), domain.allowed());
      return *value;
    };
    const Value low = bound("low"), high = bound("high");
    const std::string needed = fmt::format("low <= {} <= high", to_string(entry.value));
    if (low > entry.value) throw bad_value(file_.path, where + ".low", to_string(low), needed);
    if (high < entry.value) throw bad_value(file_.path, where + ".high", to_string(high), needed);
    entry.range = Range{low, high, source};
  }

  // What to_json writes: "ranges": {"key": {"low": ..., "high": ..., "source": ...}}, for keys that the file gives.
  void read_ranges(const json& root) {
    const auto it = root.find("ranges");
    if (it == root.end()) return;
    if (!it->is_object()) throw bad_value(file_.path, "ranges", it->dump(), "an object");
    for (const auto& [name, node] : it->items()) {
      const std::string where = "ranges." + name;
      const auto entry = std::find_if(file_.entries.begin(), file_.entries.end(),
                                      [&wanted = name](const Entry& e) { return e.key->name == wanted; });
      if (entry == file_.entries.end()) {
        throw bad_value(file_.path, where, node.dump(), "a key that this file gives a value");
      }
      if (!node.is_object() || !node.contains("low")) throw bad_value(file_.path, where, node.dump(), "low and high");
      const json source = node.value("source", json(""));
      if (!source.is_string()) throw bad_value(file_.path, where + ".source", source.dump(), "a string");
      add_range(*entry, node, where, source.get<std::string>());
    }
  }

  std::string source_of(const Key& key, const json& node) const {
    for (const auto& [member, child] : node.items()) {
      if (member != "value" && member != "source" && member != "low" && member != "high") {
        throw bad_value(file_.path, key.name + "." + member, child.dump(), "only value and source, low and high");
      }
      if (member == "source" && !child.is_string()) {
        throw bad_value(file_.path, key.name + ".source", child.dump(), "a string");
      }
    }
    return node.value("source", "");
  }

  ConfigFile& file_;
};

}  // namespace

const Entry* ConfigFile::find(const std::string& key) const {
  const auto it = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key->name == key; });
  return it == entries.end() ? nullptr : &*it;
}

ConfigFile read_config_file(const std::string& path) {
  ConfigFile file;
  file.path = path;
  Reader(file).read(parse(path));
  return file;
}

}  // namespace dve::config
