// Inside the rtl block: whether a file of waves can be, and has been, written.
#pragma once

#include <string>

namespace dve::rtl {

// The writer of FST files removes what it finds under the name, and does not look whether its writes succeed.
//
// Throws std::runtime_error when `file` exists and is no regular file, or cannot be written.
void require_fst_target(const std::string& file);
// Throws std::runtime_error when the file, which has been closed, is not whole: the disk was full.
void require_whole_fst(const std::string& file);

}  // namespace dve::rtl
