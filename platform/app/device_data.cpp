#include "device_data.h"

#include <fmt/format.h>

#include <charconv>

#include "command_line.h"

namespace dve::app {
namespace {

// Host memory grows to what is asked for, up to this much.

constexpr std::uint64_t kNoNumber = ~std::uint64_t{0};

std::optional<std::uint64_t> number(std::string_view text) {
  int base = 10;
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// Splits "left=right" at the first '='.
std::pair<std::string, std::string> split_file(const std::string& option, const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw UsageError(
        fmt::format("--{} '{}': expected PLACE{}=FILE", option, text, option == "dump" ? ":RxK:DTYPE" : ""));
  return {text.substr(0, at), text.substr(at + 1)};
}

// The rows must exist: on chip R partitions from the first, `row_bytes` from the offset.
void check_fits(const std::string& what, const DevicePlace& place, std::uint64_t rows, std::uint64_t row_bytes,
                isa::Generation generation) {
  if (rows == 0 || row_bytes == 0) throw layer::InputError(fmt::format("{}: there is no data", what));
  if (!place.on_chip) {
    const bool fits = rows <= kHostMemoryBytes / row_bytes && place.host_address <= kHostMemoryBytes - rows * row_bytes;
    if (!fits)
      throw layer::InputError(fmt::format("{}: ends past the {} bytes of host memory", what, kHostMemoryBytes));
    return;
  }
  const isa::SpaceGeometry& geometry = isa::geometry(generation, place.on_chip->space);
  if (!geometry.exists())
    throw layer::InputError(
        fmt::format("{}: {} has no {}", what, isa::to_string(generation), isa::to_string(place.on_chip->space)));
  const std::uint64_t first = isa::number(place.on_chip->partition);
  if (first >= isa::kPartitions || rows > isa::kPartitions - first)
    throw layer::InputError(
        fmt::format("{}: {} rows from partition {} go past partition {}", what, rows, first, isa::kPartitions - 1));
  const std::uint64_t active = geometry.active_per_partition.value;
  if (place.on_chip->offset > active || row_bytes > active - place.on_chip->offset)
    throw layer::InputError(fmt::format("{}: {} bytes from offset {:#x} go past the {} active bytes of a partition",
                                        what, row_bytes, place.on_chip->offset, active));
}

// Runs on_chip(r, place) for every row, or in_host(address, bytes) once: rows in host memory lie one after the other.
template <class OnChip, class InHost>
void for_each_row(const DevicePlace& place, std::uint64_t rows, std::uint64_t row_bytes, OnChip on_chip,
                  InHost in_host) {
  if (!place.on_chip) return in_host(address_map::kHostMemory + place.host_address, rows * row_bytes);
  for (std::uint64_t r = 0; r < rows; ++r) {
    isa::Place row = *place.on_chip;
    row.partition = isa::Partition{isa::number(row.partition) + static_cast<std::uint32_t>(r)};
    on_chip(r, row);
  }
}

}  // namespace

DevicePlace parse_place(const std::string& text) {
  const auto fail = [&]() -> DevicePlace {
    throw UsageError(
        fmt::format("place '{}': expected sbuf[PARTITION]+OFFSET, psum[PARTITION]+OFFSET or host:ADDRESS", text));
  };
  const std::string_view all = text;
  const std::string_view space = all.substr(0, 5);
  DevicePlace place;
  if (space == "host:") {
    const auto address = number(all.substr(5));
    if (!address) return fail();
    place.host_address = *address;
    return place;
  }
  const std::size_t close = all.find(']');
  if ((space != "sbuf[" && space != "psum[") || close == std::string_view::npos) return fail();
  const auto partition = number(all.substr(5, close - 5));
  const std::string_view rest = all.substr(close + 1);
  const std::uint64_t offset = rest.empty()     ? 0
                               : rest[0] == '+' ? number(rest.substr(1)).value_or(kNoNumber)
                                                : kNoNumber;
  if (!partition || *partition >= isa::kPartitions || offset > isa::kPartitionAddressMask) return fail();
  place.on_chip =
      isa::Place{space == "sbuf[" ? isa::Space::sbuf : isa::Space::psum,
                 isa::Partition{static_cast<std::uint32_t>(*partition)}, static_cast<std::uint32_t>(offset)};
  return place;
}

Load read_load(const std::string& text, isa::Generation generation, bool contents) {
  const auto [place, file] = split_file("load", text);
  Load load;
  load.place = parse_place(place);
  load.file = file;
  if (load.file.extension() == ".bin") {
    layer::InputFile bytes(load.file);
    load.rows = 1;
    load.row_bytes = bytes.remaining();
    if (contents) load.data = bytes.read(load.row_bytes);
  } else {
    layer::NpyArray array = contents ? layer::read_npy(load.file) : layer::read_npy_shape(load.file);
    load.rows = array.shape.empty() ? 1 : array.shape[0];
    load.row_bytes = load.rows == 0 ? 0 : array.count() * layer::element_bytes(array.type) / load.rows;
    load.data = std::move(array.data);
  }
  check_fits(fmt::format("--load {}", text), load.place, load.rows, load.row_bytes, generation);
  return load;
}

Dump parse_dump(const std::string& text, isa::Generation generation) {
  const auto [what, file] = split_file("dump", text);
  const auto fail = [&text = text](const std::string& reason) {
    throw UsageError(fmt::format("--dump '{}': {}, expected PLACE:RxK:DTYPE=FILE.npy", text, reason));
  };
  // From the right: a host place has a colon of its own.
  const std::size_t dtype_at = what.rfind(':');
  const std::size_t shape_at =
      dtype_at == std::string::npos || dtype_at == 0 ? std::string::npos : what.rfind(':', dtype_at - 1);
  if (shape_at == std::string::npos) fail("no shape and dtype");
  const std::string shape = what.substr(shape_at + 1, dtype_at - shape_at - 1);
  const std::size_t by = shape.find('x');
  if (by == std::string::npos) fail(fmt::format("no shape in '{}'", shape));
  const auto rows = number(shape.substr(0, by));
  const auto elements = number(shape.substr(by + 1));
  const auto dtype = isa::dtype_from_string(what.substr(dtype_at + 1));
  if (!rows || *rows == 0 || !elements || *elements == 0 || *elements > kHostMemoryBytes)
    fail("rows and elements out of range");
  if (!dtype || !layer::npy_type(*dtype)) fail(fmt::format("no array type for dtype '{}'", what.substr(dtype_at + 1)));
  Dump dump;
  dump.place = parse_place(what.substr(0, shape_at));
  dump.rows = *rows;
  dump.elements = *elements;
  dump.dtype = *dtype;
  dump.file = file;
  check_fits(fmt::format("--dump {}", text), dump.place, dump.rows, dump.row_bytes(), generation);
  return dump;
}

void perform(const Load& load, Host& host) {
  const auto row = [&](std::uint64_t r) { return load.data.data() + r * load.row_bytes; };
  for_each_row(
      load.place, load.rows, load.row_bytes,
      [&](std::uint64_t r, const isa::Place& place) { host.write(place, row(r), load.row_bytes); },
      [&](std::uint64_t address, std::uint64_t bytes) { host.write(address, load.data.data(), bytes); });
}

void perform(const Dump& dump, Host& host) {
  layer::NpyArray array;
  array.type = *layer::npy_type(dump.dtype);
  array.shape = {dump.rows, dump.elements};
  array.data.resize(dump.rows * dump.row_bytes());
  const auto row = [&](std::uint64_t r) { return array.data.data() + r * dump.row_bytes(); };
  for_each_row(
      dump.place, dump.rows, dump.row_bytes(),
      [&](std::uint64_t r, const isa::Place& place) { host.read(place, row(r), dump.row_bytes()); },
      [&](std::uint64_t address, std::uint64_t bytes) { host.read(address, array.data.data(), bytes); });
  layer::write_npy(dump.file, array);
}

}  // namespace dve::app
