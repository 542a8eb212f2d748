// The door of the config block: the effective configuration of a run, where each of its values came from, and how it is
// read and printed (interfaces.md 4). Plain C++: no SystemC.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "keys.h"
#include "settings.h"
#include "value.h"

namespace dve::config {

// Anything wrong with a configuration. what() is one line: file or --set, key, value, what is allowed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Where a value came from. Later layers replace earlier ones: defaults, preset, file, --set.
struct Origin {
  enum class Layer { default_value, preset, file, set };
  Layer layer = Layer::default_value;
  std::string where;   // name of the preset, path of the file
  std::string source;  // what the number is based on, as the file says; the key's own source for a default
};
std::string to_string(const Origin& origin);  // "preset cayman: documented (...)"

struct Effective {
  std::string name;  // of the preset, or what the file calls itself, else its path
  Config config;
  std::map<std::string, Origin> origins;  // one per key
  // Keys whose number is uncertain within known bounds. They come with the value: who replaces the value (a file,
  // --set) and gives no bounds has decided it.
  std::map<std::string, Range> ranges;
};

// The effective configuration of `--config name_or_file` and the `--set key=value` texts in order (a later one wins).
// `name_or_file`: a generation's name means its preset, everything else is a file, empty means cayman. The preset
// underneath is that of `--set generation=`, else of the named preset or the file's "base" or "generation", else
// cayman. Throws Error.
Effective load(const std::string& name_or_file, const std::vector<std::string>& sets);

// `effective` with more `--set key=value` texts on top, without reading any file. Throws Error; also for `generation`,
// which chooses the preset underneath and is for load().
Effective with_sets(Effective effective, const std::vector<std::string>& sets);

// Throws Error when values that are allowed one by one contradict each other. load() has done so already.
void validate(const Effective& effective);

// Folder with generations/<name>.json: environment variable DVE_CONFIG_DIR, else near the shared library or program
// that holds this code, else the source tree that it was built from.
std::string directory();

// Folder with the layers that come with the program: environment variable DVE_DATA_DIR, else near the executable, else
// in the source tree.
std::string data_directory();

// Text table for people: key, value, unit, range, origin.
std::string describe(const Effective& effective);

// A configuration file that load() turns into the same configuration, with the origin of each value. Same input, same
// bytes.
std::string to_json(const Effective& effective);

// All keys: what is allowed, unit, default, one sentence.
std::string help();

// How sure a number is, as the first word of its source says (microarchitecture.md, "Confidence tags"): documented,
// observed, inferred or assumed; a value carried over from another generation or engine is assumed. Empty when the
// source begins otherwise.
std::string confidence(const std::string& source);

// Markdown table of every key that the presets give, a row each: unit, value, range and confidence (D O I A) by
// generation, sources. Throws Error when a preset cannot be read.
std::string timing_table();

}  // namespace dve::config
