#include <cstdlib>
#include <filesystem>

#include "config.h"

namespace dve::config {

std::string directory() {
  namespace fs = std::filesystem;
  if (const char* chosen = std::getenv("DVE_CONFIG_DIR"); chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    // bin/ of an installation, of a build in the source tree, and of one two folders deeper (build/<preset>/bin).
    for (const char* near : {"../share/dve-tlm/configs", "../configs", "../../configs", "../../../configs"}) {
      const fs::path candidate = (program.parent_path() / near).lexically_normal();
      if (fs::is_directory(candidate / "generations", error)) return candidate.string();
    }
  }
  return DVE_SOURCE_CONFIG_DIR;
}

}  // namespace dve::config
