#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>
#include <vector>

#include "config.h"
#include "text.h"

namespace dve::config {
namespace {

// "144 (65..400) A": value, range, first letter of the confidence.
std::string value_cell(const Effective& preset, const Key& key) {
  std::string text = to_string(key.get(preset.config));
  const auto range = preset.ranges.find(key.name);
  if (range != preset.ranges.end()) text += fmt::format(" ({})", to_string(range->second));
  const std::string word = confidence(preset.origins.at(key.name).source);
  if (word.empty()) return text;
  return text + ' ' + static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
}

// "sunda: source; cayman, mariana: another source", or the source that all share.
std::string source_cell(const std::vector<Effective>& presets, const Key& key) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // source, generations
  for (const Effective& preset : presets) {
    const std::string& source = preset.origins.at(key.name).source;
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&source](const auto& group) { return group.first == source; });
    if (same == groups.end()) {
      groups.push_back({source, {preset.name}});
    } else {
      same->second.push_back(preset.name);
    }
  }
  if (groups.size() == 1) return groups.front().first;
  std::string text;
  for (const auto& [source, generations] : groups)
    text += fmt::format("{}**{}**: {}", text.empty() ? "" : "; ", join(generations), source);
  return text;
}

}  // namespace

std::string confidence(const std::string& source) {
  const std::string word = source.substr(0, source.find_first_of(" :,;("));
  if (word == "carried") return "assumed";
  for (const char* known : {"documented", "observed", "inferred", "assumed"}) {
    if (word == known) return word;
  }
  return {};
}

std::string timing_table() {
  std::vector<Effective> presets;
  std::string head = "| key | unit |", ruler = "|---|---|";
  for (const std::string& name : find_key("generation")->domain.choices) {
    presets.push_back(load(name, {}));
    head += " " + name + " |";
    ruler += "---|";
  }
  std::string text = head + " source |\n" + ruler + "---|\n";
  for (const Key& key : keys()) {
    const bool given = std::any_of(presets.begin(), presets.end(), [&key](const Effective& preset) {
      return preset.origins.at(key.name).layer == Origin::Layer::preset;
    });
    if (!given || key.name == "generation") continue;
    fmt::format_to(std::back_inserter(text), "| `{}` | {} |", key.name,
                   key.domain.unit.empty() ? "-" : key.domain.unit);
    for (const Effective& preset : presets) fmt::format_to(std::back_inserter(text), " {} |", value_cell(preset, key));
    fmt::format_to(std::back_inserter(text), " {} |\n", source_cell(presets, key));
  }
  return text;
}

}  // namespace dve::config
