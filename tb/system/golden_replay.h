// A stimulus file against the independent golden: word after word from the file's initial memory, host writes between.
#pragma once

#include <string>
#include <vector>

#include "golden/golden.h"
#include "support/stimulus_file.h"
#include "word_reach.h"

namespace dve::golden_replay {

class GoldenReplay {
 public:
  explicit GoldenReplay(const testing_support::StimulusFile& file);

  // All of it; what differs first, empty when nothing does: what each word wrote and where, the parameters, operands
  // and results of the lanes, final memory, and that initial memory is what the words read before anything wrote it.
  std::string difference();

 private:
  using Write = testing_support::StimulusWrite;
  using Lane = testing_support::StimulusLane;
  struct Operand {
    golden::Tensor tensor;
    std::size_t channels = 0;
    random_stream::OperandField::Use use{};
    golden::Pointer pointer() const { return {tensor.space, tensor.partition, tensor.offset, tensor.dtype}; }
  };
  // Which bytes of both memories something has touched.
  struct Marks {
    explicit Marks(const golden::Memory& m);
    std::vector<bool>::reference at(golden::Space space, std::size_t partition, std::int64_t offset);
    std::size_t sbuf_partition_bytes, psum_partition_bytes;
    std::vector<bool> sbuf, psum;
  };

  void place(const testing_support::StimulusRegion& region);
  void host_write(const Write& write);
  std::string word(const testing_support::StimulusEvent& event);
  std::vector<Operand> operands(const random_stream::WordBytes& word) const;
  void note_reads(const std::vector<Operand>& operands);
  std::string execute(const random_stream::WordBytes& word, const std::vector<Operand>& operands,
                      const std::optional<Lane>& lane);
  std::string batch_norm(const random_stream::WordBytes& word, const std::vector<Operand>& operands,
                         const std::optional<Lane>& lane);
  std::string grad_accumulate(const Operand& src0, const Operand& src1, const Operand& mean, const Operand& inv_std,
                              const Lane& lane);
  std::string back_prop(const Operand& src0, const Operand& src1, const Lane& lane);
  std::string staged(const Lane& lane) const;
  std::string compare_write(const Write& write, const Operand& destination);
  std::string compare_regions();
  std::size_t flop(const Operand& source) const { return options_.flop_by_lane ? 0 : source.tensor.partition; }

  const testing_support::StimulusFile& file_;
  golden::Options options_;
  golden::Device device_;
  golden::TensorDevice tensors_;
  Marks written_, expected_initial_;
};

}  // namespace dve::golden_replay
