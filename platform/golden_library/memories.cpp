#include "memories.h"

#include <cstring>

namespace dve::golden_library {
namespace {

std::unique_ptr<PartitionBytes> psum_of(const config::Config& settings) {
  const isa::SpaceGeometry& geometry = isa::geometry(settings.generation, isa::Space::psum);
  if (!geometry.exists()) return nullptr;
  return std::make_unique<PartitionBytes>("psum", geometry, settings.poison_seed + 1);
}

bool inside(std::uint64_t address, std::uint64_t bytes, std::uint64_t base, std::uint64_t size) {
  return address >= base && address - base <= size && bytes <= size - (address - base);
}

}  // namespace

Memories::Memories(const config::Config& settings, std::uint64_t host_bytes)
    : sbuf_("sbuf", isa::geometry(settings.generation, isa::Space::sbuf), settings.poison_seed),
      psum_(psum_of(settings)),
      host_(host_bytes == 0 ? nullptr
                            : std::make_unique<PoisonedBytes>("host memory", host_bytes, settings.poison_seed + 2)) {}

std::uint8_t* Memories::find(std::uint64_t address, std::uint64_t bytes) {
  for (const auto& [memory, aperture] : {std::pair{&sbuf_, isa::kSbufAperture}, {psum_.get(), isa::kPsumAperture}}) {
    if (memory == nullptr) continue;
    const isa::SpaceGeometry& geometry = memory->geometry();
    for (const std::uint64_t base : {std::uint64_t{geometry.base}, aperture}) {
      if (!inside(address, bytes, base, geometry.region.value)) continue;
      return memory->contains(address - base, bytes) ? memory->touch(address - base, bytes) : nullptr;
    }
  }
  if (host_ && inside(address, bytes, isa::kHostAperture, host_->size()))
    return host_->touch(address - isa::kHostAperture, bytes);
  return nullptr;
}

std::optional<std::uint64_t> Memories::param_offset(std::uint64_t address, std::uint64_t bytes) const {
  if (!inside(address, bytes, isa::kParamRamAperture, param_ram_.size()) || address % 4 != 0 || bytes % 4 != 0)
    return std::nullopt;
  return address - isa::kParamRamAperture;
}

bool Memories::read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) {
  if (bytes == 0) return true;
  if (const auto offset = param_offset(address, bytes)) {
    std::memcpy(data, param_ram_.data() + *offset, bytes);
    return true;
  }
  const std::uint8_t* const from = find(address, bytes);
  if (from == nullptr) return false;
  std::memcpy(data, from, bytes);
  return true;
}

bool Memories::write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes) {
  if (bytes == 0) return true;
  if (const auto offset = param_offset(address, bytes)) {
    std::memcpy(param_ram_.data() + *offset, data, bytes);
    for (std::uint64_t entry = *offset / 4; entry < (*offset + bytes) / 4; ++entry) param_loaded_.set(entry);
    return true;
  }
  std::uint8_t* const to = find(address, bytes);
  if (to == nullptr) return false;
  std::memcpy(to, data, bytes);
  return true;
}

numerics::ParamTable Memories::param_table() const {
  numerics::ParamTable table{};
  std::memcpy(table.data(), param_ram_.data(), param_ram_.size());
  return table;
}

void Memories::reset_param_ram() {
  param_ram_.fill(0);
  param_loaded_.reset();
}

}  // namespace dve::golden_library
