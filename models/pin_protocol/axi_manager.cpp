#include "axi_manager.h"

#include <algorithm>

namespace dve::pins {

namespace {

std::uint32_t log2_of(std::size_t power) {
  std::uint32_t log2 = 0;
  while ((std::size_t{1} << log2) < power) ++log2;
  return log2;
}

// Of the smallest aligned beat with all bytes of the piece.
std::uint32_t smallest_size(const WordPiece& piece) {
  std::uint32_t size = 0;
  while (piece.first() >> size != (piece.end() - 1) >> size) ++size;
  return size;
}

}  // namespace

std::vector<AxiManagedBurst> bursts_of(const std::vector<WordPiece>& pieces, std::size_t bus_bytes, std::uint64_t id) {
  std::vector<AxiManagedBurst> bursts;
  const std::uint64_t page_words = kAxiPage / bus_bytes;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const WordPiece& piece = pieces[i];
    const bool goes_on = !bursts.empty() && pieces[i - 1].word + 1 == piece.word && piece.word % page_words != 0 &&
                         bursts.back().address.beats() < kAxiMostBeats;
    if (goes_on) {
      AxiAddress& address = bursts.back().address;
      address.size = log2_of(bus_bytes);
      ++address.length;
    } else {
      bursts.push_back({{id, piece.word * bus_bytes + piece.first(), 0, smallest_size(piece), AxiBurst::incr}, i});
    }
  }
  return bursts;
}

void AxiManager::begin(Transfer& transfer) {
  bursts_ = bursts_of(transfer.pieces, bus_bytes_, options_.id);
  addressed_ = answered_ = sending_ = 0;
  sending_beat_ = reading_beat_ = 0;
  response_ = AxiResponse::okay;
  transfer_ = bursts_.empty() ? nullptr : &transfer;
}

void AxiManager::take_response(AxiResponse response) { response_ = std::max(response_, response); }

void AxiManager::take_read(const AxiReadData& beat) {
  take_response(beat.response);
  const AxiManagedBurst& burst = bursts_[answered_];
  scatter(transfer_->pieces[burst.first_piece + reading_beat_], beat.data, transfer_->data.data());
  if (++reading_beat_ < burst.address.beats()) return;
  reading_beat_ = 0;
  ++answered_;
}

void AxiManager::take_passed(const AxiCycle& now) {
  if (now.aw.ready) pins_.aw.valid = false;
  if (now.ar.ready) pins_.ar.valid = false;
  if (now.w.ready) pins_.w.valid = false;
  if (transfer_ == nullptr || answered_ == addressed_) return;
  if (transfer_->write && pins_.b.ready && now.b.valid) {
    take_response(now.b.payload.response);
    ++answered_;
  }
  if (!transfer_->write && pins_.r.ready && now.r.valid) take_read(now.r.payload);
  if (answered_ == bursts_.size()) transfer_ = nullptr;
}

void AxiManager::offer_address() {
  AxiChannel<AxiAddress>& channel = transfer_->write ? pins_.aw : pins_.ar;
  if (channel.valid || addressed_ == bursts_.size() || addressed_ - answered_ >= options_.outstanding) return;
  if (stalls(transfer_->write ? options_.stalls.aw : options_.stalls.ar, edge_)) return;
  channel.valid = true;
  channel.payload = bursts_[addressed_++].address;
}

void AxiManager::offer_data() {
  if (pins_.w.valid || sending_ >= addressed_ || stalls(options_.stalls.w, edge_)) return;
  const AxiManagedBurst& burst = bursts_[sending_];
  const WordPiece& piece = transfer_->pieces[burst.first_piece + sending_beat_];
  const bool last = sending_beat_ == burst.address.length;
  pins_.w.valid = true;
  pins_.w.payload = {gather(piece, transfer_->data.data()), piece.bytes, last};
  sending_beat_ = last ? 0 : sending_beat_ + 1;
  if (last) ++sending_;
}

void AxiManager::offer() {
  if (transfer_ != nullptr) {
    offer_address();
    if (transfer_->write) offer_data();
  }
  pins_.b.ready = !stalls(options_.stalls.b, edge_);
  pins_.r.ready = !stalls(options_.stalls.r, edge_);
}

void AxiManager::step(const AxiCycle& now) {
  if (now.reset) {
    transfer_ = nullptr;
    pins_ = {};
    edge_ = 0;
    return;
  }
  take_passed(now);
  offer();
  ++edge_;
}

}  // namespace dve::pins
