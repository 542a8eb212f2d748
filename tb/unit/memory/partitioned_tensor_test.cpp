// PartitionedMemory under tensor payloads, against an element-by-element golden.
#include <random>

#include "geometries.h"
#include "support/initiator_tester.h"

namespace partitioned_tensor_test {

using namespace dve;
using namespace dve::test;

constexpr std::int64_t kStride = 1024, kActive = 768;

struct Bench {
  PartitionedMemory memory{"memory", small_geometry(), 3, true};
  InitiatorTester tester{"tester"};
  Bench() { tester.socket.bind(memory.in.socket); }

  tlm::tlm_response_status send(Access& access, TensorExtension& tensor) {
    access.payload.set_extension(&tensor);
    const auto status = tester.send(access);
    access.payload.clear_extension(&tensor);
    return status;
  }
  Bytes snapshot() {
    Bytes all;
    for (std::int64_t p = 0; p < 128; ++p) {
      const Bytes row = tester.debug_read(static_cast<std::uint64_t>(p * kStride), kActive);
      all.insert(all.end(), row.begin(), row.end());
    }
    return all;
  }
};

TensorExtension tensor_of(std::array<std::int16_t, 4> step, std::array<std::uint16_t, 4> num, std::uint32_t bytes,
                          std::uint32_t channels) {
  TensorExtension t;
  t.pattern.step_elem = step;
  t.pattern.num_elem = num;
  t.element_bytes = bytes;
  t.channels = channels;
  t.element_count = std::uint64_t{num[0]} * num[1] * num[2] * num[3];
  return t;
}

std::size_t packed_bytes(const TensorExtension& t) {
  return static_cast<std::size_t>(t.channels * t.element_count * t.element_bytes);
}

// Byte offset in the partition of element i of the stream: dimension 0 fastest.
std::int64_t place_of_element(const TensorExtension& t, std::int64_t offset, std::uint64_t i) {
  for (std::size_t d = 0; d < 4; ++d) {
    offset += static_cast<std::int64_t>(i % t.pattern.num_elem[d]) * t.pattern.step_elem[d] * t.element_bytes;
    i /= t.pattern.num_elem[d];
  }
  return offset;
}

// Whether every byte lies in the active bytes of partitions 0..127.
bool legal(const Access& a, const TensorExtension& t) {
  if (static_cast<std::int64_t>(a.address) / kStride + t.channels > 128) return false;
  for (std::uint64_t i = 0; i < t.pattern.count().value; ++i) {
    const std::int64_t at = place_of_element(t, static_cast<std::int64_t>(a.address) % kStride, i);
    if (at < 0 || at + t.element_bytes > kActive) return false;
  }
  return true;
}

// What a legal access does to `memory` (rows of kActive bytes) or to its data.
void golden(Bytes& memory, Access& a, const TensorExtension& t) {
  const auto partition = static_cast<std::int64_t>(a.address) / kStride;
  const auto offset = static_cast<std::int64_t>(a.address) % kStride;
  std::size_t packed = 0;
  for (std::uint32_t c = 0; c < t.channels; ++c) {
    for (std::uint64_t i = 0; i < t.element_count; ++i) {
      const std::int64_t at = place_of_element(t, offset, t.first_element + i);
      for (std::uint32_t b = 0; b < t.element_bytes; ++b, ++packed) {
        std::uint8_t& cell = memory[static_cast<std::size_t>((partition + c) * kActive + at + b)];
        if (a.command == tlm::TLM_WRITE_COMMAND) {
          cell = a.data[packed];
        } else {
          a.data[packed] = cell;
        }
      }
    }
  }
}

void expect_golden(Bench& bench, Bytes& memory, Access access, TensorExtension tensor, const std::string& what) {
  Access expected = access;
  const bool ok = legal(access, tensor);
  if (ok) golden(memory, expected, tensor);
  ASSERT_EQ(bench.send(access, tensor), ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE) << what;
  ASSERT_EQ(access.data, expected.data) << what;
}

Bytes random_bytes(std::size_t n, std::mt19937_64& random) {
  Bytes bytes(n);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(PartitionedTensor, NamedPatterns) {
  Bench bench;
  run_in_thread([&] {
    struct Named {
      const char* what;
      TensorExtension tensor;
      std::uint64_t address;
      bool legal;
    };
    const std::vector<Named> cases = {
        {"contiguous, all partitions", tensor_of({1, 1, 1, 1}, {192, 1, 1, 1}, 4, 128), 0, true},
        {"contiguous, one element too long", tensor_of({1, 1, 1, 1}, {193, 1, 1, 1}, 4, 1), 0, false},
        {"129th partition", tensor_of({1, 1, 1, 1}, {4, 1, 1, 1}, 4, 128), 1024, false},
        {"last partition", tensor_of({1, 1, 1, 1}, {4, 1, 1, 1}, 4, 1), 127 * 1024, true},
        {"last partition, two channels", tensor_of({1, 1, 1, 1}, {4, 1, 1, 1}, 4, 2), 127 * 1024, false},
        {"reversed", tensor_of({-1, 1, 1, 1}, {192, 1, 1, 1}, 4, 3), 764, true},
        {"reversed, below the partition", tensor_of({-1, 1, 1, 1}, {193, 1, 1, 1}, 4, 3), 1024 + 764, false},
        {"broadcast", tensor_of({0, 0, 0, 0}, {5, 4, 3, 2}, 2, 2), 766, true},
        {"transposed", tensor_of({8, 1, 1, 1}, {6, 8, 1, 1}, 4, 5), 16, true},
        {"large stride", tensor_of({383, 1, 1, 1}, {2, 1, 1, 1}, 2, 128), 0, true},
        {"stride past the end", tensor_of({32767, 1, 1, 1}, {2, 1, 1, 1}, 8, 1), 0, false},
        {"stride that would land in the next partition", tensor_of({512, 1, 1, 1}, {2, 1, 1, 1}, 2, 1), 0, false},
        {"largest strides", tensor_of({32767, 32767, 32767, 32767}, {65535, 1, 1, 1}, 1, 1), 0, false},
        {"smallest strides", tensor_of({-32768, 1, 1, 1}, {65535, 1, 1, 1}, 1, 1), 0, false},
        {"up and down", tensor_of({1, -4, 16, -64}, {4, 4, 4, 4}, 1, 2), 300, true},
        {"starts in the hole", tensor_of({1, 1, 1, 1}, {1, 1, 1, 1}, 1, 1), 768, false},
        {"reaches out of the hole", tensor_of({-300, 1, 1, 1}, {2, 1, 1, 1}, 1, 1), 900, false},
    };
    std::mt19937_64 random(1);
    Bytes memory = bench.snapshot();
    for (const Named& c : cases) {
      ASSERT_EQ(legal(Access::read(c.address, 1), c.tensor), c.legal) << c.what;
      expect_golden(bench, memory, Access::read(c.address, packed_bytes(c.tensor)), c.tensor, c.what);
      Access write = Access::write(c.address, random_bytes(packed_bytes(c.tensor), random));
      expect_golden(bench, memory, write, c.tensor, c.what);
      ASSERT_EQ(bench.snapshot(), memory) << c.what;
    }
  });
}

TEST(PartitionedTensor, RandomPatternsEqualTheGolden) {
  Bench bench;
  run_in_thread([&] {
    Bytes memory = bench.snapshot();
    int served = 0, refused = 0;
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
      std::mt19937_64 random(seed);
      std::array<std::int16_t, 4> step{};
      std::array<std::uint16_t, 4> num{};
      for (auto& s : step) s = static_cast<std::int16_t>(static_cast<int>(random() % 41) - 20);
      for (auto& n : num) n = static_cast<std::uint16_t>(1 + random() % 4);
      TensorExtension tensor = tensor_of(step, num, 1u << (random() % 4),
                                         static_cast<std::uint32_t>(1 + random() % (random() % 8 ? 6 : 128)));
      if (random() % 2) {  // part of the stream
        tensor.first_element = random() % tensor.element_count;
        tensor.element_count = 1 + random() % (tensor.element_count - tensor.first_element);
      }
      const std::uint64_t address = random() % 128 * kStride + random() % kActive;
      const std::size_t bytes = packed_bytes(tensor);
      const Access access =
          random() % 2 ? Access::write(address, random_bytes(bytes, random)) : Access::read(address, bytes);
      (legal(access, tensor) ? served : refused)++;
      ASSERT_NO_FATAL_FAILURE(expect_golden(bench, memory, access, tensor, "seed " + std::to_string(seed)));
      if (seed % 200 == 0) {
        ASSERT_EQ(bench.snapshot(), memory) << "seed " << seed;
      }
    }
    EXPECT_EQ(bench.snapshot(), memory);
    EXPECT_GT(served, 400);
    EXPECT_GT(refused, 400);
  });
}

TEST(PartitionedTensor, BeatsEqualTheWholeOperand) {
  Bench bench;
  run_in_thread([&] {
    TensorExtension whole = tensor_of({-3, 40, 1, 1}, {5, 7, 1, 1}, 2, 4);
    Access all = Access::read(5 * kStride + 100, packed_bytes(whole));
    ASSERT_EQ(bench.send(all, whole), tlm::TLM_OK_RESPONSE);
    for (std::uint64_t first = 0; first < 35; first += 8) {
      TensorExtension beat = whole;
      beat.first_element = first;
      beat.element_count = std::min<std::uint64_t>(8, 35 - first);
      Access part = Access::read(5 * kStride + 100, packed_bytes(beat));
      ASSERT_EQ(bench.send(part, beat), tlm::TLM_OK_RESPONSE);
      for (std::uint64_t c = 0; c < 4; ++c) {
        for (std::uint64_t b = 0; b < beat.element_count * 2; ++b) {
          EXPECT_EQ(part.data[c * beat.element_count * 2 + b], all.data[(c * 35 + first) * 2 + b]) << first << ' ' << c;
        }
      }
    }
  });
}

TEST(PartitionedTensor, DebugAndDmiSeeTheSameBytes) {
  Bench bench;
  run_in_thread([&] {
    TensorExtension tensor = tensor_of({2, 1, 1, 1}, {50, 1, 1, 1}, 4, 2);
    std::mt19937_64 random(9);
    const Bytes data = random_bytes(packed_bytes(tensor), random);
    Access write = Access::write(3 * kStride + 8, data);
    write.payload.set_extension(&tensor);
    EXPECT_EQ(bench.tester.debug(write), data.size());
    write.payload.clear_extension(&tensor);
    Access read = Access::read(3 * kStride + 8, data.size());
    ASSERT_EQ(bench.send(read, tensor), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(read.data, data);
    for (std::uint64_t c = 0; c < 2; ++c) {
      tlm::tlm_dmi dmi;
      ASSERT_TRUE(bench.tester.dmi((3 + c) * kStride, tlm::TLM_READ_COMMAND, dmi));
      for (std::uint64_t i = 0; i < 50; ++i) {
        const std::uint8_t* at = dmi.get_dmi_ptr() + 8 + 8 * i;
        EXPECT_TRUE(std::equal(at, at + 4, data.begin() + static_cast<std::ptrdiff_t>(c * 200 + i * 4)))
            << c << ' ' << i;
      }
    }
  });
}

}  // namespace partitioned_tensor_test
