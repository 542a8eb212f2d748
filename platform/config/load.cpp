#include <filesystem>

#include "json_file.h"
#include "messages.h"

namespace dve::config {
namespace {

const std::string kSet = "--set";
const std::string kGeneration = "generation";
const std::string kDefaultPreset = "cayman";

std::vector<std::string> preset_names() { return find_key(kGeneration)->domain.choices; }

bool is_preset(const std::string& name) { return isa::generation_from_string(name).has_value(); }

Entry parse_set(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(fmt::format("--set {}: expected key=value", printable(text)));
  }
  const std::string name = text.substr(0, equals);
  const std::string value = text.substr(equals + 1);
  const Key* key = find_key(name);
  if (key == nullptr) throw unknown_key(kSet, name, value);
  const std::optional<Value> parsed = key->domain.parse(value);
  if (!parsed) throw bad_value(kSet, name, value, key->domain.allowed());
  return {key, *parsed, "", {}};
}

ConfigFile read_preset(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(directory()) / "generations" / (name + ".json");
  ConfigFile file = read_config_file(path.string());
  const Entry* generation = file.find(kGeneration);
  if (generation == nullptr || to_string(generation->value) != name) {
    throw Error(fmt::format("{}: generation: expected {} in this preset", one_line(file.path), name));
  }
  if (file.base) throw bad_value(file.path, "base", *file.base, "no base in a preset");
  return file;
}

ConfigFile read_user_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw Error(fmt::format("--config {}: no such file, and not a preset ({}); the nearest is {}", one_line(path),
                            join(preset_names()), nearest(path, preset_names())));
  }
  ConfigFile file = read_config_file(path);
  if (!file.base) return file;
  if (!is_preset(*file.base)) throw bad_value(path, "base", *file.base, "one of " + join(preset_names()));
  const Entry* generation = file.find(kGeneration);
  if (generation != nullptr && to_string(generation->value) != *file.base) {
    throw bad_value(path, "base", *file.base,
                    fmt::format("the same as generation = {}, or only one of them", to_string(generation->value)));
  }
  return file;
}

// The preset that lies under a user's file.
std::string preset_under(const ConfigFile& file) {
  if (file.base) return *file.base;
  const Entry* generation = file.find(kGeneration);
  return generation == nullptr ? kDefaultPreset : to_string(generation->value);
}

Effective defaults() {
  Effective effective;
  for (const Key& key : keys()) effective.origins[key.name] = {Origin::Layer::default_value, "", key.source};
  return effective;
}

void apply(Effective& effective, const std::vector<Entry>& entries, Origin::Layer layer, const std::string& where) {
  for (const Entry& entry : entries) {
    entry.key->set(effective.config, entry.value);
    effective.origins[entry.key->name] = {layer, where, entry.source};
    effective.ranges.erase(entry.key->name);
    if (entry.range) effective.ranges.emplace(entry.key->name, *entry.range);
  }
}

// "place.x = psum (--set)"
std::string given(const Effective& effective, const std::string& key) {
  const Origin& origin = effective.origins.at(key);
  const Origin without_source{origin.layer, origin.where, ""};
  return fmt::format("{} = {} ({})", key, to_string(find_key(key)->get(effective.config)), to_string(without_source));
}

// A throttle, or a wheel, under which somebody would never be served.
void validate_ports(const Effective& effective) {
  const contention::Parameters& ports = effective.config.ports;
  for (const char* user : {"dve", "pool", "act", "dma"}) {
    const auto index = contention::index_of(*contention::user_from_name(user == std::string("dma") ? "dma0" : user));
    for (const bool write : {false, true}) {
      const auto& throttle = write ? ports.users[index].write : ports.users[index].read;
      if (!throttle.active() || throttle.beats != 0) continue;
      const std::string key = fmt::format("memory.{}.{}_", user, write ? "write" : "read");
      throw Error(fmt::format("{} with {}: no beat would ever be granted; expected at least 1 beat a window",
                              given(effective, key + "window"), given(effective, key + "beats")));
    }
  }
  const contention::TdmParameters& tdm = ports.tdm;
  const bool strict = tdm.policy == contention::TdmPolicy::strict;
  if (tdm.dma_slots >= tdm.slots || (strict && tdm.dma_slots == 0))
    throw Error(fmt::format("{} contradicts {}: expected at least one slot for each side",
                            given(effective, "memory.tdm_dma_slots"), given(effective, "memory.tdm_slots")));
}

// What the RTL of the lanes does not have.
void validate_rtl(const Effective& effective) {
  if (effective.config.dve.engine != DveEngine::rtl) return;
  for (const auto& [key, wanted] :
       {std::pair{"numerics.backprop_form", "staged"}, {"numerics.accumulator", "sequential"}}) {
    if (to_string(find_key(key)->get(effective.config)) == wanted) continue;
    throw Error(fmt::format("{} contradicts {}: the lanes in RTL compute one form; expected {}", given(effective, key),
                            given(effective, "dve.engine"), wanted));
  }
}

}  // namespace

void validate(const Effective& effective) {
  validate_ports(effective);
  validate_rtl(effective);
  const Placement& place = effective.config.place;
  if (place.x == TensorPlace::psum && place.dy == TensorPlace::psum) {
    throw Error(fmt::format("{} contradicts {}: two PSUM sources are illegal (isa.md 7.1); expected sbuf for one",
                            given(effective, "place.x"), given(effective, "place.dy")));
  }
  if (isa::geometry(effective.config.generation, isa::Space::psum).exists()) return;
  for (const char* key : {"place.x", "place.dy", "place.dx", "place.sums"}) {
    if (to_string(find_key(key)->get(effective.config)) == "psum") {
      throw Error(fmt::format("{} contradicts {}: this generation has no PSUM (isa.md 3); expected sbuf",
                              given(effective, key), given(effective, kGeneration)));
    }
  }
}

Effective with_sets(Effective effective, const std::vector<std::string>& sets) {
  std::vector<Entry> overrides;
  for (const std::string& text : sets) overrides.push_back(parse_set(text));
  for (const Entry& entry : overrides) {
    if (entry.key->name == kGeneration)
      throw bad_value(kSet, kGeneration, to_string(entry.value), "no other generation on top of a preset");
  }
  apply(effective, overrides, Origin::Layer::set, "");
  validate(effective);
  return effective;
}

Effective load(const std::string& name_or_file, const std::vector<std::string>& sets) {
  std::vector<Entry> overrides;
  for (const std::string& text : sets) overrides.push_back(parse_set(text));

  ConfigFile user;
  std::string preset = name_or_file.empty() ? kDefaultPreset : name_or_file;
  const bool from_file = !is_preset(preset);
  if (from_file) {
    user = read_user_file(preset);
    preset = preset_under(user);
  }
  for (const Entry& entry : overrides) {
    if (entry.key->name == kGeneration) preset = to_string(entry.value);
  }

  Effective effective = defaults();
  effective.name = from_file ? (user.name.empty() ? user.path : user.name) : preset;
  apply(effective, read_preset(preset).entries, Origin::Layer::preset, preset);
  apply(effective, user.entries, Origin::Layer::file, user.path);
  apply(effective, overrides, Origin::Layer::set, "");
  validate(effective);
  return effective;
}

}  // namespace dve::config
