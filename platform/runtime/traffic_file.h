// Traffic files: what the neighbours of the modelled engines do on the memories' ports.
#pragma once

#include <filesystem>
#include <vector>

#include "dve/dma/dma.h"

namespace dve::runtime {

// {"schema": 1, "streams": [{"name", "user", "space", "direction", "bytes_per_partition", and optionally "offset",
// "bytes_per_ns", "burst_beats", "burst_gap_cycles", "start_ns", "repeat", "after", "waits": [{"semaphore",
// "at_least"}], "update"}]}: the fields of dma::TrafficStream. `user` is pool, act, pe0 to pe4 or dma0 to dma15,
// `direction` read or write, `after` the name of an earlier stream. layer::InputError names file, key, value and what
// was expected, also for what the generation does not have.
std::vector<dma::TrafficStream> read_traffic_file(const std::filesystem::path& path, isa::Generation generation);

}  // namespace dve::runtime
