// Inside the golden library: the memories of one core behind the addresses that its router decodes.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>

#include "dve/config/config.h"
#include "dve/storage/storage.h"

namespace dve::golden_library {

// SBUF and PSUM at their on-chip and aperture addresses, the Parameter-RAM, host memory (isa.md 2.1, 3, 11). Noise of
// never-written bytes is that of the SystemC core with the same configuration.
class Memories {
 public:
  // Throws std::runtime_error when the host has not enough memory.
  Memories(const config::Config& settings, std::uint64_t host_bytes);

  // False: some of the bytes do not exist, or the Parameter-RAM is not addressed in entries of four bytes; nothing is
  // transferred.
  bool read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes);
  bool write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);

  // Null: the generation has no such memory.
  PartitionBytes* partitions(isa::Space space) { return space == isa::Space::sbuf ? &sbuf_ : psum_.get(); }
  numerics::ParamTable param_table() const;
  bool param_loaded(std::size_t entry) const { return param_loaded_[entry]; }
  void reset_param_ram();

 private:
  // Host address of the bytes, null when they do not exist.
  std::uint8_t* find(std::uint64_t address, std::uint64_t bytes);
  std::optional<std::uint64_t> param_offset(std::uint64_t address, std::uint64_t bytes) const;

  PartitionBytes sbuf_;
  std::unique_ptr<PartitionBytes> psum_;
  std::unique_ptr<PoisonedBytes> host_;
  std::array<std::uint8_t, sizeof(numerics::ParamTable)> param_ram_{};
  std::bitset<isa::kParamRamEntries> param_loaded_;
};

}  // namespace dve::golden_library
