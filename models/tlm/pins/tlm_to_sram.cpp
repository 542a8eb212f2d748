#include "tlm_to_sram.h"

#include <stdexcept>
#include <string>

namespace dve::pins {
namespace {

TargetCapabilities bytes_of_words(std::uint64_t words, std::size_t word_bytes) {
  TargetCapabilities capabilities;
  capabilities.size = words * word_bytes;
  return capabilities;
}

}  // namespace

TlmToSramCore::TlmToSramCore(sc_core::sc_module_name name, std::uint64_t words, std::size_t word_bytes,
                             unsigned address_bits, std::uint64_t latency, Stall stall)
    : sc_module(name),
      in("in", *this, bytes_of_words(words, word_bytes)),
      word_bytes_(word_bytes),
      requester_(latency, std::move(stall)) {
  const auto refuse = [this](const std::string& what) {
    throw std::invalid_argument(std::string(this->name()) + ": " + what);
  };
  if (latency == 0) refuse("latency of 0 cycles, expected at least 1");
  const std::uint64_t reach = UINT64_MAX / word_bytes;
  const std::uint64_t most = address_bits < 64 ? std::min(reach, std::uint64_t{1} << address_bits) : reach;
  if (words == 0 || words > most) {
    refuse(std::to_string(words) + " words, expected 1 to " + std::to_string(most));
  }
}

bool TlmToSramCore::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  Transfer transfer = transfer_of(payload, word_bytes_);
  payload.set_response_status(calls_.run(transfer));
  if (payload.is_read() && payload.is_response_ok()) copy_back(transfer, payload);
  return true;
}

// Debug accesses alone come here.
tlm::tlm_response_status TlmToSramCore::access(const PlainAccess&, sc_core::sc_time&) {
  return tlm::TLM_COMMAND_ERROR_RESPONSE;
}

void TlmToSramCore::collect(Transfer& transfer) {
  while (const auto word = requester_.take_answer()) {
    scatter(transfer.pieces[answered_++], *word, transfer.data.data());
  }
}

void TlmToSramCore::step(const BusWord& rdata) {
  if (reset.read()) {
    if (calls_.running() != nullptr) calls_.finish(tlm::TLM_GENERIC_ERROR_RESPONSE);
  } else if (const Transfer* transfer = calls_.begin()) {
    answered_ = 0;
    for (const WordPiece& piece : transfer->pieces) {
      SramRequest request{transfer->write, piece.word, {}, {}};
      if (transfer->write) {
        request.bytes = piece.bytes;
        request.data = gather(piece, transfer->data.data());
      }
      requester_.append(request);
    }
  }
  requester_.step(reset.read(), rdata);
  Transfer* running = calls_.running();
  if (running == nullptr) return;
  collect(*running);
  if (requester_.idle()) calls_.finish(tlm::TLM_OK_RESPONSE);
}

}  // namespace dve::pins
