// Addresses and shapes as text: ADDR4 of tensors and pointers, ADDR8 of TensorLoad and TensorStore (interfaces.md 3).
//
//   sbuf[0]+0x2000   psum[32]+0x40     a place; the address depends on the generation
//   [r5]                               a register that holds the address
//   addr4[0xa0000003]                  any other ADDR4, bit by bit
//   host:0x100   0x2802700000          host memory, and any other 64-bit Neuron address (ADDR8 only)
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "dve/isa/isa.h"
#include "scanner.h"

namespace dve::assembly {

// Of a tensor: place, [rN] or addr4[...].
bool read_tensor_address(Scanner& in, isa::Generation generation, std::uint32_t& raw);
void append_tensor_address(std::string& out, std::uint32_t raw, isa::Generation generation);

// Of a pointer immediate: place or addr4[...].
bool at_pointer(const Scanner& in);  // the text begins like one
bool read_pointer(Scanner& in, isa::Generation generation, std::uint32_t& raw);
void append_pointer(std::string& out, std::uint32_t raw, isa::Generation generation);

// Of a MEM_2D word.
bool read_addr8(Scanner& in, isa::Generation generation, std::uint64_t& raw);
void append_addr8(std::string& out, std::uint64_t raw, isa::Generation generation);

// Counts and steps of up to four dimensions, dimension 0 fastest; unused dimensions have count 1, step 1.
struct Shape {
  std::array<std::int64_t, 4> counts{1, 1, 1, 1};
  std::array<std::int64_t, 4> steps{1, 1, 1, 1};
};
// What the fields of a descriptor hold.
struct ShapeLimits {
  std::size_t dimensions = 1;
  std::int64_t most_count = 0;
  std::int64_t least_step = 0;
  std::int64_t most_step = 0;
};
inline constexpr ShapeLimits tensor_limits(std::size_t dimensions) { return {dimensions, 0xFFFF, -0x8000, 0x7FFF}; }
inline constexpr ShapeLimits kMem2dLimits = {2, 0xFF, -0x80000000LL, 0x7FFFFFFF};

// "{512,4;1,600}" or "{512,4}": steps are the running products of the counts unless given.
bool read_shape(Scanner& in, const ShapeLimits& limits, Shape& shape);
void append_shape(std::string& out, const Shape& shape);

// A TENSORnD field of a word.
Shape tensor_shape(const isa::Word& word, const isa::FieldFormat& tensor);
void put_tensor_shape(isa::Word& word, const isa::FieldFormat& tensor, const Shape& shape);

}  // namespace dve::assembly
