#include "dve/config/config.h"

#include <sstream>
#include <vector>

#include "memory_file.h"
#include "targets.h"

namespace dve::fuzz {
namespace config_target {

struct Input {
  std::string file;
  std::vector<std::string> sets;
};

Input input_of(const std::string& text) {
  const std::string prefix = "--set ";
  Input input;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, prefix.size(), prefix) == 0)
      input.sets.push_back(line.substr(prefix.size()));
    else
      input.file += line + "\n";
  }
  return input;
}

config::Effective load_again(const std::string& json) {
  static MemoryFile file;
  file.replace(json.data(), json.size());
  return config::load(file.path(), {});
}

}  // namespace config_target

void config(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  const auto input = config_target::input_of(std::string(reinterpret_cast<const char*>(data), size));
  file.replace(input.file.data(), input.file.size());
  config::Effective effective;
  try {
    effective = config::load(input.file.empty() ? "" : file.path().string(), input.sets);
  } catch (const config::Error& error) {
    const std::string_view message = error.what();
    require(!message.empty() && message.find('\n') == std::string_view::npos, "an error is one line");
    return;
  }
  require(!config::describe(effective).empty(), "a configuration is described");
  const config::Effective again = config_target::load_again(config::to_json(effective));
  for (const config::Key& key : config::keys())
    require(key.get(again.config) == key.get(effective.config),
            "a printed configuration is read as it was: " + key.name);
}

}  // namespace dve::fuzz
