#include "bench/warm_core.h"

#include <stdexcept>
#include <utility>

#include "dve/app/app.h"

namespace dve::bench {

WarmCore::WarmCore(const std::string& name, const config::Config& settings, bool data, std::uint64_t most_words) {
  NeuronCoreConfig c;
  c.settings = settings;
  c.data = data;
  c.host_memory_bytes = most_words * isa::kWordBytes;
  c.hooks.retired = [this](const Retirement& word) { retired(word); };
  core_ = std::make_unique<NeuronCore>(name.c_str(), c);
  host_ = std::make_unique<Host>((name + "_host").c_str(), *core_, [this](Host& host) {
    while (true) {
      sc_core::wait(go_);
      host.execute(tasks_);
      tasks_.before = nullptr;
    }
  });
}

WarmCore::~WarmCore() = default;

void WarmCore::retired(const Retirement& word) {
  const timing::Clock& clock = core_->seq(word.engine).clock();
  statistics_.retire(word, clock);
  if (!tracing) return;
  app::to_event(word, clock, event_);
  recorder_->instruction(event_);
}

void WarmCore::run(const std::vector<isa::Word>& program) {
  tasks_.program = program;
  go_.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
  for (const WordFinding& fault : faults_of(*core_)) throw std::runtime_error(isa::to_string(fault.finding));
  if (host_->error()) std::rethrow_exception(host_->error());
}

}  // namespace dve::bench
