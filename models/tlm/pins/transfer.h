// A TLM payload as transfers of bus words.
#pragma once

#include <cstdint>
#include <tlm>

#include "dve/pin_protocol/pin_protocol.h"

namespace dve::pins {

// Of a payload that was checked: byte enables and streaming width are lowered. `base` comes on top of its address.
Transfer transfer_of(const tlm::tlm_generic_payload& payload, std::size_t word_bytes, std::uint64_t base = 0);
// Copies the bytes that moved into the payload of a read.
void copy_back(const Transfer& transfer, tlm::tlm_generic_payload& payload);

}  // namespace dve::pins
