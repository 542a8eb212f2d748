// A sweep file (interfaces.md 6).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "constraint.h"
#include "dve/json/json.h"
#include "options.h"
#include "random.h"

namespace dve::sweep {

enum class Mode : std::uint8_t {
  product,  // every combination, the last axis fastest
  zip,      // the k-th values of all axes together
  list,     // `points` gives them one by one
  random    // `points` of them, drawn with `seed`
};

enum class AxisKind : std::uint8_t {
  configuration,  // a configuration key
  workload,       // "workload.KEY", a key of the workload file (workload::replace)
  option          // one of option_names()
};

struct Axis {
  std::string name;
  AxisKind kind = AxisKind::configuration;
  std::vector<json::Json> values;  // list: one a point
  std::optional<Span> span;        // random, in place of values
};

struct Spec {
  std::filesystem::path file;
  json::Json document;
  Options base;
  std::vector<std::string> sets;  // "key=value" of base.set
  Mode mode = Mode::product;
  std::vector<Axis> axes;
  std::vector<Constraint> constraints;
  std::uint64_t points = 0;  // random
  std::uint64_t seed = 1;
};

// Points of one sweep at most.
inline constexpr std::uint64_t kMostPoints = 1'000'000;

// Checks every value by itself. layer::InputError names file, key, value and what was expected.
Spec spec_of(const json::Json& document, const std::filesystem::path& file);
Spec read_spec(const std::filesystem::path& file);

// As `--set` and the CSV say it: texts as they are, everything else as JSON.
std::string value_text(const json::Json& value);

}  // namespace dve::sweep
