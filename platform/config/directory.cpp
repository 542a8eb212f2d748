#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include "config.h"

namespace dve::config {
namespace {

namespace fs = std::filesystem;

// The first of these, relative to a folder, that holds a folder named `content`. None of a folder that is not known.
std::optional<std::string> near(const fs::path& folder, const char* content,
                                std::initializer_list<const char*> candidates) {
  std::error_code error;
  if (folder.empty()) return std::nullopt;
  for (const char* candidate : candidates) {
    const fs::path path = (folder / candidate).lexically_normal();
    if (fs::is_directory(path / content, error)) return path.string();
  }
  return std::nullopt;
}

// Empty when the system does not say.
fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

std::optional<std::string> chosen(const char* variable) {
  const char* folder = std::getenv(variable);
  return folder != nullptr && *folder != '\0' ? std::optional<std::string>(folder) : std::nullopt;
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
  if (const auto folder = chosen("DVE_CONFIG_DIR")) return *folder;
  // bin/ of an installation, of a build in the source tree, and of one two folders deeper (build/<preset>/bin).
  if (const auto found = near(program_folder(), "generations",
                              {"../share/dve-tlm/configs", "../configs", "../../configs", "../../../configs"}))
    return *found;
  // lib/ of an installation, lib/<machine>/, or lib/python3/dist-packages/dve: the golden library in somebody else's
  // program, or the Python package.
  if (const auto found =
          near(own_folder(), "generations",
               {"../share/dve-tlm/configs", "../../share/dve-tlm/configs", "../../../../share/dve-tlm/configs"}))
    return *found;
  return DVE_SOURCE_CONFIG_DIR;
}

std::string data_directory() {
  if (const auto folder = chosen("DVE_DATA_DIR")) return *folder;
  if (const auto found = near(program_folder(), "digits_cnn", {"../share/dve-tlm/data", "../../../tb/data"}))
    return *found;
  return DVE_SOURCE_DATA_DIR;
}

}  // namespace dve::config
