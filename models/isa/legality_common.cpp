// Rules that all or several opcodes share (isa.md 7.1).
#include "legality_report.h"

namespace dve::isa {
namespace {

constexpr std::string_view kTensorValid[] = {"", "tensor1d_valid", "tensor2d_valid", "tensor3d_valid",
                                             "tensor4d_valid"};
constexpr std::string_view kNumElem[] = {".num_elem[0]", ".num_elem[1]", ".num_elem[2]", ".num_elem[3]"};

std::string text_of(const Place& place) {
  return fmt::format("{}[{}]+{:#x}", to_string(place.space), number(place.partition), place.offset);
}

std::string spaces_of(Generation generation) {
  const bool psum = geometry(generation, Space::psum).exists();
  return fmt::format("{} on {}", psum ? "SBUF or PSUM" : "SBUF (no PSUM)", to_string(generation));
}

// The start partitions of `channels` under the rule, in words.
std::string start_partitions(std::uint32_t channels, ActiveChannelRule rule) {
  if (!check_active_channels(channels)) return rule == ActiveChannelRule::quadrant ? "0, 32, 64 or 96" : "0 to 127";
  if (rule == ActiveChannelRule::sum128) return fmt::format("0 to {}", kPartitions - channels);
  if (channels > 64) return "0";
  return channels > 32 ? "0 or 64" : "0, 32, 64 or 96";
}

// A channel count out of range has a finding of its own; the start partition is then judged as for one channel, so that
// a partition that no count allows is still named.
std::uint32_t channels_to_judge(std::uint32_t channels) { return check_active_channels(channels) ? channels : 1; }

void check_counts(Report& report, const TensorField& t) {
  if (has_register_shape(t.start, report.generation())) return;
  for (std::uint32_t d = 0; d < t.dimensions; ++d) {
    report.require(t.pattern.num_elem[d] != 0, kTensorValid[t.dimensions], t.num_elem(d), "at least 1");
  }
}

void check_marker(Report& report, const TensorField& t) {
  const bool shapes = core_version(report.generation()) >= 3;
  report.add("tensor_start_addr_valid", t.start_addr(),
             fmt::format("address marker {} in the top three bits of byte 3 on {}, found {:#04x}",
                         shapes ? "0x00, 0x40, 0x80 or 0xc0" : "0x00 or 0x80", to_string(report.generation()),
                         t.start.marker()));
}

void check_register_address(Report& report, const TensorField& t) {
  report.require(addr_register_valid(t.start, report.generation()), "tensor_start_addr_valid", t.start_addr(),
                 "register form on {}: number 0 to 63 in bits 0..7, {} zero", to_string(report.generation()),
                 core_version(report.generation()) == 2 ? "bits 8..30" : "bits 8..23");
}

// The parts of tensor_start_addr_valid and tensor_extent_in_partition for an address that stands in the word.
void check_immediate_address(Report& report, const TensorField& t) {
  const Generation generation = report.generation();
  const std::uint64_t alignment = dtype_alignment(t.dtype, generation).value;
  // A dtype without an alignment is no element type: its own rule names it, see check_valid_dtype and the type lists.
  if (alignment != 0) {
    report.require(addr_aligned_dtype(t.start.raw, t.dtype, generation), "addr_aligned_dtype", t.start_addr(),
                   "a multiple of {} for {} (tensor_start_addr_valid)", alignment, name(t.dtype));
  }
  const std::optional<Place> place = place_of(t.start.partition_offset(), generation);
  if (!place) {
    return report.add("tensor_start_addr_valid", t.start_addr(), "an address in " + spaces_of(generation));
  }
  if (place->space == Space::psum && !t.allow_psum) {
    return report.add("tensor_start_addr_valid", t.start_addr(),
                      fmt::format("an SBUF address: {} reaches no PSUM with this opcode, this is {}",
                                  to_string(report.engine()), text_of(*place)));
  }
  if (place->space == Space::sbuf || !t.write || alignment == 0 || psum_write_dtype_valid(t.dtype)) return;
  report.add("tensor_start_addr_valid", t.start_addr(),
             fmt::format("an SBUF address for {}: PSUM is written in 4-byte dtypes only, this is {}", name(t.dtype),
                         text_of(*place)));
}

void check_start_partition(Report& report, const TensorField& t, std::uint32_t channels) {
  const std::optional<Place> place = place_of(t.start.partition_offset(), report.generation());
  if (t.start.from_register() || !place) return;  // the latter is tensor_start_addr_valid's finding
  if (start_addr_active_channels(t.start, channels_to_judge(channels), report.generation(), report.channel_rule()))
    return;
  report.add("start_addr_active_channels", t.start_addr(),
             fmt::format("start partition {} for {} channels, this is {}",
                         start_partitions(channels, report.channel_rule()), channels, text_of(*place)));
}

void check_extent(Report& report, const TensorField& t) {
  const Generation generation = report.generation();
  const std::optional<Place> place = place_of(t.start.partition_offset(), generation);
  if (t.start.from_register() || !place || storage_size(t.dtype).value == 0) return;
  if (tensor_extent_in_partition(t.start, t.pattern, t.dtype, generation)) return;
  const bool known_shape = !has_register_shape(t.start, generation);
  const ByteExtent extent = byte_extent(place->offset, known_shape ? t.pattern : AccessPattern{}, t.dtype);
  report.add("tensor_extent_in_partition", t.start_addr(),
             fmt::format("all elements inside the active bytes 0 to {} of a partition of {} {}, touched are {} to {}",
                         geometry(generation, place->space).active_per_partition.value - 1, to_string(generation),
                         to_string(place->space), extent.first, extent.last));
}

void check_pointer_window(Report& report, const Field& field, std::uint32_t pointer, std::uint32_t channels) {
  const Generation generation = report.generation();
  if (tpb_addr_active_channels(pointer, channels_to_judge(channels), generation, report.channel_rule())) return;
  const std::optional<Place> place = place_of(pointer, generation);
  if (!place) return report.add("tpb_addr_active_channels", field, "an address in " + spaces_of(generation));
  report.add(
      "tpb_addr_active_channels", field,
      fmt::format("start partition {} for {} channels and an offset below its {} active bytes ({} {}), this is {}",
                  start_partitions(channels, report.channel_rule()), channels,
                  geometry(generation, place->space).active_per_partition.value, to_string(generation),
                  to_string(place->space), text_of(*place)));
}

void check_arithmetic_dtype(Report& report, const Field& field) {
  const auto dtype = static_cast<Dtype>(field.value);
  report.require(is_arithmetic_dtype(dtype), "is_arithmetic_dtype", field,
                 "a dtype code up to 0x0f: no conversion is known for {}", name(dtype));
}

// What an integer operation takes, in words.
std::string_view int_kind_of(AluOp op) {
  if (is_signed_int_op(op)) return "a signed integer";
  if (is_unsigned_int_op(op)) return "an unsigned integer";
  return "an integer, signed or unsigned like the first operand";
}

std::string_view selectors_of(SourceEncoding encoding) {
  switch (encoding) {
    case SourceEncoding::zero_is_pointer:
      return "0 or 1 (pointer) or 2 (register pointer)";
    case SourceEncoding::inverted:
      return "0 (pointer), 1 (literal) or 2 (register pointer)";
    default:
      return "0 (literal), 1 (pointer) or 2 (register pointer)";
  }
}

}  // namespace

Field TensorField::num_elem(std::uint32_t dimension) const {
  return {name, byte + 4 + 2 * dimensions + 2 * dimension, pattern.num_elem[dimension], kNumElem[dimension]};
}

Field TensorField::num_elem_product() const {
  return {name, byte + 4 + 2 * dimensions, pattern.count().value, ".num_elem"};
}

void check_preamble(Report& report, const Word& word) {
  const Header header = read_header(word);
  const Events events = read_events(word);
  report.require(is_opcode_member(header.opcode), "has_valid_neuron_header", {"opcode", 0, header.opcode},
                 "a member of the OPCODE enumeration");
  report.require(has_valid_inst_word_len(header), "has_valid_neuron_header", {"inst_word_len", 1, header.inst_word_len},
                 "16 (dwords of a word)");
  check_event_modes(report, {"wait_mode", 4, static_cast<std::uint8_t>(events.wait_mode)},
                    {"update_mode", 6, static_cast<std::uint8_t>(events.update_mode)});
  report.require(has_valid_event_register(events), "has_valid_event_register",
                 {"semaphore_value", 8, events.semaphore_value}, "register number 0 to 63 for {} and {}",
                 name(events.wait_mode), name(events.update_mode));
}

void check_event_modes(Report& report, const Field& wait, const Field& update) {
  const std::string_view generation = to_string(report.generation());
  report.require(is_wait_mode_member(static_cast<WaitMode>(wait.value), report.generation()), "has_valid_neuron_events",
                 wait, "a member of the WAIT_MODE enumeration of {}", generation);
  report.require(is_update_mode_member(static_cast<UpdateMode>(update.value)), "has_valid_neuron_events", update,
                 "a member of the UPDATE_MODE enumeration of {}", generation);
}

void check_valid_dtype(Report& report, const Field& field, bool allow_fp32r) {
  const auto dtype = static_cast<Dtype>(field.value);
  const bool valid = is_valid_dtype(dtype, allow_fp32r, report.generation());
  report.require(valid, "is_valid_dtype", field, "a dtype of {} other than invalid, uint64, int64{}, not {}",
                 to_string(report.generation()), allow_fp32r ? "" : ", fp32r", name(dtype));
  if (valid) check_arithmetic_dtype(report, field);
}

void check_valid_dtype_64(Report& report, const Field& field, bool allow_fp32r) {
  const auto dtype = static_cast<Dtype>(field.value);
  const bool valid = is_valid_dtype_64(dtype, allow_fp32r, true, true, report.generation());
  report.require(valid, "is_valid_dtype_64", field, "a dtype of {} other than invalid{}, not {}",
                 to_string(report.generation()), allow_fp32r ? "" : ", fp32r", name(dtype));
  if (valid) check_arithmetic_dtype(report, field);
}

void check_int_dtype(Report& report, const Field& field) {
  const auto dtype = static_cast<Dtype>(field.value);
  report.require(is_valid_int_dtype_datapath(dtype), "is_valid_int_dtype_datapath", field,
                 "an integer of 8, 16 or 32 bits, not {}", name(dtype));
}

void check_equal_dtypes(Report& report, const Field& field, Dtype other, std::string_view other_name) {
  const auto dtype = static_cast<Dtype>(field.value);
  report.require(has_equal_dtypes(dtype, other), "has_equal_dtypes", field, "{}, as {}, not {}", name(other),
                 other_name, name(dtype));
}

bool check_alu_op_member(Report& report, const Field& field) {
  const bool member = is_alu_op_member(static_cast<AluOp>(field.value), report.generation());
  report.require(member, "is_alu_op_member", field, "a member of the ALU_OP enumeration of {}",
                 to_string(report.generation()));
  return member;
}

void check_int_operand(Report& report, const Field& field, AluOp op, Dtype first) {
  const auto dtype = static_cast<Dtype>(field.value);
  const bool valid = int_op_operand_valid(op, dtype, first);
  report.require(valid, "int_op_operand_valid", field, "{} for {}, not {}", int_kind_of(op), name(op), name(dtype));
  if (!valid || report.engine() != Engine::pool) return;
  report.require(pool_int_operand_size(op, dtype, first), "pool_int_operand_size", field,
                 "an integer of 32 or 64 bits, the same in all operands: {} on pool, not {}", name(op), name(dtype));
}

void check_tensor(Report& report, const TensorField& t, std::uint32_t channels) {
  check_counts(report, t);
  if (!addr_marker_valid(t.start, report.generation())) return check_marker(report, t);
  if (t.start.from_register()) return check_register_address(report, t);
  check_immediate_address(report, t);
  check_start_partition(report, t, channels);
  check_extent(report, t);
}

void check_pointer(Report& report, std::string_view predicate, const Field& field, Dtype dtype,
                   std::uint32_t channels) {
  const auto pointer = static_cast<std::uint32_t>(field.value);
  const std::uint64_t alignment = dtype_alignment(dtype, report.generation()).value;
  if (alignment != 0) {  // otherwise the immediate's dtype is what is wrong
    report.require(addr_aligned_dtype(pointer, dtype, report.generation()), predicate, field,
                   "a pointer that is a multiple of {} for {} (addr_aligned_dtype)", alignment, name(dtype));
  }
  check_pointer_window(report, field, pointer, channels);
}

void check_imm_reg(Report& report, const Field& field) {
  report.require(is_valid_imm_reg({static_cast<std::uint32_t>(field.value)}), "is_valid_imm_reg", field,
                 "register number 0 to 63 and three reserved bytes of 0");
}

void check_immediate(Report& report, std::string_view predicate, const ImmediateField& imm, std::uint32_t channels) {
  switch (immediate_source_of(static_cast<std::uint8_t>(imm.selector.value), imm.encoding)) {
    case ImmediateSource::literal:
      return;
    case ImmediateSource::pointer:
      return check_pointer(report, predicate, imm.value, imm.dtype, channels);
    case ImmediateSource::register_pointer:
      return check_imm_reg(report, imm.value);
    case ImmediateSource::invalid:
      return report.add(predicate, imm.selector, std::string(selectors_of(imm.encoding)));
  }
}

void check_equal_element_cnt(Report& report, const TensorField& src, const TensorField& dst, bool equal) {
  report.require(equal, "equal_element_cnt", dst.num_elem_product(), "a product of {}, as in src",
                 src.pattern.count().value);
}

void check_source_partitions(Report& report, const TensorField& src0, const TensorField& src1) {
  const Generation generation = report.generation();
  if (src0.start.from_register() || src1.start.from_register()) return;
  const std::optional<Place> place0 = place_of(src0.start.partition_offset(), generation);
  const std::optional<Place> place1 = place_of(src1.start.partition_offset(), generation);
  if (!place0 || !place1) return;  // tensor_start_addr_valid's finding
  if (tt_valid_partitions(src0.start, src1.start, generation)) return;
  report.add("tt_valid_partitions", src1.start_addr(),
             fmt::format("one source in SBUF and the other in PSUM, or both in SBUF from the same partition 0, 32, 64 "
                         "or 96 ({}); they are {} and {}",
                         to_string(generation), text_of(*place0), text_of(*place1)));
}

void check_channels(Report& report, std::string_view predicate, std::uint32_t byte, std::uint32_t channels) {
  report.require(has_valid_active_channel_range(channels, kPartitions), predicate,
                 {"num_active_channels", byte, channels}, "1 to 128");
}

}  // namespace dve::isa
