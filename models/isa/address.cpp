#include "address.h"

#include <utility>

#include "neuron_address.h"

namespace dve::isa {

std::optional<Place> place_of(std::uint32_t partition_offset, Generation generation) {
  for (const Space space : {Space::sbuf, Space::psum}) {
    const SpaceGeometry& memory = geometry(generation, space);
    if (partition_offset < memory.base || partition_offset - memory.base >= memory.region.value) continue;
    const std::uint32_t relative = partition_offset - memory.base;
    const auto stride = static_cast<std::uint32_t>(memory.partition_stride.value);
    return Place{space, static_cast<Partition>(relative / stride), relative % stride};
  }
  return std::nullopt;
}

Addr4 address_of(const Place& place, Generation generation) {
  const SpaceGeometry& memory = geometry(generation, place.space);
  const auto stride = static_cast<std::uint32_t>(memory.partition_stride.value);
  return {memory.base + number(place.partition) * stride + place.offset};
}

std::uint64_t on_chip_address(std::uint64_t address, Generation generation) {
  for (const auto& [space, aperture] : {std::pair{Space::sbuf, kSbufAperture}, std::pair{Space::psum, kPsumAperture}}) {
    const SpaceGeometry& memory = geometry(generation, space);
    if (address >= aperture && address - aperture < memory.region.value) return memory.base + (address - aperture);
  }
  return address;
}

}  // namespace dve::isa
