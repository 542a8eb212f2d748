// A TLM payload as transfers of bus words.
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

#include "dve/pin_protocol/pin_protocol.h"

namespace dve::pins {

// Owns its bytes: the payload's caller may be gone before the pins are done with them.
struct Transfer {
  bool write = false;
  std::vector<WordPiece> pieces;   // in the order of the data; none when no byte is enabled
  std::vector<std::uint8_t> data;  // as long as the payload's
};

// Of a payload that was checked: byte enables and streaming width are lowered.
Transfer transfer_of(const tlm::tlm_generic_payload& payload, std::size_t word_bytes);
// Copies the bytes that moved into the payload of a read.
void copy_back(const Transfer& transfer, tlm::tlm_generic_payload& payload);

}  // namespace dve::pins
