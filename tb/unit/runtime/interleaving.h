// Runs the streams and DMA rings of a program in random orders that honour nothing but what words and transfers say:
// issue order and the interlock inside an engine, the order inside a ring, semaphores between them and with the host. A
// word's reads and writes take effect some time between its start and its completion, so two actors that touch the same
// bytes at that time, one of them writing, are a race, whatever comes out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dve/runtime/runtime.h"

namespace dve::test {

// What words, transfers and host steps do; called at their completion.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void word(isa::Engine engine, const isa::Word& word) = 0;
  virtual void step(std::size_t k) = 0;  // from 1
  virtual void transfer(const dma::Transfer&) {}
};

// One such order, another one for every seed: some actors are slow to start, some slow to complete. Returns the
// problems: races, a standstill, unknown events, requests without a step.
std::vector<std::string> interleave(const runtime::Program& program, Executor& executor, std::uint32_t seed);

}  // namespace dve::test
