#include "poisoned_bytes.h"

#include <new>
#include <stdexcept>
#include <string>

namespace dve {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::align_val_t kAlignment{64};

// The finalizer of splitmix64: neighbouring inputs give unrelated outputs.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::uint8_t* allocate(const char* owner, std::uint64_t pages) {
  try {
    return static_cast<std::uint8_t*>(::operator new[](pages* kPage, kAlignment));
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(std::string(owner) + ": the host has no " + std::to_string(pages * kPage) +
                             " bytes for this memory");
  }
}

std::uint64_t pages_of(std::uint64_t size) { return size / kPage + (size % kPage != 0 ? 1 : 0); }

}  // namespace

void PoisonedBytes::Free::operator()(std::uint8_t* bytes) const { ::operator delete[](bytes, kAlignment); }

PoisonedBytes::PoisonedBytes(const char* owner, std::uint64_t size, std::uint64_t seed)
    : size_(size),
      start_(mix(seed + 0x9E3779B97F4A7C15u)),
      bytes_(allocate(owner, pages_of(size))),
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
  for (std::uint64_t at = page * kPage; at < (page + 1) * kPage; at += sizeof(std::uint64_t)) {
    const std::uint64_t noise = mix(start_ + at * 0x9E3779B97F4A7C15u);
    for (unsigned byte = 0; byte < sizeof noise; ++byte)
      bytes_[at + byte] = static_cast<std::uint8_t>(noise >> (8 * byte));
  }
  filled_[page] = true;
}

}  // namespace dve
