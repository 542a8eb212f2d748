#include "neuron_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "dve/kernels/kernels.h"
#include "dve/ports/ports.h"

namespace dve {

namespace {

// Limits past the end of simulation time are none.
std::uint64_t limit_femtoseconds(const NeuronCoreConfig& core) {
  constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 62;
  if (core.max_cycles == 0) return 0;
  try {
    return timing::Clock(core.settings.timing.clock_hz)
        .femtoseconds(isa::Cycles(std::min(core.max_cycles, kMostCycles)));
  } catch (const std::overflow_error&) {
    return 0;
  }
}

SequencerConfig sequencer_config(isa::Engine engine, const NeuronCoreConfig& core) {
  const config::Config& settings = core.settings;
  SequencerConfig c;
  c.engine = engine;
  c.build = settings.seq.build == config::SeqBuild::debug ? firmware::Build::debug : firmware::Build::perf;
  c.strict = settings.seq.legality == config::Legality::strict;
  c.fp_status = settings.seq.fp_status == config::FpStatus::report ? FpStatusPolicy::report : FpStatusPolicy::firmware;
  c.block_ids.dve = static_cast<std::uint8_t>(settings.seq.dve_block_id);
  c.legality = config::legality_options(settings);
  c.timed = settings.abstraction != config::Abstraction::functional;
  c.timing = config::timing_of(settings, engine);
  c.data = core.data;
  c.quantum = sc_core::sc_time(settings.quantum_ns, sc_core::SC_NS);
  c.max_femtoseconds = limit_femtoseconds(core);
  return c;
}

EngineConfig engine_config(isa::Engine engine, const NeuronCoreConfig& core, PortTime& ports) {
  const config::Config& settings = core.settings;
  EngineConfig c;
  c.data = core.data;
  c.observer = core.observer;
  c.ports = &ports;
  c.memory = config::ports_of(settings);
  c.core.legality = config::legality_options(settings);
  c.core.switches = settings.numerics;
  c.timing = config::timing_of(settings, engine);
  c.timed = settings.abstraction != config::Abstraction::functional;
  c.strict = settings.seq.legality == config::Legality::strict;
  c.use_dmi = settings.dmi;
  c.param_ram_base = address_map::kParameterRam;
  if (engine == isa::Engine::dve) c.lanes = core.dve_lanes;
  return c;
}

// The environment's choice of vector target, for the whole process.
void choose_vector_target() {
  const char* const name = std::getenv("DVE_SIMD");
  if (name == nullptr) return;
  try {
    kernels::use_target(name);
  } catch (const std::invalid_argument& error) {
    throw config::Error(fmt::format("environment variable DVE_SIMD: {}", error.what()));
  }
}

std::unique_ptr<PortTime> make_ports(const config::Config& settings) {
  const contention::Parameters parameters = config::ports_of(settings);
  if (settings.abstraction != config::Abstraction::at) return std::make_unique<LooselyTimedPorts>("ports", parameters);
  std::vector<contention::User> users;
  for (std::size_t u = 0; u < contention::kUsers; ++u) users.push_back(static_cast<contention::User>(u));
  return std::make_unique<ApproximatelyTimedPorts>("ports", parameters, users);
}

std::unique_ptr<PartitionedMemory> make_psum(const config::Config& settings) {
  const isa::SpaceGeometry& geometry = isa::geometry(settings.generation, isa::Space::psum);
  if (!geometry.exists()) return nullptr;
  return std::make_unique<PartitionedMemory>("psum", geometry, settings.poison_seed + 1, settings.dmi);
}

// A memory answers at its on-chip addresses and at its SoC aperture.
PortRouter::Target memory_target(const char* name, const isa::SpaceGeometry& geometry, std::uint64_t aperture) {
  const std::uint64_t size = geometry.region.value;
  return {name, {{geometry.base, size, 0}, {aperture, size, 0}}};
}

PortRouter::Target block_target(const char* name, std::uint64_t base, std::uint64_t size) {
  return {name, {{base, size, 0}}};
}

std::string prefixed(isa::Engine engine, const char* port) {
  return fmt::format("{}_{}", isa::to_string(engine), port);
}

std::vector<PortRouter::Target> targets(const NeuronCore& core, std::uint64_t host_memory_bytes) {
  const isa::Generation generation = core.settings().generation;
  std::vector<PortRouter::Target> list = {
      memory_target("sbuf", isa::geometry(generation, isa::Space::sbuf), address_map::kSbufAperture),
      block_target("sync", address_map::kEventsAndSemaphores, core.sync.in.capabilities().size),
      block_target("param_ram", address_map::kParameterRam, core.param_ram.in.capabilities().size),
      block_target("host_memory", address_map::kHostMemory, host_memory_bytes)};
  for (const isa::Engine engine : isa::kEngines)
    list.push_back(
        {prefixed(engine, "control"), {{address_map::sequencer_control(engine), Sequencer::kWindowBytes, 0}}});
  if (core.dma.hbm) list.push_back(block_target("hbm", address_map::kHbm, core.dma.hbm->in.capabilities().size));
  if (core.psum)
    list.push_back(memory_target("psum", isa::geometry(generation, isa::Space::psum), address_map::kPsumAperture));
  return list;
}

std::vector<std::string> initiators() {
  std::vector<std::string> names = {"host", "dve_param"};
  for (const std::string& ring : DmaUnit::ring_names()) names.push_back(ring);
  for (const isa::Engine engine : isa::kEngines) {
    for (const char* port : {"fetch", "memory", "read0", "read1", "write"}) names.push_back(prefixed(engine, port));
  }
  return names;
}

}  // namespace

EngineUnit::EngineUnit(isa::Engine which, const NeuronCoreConfig& config, SyncUnit& sync, PortTime& ports)
    : seq(prefixed(which, "seq").c_str(), sequencer_config(which, config), sync, config.hooks),
      engine(std::string(isa::to_string(which)).c_str(), engine_config(which, config, ports)) {}

NeuronCore::NeuronCore(sc_core::sc_module_name module_name, const NeuronCoreConfig& config)
    : sc_module(module_name),
      stop_requested(config.hooks.stop_requested),
      limit_femtoseconds(dve::limit_femtoseconds(config)),
      sbuf("sbuf", isa::geometry(config.settings.generation, isa::Space::sbuf), config.settings.poison_seed,
           config.settings.dmi),
      psum(make_psum(config.settings)),
      param_ram("param_ram"),
      host_memory("host_memory", config.host_memory_bytes, config.settings.poison_seed + 2, config.settings.dmi),
      sync("sync"),
      ports(make_ports(config.settings)),
      dma(config.settings, config.hbm_bytes, config.data, sync, config::ports_of(config.settings), *ports),
      settings_(config.settings) {
  choose_vector_target();
  for (const isa::Engine engine : isa::kEngines)
    units_[isa::index_of(engine)] = std::make_unique<EngineUnit>(engine, config, sync, *ports);
  router_ = std::make_unique<PortRouter>("router", initiators(), targets(*this, config.host_memory_bytes));
  bind();
  add_traffic(config.traffic);
}

void NeuronCore::add_traffic(const std::vector<dma::TrafficStream>& streams) {
  for (std::size_t k = 0; k < streams.size(); ++k) {
    const auto earlier = std::find_if(traffic.begin(), traffic.end(),
                                      [&](const auto& source) { return source->stream().name == streams[k].after; });
    traffic.push_back(std::make_unique<TrafficSource>(fmt::format("traffic_{}", k).c_str(), streams[k],
                                                      earlier == traffic.end() ? nullptr : earlier->get(), sync, *ports,
                                                      config::ports_of(settings_)));
    traffic.back()->programs_over = [this] {
      return !dma.busy() && std::none_of(isa::kEngines.begin(), isa::kEngines.end(),
                                         [this](isa::Engine engine) { return seq(engine).busy(); });
    };
  }
}

void NeuronCore::bind() {
  for (const isa::Engine which : isa::kEngines) {
    Sequencer& seq = units_[isa::index_of(which)]->seq;
    InstructionEngine& engine = units_[isa::index_of(which)]->engine;
    seq.fetch.bind(router_->from(prefixed(which, "fetch")));
    seq.memory.bind(router_->from(prefixed(which, "memory")));
    seq.issue.bind(engine.issue.socket);
    engine.read0.socket.bind(router_->from(prefixed(which, "read0")));
    engine.read1.socket.bind(router_->from(prefixed(which, "read1")));
    engine.write.socket.bind(router_->from(prefixed(which, "write")));
    if (which == isa::Engine::dve) engine.param.bind(router_->from("dve_param"));
    router_->to(prefixed(which, "control")).bind(seq.control.socket);
  }
  router_->to("sbuf").bind(sbuf.in.socket);
  if (psum) router_->to("psum").bind(psum->in.socket);
  router_->to("sync").bind(sync.in.socket);
  router_->to("param_ram").bind(param_ram.in.socket);
  router_->to("host_memory").bind(host_memory.in.socket);
  if (dma.hbm) router_->to("hbm").bind(dma.hbm->in.socket);
  for (std::size_t r = 0; r < dma.rings.size(); ++r) dma.rings[r]->memory.bind(router_->from(DmaUnit::ring_names()[r]));
}

}  // namespace dve
