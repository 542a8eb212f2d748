#include "golden_replay.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace dve::golden_replay {
namespace {

using random_stream::bytes_at;
using random_stream::OperandField;
using random_stream::WordBytes;
using testing_support::StimulusEvent;
using testing_support::StimulusFile;
using testing_support::StimulusRegion;
using Bits = std::vector<std::uint32_t>;

constexpr std::uint32_t kSbuf = 0, kPsum = 1, kParameterRam = 3;
constexpr std::uint32_t kPsumBase = 0x2000000;

std::size_t sbuf_bytes(const StimulusFile& file) {
  constexpr std::size_t kKiB[] = {192, 224, 256, 256, 512};
  return kKiB[file.generation] * 1024;
}
std::uint32_t sbuf_stride(const StimulusFile& file) { return file.generation == 4 ? 0x100000 : 0x40000; }

golden::Options options_of(const StimulusFile& file) {
  golden::Options o;
  bool* const flags[] = {&o.dst_order_interpreter,
                         &o.product_order_interpreter,
                         &o.textbook,
                         &o.src0_is_x_norm,
                         &o.wide_accumulator,
                         &o.sumsq,
                         &o.param_ram_index_i,
                         &o.param_ram_offset_bytes,
                         &o.paramload2_mean_scale,
                         &o.narrow_saturate,
                         &o.e4m3_fn,
                         &o.newton,
                         &o.flop_by_lane};
  for (std::size_t i = 0; i < std::size(flags); ++i) *flags[i] = ((file.switches >> i) & 1) != 0;
  o.fp32r_mantissa = static_cast<int>(file.fp32r_mantissa);
  return o;
}

golden::TensorOptions tensor_options(const StimulusFile& file) {
  golden::TensorOptions o;
  o.elements = options_of(file);
  o.clr_tree = ((file.switches >> 13) & 1) != 0;
  o.scalar_fused = ((file.switches >> 14) & 1) != 0;
  o.affine_fused = ((file.switches >> 15) & 1) != 0;
  o.addresses = {sbuf_stride(file), file.generation != 4};
  return o;
}

float literal(const WordBytes& word, unsigned byte) { return golden::float_of_bits(bytes_at(word, byte, 4)); }

Bits bits_of(const std::vector<float>& values) {
  Bits bits;
  for (const float value : values) bits.push_back(golden::bits_of_float(golden::canonical(value)));
  return bits;
}

std::string unequal(const char* what, std::size_t channel, const Bits& found, const Bits& expected) {
  if (found == expected) return {};
  for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
    if (i >= found.size() || i >= expected.size()) break;
    if (found[i] != expected[i])
      return std::string(what) + " of channel " + std::to_string(channel) + ", value " + std::to_string(i) + ": " +
             std::to_string(found[i]) + ", expected " + std::to_string(expected[i]);
  }
  return std::string(what) + " of channel " + std::to_string(channel) + ": " + std::to_string(found.size()) +
         " values, expected " + std::to_string(expected.size());
}

bool is_tensor_word(std::uint8_t opcode) {
  constexpr std::uint8_t list[] = {0x41, 0x51, 0x72, 0x99, 0x43, 0x53, 0x42, 0x46,
                                   0x47, 0x48, 0x49, 0x7C, 0x7D, 0x21, 0x23, 0x24};
  return std::find(std::begin(list), std::end(list), opcode) != std::end(list);
}

}  // namespace

GoldenReplay::Marks::Marks(const golden::Memory& m)
    : sbuf_partition_bytes(m.sbuf_partition_bytes),
      psum_partition_bytes(m.psum_partition_bytes),
      sbuf(m.sbuf.size()),
      psum(m.psum.size()) {}

std::vector<bool>::reference GoldenReplay::Marks::at(golden::Space space, std::size_t partition, std::int64_t offset) {
  const bool in_sbuf = space == golden::Space::sbuf;
  const std::size_t start = partition * (in_sbuf ? sbuf_partition_bytes : psum_partition_bytes);
  return (in_sbuf ? sbuf : psum).at(start + static_cast<std::size_t>(offset));
}

GoldenReplay::GoldenReplay(const StimulusFile& file)
    : file_(file),
      options_(options_of(file)),
      device_(options_, sbuf_bytes(file), 16 * 1024),
      tensors_(tensor_options(file), 0, 0),
      written_(device_.memory),
      expected_initial_(device_.memory) {
  // What the file does not give is not zero by luck.
  for (std::vector<std::uint8_t>* bytes : {&device_.memory.sbuf, &device_.memory.psum}) {
    for (std::size_t i = 0; i < bytes->size(); ++i) (*bytes)[i] = static_cast<std::uint8_t>(0x5B + 7 * i + (i >> 8));
  }
  for (const StimulusRegion& region : file.initial) place(region);
}

void GoldenReplay::place(const StimulusRegion& region) {
  for (std::size_t i = 0; i < region.bytes.size(); ++i)
    device_.memory.at(region.space == kSbuf ? golden::Space::sbuf : golden::Space::psum, region.partition,
                      static_cast<std::int64_t>(region.offset + i)) = region.bytes[i];
}

std::string GoldenReplay::difference() {
  for (std::size_t e = 0; e < file_.events.size(); ++e) {
    const StimulusEvent& event = file_.events[e];
    std::string found;
    if (event.kind == 2)
      host_write(event.writes.at(0));
    else
      found = word(event);
    if (!found.empty()) return "event " + std::to_string(e) + ", word " + std::to_string(event.number) + ": " + found;
  }
  return compare_regions();
}

void GoldenReplay::host_write(const Write& write) {
  const golden::Space space = write.space == kSbuf ? golden::Space::sbuf : golden::Space::psum;
  for (std::size_t i = 0; i < write.bytes.at(0).size(); ++i) {
    const auto offset = static_cast<std::int64_t>(write.offset + i);
    device_.memory.at(space, write.partition, offset) = write.bytes[0][i];
    written_.at(space, write.partition, offset) = true;
  }
}

std::vector<GoldenReplay::Operand> GoldenReplay::operands(const WordBytes& word) const {
  std::vector<Operand> list;
  const random_stream::WordFormat& format = random_stream::format_of(word[0]);
  for (const OperandField& field : format.operands) {
    const unsigned source =
        field.selector == random_stream::Selector::always_pointer ? 0 : random_stream::code_in(word, field.source);
    const bool literal_value = field.selector == random_stream::Selector::zero_literal  ? source == 0
                               : field.selector == random_stream::Selector::one_literal ? source == 1
                                                                                        : false;
    if (literal_value) continue;
    Operand o;
    std::uint32_t address = bytes_at(word, field.byte, 4);
    const bool psum = file_.generation != 4 && address >= kPsumBase;
    const std::uint32_t stride = psum ? 0x8000 : sbuf_stride(file_);
    if (psum) address -= kPsumBase;
    o.tensor.space = psum ? golden::Space::psum : golden::Space::sbuf;
    o.tensor.partition = address / stride;
    o.tensor.offset = address % stride;
    const unsigned dtype = field.dtype ? random_stream::code_in(word, *field.dtype) : 0x0A;
    o.tensor.dtype = static_cast<golden::Dtype>(dtype == 0 ? 0x0A : dtype);
    for (unsigned d = 0; d < field.dimensions; ++d) {
      o.tensor.steps[d] = static_cast<std::int16_t>(bytes_at(word, field.byte + 4 + 2 * d, 2));
      o.tensor.counts[d] = bytes_at(word, field.byte + 4 + 2 * (field.dimensions + d), 2);
    }
    o.channels = field.one_channel ? 1 : word[format.channels_byte];
    o.use = field.use;
    list.push_back(o);
  }
  return list;
}

void GoldenReplay::note_reads(const std::vector<Operand>& list) {
  for (const Operand& o : list) {
    if (o.use == OperandField::writes) continue;
    for (std::size_t c = 0; c < o.channels; ++c) {
      for (std::int64_t i = 0; i < o.tensor.elements(); ++i) {
        for (int b = 0; b < golden::bytes_of(o.tensor.dtype); ++b) {
          const std::int64_t at = o.tensor.offset_of(i) + b;
          if (!written_.at(o.tensor.space, o.tensor.partition + c, at))
            expected_initial_.at(o.tensor.space, o.tensor.partition + c, at) = true;
        }
      }
    }
  }
}

std::string GoldenReplay::word(const StimulusEvent& event) {
  const WordBytes& bits = file_.program.at(event.number);
  if (bits[0] != event.opcode) return "another opcode";
  if (event.kind != 1 || event.flags != (event.number < file_.executed ? 1 : 0)) return "another kind or flags";
  if (event.lane && event.lane->flags != (file_.switches & 0x1F)) return "other flags of the lanes";
  const std::vector<Operand> list = operands(bits);
  note_reads(list);
  std::string found = execute(bits, list, event.lane);
  if (!found.empty()) return found;
  if (bits[0] == 0x66) {
    std::array<float, 8> values{};
    if (event.writes.size() != 1 || event.writes[0].space != kParameterRam) return "no write to the Parameter-RAM";
    std::memcpy(values.data(), event.writes[0].bytes.at(0).data(), sizeof values);
    const std::size_t first = event.writes[0].offset / 4;
    for (std::size_t i = 0; i < 8; ++i) {
      if (golden::bits_of_float(values[i]) != golden::bits_of_float(device_.param_ram.at(first + i)))
        return "another entry of the Parameter-RAM";
    }
    return {};
  }
  const auto destination = std::find_if(list.begin(), list.end(), [](const Operand& o) { return o.use != 0; });
  if (destination == list.end()) return event.writes.empty() ? "" : "a write by a word that writes nothing";
  if (event.writes.size() != 1) return std::to_string(event.writes.size()) + " writes, expected 1";
  return compare_write(event.writes[0], *destination);
}

std::string GoldenReplay::execute(const WordBytes& bits, const std::vector<Operand>& list,
                                  const std::optional<Lane>& lane) {
  if (is_tensor_word(bits[0])) {
    if (lane) return "a lane record of a word that is not the lanes'";
    std::swap(device_.memory, tensors_.memory);
    tensors_.execute(bits);
    std::swap(device_.memory, tensors_.memory);
    return {};
  }
  return batch_norm(bits, list, lane);
}

// Operands in the order of word_reach's formats.
std::string GoldenReplay::batch_norm(const WordBytes& bits, const std::vector<Operand>& o,
                                     const std::optional<Lane>& lane) {
  std::string found;
  switch (bits[0]) {
    case 0x63:
    case 0x94:
      if (!lane || lane->operation != 1) return "no lane record of GradAccum";
      found = grad_accumulate(o[2], o[3], o[0], o[1], *lane);
      device_.grad_accum({o[2].tensor, o[3].tensor, o[4].tensor, o[0].pointer(), o[1].pointer(), o[0].channels});
      return found;
    case 0x64:
      device_.param_load({o[0].tensor, o[1].pointer(), literal(bits, 28), o[0].channels});
      break;
    case 0x8E:
      device_.param_load2({o[0].tensor, o[1].pointer(), o[2].pointer(), literal(bits, 28), o[0].channels});
      break;
    case 0x65:
      if (!lane || lane->operation != 3) return "no lane record of BackProp";
      found = back_prop(o[0], o[1], *lane);
      device_.back_prop({o[0].tensor, o[1].tensor, o[2].tensor, o[0].channels});
      return found;
    case 0x60:
      device_.stats({o[0].tensor, o[1].tensor, literal(bits, 40), literal(bits, 44), o[0].channels});
      return {};
    case 0x61:
      device_.stats2({o[0].tensor, o[1].tensor, literal(bits, 40), literal(bits, 44), o[0].channels});
      return {};
    case 0x62:
      device_.aggregate({o[0].tensor, o[1].tensor, 0, 0, o[0].channels});
      return {};
    case 0x66: {
      std::array<float, 8> values{};
      for (unsigned i = 0; i < 8; ++i) values[i] = literal(bits, 32 + 4 * i);
      device_.load_param_ram(bytes_at(bits, 12, 2), values);
      return {};
    }
    default:
      return lane ? "a lane record of a control word" : "";
  }
  if (!lane || lane->operation != 2) return "no lane record of ParamLoad";
  if (lane->first_lane != flop(o[0]) || lane->channels != o[0].channels) return "other lanes";
  return staged(*lane);
}

std::string GoldenReplay::staged(const Lane& lane) const {
  std::string found;
  for (std::size_t c = 0; c < lane.channels && found.empty(); ++c) {
    const golden::Lane& l = device_.lane(lane.first_lane + c);
    std::vector<float> expected = {l.n, l.mean, l.a, l.b, l.c};
    if (lane.operation == 3) expected.push_back(l.inv_std);
    Bits bits;
    for (const float value : expected) bits.push_back(golden::bits_of_float(value));
    found = unequal("parameters", c, lane.parameters.at(c), bits);
  }
  return found;
}

std::string GoldenReplay::grad_accumulate(const Operand& src0, const Operand& src1, const Operand& mean,
                                          const Operand& inv_std, const Lane& lane) {
  if (lane.channels != src0.channels || lane.elements != src0.tensor.elements()) return "another shape of the lanes";
  if (lane.first_lane != flop(src0)) return "other lanes";
  std::string found;
  for (std::size_t c = 0; c < lane.channels && found.empty(); ++c) {
    const auto x = golden::read_stream(device_.memory, src0.tensor, c, options_);
    const auto dy = golden::read_stream(device_.memory, src1.tensor, c, options_);
    const float m = golden::read_pointer(device_.memory, mean.pointer(), c, options_);
    const float v = golden::read_pointer(device_.memory, inv_std.pointer(), c, options_);
    found = unequal("m, v", c, lane.parameters.at(c), bits_of({m, v}));
    if (found.empty()) found = unequal("x", c, lane.x.at(c), bits_of(x));
    if (found.empty()) found = unequal("dy", c, lane.dy.at(c), bits_of(dy));
    const golden::Sums sums = golden::grad_sums(x, dy, m, v, options_);
    if (found.empty())
      found = unequal("sums", c, lane.expected.at(c), bits_of(golden::in_destination_order(sums, options_)));
  }
  return found;
}

std::string GoldenReplay::back_prop(const Operand& src0, const Operand& src1, const Lane& lane) {
  if (lane.channels != src0.channels || lane.elements != src0.tensor.elements()) return "another shape of the lanes";
  if (lane.first_lane != flop(src0)) return "other lanes";
  std::string found = staged(lane);
  for (std::size_t c = 0; c < lane.channels && found.empty(); ++c) {
    const auto x = golden::read_stream(device_.memory, src0.tensor, c, options_);
    const auto dy = golden::read_stream(device_.memory, src1.tensor, c, options_);
    found = unequal("x", c, lane.x.at(c), bits_of(x));
    if (found.empty()) found = unequal("dy", c, lane.dy.at(c), bits_of(dy));
    const auto dx = golden::back_propagate(x, dy, device_.lane(lane.first_lane + c), device_.param_ram, options_);
    if (found.empty()) found = unequal("dx", c, lane.expected.at(c), bits_of(dx));
  }
  return found;
}

// The place is the word's destination; the bytes, each element over what came before, are what the golden left there.
std::string GoldenReplay::compare_write(const Write& write, const Operand& d) {
  const golden::Tensor& t = d.tensor;
  if (write.space != (t.space == golden::Space::sbuf ? kSbuf : kPsum) || write.partition != t.partition ||
      write.offset != t.offset || write.channels != d.channels || write.steps != t.steps || write.counts != t.counts ||
      write.dtype != static_cast<std::uint32_t>(t.dtype) ||
      write.element_bytes != static_cast<std::uint32_t>(golden::bytes_of(t.dtype)))
    return "another destination";
  for (std::size_t c = 0; c < write.channels; ++c) {
    std::map<std::int64_t, std::uint8_t> left;
    for (std::size_t i = 0; i < write.bytes[c].size(); ++i) {
      const std::size_t element = i / write.element_bytes;
      left[t.offset_of(static_cast<std::int64_t>(element)) + static_cast<std::int64_t>(i % write.element_bytes)] =
          write.bytes[c][i];
    }
    for (const auto& [offset, byte] : left) {
      written_.at(t.space, t.partition + c, offset) = true;
      if (device_.memory.at(t.space, t.partition + c, offset) != byte)
        return "channel " + std::to_string(c) + ", another byte at offset " + std::to_string(offset);
    }
  }
  return {};
}

std::string GoldenReplay::compare_regions() {
  Marks initial(device_.memory), final(device_.memory);
  const auto each = [&](const std::vector<StimulusRegion>& regions, Marks& marks, bool contents) -> std::string {
    for (const StimulusRegion& region : regions) {
      const golden::Space space = region.space == kSbuf ? golden::Space::sbuf : golden::Space::psum;
      if (region.space > kPsum) return "a region in no on-chip memory";
      for (std::size_t i = 0; i < region.bytes.size(); ++i) {
        const auto offset = static_cast<std::int64_t>(region.offset + i);
        if (marks.at(space, region.partition, offset)) return "a byte in two regions";
        marks.at(space, region.partition, offset) = true;
        if (contents && device_.memory.at(space, region.partition, offset) != region.bytes[i])
          return "final memory: another byte at offset " + std::to_string(offset) + " of partition " +
                 std::to_string(region.partition);
      }
    }
    return {};
  };
  std::string found = each(file_.initial, initial, false);
  if (found.empty()) found = each(file_.final, final, true);
  if (!found.empty()) return found;
  if (initial.sbuf != expected_initial_.sbuf || initial.psum != expected_initial_.psum)
    return "initial memory is not what the words read";
  if (final.sbuf != written_.sbuf || final.psum != written_.psum) return "final memory is not what was written";
  return {};
}

}  // namespace dve::golden_replay
