// The access-pattern extension: one payload for a strided operand over up to 128 partitions.
#pragma once

#include <cstdint>
#include <tlm>

#include "dve/isa/isa.h"

namespace dve {

// Payload meaning with this extension: command read or write; address = on-chip (ADDR4) address of the first channel's
// start, as the router decodes it; data = packed channel-major elements (channel c: elements in stream order), length =
// channels * element_count * element_bytes; no byte enables, streaming width = length. Partition p + c at the same
// offset serves channel c. A target without partitions answers COMMAND_ERROR.
class TensorExtension : public tlm::tlm_extension<TensorExtension> {
 public:
  isa::AccessPattern pattern;
  std::uint32_t element_bytes = 0;  // 1, 2, 4 or 8
  std::uint32_t channels = 0;       // 1..128
  std::uint64_t first_element = 0;  // range of the stream that this payload moves
  std::uint64_t element_count = 0;

  tlm::tlm_extension_base* clone() const override { return new TensorExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const TensorExtension&>(other); }
};

}  // namespace dve
