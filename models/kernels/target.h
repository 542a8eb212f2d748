// Which of the compiled vector targets runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dve::kernels {

// The targets that this program holds and this processor has, worst first: "scalar" (one element at a time), on x86-64
// "ssse3", "sse4", "avx2", "avx3" (AVX-512).
std::vector<std::string> targets();

// The one that runs: the last of targets() until use_target() says otherwise.
std::string target();

// Runs this target from now on, in the whole process; "best" stands for the last of targets(). Throws
// std::invalid_argument that names the value and what is expected for anything else.
void use_target(std::string_view name);

}  // namespace dve::kernels
