#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include "config.h"

namespace dve::config {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> chosen(const char* variable) {
  const char* folder = std::getenv(variable);
  return folder != nullptr && *folder != '\0' ? std::optional<std::string>(folder) : std::nullopt;
}

// Folder of the shared library, or else the program, that this code is part of; empty when the system does not say.
fs::path own_folder() {
  Dl_info info{};
  void* loaded = nullptr;
  std::error_code error;
  if (dladdr1(reinterpret_cast<const void*>(&directory), &info, &loaded, RTLD_DL_LINKMAP) != 0) {
    const char* const library = static_cast<const link_map*>(loaded)->l_name;
    if (library != nullptr && *library != '\0') return fs::canonical(library, error).parent_path();
  }
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

// The first of these, relative to the own folder, that holds a folder named `content`.
std::optional<std::string> near(const char* content, std::initializer_list<const char*> candidates) {
  const fs::path folder = own_folder();
  std::error_code error;
  if (folder.empty()) return std::nullopt;
  for (const char* candidate : candidates) {
    const fs::path path = (folder / candidate).lexically_normal();
    if (fs::is_directory(path / content, error)) return path.string();
  }
  return std::nullopt;
}

}  // namespace

std::string directory() {
  if (const auto folder = chosen("DVE_CONFIG_DIR")) return *folder;
  // bin/ or lib/ of an installation, lib/<machine>/, lib/python3/dist-packages/dve; of a build in the source tree, and
  // of one two folders deeper (build/<preset>/bin).
  return near("generations", {"../share/dve-tlm/configs", "../../share/dve-tlm/configs",
                              "../../../../share/dve-tlm/configs", "../configs", "../../configs", "../../../configs"})
      .value_or(DVE_SOURCE_CONFIG_DIR);
}

std::string data_directory() {
  if (const auto folder = chosen("DVE_DATA_DIR")) return *folder;
  return near("digits_cnn", {"../share/dve-tlm/data", "../../../tb/data"}).value_or(DVE_SOURCE_DATA_DIR);
}

}  // namespace dve::config
