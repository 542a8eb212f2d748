// Which dve-sim this is.
#pragma once

#include <string>

namespace dve::app {

std::string version();  // of the project: "0.1.0"

// Fingerprint of the program file (sweep::fingerprint): programs with equal ones are the same.
std::string build();

}  // namespace dve::app
