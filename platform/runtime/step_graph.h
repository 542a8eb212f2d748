// A program for several engines: words in an order that is right for one engine alone, and the semaphores that keep it
// right on three.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "program.h"
#include "words.h"

namespace dve::runtime {

// Nodes are words, each on its engine, and steps of the host, in program order. Every node names the buffers that it
// reads and writes; a node depends on the last writer of what it touches, and a writer on all readers since. Between
// two engines a dependency becomes a semaphore: the earlier word increments its engine's progress semaphore at
// completion, the later one waits for the count (isa.md 14, the usual idiom). Words of one engine complete in order,
// and the interlock keeps their own dependencies.
class StepGraph {
 public:
  using Buffer = std::size_t;
  Buffer buffer() { return buffers_++; }

  struct Touches {
    std::vector<Buffer> reads, writes;
  };
  void word(isa::Engine engine, const isa::Word& word, Touches touches);

  // The host's turn: when everything that it touches is done, the DVE drains and asks for it; what depends on it waits
  // for its answer. One node for all actions given.
  void host_step(Actions actions, Touches touches);

  // Streams, words and host steps for a program.
  void finish(Program& program) const;

 private:
  struct Node {
    bool host = false;
    isa::Engine engine = isa::Engine::dve;  // host: where its request stands
    isa::Word word;
    Actions actions;
    std::vector<std::size_t> depends;  // earlier nodes
  };
  struct BufferState {
    std::vector<std::size_t> writers, readers;  // of the present contents
  };
  void add(Node node, const Touches& touches);

  std::size_t buffers_ = 0;
  std::vector<Node> nodes_;
  std::map<Buffer, BufferState> state_;
};

}  // namespace dve::runtime
