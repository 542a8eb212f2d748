// The limit: a loop that only loads what GradAccum and BackProp have to read.
#pragma once

#include <cstdint>
#include <vector>

namespace dve::bench {

// x and dy, a row a channel, in rows whose stride is no multiple of a page as in the model's SBUF. Rows are read one
// after the other, in the widest loads of the processor; what is read goes into a value that the caller gets.
class ReadLimit {
 public:
  ReadLimit(std::size_t channels, std::size_t row_bytes);
  std::uint64_t run() const;

 private:
  std::size_t channels_, words_, stride_;  // 8-byte words
  std::vector<std::uint64_t> x_, dy_;
};

}  // namespace dve::bench
