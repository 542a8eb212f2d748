// The parts of report.json that the page shows as they stand, checked and made small.
#pragma once

#include <cstdint>
#include <string>

#include "dve/json/json.h"

namespace dve::page {

inline constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 53;  // what the page's script counts exactly

// The members of an object, each as a node of its own. layer::InputError when it is none.
template <class Visit>
void each_member(const json::JsonNode& object, Visit visit) {
  if (!object.value().is_object()) object.fail("an object");
  for (const auto& item : object.value().items()) visit(item.key(), object.at(item.key()));
}

// `ports`, `banks`, `opcodes`, `compare`, `latency`, `traffic`, `bounds`: lists of rows, name first. `bandwidth`:
// {name: {window_ns, bytes}}. `faults`, `waits`: lists of rows of texts. `facts`: pairs of texts.
json::Json shown_of(const json::JsonNode& report);

}  // namespace dve::page
