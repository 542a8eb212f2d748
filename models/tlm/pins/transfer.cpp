#include "transfer.h"

#include <algorithm>

#include "dve/tlm/tlm.h"

namespace dve::pins {

Transfer transfer_of(const tlm::tlm_generic_payload& payload, std::size_t word_bytes, std::uint64_t base) {
  WordPieces pieces(word_bytes);
  for_each_run(payload, [&](const Run& run) {
    pieces.append(base + run.address, run.data_offset, run.length);
    return tlm::TLM_OK_RESPONSE;
  });
  const std::uint8_t* data = payload.get_data_ptr();
  return {payload.is_write(), pieces.list(), {data, data + payload.get_data_length()}};
}

void copy_back(const Transfer& transfer, tlm::tlm_generic_payload& payload) {
  for (const WordPiece& piece : transfer.pieces) {
    for (std::size_t byte = piece.first(); byte < piece.end(); ++byte) {
      const std::int64_t at = piece.data_at + static_cast<std::int64_t>(byte);
      if (piece.bytes[byte]) payload.get_data_ptr()[at] = transfer.data[static_cast<std::size_t>(at)];
    }
  }
}

}  // namespace dve::pins
