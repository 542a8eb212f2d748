#include "addresses.h"

#include <fmt/format.h>

namespace dve::assembly {
namespace {

using isa::Space;

bool read_space(Scanner& in, Space& space) {
  if (in.accept("sbuf")) {
    space = Space::sbuf;
    return true;
  }
  if (!in.accept("psum")) return false;
  space = Space::psum;
  return true;
}

// The rest of "sbuf[3]+0x40" behind its first word.
bool read_place(Scanner& in, isa::Generation generation, std::size_t start, Space space, std::uint32_t& address) {
  const isa::SpaceGeometry& memory = isa::geometry(generation, space);
  if (!memory.exists())
    return in.fail_at(start, fmt::format("a place in sbuf: {} has no {}", to_string(generation), to_string(space)));
  std::uint32_t partition = 0, offset = 0;
  if (!in.accept('[')) return in.fail("`[` and a partition");
  if (!read_unsigned(in, isa::kPartitions - 1, partition)) return false;
  if (!in.accept(']')) return in.fail("`]` behind the partition");
  if (!in.accept('+')) return in.fail("`+` and a byte offset");
  if (!read_unsigned(in, memory.partition_stride.value - 1, offset)) return false;
  address = isa::address_of({space, static_cast<isa::Partition>(partition), offset}, generation).raw;
  return true;
}

void append_place(std::string& out, const isa::Place& place) {
  out += to_string(place.space);
  out += '[';
  append_decimal(out, std::uint64_t{number(place.partition)});
  out += "]+";
  append_hex(out, place.offset);
}

bool read_raw_addr4(Scanner& in, std::uint32_t& raw) {
  if (!read_unsigned(in, 0xFFFFFFFF, raw)) return false;
  return in.accept(']') || in.fail("`]` behind the address");
}

void append_raw_addr4(std::string& out, std::uint32_t raw) {
  out += "addr4[";
  append_hex(out, raw);
  out += ']';
}

// "[r5]" behind its bracket.
bool read_register_address(Scanner& in, std::uint8_t& number) {
  if (!read_register(in, number)) return false;
  return in.accept(']') || in.fail("`]` behind the register");
}

void append_register_address(std::string& out, std::uint8_t number) {
  out += '[';
  append_register(out, number);
  out += ']';
}

bool names_register(std::uint32_t raw) {
  const isa::Addr4 address{raw};
  return address.register_number() < isa::kRegisters &&
         address == isa::Addr4::in_register(static_cast<isa::RegisterIndex>(address.register_number()));
}

std::uint64_t aperture(Space space) { return space == Space::sbuf ? isa::kSbufAperture : isa::kPsumAperture; }

bool read_counts(Scanner& in, const ShapeLimits& limits, Shape& shape, std::size_t& dimensions) {
  do {
    if (dimensions == limits.dimensions) return in.fail(fmt::format("at most {} dimensions", limits.dimensions));
    if (!read_unsigned(in, static_cast<std::uint64_t>(limits.most_count), shape.counts[dimensions])) return false;
    ++dimensions;
  } while (in.accept(','));
  return true;
}

bool read_steps(Scanner& in, const ShapeLimits& limits, Shape& shape, std::size_t dimensions) {
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (d > 0 && !in.accept(',')) return in.fail(fmt::format("{} steps, one for each count", dimensions));
    if (!read_number(in, limits.least_step, limits.most_step, shape.steps[d])) return false;
  }
  return true;
}

bool set_default_steps(Scanner& in, const ShapeLimits& limits, Shape& shape, std::size_t dimensions) {
  for (std::size_t d = 1; d < dimensions; ++d) {
    shape.steps[d] = shape.steps[d - 1] * shape.counts[d - 1];
    if (shape.steps[d] > limits.most_step)
      return in.fail(fmt::format("explicit steps, {} to {}: the default step of dimension {} is {}", limits.least_step,
                                 limits.most_step, d, shape.steps[d]));
  }
  return true;
}

void append_dimensions(std::string& out, const std::array<std::int64_t, 4>& values, std::size_t size) {
  for (std::size_t d = 0; d < size; ++d) {
    if (d > 0) out += ',';
    append_decimal(out, values[d]);
  }
}

}  // namespace

bool read_tensor_address(Scanner& in, isa::Generation generation, std::uint32_t& raw) {
  if (in.accept('[')) {
    std::uint8_t number = 0;
    if (!read_register_address(in, number)) return false;
    raw = isa::Addr4::in_register(static_cast<isa::RegisterIndex>(number)).raw;
    return true;
  }
  if (!at_pointer(in)) return in.fail("a tensor such as sbuf[0]+0x2000:fp32{512} or [r5]:fp32{64}");
  return read_pointer(in, generation, raw);
}

void append_tensor_address(std::string& out, std::uint32_t raw, isa::Generation generation) {
  if (names_register(raw)) {
    append_register_address(out, isa::Addr4{raw}.register_number());
  } else {
    append_pointer(out, raw, generation);
  }
}

bool at_pointer(const Scanner& in) {
  Scanner ahead = in;
  Space space{};
  return (read_space(ahead, space) && ahead.peek() == '[') || ahead.accept("addr4[");
}

bool read_pointer(Scanner& in, isa::Generation generation, std::uint32_t& raw) {
  const std::size_t start = in.at();
  Space space{};
  if (in.accept("addr4[")) return read_raw_addr4(in, raw);
  if (!read_space(in, space)) return in.fail("a pointer such as sbuf[0]+0x40");
  return read_place(in, generation, start, space, raw);
}

void append_pointer(std::string& out, std::uint32_t raw, isa::Generation generation) {
  if (const auto place = isa::place_of(raw, generation)) {
    append_place(out, *place);
  } else {
    append_raw_addr4(out, raw);
  }
}

bool read_addr8(Scanner& in, isa::Generation generation, std::uint64_t& raw) {
  const std::size_t start = in.at();
  std::uint8_t number = 0;
  if (in.accept('[')) {
    if (!read_register_address(in, number)) return false;
    raw = isa::addr8_in_register(static_cast<isa::RegisterIndex>(number)).raw;
    return true;
  }
  if (in.accept("host:")) {
    if (!read_number(in, isa::kHostBytes - 1, raw)) return false;
    raw += isa::kHostAperture;
    return true;
  }
  Space space{};
  if (read_space(in, space)) {
    std::uint32_t address = 0;
    if (!read_place(in, generation, start, space, address)) return false;
    raw = aperture(space) + (address - isa::geometry(generation, space).base);
    return true;
  }
  if (in.peek() < '0' || in.peek() > '9')
    return in.fail("an address such as sbuf[0]+0x40, host:0x100, 0x2000000000 or [r5]");
  return read_number(in, ~std::uint64_t{0}, raw);
}

void append_addr8(std::string& out, std::uint64_t raw, isa::Generation generation) {
  for (const Space space : {Space::sbuf, Space::psum}) {
    const isa::SpaceGeometry& memory = isa::geometry(generation, space);
    const std::uint64_t offset = raw - aperture(space);
    if (offset >= memory.region.value) continue;
    return append_place(out, *isa::place_of(memory.base + static_cast<std::uint32_t>(offset), generation));
  }
  if (raw - isa::kHostAperture < isa::kHostBytes) {
    out += "host:";
    append_hex(out, raw - isa::kHostAperture);
  } else if ((raw & ~std::uint64_t{isa::kRegisters - 1}) == isa::kAddr8Register) {
    append_register_address(out, static_cast<std::uint8_t>(raw & 0xFF));
  } else {
    append_hex(out, raw);
  }
}

bool read_shape(Scanner& in, const ShapeLimits& limits, Shape& shape) {
  std::size_t dimensions = 0;
  if (!in.accept('{')) return in.fail("`{` and the counts, dimension 0 first");
  if (!read_counts(in, limits, shape, dimensions)) return false;
  const bool steps_given = in.accept(';');
  if (steps_given && !read_steps(in, limits, shape, dimensions)) return false;
  if (!steps_given && !set_default_steps(in, limits, shape, dimensions)) return false;
  return in.accept('}') || in.fail(steps_given ? "`}` behind the steps" : "`,`, `;` or `}` behind the counts");
}

void append_shape(std::string& out, const Shape& shape) {
  std::size_t dimensions = 4;
  while (dimensions > 1 && shape.counts[dimensions - 1] == 1 && shape.steps[dimensions - 1] == 1) --dimensions;
  out += '{';
  append_dimensions(out, shape.counts, dimensions);
  bool contiguous = true;
  std::int64_t product = 1;
  for (std::size_t d = 0; d < dimensions && contiguous; ++d) {
    contiguous = shape.steps[d] == product;
    product = shape.steps[d] * shape.counts[d];
  }
  if (!contiguous) {
    out += ';';
    append_dimensions(out, shape.steps, dimensions);
  }
  out += '}';
}

Shape tensor_shape(const isa::Word& word, const isa::FieldFormat& tensor) {
  Shape shape;
  const std::size_t steps = tensor.byte + 4u, counts = steps + 2 * std::size_t{tensor.dimensions};
  for (std::size_t d = 0; d < tensor.dimensions; ++d) {
    shape.steps[d] = word.get<std::int16_t>(steps + 2 * d);
    shape.counts[d] = word.get<std::uint16_t>(counts + 2 * d);
  }
  return shape;
}

void put_tensor_shape(isa::Word& word, const isa::FieldFormat& tensor, const Shape& shape) {
  const std::size_t steps = tensor.byte + 4u, counts = steps + 2 * std::size_t{tensor.dimensions};
  for (std::size_t d = 0; d < tensor.dimensions; ++d) {
    word.put(steps + 2 * d, static_cast<std::int16_t>(shape.steps[d]));
    word.put(counts + 2 * d, static_cast<std::uint16_t>(shape.counts[d]));
  }
}

}  // namespace dve::assembly
