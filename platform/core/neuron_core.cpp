#include "neuron_core.h"

namespace dve {
namespace {

isa::LegalityOptions legality(const config::Config& settings) {
  isa::LegalityOptions options;
  options.generation = settings.generation;
  options.active_channel_rule = settings.active_channel_rule;
  options.param_ram_offset_unit_bytes =
      settings.numerics.param_ram_offset_unit == numerics::ParamRamOffsetUnit::byte ? 1 : 4;
  return options;
}

SequencerConfig sequencer_config(const NeuronCoreConfig& core) {
  const config::Config& settings = core.settings;
  SequencerConfig c;
  c.build = settings.seq.build == config::SeqBuild::debug ? SeqBuild::debug : SeqBuild::perf;
  c.strict = settings.seq.legality == config::Legality::strict;
  c.legality = legality(settings);
  c.timed = settings.abstraction != config::Abstraction::functional;
  c.timing = settings.timing;
  c.quantum = sc_core::sc_time(settings.quantum_ns, sc_core::SC_NS);
  c.max_cycles = core.max_cycles;
  return c;
}

DveConfig dve_config(const config::Config& settings) {
  DveConfig c;
  c.core.legality = legality(settings);
  c.core.switches = settings.numerics;
  c.timing = settings.timing;
  c.timed = settings.abstraction != config::Abstraction::functional;
  c.strict = settings.seq.legality == config::Legality::strict;
  c.use_dmi = settings.dmi;
  c.param_ram_base = address_map::kParameterRam;
  return c;
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

std::vector<PortRouter::Target> targets(const NeuronCore& core, std::uint64_t host_memory_bytes) {
  const isa::Generation generation = core.settings().generation;
  std::vector<PortRouter::Target> list = {
      memory_target("sbuf", isa::geometry(generation, isa::Space::sbuf), address_map::kSbufAperture),
      block_target("sync", address_map::kEventsAndSemaphores, core.sync.in.capabilities().size),
      block_target("param_ram", address_map::kParameterRam, core.param_ram.in.capabilities().size),
      block_target("seq_control", address_map::kSequencerControl, Sequencer::kWindowBytes),
      block_target("host_memory", address_map::kHostMemory, host_memory_bytes)};
  if (core.psum)
    list.push_back(memory_target("psum", isa::geometry(generation, isa::Space::psum), address_map::kPsumAperture));
  return list;
}

}  // namespace

NeuronCore::NeuronCore(sc_core::sc_module_name name, const NeuronCoreConfig& config)
    : sc_module(name),
      sbuf("sbuf", isa::geometry(config.settings.generation, isa::Space::sbuf), config.settings.poison_seed,
           config.settings.dmi),
      psum(make_psum(config.settings)),
      param_ram("param_ram"),
      host_memory("host_memory", config.host_memory_bytes, config.settings.poison_seed + 2, config.settings.dmi),
      sync("sync"),
      seq("seq", sequencer_config(config), sync, config.hooks),
      dve("dve", dve_config(config.settings)),
      settings_(config.settings) {
  router_ = std::make_unique<PortRouter>(
      "router", std::vector<std::string>{"host", "seq_fetch", "dve_read0", "dve_read1", "dve_write", "dve_param"},
      targets(*this, config.host_memory_bytes));
  bind();
}

void NeuronCore::bind() {
  seq.fetch.bind(router_->from("seq_fetch"));
  seq.issue.bind(dve.issue.socket);
  dve.read0.socket.bind(router_->from("dve_read0"));
  dve.read1.socket.bind(router_->from("dve_read1"));
  dve.write.socket.bind(router_->from("dve_write"));
  dve.param.bind(router_->from("dve_param"));

  router_->to("sbuf").bind(sbuf.in.socket);
  if (psum) router_->to("psum").bind(psum->in.socket);
  router_->to("sync").bind(sync.in.socket);
  router_->to("param_ram").bind(param_ram.in.socket);
  router_->to("seq_control").bind(seq.control.socket);
  router_->to("host_memory").bind(host_memory.in.socket);
}

}  // namespace dve
