// Fuzz targets: each takes any bytes and throws BrokenPromise, or whatever else should not have come out, when the code
// under it breaks a promise. libFuzzer drives them in the `fuzz` preset, fuzz_regression_test in every other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace dve::fuzz {

class BrokenPromise : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool held, const std::string& promise) {
  if (!held) throw BrokenPromise(promise);
}

// A word of 64 bytes, two bytes that select generation, engine and legality options, four that select the numerics
// switches, then data: the registers are its first bytes, the operands its repetition. What is missing counts as 0.
void word(const std::uint8_t* data, std::size_t size);

// Calls of the golden library, one after the other on one handle: a byte that selects its configuration, then for each
// call a byte that selects it and its arguments. What is missing counts as 0.
void golden(const std::uint8_t* data, std::size_t size);

// An assembly text; its length selects the generation.
void assembly(const std::uint8_t* data, std::size_t size);

// A .npy file.
void npy(const std::uint8_t* data, std::size_t size);

// A configuration file, and `--set` texts: the lines that begin with "--set ". Without any other line there is no file.
void config(const std::uint8_t* data, std::size_t size);

// A program.json.
void program_json(const std::uint8_t* data, std::size_t size);

// A workload file.
void workload(const std::uint8_t* data, std::size_t size);

// A sweep file; its points, unless they are many.
void sweep(const std::uint8_t* data, std::size_t size);

// What dve-sim report reads: a report.json when it begins with a brace, else a sweep.csv.
void page(const std::uint8_t* data, std::size_t size);

}  // namespace dve::fuzz
