// Random reads and writes through an adapter pair, held against an array of bytes.
#pragma once

#include "pin_bench.h"

namespace dve::test {

// An access of up to `longest` bytes anywhere in `size` bytes; a third each with byte enables of a random period, with
// a streaming width of its own, and plain.
inline Access random_access(std::mt19937_64& random, std::uint64_t size, std::uint64_t longest) {
  const std::uint64_t length = 1 + random() % longest;
  const std::uint64_t address = random() % (size - length + 1);
  Access access = Access::read(address, length);
  if (random() % 2 == 0) access = Access::write(address, random_bytes(random, length));
  const std::uint64_t kind = random() % 3;
  if (kind == 1) {
    access.byte_enables.resize(1 + random() % (2 * length));
    for (std::uint8_t& enable : access.byte_enables) enable = random() % 3 != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  } else if (kind == 2) {
    access.streaming_width = 1 + random() % (2 * length);
  }
  return access;
}

// What TLM-2.0 says of the access on these bytes; the data that a read comes back with.
inline Bytes perform_on(Bytes& memory, const Access& access) {
  Bytes data = access.data;
  const std::uint64_t width = std::min<std::uint64_t>(access.streaming_width, data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!access.byte_enables.empty() && access.byte_enables[i % access.byte_enables.size()] != TLM_BYTE_ENABLED)
      continue;
    std::uint8_t& at = memory[access.address + i % width];
    (access.command == tlm::TLM_WRITE_COMMAND ? at : data[i]) = access.command == tlm::TLM_WRITE_COMMAND ? data[i] : at;
  }
  return data;
}

// `memory`: what the target holds, the whole of its address range.
inline void random_accesses(InitiatorTester& tester, std::mt19937_64& random, Bytes memory, int count,
                            std::uint64_t longest) {
  for (int i = 0; i < count; ++i) {
    Access access = random_access(random, memory.size(), longest);
    const Bytes expected = perform_on(memory, access);
    sc_core::sc_time delay = static_cast<double>(random() % 3) * (one_cycle() / 2);
    ASSERT_EQ(tester.send(access, delay), tlm::TLM_OK_RESPONSE) << "access " << i;
    ASSERT_EQ(access.data, expected) << "access " << i;
    if (random() % 4 == 0) sc_core::wait(static_cast<double>(random() % 9) * (one_cycle() / 2));
  }
}

}  // namespace dve::test
