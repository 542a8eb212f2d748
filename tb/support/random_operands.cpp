#include "random_operands.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace dve::testing_support {
namespace {

std::int64_t size_of(isa::Dtype dtype) { return static_cast<std::int64_t>(isa::storage_size(dtype).value); }

// Eight bytes of one kind.
std::array<std::uint8_t, 8> chunk(Rng& random) {
  constexpr std::uint32_t special[] = {0x7F800000, 0xFF800000, 0x7FC12345, 0xFFA00001, 0x80000000, 0x00000001,
                                       0x807FFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x7F7FFFFF, 0x7C00FC01, 0x7F80FF80,
                                       0x80007FFF, 0x00000000, 0x4B800001, 0xCF000000};
  std::array<std::uint8_t, 8> bytes{};
  const auto put = [&bytes](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  const auto fraction = [&random] { return static_cast<float>(static_cast<int>(below(random, 4097)) - 2048) / 256.0F; };
  const std::uint32_t kind = below(random, 16);
  for (std::size_t at = 0; at < 8; at += 4) {
    if (kind < 5) put(at, fraction());
    if (kind == 5 || kind == 6) put(at, static_cast<std::int32_t>(below(random, 401)) - 200);
    if (kind == 14) put(at, pick(random, special));
  }
  for (std::size_t at = 0; at < 8; at += 2) {
    if (kind == 7 || kind == 8)
      put(at, static_cast<std::uint16_t>(0x3E00 + below(random, 0x300) + 0x8000 * (random() % 2)));
    if (kind == 9 || kind == 10) put(at, static_cast<std::int16_t>(static_cast<int>(below(random, 601)) - 300));
  }
  for (std::size_t at = 0; at < 8; ++at) {
    if (kind == 11) put(at, static_cast<std::uint8_t>(below(random, 8)));
    if (kind == 12) put(at, static_cast<std::uint8_t>(0x30 + below(random, 16)));
  }
  if (kind == 15) put(0, random());
  return bytes;  // 13: zeros
}

// Lowest and highest element that the steps reach.
std::pair<std::int64_t, std::int64_t> reach(const TensorSpec& spec) {
  std::int64_t low = 0, high = 0;
  for (std::size_t d = 0; d < spec.counts.size(); ++d) {
    const std::int64_t span = std::int64_t{spec.steps[d]} * (spec.counts[d] - 1);
    (span < 0 ? low : high) += span;
  }
  return {low, high};
}

std::int64_t span_bytes(const TensorSpec& spec) {
  const auto [low, high] = reach(spec);
  return (high - low + 1) * size_of(spec.dtype);
}

// Somewhere in the room, aligned to the element.
void put_into(Rng& random, const Room& room, TensorSpec& spec) {
  const std::int64_t unit = size_of(spec.dtype);
  const auto slack = static_cast<std::uint64_t>((room.bytes - span_bytes(spec)) / unit);
  const std::int64_t first = room.begin.offset + unit * below(random, slack + 1);
  spec.place = room.begin;
  spec.place.offset = static_cast<std::uint32_t>(first - reach(spec).first * unit);
}

enum class Style : std::uint8_t { running, padded, broadcast, reversed, scattered };

std::int16_t step(Rng& random, Style style, std::int64_t running) {
  const bool coin = random() % 2 == 0;
  switch (style) {
    case Style::padded:
      return static_cast<std::int16_t>(running + below(random, 4));
    case Style::broadcast:
      return static_cast<std::int16_t>(coin ? 0 : running);
    case Style::reversed:
      return static_cast<std::int16_t>(coin ? -running : running);
    case Style::scattered:
      return static_cast<std::int16_t>(static_cast<int>(below(random, 81)) - 40);
    default:
      return static_cast<std::int16_t>(running);
  }
}

// Steps of the style, or of another when they do not fit.
TensorSpec shaped(Rng& random, const std::vector<std::uint16_t>& counts, isa::Dtype dtype, const Room& room,
                  Style style) {
  TensorSpec spec;
  spec.dtype = dtype;
  spec.counts = counts;
  spec.steps.assign(counts.size(), 1);
  std::int64_t running = 1;
  for (std::size_t d = 0; d < counts.size(); ++d) {
    spec.steps[d] = step(random, style, running);
    running = style == Style::padded ? spec.steps[d] * counts[d] : running * counts[d];
  }
  if (span_bytes(spec) > room.bytes) return shaped(random, counts, dtype, room, Style::running);
  put_into(random, room, spec);
  return spec;
}

}  // namespace

std::uint32_t below(Rng& random, std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); }

std::vector<std::uint8_t> mixed_bytes(std::size_t count, Rng& random) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t at = 0; at < count; at += 8) {
    const auto piece = chunk(random);
    std::copy_n(piece.begin(), std::min<std::size_t>(8, count - at), bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return bytes;
}

std::vector<std::uint16_t> random_counts(Rng& random, std::uint32_t limit, std::size_t dimensions) {
  std::uint32_t n = 1 + below(random, limit);
  std::vector<std::uint16_t> counts;
  for (std::size_t d = 1; d < dimensions; ++d) {
    counts.push_back(static_cast<std::uint16_t>(1 + below(random, std::min<std::uint32_t>(n, 12))));
    n = std::max<std::uint32_t>(1, n / counts.back());
  }
  counts.push_back(static_cast<std::uint16_t>(n));
  for (std::size_t d = counts.size(); d > 1; --d) std::swap(counts[d - 1], counts[below(random, d)]);
  return counts;
}

std::uint32_t random_partition(Rng& random, std::uint32_t channels) {
  if (channels > 64) return 0;
  return channels > 32 ? 64 * below(random, 2) : 32 * below(random, 4);
}

TensorSpec random_source(Rng& random, const std::vector<std::uint16_t>& counts, isa::Dtype dtype, const Room& room) {
  return shaped(random, counts, dtype, room, static_cast<Style>(below(random, 5)));
}

TensorSpec random_destination(Rng& random, const std::vector<std::uint16_t>& counts, isa::Dtype dtype,
                              const Room& room) {
  constexpr Style styles[] = {Style::running, Style::padded, Style::reversed};
  return shaped(random, counts, dtype, room, pick(random, styles));
}

}  // namespace dve::testing_support
