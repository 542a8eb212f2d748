// --load and --dump of `dve-sim exec`: files to places and back (interfaces.md 3).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "dve/core/core.h"
#include "dve/layer/layer.h"

namespace dve::app {

// Bytes of host memory that `host:` places and programs can use: the same whatever a command loads or dumps.
inline constexpr std::uint64_t kHostMemoryBytes = std::uint64_t{1} << 30;

// `sbuf[p]+off`, `psum[p]+off` or `host:addr`; offsets decimal or 0x hexadecimal.
struct DevicePlace {
  std::optional<isa::Place> on_chip;  // empty: host memory
  std::uint64_t host_address = 0;
};

// Throws UsageError that quotes the text.
DevicePlace parse_place(const std::string& text);

// One --load PLACE=FILE: rows go byte for byte to consecutive partitions, or one after the other into host memory.
struct Load {
  DevicePlace place;
  std::filesystem::path file;
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;
  std::vector<std::uint8_t> data;
};

// Parses and reads. UsageError: the text; layer::InputError: the file, or rows that do not fit the memory (past
// partition 127 or past the active bytes). `contents` false: the same checks, but the data stay in the file.
Load read_load(const std::string& text, isa::Generation generation, bool contents);

// One --dump PLACE:RxK:DTYPE=FILE.npy: K elements from each of R partitions.
struct Dump {
  DevicePlace place;
  std::uint64_t rows = 0;
  std::uint64_t elements = 0;
  isa::Dtype dtype = isa::Dtype::fp32;
  std::filesystem::path file;
  std::uint64_t row_bytes() const { return elements * isa::storage_size(dtype).value; }
};

// UsageError: the text; layer::InputError: elements that do not exist in the memory.
Dump parse_dump(const std::string& text, isa::Generation generation);

void perform(const Load& load, Host& host);
// layer::OutputError when the file cannot be written.
void perform(const Dump& dump, Host& host);

}  // namespace dve::app
