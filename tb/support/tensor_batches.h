// Random legal words around the batch-norm path for DVE, POOL and ACT, with what they do to the memories and which
// floating-point warnings they raise by the independent golden.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "golden/golden.h"
#include "support/random_operands.h"

namespace dve::testing_support {

// Window of each partition that the words touch, in bytes.
inline constexpr std::uint32_t kBatchSbufBytes = 4096, kBatchPsumBytes = 2048;

// The opcodes that batches are made of; those that the generation does not have are left out.
const std::vector<isa::Opcode>& batch_opcodes(isa::Engine engine);

struct BatchWarning {
  std::uint64_t word;
  std::string predicate;
  friend bool operator==(const BatchWarning& a, const BatchWarning& b) {
    return a.word == b.word && a.predicate == b.predicate;
  }
};

// A program for one engine, and what it does to the memories: partition after partition, the window of each.
struct Batch {
  isa::Engine engine = isa::Engine::dve;
  std::vector<isa::Word> words;
  std::vector<BatchWarning> warnings;
  std::vector<std::uint8_t> sbuf_before, psum_before, sbuf_after, psum_after;
};

class TensorWordMaker;

// The same batches for a seed on every host. One after the other they make a program: registers, accumulators and the
// resident function set of ACT stay from batch to batch.
class BatchMaker {
 public:
  BatchMaker(isa::Generation generation, golden::TensorOptions options, std::uint64_t seed);
  ~BatchMaker();

  Batch make(isa::Engine engine);
  // Of the three engines in turn.
  std::vector<Batch> make_all(std::size_t count);

  // Words by engine and opcode so far, set loads that other words asked for included.
  std::map<std::pair<isa::Engine, isa::Opcode>, int> made;

 private:
  void refill(std::vector<std::uint8_t>& memory, std::uint32_t partition_bytes);
  void add_word(Batch& batch);
  void add_table_load(Batch& batch, const isa::Word& word);
  void append(Batch& batch, const isa::Word& word);

  std::unique_ptr<TensorWordMaker> maker_;
  golden::TensorDevice golden_;
  golden::RegisterFile registers_{};
  std::vector<std::uint8_t> pool_;
};

}  // namespace dve::testing_support
