#include "step_graph.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace dve::runtime {
namespace {

constexpr std::size_t kEngineCount = isa::kEngines.size();

// Whom a node can wait for: an engine's progress, or the host's answer.
constexpr std::size_t kHostSource = kEngineCount;
constexpr std::size_t kSources = kEngineCount + 1;

isa::SemaphoreIndex semaphore_of(std::size_t source) {
  return source == kHostSource ? kStepDone : progress_semaphore(isa::kEngines[source]);
}

// One engine's words, and how far it has waited for the others.
struct EngineStream {
  std::vector<isa::Word> words;
  std::array<std::uint32_t, kSources> waited{};

  // Appends a word behind the waits that it still needs.
  void append(const isa::Word& word, const std::array<std::uint32_t, kSources>& needed) {
    std::vector<SemaphoreWait> waits;
    for (std::size_t source = 0; source < kSources; ++source) {
      if (needed[source] <= waited[source]) continue;
      waits.push_back({semaphore_of(source), needed[source]});
      waited[source] = needed[source];
    }
    append_waiting(words, word, std::move(waits));
  }
};

}  // namespace

void StepGraph::word(isa::Engine engine, const isa::Word& word, Touches touches) {
  Node node;
  node.engine = engine;
  node.word = word;
  add(std::move(node), touches);
}

void StepGraph::host_step(Actions actions, Touches touches) {
  Node node;
  node.host = true;
  node.word = drain();
  node.actions = std::move(actions);
  add(std::move(node), touches);
}

void StepGraph::add(Node node, const Touches& touches) {
  const std::size_t id = nodes_.size();
  const auto depend_on = [&node](const std::vector<std::size_t>& earlier) {
    node.depends.insert(node.depends.end(), earlier.begin(), earlier.end());
  };
  for (const Buffer buffer : touches.reads) depend_on(state_[buffer].writers);
  for (const Buffer buffer : touches.writes) {
    depend_on(state_[buffer].writers);
    depend_on(state_[buffer].readers);
  }
  for (const Buffer buffer : touches.reads) state_[buffer].readers.push_back(id);
  for (const Buffer buffer : touches.writes) state_[buffer] = {{id}, {}};
  nodes_.push_back(std::move(node));
}

void StepGraph::finish(Program& program) const {
  // A node gets a number of its source when somebody on another engine (or the host, or after the host) waits for it.
  std::vector<bool> awaited(nodes_.size());
  for (const Node& node : nodes_) {
    for (const std::size_t earlier : node.depends)
      awaited[earlier] = awaited[earlier] || nodes_[earlier].host || nodes_[earlier].engine != node.engine;
  }
  std::array<EngineStream, kEngineCount> streams;
  std::array<std::uint32_t, kSources> count{};
  std::vector<std::uint32_t> number(nodes_.size());
  for (std::size_t id = 0; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    std::array<std::uint32_t, kSources> needed{};
    for (const std::size_t earlier : node.depends) {
      const Node& source = nodes_[earlier];
      if (!source.host && source.engine == node.engine) continue;
      const std::size_t from = source.host ? kHostSource : isa::index_of(source.engine);
      needed[from] = std::max(needed[from], number[earlier]);
    }
    isa::Word word = node.word;
    if (node.host) {
      number[id] = ++count[kHostSource];
      set_increment(word, kStepRequest);
      program.steps.push_back(node.actions);
    } else if (awaited[id]) {
      number[id] = ++count[isa::index_of(node.engine)];
      set_increment(word, progress_semaphore(node.engine));
    }
    streams[isa::index_of(node.engine)].append(word, needed);
  }
  for (const isa::Engine engine : isa::kEngines) {
    const auto& words = streams[isa::index_of(engine)].words;
    if (words.empty()) continue;
    program.streams.push_back({engine, program.words.size(), words.size()});
    program.words.insert(program.words.end(), words.begin(), words.end());
  }
}

}  // namespace dve::runtime
