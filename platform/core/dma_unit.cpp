#include "dma_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "address_map.h"

namespace dve {
namespace {

constexpr std::uint64_t kHbmSeed = 3;  // beside those of SBUF, PSUM and host memory

DmaQueueConfig ring_config(const config::Config& settings, std::uint64_t hbm_bytes, bool data,
                           const contention::Parameters& memory, std::size_t ring) {
  DmaQueueConfig c;
  c.name = fmt::format("dma ring {}", ring);
  c.generation = settings.generation;
  c.timed = settings.abstraction != config::Abstraction::functional;
  c.data = data;
  c.hbm_base = address_map::kHbm;
  c.hbm_bytes = hbm_bytes;
  c.rates = {settings.dma.start_ns, settings.dma.engine_bytes_per_ns, settings.dma.hbm_bytes_per_ns};
  c.memory = memory;
  return c;
}

std::uint32_t engines_of(const std::vector<dma::Transfer>& ring) {
  std::uint32_t mask = 0;
  for (const dma::Transfer& t : ring) mask |= t.engine_mask();
  return mask;
}

}  // namespace

DmaUnit::DmaUnit(const config::Config& settings, std::uint64_t hbm_bytes, bool data, SyncUnit& sync,
                 const contention::Parameters& memory, PortTime& ports) {
  if (hbm_bytes != 0)
    hbm = std::make_unique<FlatMemory>("hbm", hbm_bytes, settings.poison_seed + kHbmSeed, settings.dmi);
  for (std::size_t r = 0; r < rings.size(); ++r)
    rings[r] = std::make_unique<DmaQueue>(ring_names()[r].c_str(), ring_config(settings, hbm_bytes, data, memory, r),
                                          sync, ports);
}

const std::array<std::string, runtime::kRings>& DmaUnit::ring_names() {
  static const std::array<std::string, runtime::kRings> names = {"dma_loads", "dma_stores"};
  return names;
}

void DmaUnit::start(const runtime::Rings& transfers) {
  const std::uint32_t shared = engines_of(transfers[0]) & engines_of(transfers[1]);
  if (shared != 0)
    throw std::invalid_argument(fmt::format(
        "DMA rings 0 and 1 share engines (mask {:#x}), expected transfers on engines of their own", shared));
  for (std::size_t r = 0; r < rings.size(); ++r) {
    if (!transfers[r].empty()) rings[r]->start(transfers[r]);
  }
}

bool DmaUnit::busy() const {
  return std::any_of(rings.begin(), rings.end(), [](const auto& ring) { return ring->busy(); });
}

std::vector<std::string> DmaUnit::faults() const {
  std::vector<std::string> list;
  for (const auto& ring : rings) {
    if (ring->state() == DmaQueue::State::fault) list.push_back(ring->fault());
  }
  return list;
}

}  // namespace dve
