// Predicates that all opcodes share (isa.md 7.1).
#include "predicates.h"

namespace dve::isa {
namespace {

constexpr std::uint8_t kQuantizeMx = 0xE3;  // the only opcode whose word may say 17 dwords (isa.md 1.1)
constexpr std::uint32_t kQuadrant = 32;     // partitions

}  // namespace

bool has_valid_inst_word_len(const Header& header) {
  return header.inst_word_len == kInstWordLen ||
         (header.opcode == kQuantizeMx && header.inst_word_len == kInstWordLen + 1);
}

bool has_valid_neuron_header(const Header& header) {
  return is_opcode_member(header.opcode) && has_valid_inst_word_len(header);
}

bool has_valid_neuron_events(const Events& events, Generation generation) {
  return is_wait_mode_member(events.wait_mode, generation) && is_update_mode_member(events.update_mode);
}

bool has_valid_event_register(const Events& events) {
  const bool uses_register = wait_uses_register(events.wait_mode) || update_uses_register(events.update_mode);
  return !uses_register || events.semaphore_value < kRegisters;
}

bool check_active_channels(std::uint32_t channels) { return has_valid_active_channel_range(channels, kPartitions); }

bool has_valid_active_channel_range(std::uint32_t channels, std::uint32_t max) {
  return channels >= 1 && channels <= max;
}

bool has_multiple_32_channels(std::uint32_t channels) {
  return check_active_channels(channels) && channels % kQuadrant == 0;
}

bool has_engine_opcode(const Header& header, Engine engine) { return engines_of(header.opcode).contains(engine); }

bool addr_marker_valid(Addr4 address, Generation generation) {
  switch (static_cast<AddressMarker>(address.marker())) {
    case AddressMarker::immediate:
    case AddressMarker::address_register:
      return true;
    case AddressMarker::shape_register:
    case AddressMarker::address_shape_register:
      return core_version(generation) >= 3;
    default:
      return false;
  }
}

bool has_register_shape(Addr4 address, Generation generation) {
  return address.shape_from_register() && core_version(generation) >= 3;
}

bool addr_register_valid(Addr4 address, Generation generation) {
  if (!address.from_register() || address.register_number() >= kRegisters) return false;
  if (core_version(generation) == 2) return (address.raw & 0xFFFFFF00u) == 0x80000000u;
  return (address.raw & 0x00FFFF00u) == 0;
}

bool four_byte_aligned(std::uint32_t address) { return address % 4 == 0; }

bool addr_aligned_dtype(std::uint32_t address, Dtype d, Generation generation) {
  const std::uint64_t alignment = dtype_alignment(d, generation).value;
  return alignment != 0 && (address & kPartitionAddressMask) % alignment == 0;
}

bool addr_in_sbuf_partition(Partition partition, std::uint32_t address, Generation generation) {
  const SpaceGeometry& sbuf = geometry(generation, Space::sbuf);
  const std::uint64_t start = sbuf.base + number(partition) * sbuf.partition_stride.value;
  return address >= start && address < start + sbuf.active_per_partition.value;
}

bool psum_write_dtype_valid(Dtype d) { return code(d) <= code(Dtype::fp32r) && type_size_check(d, Bytes(4)); }

bool tensor_start_addr_valid(Addr4 address, Dtype d, bool write, bool allow_psum, bool allow_sbuf,
                             Generation generation) {
  if (!addr_marker_valid(address, generation)) return false;
  if (address.from_register()) return addr_register_valid(address, generation);
  const std::optional<Place> place = place_of(address.partition_offset(), generation);
  if (!place || !addr_aligned_dtype(address.raw, d, generation)) return false;
  if (place->space == Space::sbuf) return allow_sbuf;
  return allow_psum && (!write || psum_write_dtype_valid(d));
}

bool start_partition_valid(Partition partition, std::uint32_t channels, ActiveChannelRule rule) {
  if (!check_active_channels(channels)) return false;
  const std::uint32_t start = number(partition);
  if (rule == ActiveChannelRule::sum128) return start + channels <= kPartitions;
  if (channels > 2 * kQuadrant) return start == 0;
  if (channels > kQuadrant) return start == 0 || start == 2 * kQuadrant;
  return start < kPartitions && start % kQuadrant == 0;
}

bool start_addr_active_channels(Addr4 address, std::uint32_t channels, Generation generation, ActiveChannelRule rule) {
  if (address.from_register()) return true;
  const std::optional<Place> place = place_of(address.partition_offset(), generation);
  return place && start_partition_valid(place->partition, channels, rule);
}

bool tpb_addr_active_channels(std::uint32_t pointer, std::uint32_t channels, Generation generation,
                              ActiveChannelRule rule) {
  const std::optional<Place> place = place_of(pointer, generation);
  return place && place->offset < geometry(generation, place->space).active_per_partition.value &&
         start_partition_valid(place->partition, channels, rule);
}

bool addresses_in_same_sbuf_quadrant(std::uint32_t a, std::uint32_t b, Generation generation) {
  for (std::uint32_t base = 0; base < kPartitions; base += kQuadrant) {
    const auto partition = static_cast<Partition>(base);
    if (addr_in_sbuf_partition(partition, a, generation)) return addr_in_sbuf_partition(partition, b, generation);
  }
  return false;
}

bool tt_valid_partitions(Addr4 a, Addr4 b, Generation generation) {
  if (a.from_register() || b.from_register()) return true;
  const std::optional<Place> place_a = place_of(a.partition_offset(), generation);
  const std::optional<Place> place_b = place_of(b.partition_offset(), generation);
  if (!place_a || !place_b) return false;
  if (place_a->space != place_b->space) return true;
  return place_a->space == Space::sbuf &&
         addresses_in_same_sbuf_quadrant(a.partition_offset(), b.partition_offset(), generation);
}

ByteExtent byte_extent(std::uint32_t offset, const AccessPattern& pattern, Dtype d) {
  const AccessPattern::Extent elements = pattern.extent();
  const auto size = static_cast<std::int64_t>(storage_size(d).value);
  return {offset + elements.lowest * size, offset + elements.highest * size + size - 1};
}

bool tensor_extent_in_partition(Addr4 address, const AccessPattern& pattern, Dtype d, Generation generation) {
  if (address.from_register()) return true;
  const std::optional<Place> place = place_of(address.partition_offset(), generation);
  if (!place || storage_size(d).value == 0) return false;
  const ByteExtent extent =
      byte_extent(place->offset, has_register_shape(address, generation) ? AccessPattern{} : pattern, d);
  const Bytes active = geometry(generation, place->space).active_per_partition;
  return extent.first >= 0 && extent.last < static_cast<std::int64_t>(active.value);
}

bool tensor1d_valid(const Tensor1D& t, Dtype d, bool write, bool allow_psum, bool allow_sbuf, Generation generation) {
  return tensor_valid(t, d, write, allow_psum, allow_sbuf, generation);
}
bool tensor2d_valid(const Tensor2D& t, Dtype d, bool write, bool allow_psum, bool allow_sbuf, Generation generation) {
  return tensor_valid(t, d, write, allow_psum, allow_sbuf, generation);
}
bool tensor3d_valid(const Tensor3D& t, Dtype d, bool write, bool allow_psum, bool allow_sbuf, Generation generation) {
  return tensor_valid(t, d, write, allow_psum, allow_sbuf, generation);
}
bool tensor4d_valid(const Tensor4D& t, Dtype d, bool write, bool allow_psum, bool allow_sbuf, Generation generation) {
  return tensor_valid(t, d, write, allow_psum, allow_sbuf, generation);
}

bool is_valid_imm_reg(ImmField imm) { return imm.register_number() < kRegisters && imm.register_reserved() == 0; }

bool is_finite_literal(std::uint32_t bits) { return (bits & 0x7F800000u) != 0x7F800000u; }

}  // namespace dve::isa
