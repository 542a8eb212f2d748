#include "settings.h"

#include <algorithm>

namespace dve::config {

timing::Parameters default_pool_timing() {
  timing::Parameters p;
  p.engine = isa::Engine::pool;
  p.clock_hz = 1'200'000'000;
  p.fill_drain = isa::Cycles(150);
  p.two_source_cycles = 1;
  return p;
}

timing::Parameters default_act_timing() {
  timing::Parameters p;
  p.engine = isa::Engine::act;
  p.clock_hz = 1'200'000'000;
  return p;
}

contention::Parameters default_ports() {
  contention::Parameters p;
  p.clock_hz = 0;
  for (std::size_t k = 0; k < contention::kPeClients; ++k)
    p.users[contention::index_of(contention::pe_client(k))].priority = 1;
  return p;
}

isa::LegalityOptions legality_options(const Config& config) {
  isa::LegalityOptions options;
  options.generation = config.generation;
  options.active_channel_rule = config.active_channel_rule;
  options.param_ram_offset_unit_bytes =
      config.numerics.param_ram_offset_unit == numerics::ParamRamOffsetUnit::byte ? 1 : 4;
  return options;
}

timing::Parameters timing_of(const Config& config, isa::Engine engine) {
  if (engine == isa::Engine::dve) return config.timing;
  timing::Parameters p = engine == isa::Engine::pool ? config.pool_timing : config.act_timing;
  p.engine = engine;
  p.same_engine_raw = config.timing.same_engine_raw;
  p.sem_ns = config.timing.sem_ns;
  p.event_issue_cycles = config.timing.event_issue_cycles;
  p.fetch_cycles = config.timing.fetch_cycles;
  return p;
}

contention::Parameters ports_of(const Config& config) {
  contention::Parameters p = config.ports;
  if (p.clock_hz == 0)
    p.clock_hz = std::max({config.timing.clock_hz, config.pool_timing.clock_hz, config.act_timing.clock_hz});
  return p;
}

}  // namespace dve::config
