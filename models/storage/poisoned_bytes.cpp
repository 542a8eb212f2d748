#include "poisoned_bytes.h"

#include <new>
#include <stdexcept>
#include <string>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace dve {
namespace {

constexpr std::uint64_t kPage = 4096, kLine = 64;
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;
constexpr std::align_val_t kAlignment{kPage};

// The finalizer of splitmix64: neighbouring inputs give unrelated outputs.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// The same bytes on every host. Written out so that the compiler makes one store of it.
void store_little_endian(std::uint8_t* to, std::uint64_t v) {
  to[0] = static_cast<std::uint8_t>(v);
  to[1] = static_cast<std::uint8_t>(v >> 8);
  to[2] = static_cast<std::uint8_t>(v >> 16);
  to[3] = static_cast<std::uint8_t>(v >> 24);
  to[4] = static_cast<std::uint8_t>(v >> 32);
  to[5] = static_cast<std::uint8_t>(v >> 40);
  to[6] = static_cast<std::uint8_t>(v >> 48);
  to[7] = static_cast<std::uint8_t>(v >> 56);
}

std::uint8_t* allocate(const char* owner, std::uint64_t bytes) {
  try {
    void* memory = ::operator new[](bytes, kAlignment);
#ifdef __linux__
    // A hint that only affects speed: of 28 MiB in rows far apart, most runs touch little, and clearing all of it would
    // be half of a short run.
    madvise(memory, bytes, MADV_NOHUGEPAGE);
#endif
    return static_cast<std::uint8_t*>(memory);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(std::string(owner) + ": the host has no " + std::to_string(bytes) +
                             " bytes for this memory");
  }
}

std::uint64_t pages_of(std::uint64_t size) { return size / kPage + (size % kPage != 0 ? 1 : 0); }

}  // namespace

void PoisonedBytes::Free::operator()(std::uint8_t* bytes) const { ::operator delete[](bytes, kAlignment); }

PoisonedBytes::PoisonedBytes(const char* owner, std::uint64_t size, std::uint64_t seed)
    : size_(size),
      start_(mix(seed + kGolden)),
      bytes_(allocate(owner, pages_of(size) * kPage)),
      filled_(pages_of(size)) {}

std::uint8_t* PoisonedBytes::touch(std::uint64_t offset, std::uint64_t length) {
  if (length != 0) {
    for (std::uint64_t page = offset / kPage; page <= (offset + (length - 1)) / kPage; ++page) {
      if (!filled_[page]) fill(page);
    }
  }
  return bytes_.get() + offset;
}

void PoisonedBytes::fill(std::uint64_t page) {
  std::uint8_t* to = bytes_.get() + page * kPage;
  std::uint64_t sequence = start_ + page * kPage;  // not the member: a store of bytes might alias it
  // One step of the generator a line; turned and multiplied, its bits make eight words.
  for (std::uint64_t at = 0; at < kPage; at += kLine, sequence += kLine) {
    std::uint64_t bits = mix(sequence * kGolden);
    for (std::uint64_t word = 0; word < kLine; word += 8) {
      bits = bits << 13 | bits >> 51;
      store_little_endian(to + at + word, bits * kGolden);
    }
  }
  filled_[page] = true;
}

}  // namespace dve
