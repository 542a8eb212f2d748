// Program files and small arrays for the tests of the dve-sim program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dve/isa/isa.h"

namespace dve::testing_support {

// GradAccumulate2 over n fp32 elements on four partitions from sbuf[0]: x at 0, dy at 0x1000 (n <= 1024) or 0x10000,
// mean at 0x3100 (0x20100), inv_std right behind it, sums at 0x3000 (0x20000). `results` other than 3 makes it illegal.
isa::Word grad_accumulate_word(std::uint16_t n, std::uint16_t results = 3);
// The same, waiting for semaphore 5 to reach 1.
isa::Word waiting_word();

void write_program(const std::string& path, const std::vector<isa::Word>& words);

// .npy files of binary32, written and read without the project's own code.
void write_npy_fp32(const std::string& path, const std::vector<std::size_t>& shape, const std::vector<float>& values);
std::vector<float> read_npy_fp32(const std::string& path);

}  // namespace dve::testing_support
