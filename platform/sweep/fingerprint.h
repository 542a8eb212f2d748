// Whether a file is still the one that it was.
#pragma once

#include <filesystem>
#include <string>

namespace dve::sweep {

// Hexadecimal FNV-1a (64 bits) of a file's bytes, or of the names and bytes of a folder's files in alphabetical order.
// "absent" when there is nothing.
std::string fingerprint(const std::filesystem::path& path);

}  // namespace dve::sweep
