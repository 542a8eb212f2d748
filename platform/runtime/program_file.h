// program.bin and program.json: a planned program on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "host_runtime.h"
#include "program.h"

namespace dve::runtime {

// program.json: everything that the host needs to run program.bin again (interfaces.md 2, schema 1).
//
// clang-format off
//   schema     1
//   layer      folder (relative to the file's own folder), channels, elements, dtype, statistics given|device, loss_scale
//   options    step backward|full, microbatches, eps, generation, and the numerics switches that the words and the host's arithmetic were made for:
//              dst_order, backprop_form, narrow_overflow, src0_is, param_ram_index, param_ram_offset_unit
//   semaphores {request, done}: the numbers of the handshake
//   words      number of words in program.bin
//   streams    [{engine, first, count}]: which engine executes which words; none: the DVE executes all of them
//   passes     [{channels, tiles, placement}]: ranges are [first, count], places "sbuf[0]+0x40"
//   initial, final  lists of actions; steps: a list of such lists, step k at k - 1
//   dma        only with tensors in HBM: {hbm_bytes, rings}: for each ring its transfers in order, {label, direction load|store,
//              hbm (byte in HBM), row_stride, place, channels, bytes_per_partition, engines [first, count],
//              waits [[semaphore, at least]], update (semaphore)}
// clang-format on
struct ProgramDescription {
  std::filesystem::path layer_folder;
  float loss_scale = 1;
  HostOptions host;
  std::uint64_t words = 0;  // in program.bin
  Program program;          // read back: words empty; of the request's switches those above, place as found
};

// How the layer has to be loaded for this program.
layer::LayerOptions layer_options(const ProgramDescription& description);

// layer::OutputError as layer::write_file.
void write_words(const std::filesystem::path& path, const std::vector<isa::Word>& words);
void write_description(const std::filesystem::path& path, const ProgramDescription& description);

// layer::InputError: unreadable, or not a whole number of 64-byte words, at least one.
std::vector<isa::Word> read_words(const std::filesystem::path& path);

// layer::InputError: not JSON, a key missing, unknown or twice, a value of the wrong type or out of range. Every range
// and place is checked against the layer's dimensions and the generation's memories, so that the host can perform what
// was read. The layer folder is resolved against the file's folder; whether the layer fits is HostRuntime's question.
ProgramDescription read_description(const std::filesystem::path& path);

}  // namespace dve::runtime
