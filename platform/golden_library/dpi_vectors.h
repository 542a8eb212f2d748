// Inside the golden library: numbers from and to SystemVerilog's vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "dve_golden_dpi.h"

namespace dve::golden_library {

// What a vector of 512 bits holds: a word, or a piece of memory.
inline constexpr std::size_t kDataBytes = 64;
using Data = std::array<std::uint8_t, kDataBytes>;

// The low bits of a vector. Throw Refusal, which names the vector and the bit, when one is X or Z or the vector is
// null.
std::uint64_t number64(const svLogicVecVal* vector, const char* name);
std::uint32_t number32(const svLogicVecVal* vector, const char* name);
// The low bytes; the others are 0.
Data data_of(const svLogicVecVal* vector, std::size_t bytes, const char* name);
// A number of bytes that such a vector has; Refusal otherwise.
std::size_t byte_count(const svLogicVecVal* bytes);

// Results; a null vector takes none.
void put64(svBitVecVal* vector, std::initializer_list<std::uint64_t> values);
void put32(svBitVecVal* vector, std::uint32_t value);
void put_floats(svBitVecVal* vector, std::initializer_list<float> values);
void put_data(svBitVecVal* vector, const Data& data);

}  // namespace dve::golden_library
