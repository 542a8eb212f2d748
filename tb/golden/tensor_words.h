// Whole words around the batch-norm path on a memory image: TensorTensor, predicated copy and cast (isa.md 12),
// TensorScalar, TensorReduce, Copy, Cast, Reciprocal, Memset, CrossLaneReduce, Activate and its accumulator
// (isa-neighbours.md 2, 4 to 8).
//
// A word comes as its 64 raw bytes and is taken apart here by the offsets of those documents. It reads all its sources,
// of all channels, before it writes its first result. Where two streams of a word differ in length the shorter one
// counts, and a destination takes no more than it has room for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "memory.h"
#include "options.h"

namespace golden {

using WordBytes = std::array<std::uint8_t, 64>;
using RegisterFile = std::array<std::uint32_t, 64>;

// How an address splits into partition and offset (isa.md 3): v2 to v4; v5 has 0x100000 and no PSUM.
struct AddressMap {
  std::uint32_t sbuf_partition_stride = 0x40000;
  bool psum_exists = true;
};

// The open questions of these words; the defaults are the project's.
struct TensorOptions {
  Options elements;             // conversions and the divider
  bool clr_tree = false;        // CrossLaneReduce by halves of the partitions instead of partition 0 upward
  bool scalar_fused = false;    // TensorScalar: product and sum rounded once
  bool affine_fused = false;    // Activate: the same of scale*x + bias
  double activation_error = 0;  // relative, of the functions that come from a table
  AddressMap addresses;
};

// What a word reports beside its results. The floating-point flags concern results in a floating-point dtype, of words
// that neither copy nor work on bits:
// invalid          a NaN in a channel whose operands, literals and accumulators included, hold none
// divide_by_zero   an infinity where nothing the channel reads is infinite or NaN, as a quotient by zero: of
// Reciprocal,
//                  Divide, Pow, the inverse roots and the logarithm
// overflow         any other infinity from finite operands
struct WordOutcome {
  bool integer_divide_by_zero = false;  // then nothing is written
  bool invalid = false;
  bool divide_by_zero = false;
  bool overflow = false;
};

class TensorDevice {
 public:
  // Memory sizes in bytes per partition.
  TensorDevice(const TensorOptions& options, std::size_t sbuf_bytes, std::size_t psum_bytes);

  // Throws std::out_of_range for a code without a definition and for memory outside the image, and
  // std::invalid_argument for an opcode that is not one of the above.
  WordOutcome execute(const WordBytes& word, const RegisterFile& registers = {});

  Memory memory;
  // ACT: indexed by the partition of the source, or of the destination that reads it.
  std::array<float, kPartitions> accumulators{};
  std::optional<std::uint8_t> resident_set;

 private:
  TensorOptions options_;
};

}  // namespace golden
