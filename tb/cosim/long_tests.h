// The long form of the tests (scripts/test.sh --all), and the seed of a run.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace dve::cosim {

inline bool long_tests() {
  const char* value = std::getenv("DVE_LONG_TESTS");
  return value != nullptr && std::string(value) == "1";
}

// The whole number in an environment variable, or `otherwise` when there is none. Throws std::invalid_argument for any
// other text.
inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  if (text == nullptr) return otherwise;
  std::size_t end = 0;
  const std::uint64_t number = std::stoull(text, &end, 0);
  if (text[end] != 0) throw std::invalid_argument(std::string(name) + " is no number: " + text);
  return number;
}

// DVE_COSIM_SEED: another run of the same random tests, or a failing one again.
inline std::uint64_t cosim_seed() { return number_from_environment("DVE_COSIM_SEED", 1); }

}  // namespace dve::cosim
