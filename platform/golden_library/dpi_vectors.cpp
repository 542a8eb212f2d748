#include "dpi_vectors.h"

#include <fmt/format.h>

#include <cstring>

#include "handle.h"

namespace dve::golden_library {
namespace {

void need_known(const svLogicVecVal* vector, std::size_t bits, const char* name) {
  if (vector == nullptr) throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, fmt::format("{} is a null pointer", name)};
  for (std::size_t bit = 0; bit < bits; ++bit) {
    const svLogicVecVal& chunk = vector[bit / 32];
    if (((chunk.bval >> (bit % 32)) & 1) == 0) continue;
    throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, fmt::format("{}[{}] is {}, expected 0 or 1", name, bit,
                                                       ((chunk.aval >> (bit % 32)) & 1) != 0 ? 'X' : 'Z')};
  }
}

}  // namespace

std::uint64_t number64(const svLogicVecVal* vector, const char* name) {
  need_known(vector, 64, name);
  return vector[0].aval | std::uint64_t{vector[1].aval} << 32;
}

std::uint32_t number32(const svLogicVecVal* vector, const char* name) {
  need_known(vector, 32, name);
  return vector[0].aval;
}

Data data_of(const svLogicVecVal* vector, std::size_t bytes, const char* name) {
  need_known(vector, 8 * bytes, name);
  Data data{};
  for (std::size_t k = 0; k < bytes; ++k) data[k] = static_cast<std::uint8_t>(vector[k / 4].aval >> (8 * (k % 4)));
  return data;
}

std::size_t byte_count(const svLogicVecVal* bytes) {
  const std::uint32_t count = number32(bytes, "bytes");
  if (count <= kDataBytes) return count;
  throw Refusal{DVE_GOLDEN_BAD_ARGUMENT, fmt::format("bytes is {}, expected 0 to {}", count, kDataBytes)};
}

void put64(svBitVecVal* vector, std::initializer_list<std::uint64_t> values) {
  if (vector == nullptr) return;
  for (const std::uint64_t value : values) {
    *vector++ = static_cast<std::uint32_t>(value);
    *vector++ = static_cast<std::uint32_t>(value >> 32);
  }
}

void put32(svBitVecVal* vector, std::uint32_t value) {
  if (vector != nullptr) *vector = value;
}

void put_floats(svBitVecVal* vector, std::initializer_list<float> values) {
  if (vector == nullptr) return;
  for (const float value : values) std::memcpy(vector++, &value, sizeof value);
}

void put_data(svBitVecVal* vector, const Data& data) {
  if (vector == nullptr) return;
  for (std::size_t k = 0; k < kDataBytes; k += 4)
    vector[k / 4] =
        data[k] | std::uint32_t{data[k + 1]} << 8 | std::uint32_t{data[k + 2]} << 16 | std::uint32_t{data[k + 3]} << 24;
}

}  // namespace dve::golden_library
