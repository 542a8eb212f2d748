#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>

#include "config.h"

namespace dve::config {
namespace {

namespace fs = std::filesystem;

// The shared library, or else the program, that this code is part of.
fs::path own_file() {
  Dl_info info{};
  void* loaded = nullptr;
  std::error_code error;
  if (dladdr1(reinterpret_cast<const void*>(&directory), &info, &loaded, RTLD_DL_LINKMAP) != 0) {
    const char* const library = static_cast<const link_map*>(loaded)->l_name;
    if (library != nullptr && *library != '\0') return fs::canonical(library, error);
  }
  return fs::read_symlink("/proc/self/exe", error);
}

}  // namespace

std::string directory() {
  if (const char* chosen = std::getenv("DVE_CONFIG_DIR"); chosen != nullptr && *chosen != '\0') return chosen;
  const fs::path folder = own_file().parent_path();
  if (folder.empty()) return DVE_SOURCE_CONFIG_DIR;
  // bin/ or lib/ of an installation, lib/<machine>/; of a build in the source tree, and of one two folders deeper
  // (build/<preset>/bin).
  for (const char* near :
       {"../share/dve-tlm/configs", "../../share/dve-tlm/configs", "../configs", "../../configs", "../../../configs"}) {
    std::error_code error;
    const fs::path candidate = (folder / near).lexically_normal();
    if (fs::is_directory(candidate / "generations", error)) return candidate.string();
  }
  return DVE_SOURCE_CONFIG_DIR;
}

}  // namespace dve::config
