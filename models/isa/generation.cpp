#include "generation.h"

namespace dve::isa {
namespace {

constexpr Bytes kKiB(1024);

constexpr SpaceGeometry sbuf(Bytes region, Bytes stride, Bytes active) { return {0, region, stride, active, 1}; }

constexpr SpaceGeometry psum(Bytes region, std::uint32_t banks) {
  return {kPsumBase, region, kKiB * 32, kKiB * 16, banks};
}

// isa.md 3, one row a column of its table.
constexpr SpaceGeometry kSbufSunda = sbuf(Bytes(0x2000000), kKiB * 256, kKiB * 192);
constexpr SpaceGeometry kSbufCayman = sbuf(Bytes(0x2000000), kKiB * 256, kKiB * 224);
constexpr SpaceGeometry kSbufMariana = sbuf(Bytes(0x2000000), kKiB * 256, kKiB * 256);
constexpr SpaceGeometry kSbufMaverick = sbuf(Bytes(0x8000000), kKiB * 1024, kKiB * 512);
constexpr SpaceGeometry kPsumSunda = psum(Bytes(0x400000), 16);
constexpr SpaceGeometry kPsumCayman = psum(Bytes(0x400000), 8);
constexpr SpaceGeometry kPsumMaverick = psum(Bytes(0), 8);

}  // namespace

std::string_view to_string(Generation generation) {
  switch (generation) {
    case Generation::sunda:
      return "sunda";
    case Generation::cayman:
      return "cayman";
    case Generation::mariana:
      return "mariana";
    case Generation::mariana_plus:
      return "mariana_plus";
    case Generation::maverick:
      return "maverick";
  }
  return "unknown generation";
}

std::optional<Generation> generation_from_string(std::string_view name) {
  for (const Generation generation : kGenerations) {
    if (to_string(generation) == name) return generation;
  }
  return std::nullopt;
}

std::string_view to_string(Space space) { return space == Space::sbuf ? "sbuf" : "psum"; }

const SpaceGeometry& geometry(Generation generation, Space space) {
  const bool is_sbuf = space == Space::sbuf;
  switch (generation) {
    case Generation::sunda:
      return is_sbuf ? kSbufSunda : kPsumSunda;
    case Generation::cayman:
      return is_sbuf ? kSbufCayman : kPsumCayman;
    case Generation::mariana:
    case Generation::mariana_plus:
      return is_sbuf ? kSbufMariana : kPsumCayman;
    case Generation::maverick:
      break;
  }
  return is_sbuf ? kSbufMaverick : kPsumMaverick;
}

int core_version(Generation generation) {
  switch (generation) {
    case Generation::sunda:
      return 2;
    case Generation::cayman:
      return 3;
    case Generation::mariana:
    case Generation::mariana_plus:
      return 4;
    case Generation::maverick:
      break;
  }
  return 5;
}

}  // namespace dve::isa
