#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include "config.h"

namespace dve::config {
namespace {

namespace fs = std::filesystem;

// The first of these, relative to a folder, that holds the presets.
std::optional<std::string> near(const fs::path& folder, std::initializer_list<const char*> candidates) {
  std::error_code error;
  for (const char* candidate : candidates) {
    const fs::path path = (folder / candidate).lexically_normal();
    if (fs::is_directory(path / "generations", error)) return path.string();
  }
  return std::nullopt;
}

// Folder of the program or the shared library that this code is part of.
fs::path own_folder() {
  Dl_info info{};
  std::error_code error;
  if (dladdr(reinterpret_cast<const void*>(&directory), &info) == 0 || info.dli_fname == nullptr) return {};
  return fs::canonical(info.dli_fname, error).parent_path();
}

}  // namespace

std::string directory() {
  if (const char* chosen = std::getenv("DVE_CONFIG_DIR"); chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  // bin/ of an installation, of a build in the source tree, and of one two folders deeper (build/<preset>/bin).
  if (!error) {
    if (const auto found = near(program.parent_path(),
                                {"../share/dve-tlm/configs", "../configs", "../../configs", "../../../configs"}))
      return *found;
  }
  // lib/ of an installation, or lib/<machine>/: the golden library in somebody else's program.
  if (const auto found = near(own_folder(), {"../share/dve-tlm/configs", "../../share/dve-tlm/configs"})) return *found;
  return DVE_SOURCE_CONFIG_DIR;
}

}  // namespace dve::config
